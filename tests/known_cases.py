"""Texts over the sample graph, in our own words, and what a verdict on them must be.

A case gives the two ends, a text, and the path that the text tells, or None where it tells none. A
path is written as its entities and relations in turn; a relation of None may be any.
"""

from __future__ import annotations

from typing import NamedTuple


class Case(NamedTuple):
    """A question to the sample graph, of one kind; ``path`` is what the text tells, if anything."""

    kind: str
    head: str
    tail: str
    text: str
    path: tuple[str | None, ...] | None


def _none(kind: str, *cases: tuple[str, str, str]) -> list[Case]:
    return [Case(kind, head, tail, text, None) for head, tail, text in cases]


def _one_hop(*cases: tuple[str, str, str, str]) -> list[Case]:
    return [
        Case("one hop told", head, tail, text, (head, relation, tail))
        for head, relation, tail, text in cases
    ]


def _two_hops(*cases: tuple[str, str, str, str]) -> list[Case]:
    return [
        Case("two hops told", head, tail, text, (head, None, middle, None, tail))
        for head, middle, tail, text in cases
    ]


NO_RELATION = _none(
    "no relation",
    (
        "dbr:Emma_Stone",
        "dbr:Birdman_(film)",
        "Emma Stone lives near the cinema that showed Birdman all summer. She takes the "
        "tram there.",
    ),
    (
        "dbr:Steven_Spielberg",
        "dbr:Jaws_(film)",
        "At dinner Steven Spielberg talked about shoes. A poster of Jaws hung over the table.",
    ),
    (
        "dbr:Samuel_L._Jackson",
        "dbr:Pulp_Fiction",
        "Samuel L. Jackson praised the restaurant, where a waiter was reading about Pulp Fiction.",
    ),
    (
        "dbr:Hans_Zimmer",
        "dbr:Inception",
        "Hans Zimmer missed his train. On the platform, two students argued over Inception.",
    ),
    (
        "dbr:Adele",
        "dbr:London",
        "Adele cancelled the show in Ohio. The weather in London was fine that day.",
    ),
    (
        "dbr:Daniel_Craig",
        "dbr:Skyfall",
        "Daniel Craig bought a watch on Monday. On Tuesday the museum sold its last Skyfall "
        "poster.",
    ),
    (
        "dbr:Christopher_Nolan",
        "dbr:Emma_Thomas",
        "The list of guests had Christopher Nolan at table four and Emma Thomas at table nine.",
    ),
    (
        "dbr:Sean_Connery",
        "dbr:Goldfinger_(film)",
        "Sean Connery watched Goldfinger again on the plane and fell asleep.",
    ),
    (
        "dbr:Ringo_Starr",
        "dbr:Barbara_Bach",
        "Ringo Starr collects stamps. The auction also sold a letter signed by Barbara Bach.",
    ),
    (
        "dbr:Johnny_Depp",
        "dbr:Edward_Scissorhands",
        "Johnny Depp likes the book on Edward Scissorhands that a neighbour lent him.",
    ),
    (
        "dbr:Al_Pacino",
        "dbr:The_Godfather",
        "Al Pacino was late for lunch. The cook, who quotes The Godfather all day, had gone home.",
    ),
    (
        "dbr:Roger_Moore",
        "dbr:Moonraker_(film)",
        "Roger Moore once laughed at a parody of Moonraker.",
    ),
)

HUB = _none(
    "hub",
    (
        "dbr:Adele",
        "dbr:Ringo_Starr",
        "Adele opened the evening in a long black dress. Ringo Starr sat in the third row.",
    ),
    (
        "dbr:Lady_Gaga",
        "dbr:Carly_Simon",
        "Lady Gaga and Carly Simon are both on the magazine's list of the best voices.",
    ),
    (
        "dbr:Tom_Cross_(film_editor)",
        "dbr:Stuart_Baird",
        "The lecture compared the rhythm of Tom Cross with that of Stuart Baird, cut by cut.",
    ),
    (
        "dbr:Robert_De_Niro",
        "dbr:Laurence_Olivier",
        "A critic put Robert De Niro above Laurence Olivier, and the letters page was full "
        "of protest.",
    ),
    (
        "dbr:Jaws_(film)",
        "dbr:Frenzy",
        "The festival shows Jaws on Friday and Frenzy on Saturday. Tickets are sold at the door.",
    ),
    (
        "dbr:Barack_Obama",
        "dbr:Dolly_Parton",
        "Barack Obama has read the new book on Dolly Parton twice, he says.",
    ),
    (
        "dbr:Birdman_(film)",
        "dbr:The_Favourite",
        "Two shelves below Birdman, the library keeps The Favourite. Both discs are scratched.",
    ),
    (
        "dbr:Rami_Malek",
        "dbr:Danny_Elfman",
        "Rami Malek was seen in Rome; Danny Elfman spent the month at home with a cold.",
    ),
    (
        "dbr:Ursula_Andress",
        "dbr:Hoyte_van_Hoytema",
        "Ursula Andress and Hoyte van Hoytema met in a lift in Switzerland, where it snowed.",
    ),
    (
        "dbr:Kim_Novak",
        "dbr:Bill_Murray",
        "Fans in the United States sent more letters to Kim Novak than to Bill Murray.",
    ),
    (
        "dbr:Cillian_Murphy",
        "dbr:Nicolas_Cage",
        "Cillian Murphy left before the Academy Award for Best Actor was announced. "
        "Nicolas Cage had sent flowers.",
    ),
    (
        "dbr:Freddie_Highmore",
        "dbr:Monty_Norman",
        "The bus through London carried advertisements for Freddie Highmore and for Monty Norman.",
    ),
)

DENIED = _none(
    "denied",
    (
        "dbr:Steven_Spielberg",
        "dbr:Schindler's_List",
        "Steven Spielberg did not direct Schindler's List, whatever the leaflet says.",
    ),
    (
        "dbr:Emma_Stone",
        "dbr:La_La_Land",
        "Emma Stone was never in La La Land.",
    ),
    (
        "dbr:Hans_Zimmer",
        "dbr:Dunkirk_(2017_film)",
        "The score of Dunkirk was not written by Hans Zimmer.",
    ),
    (
        "dbr:Roald_Dahl",
        "dbr:You_Only_Live_Twice_(film)",
        "Roald Dahl denied having written You Only Live Twice.",
    ),
    (
        "dbr:Christoph_Waltz",
        "dbr:Spectre_(2015_film)",
        "Christoph Waltz refused to play in Spectre, and went on holiday.",
    ),
    (
        "dbr:Daniel_Craig",
        "dbr:Rachel_Weisz",
        "Daniel Craig is not married to Rachel Weisz; the paper has apologised.",
    ),
    (
        "dbr:Lady_Gaga",
        "dbr:New_York_City",
        "It is a myth that Lady Gaga was born in New York City.",
    ),
    (
        "dbr:Gary_Oldman",
        "dbr:Academy_Award_for_Best_Actor",
        "Gary Oldman has never won the Academy Award for Best Actor.",
    ),
    (
        "dbr:Alfred_Hitchcock",
        "dbr:Vertigo_(film)",
        "Vertigo, which Alfred Hitchcock did not direct, was a surprise hit that year.",
    ),
    (
        "dbr:Brian_May",
        "dbr:Queen_(band)",
        "The claim that Brian May plays guitar in Queen is false.",
    ),
    (
        "dbr:Johnny_Depp",
        "dbr:Sleepy_Hollow_(film)",
        "No film with Johnny Depp was called Sleepy Hollow.",
    ),
    (
        "dbr:United_Artists",
        "dbr:Goldfinger_(film)",
        "United Artists hasn't distributed Goldfinger, nor any other film of that year.",
    ),
    (
        "dbr:Barack_Obama",
        "dbr:Harvard_University",
        "Neither Barack Obama nor his brother studied at Harvard University.",
    ),
)

ASKED = _none(
    "asked",
    (
        "dbr:Steven_Spielberg",
        "dbr:Jaws_(film)",
        "Did Steven Spielberg direct Jaws?",
    ),
    (
        "dbr:Harrison_Ford",
        "dbr:Blade_Runner_2049",
        "Was Harrison Ford in Blade Runner 2049? We have forgotten.",
    ),
    (
        "dbr:John_Barry_(composer)",
        "dbr:Thunderball_(film)",
        "The quiz wants to know whether John Barry wrote the music of Thunderball.",
    ),
    (
        "dbr:Carrie_Fisher",
        "dbr:Los_Angeles",
        "Has anybody found out if Carrie Fisher died in Los Angeles?",
    ),
    (
        "dbr:Grace_Kelly",
        "dbr:Rear_Window",
        "Question nine is hard. Is it Grace Kelly who stars in Rear Window?",
    ),
    (
        "dbr:Björn_Ulvaeus",
        "dbr:Agnetha_Fältskog",
        "Were Björn Ulvaeus and Agnetha Fältskog ever married?",
    ),
    (
        "dbr:Quentin_Tarantino",
        "dbr:Django_Unchained",
        "It is unclear whether Quentin Tarantino directed Django Unchained.",
    ),
    (
        "dbr:Adele",
        "dbr:Skyfall_(song)",
        "The caller asked if Adele sings the song Skyfall, and then hung up.",
    ),
    (
        "dbr:Mick_Fleetwood",
        "dbr:Fleetwood_Mac",
        "Mick Fleetwood was a member of Fleetwood Mac, wasn't he?",
    ),
    (
        "dbr:Ian_Fleming",
        "dbr:Goldfinger_(novel)",
        "She wondered whether the novel Goldfinger had been written by Ian Fleming.",
    ),
    (
        "dbr:Tim_Burton",
        "dbr:Batman_(1989_film)",
        "In what year did Tim Burton direct Batman, if he did?",
    ),
    (
        "dbr:Sofia_Coppola",
        "dbr:Lost_in_Translation_(film)",
        "The film is called Lost in Translation. But was it really directed by Sofia Coppola?",
    ),
)

SUPPOSED = _none(
    "supposed",
    (
        "dbr:Sean_Connery",
        "dbr:Indiana_Jones_and_the_Last_Crusade",
        "Sean Connery turned down a part in Indiana Jones and the Last Crusade.",
    ),
    (
        "dbr:Marlon_Brando",
        "dbr:Apocalypse_Now",
        "If Marlon Brando had starred in Apocalypse Now, it would have made more money.",
    ),
    (
        "dbr:Cary_Joji_Fukunaga",
        "dbr:No_Time_to_Die",
        "There are rumours that Cary Joji Fukunaga will direct No Time to Die.",
    ),
    (
        "dbr:Jack_Nicholson",
        "dbr:Batman_(1989_film)",
        "Jack Nicholson was considered for Batman, but the studio took somebody else.",
    ),
    (
        "dbr:Danny_Elfman",
        "dbr:Edward_Scissorhands",
        "Danny Elfman wanted to write the music for Edward Scissorhands.",
    ),
    (
        "dbr:David_Bowie",
        "dbr:The_Prestige_(film)",
        "David Bowie might play in The Prestige, his agent hinted.",
    ),
)

ONE_HOP = _one_hop(
    (
        "dbr:Samuel_L._Jackson",
        "dbo:starring",
        "dbr:Pulp_Fiction",
        "Samuel L. Jackson was in Pulp Fiction.",
    ),
    (
        "dbr:Ryan_Gosling",
        "dbo:starring",
        "dbr:Blade_Runner_2049",
        "In Blade Runner 2049, Ryan Gosling plays a hunter who doubts his own memories.",
    ),
    (
        "dbr:Ana_de_Armas",
        "dbo:starring",
        "dbr:No_Time_to_Die",
        "No Time to Die is a spy film starring Ana de Armas, among others.",
    ),
    (
        "dbr:Sam_Mendes",
        "dbo:director",
        "dbr:Skyfall",
        "Skyfall was directed by Sam Mendes.",
    ),
    (
        "dbr:Mel_Gibson",
        "dbo:director",
        "dbr:Hacksaw_Ridge",
        "Mel Gibson's war film Hacksaw Ridge was shot in 59 days, with him directing from a "
        "crutch.",
    ),
    (
        "dbr:Hans_Zimmer",
        "dbo:musicComposer",
        "dbr:Inception",
        "For Inception, Hans Zimmer wrote a score full of slow brass.",
    ),
    (
        "dbr:Tim_Burton",
        "dbo:birthPlace",
        "dbr:Burbank,_California",
        "Tim Burton was born in Burbank, California, in 1958.",
    ),
    (
        "dbr:Freddie_Mercury",
        "dbo:deathPlace",
        "dbr:London",
        "Freddie Mercury died in London at the age of 45.",
    ),
    (
        "dbr:Grace_Kelly",
        "dbo:award",
        "dbr:Academy_Award_for_Best_Actress",
        "To general surprise, Grace Kelly won the Academy Award for Best Actress.",
    ),
    (
        "dbr:Ringo_Starr",
        "dbo:spouse",
        "dbr:Barbara_Bach",
        "In 1981 Ringo Starr married Barbara Bach.",
    ),
    (
        "dbr:Emma_Thomas",
        "dbo:producer",
        "dbr:Inception",
        "Emma Thomas produced Inception on three continents.",
    ),
    (
        "dbr:Lionsgate",
        "dbo:distributor",
        "dbr:La_La_Land",
        "Lionsgate distributed La La Land in cinemas.",
    ),
    (
        "dbr:Roger_Deakins",
        "dbo:cinematography",
        "dbr:Skyfall",
        "Roger Deakins was the cinematographer of Skyfall, his first film of that kind.",
    ),
    (
        "dbr:George_Lucas",
        "dbo:foundedBy",
        "dbr:Lucasfilm",
        "Lucasfilm was founded by George Lucas in 1971.",
    ),
    (
        "dbr:Roald_Dahl",
        "dbo:writer",
        "dbr:You_Only_Live_Twice_(film)",
        "Roald Dahl wrote the screenplay for You Only Live Twice in eight weeks.",
    ),
    (
        "dbr:Stevie_Nicks",
        "dbo:writer",
        "dbr:Dreams_(Fleetwood_Mac_song)",
        "Stevie Nicks wrote the song Dreams in ten minutes on a bed.",
    ),
    (
        "dbr:Thomas_Newman",
        "dbo:almaMater",
        "dbr:Yale_University",
        "Thomas Newman studied at Yale University.",
    ),
)

TWO_HOPS = _two_hops(
    (
        "dbr:Emma_Stone",
        "dbr:The_Favourite",
        "dbr:Rachel_Weisz",
        "In The Favourite, Emma Stone and Rachel Weisz star as rivals at court.",
    ),
    (
        "dbr:John_Williams",
        "dbr:Jaws_(film)",
        "dbr:Steven_Spielberg",
        "Steven Spielberg directed Jaws. John Williams wrote the music for the film.",
    ),
    (
        "dbr:Christopher_Nolan",
        "dbr:Inception",
        "dbr:Leonardo_DiCaprio",
        "Inception was directed by Christopher Nolan. It stars Leonardo DiCaprio as a thief "
        "of dreams.",
    ),
    (
        "dbr:Honor_Blackman",
        "dbr:Goldfinger_(film)",
        "dbr:Sean_Connery",
        "Goldfinger is a spy film in which Honor Blackman plays beside Sean Connery.",
    ),
    (
        "dbr:Damien_Chazelle",
        "dbr:Whiplash_(2014_film)",
        "dbr:J._K._Simmons",
        "Damien Chazelle wrote and directed Whiplash. J. K. Simmons stars in it as a cruel "
        "teacher.",
    ),
    (
        "dbr:Lady_Gaga",
        "dbr:A_Star_Is_Born_(2018_film)",
        "dbr:Bradley_Cooper",
        "Bradley Cooper directed the 2018 film A Star Is Born. The film made Lady Gaga, who "
        "stars in it, "
        "a favourite of the critics.",
    ),
    (
        "dbr:Bernard_Herrmann",
        "dbr:Psycho_(1960_film)",
        "dbr:Anthony_Perkins",
        "Anthony Perkins starred in Psycho. Its screaming strings were composed by Bernard "
        "Herrmann.",
    ),
    (
        "dbr:Wally_Pfister",
        "dbr:Batman_Begins",
        "dbr:Christian_Bale",
        "Batman Begins, with Christian Bale in the lead, was photographed by Wally Pfister, "
        "its director of cinematography.",
    ),
    (
        "dbr:Skyfall",
        "dbr:Sam_Mendes",
        "dbr:University_of_Cambridge",
        "Skyfall was directed by Sam Mendes. He had studied at the University of Cambridge.",
    ),
    (
        "dbr:Spectre_(2015_film)",
        "dbr:Léa_Seydoux",
        "dbr:Paris",
        "Léa Seydoux stars in Spectre. She was born in Paris.",
    ),
    (
        "dbr:Lost_in_Translation_(film)",
        "dbr:Sofia_Coppola",
        "dbr:Francis_Ford_Coppola",
        "Lost in Translation was directed by Sofia Coppola, the daughter of Francis Ford Coppola.",
    ),
    (
        "dbr:Brian_May",
        "dbr:Queen_(band)",
        "dbr:Flash_Gordon_(film)",
        "Brian May is the guitarist of Queen. The band also composed the music for the film "
        "Flash Gordon.",
    ),
    (
        "dbr:Harrison_Ford",
        "dbr:Raiders_of_the_Lost_Ark",
        "dbr:Michael_Kahn_(film_editor)",
        "Harrison Ford starred in Raiders of the Lost Ark, and Michael Kahn edited it.",
    ),
)

CASES = [*NO_RELATION, *HUB, *DENIED, *ASKED, *SUPPOSED, *ONE_HOP, *TWO_HOPS]
