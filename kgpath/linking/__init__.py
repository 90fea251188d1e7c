"""From a text to the entities of a graph: mentions, name match scores, occurrences, coreference.

Here: what a text names, and where.
Not here: what it says of facts and paths (``features``).
"""
