"""What can go wrong between us and an endpoint: what to try again, and what to tell the user."""

from __future__ import annotations

import email.utils
import re
import socket
import ssl
import time
import urllib.error
from http.client import HTTPException
from typing import Any

from kgpath.errors import BadSource

_SHOWN = 300  # characters of what a server says
_PATIENCE = 6  # further tries, once the endpoint has answered at all
_TOO_MUCH = re.compile(
    r"time[- ]?(d )?out|timeout|exceeds the limit|execution time|more then \d+ rows to sort|memory",
    re.IGNORECASE,
)


class ResultTooLarge(Exception):
    """The endpoint could not answer all of it; a smaller query may do."""

    def __init__(self, said: str) -> None:
        super().__init__(said)
        self.said = said


class TransientError(Exception):
    """Something that may pass: ask again after ``wait`` seconds, or when we see fit."""

    def __init__(
        self, said: str, *, wait: float | None = None, patience: int = 0, too_much: bool = False
    ) -> None:
        super().__init__(said)
        self.said = said
        self.wait = wait
        self._patience = patience
        self._too_much = too_much

    def tries(self, answered: bool) -> int:
        """How often to ask again; a server that never answered yet is soon given up."""
        if self._patience:
            return self._patience
        return _PATIENCE if answered else 1

    def end(self) -> Exception:
        """What it comes to in the end."""
        return ResultTooLarge(self.said) if self._too_much else BadSource(self.said)


def meaning_of(error: Exception, url: str) -> Exception:
    """What an error of the network or of HTTP means."""
    if isinstance(error, urllib.error.HTTPError):
        with error:
            return _of_status(error, url)
    reason = getattr(error, "reason", error)
    if isinstance(reason, ssl.SSLCertVerificationError):
        return BadSource(
            f"The certificate of {url} cannot be trusted: {reason.verify_message}. If the server "
            "is yours, name its certificate: SSL_CERT_FILE=server.pem kgpath …"
        )
    if isinstance(reason, ssl.SSLError):
        return BadSource(f"No safe connection to {url}: {reason.reason or reason}. Is it http://?")
    if isinstance(reason, socket.gaierror):
        return TransientError(f"There is no host of that name, or no network: {url}")
    if isinstance(reason, TimeoutError):
        return TransientError(
            f"{url} did not answer in time. Try later, or a smaller part.",
            patience=1,
            too_much=True,
        )
    if isinstance(reason, ConnectionRefusedError):
        return TransientError(f"Nothing listens at {url}. Is the address right, and the server up?")
    if isinstance(reason, (OSError, HTTPException)):
        detail = getattr(reason, "strerror", None) or str(reason) or type(reason).__name__
        return TransientError(f"The connection to {url} broke: {detail}.")
    return BadSource(f"Cannot ask {url}: {reason}.")


def _of_status(error: urllib.error.HTTPError, url: str) -> Exception:
    code, said = error.code, _said(error)
    says = f" It says: {said}" if said else ""
    if code in (401, 407):
        return BadSource(
            f"{url} wants a name and a password. Give them: --sparql https://NAME:PASSWORD@…"
        )
    if code == 403:
        return BadSource(f"{url} refuses us (403).{says}")
    if code in (404, 410):
        return BadSource(
            f"There is nothing at {url} ({code}). The address of an endpoint mostly ends in /sparql"
        )
    if 300 <= code < 400:
        return BadSource(
            f"{url} sends us on and on, or nowhere ({error.reason}). Name the address it means."
        )
    if code == 429 or (code == 503 and error.headers.get("Retry-After")):
        return TransientError(
            f"{url} is too busy for us ({code}).{says} Try later: what was fetched is cached.",
            wait=retry_after(error.headers.get("Retry-After")),
            patience=_PATIENCE,
        )
    if code in (408, 413, 414, 504) or _TOO_MUCH.search(said):
        return TransientError(f"{url} could not answer ({code}).{says}", patience=1, too_much=True)
    if code >= 500:
        wait = retry_after(error.headers.get("Retry-After"))
        return TransientError(f"{url} failed ({code}).{says}", wait=wait, patience=3, too_much=True)
    return BadSource(f"{url} does not take the query ({code}).{says}")


def retry_after(value: str | None, now: float | None = None) -> float | None:
    """Seconds to wait: a number, or a date as HTTP writes it.

    >>> retry_after("7"), retry_after("Thu, 01 Jan 1970 00:01:00 GMT", now=50.0), retry_after("x")
    (7.0, 10.0, None)
    """
    if not value:
        return None
    if value.strip().isdecimal():
        return float(value)
    try:
        date = email.utils.parsedate_to_datetime(value)
    except (TypeError, ValueError):
        return None
    return max(0.0, date.timestamp() - (time.time() if now is None else now))


def _said(error: Any) -> str:
    """The beginning of a server's message, in one line; a web page says nothing."""
    try:
        text = error.read(4000).decode("utf-8", "replace")
    except (OSError, HTTPException):
        return ""
    if re.match(r"\s*<(!doctype|html)", text, re.IGNORECASE):
        return ""
    text = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return text if len(text) <= _SHOWN else text[:_SHOWN] + " …"
