"""English words that stand for a country without naming it: "German" tells of Germany."""

from __future__ import annotations

from collections.abc import Iterator

_TABLE = """
afghanistan: afghan, afghans | albania: albanian | algeria: algerian | angola: angolan |
argentina: argentine, argentinian | armenia: armenian | australia: australian, aussie |
austria: austrian | azerbaijan: azerbaijani | bahamas: bahamian | bahrain: bahraini |
bangladesh: bangladeshi | barbados: barbadian | belarus: belarusian | belgium: belgian |
bolivia: bolivian | bosnia and herzegovina: bosnian | botswana: botswanan | brazil: brazilian |
bulgaria: bulgarian | burma: burmese | cambodia: cambodian | cameroon: cameroonian |
canada: canadian | catalonia: catalan | chad: chadian | chile: chilean | china: chinese |
peoples republic of china: chinese | colombia: colombian | congo: congolese |
costa rica: costa rican | croatia: croatian, croat, croats | cuba: cuban | cyprus: cypriot |
czech republic: czech | czechoslovakia: czechoslovak | denmark: danish, dane, danes |
dominican republic: dominican | ecuador: ecuadorian | egypt: egyptian | el salvador: salvadoran |
england: english, englishman, englishwoman | eritrea: eritrean | estonia: estonian |
ethiopia: ethiopian | fiji: fijian | finland: finnish, finn, finns | france: french, frenchman |
gabon: gabonese | georgia: georgian | germany: german | ghana: ghanaian | greece: greek |
guatemala: guatemalan | guinea: guinean | guyana: guyanese | haiti: haitian |
honduras: honduran | hungary: hungarian | iceland: icelandic, icelander | india: indian |
indonesia: indonesian | iran: iranian | iraq: iraqi | ireland: irish, irishman |
republic of ireland: irish | israel: israeli | italy: italian | ivory coast: ivorian |
jamaica: jamaican | japan: japanese | jordan: jordanian | kazakhstan: kazakh | kenya: kenyan |
kosovo: kosovar | kuwait: kuwaiti | kyrgyzstan: kyrgyz | laos: lao, laotian | latvia: latvian |
lebanon: lebanese | liberia: liberian | libya: libyan | lithuania: lithuanian |
luxembourg: luxembourgish | madagascar: malagasy | malawi: malawian | malaysia: malaysian |
mali: malian | malta: maltese | mauritius: mauritian | mexico: mexican | moldova: moldovan |
mongolia: mongolian | montenegro: montenegrin | morocco: moroccan | mozambique: mozambican |
myanmar: burmese | namibia: namibian | nepal: nepalese, nepali | netherlands: dutch, dutchman |
new zealand: new zealander, kiwi | nicaragua: nicaraguan | nigeria: nigerian |
north korea: north korean | north macedonia: macedonian | norway: norwegian | oman: omani |
pakistan: pakistani | palestine: palestinian | panama: panamanian |
papua new guinea: papua new guinean | paraguay: paraguayan | peru: peruvian |
philippines: philippine, filipino, filipina | poland: polish, pole, poles |
portugal: portuguese | puerto rico: puerto rican | qatar: qatari | quebec: quebecois |
romania: romanian | russia: russian | rwanda: rwandan | saudi arabia: saudi |
scotland: scottish, scot, scots, scotsman | senegal: senegalese | serbia: serbian, serb, serbs |
sierra leone: sierra leonean | singapore: singaporean | slovakia: slovak, slovakian |
slovenia: slovenian, slovene | somalia: somali | south africa: south african |
south korea: south korean | soviet union: soviet | spain: spanish, spaniard |
sri lanka: sri lankan | sudan: sudanese | suriname: surinamese | sweden: swedish, swede, swedes |
switzerland: swiss | syria: syrian | taiwan: taiwanese | tajikistan: tajik |
tanzania: tanzanian | thailand: thai | tibet: tibetan | trinidad and tobago: trinidadian |
tunisia: tunisian | turkey: turkish, turk, turks | turkmenistan: turkmen | uganda: ugandan |
ukraine: ukrainian | united arab emirates: emirati | united kingdom: british, briton |
united states: american, usa | united states of america: american, usa | uruguay: uruguayan |
uzbekistan: uzbek | venezuela: venezuelan | vietnam: vietnamese | wales: welsh, welshman |
yemen: yemeni | yugoslavia: yugoslav | zambia: zambian | zimbabwe: zimbabwean
"""


def _read(table: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    for line in " ".join(table.split()).split(" | "):
        country, words = line.split(": ")
        yield country, tuple(words.split(", "))


#: The words that stand for each country, by its folded name; some are two words.
DEMONYMS = dict(_read(_TABLE))


def _countries() -> Iterator[tuple[str, str]]:
    for country, words in DEMONYMS.items():
        for word in words:
            # The last word is enough to look for; "korean" is said of two countries.
            last = word.split()[-1]
            yield from ((last, country), (last + "s", country))


#: The countries that each word may tell of.
COUNTRIES: dict[str, tuple[str, ...]] = {}
for _word, _country in _countries():
    COUNTRIES[_word] = (*COUNTRIES.get(_word, ()), _country)
