"""Encoders over language models: BERT, K-BERT, KG-BERT, KEPLER and sentence-transformers.

Here: reading a text with a transformer, and fine-tuning one on a graph.
Not here: vectors that are looked up (``vectors``), or averaged (``averaged``).
"""
