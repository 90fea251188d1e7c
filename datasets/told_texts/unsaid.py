"""Sentences that tell no fact: two names side by side, facts denied, asked or supposed, filler."""

from __future__ import annotations

#: Both ends in one sentence, and no relation between them.
TOGETHER = (
    "{h} was mentioned together with {t}",
    "Critics compared {h} with {t}",
    "{h} and {t} were named in the same report",
    "{h} is often confused with {t}",
    "An exhibition showed {h} beside {t}",
    "{t} was on the cover, {h} on the last page",
    "People who like {h} often like {t}",
    "A book about {t} has a chapter on {h}",
    "One newspaper printed a photograph of {h} next to one of {t}",
    "In the quiz, one question was about {h} and the next about {t}",
    "Readers voted {h} ahead of {t}",
    "Some prefer {h} to {t}",
    "The same essay deals with {h} and with {t}",
    "{h} comes up in a talk about {t}",
    "Neither {h} nor {t} made any comment",
    "A stamp with {t} was issued a week after one with {h}",
    "Between {h} and {t}, opinions were divided",
    "Unlike {t}, {h} was hardly noticed abroad",
    "{h} found more attention than {t}",
    "The archive keeps its files on {h} beside those on {t}",
)
#: Wraps {s}, a clause that is not so.
DENIED = (
    "It is not true that {s}",
    "Contrary to reports, it is not the case that {s}",
    "Nobody believes any longer that {s}",
    "It was never proved that {s}",
    "The office denied that {s}",
    "The claim that {s} is false",
    "That {s} is a legend",
    "Older books say wrongly that {s}",
    "It is a mistake to think that {s}",
    "A correction made clear that it is untrue that {s}",
    "No document supports the story that {s}",
    "Historians have refuted the idea that {s}",
    "The family rejects the claim that {s}",
)
#: Before a clause whose verb is denied.
BEFORE_DENIAL = (
    "",
    "",
    "",
    "In fact, ",
    "Contrary to what is often read, ",
    "Despite many reports, ",
    "As is now known, ",
    "Whatever the papers wrote, ",
)
ASKED = (
    "Is it true that {s}?",
    "Who says that {s}?",
    "Could it be that {s}?",
    "Can anyone show that {s}?",
    "Does it matter whether {s}?",
    "How do we know whether {s}?",
    "Some asked whether {s}.",
    "One reader wants to know if {s}.",
    "The question whether {s} was left open.",
    "Would anybody be surprised if it turned out that {s}?",
    "Nobody could tell us whether {s}.",
    "Was it ever shown that {s}?",
    "Why do people ask if {s}?",
)
SUPPOSED = (
    "It was rumoured that {s}.",
    "If {s}, nobody noticed.",
    "It is unclear whether {s}.",
    "Some fans imagine that {s}.",
    "Had things gone otherwise, one might read today that {s}.",
    "For a while it looked possible that {s}, but nothing came of it.",
    "Gossip had it that {s}.",
    "There was speculation that {s}.",
    "Suppose that {s}: what would follow?",
    "In a dream, it seemed to the narrator that {s}.",
    "A forged letter says that {s}.",
    "One unreliable source suggests that {s}.",
    "There were plans under which one could have said that {s}; they were given up.",
)
#: Talks that came to nothing, of both ends.
CAME_TO_NOTHING = (
    "Talks between {h} and {t} came to nothing",
    "{t} was considered for {h}, but turned down",
    "{h} had hoped for {t}, in vain",
    "{t} said no to {h}",
    "A plan that involved {h} and {t} was dropped",
    "For {h}, {t} was only the second choice and was not taken",
    "An offer that would have brought {h} and {t} together was refused",
    "{h} might have ended up with {t}, had the vote gone the other way",
    "{t} was on a short list for {h} and then crossed out",
    "Nothing came of the idea to link {h} with {t}",
    "{h} and {t} nearly came together, but in the end did not",
    "Negotiations about {h} and {t} broke down",
)
#: Of one thing, by its kind (see ``things``); "" for whatever it is.
FILLER = {
    "": (
        "{h} is well known",
        "{h} drew much attention",
        "Many have heard of {h}",
        "Little else is known about {h}",
        "{h} appears in many lists",
        "A lecture about {h} was held in {year}",
        "Opinions on {h} differ",
        "There is a stamp with {h} on it",
        "{h} was in the news in {year}",
        "A long article on {h} appeared in {year}",
        "Those who know {h} speak of it with respect",
        "{h} has its admirers",
    ),
    "p": (
        "{h} was much admired",
        "{h} gave {number} interviews in {year}",
        "A biography of {h} appeared in {year}",
        "Friends describe {h} as quiet and stubborn",
        "{h} kept a diary for {number} years",
        "Few people knew {h} well",
        "{h} spent the summer of {year} abroad",
        "Letters of {h} were sold for {number},000 dollars",
        "{h} liked to walk before breakfast",
        "In {year}, {h} took a long rest",
        "{h} seldom spoke in public",
        "A portrait of {h} was painted in {year}",
    ),
    "l": (
        "{h} draws many visitors",
        "About {number},000 visitors come to {h} each year",
        "{h} has changed a great deal since {year}",
        "The weather in {h} is mild",
        "A flood reached {h} in {year}",
        "Tourists praise {h} for its calm",
        "{h} has {number} bridges",
        "The streets of {h} are narrow",
        "Maps of {h} were first printed in {year}",
        "{h} is often painted",
        "Travellers write warmly about {h}",
        "A fire damaged parts of {h} in {year}",
    ),
    "g": (
        "{h} had a difficult year in {year}",
        "{h} has about {number} people on its books",
        "{h} changed its emblem in {year}",
        "The early years of {h} were hard",
        "{h} is known for its discipline",
        "{h} celebrated a jubilee in {year}",
        "Much has been written about {h}",
        "The history of {h} fills {number} folders",
        "In {year}, {h} moved to new rooms",
        "{h} keeps an archive",
        "{h} has many friends in the press",
        "A documentary about {h} was shown in {year}",
    ),
    "w": (
        "{h} came out in {year}",
        "{h} was a success",
        "{h} found a large public in {year}",
        "The reviews of {h} were mixed",
        "{h} lasts {number} minutes",
        "{h} was shown again in {year}",
        "{h} has not aged well",
        "Collectors pay good prices for {h}",
        "{h} took {number} weeks to finish",
        "Work on {h} began in {year}",
        "{h} sold {number},000 copies",
        "{h} was restored in {year}",
    ),
}
#: Before a told clause: of what is, of what was, and of what is over.
PRESENT = ("Today, ", "As is well known, ", "By all accounts, ", "These days, ")
PAST = ("At that time, ", "As is well known, ", "By all accounts, ", "Later, ", "Before that, ")
DATED = ("In {year}, ", "In the spring of {year}, ", "On {day} {month} {year}, ", "By {year}, ")
MONTHS = tuple(
    "January February March April May June July August September October November December".split()
)
