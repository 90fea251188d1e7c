"""Articles: MediaWiki dumps, their markup, and tables of texts, joined to entities."""
