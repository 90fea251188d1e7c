"""Wikidata: its JSON dump, its truthy N-Triples, and CoDEx."""
