"""The formats in which dialogues come, one file each.

Here: from a file of one format to dialogues, with a message for what does not fit.
Not here: telling which format a file has (``dialogue.loading``).
"""
