"""Path rankers and baselines, one file each; there are none yet."""
