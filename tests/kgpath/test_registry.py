"""Plug-ins by name: known ones are listed, unknown ones answered, strangers welcome."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import ClassVar

import pytest

from kgpath import registry
from kgpath.errors import BadOption, MissingExtra, UnknownName
from kgpath.plugins import CONTEXT_ENCODERS, SOURCES, TEXT_ENCODERS
from kgpath.registry import Entry, Registry, parse_choice


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(
        UnknownName, match=r"No 'xlsx' among the sources\. Known: codex, csv, nq, nt"
    ):
        SOURCES.entry("xlsx")


def test_duplicates_are_refused_naming_both() -> None:
    registry = Registry("toys", Entry("ball", "a:x"), Entry("cube", "b:y", also=("ball",)))
    with pytest.raises(UnknownName, match="Two toys are called 'ball': a:x and b:y"):
        list(registry)


def test_another_name_finds_the_same_entry_but_is_not_listed() -> None:
    assert SOURCES.entry("owl") is SOURCES.entry("rdf")
    assert [entry.name for entry in SOURCES] == sorted(
        {"codex", "csv", "nq", "nt", "rdf", "tsv", "ttl", "wikidata", "wikidata-nt"}
    )


def test_a_missing_extra_says_what_to_install() -> None:
    registry = Registry("toys", Entry("robot", "no_such_module_here:x", extra="neural"))
    with pytest.raises(MissingExtra, match=r'no_such_module_here.*pip install "kgpath\[neural\]"'):
        registry.load("robot")


def test_without_an_extra_the_import_error_is_shown_as_it_is() -> None:
    registry = Registry("toys", Entry("robot", "no_such_module_here:x"))
    with pytest.raises(ModuleNotFoundError):
        registry.load("robot")


@pytest.mark.parametrize("entry", list(SOURCES), ids=lambda entry: entry.name)
def test_every_built_in_loads_and_has_a_line_for_the_user(entry: Entry) -> None:
    assert callable(SOURCES.load(entry.name))
    assert entry.line


def distribution(folder: Path, entry_point: str) -> None:
    """A real installed package: a module and the metadata that pip would write."""
    (folder / "otherpkg.py").write_text(
        "from kgpath.storage.statements import EDGE\n"
        "def read(stream, report):\n"
        "    for line in stream:\n"
        "        report.statements += 1\n"
        "        a, b = line.decode().split()\n"
        "        yield EDGE, 'urn:kg:' + a, 'urn:kg:knows', 'urn:kg:' + b\n"
    )
    info = folder / "otherpkg-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: otherpkg\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[kgpath.sources]\n{entry_point} = otherpkg:read\n")


def run(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    code = f"import sys; sys.path.insert(0, {str(folder)!r})\n{code}"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=folder)


def test_another_package_adds_a_source_that_builds_a_graph(tmp_path: Path) -> None:
    distribution(tmp_path, "pairs")
    (tmp_path / "friends.pairs").write_text("Ann Bob\nBob Cid\n")
    done = run("import kgpath; print(kgpath.build(['friends.pairs'], 'f.kg').edges)", tmp_path)
    assert (done.stdout, done.stderr) == ("2\n", "")


def test_listing_plug_ins_imports_none_of_them(tmp_path: Path) -> None:
    distribution(tmp_path, "pairs")
    code = (
        "from kgpath.plugins import SOURCES\n"
        "print([(e.name, e.line) for e in SOURCES if e.name == 'pairs'])\n"
        "print({'otherpkg', 'pyoxigraph', 'numpy'} & set(sys.modules))"
    )
    assert run(code, tmp_path).stdout == "[('pairs', 'from otherpkg')]\nset()\n"


def test_another_package_cannot_take_the_name_of_a_built_in(tmp_path: Path) -> None:
    distribution(tmp_path, "nt")
    done = run("from kgpath.plugins import SOURCES; list(SOURCES)", tmp_path)
    assert "Two sources are called 'nt'" in done.stderr
    assert "kgpath.kg_build.rdf.ntriples:read_ntriples and otherpkg:read" in done.stderr


def test_an_option_may_have_options_of_its_own() -> None:
    inner = "fused-in(w_cna=0.3, w_sda=0.2)"
    text = "word-vectors(path=a, b)"
    assert parse_choice(f"x(trees=3, context={inner}, path=p(encoder={text}, n=1), seed=2)") == (
        "x",
        {"trees": 3, "context": inner, "path": f"p(encoder={text}, n=1)", "seed": 2},
    )


class Renamed:
    """A plug-in with an option that once had another name."""

    RENAMED_OPTIONS: ClassVar = {"range": "scope"}

    def __init__(self, scope: str = "document") -> None:
        self.scope = scope


def test_the_old_name_of_an_option_works_with_one_notice(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(registry, "_NOTICED", set())
    toys = Registry("toys", Entry("toy", "toy:Toy"))
    monkeypatch.setattr(toys, "load", lambda name: Renamed)
    assert toys.make("toy(range=window)").scope == "window"
    assert toys.make("toy(range=window)").scope == "window"
    assert toys.make("toy(scope=window)").scope == "window"
    notice = "kgpath: range= is called scope= now; the old name goes with the next release\n"
    assert capsys.readouterr().err == notice


def test_an_old_name_is_not_sent_to_an_option_that_the_plug_in_does_not_have(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(registry, "_NOTICED", set())
    with pytest.raises(BadOption, match=r"^fused-in has no option 'range'; it has: "):
        CONTEXT_ENCODERS.make("fused-in(range=document)")
    assert capsys.readouterr().err == ""


def test_the_old_name_in_a_saved_model_works_without_a_word(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(registry, "_NOTICED", set())
    toys = Registry("toys", Entry("toy", "toy:Toy"))
    monkeypatch.setattr(toys, "load", lambda name: Renamed)
    with registry.without_notices():
        assert toys.make("toy(range=window)").scope == "window"
    assert capsys.readouterr().err == ""
    toys.make("toy(range=window)")
    assert "range= is called scope= now" in capsys.readouterr().err


class Typed:
    """A plug-in that says of what kind its options are."""

    LIMITS: ClassVar = {"trees": 1000}

    def __init__(
        self, trees: int = 1, rate: float = 0.1, deep: bool = False, name: str = ""
    ) -> None:
        self.values = trees, rate, deep, name


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ("toy(trees=1000000000000)", "trees is 1000000000000; it can be at most 1,000."),
        ("toy(trees=-1001)", "trees is -1001; it can be at most 1,000."),
        ("toy(trees=10**12)", "trees is '10**12'; it can be a whole number."),
        ("toy(trees=2.5)", "trees is 2.5; it can be a whole number."),
        ("toy(trees=inf)", "trees is inf; it can be at most 1,000."),
        ("toy(trees=)", "trees is ''; it can be a whole number."),
        ("toy(trees=true)", "trees is True; it can be a whole number."),
        (f"toy(rate={'9' * 5000})", "rate is inf; it can be at most 2,147,483,647."),
        ("toy(rate=high)", "rate is 'high'; it can be a number."),
        ("toy(deep=maybe)", "deep is 'maybe'; it can be true or false."),
    ],
)
def test_an_absurd_option_is_refused_in_one_sentence(
    choice: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    toys = Registry("toys", Entry("toy", "toy:Toy"))
    monkeypatch.setattr(toys, "load", lambda name: Typed)
    with pytest.raises(BadOption) as raised:
        toys.make(choice)
    assert str(raised.value) == message


def test_options_come_as_the_plug_in_wants_them(monkeypatch: pytest.MonkeyPatch) -> None:
    toys = Registry("toys", Entry("toy", "toy:Toy"))
    monkeypatch.setattr(toys, "load", lambda name: Typed)
    made = toys.make("toy(trees=1000, rate=1, deep=true, name=300)")
    assert made.values == (1000, 1, True, "300")


def test_a_file_may_be_called_like_a_number() -> None:
    assert TEXT_ENCODERS.make("word-vectors(path=300)").path == Path("300")


@pytest.mark.parametrize("text", ["a(" * 5000 + ")" * 5000, "a" + " " * 100_000 + ")"])
def test_a_choice_of_five_thousand_brackets_is_not_read(text: str) -> None:
    with pytest.raises(BadOption) as raised:
        parse_choice(text)
    assert str(raised.value) == (
        f"Cannot read {text[:40]!r}…: it is longer than 20,000 letters, or nested more than 10 "
        "deep."
    )


@pytest.mark.parametrize("text", ["", "(x=1)", "a(x=1", "a)", "a)(x=1)", "a" + " " * 9_000 + ")"])
def test_what_is_no_choice_is_said_to_be_none(text: str) -> None:
    with pytest.raises(BadOption, match=r"^Cannot read .*Write it like: name\(option=value"):
        parse_choice(text)
