"""What kind of thing an entity is, and how a text calls it: name, short name, pronoun, noun."""

from __future__ import annotations

import re
from functools import cached_property

from kgpath.graph import Graph
from kgpath.lexicon.text import fold, without_qualifier
from kgpath.types import Entity

#: Kinds: person, place, group of people, work, anything else; "?" where no class says it.
PERSON, PLACE, GROUP, WORK, OTHER, UNKNOWN = "plgwx?"
_KIND_OF = {
    word: kind
    for kind, words in {
        PERSON: "person per human artist actor player holder politician writer scientist royalty "
        "philosopher president jockey referee man woman manager trainer minister governor skater "
        "comedian member economist screenwriter congressman senator saint architect guitarist "
        "wrestler ambassador chancellor racer driver judge mayor monarch coach engineer model "
        "noble chef bishop cricketer designer rider criminal character astronaut musician composer",
        PLACE: "place settlement city town village region island country river mountain range "
        "area loc state county venue stadium airport lake sea building bridge "
        "municipality province capital continent museum park racecourse populated body structure "
        "facility nation site",
        GROUP: "band org company club team university party label unit network station agency "
        "organisation organization legislature school institution broadcaster airline bank college "
        "publisher department group league",
        WORK: "movie film show series single album work game book episode song software magazine "
        "manga anime newspaper play musical website",
    }.items()
    for word in words.split()
}
_OTHERS = frozenset(
    ["ethnic group", "sports season", "sports team season", "soccer club season", "music genre",
     "football league season", "wine region",
     "national collegiate athletic association team season"]
)  # fmt: skip
_COMMON = frozenset(["genre", "music genre", "occupation", "profession", "disease", "sport"])
_NOUNS = {
    "movie": "film", "film": "film", "band": "band", "television show": "series", "city": "city",
    "album": "album", "single": "single", "song": "song", "company": "company", "town": "town",
    "soccer club": "club", "settlement": "place", "island": "island", "river": "river",
    "country": "country", "university": "university", "record label": "label", "village": "village",
    "actor": "actor", "politician": "politician", "scientist": "scientist", "writer": "writer",
    "stadium": "stadium", "lake": "lake", "airport": "airport", "airline": "airline",
    "television station": "station", "radio station": "station", "automobile": "car",
    "political party": "party", "video game": "game", "book": "book", "museum": "museum",
    "television episode": "episode", "language": "language", "magazine": "magazine",
    "hockey team": "team", "baseball team": "team", "basketball team": "team", "ship": "ship",
    "administrative region": "region", "military unit": "unit", "space mission": "mission",
    "military conflict": "battle", "musical artist": "musician", "stadium (place)": "stadium",
}  # fmt: skip
_SHE = frozenset(
    "mary anne ann jane elizabeth margaret kate katherine catherine helen alice ruth susan karen "
    "emily grace rachel sarah hannah judith jennifer nicole michelle claire charlotte scarlett "
    "meryl cate judy betty nancy dorothy ingrid marilyn audrey beth lily lucy kim joan joyce "
    "carol carole janet jessie beyonce eve marie sophie julie diane irene rose florence iris "
    "kristen heather amber gwyneth courtney brittany britney whitney ashley naomi isabel".split()
)
_HE_IN_A = frozenset("joshua luca andrea nikita ezra dana sacha ilya garcia".split())
_WITH_ARTICLE = re.compile(
    r"^(University|Academy|Democratic Republic|Battle|House|Province|Kingdom|Republic|Duchy|"
    r"Order|Treaty|Ministry|Isle|Gulf|"
    r"Church|Bank|Government) of |"
    r"^(United (States|Kingdom|Nations|Arab)|Netherlands|Philippines|Soviet Union|Bahamas|"
    r"Czech Republic|Dominican Republic|European Union|Holy Roman|Ottoman|Russian Empire)|"
    r"\b(Award|Prize|Medal)\b|( languages?| national \w+ team)$|"
    r"\b(Party|Army|Navy|Air Force|Empire|River|Islands|Mountains|Sea|Ocean|Senate|Wars|"
    r"Awards|Union|Parliament|Congress|War|League|Cup|Institute|Museum|Championship|Kingdom)$"
)
_FIRM = re.compile(
    r"\b([Tt]eam|Club|Orchestra|Records|Entertainment|Studios?|Pictures|Productions?|Company|Inc\.?|Corporation|Group|Films|"
    r"Orchestra|Television|Network|Press|Media|Music Group|"
    r"University|College|School|F\.?C\.?)$"
)
_NO_NAME = re.compile(
    r"^(List|Lists|Index|Outline) of |\bseason\b|^\d|[\[\]{}<>|\"#*_;:/]|^[^A-ZÀ-Þ]"
)
_LONGEST = 6  # words of a name
_NOT_LAST_NAMES = frozenset("jr sr ii iii iv vi vii viii".split())


class Things:
    """Entities of a graph as a writer of texts sees them."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._entities: dict[int, Entity] = {}
        self._classes: dict[int, list[str]] = {}

    def entity(self, number: int) -> Entity:
        if number not in self._entities:
            self._entities[number] = self.graph.entity(number)
        return self._entities[number]

    def is_nameable(self, number: int) -> bool:
        """Whether a sentence can hold the name."""
        name = self.name(number)
        words = name.split()
        numbered = re.search(r"__\d+$", self.entity(number).iri)  # a row of a table
        fits = 2 < len(name) <= 50 and len(words) <= _LONGEST
        return fits and not numbered and not _NO_NAME.search(name)

    def name(self, number: int) -> str:
        """The label without a bracket."""
        return without_qualifier(self.entity(number).label)

    def kind(self, number: int) -> str:
        """One letter; the rarest class that says it decides."""
        # Many a firm is a "person" in DBpedia.
        if _FIRM.search(self.name(number)):
            return GROUP
        for label in self._labels(number):
            if label in _OTHERS:
                return OTHER
            for word in reversed(re.findall(r"[a-z]+", label.partition("(")[0])):
                if word in _KIND_OF:
                    return _KIND_OF[word]
        return OTHER if self._labels(number) else UNKNOWN

    def noun(self, number: int) -> str:
        """What "the …" can stand for it: "film"; empty if no class gives one."""
        return next((_NOUNS[one] for one in self._labels(number) if one in _NOUNS), "")

    def pronoun(self, number: int, kind: str) -> str:
        """He, she, it or they; of a person a guess by the first name."""
        if kind == GROUP and self.noun(number) == "band":
            return "they"
        if kind != PERSON:
            return "it"
        first = fold(self.name(number)).split()[0]
        if first in _SHE or "woman" in self._labels(number):
            return "she"
        return "she" if first.endswith("a") and first not in _HE_IN_A else "he"

    def last_name(self, number: int) -> str:
        """The last word of a person's name, where it can stand alone; else empty."""
        words = self.name(number).split()
        last = words[-1]
        usable = len(words) > 1 and len(last) > 3 and last.isalpha() and last[0].isupper()
        if re.search(" of |,", self.name(number)) or not usable or fold(last) in _NOT_LAST_NAMES:
            return ""
        return last

    def _labels(self, number: int) -> list[str]:
        if number not in self._classes:
            labels = [one.label.lower() for one in self.graph.types(self.entity(number))]
            self._classes[number] = [one for one in labels if one not in ("agent", "thing")]
        return self._classes[number]

    def is_common(self, number: int) -> bool:
        """Whether its name is a word of the language: "alternative rock"."""
        return not _COMMON.isdisjoint(self._labels(number))

    @cached_property
    def relation_labels(self) -> list[str]:
        """Labels at the places of relation ids."""
        return [relation.label for relation in self.graph.store.relations]


def with_article(name: str) -> str:
    """A name as it stands in a sentence: "the Netherlands".

    >>> with_article("Soviet Union"), with_article("Spain")
    ('the Soviet Union', 'Spain')
    """
    return f"the {name}" if _WITH_ARTICLE.search(name) and "'s " not in name else name


def common_noun(name: str) -> str:
    """A name that is a word of the language, as it stands in a sentence.

    >>> common_noun("Alternative rock"), common_noun("R&B"), common_noun("Hindi")
    ('alternative rock', 'R&B', 'Hindi')
    """
    first, _, rest = name.partition(" ")
    plain = first.isalpha() and first[1:].islower() and rest == rest.lower()
    proper = not rest and not re.search(r"(er|or|ist|ian|rock|pop|jazz|folk|soul|metal)$", first)
    return name[:1].lower() + name[1:] if plain and not proper else name
