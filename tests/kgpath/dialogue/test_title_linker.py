"""From the titles of a dialogue to the entities of a graph."""

from __future__ import annotations

from kgpath.dialogue import Candidate, Turn
from kgpath.dialogue.nodes import nodes_of
from kgpath.dialogue.title_linker import TitleLinker


def nodes(source: str, *titles: str | tuple[str, str]):
    pairs = [t if isinstance(t, tuple) else (t, f"About {t}.") for t in titles]
    return nodes_of(Turn("?", tuple(Candidate(*pair) for pair in pairs)), source)


def linked(graph, made) -> list[str]:
    found = TitleLinker(graph).link(made)
    return [graph.entity(entity).iri.rpartition("/")[2] if entity >= 0 else "" for entity in found]


def test_labels_aliases_and_debris(film) -> None:
    titles = ("Roger Moore", "Sir Roger Moore", "roger moore_gold", "Alien  Covenant", "BEYONCE",
              "no_passages_used", "Nobody", "猫")  # fmt: skip
    assert linked(film, nodes("Daniel Craig", "Alien: covenant"))[1] == ""  # another page
    assert linked(film, nodes("Daniel_Craig", *titles)) == [
        "Daniel_Craig", "Roger_Moore", "Roger_Moore", "Alien:_Covenant", "Beyoncé", "", "", "",
    ]  # fmt: skip


def test_homonyms_are_settled_by_the_titles_around(film) -> None:
    # Two entities are called Casino Royale; two mean Bond, one of them by an alias.
    assert linked(film, nodes("Daniel Craig", "Casino Royale"))[1] == "Casino_Royale_(2006_film)"
    assert linked(film, nodes("Ian Fleming", "Casino Royale"))[1] == "Casino_Royale_(novel)"
    text = ("Casino Royale", "A book by an author who was a spy.")
    assert linked(film, nodes("Beyoncé", text))[1] == "Casino_Royale_(novel)"


def test_lost_apostrophes_redirects_and_qualifiers(build_graph) -> None:
    kg = build_graph(
        """
        ex:Ocean rdfs:label "Ocean's Eleven"@en ; ex:by ex:A .
        ex:USA rdfs:label "USA"@en ; dbo:wikiPageRedirects ex:US .
        ex:US rdfs:label "United States"@en ; ex:has ex:A .
        ex:Mercury rdfs:label "Mercury"@en ; dbo:wikiPageDisambiguates ex:Planet, ex:Singer .
        ex:Planet rdfs:label "Mercury (planet)"@en ; ex:near ex:Sun .
        ex:Singer rdfs:label "Freddie Mercury"@en ; ex:in ex:Queen .
        ex:Queen rdfs:label "Queen"@en .
        ex:Orphan rdfs:label "Orphan Black (TV series)"@en ; ex:by ex:A .
        ex:Skunk rdfs:label "Skunk (band)"@en ; ex:by ex:A .
        ex:Rocky rdfs:label "Rocky"@en ; a dbo:Film ; ex:by ex:A .
        dbo:Film a owl:Class ; rdfs:label "film"@en .
        """
    )
    told = (
        "Oceans Eleven",
        "Ocean s Eleven",
        "USA",
        "Mercury",
        "Queen",
        ("Orphan Black", "Orphan Black is a Canadian science fiction television series."),
        ("Skunk", "Skunks are mammals known for their spray."),
        "Rocky (film)",
        "Rocky (squirrel)",
    )
    assert linked(kg, nodes("Queen", *told)) == [
        "Queen", "Ocean", "Ocean", "US", "Singer", "Orphan", "", "Rocky", ""
    ]  # fmt: skip
