"""Paths between two entities: kernels, searches, costs, and the candidates for a text.

Here: finding and counting paths, and the one array form they have.
Not here: which of them is right (``features``, ``rankers``).
"""

#: How many paths are ranked for a query, unless asked otherwise.
DEFAULT_LIMIT = 300
