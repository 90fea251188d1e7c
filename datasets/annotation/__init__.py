"""Annotation of news: Wikinews articles, tasks for annotators, and what their answers agree on."""
