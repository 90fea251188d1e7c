"""Path encoders: a vector for a path, the same from whichever end it is read.

Here: encoders of whole paths, their training, and the random paths they learn from.
Not here: vectors of single entities (``vectors``), or of a text (the other folders).
"""
