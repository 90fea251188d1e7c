"""The tables and pictures of the WikiPath paper, on whatever dialogues the user has.

Here: the paper's studies, tables, pictures and published figures.
Not here: its selectors and edge rules (``kgpath.dialogue``).
"""
