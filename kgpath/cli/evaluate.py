"""kgpath evaluate: how good are rankers on queries with known answers?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from kgpath.cli import options as opt
from kgpath.cli.json_rows import rows_written
from kgpath.cli.output import interruptible, note, print_json, progress, show_problems
from kgpath.cli.own_input import READS, WRITES, Writes
from kgpath.paths import DEFAULT_LIMIT

DEFAULT = ("random", "shortest", "tfidf-cosine", "zero-shot")


def evaluate(
    graph: opt.GraphFile,
    queries: opt.Queries,
    ranker: Annotated[
        list[str] | None,
        typer.Option(help=f"Again for each; without any: {', '.join(DEFAULT)}."),
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option(help="A trained model beside the rankers; again for each."),
        READS,
    ] = None,
    max_hops: opt.MaxHops = 4,
    limit: opt.RankLimit = DEFAULT_LIMIT,
    candidates: opt.GivenOrFound = "found",
    metric: Annotated[
        list[str] | None, typer.Option(help="Again for each; see: kgpath ls metrics.")
    ] = None,
    path_encoder: Annotated[
        str,
        typer.Option(help="For PED: see kgpath ls path_encoders, or the folder of a model."),
        READS,
    ] = "",
    untold: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            help="Pairs whose text tells no path: document, head and tail a line; again for each.",
        ),
        READS,
    ] = None,
    evidence: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Texts with the sentences that say their facts: document, facts, sentence_starts.",
        ),
        READS,
    ] = None,
    same_relations: Annotated[
        bool,
        typer.Option(
            "--same-relations",
            help="Also count relations that mean the same as one: columns 'same …'.",
        ),
    ] = False,
    picture: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Draw how sure and how right rankers are: .png, .svg."),
        Writes("--picture"),
    ] = None,
    folds: Annotated[int, typer.Option(min=2, help="For rankers that must be fitted.")] = 5,
    seed: Annotated[int, typer.Option(min=0, help="For folds and intervals.")] = 0,
    vectors: opt.Vectors = None,
    base: opt.Base = None,
    output: Annotated[
        str | None,
        typer.Option("-o", "--output", help="Write a JSON line per query and ranker."),
        WRITES,
    ] = None,
    json: opt.AsJson = False,
) -> None:
    """Measure rankers on queries whose true paths are known.

    A query is a JSON line with document, head, tail and path (or paths). Every query counts: a
    true path that is not among the candidates has rank infinity. A verdict is measured against
    untold questions, too: lines with "paths": [], or files of --untold.

    Example: kgpath evaluate film.kg dev.jsonl.gz --ranker shortest --ranker zero-shot

    Example: kgpath evaluate film.kg dev.jsonl.gz --untold untold.jsonl --picture sure.png
    """
    import kgpath
    from kgpath.cli.evaluate_output import show
    from kgpath.io.evidence import EvidenceFile
    from kgpath.io.queries import QueryFile, UntoldFile
    from kgpath.learning.evaluate import METRICS, Evaluator, make_rankers
    from kgpath.learning.models import load_model
    from kgpath.learning.reliability_picture import ReliabilityPicture
    from kgpath.learning.report import as_json
    from kgpath.paths.finder import PathOptions

    rankers = make_rankers(ranker or (() if model else DEFAULT), vectors=vectors or "")
    drawn = ReliabilityPicture(picture) if picture else None
    files = [QueryFile(queries), *map(UntoldFile, untold or ())]
    marked = EvidenceFile(evidence) if evidence else None
    with (
        interruptible("Nothing was measured to the end, so nothing is shown or written."),
        kgpath.open(graph) as kg,
        rows_written(output) as write,
        progress() as report,
    ):
        trained = {
            folder: load_model(folder, kg, vectors=vectors or "", base=base or "")
            for folder in model or ()
        }
        if path_encoder and not Path(path_encoder).is_dir():
            note(f"PED by {path_encoder}; if it has to learn, it learns now, unless it did before.")
        evaluator = Evaluator(
            kg, files[0].queries, options=PathOptions(max_hops=max_hops), limit=limit,
            metrics=metric or METRICS, candidates=candidates, path_encoder=path_encoder,
            vectors=vectors or "", base=base or "",
            untold=[query for file in files[1:] for query in file.queries],
            evidence=marked.texts if marked else (), same_relations=same_relations,
        )  # fmt: skip
        runs = evaluator.run(rankers, trained, folds=folds, seed=seed, progress=report)
        write(runs)
    if drawn:
        drawn.draw(runs)
        note(f"{picture} written")
    asked = {"file": files[0].name, "candidates": candidates, "max_hops": max_hops, "limit": limit}
    also: dict[str, Any] = {"untold": [file.name for file in files[1:]]} if untold else {}
    if same_relations:
        also["same_relations"] = True
    data = {"asked": {**asked, **also}, **as_json(runs, seed)}
    read: list[QueryFile | EvidenceFile] = [*files, *([marked] if marked else [])]
    problems = [problem for file in read for problem in file.problems]
    show_problems("Lines left out", problems)
    show_problems("Not counted in full", evaluator.notes)
    show_problems("Evidence left out", evaluator.left_out)
    ignored = {name for file in read for name in file.ignored}
    if ignored:
        note(f"Fields without a meaning here: {', '.join(sorted(ignored))}.")
    if marked:
        data["evidence"] = evaluator.evidence.to_json()
    if json:
        more = {"problems": problems, "notes": [*evaluator.notes, *evaluator.left_out]}
        print_json({**data, **more})
        return
    show(data)
    if marked:
        note(str(evaluator.evidence))


COMMANDS = (evaluate,)
