"""The command line: ``kgpath COMMAND``. Results go to stdout, notes and progress to stderr.

Here: a file for each command or family of commands: its options, its help, its tables and its JSON.
Not here: anything a Python user would want to call; that lies in the folders below.
"""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from kgpath import __version__
from kgpath.cli import (
    annotate,
    build,
    cache,
    check,
    convert,
    demo,
    describe,
    dialogue,
    embed,
    evaluate,
    export,
    generate,
    info,
    look,
    ls,
    paths,
    query,
    reproduce,
    train,
)
from kgpath.cli.ending import exit_code_of
from kgpath.cli.options import Command, MaxFile, MaxLine, MaxNesting, MaxUnpacked
from kgpath.cli.streams import clean_streams
from kgpath.io.limits import limited

app = typer.Typer(
    name="kgpath",
    help="Why are these two things related, here? Typed paths of a knowledge graph.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

for module in (
    demo, query, paths, train, evaluate, reproduce, generate, describe, build, embed, info, look,
    check, ls, export, convert,
):  # fmt: skip
    for command in module.COMMANDS:
        app.command(cls=Command)(command)
app.add_typer(annotate.app, name="annotate")
app.add_typer(dialogue.app, name="dialogue")
app.add_typer(cache.app, name="cache")


@app.callback(invoke_without_command=True)
def version_option(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version and stop.")] = False,
    max_unpacked: MaxUnpacked = None,
    max_line: MaxLine = None,
    max_file: MaxFile = None,
    max_nesting: MaxNesting = None,
) -> None:
    context.with_resource(
        limited(unpacked=max_unpacked, line=max_line, file=max_file, nesting=max_nesting)
    )
    if version:
        print(f"kgpath {__version__}")
        raise typer.Exit


def main() -> None:
    """Run the command line; whatever goes wrong is one message and exit code 1."""
    _spare_memory()
    with clean_streams():
        code = exit_code_of(app)
    sys.exit(code)


def _spare_memory() -> None:
    """Where memory is limited, linear algebra starts no threads: it ends the process if it cannot.

    Each of them reserves memory; numpy is not loaded yet.
    """
    try:
        import resource
    except ImportError:  # Windows
        return
    if resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
