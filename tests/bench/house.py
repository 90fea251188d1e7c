"""How the house looks from inside: modules, functions, and the way of three commands through it.

    python tests/bench/house.py [ROOT]

ROOT is a checkout, this one by default. For each command a profiler counts the arrows between files
of the project, from the file of a caller to that of the function it calls, and the files that have
one. Imports do not count.
"""

from __future__ import annotations

import ast
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

FOLDERS = ("kgpath", "kg_build", "encoders", "rankers", "datasets")
TEXT = "Emma Stone and Andrew Garfield fell in love on the set of The Amazing Spider-Man."
COMMANDS = {
    "kg.query": f"kg.query|{TEXT}",
    "query": f"query film.kg|Emma Stone|Andrew Garfield|--text|{TEXT}",
    "train": "train film.kg queries.jsonl -o model --ranker|kgpath-ltr(rounds=1, trees=5)",
    "dialogue select": "dialogue select dialogues.jsonl --edges typed --graph film.kg",
}
# Run in a process of its own, so that ROOT may be another checkout than the one of this file.
PROFILE = """
import os, runpy, sys
root, *sys.argv = sys.argv[1:]
arrows, real = set(), {}
def place(frame):
    name = frame.f_code.co_filename
    if name not in real:
        path = os.path.realpath(name)
        inside = path.startswith(root + os.sep) and not path.startswith(os.path.join(root, ".venv"))
        real[name] = path if inside else ""
    return real[name]
def watch(frame, event, argument):
    if event == "call" and frame.f_code.co_name not in ("<module>", "<listcomp>", "<genexpr>"):
        here = place(frame)
        if here:
            caller = frame.f_back
            while caller is not None and not place(caller):
                caller = caller.f_back
            if caller is not None and caller.f_code.co_name != "<module>" and place(caller) != here:
                arrows.add((place(caller), here))
import kgpath
from kgpath.cli import main
def ask():
    with kgpath.open("film.kg") as kg:
        kg.query("Emma Stone", "Andrew Garfield", sys.argv[2])
sys.setprofile(watch)
try:
    ask() if sys.argv[1] == "kg.query" else main()
except SystemExit:
    pass
sys.setprofile(None)
print(len({f for arrow in arrows for f in arrow}), len(arrows), file=sys.stderr)
"""


def functions(root: Path) -> Iterator[tuple[int, str]]:
    """The number of lines of every function, and where it is."""
    for folder in FOLDERS:
        for path in (p for p in sorted((root / folder).rglob("*.py")) if not linked(p, root)):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    lines = (node.end_lineno or node.lineno) - node.lineno + 1
                    yield lines, f"{path.relative_to(root)}:{node.name}"


def linked(path: Path, root: Path) -> bool:
    return path.resolve() != root / path.relative_to(root)


def run(root: Path, folder: str, *arguments: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(root), "KGPATH_CACHE": f"{folder}/cache"}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True
    )
    if done.returncode:
        raise SystemExit(done.stderr)
    return done.stderr


def main() -> None:
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[2]).resolve()
    files = [
        path
        for folder in FOLDERS
        for path in (root / folder).rglob("*.py")
        if not linked(path, root)
    ]
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files)
    sizes = sorted(functions(root))
    print(f"modules directly in kgpath/  {len(list((root / 'kgpath').glob('*.py')))}")
    print(f"modules, lines               {len(files)}, {lines:,}")
    middle, (longest, place) = statistics.median(size for size, _ in sizes), sizes[-1]
    print(f"functions, median, longest   {len(sizes):,}, {middle:g}, {longest} ({place})")
    with tempfile.TemporaryDirectory() as folder:
        run(root, folder, "-c", "from kgpath.cli import main; main()", "demo")
        former = Path(folder, "questions.jsonl")  # what the demo wrote before
        if former.exists():
            former.rename(former.with_name("queries.jsonl"))
        for name, command in COMMANDS.items():
            first, *rest = command.split("|")
            arguments = ["kgpath", *first.split(), *rest]
            seen = run(root, folder, "-c", PROFILE, str(root), *arguments).splitlines()[-1]
            print(f"{name:28} {' files, '.join(seen.split())} arrows")


if __name__ == "__main__":
    main()
