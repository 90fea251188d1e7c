"""Parts of the rankers over context and path vectors: the frame of Lo & Lim (2023).

Here: examples as vectors, their network, and the choice of its settings.
Not here: the rankers themselves (one level up), or the vectors (``encoders``).
"""
