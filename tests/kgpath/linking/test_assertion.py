"""What a text denies, asks or supposes, and all that only looks like it."""

from __future__ import annotations

import time

import pytest

from kgpath.linking.assertion_cues import ASKED, DENIED, SAID, SUPPOSED
from kgpath.linking.context import Context

GRAPH = """
ex:jaws rdfs:label "Jaws" . ex:spielberg rdfs:label "Steven Spielberg" .
ex:stone rdfs:label "Emma Stone" . ex:lucas rdfs:label "George Lucas" .
ex:wars rdfs:label "Star Wars" . ex:adele rdfs:label "Adele" . ex:skyfall rdfs:label "Skyfall" .
ex:connery rdfs:label "Sean Connery" . ex:goldfinger rdfs:label "Goldfinger" .
ex:no rdfs:label "Dr. No" . ex:never rdfs:label "Never Say Never Again" .
ex:rabbit rdfs:label "Who Framed Roger Rabbit?" . ex:hoskins rdfs:label "Bob Hoskins" .
ex:nobody rdfs:label "Nobody Does It Better" . ex:simon rdfs:label "Carly Simon" .
ex:london rdfs:label "London" .
ex:all ex:has ex:jaws, ex:spielberg, ex:stone, ex:lucas, ex:wars, ex:adele, ex:skyfall, ex:connery,
    ex:goldfinger, ex:no, ex:never, ex:rabbit, ex:hoskins, ex:nobody, ex:simon, ex:london .
"""


@pytest.fixture
def graph(build_graph):
    return build_graph(GRAPH)


def marked(kg, text: str, state: int) -> str:
    """The words of a text that are in this state."""
    context = Context(kg, text)
    words = zip(context.tokens.words, context.assertion.tolist(), strict=True)
    return " ".join(word for word, found in words if found == state)


# Each text with its words that are denied; all others are said.
DENIALS = {
    "Emma Stone was never in Jaws.": "never in jaws",
    "Emma Stone was never in La Jolla.": "never in la jolla",
    "George Lucas did not direct Jaws.": "not direct jaws",
    "Jaws wasn't directed by George Lucas.": "wasnt directed by george lucas",
    "No song by Adele is heard in Jaws.": "no song by adele is heard in jaws",
    "George Lucas denied having written Jaws.": "denied having written jaws",
    "Sean Connery refused to play in Skyfall.": "refused to play in skyfall",
    "Adele failed to sing for Jaws.": "failed to sing for jaws",
    "Sean Connery has yet to see Jaws.": "has yet to see jaws",
    "Neither Adele nor Emma Stone sang Goldfinger.": "neither adele nor emma stone sang goldfinger",
    "It is a myth that George Lucas directed Jaws.": "is a myth that george lucas directed jaws",
    "The claim that George Lucas made Jaws is false.": (
        "the claim that george lucas made jaws is false"
    ),
    "The part was given to Emma Stone instead of Adele, who sang.": "adele",
    "It was George Lucas, not Steven Spielberg, who made Star Wars.": "steven spielberg",
    "Jaws was not made by George Lucas but by Steven Spielberg.": "not made by george lucas",
    "Jaws, which George Lucas did not direct, was made by Steven Spielberg.": (
        "which george lucas did not direct"
    ),
    "Steven Spielberg made Jaws; George Lucas did not.": "george lucas did not",
    "George Lucas never directed Jaws, Skyfall, or Goldfinger, he says.": (
        "never directed jaws skyfall or goldfinger"
    ),
    "Nobody has asked Adele for Jaws.": "nobody has asked adele for jaws",
}
QUESTIONS = {
    "Did Steven Spielberg direct Jaws?": "did steven spielberg direct jaws",
    "Did Adele sing Skyfall?": "did adele sing skyfall",
    "Who directed Jaws?": "who directed jaws",
    "Steven Spielberg directed Jaws?": "steven spielberg directed jaws",
    "Steven Spielberg made Jaws, didn't he?": "steven spielberg made jaws didnt he",
    "Steven Spielberg made Jaws, but who made Star Wars?": "who made star wars",
    "Jaws is old. And has Emma Stone ever been in it?": "has emma stone ever been in it",
    "In which town did Adele sing Skyfall?": "which town did adele sing skyfall",
    "They asked him whether George Lucas made Jaws.": "whether george lucas made jaws",
    "She wondered who sang Skyfall, and went home.": "who sang skyfall",
    "It is unclear if Adele has seen Jaws.": "if adele has seen jaws",
    "Nobody knows who wrote Goldfinger.": "who wrote goldfinger",
    "Whether Adele sang Goldfinger is disputed.": "whether adele sang goldfinger is disputed",
    "Fans debated which part Emma Stone has in Skyfall.": "which part emma stone has in skyfall",
    'He asked: "Was Jaws made by George Lucas?"': "was jaws made by george lucas",
    "Was Bob Hoskins in Who Framed Roger Rabbit?": "was bob hoskins in who framed roger rabbit",
}
SUPPOSITIONS = {
    "If Adele sings Skyfall, they will dance.": "if adele sings skyfall",
    "If George Lucas had made Jaws, it would have been set in space.": (
        "if george lucas had made jaws would have been set in space"
    ),
    "Had George Lucas made Jaws, we might like it.": "had george lucas made jaws might like it",
    "Emma Stone turned down the lead in Skyfall.": "turned down the lead in skyfall",
    "Adele was considered for Jaws.": "considered for jaws",
    "There are rumours that Emma Stone will be in Skyfall.": (
        "rumours that emma stone will be in skyfall"
    ),
    "George Lucas wanted to direct Jaws.": "wanted to direct jaws",
    "Sean Connery was offered Jaws.": "was offered jaws",
    "Emma Stone auditioned for Skyfall but went home.": "auditioned for skyfall",
    "Adele might sing Goldfinger.": "might sing goldfinger",
    "Emma Stone could have played in Jaws.": "could have played in jaws",
    "Sean Connery was ruled out for Skyfall.": "sean connery was ruled out for skyfall",
    "Perhaps Adele wrote Goldfinger.": "perhaps adele wrote goldfinger",
    "Plans for George Lucas to make Jaws fell through.": (
        "plans for george lucas to make jaws fell through"
    ),
    "George Lucas almost directed Jaws.": "almost directed jaws",
    "Unless Adele sings Skyfall, they will leave.": "unless adele sings skyfall",
}
STATEMENTS = [
    "Steven Spielberg directed Jaws.",
    "Steven Spielberg not only directed Jaws, but also liked it.",
    "Not only did Adele sing Skyfall, she wrote it.",
    "Sean Connery no longer lived in London.",
    "Sean Connery did not play in Goldfinger until 1964.",
    "It was not until 1994 that Adele sang in London.",
    "There is no doubt that Adele sang Skyfall.",
    "None other than Adele sang Skyfall.",
    "Adele wore nothing but black when she sang Skyfall.",
    "Skyfall by Adele stood at No. 1 in London.",
    "Never before had Adele sung in London.",
    "Sean Connery starred in Dr. No and in Never Say Never Again.",
    "Carly Simon sang Nobody Does It Better.",
    "Bob Hoskins is in Who Framed Roger Rabbit?",
    "Bob Hoskins was in Who Framed Roger Rabbit? and was praised for it.",
    "Not far from London lives Adele.",
    "Skyfall made many people glad, not least Adele.",
    "Adele was not the only singer of Skyfall.",
    "Steven Spielberg worked without rest on Jaws.",
    "He did not know that Adele sang Skyfall.",
    "Did you know that Adele sang Skyfall?",
    "He would later direct Jaws.",
    "In May Adele sang Skyfall.",
    "The lead in Never Let Me Go knows Adele.",
    "Adele, perhaps best known for Skyfall, lives in London.",
    "Jaws, not to be confused with the band, is by Steven Spielberg.",
    "George Lucas did not deny that he made Star Wars.",
]
FOREIGN = [
    "Emma Stone no aparece en Jaws, la película de Steven Spielberg.",
    "George Lucas no dirigió Jaws.",
    "Adele nasceu no bairro de Tottenham, em London.",
    "Was hat Steven Spielberg mit Jaws zu tun?",
    "George Lucas n'a pas réalisé Jaws, mais il est l'ami de Steven Spielberg.",
    "ジョージ・ルーカスはJawsを監督したか?",
]


@pytest.mark.parametrize("text", DENIALS)
def test_what_is_denied_is_denied(graph, text: str) -> None:
    assert marked(graph, text, DENIED) == DENIALS[text]


@pytest.mark.parametrize("text", QUESTIONS)
def test_what_is_asked_is_asked(graph, text: str) -> None:
    assert marked(graph, text, ASKED) == QUESTIONS[text]


@pytest.mark.parametrize("text", SUPPOSITIONS)
def test_what_is_supposed_is_supposed(graph, text: str) -> None:
    assert marked(graph, text, SUPPOSED) == SUPPOSITIONS[text]


@pytest.mark.parametrize("text", STATEMENTS)
def test_what_only_looks_like_a_denial_or_a_question_is_said(graph, text: str) -> None:
    context = Context(graph, text)
    assert set(context.assertion.tolist()) == {SAID}


@pytest.mark.parametrize("text", FOREIGN)
def test_another_language_says_all_it_says(graph, text: str) -> None:
    assert set(Context(graph, text).assertion.tolist()) == {SAID}


def test_a_text_without_words_has_nothing_to_deny(graph) -> None:
    assert len(Context(graph, "").assertion) == 0
    assert len(Context(graph, "?!").assertion) == 0


def test_a_denied_clause_leaves_the_next_sentence_alone(graph) -> None:
    text = "Adele was never in Jaws. Emma Stone was in Skyfall. Was she in Jaws?"
    assert marked(graph, text, SAID) == "adele was emma stone was in skyfall"


def test_words_in_capitals_are_cues_too(graph) -> None:
    assert marked(graph, "Adele was NOT in Jaws.", DENIED) == "not in jaws"


@pytest.mark.parametrize(
    "piece", ["not ", "if he had ", "Adele was not asked who ", "Had he? ", ", no"]
)
def test_time_grows_with_the_text_alone(graph, piece: str) -> None:
    def seconds(size: int) -> float:
        context = Context(graph, "the " + piece * (size // len(piece)))
        context.mentions()
        begin = time.process_time()
        assert context.assertion.any()
        return time.process_time() - begin

    assert seconds(200_000) < 20 * max(seconds(25_000), 0.05)
