"""Which relations were found to mean the same, drawn for reading, and what the search costs.

    python tests/bench/same_relations.py --graph FILE.kg [--graph …] [--sample 50] [--seed 0]

Needs graphs with their ontology, such as those of ../shared/data. Pairs are held out by a hash of
their IRIs: the rules were made on those of hash 0, and are judged by those of hash 1.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import time
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import kgpath
from kgpath.storage.hop_codes import codes_of, inverse
from kgpath.storage.index import Index
from kgpath.storage.relation_groups import same_hops
from kgpath.storage.relation_overlap import Hops
from kgpath.storage.same_relations import SameRelations
from kgpath.types import Hop


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graph", action="append", required=True, type=Path)
    parser.add_argument("--sample", type=int, help="so many of each graph; without it, all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--hash", type=int, choices=(0, 1), default=1)
    args = parser.parse_args()
    for path in args.graph:
        with kgpath.open(path) as kg:
            found = sorted(pairs(kg), key=iris)
            mine = [pair for pair in found if hash_of(pair) == args.hash]
            drawn = mine
            if args.sample is not None and args.sample < len(mine):
                drawn = sorted(random.Random(args.seed).sample(mine, args.sample), key=iris)
            index, store = kg.index, kg.store
            arrays = index.offsets, index.hop_offsets, index.hop_codes
            hops = Hops(*arrays, most=len(index.same_hops))
            print(f"# {path.name}: {len(found)} pairs, {len(mine)} of hash {args.hash}")
            for one, other in drawn:
                codes = sorted(codes_of((one, other)))
                shared = hops.shared(codes[0], codes[1])
                agreement = hops.agreement(codes[0], codes[1])
                print(
                    f"{called(one)} ({one.relation.edges:,}) ~ {called(other)} "
                    f"({other.relation.edges:,}): {shared:,} in common, "
                    f"agree {agreement.share:.2f} of {agreement.compared:,}"
                )
            start = time.process_time()
            same_hops(store.db, *arrays)
            search = time.process_time() - start
            start = time.process_time()
            Index.from_store(store.db)
            whole = time.process_time() - start
            print(f"# CPU seconds: {search:.2f} of the {whole:.2f} that the index takes")


def pairs(kg: kgpath.Graph) -> Iterator[tuple[Hop, Hop]]:
    """Each pair of a group once, whichever end it is read from."""
    for group in kg.derived(SameRelations).together():
        seen: set[tuple[int, ...]] = set()
        for one, other in combinations(group, 2):
            codes = codes_of((one, other))
            key = min(tuple(sorted(codes)), tuple(sorted(map(inverse, codes))))
            if key not in seen:
                seen.add(key)
                yield (one, other) if one.forward else (one.reversed(), other.reversed())


def iris(pair: tuple[Hop, Hop]) -> list[str]:
    return sorted(hop.relation.iri for hop in pair)


def hash_of(pair: tuple[Hop, Hop]) -> int:
    return hashlib.sha256(" ".join(iris(pair)).encode()).digest()[-1] % 2


def called(hop: Hop) -> str:
    name = hop.relation.iri.rpartition("/")[2]
    said = name if name == hop.relation.label else f"{hop.relation.label} <{name}>"
    return said if hop.forward else f"^{said}"


if __name__ == "__main__":
    main()
