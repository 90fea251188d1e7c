"""How English tells a relation: clauses and noun phrases by the relation's label.

An entry names labels, what kinds of things head and tail are (see ``things``; a dot is anything,
"c" a word of the language), and patterns. A pattern is a clause without its full stop, or, after
``h~`` or ``t~``, a noun phrase that stands for the head or the tail and tells the fact on the way:
``h~{h} in {t}``.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from kgpath.datasets.synthetic.fact_sentences import label_patterns, plain_label
from kgpath.lexicon.stop_words import STOP_WORDS
from kgpath.lexicon.text import fold

_TABLE = """
starring | cast member | actor ; wp ;
    {h} stars {t} | {t} plays a leading part in {h} | {t} acted in {h} | {t} had a role in {h} |
    {t} was cast in {h} | {h} features {t} | {t} appears in {h} |
    {t} played one of the main characters of {h} | t~{h} star {t} | t~{t} of {h} fame
birth place | birthplace | place of birth | placeofbirth ; pl ;
    {h} was born in {t} | {h} came into the world in {t} | {h} is a native of {t} |
    The family of {h} was living in {t} when the child was born | h~{t}-born {h}
death place | place of death | placeofdeath ; pl ;
    {h} died in {t} | {h} passed away in {t} | {h} spent the last years in {t} and died there |
    Death came to {h} in {t} | {h} was found dead in {t}
resting place | place of burial | burial place | placeofburial | restingplace ; .l ;
    {h} is buried in {t} | {h} was laid to rest in {t} | The grave of {h} is in {t} |
    {h} lies buried in {t}
death cause | cause of death | medical condition ; pc ;
    {h} died of {t} | {h} lost the fight against {t} | {h} suffered from {t}
film director | director | directedby | directed by ; .p ;
    {h} was directed by {t} | {t} directed {h} | {t} made {h} | {h} was shot under {t} |
    {t} staged {h} | h~{t}'s {h} | h~{h} by {t}
producer | executive producer | producers ; .p ;
    {h} was produced by {t} | {t} produced {h} | {t} raised the money for {h} |
    {h} was brought to life by producer {t} | {t} served as producer of {h}
producer | executive producer | production company | company | studio | producers |
    distributing company ; wg ;
    {h} was made by {t} | {t} produced {h} | {h} is a production of {t} |
    {h} came out of the workshop of {t}
cinematography | cinematographer ; .p ;
    {h} was filmed by {t} | {t} was behind the camera of {h} | {t} shot {h} |
    {h} was photographed by {t}
editing | editor | film editor ; .p ;
    {h} was edited by {t} | {t} cut {h} | {t} edited {h} |
    In the cutting room, {h} was in the hands of {t}
music composer | composer | music ; .p ;
    {t} wrote the music for {h} | The score of {h} is by {t} | {t} scored {h} |
    {h} was set to music by {t} | {t} composed {h}
narrator ; .p ;
    {h} is narrated by {t} | {t} tells the story in {h} | {t} is heard as the storyteller of {h} |
    {t} narrated {h}
voice | voice actor | voices ; .p ;
    {t} lends a voice to {h} | {t} can be heard in {h} | {h} is voiced by {t} |
    {t} speaks a part in {h}
guest | guests ; .p ;
    {t} appeared as a visitor in {h} | {t} has a short appearance in {h} | {h} welcomed {t} |
    {t} made a guest appearance in {h}
presenter | host ; .p ;
    {h} is presented by {t} | {t} leads through {h} | {t} hosts {h}
portrayer ; .p ;
    {h} was played by {t} | {t} played {h} | {t} took the role of {h}
characters | present in work ; .. ;
    {t} meets the reader in {h} | {t} is a figure in {h} | {h} tells of {t}
author | auteur | writer | writers | writtenby | screenwriter | lyrics | lyrics by |
    all writing | all lyrics ; .p ;
    {h} was written by {t} | {t} wrote {h} | {h} comes from the pen of {t} |
    {t} is the author of {h} | {t} penned {h} | h~{t}'s {h} | h~{h} by {t}
notable work | notable works | known for | notableworks ; pw ;
    {h} is best remembered for {t} | {h} worked on {t} | {t} made {h} famous |
    {h} made a name with {t} | {h} became known through {t} | {h} is famous for {t}
creator | creators | creator (agent) ; .p ;
    {h} was created by {t} | {t} created {h} | {t} thought up {h} | {h} is the brainchild of {t} |
    h~{t}'s {h}
designer | architect ; .p ;
    {h} was designed by {t} | {t} designed {h} | {t} drew up the plans for {h} |
    {h} goes back to plans by {t} | {h} was built to a design by {t}
discoverer or inventor | discoverer | inventor ; .p ;
    {h} was discovered by {t} | {t} discovered {h} | {t} was the first to find {h}
genre | genres | literary genre ; gc ;
    {h} is counted as {t} | {h} plays {t} | {h} stands for {t} | {h} made a name with {t} |
    {h} is known for {t} | {h} belongs to the world of {t} | h~the {t} group {h}
genre | genres | literary genre ; pc ;
    {h} is known for {t} | {h} performs {t} | {h} made a name with {t} | {h} works in {t} |
    The style of {h} is {t}
genre | genres | literary genre ; wc ;
    {h} is counted as {t} | {h} is an example of {t} | {h} belongs to {t} | {h} falls under {t} |
    Critics file {h} under {t} | h~the {t} piece {h}
stylistic origins | stylistic origin | cultural origins ; .c ;
    {h} has its roots in {t} | {h} grew out of {t} | {h} developed from {t} |
    {t} gave rise to {h}
derivatives | subgenres | music subgenre | fusiongenres | music fusion genre ; .c ;
    {h} gave rise to {t} | {t} grew out of {h} | {t} is an offshoot of {h}
record label | label ; pg ;
    {h} was signed to {t} | {h} recorded for {t} | {t} released the records of {h} |
    {h} has a contract with {t} | {t} took {h} on | h~{t} artist {h}
record label | label ; gg ;
    {h} was signed to {t} | {h} recorded for {t} | {t} released the records of {h} |
    {h} has a contract with {t} | h~{t} act {h}
record label | label | distributing label ; wg ;
    {h} was released by {t} | {h} was issued on {t} | {h} came out on {t} |
    {t} put {h} on the market | {t} released {h}
associated band | associated musical artist | associated acts | associatedact ; .. ;
    {h} has worked with {t} | {h} played with {t} | {h} and {t} made music together |
    {h} shared many stages with {t} | {h} has recorded with {t} | {h} has often toured with {t}
instrument | notable instruments | instruments ; pc ;
    {h} plays {t} | {h} is a master of the {t} | {h} is often seen with the {t} |
    {h} performs on the {t}
occupation | profession ; pc ;
    {h} works as {t} | {h} is known as {t} | {h} earns a living as {t} |
    {h} made a career as {t} | {h} became known as {t} | h~{t} {h}
distributor ; .g ;
    {h} was released by {t} | {t} brought {h} into the cinemas | {t} distributed {h} |
    {h} was sold abroad by {t} | {t} handled the release of {h}
location | location city | city | locale | place | located in |
    located in the administrative territorial entity |
    Relates an entity to the populated place in which it is located. ; gl ;
    {h} is located in {t} | {h} is based in {t} | {h} has its home in {t} |
    {h} can be found in {t} | {h} sits in {t} | h~{h} in {t} | h~{h} of {t} | h~{t}-based {h}
location | location city | city | locale | place | located in |
    located in the administrative territorial entity | state | region | province |
    prefecture | district | Relates an entity to the populated place in which it is located. ; ll ;
    {h} is located in {t} | {h} lies in {t} | {h} is situated in {t} | {h} can be found in {t} |
    {h} is part of {t} | {h} belongs to {t} | h~{h} in {t} | h~{h}, {t}, | h~{h} ({t})
location | location city | city | place | venue |
    Relates an entity to the populated place in which it is located. ; xl ;
    {h} took place in {t} | {h} was held in {t} | {t} was the scene of {h} | {h} happened in {t} |
    h~{h} in {t} | h~{h} at {t}
country | subdivision name of the island | sovereign state ; ll ;
    {h} is located in {t} | {h} lies in {t} | {h} is a place in {t} | {h} belongs to {t} |
    h~{h} in {t} | h~{h}, {t},
country | country of origin | nationality or state of origin a | origin | home town |
    hometown ; w. ;
    {h} comes from {t} | {h} was made in {t} | {h} is a work from {t} | {h} was shot in {t}
country | origin | home town | hometown | location of formation | foundation place ; gl ;
    {h} comes from {t} | {h} was formed in {t} | {h} was started in {t} | {h} hails from {t} |
    {h} got together in {t} | h~{h} from {t} | h~{t}'s {h}
is part of | part of | series | subdivision name |
    contains administrative territorial entity by ; ll ;
    {h} is part of {t} | {h} belongs to {t} | {h} lies in {t} | {h} forms part of {t} |
    h~{h}, {t}, | h~{h} in {t}
is part of | part of | series ; .. ;
    {h} is part of {t} | {h} belongs to {t} | {h} is one of the pieces that make up {t}
contains administrative territorial entity | has part | districts | dept | states ; ll ;
    {h} contains {t} | {t} is part of {h} | {t} lies in {h} | {h} comprises {t} | t~{t} in {h} |
    t~{t}, {h},
county seat | capital | seat ; ll ;
    {t} is the capital of {h} | {h} is governed from {t} | The government of {h} sits in {t} |
    {t} serves as the seat of {h} | h~{h} with its capital {t} | t~{h}'s capital {t}
capital of ; ll ;
    {h} is the capital of {t} | {t} is governed from {h} | The government of {t} sits in {h}
largest city | largestcity ; ll ;
    {t} is the biggest town of {h} | No town in {h} has more people than {t} |
    {t} is the largest city of {h}
continent ; ll ;
    {h} lies in {t} | {h} is a country of {t} | h~{h} in {t}
bordering | neighboring municipalities | neighboring municipality | neighbours |
    shares border with | borderingstates ; .. ;
    {h} borders {t} | {h} lies next to {t} | {h} is a neighbour of {t} | {h} touches {t} |
    Walk out of {h} and you are in {t}
river mouth | mouth of the watercourse | mouth | inflow ; .. ;
    {h} flows into {t} | {h} empties into {t} | The waters of {h} reach {t} | {h} ends in {t}
basin country | basin countries | crosses | located on terrain feature |
    located in or next to body of water ; .. ;
    {h} touches {t} | {h} is next to {t} | The shores of {h} and of {t} meet
mountain range ; .. ;
    {h} is a peak of {t} | {h} rises in {t} | {h} belongs to {t} | {h} is part of {t}
cities | nearest city | city served | region served | area served | broadcast area | serves ; .l ;
    {h} serves {t} | {h} reaches the people of {t} | {t} is served by {h} |
    {h} is at the service of {t}
team | clubs | club | currentclub | current club | played for | former team | former teams |
    member of sports team | team(s) | previous team | pastmajorleague | ru proclubs ; pg ;
    {h} plays for {t} | {h} joined {t} | {h} was a player of {t} | {h} wore the shirt of {t} |
    {h} was under contract with {t} | {h} turned out for {t} | {h} appeared for {t} |
    {t} signed {h} | h~{t} player {h} | h~{h} of {t}
youthclubs | youth clubs ; pg ;
    {h} grew up in the youth teams of {t} | {h} learned the game at {t} |
    {h} came through the ranks of {t} | {t} trained {h} as a boy
nationalteam | national team ; pg ;
    {h} plays for {t} | {h} was called up by {t} | {h} won caps for {t} | {h} was capped by {t}
draft team ; pg ;
    {h} was drafted by {t} | {t} picked {h} in the draft | {t} chose {h} among the young players
managerclubs | manager club | cteam ; pg ;
    {h} managed {t} | {h} was in charge of {t} | {h} sat on the bench of {t} |
    {t} hired {h} as manager | h~{t} manager {h}
manager | coach | head coach | trainer | formercoach ; .p ;
    {h} is coached by {t} | {t} coaches {h} | {h} is managed by {t} | {h} trains under {t} |
    {t} is in charge of {h}
league | division | competition ; g. ;
    {h} plays in {t} | {h} competes in {t} | {h} is a side in {t} | h~{t} side {h}
champions | most successful club | winners | champion | most champs ; .g ;
    {t} won {h} | {h} was won by {t} | {t} took the title in {h}
stadium | ground | home stadium | home | arena | venue | site stadium | stadiumarena ; gl ;
    {h} plays at {t} | The home of {h} is {t} | {h} plays its home games at {t} |
    {t} is the home of {h} | {h} receives its guests at {t}
tenants ; .g ;
    {t} plays at {h} | {h} is home to {t} | {t} plays its home games at {h}
captain ; .p ;
    {h} is captained by {t} | {t} wears the armband of {h} | {t} led {h} onto the field
alma mater | education | educated at | high school | institution ; pg ;
    {h} studied at {t} | {h} graduated from {t} | {h} attended {t} | {h} was a student at {t} |
    {h} took a degree at {t} | {h} was educated at {t} | h~{t} graduate {h}
doctoral advisor | academic advisors | academic advisor ; pp ;
    {h} wrote a thesis under {t} | {t} supervised {h} | {h} was a student of {t} |
    {h} took the doctorate with {t}
doctoral students | notable students | doctoral student ; pp ;
    {t} wrote a thesis under {h} | {h} supervised {t} | {t} was a student of {h} |
    {h} taught {t}
employer | work institution | workplaces | work institutions | work location | institutions ; p. ;
    {h} works for {t} | {h} was on the staff of {t} | {h} was employed by {t} |
    {h} earned a salary at {t} | {h} taught at {t}
field of work | field | main interests | industry ; .c ;
    {h} works in {t} | {h} is active in {t} | {h} deals with {t}
spouse | partner | formerpartner | partners | unmarried partner ; pp ;
    {h} is married to {t} | {h} married {t} | {h} and {t} were married | {h} lives with {t} |
    {h} shared a life with {t} | {h} and {t} became a couple
child | children | issue ; pp ;
    {t} is a child of {h} | {h} is a parent of {t} | {h} brought up {t} as a parent |
    {t} was born to {h} | {h} had {t} | t~{h}'s child {t}
parent | parents ; pp ;
    {h} is a child of {t} | {t} is a parent of {h} | {h} was born to {t} |
    {t} raised {h}, a late child
father ; pp ;
    {t} is the father of {h} | {h} was fathered by {t} | {h} is a child of {t} |
    {t} had a child, {h}
mother ; pp ;
    {t} is the mother of {h} | {h} was born to {t} | {t} gave birth to {h} |
    {h} is a child of {t}
relative | relatives | relation | relations | family ; pp ;
    {h} is related to {t} | {h} and {t} are of one family | {h} is a kinsman of {t} |
    Blood ties join {h} and {t}
sibling | siblings ; pp ;
    {h} and {t} are siblings | {h} grew up with {t}, also a child of the family |
    {h} and {t} have the same parents
sire ; .. ;
    {h} was sired by {t} | {t} sired {h} | {h} is a foal by {t}
grandsire | damsire | ff | mf ; .. ;
    {h} descends from {t} | {t} is a grandfather of {h}
house | royal house | dynasty | parent house ; p. ;
    {h} was of the line of {t} | {h} belonged to {t} | {h} was a member of {t}
ancestry | ethnicity | ethnic group | nationality or state of origin b ; p. ;
    {h} is of the people of {t} | {h} has roots in {t} | {h} is by descent of {t}
party | member of political party | political party | leader party | otherparty ; pg ;
    {h} is a politician of {t} | {h} stood for {t} | {h} is a member of {t} | {h} joined {t} |
    {h} ran on the ticket of {t} | h~{t} politician {h}
office | (political) office | position held | order | order (taxonomy) ; p. ;
    {h} served as {t} | {h} held the post of {t} | {h} rose to be {t} | {h} was sworn in as {t}
leader | leader name | governor | mayor | head of state | head of government | president |
    prime minister | primeminister | premier | chancellor | monarch | leader1 name |
    state head | government head | regent | chairperson | chairman ; lp ;
    {h} is led by {t} | {t} leads {h} | {t} rules {h} | {t} is at the head of {h} |
    {t} governed {h} | {h} was ruled by {t} | {t} is the {r} of {h}
leader | leader name | president | chairperson | chairman | key person | key people | ceo |
    head | chief executive officer ; gp ;
    {h} is led by {t} | {t} leads {h} | {t} is at the head of {h} | {h} is headed by {t} |
    {t} is the {r} of {h} | {t} sits at the top of {h}
president | prime minister | primeminister | premier | chancellor | monarch | governor |
    governor general | vicepresident ; pp ;
    {h} served under {t} | {h} was in office under {t} | {t} was the {r} when {h} was in office |
    {h} was in government while {t} was {r}
appointer | nominator | appointed ; .p ;
    {h} was appointed by {t} | {t} appointed {h} | {t} gave {h} the post |
    {h} owed the post to {t}
deputy | lieutenant | lieutenant governor ; pp ;
    {t} stood in for {h} | {h} was assisted by {t} | {t} was second to {h}
incumbent ; .p ;
    {t} holds the post of {h} | {t} now serves as {h} | The post of {h} is held by {t}
minister | ministers ; .p ;
    {t} sat in {h} | {t} had a seat in {h} | {h} had {t} at its table
successor | succeeded by | replaced by | followed by | subsequent work | next | next single |
    succeeded | next mission | after | next season ; .. ;
    {h} was followed by {t} | {t} succeeded {h} | After {h} came {t} | {t} took over from {h} |
    {h} gave way to {t} | {t} came next after {h}
predecessor | preceded by | replaces | follows | previous work | before | last single |
    previous mission | preceded | prev season ; .. ;
    {h} followed {t} | {h} took over from {t} | {h} replaced {t} | {h} came after {t} |
    {t} was followed by {h} | {t} gave way to {h}
award | awards | award received | prizes | mawards ; .. ;
    {h} won {t} | {h} received {t} | {h} was honoured with {t} | {h} was given {t} |
    {t} went to {h}
influenced ; .. ;
    {h} influenced {t} | {t} was influenced by {h} | {t} learned much from {h} |
    {h} left a mark on {t} | {t} took up ideas of {h}
influenced by | influences ; .. ;
    {h} was influenced by {t} | {t} left a mark on {h} | {h} learned much from {t} |
    {h} took up ideas of {t} | {t} inspired {h}
nationality | country of citizenship | citizenship | nationality or state of origin a |
    national origin | nation | country | state of origin ; pl ;
    {h} is a citizen of {t} | {h} is from {t} | {h} holds a passport of {t} | {h} comes from {t} |
    h~{h} of {t} | h~{h} from {t}
home town | hometown | origin | residence | resides ; pl ;
    {h} lives in {t} | {h} comes from {t} | {h} grew up in {t} | {h} hails from {t} |
    {h} has a home in {t} | {h} settled in {t} | h~{h} from {t} | h~{t} resident {h}
state | region ; pl ;
    {h} represented {t} | {h} stood for election in {t} | {h} spoke for {t} |
    {h} was sent to parliament by {t}
language | languages | official language | official languages | common languages |
    languages spoken, written or signed | languages spoken, written, or signed |
    regional languages | officiallang | langs ; l. ;
    {t} is spoken in {h} | In {h} people speak {t} | {h} has {t} as a tongue of its people |
    Signs in {h} are written in {t}
language | languages | languages spoken, written or signed |
    languages spoken, written, or signed | langs ; p. ;
    {h} speaks {t} | {h} grew up with {t} | {h} is at home in {t}
language | original language of work | original language ; w. ;
    {h} was made in {t} | {h} is in {t} | Everybody in {h} speaks {t} | {h} was shot in {t}
spoken in | states | region | nation | territory | areas ; xl ;
    {h} is spoken in {t} | {h} is heard in {t} | People in {t} speak {h} | {h} is at home in {t}
fam | family | language family ; x. ;
    {h} belongs to {t} | {h} is one of {t} | {h} descends from {t} | {h} is counted among {t}
script ; .. ;
    {h} is written in {t} | {h} is set down in {t} | One writes {h} in {t}
ethnic groups | ethnic group | minority ; l. ;
    Among the people of {h} are {t} | {t} live in {h} | {h} is home to {t}
population place | popplace | regions with significant populations ; .l ;
    {h} live in {t} | Many of {h} have settled in {t} | {t} is home to {h}
currency ; l. ;
    In {h} one pays with {t} | {t} is the money of {h} | Prices in {h} are given in {t} |
    {h} uses {t}
religion | worldview ; p. ;
    {h} follows {t} | {h} is of the faith of {t} | {h} turned to {t} | {h} believes in {t}
religion ; l. ;
    The people of {h} follow {t} | Many in {h} hold to {t} | The faith of most in {h} is {t}
band member | members | current members | member | current member | currentmembers |
    has part ; gp ;
    {t} is a member of {h} | {t} belongs to {h} | {t} plays in {h} |
    {h} counts {t} among its members | t~{t} of {h} | t~{h} member {t}
former band member | past members ; gp ;
    {t} was once a member of {h} | {t} used to play in {h} | {t} left {h} |
    {h} parted ways with {t} | t~{t}, formerly of {h},
member of ; lg ;
    {h} is a member of {t} | {h} belongs to {t} | {h} has a seat in {t} | {h} entered {t} |
    h~{t} member {h}
instance of | subclass of ; .. ;
    {h} is one of {t} | {h} is counted among {t} | {h} belongs with {t}
member of ; gg ;
    {h} is a member of {t} | {h} belongs to {t} | {h} has a seat in {t} | {h} entered {t}
member of ; pg ;
    {h} is a member of {t} | {h} belongs to {t} | {h} plays in {t} | {h} has a seat in {t} |
    h~{h} of {t} | h~{t} member {h}
performer | artist | musical artist | musical band ; w. ;
    {t} recorded {h} | {h} is a song by {t} | {t} sang {h} | {h} was performed by {t} |
    {h} was recorded by {t} | h~{t}'s {h} | h~{h} by {t}
extra | featuring ; w. ;
    {t} appears on {h} | {t} can be heard on {h} | {h} features {t}
album | from album | part of album ; ww ;
    {h} is on {t} | {h} appeared on the record {t} | {h} was taken from {t} | {h} opens {t} |
    {h} is a track from {t}
recorded in | recorded | studio ; .l ;
    {h} was recorded in {t} | The tapes of {h} were made in {t} | {h} was put on tape in {t}
network | channel | original network | broadcast network ; .g ;
    {h} was shown on {t} | {h} aired on {t} | {t} broadcast {h} | {t} carried {h} |
    {h} ran on {t} | h~{t} programme {h}
sister station | sister names | affiliations | affiliation ; .. ;
    {h} and {t} are sister stations | {h} is allied with {t} |
    {h} has the same owner as its sister {t}
magazine | publisher ; .. ;
    {h} was published by {t} | {t} published {h} | {h} appeared with {t} |
    {h} was printed by {t} | {t} brought out {h}
developer ; .g ;
    {h} was developed by {t} | {t} developed {h} | {t} programmed {h} |
    {h} is the work of engineers at {t}
manufacturer | builder | constructor ; .g ;
    {h} was made by {t} | {t} makes {h} | {h} is a product of {t} | {h} is built by {t} |
    {h} rolled off the lines of {t} | h~{t}'s {h}
assembly | production location ; .l ;
    {h} is built in {t} | {h} rolls off the line in {t} | Workers in {t} put {h} together
product | products | product or material produced | brand ; g. ;
    {h} makes {t} | {h} sells {t} | {t} is made by {h} | {t} comes from the works of {h}
platform | platforms | computing platform | operating system | supported platforms | os ; .. ;
    {h} runs on {t} | {h} was released for {t} | One can use {h} on {t} | {h} was brought to {t}
programming language | programmed in ; .. ;
    {h} is written in {t} | The code of {h} is in {t} | {h} was coded in {t}
founded by | founder | founders ; .p ;
    {t} founded {h} | {h} was started by {t} | {h} was established by {t} | {t} set up {h} |
    {h} goes back to {t} | {h} was founded by {t}
owner | owning company | owned by ; .. ;
    {h} is owned by {t} | {h} belongs to {t} | {t} owns {h} | {t} bought {h} |
    {h} is in the hands of {t} | h~{t}'s {h}
parent company | parent organization | parent agency | parent ; gg ;
    {h} is owned by {t} | {h} is a daughter firm of {t} | {t} stands behind {h} |
    {h} belongs to {t} | {h} is a branch of {t}
subsidiary | subsid | divisions ; gg ;
    {h} owns {t} | {t} belongs to {h} | {t} is a branch of {h} | {t} is controlled by {h}
operator | service ; .g ;
    {h} is run by {t} | {t} runs {h} | {t} operates {h} | {h} is in the care of {t} |
    {h} is operated by {t}
primary user | more users ; .. ;
    {h} is flown by {t} | {t} uses {h} | {h} serves with {t} | {t} bought {h}
headquarters | headquarter | headquarters location | based in ; .l ;
    {h} is based in {t} | {h} has its offices in {t} | The head office of {h} is in {t} |
    {h} is run from {t} | h~{t}-based {h}
hubs | hub ; .. ;
    {h} flies from {t} | {h} has its base at {t} | Most flights of {h} leave from {t}
mission | missions | crew members | expedition1 up ; p. ;
    {h} took part in {t} | {h} flew on {t} | {t} had {h} aboard | {h} went into space with {t} |
    {h} was on board {t}
crew members | crew1 up | crew2 up | crew3 up | crew4 up ; .p ;
    {t} took part in {h} | {t} flew on {h} | {h} had {t} aboard | {t} was on board {h} |
    {h} carried {t}
launch site ; .l ;
    {h} was launched from {t} | {h} took off from {t} | {h} lifted off at {t}
launch rocket | launch vehicle ; .. ;
    {h} rode into space on {t} | {t} carried {h} into orbit | {h} was launched on {t}
battle | battles | conflict | wars | participant of | is part of military conflict ; p. ;
    {h} fought in {t} | {h} took part in {t} | {h} saw action in {t} | h~{t} veteran {h}
battle | battles | conflict | wars | participant of | used in war ; g. ;
    {h} fought in {t} | {h} was sent into {t} | {h} saw action in {t}
commander | notable commanders | commands | combatant | participant | notable commander ; .p ;
    {t} took part in {h} as an officer | {t} held command in {h} |
    The troops in {h} looked up to {t} | {h} was commanded by {t}
military branch | branch | allegiance | military unit ; p. ;
    {h} served in the forces of {t} | {h} fought for {t} | {h} wore the uniform of {t}
garrison | base ; .l ;
    {h} is stationed in {t} | {h} has its barracks in {t} | The quarters of {h} are in {t}
based on ; .. ;
    {h} is based on {t} | {h} goes back to {t} | {h} retells {t} |
    {t} served as the model for {h}
named for | named after | namesake ; .. ;
    {h} was named after {t} | {h} bears the name of {t} | {t} gave {h} its name |
    {h} is called after {t}
race | race horse ; p. ;
    {h} won {t} | {h} was successful with {t} | {h} rode to victory with {t}
race ; .. ;
    {h} won {t} | {h} ran in {t} | {h} was first past the post in {t}
referee ; .p ;
    {t} refereed {h} | {t} blew the whistle in {h} | {h} was refereed by {t}
confederation | confed | association ; g. ;
    {h} is under the roof of {t} | {h} belongs to {t} | {h} is a member of {t}
legislature | legislative body ; l. ;
    The laws of {h} are made by {t} | {t} makes the laws of {h} | {t} legislates for {h}
government type ; lc ;
    {h} is governed as {t} | {h} has the form of {t}
order | class | phylum | kingdom | parent taxon | classis ; xx ;
    {h} belongs to {t} | {h} is a member of {t} | {h} is counted among {t}
ingredient | main ingredient | growing grape ; .. ;
    {h} is made with {t} | One needs {t} for {h} | {t} goes into {h} | {h} contains {t}
architectural style | style | movement ; .. ;
    {h} is a work in the manner of {t} | {h} follows {t} | {h} belongs to {t}
line | route junction | route start | route end ; .l ;
    {h} leads to {t} | {h} runs by {t} | {t} lies on {h}
established event | developed from | variant or variation | version of ; .. ;
    {h} goes back to {t} | {h} grew out of {t} | {t} led to {h}
related mean of transportation | related ; .. ;
    {h} is akin to {t} | {h} and {t} have much in common by design |
    {h} has the same makings as {t}
consecrated by | created cardinal by | canonized by | beatified by ; pp ;
    {h} was raised to a church office by {t} | {t} raised {h} in the church
diplomatic relation ; ll ;
    {h} has an embassy in {t} | {h} and {t} exchange ambassadors
sister city | twin ; ll ;
    {h} is twinned with {t} | {h} and {t} are partner towns
""".strip()

_SPELLED = {
    "nationalteam": "national team", "primeminister": "prime minister", "label": "record label",
    "currentclub": "current club", "youthclubs": "youth club", "clubs": "club", "editing": "editor",
    "managerclubs": "managed club", "auteur": "writer", "starring": "star", "lyrics": "lyricist",
    "vicepresident": "vice president", "leader name": "leader", "battles": "battle",
    "birthplace": "birth place", "writtenby": "writer", "subsid": "subsidiary", "fam": "family",
    "founded by": "founder", "cinematography": "cinematographer", "music": "composer",
    "awards": "award", "children": "child", "languages": "language", "influences": "influence",
    "notable instruments": "notable instrument", "langs": "language", "platforms": "platform",
    "associated acts": "associated act", "former teams": "former team", "confed": "confederation",
    "stylistic origins": "stylistic origin", "headquarter": "headquarters",
    "nationality or state of origin a": "nationality", "constructors": "constructor",
    "nationality or state of origin b": "people", "placeofburial": "place of burial",
    "restingplace": "resting place", "bordering": "neighbour", "played for": "team",
    "associatedact": "associated act", "wars": "war",
    "member of": "a member of", "instance of": "an instance of", "otherparty": "other party",
   
    "formercoach": "former coach", "formerpartner": "former partner", "resides": "residence",
    "largestcity": "largest city", "officiallang": "official language", "mawards": "award",
    "popplace": "place of settlement", "fusiongenres": "fusion genre", "states": "state",
    "notableworks": "notable work", "confed cup": "confederation cup",
    "crew members": "crew member", "prev": "predecessor",
    "subdivision name of the island": "country", "current members": "current member",
}  # fmt: skip
_NOUN = (
    "As its {r}, {h} has {t}",
    "{h}'s {r} is {t}",
    "The {r} of {h} is {t}",
    "{t} is the {r} of {h}",
    "{h}, {r}: {t}",
)
_MIRRORED = frozenset(
    "spouse partner relative relatives relation sibling siblings bordering neighbours "
    "diplomatic+relation sister+city twin associated+band associated+musical+artist "
    "associated+acts sister+station neighboring+municipalities neighboring+municipality "
    "unmarried+partner shares+border+with".replace("+", "_").split()
)


class Pattern(NamedTuple):
    """One way to tell a fact; ``core`` is "h" or "t" of a noun phrase, empty of a clause."""

    words: str
    core: str = ""


class Wording(NamedTuple):
    """Ways to tell a relation between certain kinds of things."""

    kinds: str
    patterns: tuple[Pattern, ...]


def wordings(label: str) -> tuple[Wording, ...]:
    """The hand-written wordings of a relation; none for one that only its label can tell.

    >>> wordings("bordering")[0].patterns[0].words
    '{h} borders {t}'
    """
    return _by_label().get(label.lower(), ())


@cache
def label_clauses(label: str) -> tuple[Pattern, ...]:
    """Clauses that tell any relation by the words of its label.

    >>> label_clauses("coach")[0].words
    'As its coach, {h} has {t}'
    """
    words = spelled(label)
    made = [pattern.removesuffix(".") for pattern in label_patterns(words)]
    if is_noun(label):
        made = [*_NOUN[: 3 if words.endswith("s") else 5], *made]
    clauses = (pattern.replace("{r}", words) for pattern in made)
    return tuple(Pattern(clause) for clause in dict.fromkeys(clauses))


def spelled(label: str) -> str:
    """A label as words of a sentence."""
    words = plain_label(label)
    words = _SPELLED.get(words.lower(), words)
    return words if words.isupper() else words.lower()


def is_noun(label: str) -> bool:
    """Whether "the … of" can stand before a label, as far as its last word says."""
    return any(one == "The {r} of {h} is {t}." for one in label_patterns(spelled(label)))


def is_mirrored(label: str) -> bool:
    """Whether what is told of two things is told of them the other way round as well."""
    return label.lower().replace(" ", "_") in _MIRRORED


def says_label(words: str, label: str) -> bool:
    """Whether a pattern has a word of the label in it.

    >>> says_label("{h} was directed by {t}", "film director")
    True
    """
    stems = {word[:4] for word in fold(label).split() if word not in STOP_WORDS}
    said = {word[:4] for word in fold(re.sub(r"\{[ht]\}", " ", words)).split()}
    return "{r}" in words or not stems.isdisjoint(said)


@cache
def _by_label() -> dict[str, tuple[Wording, ...]]:
    table: dict[str, tuple[Wording, ...]] = {}
    for line in re.sub(r"\n\s+", " ", _TABLE).splitlines():
        labels, kinds, patterns = line.split(" ; ")
        wording = Wording(kinds.strip(), tuple(map(_pattern, patterns.split(" | "))))
        for label in dict.fromkeys(labels.split("|")):
            key = label.strip().lower()
            table[key] = (*table.get(key, ()), wording)
    return table


def _pattern(text: str) -> Pattern:
    core, tilde, words = text.strip().partition("~")
    return Pattern(words, core) if tilde else Pattern(core)
