"""Sends queries to a SPARQL endpoint, one at a time: politely, again when it fails, within limits.

SPARQLWrapper writes the requests; they are sent by an opener of our own, because its default one
loses the query in a redirect and the waiting time in a refusal.
"""

from __future__ import annotations

import os
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any, TypeVar
from urllib.parse import unquote, urlsplit, urlunsplit

from SPARQLWrapper import GET, POST, POSTDIRECTLY, URLENCODED, SPARQLWrapper

from kgpath import __version__
from kgpath.errors import BadOption, BadSource
from kgpath.kg_build.sparql.body import read_body
from kgpath.kg_build.sparql.errors import ResultTooLarge, TransientError, meaning_of
from kgpath.kg_build.sparql.page_cache import Reply

T = TypeVar("T")

_SHORT = 1500  # characters of a query that still goes into an address
_LONGEST_WAIT = 300.0  # seconds that an endpoint may ask us to wait
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_RATE = 5.0  # requests a second, to a machine that is not ours
# A server that decodes a form twice would not find what has %25 in its name.
_PROBE = 'SELECT ("%25" AS ?x) WHERE { }'


@dataclass(frozen=True)
class Endpoint:
    """Where to ask: the address without a password, the graphs to ask, and how hard to try."""

    url: str
    graphs: tuple[str, ...] = ()
    user: str = ""
    password: str = ""
    timeout: int = 60  # seconds
    rate: float = 0.0  # requests a second; 0: five, or as many as we like on this machine

    @classmethod
    def at(cls, url: str, graphs: tuple[str, ...] = (), **rest: Any) -> Endpoint:
        """From an address as a user types it, perhaps with ``user:password@`` in it."""
        try:
            parts = urlsplit(url)
            host, port = parts.hostname, parts.port
        except ValueError as error:
            raise BadOption(f"{url} is not an address: {error}.") from None
        if parts.scheme not in ("http", "https") or not host or not url.isprintable():
            raise BadOption(
                f"{url!r} is not the address of an endpoint. "
                "Write it like: https://dbpedia.org/sparql"
            )
        place = f"[{host}]" if ":" in host else host
        netloc = place if port is None else f"{place}:{port}"
        plain = urlunsplit((parts.scheme, netloc, parts.path, parts.query, ""))
        user, password = (unquote(part or "") for part in (parts.username, parts.password))
        return cls(plain, graphs, user, password, **rest)

    @property
    def pause(self) -> float:
        """Seconds between two requests."""
        if not self.rate and urlsplit(self.url).hostname in _LOOPBACK:
            return 0.0
        return 1 / (self.rate or _RATE)


class Client:
    """One endpoint, which gets one query after the other."""

    def __init__(self, endpoint: Endpoint, sleep: Callable[[float], object] = time.sleep) -> None:
        self.endpoint = endpoint
        self.requests = 0
        self._sleep = sleep
        self._opener = urllib.request.build_opener(_SameAgain)
        self._answered = False
        self._last = 0.0
        self._post: str | None = None  # how long queries are sent; unknown at first

    def ask(self, query: str, accept: str, read: Callable[[Reply], T]) -> tuple[Reply, T]:
        """The answer, and what ``read`` makes of it; TransientError from it means: ask again.

        ResultTooLarge means that a smaller query may be answered.
        """
        if len(query) > _SHORT and self._post is None:
            self._post = self._way_to_post()
        try:
            return self._tried(query, accept, read, self._post if len(query) > _SHORT else None)
        except ResultTooLarge as error:
            # Too much, or is nobody there any more? Then no smaller query would do either.
            try:
                self._once(_PROBE, accept, None)
            except (TransientError, BadSource):
                raise BadSource(error.said) from error
            raise

    def _tried(
        self, query: str, accept: str, read: Callable[[Reply], T], post: str | None
    ) -> tuple[Reply, T]:
        failures = 0
        while True:
            try:
                reply = self._once(query, accept, post)
                made = read(reply)
            except TransientError as error:
                failures += 1
                if failures > error.tries(self._answered):
                    raise error.end() from error
                self._wait(error, failures)
            else:
                self._answered = True
                return reply, made

    def _wait(self, error: TransientError, failures: int) -> None:
        wait = error.wait
        if wait is not None and wait > _LONGEST_WAIT:
            raise BadSource(
                f"{self.endpoint.url} asks to come back in {wait:,.0f} seconds. Start again then: "
                "what was fetched so far is cached."
            )
        self._sleep(2.0 ** (failures - 1) if wait is None else wait)

    def _once(self, query: str, accept: str, post: str | None) -> Reply:
        wrapper = _Wrapper(self.endpoint.url, agent=_agent())
        wrapper.opener = self._opener
        wrapper.setOnlyConneg(True)
        wrapper.addCustomHttpHeader("Accept", accept)
        wrapper.addCustomHttpHeader("Accept-Encoding", "gzip")
        if self.endpoint.user:
            wrapper.setCredentials(self.endpoint.user, self.endpoint.password)
        for graph in self.endpoint.graphs:
            wrapper.addDefaultGraph(graph)
        wrapper.setTimeout(self.endpoint.timeout)
        wrapper.setQuery(query)
        wrapper.setMethod(POST if post else GET)
        wrapper.setRequestMethod(post or URLENCODED)
        self._take_turn()
        self.requests += 1
        try:
            with wrapper.query().response as response:
                return read_body(response, self.endpoint.url)
        except (OSError, HTTPException) as error:
            raise meaning_of(error, self.endpoint.url) from error

    def _take_turn(self) -> None:
        now = time.monotonic()
        early = self._last + self.endpoint.pause - now
        if early > 0:
            self._sleep(early)
        self._last = time.monotonic()

    def _way_to_post(self) -> str:
        """How this server takes long queries; the standard has two ways, and some know one."""
        for way in (URLENCODED, POSTDIRECTLY):
            try:
                reply, _ = self._tried(_PROBE, "application/sparql-results+json", len, way)
            except (ResultTooLarge, BadSource):
                continue
            if b'"%25"' in reply.body:
                return str(way)
        return str(URLENCODED)  # ask() finds out what is wrong, and says it


class _Wrapper(SPARQLWrapper):
    """SPARQLWrapper with an opener of its own, and errors left as they are."""

    opener: urllib.request.OpenerDirector

    def _query(self) -> tuple[Any, str]:
        request = self._createRequest()
        return self.opener.open(request, timeout=self.timeout), self.returnFormat


class _SameAgain(urllib.request.HTTPRedirectHandler):
    """Sends the same query on where a redirect leads: the default forgets it."""

    max_redirections = 5
    max_repeats = 2

    def redirect_request(
        self, req: urllib.request.Request, fp: Any, code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        old, new = urlsplit(req.full_url), urlsplit(newurl)
        if old.scheme == "https" and new.scheme != "https":
            raise urllib.error.HTTPError(
                req.full_url, code, f"redirect to an unsafe address, {newurl}", headers, fp
            )
        sent = {k: v for k, v in req.header_items() if k.lower() not in ("host", "content-length")}
        if old.hostname != new.hostname:
            sent.pop("Authorization", None)
        if req.data is None and not new.query:
            newurl = urlunsplit((*new[:3], old.query, ""))
        again = urllib.request.Request(newurl, data=req.data, headers=sent, unverifiable=True)
        again.timeout = req.timeout
        return again

    http_error_308 = urllib.request.HTTPRedirectHandler.http_error_302


def _agent() -> str:
    contact = os.environ.get("KGPATH_CONTACT", "").strip()
    about = f"; {contact}" if contact.isprintable() and contact else ""
    return f"kgpath/{__version__} (paths of knowledge graphs{about}) SPARQLWrapper"
