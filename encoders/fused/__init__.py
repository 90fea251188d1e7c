"""Context-fused entity vectors: TransE vectors moved by the text (retrofitting).

Here: the constraints a text and a graph put on vectors, and the optimisation that meets them.
Not here: training the vectors that are moved (``vectors``).
"""
