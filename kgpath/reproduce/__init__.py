"""Tables and figures of papers, made again from the user's own files; a folder for each paper.

Here: what a paper measures and prints.
Not here: the methods it measures, which are plug-ins anyone can use.
"""
