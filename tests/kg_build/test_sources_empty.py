"""Files that say nothing in a valid way: fine beside others, refused alone."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

import kgpath
from kgpath.errors import BadSource

FACTS = "<http://x/a> <http://x/p> <http://x/b> .\n"
RDF = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/>'


@pytest.mark.parametrize(
    ("name", "text"),
    [("e.nt", ""), ("e.nq", ""), ("e.ttl", " \n"), ("e.nt", "# nothing\n"), ("e.ttl", "# x\n"),
     ("e.nq", "# nothing"), ("e.rdf", RDF), ("e.ttl", "@prefix a: <http://a/> .")],
)  # fmt: skip
def test_a_valid_file_without_statements_is_fine_beside_another(
    name: str, text: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(text)
    (tmp_path / "facts.nt").write_text(FACTS)
    for order in ([name, "facts.nt"], ["facts.nt", name]):
        built = kgpath.build([tmp_path / one for one in order], tmp_path / "x.kg")
        assert (built.edges, built.malformed) == (1, 0)
        with kgpath.open(tmp_path / "x.kg") as kg:
            told = {one.name: (one.statements, one.bytes) for one in kg.store.sources()}
        assert told == {name: (0, len(text)), "facts.nt": (1, len(FACTS))}
    with pytest.raises(BadSource, match=rf"^{name} (is empty|holds no statement)"):
        kgpath.build([tmp_path / name, tmp_path / name], tmp_path / "y.kg")


@pytest.mark.parametrize(
    ("name", "text"), [("e.rdf", ""), ("e.tsv", ""), ("e.nt", "what is this\n"), ("e", "")]
)
def test_what_is_no_valid_file_is_refused_beside_any_other(
    name: str, text: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(text)
    (tmp_path / "facts.nt").write_text(FACTS)
    with pytest.raises(BadSource, match=rf"^{name} (is empty|holds no statement)"):
        kgpath.build([tmp_path / "facts.nt", tmp_path / name], tmp_path / "x.kg")


def test_the_empty_files_of_the_w3c_are_read(tmp_path: Path, root: Path) -> None:
    archive = root.parent / "shared" / "data" / "w3c-rdf-tests.tar.gz"
    if not archive.exists():
        pytest.skip("the W3C's tests are not at ../shared/data")
    (tmp_path / "facts.nt").write_text(FACTS)
    with tarfile.open(archive) as files:
        names = [one for one in files.getnames() if "-syntax-file-0" in one]
        files.extractall(tmp_path, [files.getmember(name) for name in names], filter="data")
    assert len(names) >= 9
    for name in names:
        built = kgpath.build([tmp_path / "facts.nt", tmp_path / name], tmp_path / "x.kg")
        assert (built.edges, built.malformed) == (1, 0)
