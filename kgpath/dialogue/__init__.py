"""Ground dialogue turns in sentences, and show how the dialogue gets there: WikiPath.

Here: turns and candidates, the graph of a turn, selectors, edge rules, responses, evaluation.
Not here: the tables of the paper (``reproduce.wikipath``).
"""

from kgpath.dialogue.loading import DialogueFile as DialogueFile
from kgpath.dialogue.records import Candidate as Candidate
from kgpath.dialogue.records import Dialogue as Dialogue
from kgpath.dialogue.records import Turn as Turn
from kgpath.dialogue.selectors.wikipath import WikiPath as WikiPath

__all__ = ["Candidate", "Dialogue", "DialogueFile", "Turn", "WikiPath"]
