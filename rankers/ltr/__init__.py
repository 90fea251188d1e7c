"""Parts of kgpath-ltr and other rankers of trees: tables of hops and paths, relation statistics."""
