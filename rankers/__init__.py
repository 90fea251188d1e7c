"""Path rankers, one file each: which of the candidate paths explains the pair in this text?

Here: scoring candidates, and learning to.
Not here: what is known of a path (``kgpath.features``), or reading examples from files
(``kgpath.learning``).
"""
