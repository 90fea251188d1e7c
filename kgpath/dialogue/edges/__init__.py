"""Edge rules: what connects two titles, one file each.

Here: rules from the titles of a turn to weighted edges.
Not here: the shortest chains over the edges (``dialogue.turn_graph``).
"""
