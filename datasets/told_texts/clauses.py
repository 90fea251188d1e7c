"""English grammar by rule: subjects, relative clauses, participles and denials of a pattern."""

from __future__ import annotations

import re

_FINITE = frozenset(
    "is was are were has had wrote made led won sang ran took came fought flew held grew left went "
    "built drew kept bore sold gave got became spent met set shot cut wore rode tells told saw "
    "lost belongs rose put thought brought stood sat gets lies lives taught learned owed blew "
    "raised "
    "bought chose picked hired parted can used spoke broadcast".split()
)
_NO_VERBS = frozenset("s as its".split())
_BY = re.compile(
    r"^(?:is|was) ((?:\w+ed|born|written|made|shot|cut|run|led|set|held|built|won|given|sold) "
    r"(?:by|in|at|on|from|after|to|of|with|under) .*)"
)
_PLAIN = dict(
    zip(
        "wrote made led won sang ran took came fought flew held grew left went built drew kept "
        "bore sold gave got became spent met shot wore rode told saw lost rose thought brought "
        "stood sat taught blew bought chose had has died lies owed scored hired sired welcomed "
        "refereed programmed distributed raised supervised handled settled spoke".split(),
        "write make lead win sing run take come fight fly hold grow leave go build draw keep "
        "bear sell give get become spend meet shoot wear ride tell see lose rise think bring "
        "stand sit teach blow buy choose have have die lie owe score hire sire welcome "
        "referee programme distribute raise supervise handle settle speak".split(),
        strict=True,
    )
)
_WITH_E = re.compile(r"([cvzu]|leas|pos|pir|ag|creat|narrat|uat|shar|rul)$")
_NOUN = re.compile(r"^(?:is|was) (?:known as )?((?:a|an|the|one) .*)")
_AUXILIARY = re.compile(r"^(is|was|are|were|can)\b ?")


def subject_of(pattern: str) -> str:
    """Role "h" or "t" for a clause that begins with it and goes on with a verb; else empty.

    >>> subject_of("{t} directed {h}"), subject_of("{h} and {t} were married")
    ('t', '')
    """
    match = re.match(r"\{([ht])\} (\w+)", pattern)
    if not match or "'" in pattern[:4]:
        return ""
    verb = match[2]
    finite = verb in _FINITE or (verb.endswith(("s", "ed")) and verb not in _NO_VERBS)
    return match[1] if finite else ""


def predicate(pattern: str) -> str:
    """What a clause says of its subject.

    >>> predicate("{t} directed {h}")
    'directed {h}'
    """
    return pattern[4:]


def participle(said: str) -> str:
    """A predicate without its verb "to be": "directed by {t}"; empty if it has no such form.

    >>> participle("was directed by {t}"), participle("lies in {t}")
    ('directed by {t}', '')
    """
    match = _BY.match(said)
    if not match and said.startswith(("stars ", "features ")):
        return said.replace("stars ", "starring ").replace("features ", "featuring ")
    return match[1] if match else ""


def apposition(said: str) -> str:
    """A predicate as a noun phrase beside its subject: "the capital of {h}"; empty if none.

    >>> apposition("is the capital of {h}")
    'the capital of {h}'
    """
    match = _NOUN.match(said)
    return match[1] if match else ""


def plural(said: str) -> str:
    """A predicate of several subjects; empty where it speaks of one thing only.

    >>> plural("plays in {h}"), plural("is the father of {h}")
    ('play in {h}', '')
    """
    verb, _, rest = said.partition(" ")
    if re.match(r"(a|an|the|one|his|her|its|home) ", rest) or " its " in said:
        return ""
    changed = {
        "is": "are",
        "was": "were",
        "has": "have",
        "can": "can",
        "goes": "go",
        "flies": "fly",
    }
    if verb in changed:
        return f"{changed[verb]} {rest}"
    if verb.endswith("s") and not verb.endswith("ss"):
        return f"{verb[:-1]} {rest}"
    return said


def denied(said: str, word: str) -> str:
    """A predicate that is not so; ``word`` is "not" or "never".

    >>> denied("was directed by {t}", "never"), denied("lies in {t}", "not")
    ('was never directed by {t}', 'does not lie in {t}')
    """
    match = _AUXILIARY.match(said)
    if match:
        return f"{match[1]} {word} {said[match.end() :]}"
    if re.match(r"has (?!the |a |an |its |\{|roots|offices)", said):
        return f"has {word} {said[4:]}"
    if word == "never":
        return f"never {said}"
    verb, _, rest = said.partition(" ")
    if verb.endswith("s"):
        return f"does not {plain_form(verb)} {rest}"
    return f"did not {plain_form(verb)} {rest}"


def plain_form(verb: str) -> str:
    """A verb as it stands after "did not", as far as the patterns need it.

    >>> [plain_form(verb) for verb in ("wrote", "goes", "touches", "produced", "penned", "died")]
    ['write', 'go', 'touch', 'produce', 'pen', 'die']
    """
    if verb in _PLAIN:
        return _PLAIN[verb]
    if verb.endswith(("ches", "shes", "sses", "goes")):
        return verb[:-2]
    if verb.endswith("ies"):
        return verb[:-3] + "y"
    if verb.endswith("s"):
        return verb[:-1]
    if not verb.endswith("ed"):
        return verb  # "cut", "put", "set"
    stem = verb[:-2]
    if stem.endswith("i"):
        return stem[:-1] + "y"
    if stem[-1] == stem[-2] and stem[-1] in "bdgmnprt":
        return stem[:-1]
    return stem + "e" if _WITH_E.search(stem) else stem


def asked(pattern: str) -> str:
    """A clause as a question that its verb allows; empty if it takes another verb.

    >>> asked("{h} was directed by {t}"), asked("{h} stars {t}")
    ('Was {h} directed by {t}', '')
    """
    if not subject_of(pattern):
        return ""
    match = _AUXILIARY.match(predicate(pattern))
    if not match:
        return ""
    return f"{match[1].capitalize()} {pattern[:3]} {predicate(pattern)[match.end() :]}"


def ends_in_name(words: str) -> bool:
    """Whether an entity is the last that a pattern names, so that a clause can follow it."""
    return bool(re.search(r"\{[ht]\}$", words))


def as_clause(pattern: str) -> str:
    """A pattern as it stands after "that"; empty for one that cannot stand there.

    >>> as_clause("The grave of {h} is in {t}"), as_clause("As its king, {h} has {t}")
    ('the grave of {h} is in {t}', '')
    """
    if subject_of(pattern) or pattern.startswith("{h} and {t} "):
        return pattern
    if pattern.startswith(("As ", "When ", "For ", "It is known")) or ": {" in pattern:
        return ""
    return pattern if pattern.startswith("{") else pattern[:1].lower() + pattern[1:]


def tidy(sentence: str) -> str:
    """Commas and full stops as print has them, and a capital first."""
    text = re.sub(r"\s+", " ", sentence).strip()
    text = re.sub(r",(\s*,)+", ",", text)
    text = re.sub(r",\s*([.?!;:])", r"\1", text)
    text = re.sub(r"\s+([,.?!])", r"\1", text)
    text = re.sub(r"\bthe the\b", "the", text, flags=re.IGNORECASE)
    text = re.sub(r"\b(a|the) the ([A-Z])", r"\1 \2", text)
    text = re.sub(r"\b([Aa]) (?=[aeio])", r"\1n ", text)
    text = text.replace("..", ".").replace("s's ", "s' ")
    return text[:1].upper() + text[1:]
