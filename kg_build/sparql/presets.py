"""How endpoints differ: DBpedia, Wikidata, and plain RDF. A preset writes the queries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from pyoxigraph import Quad

from kgpath.kg_build.filters import Filters
from kgpath.kg_build.rdf.vocabulary import (
    DECLARATIONS,
    LICENCES,
    NEVER_EDGES,
    TEXT_ROLES,
    interpret,
)
from kgpath.kg_build.report import Report
from kgpath.kg_build.sparql.pages import QueryTemplate
from kgpath.kg_build.sparql.terms import iri, iri_list, language, text
from kgpath.kg_build.wikidata.vocabulary import DIRECT, ITEM, TEXTS, interpret_wikidata
from kgpath.storage import statements as st
from kgpath.storage.namespaces import DBO, OWL, PREFIXES, PROV, RDF, RDFS, SCHEMA

_WIKI_LINKS = ("dbo:wikiPage*", "dbp:wikiPage*")


@dataclass(frozen=True)
class Preset:
    """One kind of endpoint. ``hosts`` are those it is chosen for when nobody says otherwise.

    ``drop`` are relations nobody wants unless they are asked for, ``skip_types`` namespaces of
    classes; ``within`` limits the ontology to a namespace, and ``whole_ontology`` takes all of it
    instead of what the entities use.
    """

    url: str = ""
    hosts: tuple[str, ...] = ()
    type: str = RDF + "type"
    subclass: str = RDFS + "subClassOf"
    subproperty: str = RDFS + "subPropertyOf"
    texts: tuple[str, ...] = tuple(TEXT_ROLES)
    drop: tuple[str, ...] = ()
    skip_types: tuple[str, ...] = ()
    within: str = ""
    whole_ontology: bool = True
    interpret: Callable[[Iterable[Quad], Report], st.Statements] = interpret
    links: str = field(default="", repr=False)  # which ?p make an edge
    most_links: str = field(default="", repr=False)  # the same, quick and coarse
    ends: str = "isIRI(?{0})"  # what an entity looks like
    describes_relation: Callable[[str], str] = str  # the IRI under which a relation is described
    languages: tuple[str, ...] = ()  # welcome besides those wanted
    article_of: str = ""  # a pattern for the pages about ?o, by language

    def filters(self, filters: Filters) -> Filters:
        """With the relations that this preset leaves out, unless some are asked for."""
        return filters if filters.keep else replace(filters, drop=(*filters.drop, *self.drop))

    def all(self, filters: Filters) -> QueryTemplate:
        """All about a thing: edges from it, types, names and texts.

        Some of what is no edge comes along: to tell it apart here costs the endpoint more.
        """
        edges = [self.ends.format("o"), self.most_links or self.links, *_relation_tests(filters)]
        edges += [f"!(?p = {iri(self.type)} && {test})" for test in self._skipped()]
        ways = [" && ".join(filter(None, edges)), self._text(filters)]
        if filters.keep or not self.most_links:
            ways.append(self._typed())
        return QueryTemplate(f"?s ?p ?o FILTER({_any(ways)})")

    def descriptions(self, filters: Filters) -> QueryTemplate:
        """All about a thing but its edges."""
        return QueryTemplate(f"?s ?p ?o FILTER({_any([self._typed(), self._text(filters)])})")

    def edges_from(self, filters: Filters) -> QueryTemplate:
        return QueryTemplate(f"?s ?p ?o FILTER({self._edge(filters, 'o')})")

    def edges_to(self, filters: Filters) -> QueryTemplate:
        return QueryTemplate(f"?s ?p ?o FILTER({self._edge(filters, 's')})", about="o")

    def ontology(self, filters: Filters) -> QueryTemplate:
        """What an ontology says of a class or a relation."""
        links = f"?p IN ({iri_list((self.type, self.subclass, self.subproperty))})"
        return QueryTemplate(
            f"?s ?p ?o FILTER({_any([f'isIRI(?o) && {links}', self._text(filters)])})"
        )

    def articles(self, filters: Filters) -> list[QueryTemplate]:
        """The pages about things, in the wanted languages; none where the preset knows none."""
        return [
            QueryTemplate(self.article_of % language(tag), about="o")
            for tag in (filters.languages if self.article_of else ())
        ]

    def members(self, classes: Sequence[str]) -> str:
        """The things ?s of some classes."""
        return f"VALUES ?c {{ {' '.join(map(iri, classes))} }} ?s {iri(self.type)} ?c"

    def below(self) -> QueryTemplate:
        """The direct subclasses of a class."""
        return QueryTemplate(f"?s ?p ?o FILTER(?p = {iri(self.subclass)} && isIRI(?s))", about="o")

    def ontology_lists(self) -> list[str]:
        """Patterns that name every class and relation ?s of the ontology."""
        kinds = " ".join(iri(kind) for kind in DECLARATIONS if kind != OWL + "Ontology")
        lists = [
            f"VALUES ?k {{ {kinds} }} ?s {iri(RDF + 'type')} ?k",
            f"?s {iri(self.subclass)} ?k",
            f"?s {iri(self.subproperty)} ?k",
        ]
        within = f" FILTER(STRSTARTS(STR(?s), {text(self.within)}))" if self.within else ""
        return [f"{pattern}{within}" for pattern in lists]

    def named(self, name: str, filters: Filters) -> str:
        """The things ?s with this label, in a wanted language."""
        labels = [p for p in self.texts if TEXT_ROLES.get(p) == st.LABEL]
        words = " ".join(
            [text(name), *(f"{text(name)}@{language(tag)}" for tag in filters.languages)]
        )
        return f"VALUES ?l {{ {words} }} VALUES ?p {{ {' '.join(map(iri, labels))} }} ?s ?p ?l"

    def _edge(self, filters: Filters, end: str) -> str:
        tests = [self.ends.format(end), *filter(None, [self.links])]
        tests += _relation_tests(filters)
        return " && ".join(tests)

    def _typed(self) -> str:
        skipped = "".join(f" && !{test}" for test in self._skipped())
        return f"?p = {iri(self.type)} && isIRI(?o){skipped}"

    def _skipped(self) -> list[str]:
        return [f"STRSTARTS(STR(?o), {text(namespace)})" for namespace in self.skip_types]

    def _text(self, filters: Filters) -> str:
        test = f"isLiteral(?o) && ?p IN ({iri_list(self.texts)})"
        if filters.languages:
            tags = (*filters.languages, *self.languages)
            ways = [f'LANGMATCHES(LANG(?o), "{language(tag)}")' for tag in tags]
            test += f" && {_any(['LANG(?o) = ' + chr(34) * 2, *ways])}"
        return test


def _any(tests: Iterable[str]) -> str:
    return "(" + " || ".join(f"({test})" for test in tests) + ")"


def _relation_tests(filters: Filters) -> list[str]:
    """The relation filters, as far as a query can tell; the rest is left to the build."""
    tests = []
    kept = [_relation_test(pattern) for pattern in filters.keep]
    if kept and all(kept):
        tests.append(_any(filter(None, kept)))
    dropped = [_relation_test(pattern) for pattern in filters.drop]
    tests += [f"!({test})" for test in dropped if test]
    return tests


def _relation_test(pattern: str) -> str | None:
    prefix, colon, local = pattern.partition(":")
    if not colon:
        return None  # by last part alone
    whole = PREFIXES[prefix] + local if prefix in PREFIXES else pattern
    stem = whole.removesuffix("*")
    if any(sign in stem for sign in "*?["):
        return None
    return f"STRSTARTS(STR(?p), {text(stem)})" if stem != whole else f"?p = {iri(whole)}"


_NO_EDGES = " && ".join(
    [
        *(f"!STRSTARTS(STR(?p), {text(namespace)})" for namespace in NEVER_EDGES),
        f"?p NOT IN ({iri_list(sorted(LICENCES))})",
    ]
)

_MOST_EDGES = f"?p NOT IN ({iri_list((OWL + 'sameAs', PROV + 'wasDerivedFrom'))})"

RDF_PRESET = Preset(links=_NO_EDGES, most_links=_MOST_EDGES)

DBPEDIA = Preset(
    url="https://dbpedia.org/sparql",
    hosts=("dbpedia.org",),
    drop=_WIKI_LINKS,
    skip_types=(
        "http://dbpedia.org/class/yago/",
        "http://www.wikidata.org/entity/",
        "http://www.ontologydesignpatterns.org/",
    ),
    within=DBO,
    links=_NO_EDGES,
    most_links=_MOST_EDGES,
)

WIKIDATA = Preset(
    url="https://query.wikidata.org/sparql",
    hosts=("wikidata.org",),
    type=DIRECT + "P31",
    subclass=DIRECT + "P279",
    subproperty=DIRECT + "P1647",
    texts=TEXTS,
    whole_ontology=False,
    interpret=interpret_wikidata,
    # wdt: holds the statements of the best rank; p: and ps: would bring the others too.
    links=f"STRSTARTS(STR(?p), {text(DIRECT)})"
    f" && ?p NOT IN ({iri_list(DIRECT + p for p in ('P31', 'P279', 'P1647'))})",
    ends="STRSTARTS(STR(?{0}), " + text(ITEM + "Q") + ")",
    describes_relation=lambda relation: relation.replace(DIRECT, ITEM),
    languages=("mul",),
    article_of=f"?s ?p ?o FILTER(?p = {iri(SCHEMA + 'about')} && "
    'STRSTARTS(STR(?s), "https://%s.wikipedia.org/wiki/"))',
)
