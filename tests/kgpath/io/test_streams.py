"""Files as bytes: what is packed is unpacked in proportion, what only looks packed is not."""

from __future__ import annotations

import bz2
import gzip
import io
from pathlib import Path

import pytest

from kgpath.errors import BadSource
from kgpath.io.limits import limited
from kgpath.io.streams import Counted, open_bytes, read_whole, unpacked


@pytest.mark.parametrize("text", [b"BZ\tis\tBelize\n", b"BZh9 is a word", b"BZh91AY", b"B", b""])
def test_a_text_that_begins_like_an_archive_is_a_text(text: bytes) -> None:
    assert unpacked(Counted(io.BytesIO(text)), "x").read() == text


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress])
@pytest.mark.parametrize("text", [b"", b"abc" * 1000])
def test_an_archive_is_known_by_its_beginning(pack, text: bytes) -> None:
    assert unpacked(Counted(io.BytesIO(pack(text))), "x").read() == text
    twice = pack(text) + pack(text)
    assert unpacked(Counted(io.BytesIO(twice)), "x").read() == text * 2


def test_an_archive_of_usual_proportions_has_no_limit(tmp_path: Path) -> None:
    lines = b"".join(b"<http://x/%d> <http://x/p> <http://x/q> .\n" % n for n in range(20_000))
    (tmp_path / "x.nt.gz").write_bytes(gzip.compress(lines))
    with limited(unpacked=1):
        assert read_whole(tmp_path / "x.nt.gz") == lines


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress])
def test_a_bomb_is_given_up_soon_after_the_limit(pack, tmp_path: Path) -> None:
    (tmp_path / "x.gz").write_bytes(pack(bytes(64 << 20)))
    (tmp_path / "x.gz").rename(tmp_path / "bomb")
    read = 0
    with limited(unpacked="2M"), pytest.raises(BadSource) as caught, open_bytes(
        tmp_path / "bomb"
    ) as stream:  # fmt: skip
        while data := stream.read(1 << 16):
            read += len(data)
    assert read <= 8 << 20
    assert str(caught.value) == (
        "bomb unpacks to more than 100 times its size, and to over 2 MB. If it is meant to be so: "
        "kgpath --max-unpacked 4M …"
    )
