"""Is the latent vector of path-vae in use? Figures on paths of a graph that it did not learn from.

    python tests/bench/path_vae.py --graph FILE.kg [--options "epochs=4"]

Needs kgpath embed on the graph. Trains for minutes, once: what was learned before is recalled.
"""

from __future__ import annotations

import argparse

from common import report

import kgpath
from kgpath.learning.models import path_encoder_of


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graph", required=True)
    parser.add_argument("--options", default="", help="of path-vae, such as latent=32")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    with kgpath.open(args.graph) as kg:
        told = path_encoder_of(f"path-vae({args.options})", kg).report()
    kept = told["reconstructed_shuffled"] / max(told["reconstructed"], 1e-9)
    rows = [
        ("dimensions in use", f"{told['active']} of {told['latent']}", "(at least half)"),
        ("elements reconstructed from z", f"{told['reconstructed']:.3f}", "of 256 each"),
        ("the same with z of another path", f"{told['reconstructed_shuffled']:.3f}", ""),
        ("share that is left of it", f"{kept:.3f}", "(most is lost)"),
        ("nats of KL: least, median, most", _three(told), "by dimension"),
        ("minutes of training", f"{told['minutes']:.1f}", "(at most 30)"),
        ("paths, epochs", f"{told['paths']:,}, {told['epochs']}", ""),
    ]
    report(told, rows, args.json)


def _three(told: dict[str, float]) -> str:
    return ", ".join(f"{told[f'kl_{which}']:.2f}" for which in ("least", "median", "most"))


if __name__ == "__main__":
    main()
