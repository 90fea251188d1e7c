"""The front door: few names, each found by completion, each with a signature that says it all."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

import kgpath


def test_completion_shows_what_is_exported_and_nothing_else() -> None:
    import kgpath.paths.finder

    assert sorted(dir(kgpath)) == sorted([*kgpath.__all__, "__version__"])
    assert set(kgpath.__all__) == set(kgpath._PLACES)


@pytest.mark.parametrize("name", kgpath.__all__)
def test_every_name_is_there_and_says_what_it_is(name: str) -> None:
    assert getattr(kgpath, name).__doc__


def test_an_unknown_name_is_an_error() -> None:
    with pytest.raises(AttributeError, match="module 'kgpath' has no attribute 'opne'"):
        kgpath.opne  # noqa: B018


def public_callables() -> list[tuple[str, object]]:
    functions = [(n, getattr(kgpath, n)) for n in kgpath.__all__ if n not in ("errors", "Entity")]
    methods = [
        (f"Graph.{name}", method)
        for name, method in inspect.getmembers(kgpath.Graph, inspect.isfunction)
        if not name.startswith("_")
    ]
    return [*functions, *methods]


@pytest.mark.parametrize(("name", "function"), public_callables())
def test_signatures_say_what_can_be_given(name: str, function: object) -> None:
    for parameter in inspect.signature(function).parameters.values():  # type: ignore[arg-type]
        assert parameter.kind not in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL), parameter
        assert parameter.name == "self" or parameter.annotation is not parameter.empty, parameter


def test_one_graph_class(film_path: Path) -> None:
    with kgpath.open(film_path) as kg:
        assert type(kg) is kgpath.Graph


def test_a_graph_shows_what_users_need(film: kgpath.Graph) -> None:
    assert sorted(name for name in dir(film) if not name.startswith("_")) == [
        "aliases", "classes", "close", "context", "derived", "entity", "find", "fingerprint",
        "index", "iter_paths", "mentions", "neighbours", "pairs", "path", "paths", "query",
        "relation", "relations", "retriever", "shorten", "store", "text", "to_networkx",
        "to_rdflib", "types",
    ]  # fmt: skip


def test_defaults_are_those_of_the_engine() -> None:
    from dataclasses import fields

    from kgpath.paths.finder import PathOptions

    engine = {field.name: field.default for field in fields(PathOptions)}
    for method in (
        kgpath.Graph.paths,
        kgpath.Graph.query,
        kgpath.Graph.retriever,
        kgpath.Graph.pairs,
    ):
        for name, parameter in inspect.signature(method).parameters.items():
            if name in engine and name not in ("limit", "text"):
                assert parameter.default == engine[name], (method, name)
    assert inspect.signature(kgpath.Graph.paths).parameters["limit"].default == engine["limit"]
