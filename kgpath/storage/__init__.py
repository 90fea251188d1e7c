"""A graph on disk: the SQLite file, the CSR index beside it, and their other forms.

Here: reading, checking, naming and exporting what a graph file holds.
Not here: making one from sources (``kg_build``), or walking it (``paths``).
"""
