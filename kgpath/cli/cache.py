"""kgpath cache: what lies in the cache folder, and how to be rid of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from kgpath.cli import options as opt
from kgpath.cli.output import note, print_json, print_table

if TYPE_CHECKING:
    from pathlib import Path

app = typer.Typer(
    help="What kgpath cached so that it need not be made again.\n\nExample: kgpath cache info",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command()
def info(json: opt.AsJson = False) -> None:
    """Show the cache folder: each kind of thing in it, how many, and their size.

    Example: kgpath cache info
    """
    from kgpath.io.cache import cache_enabled
    from kgpath.io.cache_contents import KINDS

    folder = _folder()
    rows = [(kind, kind.entries(folder), kind.size(folder)) for kind in KINDS]
    total = sum(size for *_, size in rows)
    if json:
        kinds = {kind.name: {"entries": count, "bytes": size} for kind, count, size in rows}
        about = {"folder": str(folder), "enabled": cache_enabled(), "bytes": total, "kinds": kinds}
        print_json(about)
        return
    print(f"{folder}: {_in_words(total)}")
    if not cache_enabled():
        note("KGPATH_USE_CACHE is 0: vectors and models are neither cached nor loaded from here.")
    there = [(kind.name, count, _in_words(size), kind.line) for kind, count, size in rows if count]
    if there:
        print_table(("kind", "entries", "size", "what it is"), there, right=("entries", "size"))


@app.command()
def clear(
    kind: Annotated[
        list[str] | None, typer.Option(help="Only this kind, such as vectors; may be repeated.")
    ] = None,
    json: opt.AsJson = False,
) -> None:
    """Delete what is cached: all of it, or some kinds. It is made again when it is needed.

    A training that runs keeps what it needs to go on. Files that kgpath did not write are left.

    Example: kgpath cache clear --kind vectors
    """
    from kgpath.io.cache_contents import kinds_named

    chosen = kinds_named(kind or [])
    folder = _folder()
    freed: dict[str, int] = {}
    in_use = 0
    for one in chosen:
        before = one.size(folder)
        in_use += one.clear(folder)
        freed[one.name] = before - one.size(folder)
    if in_use:
        note(f"Left alone, as it is being trained now: {in_use:,}")
    if json:
        print_json({"folder": str(folder), "bytes": sum(freed.values()), "kinds": freed,
                    "in_use": in_use})  # fmt: skip
        return
    parts = ", ".join(f"{name} {_in_words(size)}" for name, size in freed.items() if size)
    print(f"{folder}: freed {_in_words(sum(freed.values()))}{f' ({parts})' if parts else ''}")


def _folder() -> Path:
    from kgpath.io.cache import cache_folder
    from kgpath.io.cache_contents import check_folder

    folder = cache_folder()
    check_folder(folder)
    if not folder.exists():
        note(f"There is no folder {folder} yet: nothing is cached.")
    return folder


def _in_words(size: int) -> str:
    """
    >>> _in_words(0), _in_words(1_234), _in_words(56_789_000), _in_words(2_500_000_000)
    ('0 B', '1.2 kB', '56.8 MB', '2.5 GB')
    """
    for unit, one in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= one:
            return f"{size / one:,.1f} {unit}"
    return f"{size} B"
