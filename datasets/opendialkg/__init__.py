"""OpenDialKG: dialogues whose turns walk a graph, and their turns as queries."""
