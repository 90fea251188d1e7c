"""Ground dialogue turns in sentences, and show how the dialogue gets there: WikiPath."""

from kgpath.dialogue.loading import DialogueFile as DialogueFile
from kgpath.dialogue.records import Candidate as Candidate
from kgpath.dialogue.records import Dialogue as Dialogue
from kgpath.dialogue.records import Turn as Turn
from kgpath.dialogue.selectors.wikipath import WikiPath as WikiPath

__all__ = ["Candidate", "Dialogue", "DialogueFile", "Turn", "WikiPath"]
