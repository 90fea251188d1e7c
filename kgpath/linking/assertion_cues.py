"""English words that deny, ask or suppose, how far they reach, and where they stop."""

from __future__ import annotations

from typing import NamedTuple

SAID, DENIED, ASKED, SUPPOSED = range(4)
#: How far a cue reaches: nowhere, to the end of its clause, to the names next to it, back to the
#: beginning, back and to the end, or on from the next question word.
NOWHERE, AHEAD, NAMES, BACK, AROUND, QUESTION = range(6)

#: Cues, split by commas; words with a slash between them may stand for each other.
CUES = {
    (DENIED, AHEAD): (
        "not, never, cannot, cant, couldnt, didnt, doesnt, dont, hadnt, hasnt, havent, isnt, "
        "arent, wasnt, werent, wont, wouldnt, no, none, nobody, nothing, nowhere, neither, nor, "
        "no one, has/have/had/is/are yet to, fail/fails/failed/failing to, "
        "refuse/refuses/refused/refusing to, deny/denies/denied/denying, "
        "falsely/wrongly/mistakenly/erroneously/incorrectly "
        "said/stated/claimed/credited/listed/named/reported/attributed/thought/believed, "
        "contrary to, far from, in no way, "
        "myth/lie/misconception/hoax that, "
        "is/was/are/were a/an myth/lie/misconception/hoax that, is/was false/untrue/wrong that"
    ),
    (DENIED, NAMES): "instead of, rather than, except, except for, without",
    (DENIED, BACK): (
        "is/was/are/were/be/been false/untrue/wrong/fictitious, "
        "is/was/are/were/be/been/being denied/refuted/debunked, "
        "is/was/are/were/be/been a/an myth/lie/hoax/misconception"
    ),
    (SUPPOSED, AROUND): (
        "is/was/are/were/be/been/being ruled out, is/was/are/were/be/been/being turned down, "
        "is/was/are/were/be/been/being passed over, fell/fall/falls through, came to nothing, "
        "never materialised, never materialized, is/was/were shelved"
    ),
    (SUPPOSED, AHEAD): (
        "if, unless, might, perhaps, maybe, possibly, allegedly, supposedly, purportedly, "
        "suppose, supposing, imagine that, imagine if, assuming, hypothetically, "
        "rumour/rumours/rumoured/rumor/rumors/rumored, speculation, speculated, gossip, "
        "consider/considers/considered/considering for, under/in consideration for, "
        "considered/considers/considering casting/hiring/directing/playing/making/writing, "
        "turn/turns/turned/turning down, pass/passes/passed on, "
        "decline/declines/declined/declining to, doubt/doubts/doubted that, "
        "decline/declines/declined/declining the/a/an/his/her "
        "role/part/offer/award/honour/honor/invitation/chance/job/lead, "
        "reject/rejects/rejected/rejecting, was/were/been offered, offered him/her/them, "
        "in talks, "
        "in line for, in the running for/to, shortlisted for, "
        "audition/auditions/auditioned/auditioning, "
        "want/wants/wanted/wanting to, hope/hopes/hoped/hoping to, "
        "plan/plans/planned/planning to/for/on, intend/intends/intended/intending to, "
        "wish/wishes/wished/wishing to, dream/dreams/dreamed/dreamt/dreaming of, "
        "would like/love to, would rather, was/were supposed/meant/due to, "
        "come/comes/came/coming close to, try/tries/tried/trying to, "
        "attempt/attempts/attempted to, expected to, proposed that/for, proposal/proposals to/for, "
        "lobbied, was/were approached, toyed with"
    ),
    (ASKED, AHEAD): "whether",
    (ASKED, QUESTION): (
        "ask/asks/asked/asking, wonder/wonders/wondered/wondering, unclear, unknown, uncertain, "
        "unsure, debate/debates/debated, doubt/doubts/doubted, "
        "question/questions/questioned, not known/clear/certain/sure/say/said, nobody knows/knew, "
        "no one knows/knew, never known/learned/learnt, know/knows if, inquired, enquired"
    ),
}  # fmt: skip
#: What looks like a cue and is none: a fact may well be told with it.
NO_CUES = (
    "not only, not just, not merely, not simply, not solely, not alone, not least, "
    "not to mention, not until, not till, not before, not surprisingly, not unlike, not without, "
    "not far, not long, not uncommon, not uncommonly, not unusual, "
    "not the/his/her/its/their only/first/last/sole, "
    "not be confused/mistaken, not to be confused/mistaken, might/may be best/most, "
    "not know/knew/realise/realize/regret/forget/mention that, "
    "dont/didnt/doesnt know/realise/realize/regret/forget/mention that, didnt/dont only/just, "
    "not deny/denies/denied, not fail to, didnt deny, never denied, never failed/fails/fail to, "
    "no doubt, no longer, no later, no less, no more than, no fewer, no earlier, no sooner, "
    "no wonder, no surprise, no secret, no exception, no stranger, no matter, no other than, "
    "none other than, nothing but, nothing less, nothing short, never before, never again, "
    "never mind, with no, of no, not more than, not less than, "
    "last but not least, more often than not, "
    "if not, if any, as if, even if not, whether or not, perhaps/possibly best/most, perhaps the, "
    "without doubt, without question, "
    "was/were/been offered with/in/by/at/for/as/on/to/free, passed on to, passed on in, "
    "rejected by, "
    "ask for, asked for"
)  # fmt: skip

BE = frozenset("is are was were be been isnt arent wasnt werent".split())
AUXILIARY = BE | frozenset(
    "did does do has have had can could will would should shall may might didnt doesnt dont hasnt "
    "havent hadnt cant couldnt wont wouldnt".split()
)
QUESTION_WORDS = frozenset("who whom whose what which when where why how".split())
AFTER_ASKING = QUESTION_WORDS | {"if", "whether"}
RELATIVE = frozenset("who whom whose which where that".split())
JOINS = frozenset("and but so or then well yet".split())
SMALL = frozenset("in on at for by with from to of under".split())
PRONOUNS = frozenset("he she it they we i you there".split())
#: A cue reaches no further than one of these.
TURNS = frozenset(
    "but however although though whereas while yet because when after before since until instead"
    " despite".split()
)
PAST = frozenset(
    "wrote won made sang played became left went took gave began got met wed led ran shot cut "
    "built"
    " sold told did was were had died grew founded".split()
)
PARTICIPLES = frozenset(
    "been made won sung become gone done had shot cut met left put led run sold told built".split()
)
#: They are denied where they stand at the very end: "In Jaws, she did not appear."
TAKE_PART = frozenset(
    "appear appears appeared act acted star starred feature featured take part so".split()
)
INNER = frozenset("ever even actually really in it there at all either".split())
CONDITIONAL = frozenset("would could might".split())
INVERTED = frozenset("had were should".split())
#: What stands in other languages too ("no", "was") tells nothing of the language.
SHARED = frozenset("all am an as her in so was will".split()) | frozenset(  # German
    "a at do he i me no we".split()  # Romance and Slavic languages
)
#: A few of the commonest words of languages that share a cue or two with English.
FOREIGN = frozenset(
    "el los las una del por con para que y est les des dans et un une du der und ist ein eine den "
    "mit von nicht il di della che da uma em nao foi fue se su na van het een och att som av je "
    "w z "
    "la le en".split()
)
#: "Did you know that …?" tells it.
KNOWN = (["did", "you", "know"], ["do", "you", "remember"], ["have", "you", "heard"])
#: A text that begins with one of these is English where nothing else tells.
BEGINNING = frozenset("did does has have who which nobody neither never unless perhaps".split())
NEW_CLAUSE = ',;:—"“('
CLOSING = "\"'”’)] "


class Cue(NamedTuple):
    """What a cue says and how far it reaches; its words, after the first."""

    more: tuple[frozenset[str], ...]
    state: int
    reach: int


def _table() -> dict[str, list[Cue]]:
    """The cues by their first word, the longest first."""
    table: dict[str, list[Cue]] = {}
    # Of two cues of one length, the first: what is none stands before what is.
    for (state, reach), cues in {(SAID, NOWHERE): NO_CUES, **CUES}.items():
        for cue in cues.split(", "):
            first, *more = (frozenset(word.split("/")) for word in cue.split())
            for word in first:
                table.setdefault(word, []).append(Cue(tuple(more), state, reach))
    return {word: sorted(cues, key=lambda cue: -len(cue.more)) for word, cues in table.items()}


TABLE = _table()
