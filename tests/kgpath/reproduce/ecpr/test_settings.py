"""What a user may set."""

from __future__ import annotations

import pytest

from kgpath.reproduce.ecpr.settings import Settings


def test_the_old_name_of_a_setting_works_with_a_notice(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kgpath.registry._NOTICED", set())
    assert Settings.of({"ranges": "window"}, quick=False).scopes == "window"
    notice = "kgpath: ranges= is called scopes= now; the old name goes with the next release\n"
    assert capsys.readouterr().err == notice
