"""Context encoders that average vectors: of words, of entities, or of both."""
