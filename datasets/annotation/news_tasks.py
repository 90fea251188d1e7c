"""From news to annotators and back: documents and tasks as files, accepted answers as queries."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from kgpath.datasets.annotation.agreement import AnnotatorAnswers, majority
from kgpath.datasets.annotation.context_documents import ContextDocument, Linker
from kgpath.datasets.annotation.network_completion import Added, Completion
from kgpath.datasets.annotation.tasks import (
    NO,
    NONE,
    YES,
    Fact,
    Network,
    facts_of,
    multi_hop_tasks,
    one_hop_tasks,
)
from kgpath.datasets.annotation.wikinews import NewsFile
from kgpath.errors import BadSource, NotWritable
from kgpath.graph import Graph
from kgpath.io.atomic import explained, open_text, replacing_folder
from kgpath.io.lines import read_lines
from kgpath.io.plain_data import from_json
from kgpath.io.progress import Progress, silent

FILES = ("documents.jsonl", "one-hop.jsonl", "multi-hop.jsonl", "README.md")
_CARD = Path(__file__).parent.parent / "cards" / "wikinews.md"


@dataclass
class Prepared:
    """What was made for annotators, in numbers."""

    figures: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)


def prepare(
    graph: Graph,
    articles: str | Path,
    folder: str | Path,
    *,
    completion: Completion | None = None,
    accepted: Mapping[str, list[list[str]]] | None = None,
    max_hops: int = 4,
    most_paths: int = 10,
    progress: Progress = silent,
) -> Prepared:
    """Write the documents and the tasks over a file of news into a new folder.

    ``completion`` adds entities between the one-hop and the multi-hop tasks. ``accepted`` has, by
    document, the one-hop paths that annotators agreed on; then only they, and the facts of added
    entities, make longer paths.
    """
    folder = Path(folder)
    _refuse_filled(folder)
    made = Prepared()
    news = NewsFile(articles)
    linker = Linker(graph)
    with (
        explained(folder),
        replacing_folder(folder, durable=True) as building,
        ExitStack() as stack,
    ):
        write = {name: stack.enter_context(open_text(building / name)) for name in FILES}
        for number, article in enumerate(news):
            progress("linking news to the graph", number, 0)
            document = linker.document(article)
            whole, added = completion.complete(document) if completion else (document, [])
            facts = _network_facts(graph, document, added, accepted)
            longer = multi_hop_tasks(graph, whole, facts, max_hops=max_hops, most=most_paths)
            made.figures.update({"documents": 1, "entities added": len(added)})
            made.figures["documents with an entity added"] += bool(added)
            _lines(write["documents.jsonl"], [_document_record(graph, document, whole, added)])
            made.figures["one-hop tasks"] += _lines(
                write["one-hop.jsonl"], one_hop_tasks(graph, document)
            )
            made.figures["multi-hop tasks"] += _lines(write["multi-hop.jsonl"], longer)
        made.problems += news.problems
        made.figures.update(
            {
                "articles without links": news.without_links,
                "links by title": linker.links,
                "links to an entity of the graph": linker.mapped,
                "links without words in the text": linker.unplaced,
            }
        )
        write["README.md"].write(_card(graph, made.figures, completion))
        stack.close()
        _refuse_filled(folder)  # by another process, meanwhile
    return made


def _refuse_filled(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise NotWritable(f"{folder} is a file. Name a new folder with -o.")
    if folder.exists() and any(folder.iterdir()):
        raise NotWritable(f"{folder} is not empty. Choose another -o, or empty it first.")


def _lines(file: IO[str], records: Iterable[dict[str, Any]]) -> int:
    """Write records as JSON lines and say how many."""
    number = 0
    for record in records:
        file.write(json.dumps(record, ensure_ascii=False) + "\n")
        number += 1
    return number


def _network_facts(
    graph: Graph,
    document: ContextDocument,
    added: Iterable[Added],
    accepted: Mapping[str, list[list[str]]] | None,
) -> set[Fact] | None:
    """The facts that longer paths may use; None for all."""
    if accepted is None:
        return None
    facts = facts_of(graph, accepted.get(document.id, ()))
    new = {one.entity for one in added}
    network = Network(graph, {*document.entities, *new})
    facts |= {
        Fact(head, label, tail)
        for head, steps in network.steps.items()
        for tail, label in steps
        if head in new or tail in new
    }
    return facts


def _document_record(
    graph: Graph, document: ContextDocument, whole: ContextDocument, added: list[Added]
) -> dict[str, Any]:
    entities = graph.store.entities(
        [*whole.entities, *(number for one in added for number in (one.article, one.after))]
    )
    return {
        **whole.to_json(entities),
        "original": document.text,
        "added": [
            {
                "entity": entities[one.entity].iri,
                "sentence": one.sentence.text,
                "article": entities[one.article].iri,
                "after": entities[one.after].iri,
            }
            for one in added
        ],
    }


def _card(graph: Graph, figures: Mapping[str, int], completion: Completion | None) -> str:
    rows = "\n".join(f"| {what} | {count:,} |" for what, count in figures.items())
    how = (
        f"Algorithm 1 added at most {completion.max_added:,} entities to a document, with seed "
        f"{completion.seed}, {completion.way}."
        if completion
        else "No entities were added."
    )
    return (
        f"{_CARD.read_text(encoding='utf-8').rstrip()}\n\n## What is in this folder\n\n"
        f"Made with the graph {graph.fingerprint[:16]} ({graph.path.name}). {how}\n\n"
        f"| | |\n|---|---|\n{rows}\n"
    )


def read_tasks(path: str | Path) -> dict[str, dict[str, Any]]:
    """The tasks of a file that :func:`prepare` wrote, by id."""
    tasks = {}
    for number, line in enumerate(read_lines(path), 1):
        if line.strip():
            try:
                task = _checked(from_json(line))
                tasks[str(task["id"])] = task
            except ValueError as error:
                raise BadSource(
                    f"{path}:{number} is no task ({error}). Name a file that kgpath annotate "
                    "tasks wrote, such as one-hop.jsonl."
                ) from error
    if not tasks:
        raise BadSource(f"{path} holds no task.")
    return tasks


def _checked(task: Any) -> dict[str, Any]:
    """A task with all that is read of one; ValueError says what is wrong with it."""
    if not isinstance(task, dict):
        raise ValueError("not a JSON object")
    if not {"id", "choices", "document", "head", "tail"} <= set(task):
        raise ValueError("something is missing")
    if not isinstance(task["document"], str) or not _are_texts(task["choices"]):
        raise ValueError("document is not a text, or choices not a list of texts")
    for end in (task["head"], task["tail"]):
        places = end.get("places") if isinstance(end, dict) else None
        if not isinstance(places, list) or not isinstance(end.get("iri"), str):
            raise ValueError("head and tail need an iri and places")
        if not all(isinstance(p, list) and [type(n) for n in p] == [int, int] for p in places):
            raise ValueError("a place is not a pair of whole numbers")
    paths = [task["path"]] if "path" in task else task.get("paths")
    if not isinstance(paths, list) or not all(map(_are_texts, paths)):
        raise ValueError("path or paths is missing")
    offered = [choice for choice in task["choices"] if choice not in (NO, NONE)]
    if "path" not in task and offered != [str(n) for n in range(1, len(paths) + 1)]:
        raise ValueError("the choices are not the numbers of the paths")
    return task


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def accepted_queries(
    tasks: Mapping[str, dict[str, Any]], answers: AnnotatorAnswers
) -> list[dict[str, Any]]:
    """The tasks whose path a majority accepted, as queries; facts of one pair make one query."""
    queries: dict[tuple[str, str, str], dict[str, Any]] = {}
    for name, task in tasks.items():
        answer = majority(answers.by_task.get(name, {}).values())
        if answer in (None, NO, NONE):
            continue
        path = task["path"] if "path" in task else task["paths"][int(answer or 0) - 1]
        key = task["document"], task["head"]["iri"], task["tail"]["iri"]
        query = queries.setdefault(
            key,
            {
                "id": name,
                "document": task["document"],
                "head": task["head"]["iri"],
                "tail": task["tail"]["iri"],
                "paths": [],
                "links": _links(task),
            },
        )
        query["paths"].append(path)
    return list(queries.values())


def _links(task: Mapping[str, Any]) -> list[dict[str, str]]:
    """The words by which the text names both ends, each once."""
    links = {
        (task[end]["iri"], task["document"][start:stop]): None
        for end in ("head", "tail")
        for start, stop in task[end]["places"]
    }
    return [{"entity": entity, "words": words} for entity, words in links]


def accepted_paths(
    tasks: Mapping[str, dict[str, Any]], answers: AnnotatorAnswers
) -> dict[str, list[list[str]]]:
    """The one-hop paths that a majority accepted, by document."""
    paths: dict[str, list[list[str]]] = {}
    for name, task in tasks.items():
        if "path" in task and majority(answers.by_task.get(name, {}).values()) == YES:
            paths.setdefault(str(task["document_id"]), []).append(task["path"])
    return paths
