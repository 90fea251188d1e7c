"""The forms in which dialogues come, one file each.

Here: from a file of one form to dialogues, with a message for what does not fit.
Not here: telling which form a file has (``dialogue.loading``).
"""
