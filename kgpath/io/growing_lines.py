"""Lines that are written one by one and appear as a file when all are there; to be gone on with."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from kgpath.errors import BadOption, NotWritable
from kgpath.io.atomic import (
    being_written,
    explained,
    put_in_place,
    refuse_other_kinds,
    target_of,
    write_whole,
)
from kgpath.io.clean_text import ESCAPED
from kgpath.io.lock import locked

Request = dict[str, Any]


def write_growing(
    output: Path, request: Request, command: str, lines: Callable[[int], Iterable[str]]
) -> int:
    """Write ``lines(done)``, which leave out the first ``done``; returns how many were there.

    Until all are written they are in ``output.part``: an interrupted run of ``command`` with the
    same ``request``, plain data, goes on from there.
    """
    refuse_other_kinds(output)
    target = target_of(output)
    part = target.with_name(target.name + ".part")
    about = target.with_name(target.name + ".part.json")
    request = json.loads(json.dumps(request, default=str))
    with (
        explained(output),
        locked(part, being_written(output)),
        _nothing_left(part, about, request, command),
    ):
        done = _finished_lines(part, about, request, command)
        write_whole(about, json.dumps(request))
        with part.open("a", encoding="utf-8", errors=ESCAPED) as file:
            for line in lines(done):
                file.write(line + "\n")
                file.flush()
        put_in_place(part, target)
        about.unlink()
    return done


@contextmanager
def _nothing_left(part: Path, about: Path, request: Request, command: str) -> Iterator[None]:
    """A run that fails before its first line leaves nothing to go on from."""
    try:
        yield
    except BaseException:
        if not part.stat().st_size:
            part.unlink()
            with suppress(NotWritable):
                if _earlier_request(about, request, command):
                    about.unlink()
        raise


def _earlier_request(about: Path, request: Request, command: str) -> Request | None:
    """What an earlier run was asked; a file of the user's that has this name is refused."""
    try:
        earlier = json.loads(about.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        earlier = None
    if about.is_symlink() or not isinstance(earlier, dict) or set(earlier) != set(request):
        raise NotWritable(
            f"{about} is there already and is not from a run of {command}. Move it, or choose "
            "another -o."
        )
    return earlier


def _finished_lines(part: Path, about: Path, request: Request, command: str) -> int:
    """How many whole lines an earlier run of the same request left; cuts off a broken one."""
    earlier = _earlier_request(about, request, command)
    if not part.stat().st_size:
        return 0
    if earlier != request:
        others = " or ".join((", ".join([*request][:-1]), [*request][-1]))
        raise BadOption(f"{part} is from another run (other {others}). Delete it to start again.")
    data = part.read_bytes()
    whole = data.rfind(b"\n") + 1
    if whole < len(data):
        with part.open("r+b") as file:
            file.truncate(whole)
    return data.count(b"\n", 0, whole)
