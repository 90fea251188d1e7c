"""Context encoders and path encoders, one file each; there are none yet."""
