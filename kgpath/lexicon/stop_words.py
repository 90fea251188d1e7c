"""The English stop words, once: whoever needs more or fewer says so by union or difference."""

from __future__ import annotations

#: Words that say nothing of what a text is about, folded as :func:`kgpath.lexicon.text.fold` does.
STOP_WORDS = frozenset(
    "a about above after again against all am an and any are as at be because been before being "
    "below between both but by can could did do does doing down during each few for from further "
    "had has have having he her here hers him his how i if in into is it its just me more most my "
    "no nor not of off on once only or other our out over own same she should so some such than "
    "that the their them then there these they this those through to too under until up very was "
    "we were what when where which while who whom why will with would you your".split()
)

#: Those that also stand within names and labels ("University of the Arts") and weigh nothing there.
LITTLE_WORDS = frozenset("a and for in of the".split())
