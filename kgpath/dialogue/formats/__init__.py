"""The formats in which dialogues come, one file each."""
