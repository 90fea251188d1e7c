"""A graph from a live SPARQL endpoint: of some classes, around some things, or by a query.

What comes from the endpoint goes the way that files go, so that both give the same graph.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlsplit

from kgpath.errors import BadOption, SameEntity
from kgpath.io.progress import Progress, silent
from kgpath.kg_build.filters import Filters
from kgpath.kg_build.report import Report
from kgpath.kg_build.sparql.cached_client import CachedClient
from kgpath.kg_build.sparql.client import Endpoint
from kgpath.kg_build.sparql.extraction import Extraction, SourceSelection
from kgpath.kg_build.sparql.presets import Preset
from kgpath.kg_build.sparql.terms import resource
from kgpath.plugins import SPARQL_PRESETS
from kgpath.storage import statements as st
from kgpath.storage.namespaces import PREFIXES

__all__ = ["LiveSource", "SourceSelection", "live_source"]


@dataclass
class LiveSource:
    """An endpoint, how it speaks, and what to take from it."""

    endpoint: Endpoint
    preset: Preset
    selection: SourceSelection
    refresh: bool = False
    client: CachedClient = field(init=False, repr=False)
    notes: list[str] = field(default_factory=list, repr=False)

    def __post_init__(self) -> None:
        self.client = CachedClient(self.endpoint, refresh=self.refresh)

    @property
    def name(self) -> str:
        return self.endpoint.url

    def find_ends(self, names: tuple[str, str], filters: Filters) -> tuple[str, str]:
        """The IRIs of two things; from then on, what may connect them is taken."""
        run = self._extraction(filters, Report(self.name))
        head, tail = (run.find(name) for name in names)
        if head == tail:
            raise SameEntity(f"Both names mean {head}. Name two different things.")
        self.selection = replace(self.selection, between=(head, tail))
        return head, tail

    def filters(self, filters: Filters) -> Filters:
        """The filters as the build is to apply them to what comes from here."""
        filters = self.preset.filters(filters)
        # Around things, a hub is one by all of its facts, not by those that were fetched.
        around = self.selection.seeds or self.selection.between
        return replace(filters, hub_cap=0) if around else filters

    def statements(
        self, report: Report, filters: Filters, progress: Progress = silent
    ) -> st.Statements:
        """All statements of the selection."""
        extraction = self._extraction(filters, report)
        progress(f"reading {self.name}", 0, 0)
        for count, statement in enumerate(extraction.run(), 1):
            if not count % 5000:
                progress(f"reading {self.name}", count, 0)
            yield statement
        self.notes += extraction.notes

    def _extraction(self, filters: Filters, report: Report) -> Extraction:
        filters = self.preset.filters(filters)
        return Extraction(self.client, self.preset, self.selection, filters, report)


def live_source(
    address: str,
    preset: str = "",
    selection: SourceSelection | None = None,
    graphs: Iterable[str] = (),
    refresh: bool = False,
    **options: Any,
) -> LiveSource:
    """An endpoint by address, or by the name of a preset that has one: ``dbpedia``, ``wikidata``.

    ``options`` are those of :class:`~kgpath.kg_build.sparql.client.Endpoint`.
    """
    if address in SPARQL_PRESETS:
        preset = preset or address
        address = SPARQL_PRESETS.load(address).url
    named = tuple(_graph(name) for name in graphs)
    endpoint = Endpoint.at(address, named, **options)
    chosen: Preset = SPARQL_PRESETS.load(preset or _preset_of(endpoint.url))
    return LiveSource(endpoint, chosen, selection or SourceSelection(), refresh)


def _preset_of(url: str) -> str:
    """The preset that knows this host."""
    host = f".{urlsplit(url).hostname}"
    for entry in SPARQL_PRESETS:
        if any(host.endswith(f".{known}") for known in SPARQL_PRESETS.load(entry.name).hosts):
            return entry.name
    return "rdf"


def _graph(name: str) -> str:
    found = resource(name, PREFIXES)
    if found is None:
        raise BadOption(f"{name!r} is not the IRI of a graph. Write it like: --graph http://g")
    return found
