"""Training and evaluating rankers on queries with known answers, and models as folders.

Here: examples, training, judging, reports, saved models.
Not here: the rankers themselves (``rankers``), or what a figure means (``metrics``).
"""
