"""Parts of kgpath-ltr and other rankers of trees: tables of hops and paths, relation statistics.

Here: what such rankers compute from features, and learn from examples.
Not here: the rankers themselves (one level up), or single features (``kgpath.features``).
"""
