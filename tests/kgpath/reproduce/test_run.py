"""What is made by name or by pattern, and written as soon as it is made."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgpath.errors import BadOption, UnknownName
from kgpath.plugins import REPRODUCTIONS
from kgpath.reproduce.run import names_of, options_of, reproduce
from kgpath.reproduction import Picture, Request, Table

TABLE = Table("one", "One", ("a",), ((1,),))


def test_a_pattern_names_several_in_the_order_of_their_numbers() -> None:
    tables = names_of("ecpr-t*")
    assert tables.index("ecpr-t2") < tables.index("ecpr-t9") < tables.index("ecpr-t10")
    assert names_of("ecpr-t7") == ["ecpr-t7"]
    with pytest.raises(UnknownName, match="Nothing fits 'x\\*'"):
        names_of("x*")


def test_options_are_names_and_values() -> None:
    assert options_of(["alpha = 0.5", "path=a=b"]) == {"alpha": "0.5", "path": "a=b"}
    with pytest.raises(BadOption, match="--set alpha"):
        options_of(["alpha"])


def test_what_was_made_before_a_stop_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(request: Request) -> list[Table]:
        raise KeyboardInterrupt

    made = {"one": lambda request: [TABLE], "two": stopped}
    monkeypatch.setattr(REPRODUCTIONS, "load", made.__getitem__)
    with pytest.raises(KeyboardInterrupt), Request(output=str(tmp_path)) as request:
        reproduce(["one", "two"], request)
    assert (tmp_path / "one.csv").read_text() == "a\n1\n"


def test_a_picture_alone_needs_a_place(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = Picture("p", "P", lambda path: None)
    monkeypatch.setattr(REPRODUCTIONS, "load", lambda name: lambda request: [picture])
    with Request() as request, pytest.raises(BadOption, match="p is a picture: say where"):
        reproduce(["p"], request)
