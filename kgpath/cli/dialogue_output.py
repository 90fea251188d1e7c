"""How the dialogue commands show turns and evaluations to people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kgpath.cli.output import note, print_table

if TYPE_CHECKING:
    from kgpath.dialogue.selection import Selection


def show_selection(selection: Selection, response: str = "") -> None:
    """A turn, the sentence chosen for it, how the dialogue gets there, and a written response."""
    print(f"{selection.turn.id}: {selection.turn.query}")
    print(f"  {selection.title}: {selection.sentence}")
    print(f"  {breadcrumb(selection)}")
    if response:
        print(f"  {response}")


def breadcrumb(selection: Selection) -> str:
    """The chain on one line, with the reasons that its arrows do not show."""
    if selection.skipped:
        return f"no evidence needed (need {selection.need:.2f})"
    if selection.graph is None:
        return f"score {selection.scores[selection.chosen]:.2f}"
    if selection.chain is None:
        return f"{selection.source} ⇢ {selection.title} (no path)"
    if not selection.chain.steps:
        return f"{selection.chain} (stays)"
    reasons = "; ".join(str(step.reason) for step in selection.chain.steps if step.arrow == "→")
    return f"{selection.chain} ({reasons})" if reasons else str(selection.chain)


def show_evaluation(data: dict[str, Any]) -> None:
    """Means, intervals and paired differences of runs."""

    def figure(value: float | None) -> str:
        return "–" if value is None else f"{value:.4f}"

    def span(values: list[float] | None, sign: str = "") -> str:
        return "–" if values is None else "{:{s}.4f} [{:{s}.4f}, {:{s}.4f}]".format(*values, s=sign)

    metrics = list(data["runs"][0]["means"])
    print_table(
        ("run", *metrics),
        [(row["run"], *map(figure, row["means"].values())) for row in data["runs"]],
        right=metrics,
    )
    for unit in ("turns", "dialogues"):
        print()
        shown = list(data["runs"][0]["intervals"][unit])
        print_table(
            (f"95 % over {unit}", *shown),
            [(row["run"], *map(span, row["intervals"][unit].values())) for row in data["runs"]],
        )
        if len(data["runs"]) == 1:
            continue
        print()
        print_table(
            (f"difference to {data['runs'][0]['run']}, over {unit}", *shown),
            [
                (row["run"], *(span(v, "+") for v in row["differences"][unit].values()))
                for row in data["runs"][1:]
            ],
        )
    note(
        f"{data['turns']:,} turns of {data['dialogues']:,} dialogues; {data['missing']:,} whose "
        "true sentence is not among the candidates are left out of KnowAcc and EntityAcc. "
        f"{data['bleu']}"
    )
