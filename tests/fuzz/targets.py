"""Every reader of kgpath as a target. A reader in a registry without one is a red test."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from random import Random

from fuzz import seeds
from fuzz.base import MODELS, Base
from fuzz.mutators import arrays, json_text, model_folder, raw, sqlite_file
from fuzz.seeds import Files
from fuzz.target import Mutant, Mutate, Target, text

_HEAD, _TAIL = map(shlex.quote, seeds.ENDS)
_ASK = f"{_HEAD} {_TAIL}"
_TEXT = shlex.quote(seeds.TEXT)
_FEW = "".join(seeds.NTRIPLES.splitlines(keepends=True)[1:3])
_LOOK = ("check out/x.kg", "info out/x.kg", "find out/x.kg e --json", "export out/x.kg -o out/x.nt")


def _one(name: str, content: str | bytes) -> Callable[[Base], list[Files]]:
    data = content.encode() if isinstance(content, str) else content
    return lambda base: [{name: data}]


def _source(name: str, file: str, content: str | bytes, *tokens: bytes) -> Target:
    return Target(
        f"source {name}", "sources", _one(file, content), text(*tokens),
        (f"build {{input}} --format {name} -o out/x.kg", "build {input} -o out/x.kg",
         f"build {{input}} --format {name} --strict --lang all -o out/x.kg --json"),
        covers=(f"sources:{name}",), then=_LOOK,
    )  # fmt: skip


_QUOTED = (b"<<", b">>", b"<<(", b")>>", b'"', b"@en", b"^^<", b"\\u0000", b"\\U0010FFFF", b"_:a")
_TURTLE = (*_QUOTED, b"[", b"(", b'"""', b"@prefix", b"@base <x:>", b"a", b";", b"GRAPH", b"1e9")
_XML = (
    b"<!DOCTYPE r [<!ENTITY a 'b'>]>", b"&a;", b"<![CDATA[", b"]]>", b"<!--", b"&#x0;", b"&lt;",
    b'<?xml version="1.1" encoding="utf-16"?>', b'rdf:ID="a b"', b'rdf:nodeID="1"', b"<a:b/>",
)  # fmt: skip


def _sources() -> list[Target]:
    quads = "".join(f"{line[:-2]} <g:x> .\n" for line in seeds.NTRIPLES.splitlines())
    return [
        _source("nt", "x.nt", seeds.NTRIPLES, *_QUOTED),
        _source("nq", "x.nq", quads, *_QUOTED),
        _source("ttl", "x.ttl", seeds.TURTLE, *_TURTLE),
        _source("rdf", "x.rdf", seeds.RDFXML, *_XML),
        _source("tsv", "x.tsv", seeds.TSV, b"\t", b'"'),
        _source("csv", "x.csv", seeds.CSV, b",", b'"', b'""'),
        _source("wikidata", "x.json", seeds.WIKIDATA),
        _source("wikidata-nt", "x.nt", seeds.WIKIDATA_NT, *_QUOTED),
        Target(
            "source codex", "sources", lambda base: [dict(seeds.CODEX)], text(b"\t", b'"', b"\r"),
            ("build --format codex codex/ -o out/x.kg",),
            covers=("sources:codex",), then=_LOOK,
        ),
        Target(
            "add and remove", "sources",
            lambda base: [{"x.nt": _FEW.encode(), **base.graph_files(base.tiny)}],
            _only("x.nt", text(*_QUOTED)),
            ("add tiny.kg {input}", "remove tiny.kg {input}", "add tiny.kg {input} --json"),
            then=("check tiny.kg",),
        ),
    ]  # fmt: skip


def _only(name: str, mutate: Mutate) -> Mutate:
    """Spoils one file and leaves those beside it."""

    def one(rng: Random, files: Files) -> Mutant:
        mutant = mutate(rng, {name: files[name]})
        rest = {other: data for other, data in files.items() if other != name}
        return Mutant({**mutant.files, **rest}, mutant.main)

    return one


def _articles() -> list[Target]:
    def target(name: str, file: str, content: str, *tokens: bytes) -> Target:
        return Target(
            f"articles {name}", "articles",
            lambda base: [{file: content.encode(), "facts.ttl": seeds.TURTLE.encode()}],
            _only(file, text(*tokens)),
            ("build facts.ttl --articles {input} -o out/x.kg",),
            covers=(f"article_formats:{name}",), then=(*_LOOK, "show out/x.kg London"),
        )  # fmt: skip

    wiki = (*_XML, b"{{", b"}}", b"[[", b"]]", b"{|", b"|}", b"&lt;ref&gt;", b"'''", b"__NOTOC__")
    return [
        target("jsonl", "a.jsonl", seeds.ARTICLES_JSONL),
        target("tsv", "a.tsv", seeds.ARTICLES_TSV, b"\t", b'"', b"\\n"),
        target("mediawiki", "a.xml", seeds.MEDIAWIKI, *wiki),
    ]


def _questions() -> list[Target]:
    film = "{base}/film.kg"
    return [
        Target(
            "queries", "questions", lambda base: base.queries, text(),
            (f"evaluate {film} {{input}} --ranker shortest --json",
             f"evaluate {film} {{input}} --ranker zero-shot --candidates given -o out/rows.jsonl",
             "convert cpr {input} -o out/q.jsonl", "describe {input} --json",
             f"train {film} {{input}} -o out/m --ranker 'score-ltr(trees=2)' --limit 20"),
            covers=("datasets:cpr",), ceiling=1024,
        ),
        Target(
            "untold", "questions", lambda base: base.untold, text(),
            (f"evaluate {film} {{base}}/queries.jsonl --untold {{input}} --ranker shortest",),
        ),
        Target(
            "evidence", "questions", lambda base: base.evidence, text(),
            (f"evaluate {film} {{base}}/queries.jsonl --evidence {{input}} --ranker shortest",),
        ),
        Target(
            "pairs", "questions", _film("pairs.tsv", seeds.PAIRS), text(b"\t"),
            (f"paths {film} --pairs {{input}} --max-hops 2",
             f"paths {film} --pairs {{input}} --max-hops 2 -o out/p.jsonl"),
        ),
        Target(
            "texts", "questions", _film("texts.jsonl", seeds.TEXTS), text(),
            (f"query {film} --texts {{input}} --workers 1 -k 1 -o out/a.jsonl",
             f"train {film} --texts {{input}} -o out/m --limit 20 --answered out/q.jsonl",
             f"query {film} {_ASK} --texts {{input}} --workers 1 --max-hops 2"),
        ),
        Target(
            "contexts", "questions", 
            lambda base: [{"news.txt": seeds.TEXT.encode(code)} for code in ("utf-8", "utf-16")]
            if base.film else [],
            text(b".", "“".encode(), b"\n\n", b"Mr."),
            (f"query {film} {_ASK} --context {{input}} --json", f"query {film} --context {{input}}",
             f"paths {film} {_ASK} --context {{input}} --strategy top --cost mention",
             f"query {film} {_ASK} --context {{input}} --encoding utf-16 --explain"),
        ),
        Target(
            "names", "questions",
            lambda base: [{"name": n.encode()} for n in (*seeds.ENDS, "dbr:London") if base.film],
            text(b":", b"dbr:", b"%", b"*", b'"', b"'", pack=False),
            (f"find {film} -- {{text}}", f"show {film} -- {{text}}",
             f"find {film} --json -- {{text}}", f"paths {film} {_HEAD} -- {{text}}",
             f"query {film} {_ASK} --text={{text}} --json"),
        ),
        Target(
            "choices", "questions",
            _texts(seeds.CHOICES, seeds.METRICS, seeds.COSTS, seeds.OTHER_CHOICES),
            text(b"(", b")", b"=", b",", pack=False, numbers=True),
            (f"query {film} {_ASK} --text {_TEXT} --ranker={{text}}",
             f"evaluate {film} {{base}}/queries.jsonl --ranker shortest --metric={{text}}",
             f"paths {film} {_ASK} --max-hops 2 --strategy top --text {_TEXT} --cost={{text}}",
             f"train {film} {{base}}/queries.jsonl -o out/m --limit 5 --ranker={{text}}",
             "dialogue select {base}/dialogues.jsonl --edges={text}", "ls {text}",
             "dialogue evaluate {base}/dialogues.jsonl --selector={text}"),
            ceiling=1024,
        ),
        Target(
            "word vectors", "questions",
            lambda base: [{"v.txt": seeds.VECTORS.encode()}, {"v.bin": seeds.VECTORS_BIN}]
            if base.film else [],
            text(b" ", b"nan", b"</s>", numbers=True),
            (f"query {film} {_ASK} --text {_TEXT} --json "
             "--ranker 'avg-cosine(vectors={input})'",),
        ),
        Target(
            "recipes", "questions", _film("r.toml", seeds.RECIPE),
            text(b"=", b"[", b"]", b'"""', b"inf", b"nan", b"true", b"{a=", pack=False,
                 numbers=True),
            (f"generate {{input}} --graph {film} -o out/d --workers 1",), ceiling=1024,
        ),
    ]  # fmt: skip


def _film(name: str, content: str) -> Callable[[Base], list[Files]]:
    return lambda base: [{name: content.encode()}] if base.film else []


def _texts(*lists: tuple[str, ...]) -> Callable[[Base], list[Files]]:
    return lambda base: (
        [{"choice": t.encode()} for some in lists for t in some] if base.film else []
    )


def _dialogues() -> list[Target]:
    learn = (
        "dialogue convert {input} -o out/d.jsonl", "dialogue train {input} -o out/need.json",
    )  # fmt: skip
    select = (
        "dialogue select {input} --json", "dialogue evaluate {input} --json --selector bm25",
        "dialogue select {input} --edges full", "reproduce wikipath-t1 {input} -o out/r",
    )  # fmt: skip

    def target(name: str, seeds_of: Callable[[Base], list[Files]], *more: str) -> Target:
        commands = learn if name == "gold" else (*learn, *select, *more)
        return Target(
            f"dialogues {name}", "dialogues", seeds_of, text(), commands,
            covers=(f"dialogues:{name}",),
        )  # fmt: skip

    def sample(base: Base) -> list[Files]:
        assert base.film
        return [{"d.jsonl": (base.folder / "dialogues.jsonl").read_bytes()}]

    graph = "--graph {base}/film.kg"
    return [
        target("kgpath", sample, f"dialogue select {{input}} --edges typed {graph}"),
        *(target(name, _one(f"{name}.json", data))
          for name, data in seeds.DIALOGUES.items()),
        Target(
            "chat", "dialogues", _one("chat.jsonl", seeds.CHAT), text(pack=False),
            ("dialogue chat - < {input}",),
        ),
        Target(
            "opendialkg", "dialogues",
            lambda base: [{"o.csv": seeds.OPENDIALKG_CSV.encode()},
                          {"o.jsonl": seeds.OPENDIALKG_JSONL.encode()}] if base.film else [],
            text(),
            ("convert opendialkg {input} -o out/q.jsonl",
             f"dialogue select {{input}} {graph} --json",
             "convert 'opendialkg(relations=stated)' {input} -o out/q.jsonl --json",
             f"dialogue evaluate {{input}} {graph} --selector bm25"),
            covers=("datasets:opendialkg", "dialogues:opendialkg"),
        ),
        Target(
            "evidence detector", "dialogues",
            lambda base: [{"need.json": base.detector}] if base.film else [],
            text(),
            ("dialogue select {base}/dialogues.jsonl --detector {input} --json",
             "dialogue evaluate {base}/dialogues.jsonl --detector {input}"),
        ),
    ]  # fmt: skip


def _annotation() -> list[Target]:
    graph = "--graph {base}/film.kg"
    return [
        Target(
            "wikinews", "annotation",
            lambda base: [{"n.jsonl": seeds.WIKINEWS.encode()}, {"n.xml": seeds.MEDIAWIKI.encode()}]
            if base.film else [],
            text(b"[[", b"]]", b"{{", b"}}", *_XML),
            (f"annotate tasks {{input}} {graph} -o out/tasks",),
        ),
        Target(
            "annotators' answers", "annotation",
            lambda base: [dict(seeds.TASKS)] if base.film else [],
            text(pack=False),
            ("annotate agree answers.jsonl --tasks one-hop.jsonl -o out/q.jsonl",
             "annotate agree answers.jsonl --json"),
        ),
    ]  # fmt: skip


def _endpoint() -> list[Target]:
    ask = f"build --sparql {{url}} --query {shlex.quote(seeds.SPARQL_QUERY)} -o out/x.kg"
    make = "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }"
    return [
        Target(
            "sparql replies", "endpoint",
            lambda base: [
                {rows: data.encode(), "count.srj": seeds.SPARQL_COUNT.encode(),
                 "each.srj": seeds.SPARQL_EACH.encode(),
                 "listed.srj": seeds.SPARQL_LISTED.encode(),
                 "statements.nt": seeds.SPARQL_STATEMENTS.encode()}
                for rows, data in (("rows.srj", seeds.SPARQL_ROWS), ("rows.srx", seeds.SPARQL_XML))
            ],
            text(*_XML, pack=False),
            (ask, f"build --sparql {{url}} --query {shlex.quote(make)} -o out/x.kg",
             "build --sparql {url} --seed dbr:Roger_Moore --hops 1 -o out/x.kg",
             "build --sparql {url} --preset dbpedia --types dbo:Actor -o out/x.kg",
             f"query --sparql {{url}} dbr:Roger_Moore dbr:London --text {_TEXT}"),
            covers=("sparql_presets:dbpedia", "sparql_presets:rdf", "sparql_presets:wikidata"),
            env={"KGPATH_CACHE": "cache"},
        ),
    ]  # fmt: skip


def _graphs() -> list[Target]:
    ends = "'Roger Moore' 'Daniel Craig'"
    ask = "--text 'Roger Moore and Daniel Craig were James Bond.' --json"
    large = "E17 E2050 --max-hops 3"

    def spoil_graph(rng: Random, files: Files) -> Mutant:
        main = next(iter(files))
        return Mutant({**files, main: sqlite_file.mutated(rng, files[main])}, main)

    def spoil_index(rng: Random, files: Files) -> Mutant:
        name = rng.choice([name for name in files if ".index/" in name])
        data = files[name]
        made = arrays.mutated(rng, data) if name.endswith(".npy") else json_text.mutated(rng, data)
        changed = {**files, name: made if made is not None else raw.mutated(rng, data)}
        if rng.random() < 0.05:
            del changed[name]
        return Mutant(changed, next(iter(files)))

    return [
        Target(
            "graph file", "graphs",
            lambda base: [base.graph_files(base.tiny), base.graph_files(base.tiny, index=False)],
            spoil_graph,
            ("info {input} --json", "find {input} moore --json", f"paths {{input}} {ends} --json",
             f"query {{input}} {ends} {ask}", "show {input} 'James Bond' --json",
             "export {input} -o out/x.nt", "check {input}", "info {input}",
             "show {input} 'Roger Moore'", f"paths {{input}} {ends} --max-hops 3 --table",
             "export {input} -o out/x.graphml", "export {input} -o out/x.tsv"),
            same=True, share=6,
        ),
        Target(
            "graph file changed", "graphs",
            lambda base: [{**base.graph_files(base.tiny), "more.nt": _FEW.encode()}],
            spoil_graph,
            ("add {input} more.nt", "remove {input} more.nt", "check {input} --upgrade"),
            then=("check {input}",), share=2,
        ),
        Target(
            "index", "graphs",
            lambda base: [base.graph_files(base.tiny)], spoil_index,
            (f"paths {{input}} {ends} --json", f"query {{input}} {ends} {ask}",
             f"paths {{input}} {ends} --max-hops 4 --strategy top --json", "check {input}"),
            same=True, share=3,
        ),
        Target(
            "index, compiled walks", "graphs",
            lambda base: [base.graph_files(base.large)], spoil_index,
            (f"paths {{input}} {large} --json", f"paths {{input}} {large} --strategy all --limit 5",
             f"paths {{input}} {large} --strategy sample --json",
             f"paths {{input}} {large} --strategy random-walk",
             "query {input} E17 E2050 --text 'E17 met E2050.' --json"),
            same=True, ceiling=1024, share=3,
        ),
    ]  # fmt: skip


def _models() -> list[Target]:
    def target(kind: str) -> Target:
        name = kind.partition("-words")[0]

        def files(base: Base) -> list[Files]:
            return [{f"m/{file}": data for file, data in base.model(kind).items()}]

        def spoil(rng: Random, files: Files) -> Mutant:
            plain = {name.removeprefix("m/"): data for name, data in files.items()}
            changed, fits = model_folder.mutated(rng, plain)
            made = {f"m/{name}": data for name, data in changed.items()}
            return Mutant(made, "m", must_refuse=not fits)

        return Target(
            f"model {kind}", "models", files, spoil,
            (f"query {{base}}/film.kg {_ASK} --text {_TEXT} --model m --json",
             "evaluate {base}/film.kg {base}/few.jsonl --model m --limit 20 --json",
             f"query {{base}}/film.kg {_ASK} --text {_TEXT} --model m --explain"),
            covers=(f"rankers:{name}",), ceiling=2048, share=2, main="m",
        )  # fmt: skip

    def spoil_vectors(rng: Random, files: Files) -> Mutant:
        name = rng.choice([name for name in files if ".transe/" in name])
        data = files[name]
        made = arrays.mutated(rng, data) if name.endswith(".npy") else json_text.mutated(rng, data)
        return Mutant({**files, name: made or b""}, "film.kg")

    def with_vectors(base: Base) -> list[Files]:
        vectors = {f"film.kg.transe/{p.name}": p.read_bytes() for p in base.transe.iterdir()}
        return [{**base.graph_files(base.film), **vectors}]

    return [
        *map(target, MODELS),
        Target(
            "transe vectors", "models", with_vectors, spoil_vectors,
            ("evaluate film.kg {base}/few.jsonl --ranker shortest --metric PED "
             "--path-encoder path-mean --limit 10 --json",
             "train film.kg {base}/few.jsonl -o out/m --limit 10 --ranker "
             "'xendcg(context_encoder=avg-transe, path_encoder=path-mean)'"),
            ceiling=2048,
        ),
    ]  # fmt: skip


def _caches() -> list[Target]:
    vectors = f"--text {_TEXT} --ranker 'avg-cosine(vectors={{base}}/v.txt)' --json"

    def used(base: Base) -> list[Files]:
        if not (base.folder / "v.txt").exists():
            (base.folder / "v.txt").write_text(seeds.VECTORS)
        assert base.film
        env = {"KGPATH_USE_CACHE": "1", "KGPATH_CACHE": str(base.folder / "used")}

        def use() -> None:
            base.command(
                "query", "film.kg", *seeds.ENDS, "--text", seeds.TEXT, "--ranker",
                f"avg-cosine(vectors={base.folder}/v.txt)", env=env,
            )  # fmt: skip

        return [base.cached(use, "used")]

    def spoil(rng: Random, files: Files) -> Mutant:
        name = rng.choice(sorted(files))
        data = files[name]
        if name.endswith(".npy"):
            made: bytes | None = arrays.mutated(rng, data)
        elif name.endswith(".sqlite"):
            made = sqlite_file.mutated(rng, data)
        else:
            made = json_text.mutated(rng, data)
        return Mutant({**files, name: made if made is not None else raw.mutated(rng, data)}, name)

    return [
        Target(
            "caches", "models", used, spoil,
            (f"query {{base}}/film.kg {_ASK} {vectors}", "cache info --json", "cache clear"),
            env={"KGPATH_USE_CACHE": "1", "KGPATH_CACHE": "cache"},
        ),
    ]  # fmt: skip


TARGETS: tuple[Target, ...] = (
    *_sources(), *_articles(), *_questions(), *_dialogues(), *_annotation(), *_endpoint(),
    *_graphs(), *_models(), *_caches(),
)  # fmt: skip
GROUPS = tuple(dict.fromkeys(target.group for target in TARGETS))
