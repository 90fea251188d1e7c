"""All of a large answer in small pages: by key instead of OFFSET, checked against COUNT.

Endpoints cut long answers off without a word. A page is therefore counted, unless it has fewer
rows than one that is known to be whole: then it cannot have been cut. How large the next page is
depends on earlier answers alone, so that a run which takes them from disk asks the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pyoxigraph import BlankNode, Literal, NamedNode, Quad

from kgpath.errors import BadSource
from kgpath.kg_build.report import Report
from kgpath.kg_build.sparql.cached_client import CachedClient, is_count
from kgpath.kg_build.sparql.errors import ResultTooLarge
from kgpath.kg_build.sparql.replies import Row, Statements
from kgpath.kg_build.sparql.terms import iris, is_iri, text

_LIST = 10_000  # rows of a list: what DBpedia gives at most
_AIM = 2_500  # statements of a page
_BATCH = 250  # things asked about at once, at first
_LARGEST_BATCH = 1_000
_ENDLESS = 50_000_000


@dataclass(frozen=True)
class QueryTemplate:
    """A query about things: a pattern over ?s ?p ?o in which ``about`` stands for the thing."""

    where: str
    about: str = "s"

    def construct(self, things: Sequence[str]) -> str:
        return f"CONSTRUCT {{ ?s ?p ?o }} WHERE {{ {self._of(things)} }}"

    def count(self, things: Sequence[str]) -> str:
        """Statements, not rows: one that stands in two graphs counts once."""
        inner = f"SELECT DISTINCT ?s ?p ?o WHERE {{ {self._of(things)} }}"
        return f"SELECT (COUNT(*) AS ?n) WHERE {{ {{ {inner} }} }}"

    def count_each(self, things: Sequence[str]) -> str:
        thing = f"?{self.about}"
        return f"SELECT {thing} (COUNT(*) AS ?n) WHERE {{ {self._of(things)} }} GROUP BY {thing}"

    def of_one(self, thing: str) -> str:
        """The pattern for a single thing."""
        return self._of([thing])

    def _of(self, things: Sequence[str]) -> str:
        return f"VALUES ?{self.about} {{ {iris(things)} }} {self.where}"


class Pages:
    """Pages of an endpoint's answers."""

    def __init__(self, client: CachedClient) -> None:
        self.client = client
        self._batch = _BATCH
        self._aim = _AIM
        self._whole = 0  # rows of the largest page that is known to be whole

    def listed(self, pattern: str) -> Iterator[list[str]]:
        """All IRIs ?s of a pattern, in the endpoint's order of their texts."""
        pattern += " FILTER(isIRI(?s))"
        expected = self._count(f"SELECT (COUNT(DISTINCT ?s) AS ?n) WHERE {{ {pattern} }}")
        size, last, found = _LIST, "", 0
        before: set[str] = set()
        while expected is None or found < expected:
            beyond = f" FILTER({_key('s')} > {text(last)})" if last else ""
            query = _sorted("?s", f"{pattern}{beyond}", _key("s"), size)
            try:
                rows = self._rows_of(query, 1)
            except ResultTooLarge as error:
                size = _half(size, error)
                continue
            page = [row[0].value for row in rows if row and row[0] is not None]
            if not page:
                break
            if not before.isdisjoint(page) or found > _ENDLESS:
                raise BadSource(f"{self.client.url} gives the same rows again and again.")
            before, last = set(page), page[-1]
            found += len(page)
            yield [iri for iri in page if is_iri(iri)]
        self._check_whole(found, expected)

    def facts(self, things: Iterable[str], template: QueryTemplate) -> Iterator[Statements]:
        """The statements about each of the things."""
        waiting = list(things)
        at = 0
        while at < len(waiting):
            batch = waiting[at : at + self._batch]
            try:
                page = self.client.statements(template.construct(batch))
            except ResultTooLarge as error:
                if len(batch) == 1:
                    yield from self._hub(batch[0], template)
                    at += 1
                else:
                    self._batch = _half(len(batch), error)
                continue
            rows = len(page.quads) + page.report.malformed
            if rows >= self._whole:  # as many may be just where it cuts
                expected = self._count(template.count(batch))
                if expected is not None and rows < expected:  # cut off
                    self._aim = max(1, min(self._aim, rows // 2))
                    hubs = self._hubs(batch, template, rows // 2)
                    for thing in sorted(hubs):
                        yield from self._hub(thing, template)
                    waiting[at : at + len(batch)] = [one for one in batch if one not in hubs]
                    self._batch = max(1, len(batch) // 2)
                    continue
                self._whole = rows
            yield page
            at += len(batch)
            self._batch = self._next_batch(len(batch), rows)

    def degrees(self, things: Iterable[str], template: QueryTemplate) -> dict[str, int]:
        """How many facts each of the things has."""
        waiting = list(things)
        found = dict.fromkeys(waiting, 0)
        size = _BATCH
        while waiting:
            batch = waiting[:size]
            try:
                rows = self._rows_of(template.count_each(batch), 2)
            except ResultTooLarge as error:
                size = _half(len(batch), error)
                continue
            counts = {one.value: _number(n) for one, n in rows if isinstance(one, NamedNode)}
            found.update({one: n for one, n in counts.items() if one in found})
            # Those without an answer have no facts, unless the answer was cut off: ask again.
            rest = [one for one in batch if one not in counts]
            waiting = (rest if len(rest) < len(batch) else []) + waiting[size:]
        return found

    def _rows_of(self, query: str, columns: int) -> list[Row]:
        answer = self.client.rows(query)
        if len(answer.variables) != columns:
            raise self._other_columns()
        return answer.rows

    def _other_columns(self) -> BadSource:
        return BadSource(f"{self.client.url} answers with other columns than asked for.")

    def rows(self, variables: Sequence[str], where: str, prologue: str = "") -> Iterator[list[Row]]:
        """The distinct rows of a pattern, in the order of their texts."""
        names = " ".join(f"?{name}" for name in variables)
        keys = [_key(name) for name in variables]
        distinct = f"SELECT DISTINCT {names} WHERE {{ {where} }}"
        expected = self._count(f"{prologue} SELECT (COUNT(*) AS ?n) WHERE {{ {{ {distinct} }} }}")
        size, beyond, found = _LIST, "", 0
        before: set[Row] = set()
        while expected is None or found < expected:
            query = f"{prologue} {_sorted(names, where + beyond, ' '.join(keys), size)}"
            try:
                answer = self.client.rows(query)
            except ResultTooLarge as error:
                size = _half(size, error)
                continue
            if answer.variables != tuple(variables):
                raise self._other_columns()
            # Texts may be equal where terms are not ("Paris"@en, "Paris"@fr): the last ones of a
            # page are asked for again.
            page = [row for row in answer.rows if row not in before]
            if not page:
                break
            before = set(answer.rows)
            last = [text(value.value if value else "") for value in answer.rows[-1]]
            beyond = f" FILTER({_not_before(keys, last)})"
            found += len(page)
            if found > _ENDLESS:
                raise BadSource(f"{self.client.url} answers with pages without end.")
            yield page
        self._check_whole(found, expected)

    def _hubs(self, batch: list[str], template: QueryTemplate, most: int) -> set[str]:
        """Those that have so many facts that they fill a page alone; one alone is such a one."""
        if len(batch) == 1:
            return set(batch)
        counted = self.degrees(batch, template)
        return {thing for thing in batch if counted[thing] > most}

    def _hub(self, thing: str, template: QueryTemplate) -> Iterator[Statements]:
        """One thing with more facts than fit on a page."""
        other = "o" if template.about == "s" else "s"
        for page in self.rows(("p", other), template.of_one(thing)):
            quads = []
            for predicate, end in page:
                one = NamedNode(thing)
                ends = (one, end) if template.about == "s" else (end, one)
                quads += quad_of((ends[0], predicate, ends[1]))
            yield Statements(quads, Report(self.client.url))

    def _next_batch(self, things: int, rows: int) -> int:
        """As many as give the rows we aim for, but no more than twice or half as many."""
        wanted = self._aim * things // max(rows, 1)
        return max(1, min(max(wanted, things // 2), 2 * self._batch, _LARGEST_BATCH))

    def _count(self, query: str) -> int | None:
        try:
            return self.client.number(query)
        except ResultTooLarge:
            return None

    def _check_whole(self, found: int, expected: int | None) -> None:
        if expected is not None and found < expected:
            raise BadSource(
                f"{self.client.url} said that it has {expected:,} of these and gave {found:,}. "
                "Its data may have changed meanwhile: try again with --refresh."
            )


def quad_of(row: Row) -> list[Quad]:
    """The statement that three terms make; none if they cannot make one."""
    subject, predicate, object_ = row
    if (
        isinstance(subject, NamedNode | BlankNode)
        and isinstance(predicate, NamedNode)
        and isinstance(object_, NamedNode | BlankNode | Literal)
    ):
        return [Quad(subject, predicate, object_)]
    return []


def _key(name: str) -> str:
    """A text to sort by. Virtuoso compares STR() of an IRI wrongly with letters beyond ASCII."""
    return f'CONCAT(COALESCE(STR(?{name}), ""), "")'


def _sorted(names: str, where: str, keys: str, size: int) -> str:
    """A page of distinct rows. Virtuoso sorts them wrongly in one step, with a filter."""
    distinct = f"SELECT DISTINCT {names} WHERE {{ {where} }}"
    return f"SELECT {names} WHERE {{ {{ {distinct} }} }} ORDER BY {keys} LIMIT {size}"


def _half(size: int, error: ResultTooLarge) -> int:
    if size <= 1:
        raise BadSource(error.said) from error
    return size // 2


def _number(value: object) -> int:
    written = getattr(value, "value", "")
    return int(written) if is_count(written) else 0


def _not_before(keys: Sequence[str], last: Sequence[str]) -> str:
    """Keys that come after the last row's, or are the same."""
    ways = []
    for at in range(len(keys)):
        same = [f"{keys[n]} = {last[n]}" for n in range(at)]
        sign = ">=" if at == len(keys) - 1 else ">"
        ways.append(" && ".join([*same, f"{keys[at]} {sign} {last[at]}"]))
    return " || ".join(f"({way})" for way in ways)
