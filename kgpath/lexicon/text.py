"""Names and texts as words: folding, ways to write a name, tokens, sentences, hashes of words."""

from __future__ import annotations

import hashlib
import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import TYPE_CHECKING
from urllib.parse import unquote

from kgpath.lexicon.stop_words import LITTLE_WORDS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_ASCII_FOLD = {code: chr(code).lower() if chr(code).isalnum() else " " for code in range(128)} | {
    ord("'"): None,
    ord("`"): None,
}
_APOSTROPHES = str.maketrans("", "", "'’ʼ`´")
#: How a name is written: in full, without its bracketed qualifier, by the part before a comma, in
#: full with the words of its qualifier.
FULL, PLAIN, BEFORE_COMMA, QUALIFIED = 0, 1, 2, 3
#: What has more words is no name that a text is searched for.
MOST_WORDS = 100
_LETTERS = 4
_FACTOR = 0x9E3779B97F4A7C15
_WITHOUT_INITIAL = LITTLE_WORDS | {"de"}  # "Rio de Janeiro" is "RJ"


def fold(name: str) -> str:
    """The form in which names are compared: no case, accents, punctuation or extra space.

    A name of symbols alone ("!!!", "☆") would fold to nothing; it is compared as it stands.

    >>> fold("Beyoncé Knowles-Carter")
    'beyonce knowles carter'
    >>> fold("Ocean's Eleven") == fold("oceans eleven")
    True
    """
    if name.isascii():
        if name.isalnum():  # as single words are
            return name.lower()
        return " ".join(name.translate(_ASCII_FOLD).split()) or " ".join(name.split())
    # Folding case can bring back composed letters, and composed letters can hide an apostrophe.
    letters = unicodedata.normalize("NFKD", name.translate(_APOSTROPHES)).casefold()
    letters = unicodedata.normalize("NFKD", letters).translate(_APOSTROPHES)
    kept = (
        character if character.isalnum() else " "
        for character in letters
        if not unicodedata.combining(character)
    )
    return " ".join("".join(kept).split()) or " ".join(name.split())


# Scripts that put no spaces between words, so that each of their signs is taken for a word: Thai,
# Lao, Burmese, Khmer, kana, Chinese signs; and Korean, whose little words are joined to names.
_SIGN = (
    "\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_SIGNS = re.compile(f"[{_SIGN}\uac00-\ud7a3\uff66-\uff9d\u1100-\u115f]")
# A Korean syllable, when folded, is one to three letters.
_FOLDED_WORDS = re.compile(rf"[\u1100-\u115f][\u1160-\u11ff]*|[{_SIGN}]|[^\s\u1100-\u115f{_SIGN}]+")


def folded_words(folded: str) -> list[str]:
    """The words of a folded name, as :func:`tokenize` finds them in a text.

    >>> folded_words(fold("Pulp Fiction")), folded_words(fold("李安"))
    (['pulp', 'fiction'], ['李', '安'])
    """
    return folded.split() if folded.isascii() else _FOLDED_WORDS.findall(folded)


def is_sign(word: str) -> bool:
    """Whether a folded word is a single sign of a script without spaces."""
    return not word.isascii() and _SIGNS.match(word) is not None


def forms(name: str) -> list[str]:
    """The ways to write a name, folded, the full one first."""
    full = fold(name)
    return [full, *(short for _, short in short_forms(name, full))]


def short_forms(name: str, full: str) -> Iterator[tuple[int, str]]:
    """The other ways to write a name, folded; ``full`` is the folded name itself.

    They are shorter, or have their initials with dots or without.
    """
    plain = without_qualifier(name) if "(" in name else name
    folded = full if plain == name else fold(plain)
    if folded != full:
        yield PLAIN, folded
    dotted = _with_other_dots(plain, folded)
    if dotted:
        yield FULL if plain == name else PLAIN, dotted
    before, comma, _ = plain.partition(",")
    if comma and before.strip():
        yield BEFORE_COMMA, fold(before)


_CAPITALS = re.compile(r"\b(?![IVX]+\b)[A-Z]{2,4}\b")
_SINGLE_LETTERS = re.compile(r"\b[a-z](?: [a-z]\b)+")


def _with_other_dots(name: str, folded: str) -> str:
    """A name with its initials in one word, or letter by letter if they are; empty without any.

    >>> _with_other_dots("F.C. Bari 1908", "f c bari 1908")
    'fc bari 1908'
    >>> _with_other_dots("US Navy", "us navy")
    'u s navy'
    """
    if "." in name:
        joined = _SINGLE_LETTERS.sub(lambda run: run.group().replace(" ", ""), folded)
        return joined if joined != folded and " " in joined else ""
    if " " not in name or name.isupper() or not _CAPITALS.search(name):
        return ""
    return fold(_CAPITALS.sub(lambda run: " ".join(run.group()), name))


def without_qualifier(name: str) -> str:
    """A name less what stands in brackets at its end, unless that is all of it.

    >>> without_qualifier("Casino Royale (2006 film)")
    'Casino Royale'
    """
    bare = name.rstrip()
    opening = bare.rfind("(")
    if opening < 0 or not bare.endswith(")") or ")" in bare[opening:-1]:
        return name
    return bare[:opening].rstrip() or name


def similar_key(word: str) -> str:
    """The key shared by words with the same first letters; empty for a short word."""
    return f"{word[:_LETTERS]}*" if len(word) > _LETTERS else ""


def initials_of(words: Sequence[str]) -> str:
    """The initials of a name without its little words; empty if they are too few or too many.

    >>> initials_of(["united", "states", "of", "america"])
    'usa'
    """
    letters = "".join(word[0] for word in words if word not in _WITHOUT_INITIAL)
    return letters if 2 <= len(letters) <= 5 else ""


def initials_key(letters: str) -> str:
    """The key of names with these initials."""
    return f"initials {letters}"


def local_name(iri: str) -> str:
    """The last part of an IRI, decoded: what people see of it when there is no label.

    >>> local_name("http://dbpedia.org/resource/Beyonc%C3%A9")
    'Beyoncé'
    """
    tail = re.split(r"[#/:]", iri.rstrip("#/:"))[-1]
    return unquote(tail) or iri


def entity_label(iri: str) -> str:
    """A readable name for an entity without a label.

    >>> entity_label("http://dbpedia.org/resource/Casino_Royale_(2006_film)")
    'Casino Royale (2006 film)'
    """
    match = re.match(
        r"(?:[a-z][a-z0-9+.-]*://[^/]*/(?:resource|entity|page|wiki)/|urn:kg:)(.+)", iri
    )
    # "AC/DC" and "Alien: Covenant" keep their slash and colon where the IRI's shape is known.
    tail = unquote(match.group(1)) if match else local_name(iri)
    return " ".join(tail.replace("_", " ").split()) or iri


def relation_label(iri: str) -> str:
    """A readable name for a relation or class without a label.

    >>> relation_label("http://dbpedia.org/ontology/musicComposer")
    'music composer'
    """
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", local_name(iri).replace("_", " "))
    return " ".join(word if word.isupper() else word.lower() for word in words.split()) or iri


_ABBREVIATIONS = frozenset(
    "mr mrs ms dr st sr jr prof gen col lt sgt capt rev hon gov sen rep vs etc no vol inc ltd co "
    "corp bros ca cf dept est fig approx feat ft eg ie al op jan feb mar apr jun jul aug sep sept "
    "oct nov dec".split()
)
# Each run of signs is looked at once, from its beginning: time grows with the text alone.
_SENTENCE_END = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’)\]]*+(?=\s)|\n\s*\n")


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Where each sentence of a text begins and ends; a line break between paragraphs ends one too.

    >>> text = "Dr. No is a 1962 film. It was shot in Jamaica."
    >>> [text[start:end] for start, end in sentence_spans(text)]
    ['Dr. No is a 1962 film.', 'It was shot in Jamaica.']
    """
    spans = []
    start = 0
    for end in (*_sentence_ends(text), len(text)):
        piece = text[start:end]
        if piece.strip():
            spans.append((start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())))
        start = end
    return spans


def _sentence_ends(text: str) -> Iterator[int]:
    for match in _SENTENCE_END.finditer(text):
        if not match.group().startswith(".") or "\n" in match.group():
            yield match.end()
            continue
        before = text[max(0, match.start() - 40) : match.start()].split()
        word = before[-1].strip("(\"'“") if before else ""
        initial = len(word) == 1 or "." in word  # "J. R. R.", "U.S."
        following = text[match.end() : match.end() + 40].lstrip()[:1]
        if not (initial or word.lower() in _ABBREVIATIONS or following.islower()):
            yield match.end()


def first_sentence(text: str, limit: int = 300) -> str:
    """The opening sentence of a text, cut at a word where it is longer than ``limit``.

    >>> first_sentence("Dr. No is a 1962 film. It was shot in Jamaica.")
    'Dr. No is a 1962 film.'
    """
    text = text.strip()
    # A sentence that was cut here before does not end before its "…".
    end = next((end for end in _sentence_ends(text) if text[end:] != " …"), len(text))
    text = " ".join(text[:end].split())
    if len(text) <= limit:
        return text
    return (text[: limit - 2].rsplit(" ", 1)[0].rstrip(" ,;:") + " …").strip()


_JOINTS = frozenset("'’ʼ`´")
#: The later letters of Korean syllables, and the two marks of narrow kana.
_LATER = frozenset(map(chr, (*range(0x1160, 0x1200), 0xFF9E, 0xFF9F)))
_OTHER, _LETTER, _ALONE, _JOINT, _ACCENT = range(1, 6)


@dataclass(frozen=True)
class Tokens:
    """The words of a text, folded, with where each begins and ends in it.

    ``signs`` are the places of those that are one sign of a script without spaces.
    """

    words: list[str]
    starts: list[int]
    ends: list[int]
    signs: list[int] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.words)


def tokenize(text: str) -> Tokens:
    """Split a text into the words by which names are compared.

    A word is a run of letters and digits; an apostrophe within one belongs to it, and so does an
    accent written apart. Scripts that put no spaces between words have one word for each sign.

    >>> tokenize("Ocean's Eleven, 2001").words
    ['oceans', 'eleven', '2001']
    >>> tokenize("在Pulp Fiction中").words
    ['在', 'pulp', 'fiction', '中']
    """
    import numpy as np

    # With a space on either side, so that every character has one before and one after it.
    codes = np.frombuffer(f" {text} ".encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    kind = _kinds(codes)
    inside = kind == _LETTER
    begins = ends = None
    signs: list[int] = []
    marks = np.flatnonzero(kind > _LETTER)
    if len(marks):
        what = kind[marks]
        alone = kind == _ALONE if (what == _ALONE).any() else None
        if alone is not None:
            inside |= alone
        for place in marks[what == _ACCENT].tolist():  # it belongs to what is before
            inside[place] = inside[place - 1]
            if alone is not None:
                alone[place] = alone[place - 1]
        joints = marks[what == _JOINT]
        inside[joints] = inside[joints - 1] & (kind[joints + 1] == _LETTER)
        if alone is not None:
            inside[joints] &= ~alone[joints - 1]
            first = inside[1:] & ~((kind[1:] == _ACCENT) & inside[:-1])
            first &= ~inside[:-1] | alone[1:] | alone[:-1]
            begins = np.flatnonzero(first)
            ends = np.flatnonzero(inside[:-1] & (~inside[1:] | first))
            signs = np.flatnonzero(alone[1:][begins]).tolist()
    if begins is None or ends is None:
        edges = np.flatnonzero(inside[1:] != inside[:-1])
        begins, ends = edges[::2], edges[1::2]
    starts, stops = begins.tolist(), ends.tolist()
    # Most words are plain letters and digits: it is enough to write them small, all at once.
    # İ is the only character that becomes two by that.
    small = text.replace("İ", "i").lower()
    words = list(map(small.__getitem__, map(slice, starts, stops)))
    others = np.flatnonzero(inside & ((codes > 127) | (kind > _LETTER))) - 1
    for word in set((np.searchsorted(begins, others, side="right") - 1).tolist()):
        words[word] = _folded(text[starts[word] : stops[word]])
    return Tokens(words, starts, stops, signs)


def _kinds(codes: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """What each character is to the tokenizer, asked once for each that ever occurs."""
    table = _kind_table()
    kinds = table[codes]
    if not kinds.all():
        for code in set(codes[kinds == 0].tolist()):
            table[code] = _kind(chr(code))
        kinds = table[codes]
    return kinds


@cache
def _kind_table() -> NDArray[np.uint8]:
    import numpy as np

    return np.zeros(sys.maxunicode + 1, dtype=np.uint8)  # takes memory only where it is written


def _kind(character: str) -> int:
    # What folding drops belongs to what is before, and so do the later letters of a syllable.
    if unicodedata.combining(character) or character in _LATER:
        return _ACCENT
    if character.isalnum():
        return _ALONE if _SIGNS.match(character) else _LETTER
    return _JOINT if character in _JOINTS else _OTHER


@lru_cache(maxsize=1 << 16)
def _folded(word: str) -> str:
    return fold(word)  # texts use the same words again and again


def windows(spans: Iterable[tuple[int, int]], size: int, length: int) -> list[tuple[int, int]]:
    """The tokens up to ``size`` before and after each span of tokens, overlaps merged.

    >>> windows([(10, 12), (20, 21), (90, 91)], size=5, length=100)
    [(5, 26), (85, 96)]
    """
    merged: list[tuple[int, int]] = []
    for first, last in sorted(spans):
        start, end = max(0, first - size), min(length, last + size)
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(merged[-1][1], end)
        else:
            merged.append((start, end))
    return merged


def initials_in(text: str, tokens: Tokens) -> Iterator[tuple[str, int, int]]:
    """Words in capitals, and single capitals in a row with dots: "UK", "U.S.", "J. R. R.".

    With the first token of each and the one after its last.
    """
    run, begin, end = "", 0, -1
    for place, (start, stop) in enumerate(zip(tokens.starts, tokens.ends, strict=True)):
        surface = text[start:stop]
        if len(surface) == 1 and surface.isupper():
            joined = run and text[end:start].strip() == "."
            if not joined:
                if len(run) > 1:
                    yield run.lower(), begin, begin + len(run)
                run, begin = "", place
            run += surface
            end = stop
            continue
        if len(run) > 1:
            yield run.lower(), begin, begin + len(run)
        run = ""
        if 2 <= len(surface) <= 5 and surface.isupper():
            yield surface.lower(), place, place + 1
    if len(run) > 1:
        yield run.lower(), begin, begin + len(run)


def word_hashes(words: Sequence[str]) -> NDArray[np.uint64]:
    """A 64-bit hash of each word, the same on every machine."""
    import numpy as np

    return np.fromiter(map(_word_hash, words), dtype=np.uint64, count=len(words))


@lru_cache(maxsize=1 << 18)
def _word_hash(word: str) -> int:
    return int.from_bytes(word_digest(word))


def word_digest(word: str) -> bytes:
    """The hash of a word as bytes."""
    return hashlib.blake2b(word.encode("utf-8", "replace"), digest_size=8).digest()


def name_hash(words: Sequence[str]) -> np.uint64:
    """The hash of a word group."""
    import numpy as np

    combined = np.zeros(1, dtype=np.uint64)
    for one in word_hashes(words):
        combined = longer_hash(combined, np.array([one]))
    return np.uint64(combined[0])


def longer_hash(sofar: NDArray[np.uint64], word: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The hash of a word group that is one word longer."""
    import numpy as np

    return sofar * np.uint64(_FACTOR) + word  # wraps round, as a hash should
