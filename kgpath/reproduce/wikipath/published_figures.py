"""What the paper prints, to stand beside our figures (Luo 2026, doi 10.69987/JACS.2026.60107)."""

from __future__ import annotations

#: Tables 4 and 5: KnowF1, KnowAcc, EntityAcc, RespGroundF1, UserScore.
RESULTS: dict[tuple[str, str], tuple[float, ...]] = {
    ("valid-seen", "Random"): (0.1437, 0.0305, 0.2183, 0.1044, 0.0956),
    ("valid-seen", "BM25"): (0.1866, 0.0721, 0.2722, 0.1343, 0.1220),
    ("valid-seen", "BM25+Continuity"): (0.1876, 0.0731, 0.2762, 0.1349, 0.1225),
    ("valid-seen", "BM25+WikiPath"): (0.1885, 0.0741, 0.2793, 0.1351, 0.1228),
    ("valid-unseen", "Random"): (0.1397, 0.0267, 0.2075, 0.1037, 0.0950),
    ("valid-unseen", "BM25"): (0.1864, 0.0690, 0.2699, 0.1363, 0.1244),
    ("valid-unseen", "BM25+Continuity"): (0.1871, 0.0695, 0.2745, 0.1366, 0.1247),
    ("valid-unseen", "BM25+WikiPath"): (0.1869, 0.0708, 0.2707, 0.1362, 0.1244),
    ("test-seen", "Random"): (0.1347, 0.0223, 0.2199, 0.0999, 0.0916),
    ("test-seen", "BM25"): (0.1868, 0.0712, 0.2732, 0.1379, 0.1256),
    ("test-seen", "BM25+Continuity"): (0.1879, 0.0722, 0.2789, 0.1382, 0.1259),
    ("test-seen", "BM25+WikiPath"): (0.1888, 0.0730, 0.2828, 0.1386, 0.1263),
    ("test-unseen", "Random"): (0.1375, 0.0224, 0.2069, 0.1013, 0.0927),
    ("test-unseen", "BM25"): (0.1845, 0.0663, 0.2650, 0.1353, 0.1237),
    ("test-unseen", "BM25+Continuity"): (0.1848, 0.0663, 0.2681, 0.1354, 0.1238),
    ("test-unseen", "BM25+WikiPath"): (0.1858, 0.0675, 0.2714, 0.1358, 0.1242),
}

#: Table 1: dialogues, turns, turns per dialogue, candidates, tokens of the query, of the response.
DATA: dict[str, tuple[float, ...]] = {
    "valid-seen": (981, 3939, 4.02, 60.73, 12.81, 18.40),
    "valid-unseen": (967, 3927, 4.06, 62.34, 12.93, 18.44),
    "test-seen": (965, 3865, 4.01, 60.80, 12.92, 18.52),
    "test-unseen": (968, 3924, 4.05, 61.03, 12.80, 18.07),
}

#: Table 7, test-seen: KnowF1, EntityAcc, RespGroundF1, UserScore, distinct ratio.
ABLATION: dict[str, tuple[float, ...]] = {
    "WikiPath (lexical)": (0.1888, 0.2828, 0.1386, 0.1263, 0.8892),
    "WikiPath (mention)": (0.1886, 0.2818, 0.1387, 0.1263, 0.8902),
    "WikiPath (full)": (0.1885, 0.2812, 0.1385, 0.1261, 0.8901),
    "BM25+Continuity": (0.1879, 0.2789, 0.1382, 0.1259, 0.8916),
    "WikiPath (full), beta .2": (0.1871, 0.2730, 0.1378, 0.1256, 0.9040),
    "BM25": (0.1868, 0.2732, 0.1379, 0.1256, 0.8983),
}

#: Table 8, test-seen, in percent: correct, right title, wrong title, wrong with overlap.
ERRORS: dict[str, tuple[float, ...]] = {
    "BM25": (7.12, 20.21, 72.68, 59.87),
    "BM25+WikiPath": (7.30, 20.98, 71.72, 58.97),
}

#: Table 13, test-seen: turns, user score, KnowF1, EntityAcc by the length of the chain.
BUCKETS: dict[int | None, tuple[float, ...]] = {
    0: (418, 0.1487, 0.2518, 0.7392),
    1: (416, 0.1284, 0.1679, 0.1442),
    2: (52, 0.1219, 0.1542, 0.1154),
    3: (11, 0.1123, 0.1493, 0.0000),
    4: (4, 0.0705, 0.0687, 0.0000),
    None: (2964, 0.1230, 0.1837, 0.2422),
}


def published_split(name: str) -> str:
    """The paper's name for a split, from a file's name; empty if it is none of the four.

    >>> published_split("test_seen_collected"), published_split("my-dialogues")
    ('test-seen', '')
    """
    small = name.lower().replace("_", "-").replace("random-split", "seen")
    part = "valid" if "valid" in small else "test" if "test" in small else ""
    seen = "unseen" if "unseen" in small else "seen" if "seen" in small else ""
    return f"{part}-{seen}" if part and seen else ""
