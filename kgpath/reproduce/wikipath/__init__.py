"""The tables and pictures of the WikiPath paper, on whatever dialogues the user has."""
