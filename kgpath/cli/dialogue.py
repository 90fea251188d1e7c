"""kgpath dialogue: ground dialogue turns, and show how the dialogue gets there."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kgpath.cli import options as opt
from kgpath.cli.dialogue_output import breadcrumb, show_evaluation, show_selection
from kgpath.cli.evaluate import rows_written
from kgpath.cli.output import note, print_json, print_table, progress, show_problems

if TYPE_CHECKING:
    from kgpath.dialogue.loading import DialogueFile
    from kgpath.dialogue.selection import Selection
    from kgpath.dialogue.selectors.selector import Selector
    from kgpath.graph import Graph

app = typer.Typer(
    help="Ground dialogue turns, by a chain of titles (WikiPath).\n\n"
    "Example: kgpath dialogue select turns.json --edges typed --graph film.kg",
    no_args_is_help=True,
    rich_markup_mode=None,
)

File = Annotated[
    str, typer.Argument(metavar="FILE", help="Dialogues, plain or .gz; - for standard input.")
]
Edges = Annotated[str, typer.Option(help="An edge rule; see: kgpath ls edge_rules.")]
GraphOption = Annotated[str | None, typer.Option("--graph", help="A graph file, for typed edges.")]
DetectorOption = Annotated[
    str | None,
    typer.Option("--detector", help="Ask first whether a turn needs evidence: dialogue train."),
]
GeneratorOption = Annotated[
    str, typer.Option("--generator", help="copy, or a transformers model by name or folder.")
]


@app.command()
def select(
    file: File,
    selector: Annotated[str, typer.Option(help="See: kgpath ls selectors.")] = "wikipath",
    edges: Edges = "lexical",
    graph: GraphOption = None,
    detector: DetectorOption = None,
    generator: GeneratorOption = "copy",
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first dialogues.")] = None,
    json: opt.AsJson = False,
) -> None:
    """Choose a sentence for every turn, and show the chain to it.

    With --json the whole audit trail is printed, a line for each turn.

    Example: kgpath dialogue select turns.json --edges typed --graph film.kg
    """
    import json as writer

    from kgpath.dialogue.generator import copy, make_generator

    dialogues = _load(file)
    speak = make_generator(generator)
    with _opened(graph) as kg:
        _give_candidates(dialogues, kg)
        chosen = _selector(selector, edges, kg, detector)
        _check_links([chosen], dialogues, kg)
        for dialogue in dialogues.dialogues[:limit]:
            for selection in chosen.select_all(dialogue):
                response = speak(selection)
                if json:
                    trail = {**selection.to_json(), "response": response}
                    print(writer.dumps(trail, ensure_ascii=False))
                else:
                    show_selection(selection, "" if speak is copy else response)
    show_problems("Dialogues left out", dialogues.problems)


@app.command()
def evaluate(
    file: File,
    selector: Annotated[
        list[str] | None, typer.Option(help="Again for each; without any: all four.")
    ] = None,
    edges: Annotated[
        str, typer.Option(help="Edge rules for wikipath, by commas; see: kgpath ls edge_rules.")
    ] = "lexical",
    graph: GraphOption = None,
    detector: DetectorOption = None,
    generator: GeneratorOption = "copy",
    seed: Annotated[int, typer.Option(help="For intervals and the random selector.")] = 42,
    output: Annotated[
        str | None, typer.Option("-o", "--output", help="Write a JSON line per turn and run.")
    ] = None,
    json: opt.AsJson = False,
) -> None:
    """Measure selectors on dialogues whose true sentences are known.

    Example: kgpath dialogue evaluate turns.json --selector bm25 --selector wikipath
    --edges lexical,typed --graph film.kg
    """
    from kgpath.dialogue.evaluation import run
    from kgpath.dialogue.generator import make_generator
    from kgpath.dialogue.report import as_json

    dialogues = _load(file)
    speak = make_generator(generator)
    with _opened(graph) as kg, rows_written(output) as write, progress() as report:
        _give_candidates(dialogues, kg)
        made = {}
        for name in selector or ("random", "bm25", "bm25+continuity", "wikipath"):
            # A comma within brackets parts options, not rules.
            for rule in re.split(r",(?![^(]*\))", edges) if _has_edges(name) else ("",):
                made[f"{name} {rule}".strip()] = _selector(name, rule, kg, detector, seed)
        _check_links(made.values(), dialogues, kg)
        runs = [run(name, one, dialogues.dialogues, speak, report) for name, one in made.items()]
        write(runs)
    data = as_json(runs, seed)
    show_problems("Dialogues left out", dialogues.problems)
    if json:
        print_json({**data, "problems": dialogues.problems})
    else:
        show_evaluation(data)


@app.command()
def chat(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE|-",
            help="Dialogues whose candidates to talk about; - for turns as JSON lines on stdin.",
        ),
    ],
    edges: Edges = "lexical",
    graph: GraphOption = None,
    detector: DetectorOption = None,
    generator: GeneratorOption = "copy",
    dialogue: Annotated[int, typer.Option(min=1, help="Which dialogue of the file.")] = 1,
) -> None:
    """Try turns by hand: type, and see the sentence and its chain.

    With a FILE, all candidates of one dialogue are what can be talked about; a line each, an empty
    line ends it. With -, every line of standard input is a turn: {"query": …, "candidates":
    [[TITLE, SENTENCE], …], "topic": …}.

    Example: kgpath dialogue chat turns.json --edges typed --graph film.kg
    """
    from kgpath.dialogue.chat import Conversation
    from kgpath.dialogue.generator import make_generator
    from kgpath.errors import BadOption

    speak = make_generator(generator)
    with _opened(graph) as kg:
        chosen = _selector("wikipath", edges, kg, detector)
        talk = Conversation()
        if file != "-":
            loaded = _load(file)
            _give_candidates(loaded, kg)
            if dialogue > len(loaded.dialogues):
                raise BadOption(
                    f"--dialogue is {dialogue}, but {file} has {len(loaded.dialogues):,}."
                )
            about = loaded.dialogues[dialogue - 1]
            talk = Conversation((c for turn in about.turns for c in turn.candidates), about.topic)
            note(f"About {about.topic or about.id}. An empty line ends it.")
        before: list[Selection] = []
        for line in _typed_lines():
            turn = talk.given(line) if file == "-" else talk.say(line)
            selection = chosen.select(turn, before)
            before.append(selection)
            response = speak(selection)
            talk.answered(turn, response)
            print(response or "(no evidence needed)")
            print(f"  {breadcrumb(selection)}", flush=True)


@app.command()
def train(
    file: File,
    output: Annotated[
        str, typer.Option("-o", "--output", help="A file for the detector, such as need.json.")
    ],
    json: opt.AsJson = False,
) -> None:
    """Train the --detector of turns that need no evidence.

    Example: kgpath dialogue train valid_seen.json -o need.json
    """
    from kgpath.dialogue.evidence_detector import NeedDetector
    from kgpath.io.atomic import replacing

    dialogues = _load(file)
    detector = NeedDetector().fit(dialogues.dialogues)
    with replacing(Path(output)) as temporary:
        detector.save(temporary)
    show_problems("Dialogues left out", dialogues.problems)
    if json:
        print_json({"threshold": detector.threshold, "weights": detector.weights()})
    else:
        rows = [(name, f"{weight:+.3f}") for name, weight in detector.weights().items()]
        print_table(("what speaks for no evidence", "weight"), rows, right=("weight",))
    note(f"{output} written; a turn needs no evidence below {detector.threshold:.3f}")


@app.command()
def convert(
    file: File,
    output: Annotated[str, typer.Option("-o", "--output", help="A file of JSON lines.")],
) -> None:
    """Write dialogues of any known form as kgpath's own JSON lines.

    Example: kgpath dialogue convert test_seen.json -o test-seen.jsonl
    """
    from kgpath.dialogue.forms.jsonl import lines_of
    from kgpath.io.atomic import replacing

    dialogues = _load(file)
    with replacing(Path(output)) as temporary, temporary.open("w", encoding="utf-8") as lines:
        lines.writelines(lines_of(dialogues.dialogues))
    show_problems("Dialogues left out", dialogues.problems)
    note(f"{output} written: {len(dialogues.dialogues):,} dialogues")


def _load(file: str) -> DialogueFile:
    from kgpath.dialogue.loading import DialogueFile

    return DialogueFile(file)


def _give_candidates(file: DialogueFile, graph: Graph | None) -> None:
    """Turns without any candidates choose between the facts of the graph."""
    from kgpath.dialogue.fact_candidates import with_facts
    from kgpath.errors import BadOption

    if any(turn.candidates for turn in file.turns):
        return
    if graph is None:
        raise BadOption(
            f"The turns of {file.name} have no candidates. With a graph its facts are the "
            "candidates: --graph film.kg"
        )
    before = len(file.turns)
    file.dialogues = with_facts(file.dialogues, graph)
    note(
        f"The candidates are facts of {graph.path.name}; it knows the source of "
        f"{len(file.turns):,} of {before:,} turns."
    )
    if not file.dialogues:
        raise BadOption(f"{graph.path.name} knows no source of any turn in {file.name}.")


@contextmanager
def _opened(path: str | None) -> Iterator[Graph | None]:
    if path is None:
        yield None
        return
    import kgpath

    with kgpath.open(path) as kg:
        yield kg


def _selector(
    name: str, edges: str, graph: Graph | None, detector: str | None, seed: int = 42
) -> Selector:
    from kgpath.dialogue.evidence_detector import NeedDetector
    from kgpath.dialogue.selectors.detected import Detected
    from kgpath.dialogue.selectors.selector import make_selector

    made: Selector = make_selector(name, graph, edges=edges, seed=seed)
    return made if detector is None else Detected(NeedDetector.load(detector), made)


def _has_edges(name: str) -> bool:
    import inspect

    from kgpath.plugins import SELECTORS
    from kgpath.registry import parse_choice

    name, said = parse_choice(name)
    return "edges" in inspect.signature(SELECTORS.load(name)).parameters and "edges" not in said


def _check_links(selectors: Iterable[Selector], file: DialogueFile, graph: Graph | None) -> None:
    """Say how many titles a typed rule finds in its graph, and refuse if there are none."""
    from kgpath.dialogue.coverage import coverage, linker_of
    from kgpath.errors import BadOption

    linker = next(filter(None, map(linker_of, selectors)), None)
    if linker is None or graph is None:
        return
    found = coverage(linker, file.turns)
    if not found.linked:
        raise BadOption(
            f"{graph.path.name} knows none of the {found.titles:,} titles in {file.name}: typed "
            "edges need a graph that covers the topics. See: kgpath find, or use --edges lexical"
        )
    note(
        f"{graph.path.name} knows {found.linked:,} of {found.titles:,} titles "
        f"({found.linked / found.titles:.0%}) and {found.sources:,} of {found.turns:,} sources."
    )


def _typed_lines() -> Iterator[str]:
    """What a person types, until an empty line or the end."""
    while True:
        if sys.stdin.isatty():
            print("> ", end="", file=sys.stderr, flush=True)
        line = sys.stdin.readline().strip()
        if not line:
            return
        yield line
