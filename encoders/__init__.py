"""Encoders, one file each: from texts to vectors."""
