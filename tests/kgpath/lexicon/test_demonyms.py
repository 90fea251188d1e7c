"""Words that stand for a country."""

from __future__ import annotations

from kgpath.lexicon.demonyms import COUNTRIES, DEMONYMS
from kgpath.lexicon.text import fold


def test_every_word_leads_back_to_its_country() -> None:
    assert DEMONYMS["germany"] == ("german",)
    assert "south korea" in COUNTRIES["korean"] and "north korea" in COUNTRIES["koreans"]
    for country, words in DEMONYMS.items():
        assert fold(country) == country
        for word in words:
            assert fold(word) == word and country in COUNTRIES[word.split()[-1]]
