"""Page titles as files have them, and as they are compared."""

from __future__ import annotations

import html
import re
from functools import lru_cache

from kgpath.dialogue.records import NO_PASSAGE
from kgpath.lexicon.text import fold

_MARK = re.compile(r"_gold\s*\Z")
# Letters of UTF-8 that were read as latin-1; some files lost the second half of each.
_MOJIBAKE = re.compile(r"[ÃÂâ]")
_BROKEN_DASH = re.compile(r"â\s+")


@lru_cache(maxsize=1 << 16)
def clean_title(title: str) -> str:
    """A title without what files leave in it: marks, underscores, entities, broken letters.

    >>> clean_title("Ballet_gold"), clean_title("Fish &amp; Chips"), clean_title("The_Cat ")
    ('Ballet', 'Fish & Chips', 'The Cat')
    """
    if title.strip() == NO_PASSAGE:
        return NO_PASSAGE
    text = html.unescape(_MARK.sub("", title)).replace("_", " ")
    if _MOJIBAKE.search(text):
        try:
            text = text.encode("latin-1").decode("utf-8")
        except UnicodeError:
            text = _BROKEN_DASH.sub(" – ", text)
    # Two spaces in a row stand where a bracket was: they are kept for who reads them.
    return text.strip() or title.strip()


@lru_cache(maxsize=1 << 16)
def title_key(title: str) -> str:
    """What two spellings of a title have in common; titles with one key are one page.

    >>> title_key("Athletics (physical culture)") == title_key("Athletics  physical culture ")
    True
    """
    return fold(clean_title(title))
