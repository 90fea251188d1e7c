"""OpenDialKG: dialogues whose turns walk a graph, and their turns as queries.

Here: reading its files, matching its names to a graph, its true paths.
Not here: dialogues of other formats (``kgpath.dialogue.formats``), or choosing a sentence.
"""
