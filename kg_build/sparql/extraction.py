"""One run against an endpoint: what to ask, in which order, and what is still to be described."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass

from pyoxigraph import Quad

from kgpath.errors import AmbiguousEntity, BadOption, BadSource, UnknownName
from kgpath.kg_build.filters import TYPE_PRESETS, Filters, unknown_class, wanted_classes
from kgpath.kg_build.report import Report
from kgpath.kg_build.sparql.cached_client import CachedClient
from kgpath.kg_build.sparql.neighbourhood import Neighbourhood, things_on_paths
from kgpath.kg_build.sparql.pages import Pages
from kgpath.kg_build.sparql.presets import Preset
from kgpath.kg_build.sparql.terms import is_iri, resource
from kgpath.kg_build.sparql.user_query import GivenQuery
from kgpath.lexicon.text import local_name
from kgpath.storage import statements as st
from kgpath.storage.namespaces import PREFIXES

_CHUNK = 10_000  # things described at a time


@dataclass(frozen=True)
class SourceSelection:
    """What to take: classes are in the build's filters; else seeds and hops, or a query."""

    seeds: tuple[str, ...] = ()
    hops: int = 2
    query: str = ""
    between: tuple[str, str] | None = None  # two things: only what may connect them


class Extraction:
    """One run: what was seen so far, and what is still to be described."""

    def __init__(
        self,
        client: CachedClient,
        preset: Preset,
        selection: SourceSelection,
        filters: Filters,
        report: Report,
    ) -> None:
        self._pages = Pages(client)
        self._url = client.url
        self._preset = preset
        self._selection = selection
        self._report = report
        self._filters = filters
        self._ontology = preset.ontology(filters)
        self.notes: list[str] = []
        self._described: set[str] = set()  # classes and relations
        self._classes: dict[str, None] = {}
        self._relations: dict[str, None] = {}

    def run(self) -> st.Statements:
        """All statements of the selection."""
        chosen = self._selection
        ways = [bool(self._filters.types), bool(chosen.seeds), bool(chosen.query)]
        if chosen.between:
            yield from self._between(*chosen.between)
        elif sum(ways) != 1:
            raise BadOption(
                "Say what to take from the endpoint, one of: --types film, --seed dbr:Roger_Moore, "
                "--query 'CONSTRUCT { … } WHERE { … }'"
            )
        elif chosen.seeds:
            yield from self._around()
        else:
            if self._preset.whole_ontology:
                yield from self._whole_ontology()
            yield from self._of_query() if chosen.query else self._of_classes()
        yield from self._used_ontology()

    # The three ways

    def _of_classes(self) -> st.Statements:
        classes = yield from self._wanted_classes()
        about = self._preset.all(self._filters)
        found = False
        for page in self._pages.listed(self._preset.members(classes)):
            found = True
            for facts in self._pages.facts(page, about):
                yield from self._read(facts.quads, facts.report)
            yield from self._titles(page)
        if not found:
            name = ", ".join(self._filters.types)
            raise UnknownName(
                f"No entity at {self._url} has it. {unknown_class(name, self._classes)}"
            )

    def _around(self) -> st.Statements:
        seeds = [self.find(name) for name in self._selection.seeds]
        around = self._neighbourhood()
        self._refuse_unknown(around, seeds)
        things: dict[str, None] = {}
        for head, relation, tail in around.edges(seeds, self._selection.hops):
            things.update({head: None, tail: None})
            yield self._seen((st.EDGE, head, relation, tail))
        self._note_hubs(around)
        yield from self._describe(list(things))

    def _between(self, head: str, tail: str) -> st.Statements:
        around = self._neighbourhood()
        self._refuse_unknown(around, [head, tail])
        hops = self._selection.hops
        edges = around.between(head, tail, hops)
        self._note_hubs(around)
        for end in (head, tail):
            if not any(end in edge[::2] for edge in edges):
                raise BadSource(
                    f"{end} has only neighbours with more than {self._filters.hub_cap:,} facts. "
                    "Raise the --hub-cap."
                )
        for edge in edges:
            yield self._seen((st.EDGE, *edge))
        yield from self._describe(sorted(things_on_paths(edges, head, tail, hops) | {head, tail}))

    def _of_query(self) -> st.Statements:
        query = GivenQuery(self._selection.query)
        things: dict[str, None] = {}
        found = 0
        for quads in query.statements(self._pages):
            found += len(quads)
            for statement in self._read(quads, None):
                if statement[0] == st.EDGE:
                    things.update({statement[1]: None, statement[3]: None})
                yield statement
        if not found:
            raise BadSource(f"The query finds nothing at {self._url}.")
        yield from self._describe(list(things))

    # Parts of them

    def find(self, name: str) -> str:
        """The IRI of a thing, by IRI, by prefix or by its label at the endpoint."""
        found = resource(name, PREFIXES)
        if found is not None:
            return found
        named = self._preset.named(name, self._filters)
        things = [thing for page in self._pages.listed(named) for thing in page]
        if not things:
            raise UnknownName(
                f"Nothing at {self._url} has the name {name!r}. Write it as it is there, "
                "or name the thing by its IRI, such as dbr:Roger_Moore."
            )
        if len(things) > 1:
            raise AmbiguousEntity(name, [(name, "", thing) for thing in things[:20]])
        return things[0]

    def _neighbourhood(self) -> Neighbourhood:
        return Neighbourhood(
            self._pages, self._preset, self._filters, self._report, self._filters.hub_cap
        )

    def _refuse_unknown(self, around: Neighbourhood, things: list[str]) -> None:
        for thing, facts in around.facts_of(list(dict.fromkeys(things))).items():
            if not facts:
                raise BadSource(f"{self._url} knows no fact about {thing}")

    def _note_hubs(self, around: Neighbourhood) -> None:
        facts = around.facts_of(sorted(around.hubs))
        largest = sorted(facts, key=lambda hub: (-facts[hub], hub))
        shown = ", ".join(f"{local_name(hub)} ({facts[hub]:,} facts)" for hub in largest[:5])
        if largest:
            self.notes.append(f"The hub cap left out {len(largest):,} entities: {shown} …")

    def _describe(self, things: list[str]) -> st.Statements:
        about = self._preset.descriptions(self._filters)
        things = [thing for thing in things if is_iri(thing)]
        for start in range(0, len(things), _CHUNK):
            chunk = things[start : start + _CHUNK]
            for facts in self._pages.facts(chunk, about):
                yield from self._read(facts.quads, facts.report)
            yield from self._titles(chunk)

    def _titles(self, things: list[str]) -> st.Statements:
        for template in self._preset.articles(self._filters):
            for facts in self._pages.facts(things, template):
                yield from self._read(facts.quads, facts.report)

    def _wanted_classes(self) -> Generator[st.Statement, None, list[str]]:
        """The classes meant and all below them; what their ontology says is passed on."""
        known = list(self._classes)
        wanted: set[str] = set()
        for name in self._filters.types:
            named = None if name in TYPE_PRESETS else resource(name, PREFIXES)
            if named and "*" not in named:
                wanted.add(named)
            elif name in TYPE_PRESETS and not known:
                wanted.update(TYPE_PRESETS[name])
            else:
                wanted |= self._known_classes(name, known)
        below = self._preset.below()
        waiting = sorted(wanted)
        while waiting:
            new: list[str] = []
            for facts in self._pages.facts(waiting, below):
                for statement in self._read(facts.quads, facts.report):
                    if statement[0] == st.SUBCLASS and statement[1] not in wanted:
                        wanted.add(statement[1])
                        new.append(statement[1])
                    yield statement
            waiting = sorted(new)
        return sorted(wanted)

    def _known_classes(self, name: str, known: list[str]) -> set[str]:
        try:
            return wanted_classes([name], known, PREFIXES)
        except UnknownName as error:
            raise UnknownName(f"{error} Or name the class by its IRI.") from None

    def _whole_ontology(self) -> st.Statements:
        for pattern in self._preset.ontology_lists():
            for page in self._pages.listed(pattern):
                yield from self._ontology_of(page)

    def _used_ontology(self) -> st.Statements:
        """What the endpoint says of the classes and relations seen, and of all above them."""
        while new := [
            one for one in (*self._relations, *self._classes) if one not in self._described
        ]:
            yield from self._ontology_of(new)

    def _ontology_of(self, parts: Iterable[str]) -> st.Statements:
        new = [part for part in parts if part not in self._described]
        self._described.update(new)
        names = list(dict.fromkeys(map(self._preset.describes_relation, new)))
        for facts in self._pages.facts([name for name in names if is_iri(name)], self._ontology):
            yield from self._read(facts.quads, facts.report)

    def _read(self, quads: list[Quad], report: Report | None) -> st.Statements:
        """What statements mean, and a note of the classes and relations in them."""
        self._report.statements += len(quads)
        if report:
            self._report.malformed += report.malformed
            self._report.examples += report.examples[: 5 - len(self._report.examples)]
        for statement in self._preset.interpret(quads, self._report):
            yield self._seen(statement)

    def _seen(self, statement: st.Statement) -> st.Statement:
        kind, subject, value, _ = statement
        if kind == st.EDGE:
            self._relations[value] = None
        elif kind == st.TYPE:
            self._classes[value] = None
        elif kind == st.SUBCLASS:
            self._classes.update({subject: None, value: None})
        elif kind == st.SUBPROPERTY:
            self._relations.update({subject: None, value: None})
        elif kind == st.CLASS:
            self._classes[subject] = None
        return statement
