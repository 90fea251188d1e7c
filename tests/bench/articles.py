"""Loading articles from a MediaWiki dump: time a megabyte, memory at one size and at four times it.

Memory grows until the caches of the two databases are full (200 MB), then no more: --megabytes 150
shows it level.

python tests/bench/articles.py [--megabytes 10] [--json]
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from pathlib import Path
from xml.sax.saxutils import escape

from common import fresh, report

ENTITIES = 4000
KGPATH = """
import json, resource, sys, time
import kgpath, kgpath.kg_build.build, sqlite_utils
graph, output, *articles = sys.argv[1:]
started = time.perf_counter()
built = kgpath.build([graph], output, articles=articles)
seconds = time.perf_counter() - started
print(json.dumps({
    "seconds": seconds, "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    "matched": sum(counts.matched for counts in built.articles),
}))
"""


def article(draw: random.Random, words: list[str], number: int, length: int) -> str:
    """Markup as Wikipedia has it: an infobox, references, links, sections, a list."""
    parts = ["{{Infobox thing|name=Thing|image=[[File:A.jpg|thumb|A]]|of={{ubl|[[A]]|[[B]]}}}}\n"]
    size = section = 0
    while size < length:
        sentences = []
        for _ in range(4):
            some = draw.choices(words, k=18)
            some[5] = f"[[{some[5]} {some[6]}|{some[6]}]]"
            some[12] = f"''{some[12]}''"
            sentences.append(" ".join(some).capitalize() + ".")
        parts.append(" ".join(sentences) + "<ref>{{cite web|url=http://a.b|title=T}}</ref>\n\n")
        section += 1
        if section % 3 == 0:
            parts.append(f"== Part {section} ==\n* [[{draw.choice(words)}]] first\n* second\n\n")
        size = sum(map(len, parts))
    return f"'''Thing {number}''' is a thing. " + "".join(parts)


def write_dump(path: Path, megabytes: float) -> list[str]:
    """As many articles as entities, and as many again that are about nothing in the graph."""
    draw = random.Random(0)
    words = ["".join(draw.choices("abcdefghijklmnoprstuvw", k=7)) for _ in range(20_000)]
    length = int(megabytes * 1e6 / ENTITIES / 2)
    some = []
    with path.open("w", encoding="utf-8") as file:
        file.write('<mediawiki xml:lang="en">\n')
        for number in range(2 * ENTITIES):
            title = f"Thing {number // 2}" if number % 2 else f"Other {number}"
            text = article(draw, words, number, length)
            if number < 200:
                some.append(text)
            file.write(
                f"<page><title>{title}</title><ns>0</ns><id>{number}</id><revision><text>"
                f"{escape(text)}</text></revision></page>\n"
            )
        file.write("</mediawiki>\n")
    return some


def against_a_parser(texts: list[str]) -> float:
    """How many times as long mwparserfromhell takes only to parse the same markup."""
    import mwparserfromhell

    from kgpath.kg_build.wikimedia.wikitext import read_wikitext

    def seconds(read: object) -> float:
        started = time.perf_counter()
        for text in texts:
            read(text)  # type: ignore[operator]
        return time.perf_counter() - started

    return seconds(mwparserfromhell.parse) / seconds(read_wikitext)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=float, default=10)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kgpath-bench-") as name:
        folder = Path(name)
        graph = folder / "graph.tsv"
        graph.write_text(
            "".join(f"Thing {n}\tnext\tThing {(n + 1) % ENTITIES}\n" for n in range(ENTITIES))
        )
        texts = write_dump(folder / "small.xml", options.megabytes)
        write_dump(folder / "large.xml", 4 * options.megabytes)
        sizes = {n: (folder / f"{n}.xml").stat().st_size / 1e6 for n in ("small", "large")}
        bare = fresh(KGPATH, graph, folder / "bare.kg")
        runs = {n: fresh(KGPATH, graph, folder / f"{n}.kg", folder / f"{n}.xml") for n in sizes}
    per_mb = {n: (run["seconds"] - bare["seconds"]) / sizes[n] for n, run in runs.items()}
    faster = against_a_parser(texts)
    grown = runs["large"]["peak_mb"] / runs["small"]["peak_mb"]
    result = {
        "megabytes": sizes,
        "seconds_per_mb": per_mb,
        "peak_mb": {name: run["peak_mb"] for name, run in runs.items()},
        "peak_ratio": grown,
        "parser_ratio": faster,
        "matched": {name: run["matched"] for name, run in runs.items()},
    }
    rows = [
        *((f"{n} dump, half of it matched", f"{sizes[n]:,.1f} MB", "") for n in sizes),
        *((f"seconds a MB, {n}", f"{per_mb[n]:.3f}", "") for n in sizes),
        *((f"peak memory, {n}", f"{runs[n]['peak_mb']:,.0f} MB", "") for n in sizes),
        ("memory, four times the text", f"{grown:.2f} ×", "near 1 once the caches are full"),
        ("mwparserfromhell, parsing alone", f"{faster:.1f} × our time", ""),
    ]
    report(result, rows, options.json)


if __name__ == "__main__":
    main()
