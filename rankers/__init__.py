"""Path rankers, one file each: which of the candidate paths explains the pair in this text?"""
