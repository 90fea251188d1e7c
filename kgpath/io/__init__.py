"""Files, caches, progress and lines of JSON: what everybody needs and no graph has a part in.

Here: files that appear whole, locks, arrays, caches with versions, queries as JSON, progress, and
    torch on one thread.
Not here: what the SQLite file of a graph says (``storage``).
"""
