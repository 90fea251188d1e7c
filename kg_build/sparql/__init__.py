"""Live SPARQL endpoints: a polite client, paging, presets, and graphs extracted through them."""
