"""kgpath ls: the plug-ins that can be chosen."""

from __future__ import annotations

from typing import Annotated

import typer

from kgpath.cli import options as opt
from kgpath.cli.output import print_json, print_table


def ls(
    kind: Annotated[str | None, typer.Argument(help="A kind of plug-in; none lists all.")] = None,
    json: opt.AsJson = False,
) -> None:
    """List the plug-ins: name, what it is, the extra it needs.

    Example: kgpath ls sources
    """
    from kgpath.errors import UnknownName
    from kgpath.plugins import REGISTRIES

    if kind is not None and kind not in REGISTRIES:
        raise UnknownName(f"No kind of plug-in {kind!r}. Known: {', '.join(REGISTRIES)}.")
    rows = [
        (name, entry.name, entry.line, entry.extra)
        for name, registry in REGISTRIES.items()
        if kind in (None, name)
        for entry in registry
    ]
    columns = ("kind", "name", "what", "extra")
    if json:
        print_json([dict(zip(columns, row, strict=True)) for row in rows])
    else:
        print_table(columns, rows)


COMMANDS = (ls,)
