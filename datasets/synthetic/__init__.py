"""Synthetic datasets of (document, pair, path) from any graph (Lo & Lim 2023, section 7.2).

Here: recipes, the drawing of paths, the writing of texts, cards, and the work folder of a run.
Not here: measuring on what was made (``kgpath.learning``).
"""
