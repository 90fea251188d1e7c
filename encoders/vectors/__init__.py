"""Vectors that are trained or read once and then looked up: TransE, word2vec, GloVe.

Here: training, reading and saving vectors of entities, relations and words.
Not here: vectors that depend on a text (``averaged``, ``fused``, ``transformer``).
"""
