"""Edge rules: what connects two titles, one file each."""
