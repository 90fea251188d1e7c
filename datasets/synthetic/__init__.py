"""Synthetic datasets of (document, pair, path) from any graph (Lo & Lim 2023, section 7.2)."""
