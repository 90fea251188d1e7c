"""Any selector, after a detector has asked whether the turn needs evidence at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kgpath.dialogue.evidence_detector import EvidenceDetector
from kgpath.dialogue.records import Turn
from kgpath.dialogue.selection import Selection
from kgpath.dialogue.selectors.selector import Selector


class Detected(Selector):
    """Chooses "no passage used" where the detector says so, else what the selector chooses.

    A turn without that entry among its candidates is always left to the selector.
    """

    def __init__(self, detector: EvidenceDetector, selector: Selector) -> None:
        self.detector, self.selector = detector, selector
        self.name = f"detector, {selector.name}"

    def select(self, turn: Turn, before: Sequence[Selection] = ()) -> Selection:
        selection = self.selector.select(turn, before)
        need = float(self.detector.need([turn])[0])
        none = next((at for at, c in enumerate(turn.candidates) if not c.is_evidence), None)
        if none is None or need > self.detector.threshold:
            return replace(selection, selector=self.name, need=need)
        return replace(selection, selector=self.name, need=need, chosen=none, skipped=True)
