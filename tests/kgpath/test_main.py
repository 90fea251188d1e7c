"""The command as it is installed: what happens before there is a command line."""

from __future__ import annotations

import subprocess
import sys

import pytest

BREAK = """
import sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "kgpath.cli":
            raise {error}
sys.meta_path.insert(0, Finder())
from kgpath.__main__ import main
main()
"""


def run(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *args], capture_output=True, text=True, timeout=600)


def test_the_package_is_a_command() -> None:
    done = run("-m", "kgpath", "--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("kgpath ")


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        ("KeyboardInterrupt", 130, ""),
        (
            "ImportError('libx.so: failed to map segment')",
            1,
            "kgpath: it cannot be loaded (libx.so: failed to map segment). Is there enough memory "
            "(ulimit -v)? Else install it again: pip install --force-reinstall kgpath\n",
        ),
        (
            "MemoryError",
            1,
            "kgpath: it cannot be loaded (MemoryError). Is there enough memory (ulimit -v)? Else "
            "install it again: pip install --force-reinstall kgpath\n",
        ),
    ],
)
def test_what_goes_wrong_while_it_is_loaded_is_a_sentence(error: str, code: int, said: str) -> None:
    done = run("-c", BREAK.format(error=error))
    assert (done.returncode, done.stdout, done.stderr) == (code, "", said)
