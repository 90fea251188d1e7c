"""A command in a child of a process that has imported everything: quick, bounded, and watched."""

from __future__ import annotations

import io
import os
import re
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import IO, NamedTuple

CPU_SECONDS = 20
#: Seconds after which something hangs that takes no processor time, such as an open pipe.
WALL_SECONDS = 300
_LARGEST_FILE = 1 << 30


class Outcome(NamedTuple):
    """How a command ended: its exit code, or the signal that ended it, and all it said."""

    code: int | None
    signal: int | None
    out: bytes
    err: bytes
    cpu: float
    hung: bool = False

    @property
    def said(self) -> bytes:
        return self.out + self.err


def import_everything(neural: bool) -> None:
    """Load what commands load when they need it, so that no child has to.

    Nothing is computed here: threads of OpenMP do not survive a fork.
    """
    for name in (
        "lightgbm",
        "rich.progress",
        "rich.table",
        "sqlite_utils",
        "pydantic.type_adapter",
    ):
        with suppress(ImportError):  # some are needed by what we need, and may not be any more
            import_module(name)
    for name in sorted(_modules()):
        if neural or not _NEURAL.search(name):
            import_module(name)
    if neural:
        import_module("safetensors.torch")
        import_module("torch").set_num_threads(1)
    _prepare_commands()


#: Modules that load torch.
_NEURAL = re.compile(
    r"transformer|neural|weights|\.path\.|\.encoded|binary|listwise|transe|pictures?$"
)


def _modules() -> Iterator[str]:
    """The modules of kgpath by name, also those behind its symlinks and in datasets."""
    import kgpath

    (root,) = map(Path, kgpath.__path__)
    for folder, _, files in os.walk(root, followlinks=True):
        parts = Path(folder).relative_to(root.parent).parts
        for file in files:
            if file.endswith(".py") and file not in ("__init__.py", "__main__.py"):
                yield ".".join((*parts, file.removesuffix(".py")))


def _prepare_commands() -> None:
    """Typer makes its commands anew at every call: once is enough."""
    from typer import main

    from kgpath.cli import app

    made = main.get_command(app)
    main.get_command = lambda _: made


def run(
    argv: list[str],
    folder: Path,
    *,
    ceiling: int,
    env: Mapping[str, str] | None = None,
    stdin: bytes = b"",
    cpu: int = CPU_SECONDS,
    before: Callable[[], None] | None = None,
    after: Callable[[], None] | None = None,
) -> Outcome:
    """Run ``kgpath argv`` in ``folder`` with ``ceiling`` MiB of memory beyond what is imported.

    ``before`` and ``after`` are called in the child, around the command.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        with tempfile.TemporaryFile() as given:
            given.write(stdin)
            given.seek(0)
            child = os.fork()
            if not child:
                streams = (given, out, err)
                _become_command(argv, folder, env or {}, streams, (ceiling, cpu), before, after)
        status, used, hung = _wait(child)
        code = os.waitstatus_to_exitcode(status)
        said = [_content(stream) for stream in (out, err)]
    ended = (code, None) if code >= 0 else (None, -code)
    return Outcome(*ended, *said, used, hung)


def _content(stream: IO[bytes]) -> bytes:
    stream.seek(0)
    return stream.read(1 << 24)


def _wait(child: int) -> tuple[int, float, bool]:
    """Wait for a child and end what it started; the processor time is of both."""
    end = time.monotonic() + WALL_SECONDS
    pause, hung = 0.0005, False
    while True:
        found, status, usage = os.wait4(child, os.WNOHANG)
        if found:
            break
        if time.monotonic() > end:
            hung = True
            os.killpg(child, signal.SIGKILL)
        time.sleep(pause)
        pause = min(pause * 1.5, 0.02)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)  # workers of a command that was ended
    return status, usage.ru_utime + usage.ru_stime, hung


def _become_command(
    argv: list[str],
    folder: Path,
    env: Mapping[str, str],
    streams: tuple[IO[bytes], IO[bytes], IO[bytes]],
    limits: tuple[int, int],
    before: Callable[[], None] | None,
    after: Callable[[], None] | None,
) -> None:
    """What the child does; it never returns."""
    code = 70
    try:
        os.setsid()
        os.chdir(folder)
        os.environ.update(env)
        for number, stream in enumerate(streams):
            os.dup2(stream.fileno(), number)
        given, out, err = (os.fdopen(n, mode) for n, mode in enumerate(("rb", "wb", "wb")))
        sys.stdin = io.TextIOWrapper(given, "utf-8", "surrogateescape")
        sys.stdout = io.TextIOWrapper(out, "utf-8")
        sys.stderr = io.TextIOWrapper(err, "utf-8", "backslashreplace")
        sys.argv = ["kgpath", *argv]
        _limit(*limits)
        code = _exit_code(before)
        if after:
            after()
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
        code = code or 1
    finally:
        os._exit(code)


def _limit(ceiling: int, cpu: int) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (_LARGEST_FILE, _LARGEST_FILE))
    if sys.platform == "linux":  # elsewhere the address space cannot be bounded
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * resource.getpagesize() + (ceiling << 20)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _exit_code(before: Callable[[], None] | None) -> int:
    """The exit code of the command; what it ends with is printed as the interpreter would."""
    from kgpath.cli import main

    try:
        if before:
            before()
        main()
    except SystemExit as ended:
        if ended.code is None or isinstance(ended.code, int):
            return ended.code or 0
        print(ended.code, file=sys.stderr)
        return 1
    return 0
