"""The card of a generated dataset: README.md with what it is, its figures, and results on it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from kgpath.datasets.statistics import table
from kgpath.datasets.synthetic.work_folder import write_checksums
from kgpath.errors import BadSource
from kgpath.io.atomic import write_whole

ABOUT = "about.json"
_FIELDS = (
    ("id", "the dataset, the document's number, the pair's number in it"),
    ("document", "the text"),
    ("head, tail", "the two entities, by IRI"),
    ("path", "the true path: entity, relation, entity, …; `^` before a relation walked backwards"),
    ("candidates", "the paths to rank, the true one among them, by length and IRIs"),
    ("distance", "how far apart the candidates are on average: 0 alike, 0.5 nothing in common"),
    ("named", "whether the text names every entity of the true path"),
    ("links", "which entity is named where: its IRI, the words, first and last character"),
    ("document_hops", "hops of the path that the text was made from, of which this one is a part"),
    ("text_kind", "what the text is made of: `articles`, `facts` in plain words, or `mixed`"),
    ("sources", "where each sentence comes from; `pair>introduction`: what was asked, who spoke"),
)
_SOURCES = (
    ("pair", "a paragraph that names both ends of a hop"),
    ("introduction", "the introduction of an article"),
    ("rest", "another part of an article"),
    ("fact", "a fact of the graph in plain words, where the articles had nothing (left) to say"),
    ("end", "added so that the text names both ends of a pair"),
)


def write_about(folder: Path, about: Mapping[str, Any]) -> None:
    """Write what is known of a dataset: about.json for programs, README.md for people."""
    write_whole(folder / ABOUT, json.dumps(about, indent=2, ensure_ascii=False) + "\n")
    write_whole(folder / "README.md", "\n".join(_lines(about)) + "\n")


def add_results(folder: Path, results: Iterable[Path]) -> None:
    """Put what ``kgpath evaluate --json`` printed into the card; checksums are made again."""
    try:
        about = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
        known = {one["title"]: one for one in about.get("results", ())}
    except (OSError, ValueError, KeyError, TypeError):
        raise BadSource(
            f"{folder} has no {ABOUT}: results go into the card of a generated dataset. "
            "Make one: kgpath generate RECIPE.toml --graph GRAPH -o DIR"
        ) from None
    for path in results:
        made = _result(path)
        known[made["title"]] = made
    about["results"] = list(known.values())
    write_about(folder, about)
    write_checksums(folder)


def _result(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        asked = data["asked"]
        title = f"{asked['file']}, candidates {asked['candidates']}"
        return {
            "title": title,
            **{key: data[key] for key in ("queries", "documents", "candidates", "single")},
            "rankers": [
                {
                    "ranker": row["ranker"],
                    "all": dict(row["all"]),
                    "interval": list(row["interval"]["MRR"]) if "MRR" in row["interval"] else None,
                }
                for row in data["rankers"]
            ],
        }
    except (OSError, ValueError, KeyError, TypeError):
        raise BadSource(
            f"{path} is not what kgpath evaluate prints: kgpath evaluate GRAPH "
            f"DIR/test.jsonl --candidates given --json > {path}"
        ) from None


def _lines(about: Mapping[str, Any]) -> Iterable[str]:
    recipe, figures = about["recipe"], about["figures"]
    yield from _front_matter(recipe, about)
    yield f"# {recipe['name']}\n"
    yield (
        f"{figures['all']['documents']:,} texts with {figures['all']['pairs']:,} pairs of "
        "entities, each with the path of a knowledge graph that says how the two are related in "
        "this text. Synthetic: paths drawn by Algorithm 2 and texts put together by Algorithm 3 of "
        "Lo & Lim, Contextual Path Retrieval (TOIS 41(1), 2023).\n"
    )
    for note in about["notes"]:
        yield f"**Note:** {note}\n"
    yield "Made by kgpath {}, and again with the same bytes by\n".format(about["kgpath"])
    yield f"    kgpath generate recipe.toml --graph {about['graph_file']} -o DIR\n"
    yield (
        f"- graph: {about['graph_file']}, fingerprint `{about['graph']}`; from "
        f"{', '.join(about['sources']) or 'nothing named'}"
    )
    yield f"- seed: {recipe['seed']}; every knob is in `recipe.toml`"
    yield "- `sha256sum -c SHA256SUMS` checks the files; `about.json` has all figures\n"
    yield "## Licence\n"
    yield (
        recipe["licence"]
        or "Facts and sentences are those of the graph's sources, named above, and are under their "
        "licences (DBpedia and Wikipedia: CC BY-SA, with attribution and share-alike; Wikidata: "
        "CC0). Look them up before you pass the dataset on."
    ) + "\n"
    yield "## Statistics\n"
    columns = [name for name in figures if name != "all"]
    ordered = {"all": figures["all"], **{name: figures[name] for name in columns}}
    yield from _table(("", *ordered), table(ordered))
    texts = figures["all"].get("texts", {})
    yield "\nTexts: " + ", ".join(f"{number:,} {kind}" for kind, number in texts.items()) + ".\n"
    yield from _histogram("hops of the true path", figures["all"]["by_hops"])
    yield from _histogram("candidates", figures["all"]["by_candidates"])
    yield from _counts(about["counted"])
    if about["strata"]:
        yield "## Strata\n"
        yield (
            "`strata/NAME.jsonl`: records of all splits for comparisons, as in Tables 10 to 12. "
            f"Distance of candidates by {recipe['distance_by']}.\n"
        )
        keys = ("queries", "hops", "candidates", "distance", "note")
        yield from _table(
            ("stratum", *keys),
            [(name, *(one.get(k, "") for k in keys)) for name, one in about["strata"].items()],
        )
        yield ""
    yield "## Records\n"
    yield "One JSON object a line:\n"
    yield from _table(("field", "what it is"), _FIELDS)
    yield "\nSources of sentences:\n"
    yield from _table(("source", "what it is"), _SOURCES)
    yield from _results(about.get("results", ()))


def _front_matter(recipe: Mapping[str, Any], about: Mapping[str, Any]) -> Iterable[str]:
    """What Hugging Face reads: the splits, and that the strata are none."""
    yield "---"
    yield f"pretty_name: {json.dumps(recipe['name'])}"
    yield "configs:"
    for config, files in (
        ("default", {split: f"{split}.jsonl" for split in recipe["splits"]}),
        *((name, {"test": f"strata/{name}.jsonl"}) for name in about["strata"]),
    ):
        yield f"- config_name: {config}"
        yield "  data_files:"
        for split, path in files.items():
            yield f"  - split: {split.replace('-', '_')}"
            yield f"    path: {path}"
    yield "---\n"


def _histogram(title: str, counted: Mapping[Any, int]) -> Iterable[str]:
    if counted:
        yield from _table(
            (title, *map(str, counted)),
            [("pairs", *(f"{n:,}" for n in counted.values()))],
        )
        yield ""


def _counts(counted: Mapping[str, int]) -> Iterable[str]:
    yield "How it came about:\n"
    rows = [(what, f"{n:,}") for what, n in counted.items() if ":" in what]
    steps = counted["walks: could go on"]
    if steps:
        share = counted["walks: stopped by chance"] / steps
        rows.append(("walks: share stopped of those that could go on", f"{share:.3f}"))
    drawn = counted["walks: drawn"]
    rows.append(("walks: share of dead ends", f"{counted['walks: dead ends'] / drawn:.3f}"))
    yield from _table(("", "number"), rows)
    yield ""


def _results(results: Sequence[Mapping[str, Any]]) -> Iterable[str]:
    yield "\n## Results\n"
    if not results:
        yield (
            "None yet. `kgpath evaluate GRAPH test.jsonl --candidates given --json > results.json`"
            ", then `kgpath describe DIR --results results.json`."
        )
    for result in results:
        yield (
            f"### {result['title']}\n\n{result['queries']:,} pairs over {result['documents']:,} "
            f"documents, {result['candidates']:.2f} candidates on average, "
            f"{result['single']:,} with only one.\n"
        )
        metrics = list(result["rankers"][0]["all"])
        yield from _table(
            ("ranker", *metrics, "MRR, 95 %"),
            [
                (
                    row["ranker"],
                    *(f"{value:.4f}" for value in row["all"].values()),
                    "{:.4f} – {:.4f}".format(*row["interval"]) if row["interval"] else "",
                )
                for row in result["rankers"]
            ],
        )
        yield ""


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterable[str]:
    yield "| " + " | ".join(head) + " |"
    yield "|" + "|".join(["---"] + ["---:"] * (len(head) - 1)) + "|"
    for row in rows:
        cells = ("" if cell is None else str(cell).replace("|", "\\|") for cell in row)
        yield "| " + " | ".join(cells) + " |"
