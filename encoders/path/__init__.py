"""Path encoders: a vector for a path, the same from whichever end it is read."""
