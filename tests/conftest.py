"""What all tests share: a tiny film graph worked out by hand, builds, and the real command."""

from __future__ import annotations

import atexit
import io
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, settings
from live_servers import RdflibEndpoint, Virtuoso, missing_virtuoso

import kgpath
from kgpath.cli import main, output
from kgpath.datasets.sample_files import sample_files
from kgpath.errors import NotWritable

ROOT = Path(__file__).resolve().parent.parent
LONGEST = 600  # seconds after which a process hangs: no machine is that busy

# Nothing is written into the user's cache folder. All processes of a run share one: the first to
# read this makes it, the others inherit it.
if "PYTEST_XDIST_WORKER" not in os.environ:
    os.environ["KGPATH_CACHE"] = tempfile.mkdtemp(prefix="kgpath-tests-")
    atexit.register(shutil.rmtree, os.environ["KGPATH_CACHE"], ignore_errors=True)

# What learns, learns: nothing is loaded from the cache. Tests of that say otherwise.
os.environ["KGPATH_USE_CACHE"] = "0"

# Derandomised: a run that fails, fails again; and nothing is written into the checkout.
settings.register_profile(
    "kgpath",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=50,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
settings.load_profile("kgpath")

PREFIXES = """\
@prefix dbr: <http://dbpedia.org/resource/> .
@prefix dbo: <http://dbpedia.org/ontology/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix ex: <http://example.org/> .
"""

# 12 entities, 11 facts. "Casino Royale" is a film and a novel; "Bond" is a band and an alias.
FILM = """
dbr:Roger_Moore a dbo:Actor ; rdfs:label "Roger Moore"@en ; skos:altLabel "Sir Roger Moore"@en ;
    rdfs:comment "An English actor. He was born in London."@en ; dbo:birthPlace dbr:London .
dbr:Daniel_Craig a dbo:Actor, dbo:Person ; rdfs:label "Daniel Craig"@en ;
    dbo:abstract "Daniel Craig is an English actor. He has played James Bond."@en ;
    dbo:birthPlace dbr:Chester .
dbr:James_Bond a dbo:FictionalCharacter ; rdfs:label "James Bond"@en ;
    skos:altLabel "007"@en, "Bond"@en ; dbo:portrayer dbr:Roger_Moore, dbr:Daniel_Craig ;
    dbo:creator dbr:Ian_Fleming .
<http://dbpedia.org/resource/Casino_Royale_(2006_film)> a dbo:Film ;
    rdfs:label "Casino Royale"@en ; dbo:starring dbr:Daniel_Craig ;
    dbo:basedOn <http://dbpedia.org/resource/Casino_Royale_(novel)> .
<http://dbpedia.org/resource/Casino_Royale_(novel)> a dbo:Book ;
    rdfs:label "Casino Royale"@en ; dbo:author dbr:Ian_Fleming .
<http://dbpedia.org/resource/Alien:_Covenant> a dbo:Film ; rdfs:label "Alien: Covenant"@en ;
    dbo:country dbr:United_States .
dbr:Beyoncé rdfs:label "Beyoncé"@en ; dbo:country dbr:United_States .
<http://dbpedia.org/resource/Bond_(band)> rdfs:label "Bond"@en ; dbo:hometown dbr:London .
dbo:Actor a owl:Class ; rdfs:subClassOf dbo:Person ; rdfs:label "actor"@en .
dbo:Person a owl:Class ; rdfs:label "person"@en .
dbo:starring rdfs:label "starring"@en ; rdfs:subPropertyOf dbo:participant .
"""

EDGES = """\
Roger_Moore birthPlace London
Daniel_Craig birthPlace Chester
James_Bond portrayer Roger_Moore
James_Bond portrayer Daniel_Craig
James_Bond creator Ian_Fleming
Casino_Royale_(2006_film) starring Daniel_Craig
Casino_Royale_(2006_film) basedOn Casino_Royale_(novel)
Casino_Royale_(novel) author Ian_Fleming
Alien:_Covenant country United_States
Beyoncé country United_States
Bond_(band) hometown London
"""
FILM_EDGES = frozenset(
    (
        f"http://dbpedia.org/resource/{head}",
        f"http://dbpedia.org/ontology/{relation}",
        f"http://dbpedia.org/resource/{tail}",
    )
    for head, relation, tail in (line.split() for line in EDGES.splitlines())
)


def _edges(kg: kgpath.Graph) -> set[tuple[str, str, str]]:
    return {(h, r, t) for h, t, r in kg.to_networkx().edges(keys=True)}


# What needs these is slow: all of the real data, servers, language models, a built package.
SLOW_FIXTURES = {
    "real_data", "virtuoso_server", "rdflib_endpoint", "sample_endpoint", "tiny_bert", "wheel"
}  # fmt: skip


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if not SLOW_FIXTURES.isdisjoint(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The real data beside the checkout; never part of it."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.exists():
        pytest.skip(f"the real data is not at {folder}")
    return folder


@pytest.fixture(scope="session")
def edges_of() -> Callable[[kgpath.Graph], set[tuple[str, str, str]]]:
    """All facts of a graph as a set of (head, relation, tail) IRIs."""
    return _edges


@pytest.fixture(scope="session")
def film_turtle() -> str:
    return PREFIXES + FILM


@pytest.fixture(scope="session")
def film_edges() -> frozenset[tuple[str, str, str]]:
    """The facts of the film graph, as typed by hand."""
    return FILM_EDGES


@pytest.fixture(scope="session")
def film_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The film graph as a file; to be read only."""
    folder = tmp_path_factory.mktemp("film")
    (folder / "film.ttl").write_text(PREFIXES + FILM, encoding="utf-8")
    kgpath.build([folder / "film.ttl"], folder / "film.kg")
    return folder / "film.kg"


@pytest.fixture
def film(film_path: Path) -> Iterator[kgpath.Graph]:
    with kgpath.open(film_path) as kg:
        yield kg


@pytest.fixture(scope="session")
def sample_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample that ships, as a graph file; to be read only."""
    path = tmp_path_factory.mktemp("sample") / "film.kg"
    kgpath.build(sample_files(), path)
    return path


@pytest.fixture
def sample(sample_path: Path) -> Iterator[kgpath.Graph]:
    with kgpath.open(sample_path) as kg:
        yield kg


@pytest.fixture
def source(tmp_path: Path) -> Callable[..., Path]:
    """Writes a source file; Turtle gets the usual prefixes."""

    def write(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        if isinstance(content, str):
            prefixes = PREFIXES if name.endswith(".ttl") else ""
            content = (prefixes + content).encode()
        path.write_bytes(content)
        return path

    return write


@pytest.fixture
def build_graph(source: Callable[..., Path], tmp_path: Path) -> Iterator[Callable[..., object]]:
    """Builds a graph from text and opens it: ``build_graph("ex:a ex:knows ex:b .")``."""
    opened: list[kgpath.Graph] = []

    def build(
        *texts: str | bytes, name: str = "facts.ttl", output: str = "graph.kg", **options: object
    ) -> kgpath.Graph:
        stem, _, ending = name.partition(".")
        paths = [source(f"{stem}{n or ''}.{ending}", text) for n, text in enumerate(texts)]
        run = {key: options.pop(key) for key in ("strict", "format") if key in options}
        filters = kgpath.Filters(**options)  # type: ignore[arg-type]
        built = kgpath.build(paths, tmp_path / output, filters=filters, **run)  # type: ignore[arg-type]
        kg = kgpath.open(tmp_path / output)
        kg.built = built  # type: ignore[attr-defined]
        opened.append(kg)
        return kg

    yield build
    for kg in opened:
        kg.close()


@pytest.fixture(scope="session")
def tiny_bert(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The folder of a language model of the kind of BERT that knows letters and a few words."""
    pytest.importorskip("transformers")
    import torch
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    letters = [*"abcdefghijklmnopqrstuvwxyz0123456789.,:!"]
    words = "english actor the has played james bond daniel craig roger moore london".split()
    vocabulary = [*special, *letters, *(f"##{letter}" for letter in letters[:36]), *words]
    numbers = {word: number for number, word in enumerate(vocabulary)}
    tokenizer = Tokenizer(models.WordPiece(numbers, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    folder = tmp_path_factory.mktemp("tiny-bert")
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, model_max_length=64, unk_token="[UNK]", pad_token="[PAD]",
        cls_token="[CLS]", sep_token="[SEP]", mask_token="[MASK]",
    ).save_pretrained(folder)  # fmt: skip
    config = BertConfig(
        vocab_size=len(vocabulary), hidden_size=16, num_hidden_layers=2, num_attention_heads=2,
        intermediate_size=32, max_position_embeddings=64, initializer_range=0.2,
    )  # fmt: skip
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        BertModel(config).save_pretrained(folder)
    return str(folder)


def _command(patience: float, before: str = "") -> list[str]:
    """The real command; what a shell in the background left of Ctrl-C is put right first."""
    lines = (
        "import signal",
        "signal.signal(signal.SIGINT, signal.default_int_handler)",
        "from kgpath.cli import main, output",
        f"output.PATIENCE = float('{patience}')",
        before,
        "main()",
    )
    return [sys.executable, "-c", "\n".join(lines)]


# However busy the machine is, nothing says how far it is.
COMMAND = _command(patience=math.inf)


@pytest.fixture(scope="session")
def command() -> list[str]:
    """How to start the real command, for tests that need the process itself."""
    return list(COMMAND)


@pytest.fixture(scope="session")
def talking_command() -> list[str]:
    """The real command, which says from the start how far it is."""
    return _command(patience=0)


@pytest.fixture(scope="session")
def command_after() -> Callable[[str], list[str]]:
    """The real command, after some lines of Python: to stop it at one moment and no other."""
    return lambda before: _command(math.inf, before)


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., SimpleNamespace]:
    """Runs a command in the test's folder as a process of its own would, but within this one.

    Starting Python and importing everything again would take longer than most commands.
    """

    def run(
        *args: str | bytes | Path,
        stdin: bytes | str = b"",
        cwd: Path | None = None,
        env: dict[str, str] | None = None,
    ) -> SimpleNamespace:
        given = io.BytesIO(stdin.encode() if isinstance(stdin, str) else stdin)
        streams = {
            "stdin": io.TextIOWrapper(given, "utf-8", "surrogateescape"),
            "stdout": io.TextIOWrapper(io.BytesIO(), "utf-8"),
            "stderr": io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace"),
        }
        with monkeypatch.context() as patch:
            patch.chdir(cwd or tmp_path)
            for name, value in {"COLUMNS": "100", **(env or {})}.items():
                patch.setenv(name, value)
            patch.setattr(output, "PATIENCE", math.inf)
            patch.setattr(sys, "argv", ["kgpath", *map(os.fsdecode, args)])
            for name, stream in streams.items():
                patch.setattr(sys, name, stream)
            code = _exit_code(main)
        return SimpleNamespace(
            code=code, out=_written(streams["stdout"]), err=_written(streams["stderr"])
        )

    return run


def _exit_code(command: Callable[[], None]) -> int:
    """The exit code of a command; what it ends with is printed as the interpreter would."""
    try:
        command()
    except SystemExit as ended:
        if ended.code is None or isinstance(ended.code, int):
            return ended.code or 0
        print(ended.code, file=sys.stderr)
        return 1
    return 0


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode()


@pytest.fixture
def process(tmp_path: Path) -> Callable[..., SimpleNamespace]:
    """Runs the real command in a process of its own, in the test's folder."""

    def run(
        *args: str | bytes | Path,
        stdin: bytes | str = b"",
        cwd: Path | None = None,
        env: dict[str, str] | None = None,
    ) -> SimpleNamespace:
        done = subprocess.run(
            [*COMMAND, *args],
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            capture_output=True,
            cwd=cwd or tmp_path,
            env={**os.environ, "COLUMNS": "100", **(env or {})},
            timeout=LONGEST,
        )
        return SimpleNamespace(
            code=done.returncode, out=done.stdout.decode(), err=done.stderr.decode()
        )

    return run


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Callable[..., Path]]:
    """Mounts real file systems in memory: full soon, or read-only."""
    mounted: list[Path] = []

    def mount(name: str = "disk", options: str = "size=1m") -> Path:
        folder = tmp_path / name
        folder.mkdir()
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], capture_output=True
        )
        if done.returncode:
            pytest.skip(f"needs the right to mount a tmpfs: {done.stderr.decode().strip()}")
        mounted.append(folder)
        return folder

    yield mount
    for folder in mounted:
        subprocess.run(["umount", "-l", folder], check=True)


# The graphs of Virtuoso that hold the sample and the tiny film graph.
SAMPLE_GRAPH, FILM_GRAPH = "http://test/sample", "http://test/film"


@pytest.fixture(scope="session")
def virtuoso_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Virtuoso]:
    """Virtuoso, empty at first."""
    if missing := missing_virtuoso():
        pytest.skip(missing)
    server = Virtuoso(tmp_path_factory.mktemp("virtuoso"))
    try:
        yield server.start()
    finally:
        server.stop()


@pytest.fixture(scope="session")
def virtuoso(virtuoso_server: Virtuoso) -> Virtuoso:
    """Virtuoso with the sample that ships, in a graph of its own."""
    virtuoso_server.load(SAMPLE_GRAPH, map(Path, sample_files()))
    return virtuoso_server


@pytest.fixture(scope="session")
def rdflib_endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RdflibEndpoint]:
    """rdflib-endpoint with the sample that ships."""
    server = RdflibEndpoint(tmp_path_factory.mktemp("rdflib"), map(Path, sample_files()))
    yield server
    server.stop()


@pytest.fixture(params=["virtuoso", "rdflib-endpoint"])
def sample_endpoint(request: pytest.FixtureRequest) -> tuple[str, list[str]]:
    """The address of a server with the sample, and the graphs to ask there; of two makes."""
    if request.param == "virtuoso":
        return request.getfixturevalue("virtuoso").url, [SAMPLE_GRAPH]
    return request.getfixturevalue("rdflib_endpoint").url, []


@pytest.fixture
def virtuoso_sample(virtuoso: Virtuoso) -> tuple[str, list[str]]:
    """Virtuoso's address, and the graph that holds the sample."""
    return virtuoso.url, [SAMPLE_GRAPH]


@pytest.fixture(scope="session")
def virtuoso_film(
    virtuoso_server: Virtuoso, tmp_path_factory: pytest.TempPathFactory, film_turtle: str
) -> tuple[str, list[str]]:
    """Virtuoso's address, and the graph that holds the tiny film graph."""
    path = tmp_path_factory.mktemp("film") / "film.ttl"
    path.write_text(film_turtle, encoding="utf-8")
    virtuoso_server.load(FILM_GRAPH, [path])
    return virtuoso_server.url, [FILM_GRAPH]


@pytest.fixture
def page_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for the answers of endpoints, for this test alone; not there yet."""
    folder = tmp_path_factory.mktemp("cache") / "cache"
    monkeypatch.setenv("KGPATH_CACHE", str(folder))
    return folder


@pytest.fixture
def cache_folder(page_cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache for this test alone, in use also for what is learned and computed."""
    monkeypatch.setenv("KGPATH_USE_CACHE", "1")
    return page_cache


@pytest.fixture(scope="session")
def dbpedia(real_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[kgpath.Graph]:
    """The real DBpedia graph, built once even where several processes run the tests."""
    path = tmp_path_factory.getbasetemp().parent / "dbpedia.kg"
    sources = [*sorted((real_data / "dbpedia").glob("*.gz")), real_data / "cpr/webnlg-facts.nt.gz"]
    while not path.exists():
        try:
            kgpath.build(sources, path)
        except NotWritable:  # another process builds it
            time.sleep(1)
    with kgpath.open(path) as kg:
        yield kg
