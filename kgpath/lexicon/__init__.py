"""Words and names as arrays: tokens, folding, stop words, and the hash tables of an index.

Here: what can be said of a text or a name by its words alone.
Not here: which entity a name means (``linking``).
"""
