"""Generate a synthetic dataset of contextual paths from any graph, as a recipe says.

Paths are drawn first, in one pass (kgpath.datasets.synthetic.paths); documents are then made in
chunks, by several processes if wanted, each from its own seed. So the same recipe, graph and seed
give the same bytes whatever the number of workers, and an interrupted run goes on where it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from kgpath import __version__
from kgpath.datasets.statistics import Row, Tally, tally_of, together
from kgpath.datasets.synthetic.card import write_about
from kgpath.datasets.synthetic.chunks import Chunk, make_chunks
from kgpath.datasets.synthetic.paths import DocumentPlan, PathSampler, slots_of
from kgpath.datasets.synthetic.recipe import Recipe
from kgpath.datasets.synthetic.strata import choose, encoder_of, write_strata
from kgpath.datasets.synthetic.work_folder import WorkFolder
from kgpath.errors import BadOption
from kgpath.graph import Graph
from kgpath.io.atomic import write_whole
from kgpath.io.progress import Progress, silent
from kgpath.io.queries import Query

#: Documents in a chunk: what an interruption can cost.
_CHUNK = 200
#: How often a slot whose document gave no pair gets another path.
_ATTEMPTS = 20
#: Part of what a chunk must equal to be taken over from an earlier run.
_FORMAT = 1


class Generated(NamedTuple):
    """Where a dataset is, its figures by split, and what was counted on the way."""

    path: Path
    figures: dict[str, dict[str, Any]]
    counted: dict[str, int]
    notes: list[str]
    resumed: int


def generate(
    graph: Graph,
    recipe: Recipe,
    output: str | Path,
    *,
    workers: int = 1,
    progress: Progress = silent,
) -> Generated:
    """Write a dataset to a new folder: it appears whole or not at all."""
    work = WorkFolder(Path(output))
    request = {
        "format": _FORMAT,
        "kgpath": __version__,
        "graph": graph.fingerprint,
        "recipe": recipe.to_json(),
    }
    encoder = encoder_of(graph, recipe)
    with work.opened(request):
        progress("drawing paths", 0, 0)
        sampler = PathSampler(graph, recipe)
        made = _Documents(graph, recipe, work, workers, progress)
        made.make(sampler)
        with work.dataset() as folder:
            progress("writing splits", 0, 0)
            _join(made.chunks, work, folder, recipe)
            progress("counting", 0, 0)
            figures, rows = _figures(graph, folder, recipe, progress)
            strata = choose(graph, recipe, encoder, folder, rows, progress)
            write_strata(folder, list(recipe.splits), rows, strata)
            about: dict[str, Any] = {
                **request,
                "graph_file": graph.path.name,
                "sources": [source.name for source in graph.store.sources()],
                "counted": {**_walks(sampler), **dict(sorted(made.counted.items()))},
                "figures": figures,
                "strata": {name: stratum.about for name, stratum in strata.items()},
                "notes": made.notes(),
            }
            write_whole(folder / "recipe.toml", recipe.to_toml())
            write_about(folder, about)
    return Generated(work.output, figures, about["counted"], about["notes"], made.resumed)


class _Documents:
    """All documents in chunks; slots that give no pair are tried again with other paths."""

    def __init__(
        self, graph: Graph, recipe: Recipe, work: WorkFolder, workers: int, progress: Progress
    ) -> None:
        self._graph, self._recipe, self._work = graph, recipe, work
        self._workers, self._progress = workers, progress
        self.chunks: list[Chunk] = []
        self.counted: Counter[str] = Counter()
        self.resumed = 0

    def make(self, sampler: PathSampler) -> None:
        """Fill every slot; one whose document has too few pairs gets another path."""
        paths = sampler.take(self._recipe.documents)
        slots = slots_of(self._recipe, paths)
        first = {slot.number: path for slot, path in zip(slots, paths, strict=True)}
        for attempt in range(_ATTEMPTS):
            plans = [
                DocumentPlan(slot, attempt, slot.pairs, *path)
                for slot, path in zip(slots, paths, strict=True)
            ]
            empty = self._wave(plans)
            slots = [slot for slot in slots if slot.number in empty]
            if not slots:
                return
            try:
                paths = sampler.take(len(slots))
            except BadOption:
                break  # there are no other paths
        # Rather the first ones with fewer pairs than none at all.
        self._wave([DocumentPlan(slot, _ATTEMPTS, 1, *first[slot.number]) for slot in slots])
        if not self.counted["pairs"]:
            raise BadOption(f"No pair of the recipe can be asked about: {self._reasons()}.")

    def _wave(self, plans: list[DocumentPlan]) -> set[int]:
        """Make documents; returns the numbers of the slots that stay empty."""
        attempt = plans[0].attempt
        chunks = [
            Chunk(f"{attempt:02d}-{number:05d}", tuple(plans[at : at + _CHUNK]))
            for number, at in enumerate(range(0, len(plans), _CHUNK))
        ]
        empty: set[int] = set()
        done = 0
        what = "making documents" if not attempt else "making other documents"
        for chunk, note, fresh in make_chunks(
            self._graph, self._recipe, self._work, chunks, self._workers
        ):
            self.counted.update(note["counted"])
            empty.update(note["empty"])
            done += len(chunk.plans)
            self.resumed += 0 if fresh else len(chunk.plans)
            self._progress(what, done, len(plans))
        self.chunks += chunks
        return empty

    def notes(self) -> list[str]:
        """Where the dataset falls short of what was asked for."""
        made = {
            "documents": sum(
                n for what, n in self.counted.items() if what.startswith("documents:")
            ),
            "pairs": self.counted["pairs"],
        }
        return [
            f"{made[what]:,} {what} of the {asked:,} asked for; {self._reasons()}."
            for what, asked in (
                ("documents", self._recipe.documents),
                ("pairs", self._recipe.pairs),
            )
            if made[what] < asked
        ]

    def _reasons(self) -> str:
        left_out = (item for item in sorted(self.counted.items()) if "left out" in item[0])
        return "; ".join(f"{what} ({often:,})" for what, often in left_out)


def _join(chunks: list[Chunk], work: WorkFolder, folder: Path, recipe: Recipe) -> None:
    for split in recipe.splits:
        with (folder / f"{split}.jsonl").open("wb") as file:
            for chunk in chunks:
                file.write(work.file(f"{chunk.name}.{split}.jsonl").read_bytes())


def _figures(
    graph: Graph, folder: Path, recipe: Recipe, progress: Progress
) -> tuple[dict[str, dict[str, Any]], list[Row]]:
    """The figures of each split and of all, and every record in short."""
    rows: list[Row] = []
    tallies: list[Tally] = []

    def keep(start: int, query: Query, record: Mapping[str, Any]) -> None:
        progress("counting", len(rows), recipe.pairs)
        hops, candidates = len(query.paths[0]) // 2, len(query.candidates)
        row = Row(len(tallies), start, hops, candidates, record["named"], record["distance"])
        rows.append(row)

    for split in recipe.splits:
        problems: list[str] = []
        tallies.append(tally_of(folder / f"{split}.jsonl", problems, keep))
        assert not problems, problems[0]
    size = {"graph_entities": len(graph), "graph_relations": len(graph.relations())}
    columns = {**dict(zip(recipe.splits, tallies, strict=True)), "all": together(tallies)}
    return {name: {**tally.figures(), **size} for name, tally in columns.items()}, rows


def _walks(sampler: PathSampler) -> dict[str, int]:
    ends = sampler.ends
    return {
        "walks: drawn": ends.walks,
        "walks: met before": sampler.twice,
        "walks: too short": sampler.short,
        "walks: could go on": ends.steps,
        "walks: stopped by chance": ends.stopped,
        "walks: dead ends": ends.dead_ends,
        "walks: at the longest": ends.limited,
    }
