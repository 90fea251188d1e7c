"""How inputs are spoiled, a module for each kind of file.

Here: from a random generator and good bytes to bad ones; the same generator, the same bytes.
Not here: what is done with them (``fuzz.targets``).
"""
