"""The command ``kgpath``, and ``python -m kgpath``; it also tells what goes wrong on loading."""

from __future__ import annotations

import sys

_INTERRUPTED = 130  # as shells say it: 128 + SIGINT


def main() -> None:
    """Load the command line and run it; :mod:`kgpath.cli.ending` says how a command ends."""
    try:
        from kgpath.cli import main as run
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)
    except (ImportError, MemoryError, OSError) as error:
        sys.exit(
            f"kgpath: it cannot be loaded ({str(error) or type(error).__name__}). Is there enough "
            "memory (ulimit -v)? Else install it again: pip install --force-reinstall kgpath"
        )
    run()


if __name__ == "__main__":
    main()
