"""Selectors: which sentence a turn is grounded in, one file each."""
