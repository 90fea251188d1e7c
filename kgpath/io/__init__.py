"""Files, caches and progress: everything about disks that knows nothing of graphs or texts.

Here: files that appear whole, locks, arrays, caches with versions, lines and queries, progress.
Not here: what the SQLite file of a graph says (``storage``).
"""
