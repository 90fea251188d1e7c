"""Annotation of news: Wikinews articles, tasks for annotators, and what their answers agree on.

Here: choosing articles and pairs, the forms people fill in, agreement, finished queries.
Not here: datasets that are made without people (``synthetic``).
"""
