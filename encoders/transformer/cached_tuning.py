"""A transformer is tuned once for a graph: loaded from the cache, resumed, or trained and cached.

Needs torch; imported only where a model is trained or used.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgpath.encoders.checkpoint import Checkpoint
from kgpath.encoders.transformer.training import Settings, Tuning
from kgpath.io.cache import cache_enabled, cache_folder, key_of
from kgpath.io.lock import locked_in_turn
from kgpath.io.model_cache import load_cached, save_cached
from kgpath.io.progress import note

if TYPE_CHECKING:
    from kgpath.encoders.transformer.contextual import Contextual
    from kgpath.graph import Graph

_RATE, _FROM_SCRATCH = 1e-4, 5e-4
#: Options that decide how texts are read, not what is learned.
_OF_READING = ("scope", "pooling")


def tune_cached(encoder: Contextual, graph: Graph) -> None:
    """Train an encoder on a graph, or load what it learned from the same graph before."""
    options = {k: v for k, v in encoder.options().items() if k not in _OF_READING}
    options["steps"] = encoder.steps_on(graph)  # of which the rest of what was learned is made
    untimed = {name: value for name, value in options.items() if name != "minutes"}
    depends = encoder.versions(), encoder.network.identity, graph.fingerprint
    whole, timed = (key_of(*depends, some) for some in (untimed, options))
    tuned, tuning = (cache_folder() / name for name in ("tuned", "tuning"))
    # What all steps made does not depend on the time that they were given.
    if any(load_cached(tuned / key, encoder.load) for key in (whole, timed)):
        return
    training = tuning / whole
    busy = "another kgpath is training the same: waiting for it"
    with locked_in_turn(training.with_suffix(".lock"), busy):
        if load_cached(tuned / whole, encoder.load):  # by another process, meanwhile
            return
        _train(encoder, graph, training)
        if encoder.report_["stopped by"] == "time":
            save_cached(tuned / timed, encoder.save)  # more minutes will go on from here
        else:
            save_cached(tuned / whole, encoder.save)
            shutil.rmtree(training, ignore_errors=True)


def _train(encoder: Contextual, graph: Graph, folder: Path) -> None:
    encoder.check_requirements(graph)  # says what is missing
    objective = encoder.objective(graph)
    tuned = encoder.tuned()
    layers = len(encoder.network.layers)
    steps = encoder.steps_on(graph)
    part = "all" if encoder.configuration or not encoder.layers else f"the last {encoder.layers}"
    note(
        f"{encoder.name}: tunes {part} of {layers} layers of "
        f"{'a model from scratch' if encoder.configuration else encoder.base} on "
        f"{objective.about(steps * encoder.batch)}, for up to {encoder.minutes:g} minutes; "
        f"longer: {encoder.name}(steps=…, minutes=…)"
    )
    rate = _FROM_SCRATCH if encoder.configuration else _RATE
    settings = Settings(steps, encoder.minutes, encoder.batch, encoder.seed, rate)
    checkpoint = Checkpoint(folder if cache_enabled() else None)
    report = Tuning(encoder.name, tuned, objective, settings, checkpoint).run()
    encoder.set_tuned(report)
    note(f"{encoder.name}: {_in_words(report)}")


def _in_words(report: dict[str, Any]) -> str:
    """What was learned, from what it was before to what it is now."""
    said = []
    for name, value in report.items():
        if not name.endswith(" before"):
            before = report.get(f"{name} before")
            said.append(f"{name} {value}" if before is None else f"{name} {before} → {value}")
    return ", ".join(said)
