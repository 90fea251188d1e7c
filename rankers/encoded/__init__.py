"""Parts of the rankers over context and path vectors: the frame of Lo & Lim (2023)."""
