"""Fuzz every reader: python tests/fuzz/run.py --inputs 10000 --seed 1 --jobs 2

Prints a table; the exit code is 1 if something was found. Findings are written to a folder, each
with its input, its command and what it said.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from fnmatch import fnmatch
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
# Its folder kgpath would be taken for the package, were that not found first.
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

#: The same seed gives the same inputs and the same answers; threads do not survive a fork.
_SETTINGS = {"PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def main() -> None:
    options = _options()
    if any(os.environ.get(name) != value for name, value in _SETTINGS.items()):
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **_SETTINGS})
    from fuzz import campaign, forked
    from fuzz.base import Base
    from fuzz.targets import TARGETS

    chosen = [
        target
        for target in TARGETS
        if any(fnmatch(target.name, one) or target.group == one for one in options.target)
    ]
    if not chosen:
        sys.exit(f"No such target. Known: {', '.join(target.name for target in TARGETS)}.")
    forked.import_everything(neural=any(target.group == "models" for target in chosen))
    found = 0
    end = time.monotonic() + options.hours * 3600
    with tempfile.TemporaryDirectory(prefix="kgpath-fuzz-") as folder:
        base = Base(Path(folder) / "base")
        if refused := campaign.refused_seeds(chosen, base, every=options.seeds == "all"):
            sys.exit("Good inputs are refused:\n" + "\n".join(refused))
        rows = []
        if options.corpus != "none":
            rows = campaign.replay(chosen, base, every=options.corpus == "all")
        found += sum(row["finding"] is not None for row in rows)
        if rows:
            print(f"\npast failures\n{campaign.table(rows)}", flush=True)
        seed = options.seed
        while options.inputs:
            inputs = campaign.shares(chosen, options.inputs)
            plan = campaign.Plan(inputs, seed, options.jobs)
            new = campaign.campaign(chosen, plan, base, options.findings)
            found += sum(row["finding"] is not None for row in new)
            print(f"\nseed {seed}\n{campaign.table(new)}", flush=True)
            rows += new
            seed += 1
            if time.monotonic() >= end:
                break
    if options.rows:
        options.rows.write_text(json.dumps(rows), encoding="utf-8")
    if found:
        print(f"\n{found:,} findings: see {options.findings}")
    sys.exit(1 if found else 0)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--inputs", type=int, default=10_000, help="how many in all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2, help="processes at once")
    parser.add_argument(
        "--target", nargs="*", default=["*"], help="names, patterns or groups; all without any"
    )
    parser.add_argument("--hours", type=float, default=0, help="go on with the next seeds so long")
    parser.add_argument(
        "--corpus", choices=("all", "one", "none"), default="all",
        help="first every past failure again, by all commands of its target or by one",
    )  # fmt: skip
    parser.add_argument(
        "--seeds", choices=("all", "one"), default="all",
        help="see first that good inputs are read: all by all commands, or one of each target",
    )  # fmt: skip
    parser.add_argument("--findings", type=Path, default=Path("fuzz-findings"))
    parser.add_argument("--rows", type=Path, help="also write a row for each input, as JSON")
    return parser.parse_args()


if __name__ == "__main__":
    main()
