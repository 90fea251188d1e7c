"""Parts of kgpath-general: trees as plain arrays, what they see of facts and paths, how they learn.

Here: what is told of one relation like of any other; the model that ships lies in ``shipped``.
Not here: the ranker itself (one level up), or single features (``kgpath.features``).
"""
