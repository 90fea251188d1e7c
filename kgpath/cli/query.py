"""kgpath query: why are two entities related, in this text?"""

from __future__ import annotations

import re
import shlex
import sys
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kgpath.cli import endpoint, query_texts
from kgpath.cli import options as opt
from kgpath.cli.build import Lang, filters_of
from kgpath.cli.output import (
    interruptible,
    note,
    print_json,
    print_styled,
    print_table,
    progress,
)
from kgpath.cli.own_input import READS, READS_FILE, WRITES
from kgpath.cli.texts import ContextFile, Encoding, Text, decoded, read_text
from kgpath.paths import DEFAULT_LIMIT
from kgpath.plugins import DEFAULT_RANKER

if TYPE_CHECKING:
    from kgpath.answer import Answer, Answers
    from kgpath.graph import Graph
    from kgpath.retriever import Pair


def query(
    graph: Annotated[
        str, typer.Argument(metavar="GRAPH", help="A graph file; left out with --sparql."), READS
    ],
    head: opt.Head = None,
    tail: opt.Tail = None,
    context: ContextFile = None,
    text: Text = None,
    encoding: Encoding = "utf-8",
    texts: Annotated[
        str | None,
        typer.Option(help="Many texts: a folder, or JSON lines with text, id, head, tail."),
        READS,
    ] = None,
    pairs: Annotated[
        str | None,
        typer.Option(
            help="With --texts: all that a text proposes (else the 10 closest), or a file of "
            "'head TAB tail' lines."
        ),
        READS_FILE,
    ] = None,
    output: Annotated[
        str | None,
        typer.Option("-o", "--output", help="With --texts: the JSON lines to write."),
        WRITES,
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="With --texts: processes.")] = 2,
    ranker: Annotated[str, typer.Option(help="See: kgpath ls rankers.")] = DEFAULT_RANKER,
    k: Annotated[int, typer.Option("-k", min=1, help="How many paths to show.")] = 5,
    max_hops: Annotated[
        int | None, typer.Option(min=1, max=6, help="Longest path: 4, or 3 with --sparql.")
    ] = None,
    limit: opt.RankLimit = DEFAULT_LIMIT,
    keep: opt.KeepRelations = None,
    drop: opt.DropRelations = None,
    types: opt.OfTypes = None,
    exclude: opt.Exclude = None,
    through: opt.Through = None,
    vectors: opt.Vectors = None,
    base: opt.Base = None,
    model: Annotated[
        str | None, typer.Option(help="A trained model instead of a ranker: kgpath train."), READS
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show evidence and the parts of every score.")
    ] = False,
    sparql: endpoint.Sparql = None,
    hub_cap: Annotated[
        int | None,
        typer.Option(
            min=0, help="Not through entities with more facts: any, or 1000 with --sparql."
        ),
    ] = None,
    lang: Lang = "en",
    preset: endpoint.Preset = "",
    named_graph: endpoint.NamedGraphs = None,
    timeout: endpoint.Timeout = 60,
    rate: endpoint.Rate = 0,
    refresh: endpoint.Refresh = False,
    json: opt.AsJson = False,
) -> None:
    """Ask why two entities are related, in a text.

    Without both entities, the pairs in the text that can be asked about are shown. With --sparql
    no graph file is needed: what may connect the two is fetched from the endpoint. With --texts a
    line of JSON is written for every text, with the answers about its pairs.

    Example: kgpath query film.kg "Roger Moore" "Daniel Craig" --context news.txt

    Example: kgpath query "Roger Moore" "Daniel Craig" --context news.txt --sparql dbpedia

    Example: kgpath query film.kg --texts news/ -o answers.jsonl
    """
    import kgpath
    from kgpath.kg_build.sparql.fetched import fetched_graph

    max_hops = max_hops or (3 if sparql else 4)
    _check_one_or_many(texts, [context, text, sparql], [pairs, output])
    filters: dict[str, Any] = {"keep": tuple(keep or ()), "drop": tuple(drop or ())}
    inner: dict[str, Any] = {
        "types": tuple(types or ()),
        "exclude": tuple(exclude or ()),
        "hub_cap": hub_cap,
    }
    if texts is not None:
        sizes = {"limit": limit, "max_hops": max_hops, "through": tuple(through or ())}
        query_texts.write(
            graph, texts, output, decode=partial(decoded, encoding=encoding),
            wanted=query_texts.Wanted(head, tail, pairs, k, {**sizes, **filters, **inner}),
            ranker=query_texts.RankerChoice(ranker, model, vectors or "", base or ""),
            workers=workers,
        )  # fmt: skip
        return
    words = _text_of(context, text, encoding)
    if through and (tail is None if not sparql else head is None):
        raise typer.BadParameter("--through needs both entities: name a HEAD and a TAIL")
    with ExitStack() as closing:
        if sparql:
            if head is None or tail is not None:
                raise typer.BadParameter("with --sparql, name two entities and no graph file")
            live = endpoint.live_source_of(
                sparql, preset, named_graph, timeout, rate, refresh, hops=max_hops
            )
            wanted = filters_of(lang=lang, hub_cap=1000 if hub_cap is None else hub_cap, **filters)
            with interruptible("What was fetched is cached."), progress() as report:
                graph, head, tail = closing.enter_context(
                    fetched_graph(live, (graph, head), wanted, report)
                )
            for line in live.notes:
                note(line)
        kg = closing.enter_context(kgpath.open(graph))
        if head is None or tail is None:
            given = [name for name in (head, tail) if name is not None]
            found = kg.pairs(words, given, max_hops=max_hops, **filters, **inner)
            _show_pairs(kg, found, graph, f"--context {shlex.quote(context or '…')}", json)
            return
        chosen = query_texts.RankerChoice(ranker, model, vectors or "", base or "")
        answers = kg.query(
            head, tail, words, k, ranker=chosen(kg), limit=limit, max_hops=max_hops,
            through=through or (), **filters, **inner,
        )  # fmt: skip
        answers = replace(answers, ranker=chosen.name)
    if json:
        print_json(answers.to_json())
        return
    _show(answers, explain)
    said = [answers.note, _summary(answers, max_hops)] if answers.candidates else [answers.note]
    for line in filter(None, said):
        note(line)


def _check_one_or_many(
    texts: str | None, of_one: list[str | None], of_many: list[str | None]
) -> None:
    """Refuse options of a single text beside many, and those of many beside none."""
    if texts is None and any(value is not None for value in of_many):
        raise typer.BadParameter("--pairs and -o go with --texts")
    if texts is not None and any(value is not None for value in of_one):
        raise typer.BadParameter("--texts stands in place of --context, --text and --sparql")


def _text_of(context: str | None, text: str | None, encoding: str) -> str:
    """The text to ask about, from wherever it was given."""
    from kgpath.errors import BadOption

    words = read_text(context, text, encoding)
    if words is None:
        raise typer.BadParameter("give the text: --context FILE, --context - or --text '…'")
    if not words.strip():
        raise BadOption(
            "The text is empty, so it cannot choose between paths. Without a text: kgpath paths"
        )
    return words


def _show(answers: Answers, explain: bool) -> None:
    for place, answer in enumerate(answers):
        print(f"{answer.score:6.2f}  {answer.verdict:<8}  {answer}")
        if explain:
            print(f"        {_parts(answer)}")
        if explain or place == 0:
            for quote in answer.quotes:
                _print_quote(quote)


def _print_quote(quote: Any) -> None:
    """Marked parts bold in a terminal, in brackets elsewhere."""
    if not sys.stdout.isatty():
        print(f"        “{quote.marked('[', ']')}”")
        return
    left, right = "\ud800", "\udfff"  # surrogates: no text that was read from UTF-8 has them
    parts = re.split(f"{left}|{right}", quote.marked(left, right))
    styled = ((part, "bold" if at % 2 else "") for at, part in enumerate(parts))
    print_styled("        “", *styled, "”")


def _parts(answer: Answer) -> str:
    """What a score is made of, the largest first; what is nothing is not said."""
    parts = sorted(answer.parts.items(), key=lambda part: (-abs(part[1]), part[0]))
    return ", ".join(f"{name} {value:+.2f}" for name, value in parts if abs(value) >= 0.005)


def _summary(answers: Answers, max_hops: int) -> str:
    more = " (the graph has more)" if answers.truncated else ""
    paths = "1 path" if answers.candidates == 1 else f"{answers.candidates:,} paths"
    hops = "1 hop" if max_hops == 1 else f"{max_hops} hops"
    return f"{len(answers)} of {paths}{more} of at most {hops}, ranked by {answers.ranker}"


def _show_pairs(kg: Graph, pairs: list[Pair], graph: str, context: str, json: bool) -> None:
    if json:
        print_json(
            {
                "pairs": [
                    {"head": p.head.iri, "tail": p.tail.iri, "hops": p.hops, "gap": p.gap}
                    for p in pairs
                ]
            }
        )
        return
    if not pairs:
        note("The text mentions no two entities that the graph connects. Name a HEAD and a TAIL.")
        return
    print_table(
        ("head", "tail", "hops", "IRIs"),
        [
            (p.head, p.tail, p.hops, f"{kg.shorten(p.head.iri)} {kg.shorten(p.tail.iri)}")
            for p in pairs[:20]
        ],
        right=("hops",),
    )
    first = pairs[0]
    ends = f"{shlex.quote(kg.shorten(first.head.iri))} {shlex.quote(kg.shorten(first.tail.iri))}"
    more = f" and {len(pairs) - 20:,} more" if len(pairs) > 20 else ""
    note(f"Pairs in this text{more}. Ask: kgpath query {graph} {ends} {context}")


COMMANDS = (query,)
