"""Encoders, one file each: texts, entities in texts, and paths as vectors.

Here: the base classes and the plain encoders; larger kinds have a folder each.
Not here: comparing or ranking by vectors (``rankers``).
"""
