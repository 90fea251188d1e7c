"""One entity of Wikidata's JSON dump as statements of a graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import orjson

from kgpath.kg_build.filters import Filters
from kgpath.kg_build.report import Report
from kgpath.kg_build.wikidata.vocabulary import described, fact, is_name, untagged
from kgpath.storage import statements as st

# Sites whose names end in "wiki" like those of Wikipedia, but which are not.
_FOREIGN = frozenset("commons mediawiki meta sources species wikidata wikimania".split())
_TEXTS = (("labels", st.LABEL), ("descriptions", st.COMMENT), ("aliases", st.ALIAS))


class ParsedBlock(NamedTuple):
    """What a block of lines says, and what was wrong with it: (line, reason, text)."""

    statements: list[tuple[int, str, str, str]]
    entities: int
    left_out: dict[str, int]
    bad: list[tuple[int, str, str]]


def read_block(block: bytes, line: int, languages: tuple[str, ...]) -> ParsedBlock:
    """The entities of some whole lines; ``line`` is the number of the first."""
    rank_of = Filters(languages=languages).language_rank()
    welcome: dict[str, bool] = {}

    def wanted(tag: str) -> bool:
        known = welcome.get(tag)
        if known is None:
            known = welcome[tag] = rank_of(untagged(tag)) is not None
        return known

    statements: list[st.Statement] = []
    report = Report("")
    bad = []
    entities = 0
    for number, text in enumerate(block.split(b"\n"), line):
        text = text.strip().rstrip(b",")
        if len(text) < 2:  # the brackets around all entities, or nothing
            continue
        before = len(statements)
        try:
            statements += _entity(orjson.loads(text), wanted, report)
            entities += 1
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            del statements[before:]
            bad.append((number, _reason(error), text[:200].decode("utf-8", "replace")))
    return ParsedBlock(statements, entities, dict(report.left_out), bad)


def _entity(data: Any, wanted: Callable[[str], bool], report: Report) -> Iterable[st.Statement]:
    name = data["id"]
    if not is_name(name):
        report.left_out["about something else than an item"] += 1
        return []
    subject = described(name)
    found: list[st.Statement] = []
    for key, kind in _TEXTS:
        texts = data.get(key) or {}  # an empty list where there are none
        for tag in texts:
            if wanted(tag):
                value = texts[tag]
                for one in value if kind == st.ALIAS else (value,):
                    found.append((kind, subject, one["value"], untagged(tag)))
    for relation, claims in (data.get("claims") or {}).items():
        for value in _truthy(claims):
            found += fact(name, relation, value, report)
    if name[0] == "Q":
        found += _titles(subject, data.get("sitelinks") or {}, wanted)
    for _, _, value, extra in found:
        if type(value) is not str or type(extra) is not str:
            raise TypeError("a text that is no text")
    return found


def _truthy(claims: list[Any]) -> Iterable[str]:
    """The entities that the statements of the best rank name; deprecated ones never count."""
    ranks = [claim["rank"] for claim in claims]
    best = "preferred" if "preferred" in ranks else "normal"
    for claim, rank in zip(claims, ranks, strict=True):
        snak = claim["mainsnak"]
        if rank != best or snak["snaktype"] != "value":
            continue
        value = snak["datavalue"]
        if value["type"] == "wikibase-entityid":
            value = value["value"]
            name = value.get("id") or f"Q{value['numeric-id']}"
            if is_name(name):
                yield name


def _titles(
    subject: str, sitelinks: dict[str, Any], wanted: Callable[[str], bool]
) -> Iterable[st.Statement]:
    for site, link in sitelinks.items():
        if site.endswith("wiki"):
            code = site[:-4]
            tag = code.replace("_", "-")
            if code not in _FOREIGN and wanted(tag):
                yield st.TITLE, subject, link["title"], tag


def _reason(error: Exception) -> str:
    if isinstance(error, orjson.JSONDecodeError):
        return f"not whole JSON ({error})"
    if isinstance(error, KeyError):
        return f"an entity without {error}"
    return f"not an entity of Wikidata ({error})"
