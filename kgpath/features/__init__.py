"""What a text and a graph say of hops and paths, as named numbers.

Here: evidence and features that rankers read; each has a name and a line.
Not here: weights and models (``rankers``).
"""
