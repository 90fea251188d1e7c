"""What the links and templates of MediaWiki show to a reader, and which sections are no prose."""

from __future__ import annotations

import re

from kgpath.lexicon.text import without_qualifier

# Links into these are no text: pictures, categories, talk. A leading colon makes any a plain link.
_NAMESPACES = frozenset(
    "file image media category talk user template help portal draft module project "
    "mediawiki special".split()
)
# Wikinews and others link to Wikipedia with these.
_WIKIPEDIA = frozenset({"w", "wikipedia", "en"})
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[a-z]+)*\Z")
# Templates that show what they are given: the number of the argument, counted from 1.
_SHOWN = {
    "nowrap": 1, "nobold": 1, "nobr": 1, "small": 1, "big": 1, "abbr": 1, "lang": 2, "langx": 2,
    "transl": 2, "transliteration": 2, "visible anchor": 1, "vanchor": 1, "quote": 1, "qi": 1,
    "blockquote": 1, "cquote": 1, "underline": 1, "sic": 1, "tq": 1,
}  # fmt: skip
_SIGNS = {
    "'": "’", "'s": "’s", "ndash": "–", "mdash": "—", "snd": " – ", "spnd": " – ",
    "spaced ndash": " – ", "dash": " – ", "nbsp": " ", "spaces": " ", "\"'": "\"'", "'\"": "'\"",
    "!": "|", "=": "=", "usd": "$", "gbp": "£", "£": "£", "€": "€",
}  # fmt: skip
_END_MATTER = frozenset(
    {
        "bibliography", "citations", "external link", "external links", "footnotes",
        "further reading", "notes", "notes and references", "references", "references and notes",
        "related articles", "related news", "related stories", "see also", "sister links",
        "sources", "works cited",
    }
)  # fmt: skip


def link_words(inside: str) -> tuple[str, str]:
    """What ``[[inside]]`` shows, and the title it leads to: empty for what is no article.

    >>> link_words("James Bond in film|Bond"), link_words("File:Bond.jpg|thumb|Bond")
    (('Bond', 'James Bond in film'), ('', ''))
    >>> link_words("Bond (band)|"), link_words("w:Sean Connery|Connery")
    (('Bond', 'Bond (band)'), ('Connery', 'Sean Connery'))
    """
    target, pipe, words = inside.partition("|")
    target = target.strip()
    plain = target.startswith(":")
    target = target.lstrip(":")
    prefix, colon, rest = target.partition(":")
    prefix = prefix.strip().lower()
    if colon and prefix in _WIKIPEDIA:
        target = rest.lstrip(":").strip()
        if target.lower().startswith("en:"):
            target = target[3:]
    elif colon and not plain and (prefix in _NAMESPACES or _LANGUAGE.match(prefix)):
        return "", ""
    if pipe and not words.strip():
        words = without_qualifier(target)
    title = target.partition("#")[0].replace("_", " ").strip()
    shown = words.rpartition("|")[2] if pipe else target
    if "\n\n" in shown:
        return shown, ""  # brackets that were not meant as a link
    return " ".join(shown.split()), title


def shown_by_template(inside: str) -> tuple[str, str]:
    """What ``{{inside}}`` shows, and the title it links to; nothing for most templates.

    >>> shown_by_template("w|Sean Connery|Connery"), shown_by_template("lang|fr|Tour Eiffel")
    (('Connery', 'Sean Connery'), ('Tour Eiffel', ''))
    """
    name, *arguments = inside.split("|")
    name = " ".join(name.replace("_", " ").split()).lower()
    if name in _SIGNS:
        return _SIGNS[name], ""
    given = [part.strip() for part in arguments if not re.match(r"\s*[\w -]+=", part)]
    if name == "w":  # Wikinews links to Wikipedia with it
        if not given or not given[0]:
            return "", ""
        title = given[0].partition("#")[0].replace("_", " ").strip()
        return " ".join(given[1 if len(given) > 1 and given[1] else 0].split()), title
    number = _SHOWN.get(name, 0)
    numbered = [part.partition("=")[2] for part in arguments if part.strip().startswith("1=")]
    if number == 1 and not given and numbered:
        return numbered[0].strip(), ""
    return (given[number - 1], "") if 0 < number <= len(given) else ("", "")


def is_end_matter(heading: str) -> bool:
    """Whether a section holds references and links, not prose.

    >>> is_end_matter("See also"), is_end_matter("Plot")
    (True, False)
    """
    return heading.strip().lower() in _END_MATTER
