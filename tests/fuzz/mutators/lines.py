"""Files of lines: lines dropped, swapped, joined, endless; cells dropped; other line ends."""

from __future__ import annotations

from random import Random

_ENDLESS = 300_000


def mutated(rng: Random, data: bytes) -> bytes:
    """One change to the lines of a file."""
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    match rng.randrange(10):
        case 0:
            del lines[at]
        case 1:
            lines.insert(rng.randint(0, len(lines)), lines[at])
        case 2:
            other = rng.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        case 3:
            lines[at : at + 2] = [b"".join(lines[at : at + 2])]
        case 4:
            lines[at] = lines[at] * (1 + _ENDLESS // max(1, len(lines[at])))
        case 5:
            lines[at] = _without_cell(rng, lines[at])
        case 6:
            return rng.choice((b"\r", b"\r\n", b"\x0b", b"\xe2\x80\xa8", b"")).join(lines)
        case 7:
            lines[at:at] = [b""] * rng.choice((1, 1000))
        case 8:
            lines[at] = rng.choice((b"\xef\xbb\xbf", b" ", b"\t", b"#", b"\x00")) + lines[at]
        case 9:
            lines = lines * rng.choice((2, 30))
    return b"\n".join(lines)


def _without_cell(rng: Random, line: bytes) -> bytes:
    separator = next((s for s in (b"\t", b",", b" ") if s in line), b" ")
    cells = line.split(separator)
    at = rng.randrange(len(cells))
    cells[at : at + 1] = rng.choice(([], [b""], [cells[at]] * 3, [cells[at] * 3000]))
    return separator.join(cells)
