"""Vectors that are trained or read once and then looked up: TransE, word2vec, GloVe."""
