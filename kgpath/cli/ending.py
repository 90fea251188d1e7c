"""How a command ends: an exit code, and for everything that goes wrong one message.

What a user can mend is said in a sentence. Whatever else happens is a mistake of ours, or of a
plug-in: its details go to a file, to be reported.
"""

from __future__ import annotations

import errno
import os
import shlex
import sqlite3
import sys
import traceback
from collections.abc import Callable, Iterator

from kgpath import __version__
from kgpath.errors import KgpathError
from kgpath.io.clean_text import ESCAPED

_INTERRUPTED = 130  # as shells say it: 128 + SIGINT
_NO_MEMORY = (
    "there is not enough memory for this. Close other programs, or raise the limit (ulimit -v), "
    "and try again."
)


def exit_code_of(command: Callable[[], object]) -> int:
    """Run a command; whatever it ends with, there is no traceback.

    With $KGPATH_DEBUG there is one, before the message.
    """
    try:
        code = _run(command)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        return 1  # whoever read our output has seen enough
    except KeyboardInterrupt:
        return _INTERRUPTED
    except Exception as error:
        if os.environ.get("KGPATH_DEBUG"):
            traceback.print_exc()
        print(f"kgpath: {_message(error)}", file=sys.stderr)
        return 1


def _run(command: Callable[[], object]) -> int:
    try:
        command()
    except SystemExit as ended:
        if ended.code is not None and not isinstance(ended.code, int):
            print(ended.code, file=sys.stderr)
            return 1
        return ended.code or 0
    return 0


def _message(error: Exception) -> str:
    if isinstance(error, KgpathError):
        return str(error)
    if _lacks_memory(error):
        return _NO_MEMORY
    if isinstance(error, sqlite3.DatabaseError):
        return f"the graph file cannot be read ({error}). See: kgpath check FILE"
    if isinstance(error, OSError) and error.errno is not None:
        return f"{error.strerror or error}: {error.filename or ''}".rstrip(": ")
    return _report(error)


def _lacks_memory(error: BaseException | None) -> bool:
    """Whether memory ran out, here or in what led to it."""
    if error is None:
        return False
    if isinstance(error, MemoryError) or getattr(error, "errno", None) == errno.ENOMEM:
        return True
    # Libraries that cannot be loaded, and threads that cannot be started, say so only in words.
    said = str(error).lower()
    return any(words in said for words in _MEMORY_WORDS) or _lacks_memory(
        error.__cause__ or error.__context__
    )


_MEMORY_WORDS = (
    "cannot allocate memory", "failed to map segment", "can't start new thread",
    "not enough memory", "out of memory", "bad_alloc",
)  # fmt: skip


def _report(error: Exception) -> str:
    """Say what happened and where the details are."""
    import platform
    import tempfile

    first = next(iter(str(error).splitlines()), "")
    said = f"{type(error).__name__}: {first}" if first else type(error).__name__
    if isinstance(error, RecursionError):
        said = "something is nested too deeply"
    where = "".join(f" in the plug-in {name}" for name in _plugins(error))
    happened = f"this should not have happened{where}: {said[:300].rstrip('.')}."
    details = "\n".join(
        (
            f"kgpath {__version__}, Python {platform.python_version()}, {platform.platform()}",
            shlex.join(sys.argv),
            "",
            "".join(traceback.format_exception(error)),
        )
    )
    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", errors=ESCAPED, prefix="kgpath-error-", suffix=".txt",
            delete=False,
        ) as file:  # fmt: skip
            file.write(details)
    except OSError:
        return f"{happened} Please report it, with what KGPATH_DEBUG=1 shows."
    return f"{happened} Please report it, with the details in {file.name}"


def _plugins(error: Exception) -> Iterator[str]:
    """The plug-in of another package in whose code it happened, if it was one."""
    from kgpath.plugins import REGISTRIES

    places = [
        frame.f_globals.get("__name__") for frame, _ in traceback.walk_tb(error.__traceback__)
    ]
    for kind, registry in REGISTRIES.items():
        for entry in registry:
            module = entry.target.partition(":")[0]
            if not module.startswith("kgpath.") and module in places:
                yield f"{entry.name} ({kind}, {entry.line})"
                return
