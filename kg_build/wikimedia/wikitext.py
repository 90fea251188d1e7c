"""The prose of MediaWiki markup: paragraphs by section, with the links in them.

One pass with a stack, so that time grows with the length of the text whatever is left open in it
(a general parser of the markup is several times slower: ``tests/bench/articles.py``). Templates,
tables, files, categories, references and comments are left out; what was opened and never closed
counts as text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from html import unescape
from typing import NamedTuple

from kgpath.kg_build.wikimedia.markup import is_end_matter, link_words, shown_by_template

_DROPPED_TAGS = frozenset(
    "ref math gallery timeline score syntaxhighlight source templatestyles imagemap graph "
    "chem ce mapframe maplink references noinclude dynamicpagelist".split()
)
# Every branch begins with a letter of its own: then the search skips plain text at full speed.
_TOKEN = re.compile(
    r"<!--|</?[a-zA-Z][^<>]*>|\{\{\{?|\{\||\}\}|\|\}(?!\})|\[\[|\]\]"
    r"|\[(?=https?:|ftp:|mailto:|//)|\]|''+|__[A-Z]+__"
)
_HEADING = re.compile(r"(={1,6})(.+?)\1\s*\Z")
_LIST = re.compile(r"[*#:;]+\s*")
_UNTIDY = re.compile(r"\s*\([\s,;]*\)|(?<=\()[\s,;]+|\s{2,}|\s+(?=[.,;:!?)])|^\s+|\s+$")


class WikiLink(NamedTuple):
    """The span ``text[start:end]`` of a paragraph that links to the article of that title."""

    start: int
    end: int
    title: str


class Paragraph(NamedTuple):
    """A paragraph; section 0 is the introduction, ``position`` counts within the section."""

    section: int
    position: int
    text: str
    links: tuple[WikiLink, ...] = ()


def read_wikitext(markup: str) -> list[Paragraph]:
    """The paragraphs of an article's markup.

    >>> text = "'''Dr. No''' is a film with [[Sean Connery|Connery]].{{cn}}"
    >>> for paragraph in read_wikitext(text + "\\n== Plot ==\\nBond travels to [[Jamaica]]."):
    ...     print(paragraph.section, paragraph.text, [link.title for link in paragraph.links])
    0 Dr. No is a film with Connery. ['Sean Connery']
    1 Bond travels to Jamaica. ['Jamaica']
    """
    text, links = _plain(markup)
    return list(_paragraphs(text, links))


class _Frame:
    """Something opened in the markup, and the text in it so far."""

    __slots__ = ("kind", "length", "links", "opening", "parts")

    def __init__(self, kind: str, opening: str) -> None:
        self.kind, self.opening = kind, opening
        self.parts: list[str] = []
        self.length = 0
        self.links: list[WikiLink] = []

    def add(self, text: str) -> None:
        if text:
            self.parts.append(text)
            self.length += len(text)

    def link(self, text: str, title: str) -> None:
        if title and text:
            self.links.append(WikiLink(self.length, self.length + len(text), title))
        self.add(text)

    def take(self, other: _Frame) -> None:
        """Append what is in another frame, with its links."""
        at = self.length
        self.links += [WikiLink(at + s, at + e, title) for s, e, title in other.links]
        self.parts += other.parts
        self.length += other.length

    def text(self) -> str:
        return "".join(self.parts)


def _plain(markup: str) -> tuple[str, list[WikiLink]]:
    """The text without markup; headings, list marks and line ends stay."""
    stack = [_Frame("", "")]
    at = 0
    while match := _TOKEN.search(markup, at):
        stack[-1].add(_text(markup[at : match.start()]))
        token, at = match.group(), match.end()
        if token == "<!--":
            end = markup.find("-->", at)
            at = len(markup) if end < 0 else end + 3
        elif token[0] == "<":
            _tag(stack, token)
        elif token in ("{|", "|}") and not _begins_line(markup, match.start()):
            stack[-1].add(token)
        elif token[0] == "{":
            _open(stack, token[:2], token)
        elif token == "}}":
            _close(stack, "{{", token, _close_template)
        elif token == "|}":
            _close(stack, "{|", token, lambda parent, frame: None)
        elif token in ("[[", "["):
            _open(stack, token, token)
        elif token == "]]":
            _close(stack, "[[", token, _close_link)
        elif token == "]":
            _close(stack, "[", token, _close_url)
        elif token.startswith("'") and len(token) == 4:
            stack[-1].add("'")
        # else quotes of bold and italics, and words that switch something: nothing to show
    stack[-1].add(_text(markup[at:]))
    _flatten(stack, 1)
    return stack[0].text(), stack[0].links


def _begins_line(markup: str, at: int) -> bool:
    """Whether only blanks and marks of lists stand before a place in its line."""
    start = max(0, at - 20)
    line = markup[start:at].rpartition("\n")
    return (bool(line[1]) or not start) and not line[2].strip(" \t:*")


def _text(text: str) -> str:
    return unescape(text).replace("\xa0", " ") if "&" in text or "\xa0" in text else text


def _open(stack: list[_Frame], kind: str, opening: str) -> None:
    """Something is opened; of too many that are open at a time, the outermost was never meant."""
    stack.append(_Frame(kind, opening))
    if len(stack) > _DEEPEST:
        _make_text(stack[0], stack.pop(1))


def _flatten(stack: list[_Frame], keep: int) -> None:
    """Make text of all but the first frames: they were never closed."""
    for frame in stack[keep:]:
        _make_text(stack[keep - 1], frame)
    del stack[keep:]


def _make_text(outer: _Frame, frame: _Frame) -> None:
    outer.add("" if frame.opening.startswith("<") else frame.opening)
    outer.take(frame)


#: What may be open within something when that is closed; anything else keeps it open.
_INSIDE = {"{{": ("[[", "[", "<"), "{|": ("[[", "[", "<", "{{"), "[[": ("[",), "[": ()}
# So much may be open at a time: deeper nesting than this is an attack or an accident.
_DEEPEST = 40


def _close(
    stack: list[_Frame], kind: str, token: str, render: Callable[[_Frame, _Frame], None]
) -> None:
    """Close the latest frame of a kind; a token that closes nothing is text."""
    for depth in range(1, min(len(stack), _DEEPEST)):
        frame = stack[-depth]
        if frame.kind == kind:
            _flatten(stack, len(stack) - depth + 1)
            render(stack[-2], stack.pop())
            return
        if frame.kind not in _INSIDE[kind] and frame.kind[:1] not in _INSIDE[kind]:
            break
    stack[-1].add(token)


def _close_template(parent: _Frame, frame: _Frame) -> None:
    parent.link(*shown_by_template(frame.text()))


def _close_link(parent: _Frame, frame: _Frame) -> None:
    parent.link(*link_words(frame.text()))


def _close_url(parent: _Frame, frame: _Frame) -> None:
    # [http://example.org its words]
    parent.add(frame.text().partition(" ")[2])


def _tag(stack: list[_Frame], token: str) -> None:
    name = re.split(r"[\s/>]", token.strip("</"), maxsplit=1)[0].lower()
    if name in ("br", "p", "hr", "li"):
        stack[-1].add("\n" if name == "p" else " ")
    if name not in _DROPPED_TAGS or token.endswith("/>"):
        return
    if not token.startswith("</"):
        _open(stack, "<" + name, token)
        return
    for depth in range(1, min(len(stack), _DEEPEST)):
        if stack[-depth].kind == "<" + name:
            del stack[-depth:]
            return


def _paragraphs(text: str, links: list[WikiLink]) -> Iterator[Paragraph]:
    section = position = skipping = 0  # skipping: the level of the heading above what is no prose
    waiting = sorted(links, reverse=True)
    for start, end, heading in _blocks(text):
        if heading:
            section, position = section + 1, 0
            words = text[start:end].strip()
            level = len(words) - len(words.lstrip("="))
            if not 0 < skipping < level:
                skipping = level if is_end_matter(words.strip(" =")) else 0
            continue
        own = []
        while waiting and waiting[-1].start < end:
            link = waiting.pop()
            if link.start >= start and link.end <= end:
                own.append(WikiLink(link.start - start, link.end - start, link.title))
        words, kept = _tidy(text[start:end].replace("\n", " "), own)
        if words and not skipping:
            yield Paragraph(section, position, words, tuple(kept))
            position += 1


def _blocks(text: str) -> Iterator[tuple[int, int, bool]]:
    """Where each heading and each paragraph begins and ends; an item of a list is a paragraph."""
    start = at = 0
    for line in text.splitlines(keepends=True):
        end = at + len(line)
        bare = line.rstrip()
        mark = _LIST.match(bare)
        heading = bare.startswith("=") and _HEADING.match(bare)
        if heading or mark or not bare:
            if start < at:
                yield start, at, False
            start = end
            if heading:
                yield at, end, True
            elif mark:
                yield at + mark.end(), end, False
        at = end
    if start < at:
        yield start, at, False


def _tidy(text: str, links: list[WikiLink]) -> tuple[str, list[WikiLink]]:
    """Without the gaps and empty brackets that left-out markup leaves behind."""
    parts: list[str] = []
    cuts: list[tuple[int, int]] = []  # from this place on, so much is gone
    at = gone = 0
    for match in _UNTIDY.finditer(text):
        inside = match.start() > 0 and match.end() < len(text)
        short = " " if inside and match.group().isspace() and len(match.group()) > 1 else ""
        if short and text[match.end()] in ".,;:!?)":
            short = ""
        parts += [text[at : match.start()], short]
        gone += match.end() - match.start() - len(short)
        cuts.append((match.end(), gone))
        at = match.end()
    if not parts:
        return text, links
    parts.append(text[at:])
    ends = [end for end, _ in cuts]

    def moved_to(place: int) -> int:
        at = bisect_right(ends, place)
        return place - (cuts[at - 1][1] if at else 0)

    moved = [WikiLink(moved_to(link.start), moved_to(link.end), link.title) for link in links]
    return "".join(parts), [link for link in moved if link.start < link.end]
