"""kgpath dialogue: ground dialogue turns, and show how the dialogue gets there."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from kgpath.cli import options as opt
from kgpath.cli.dialogue_output import breadcrumb, show_evaluation, show_selection
from kgpath.cli.json_rows import rows_written
from kgpath.cli.output import note, print_json, print_table, progress, show_problems
from kgpath.cli.own_input import READS, WRITES

if TYPE_CHECKING:
    from kgpath.dialogue.loading import DialogueFile
    from kgpath.dialogue.selectors.selector import Selector
    from kgpath.graph import Graph

app = typer.Typer(
    help="Ground dialogue turns, by a chain of titles (WikiPath).\n\n"
    "Example: kgpath dialogue select turns.json --edges typed --graph film.kg",
    no_args_is_help=True,
    rich_markup_mode=None,
)

File = Annotated[
    str,
    typer.Argument(metavar="FILE", help="Dialogues, plain or .gz; - for standard input."),
    READS,
]
Edges = Annotated[str, typer.Option(help="An edge rule; see: kgpath ls edge_rules.")]
GraphOption = Annotated[
    str | None, typer.Option("--graph", help="A graph file, for typed edges."), READS
]
DetectorOption = Annotated[
    str | None,
    typer.Option("--detector", help="Ask first whether a turn needs evidence: dialogue train."),
    READS,
]
GeneratorOption = Annotated[
    str, typer.Option("--generator", help="copy, or a transformers model by name or folder."), READS
]
_LEFT_OUT = "Dialogues left out"


@app.command(cls=opt.Command)
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
    from kgpath.dialogue.selectors.choices import make_selector

    speak = make_generator(generator)
    with _loaded(file, graph) as (dialogues, kg):
        chosen = make_selector(selector, kg, edges=edges, detector=detector)
        _check_coverage([chosen], dialogues)
        for dialogue in dialogues.dialogues[:limit]:
            for selection in chosen.select_all(dialogue):
                response = speak(selection)
                if json:
                    trail = {**selection.to_json(), "response": response}
                    print(writer.dumps(trail, ensure_ascii=False))
                else:
                    show_selection(selection, "" if speak is copy else response)
    show_problems(_LEFT_OUT, dialogues.problems)


@app.command(cls=opt.Command)
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
    seed: Annotated[int, typer.Option(min=0, help="For intervals and the random selector.")] = 42,
    output: Annotated[
        str | None,
        typer.Option("-o", "--output", help="Write a JSON line per turn and run."),
        WRITES,
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
    from kgpath.dialogue.selectors.choices import DEFAULT, selectors_by_rule

    speak = make_generator(generator)
    with (
        _loaded(file, graph) as (dialogues, kg),
        rows_written(output) as write,
        progress() as report,
    ):
        made = selectors_by_rule(selector or DEFAULT, edges, kg, detector=detector, seed=seed)
        _check_coverage(made.values(), dialogues)
        runs = [run(name, one, dialogues.dialogues, speak, report) for name, one in made.items()]
        write(runs)
    data = as_json(runs, seed)
    show_problems(_LEFT_OUT, dialogues.problems)
    if json:
        print_json({**data, "problems": dialogues.problems})
    else:
        show_evaluation(data)


@app.command(cls=opt.Command)
def chat(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE|-",
            help="Dialogues whose candidates to talk about; - for turns as JSON lines on stdin.",
        ),
        READS,
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
    from kgpath.dialogue.chat import Chat
    from kgpath.dialogue.generator import make_generator
    from kgpath.dialogue.selectors.choices import make_selector

    speak = make_generator(generator)
    with _opened(graph) as kg:
        chosen = make_selector("wikipath", kg, edges=edges, detector=detector)
        about = None
        if file != "-":
            about = _with_candidates(file, kg).dialogue(dialogue)
            note(f"About {about.topic or about.id}. An empty line ends it.")
        talk = Chat(chosen, speak, about)
        for line in _typed_lines():
            selection, response = talk.reply(line)
            print(response or "(no evidence needed)")
            print(f"  {breadcrumb(selection)}", flush=True)


@app.command(cls=opt.Command)
def train(
    file: File,
    output: Annotated[
        str,
        typer.Option("-o", "--output", help="A file for the detector, such as need.json."),
        WRITES,
    ],
    json: opt.AsJson = False,
) -> None:
    """Train the --detector of turns that need no evidence.

    Example: kgpath dialogue train valid_seen.json -o need.json
    """
    from kgpath.dialogue.evidence_detector import EvidenceDetector
    from kgpath.dialogue.loading import DialogueFile

    dialogues = DialogueFile(file)
    detector = EvidenceDetector().fit(dialogues.dialogues)
    detector.save(output)
    show_problems(_LEFT_OUT, dialogues.problems)
    if json:
        print_json({"threshold": detector.threshold, "weights": detector.weights()})
    else:
        rows = [(name, f"{weight:+.3f}") for name, weight in detector.weights().items()]
        print_table(("what speaks for no evidence", "weight"), rows, right=("weight",))
    note(f"{output} written; a turn needs no evidence below {detector.threshold:.3f}")


@app.command(cls=opt.Command)
def convert(
    file: File,
    output: Annotated[str, typer.Option("-o", "--output", help="A file of JSON lines."), WRITES],
) -> None:
    """Write dialogues of any known format as kgpath's own JSON lines.

    Example: kgpath dialogue convert test_seen.json -o test-seen.jsonl
    """
    from kgpath.dialogue.formats import jsonl
    from kgpath.dialogue.loading import DialogueFile

    dialogues = DialogueFile(file)
    jsonl.write(dialogues.dialogues, output)
    show_problems(_LEFT_OUT, dialogues.problems)
    note(f"{output} written: {len(dialogues.dialogues):,} dialogues")


@contextmanager
def _loaded(file: str, graph: str | None) -> Iterator[tuple[DialogueFile, Graph | None]]:
    """The dialogues of a file with candidates, and the graph if one is named."""
    with _opened(graph) as kg:
        yield _with_candidates(file, kg), kg


@contextmanager
def _opened(path: str | None) -> Iterator[Graph | None]:
    if path is None:
        yield None
        return
    import kgpath

    with kgpath.open(path) as kg:
        yield kg


def _with_candidates(file: str, graph: Graph | None) -> DialogueFile:
    from kgpath.dialogue.fact_candidates import give_candidates
    from kgpath.dialogue.loading import DialogueFile

    dialogues = DialogueFile(file)
    if said := give_candidates(dialogues, graph):
        note(said)
    return dialogues


def _check_coverage(selectors: Iterable[Selector], dialogues: DialogueFile) -> None:
    from kgpath.dialogue.coverage import check_coverage

    if said := check_coverage(selectors, dialogues):
        note(said)


def _typed_lines() -> Iterator[str]:
    """What a person types, until an empty line or the end."""
    while True:
        if sys.stdin.isatty():
            print("> ", end="", file=sys.stderr, flush=True)
        line = sys.stdin.readline().strip()
        if not line:
            return
        yield line
