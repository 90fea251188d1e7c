"""Context-fused entity vectors: TransE vectors moved by the text (retrofitting)."""
