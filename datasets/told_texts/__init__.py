"""Short English texts that tell some facts of any graph and leave out others, with questions.

Here: sentence patterns, the choice of facts, texts, and questions with their true paths.
Not here: texts taken from articles (``kgpath.datasets.synthetic``), or training on what was made.
"""

from kgpath.datasets.told_texts.questions import told_questions

__all__ = ["told_questions"]
