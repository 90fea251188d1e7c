"""Selectors: which sentence a turn is grounded in, one file each.

Here: choosing a candidate, with the numbers that led to it.
Not here: what connects titles (``dialogue.edges``), or the response (``dialogue.generator``).
"""
