"""Wikidata: its JSON dump, its truthy N-Triples, and CoDEx.

Here: what is special to Wikidata's files and vocabulary.
Not here: its endpoint (a preset of ``sparql``).
"""
