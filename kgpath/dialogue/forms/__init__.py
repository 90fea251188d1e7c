"""The forms in which dialogues come, one file each."""
