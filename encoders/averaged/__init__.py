"""Context encoders that average vectors: of words, of entities, or of both.

Here: what is averaged, over which part of the text.
Not here: where the vectors come from (``vectors``), or vectors moved by a text (``fused``).
"""
