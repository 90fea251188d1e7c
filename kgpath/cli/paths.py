"""kgpath paths: how are two entities connected?"""

from __future__ import annotations

from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Annotated

import typer

from kgpath.cli import options as opt
from kgpath.cli.output import interruptible, note, print_json, print_table, progress, resumable
from kgpath.cli.own_input import READS, WRITES
from kgpath.cli.texts import ContextFile, Encoding, Text, read_text

if TYPE_CHECKING:
    from kgpath.graph import Graph
    from kgpath.paths.finder import PathOptions
    from kgpath.paths.paths import Paths


def paths(
    graph: opt.GraphFile,
    head: opt.Head = None,
    tail: opt.Tail = None,
    max_hops: opt.MaxHops = 4,
    limit: Annotated[int, typer.Option(min=0, help="At most so many paths; 0: all.")] = 100,
    strategy: Annotated[
        str, typer.Option(help="shortest, all, sample, top or random-walk.")
    ] = "shortest",
    cost: Annotated[
        str, typer.Option(help="For top: degree, rarity, mention; 'degree + 0.5*mention'.")
    ] = "degree",
    context: ContextFile = None,
    text: Text = None,
    encoding: Encoding = "utf-8",
    seed: Annotated[int, typer.Option(min=0, help="For sample and random-walk.")] = 0,
    keep: opt.KeepRelations = None,
    drop: opt.DropRelations = None,
    types: opt.OfTypes = None,
    hub_cap: Annotated[
        int, typer.Option(min=0, help="Not through entities with more facts; 0: no cap.")
    ] = 0,
    exclude: opt.Exclude = None,
    through: opt.Through = None,
    budget: Annotated[
        int | None, typer.Option(min=0, help="Search steps before giving up.")
    ] = None,
    pairs: Annotated[
        str | None, typer.Option(help="Many pairs: a file of 'head TAB tail' lines, or -."), READS
    ] = None,
    output: Annotated[
        str | None,
        typer.Option("-o", "--output", help="With --pairs: the JSON lines to write."),
        WRITES,
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="With --pairs: threads.")] = 2,
    json: opt.AsJson = False,
    table: Annotated[bool, typer.Option("--table", help="Print a table.")] = False,
    dot: Annotated[bool, typer.Option("--dot", help="Print a picture for Graphviz.")] = False,
) -> None:
    """Show how two entities are connected, by typed paths.

    The shortest come first, then those over rarer relations and less connected entities. Paths over
    the same entities are one line, with all relations of a step: –author, writer→ (^ in front of
    one that points the other way); --limit and all counts mean such lines.

    Example: kgpath paths film.kg "Roger Moore" "Daniel Craig" --max-hops 2
    """
    import kgpath
    from kgpath.paths.finder import PathFinder, PathOptions

    if (pairs is None) == (head is None or tail is None):
        raise typer.BadParameter("name a HEAD and a TAIL, or a file of --pairs")
    if sum((json, table, dot)) > 1:
        raise typer.BadParameter("--json, --table and --dot exclude each other")
    words = read_text(context, text, encoding) or ""
    options = PathOptions(
        max_hops=max_hops, strategy=strategy, limit=limit or None, seed=seed, cost=cost, text=words,
        keep=tuple(keep or ()), drop=tuple(drop or ()), types=tuple(types or ()), hub_cap=hub_cap,
        exclude=tuple(exclude or ()), through=tuple(through or ()), budget=budget, merged=True,
    )  # fmt: skip
    with kgpath.open(graph) as kg:
        if pairs is not None:
            _many(kg, pairs, output, options, workers)
            return
        assert head is not None and tail is not None
        found = kg.derived(PathFinder).find(kg.entity(head), kg.entity(tail), options)
        if json:
            print_json(found.to_json())
        elif dot:
            print(found.to_dot())
        else:
            _show(found, table)


def _show(found: Paths, table: bool) -> None:
    options = found.options
    if not len(found):
        note(_nothing(found))
        return
    if table:
        rows = [
            (path.length, "" if path.cost is None else f"{path.cost:.3f}", path) for path in found
        ]
        print_table(("hops", "cost", "path"), rows, right=("hops", "cost"))
    else:
        for path in found:
            print(path)
    about = "" if found.total_exact else "at least " if options.through else "about "
    total = (
        f"{len(found):,} of {about}{found.total:,} paths"
        if found.truncated
        else f"{len(found):,} paths"
    )
    said = f"{total} of at most {options.max_hops} hops"
    if options.filters():
        said += f" ({options.filters()})"
    if found.truncated == "budget":
        said += "; the search stopped at its budget of steps: --budget allows more"
    elif found.truncated:
        said += "; --limit shows more"
    note(said)


def _nothing(found: Paths) -> str:
    options = found.options
    hops = "1 hop" if options.max_hops == 1 else f"{options.max_hops} hops"
    said = f"No path of at most {hops} between {found.head} and {found.tail}"
    if options.filters():
        return f"{said} under these filters: {options.filters()}. Loosen them."
    if found.truncated == "budget":
        return f"{said} was found within the budget of steps: --budget allows more."
    return f"{said}." + (" Try more: --max-hops 6" if options.max_hops < 6 else "")


def _many(kg: Graph, pairs: str, output: str | None, options: PathOptions, workers: int) -> None:
    from kgpath.io.lines import read_lines
    from kgpath.paths.batch import many, read_pairs, write_many

    name = "standard input" if pairs == "-" else FilePath(pairs).name
    wanted = read_pairs(read_lines(pairs), name)
    if output is None:
        import json

        for record in many(kg, wanted, options, workers):
            print(json.dumps(record, ensure_ascii=False), flush=True)
        return
    with interruptible(resumable(output)), progress() as report:
        earlier = write_many(kg, wanted, options, FilePath(output), workers, report)
    resumed = f", {earlier:,} of them by an earlier run" if earlier else ""
    note(f"{output}: {len(wanted):,} pairs{resumed}")


COMMANDS = (paths,)
