"""What all inputs of a campaign share: graphs, models and vectors, made once from the sample."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path

from fuzz import seeds
from fuzz.forked import run
from fuzz.seeds import Files

_CEILING = 4096  # MiB: what is made here is our own
#: Small ones that learn within a second or two, and between them read every kind of file.
MODELS = {
    "kgpath-ltr": "kgpath-ltr(trees=4, hop_trees=4, rounds=1)",
    "kgpath-general": "kgpath-general(trees=4, fact_trees=4)",
    "score-ltr": "score-ltr(trees=4)",
    "xendcg": "xendcg(context_encoder=tfidf, path_encoder=path-mean)",
    "xendcg-words": "xendcg(context_encoder=avg-word, path_encoder=path-mean)",
    "binary": "binary(context_encoder=fused-inout, "
    "path_encoder=path-vae(epochs=1, paths=300, hidden=8, latent=4))",
    "listwise": "listwise(context_encoder=tfidf, path_encoder=path-mean)",
}


class Base:
    """A folder; what is asked for is made at the first time, by commands of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.env = {
            "KGPATH_CACHE": str(folder / "cache"), "KGPATH_USE_CACHE": "0", "COLUMNS": "100",
        }  # fmt: skip
        (folder / "cache").mkdir(parents=True, exist_ok=True)

    def command(self, *argv: str, env: dict[str, str] | None = None) -> bytes:
        """Run a command that has to work; returns what it printed."""
        done = run(
            list(argv), self.folder, ceiling=_CEILING, env={**self.env, **(env or {})}, cpu=300
        )
        if done.code != 0:
            raise RuntimeError(f"kgpath {' '.join(argv)}: {done.err.decode()}")
        return done.out

    @cached_property
    def film(self) -> Path:
        """The sample that ships."""
        self.command("demo", "-o", "film.kg")
        lines = (self.folder / "queries.jsonl").read_text(encoding="utf-8").splitlines()
        (self.folder / "few.jsonl").write_text("\n".join(lines[:3]), encoding="utf-8")
        return self.folder / "film.kg"

    @cached_property
    def tiny(self) -> Path:
        (self.folder / "tiny.ttl").write_text(seeds.TURTLE, encoding="utf-8")
        self.command("build", "tiny.ttl", "-o", "tiny.kg")
        return self.folder / "tiny.kg"

    @cached_property
    def large(self) -> Path:
        (self.folder / "large.nt").write_bytes(seeds.large_graph())
        self.command("build", "large.nt", "-o", "large.kg")
        return self.folder / "large.kg"

    @cached_property
    def queries(self) -> list[Files]:
        return [seeds.queries(self._sample), seeds.given_queries(self._sample)]

    @cached_property
    def untold(self) -> list[Files]:
        return [seeds.untold(self._sample)]

    @cached_property
    def evidence(self) -> list[Files]:
        return [seeds.evidence(self._sample)]

    @cached_property
    def _sample(self) -> str:
        assert self.film
        return (self.folder / "queries.jsonl").read_text(encoding="utf-8")

    @cached_property
    def transe(self) -> Path:
        """The sample with TransE vectors beside it."""
        folder = self.folder / "film.kg.transe"
        if not folder.exists():
            self.command("embed", self.film.name, "--epochs", "1")
        return folder

    def model(self, kind: str) -> Files:
        """The files of a trained model."""
        folder = self.folder / f"model-{kind}"
        if not folder.exists():
            if kind not in ("kgpath-ltr", "kgpath-general", "score-ltr"):
                assert self.transe
            assert self.film
            self.command(
                "train", "film.kg", "queries.jsonl", "-o", folder.name, "--ranker", MODELS[kind],
                "--limit", "20",
            )  # fmt: skip
        return files_in(folder)

    @cached_property
    def detector(self) -> bytes:
        """An evidence detector."""
        place = self.folder / "talk.json"
        place.write_bytes(seeds.DIALOGUES["gold"])
        self.command("dialogue", "train", place.name, "-o", "need.json")
        return (self.folder / "need.json").read_bytes()

    def graph_files(self, graph: Path, index: bool = True) -> Files:
        """A graph file and its index, as they lie in a folder."""
        found = {graph.name: graph.read_bytes()}
        if index:
            found.update(files_in(graph.with_name(f"{graph.name}.index"), f"{graph.name}.index/"))
        return found

    def cached(self, make: Callable[[], None], name: str) -> Files:
        """The files of a cache folder after ``make``."""
        folder = self.folder / name
        if not folder.exists():
            make()
        return files_in(folder, "cache/")


def files_in(folder: Path, prefix: str = "") -> Files:
    """All files below a folder, by their names."""
    return {
        prefix + str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
