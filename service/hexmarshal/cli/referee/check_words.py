"""What `hexmarshal check` says about one file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.cli.output import print_table
from hexmarshal.errors.counts import counted

if TYPE_CHECKING:
    from hexmarshal.referee.check.findings import CheckReport, Entry

__all__ = ["print_report"]


def print_report(found: CheckReport, *, every: bool) -> None:
    """The head, what is wrong or everything, and the tables."""
    from hexmarshal.referee.check.findings import Status

    print(f"{found.file}: {_head(found)}")
    for step_note in found.notes:
        note = step_note.note
        where = f"step {step_note.step}" if step_note.step else "start"
        print(f"note     {where}: {note.text}" + (f" ({note.hint})" if note.hint else ""))
    for entry in found.entries:
        if every or entry.status not in (Status.LEGAL, Status.TAKEN_BACK):
            _print_entry(entry)
    if found.bound:
        rows = [
            (name, *(counts.get(status.value, 0) for status in Status))
            for name, counts in found.by_player().items()
        ]
        if rows:
            print_table("", ("player", *(s.value for s in Status)), rows)
        if found.by_rule():
            print_table("", ("rule", "broken"), found.by_rule().items(), right=("broken",))
    if found.dice:
        rows = [
            (
                one.player,
                f"d{one.sides}",
                one.count,
                " ".join(map(str, one.faces)),
                f"{float(one.mean):.2f}",
                f"{one.p:.3f}" + ("" if one.exact else " (about)"),
            )
            for one in found.dice
        ]
        columns = ("player", "dice", "rolls", "each face", "mean", "chance if fair")
        print_table("", columns, rows, right=("rolls", "mean"))


def _head(found: CheckReport) -> str:
    steps = counted(found.steps, "step")
    if found.cut:
        steps = f"cut short: the start and {counted(found.steps, 'step')} are whole"
    if not found.bound:
        return f"{found.kind}, {steps}, not bound to rules"
    words = [found.title, found.scenario, steps]
    if found.undone:
        words.append(f"{found.undone} undone")
    certain = found.certain
    likely = sum(1 for _ in found.violations) - certain
    words.append(f"{counted(certain, 'certain violation')}, {likely} likely")
    return ", ".join(filter(None, words))


def _print_entry(entry: Entry) -> None:
    steps = f"{entry.first}" if entry.first == entry.last else f"{entry.first}-{entry.last}"
    # Who did it is a player; of what is wrong with a set-up it is nobody.
    who = f", {entry.doer}" if entry.player or entry.side else ""
    phase = entry.at or entry.phase.replace("_", " ")
    print(f"{entry.status.value:<10} step {steps}, turn {entry.turn}, {phase}{who}:")
    dice = ", ".join(map(str, entry.dice))
    print(f"           {entry.line}" + (f" (dice {dice})" if dice else ""))
    if entry.announcement:
        print(f"           {entry.announcement}")
    for violation in entry.violations:
        place = f" ({violation.section})" if violation.section else ""
        print(f"           {violation.rule}{place}: {violation.text}")
    if entry.right:
        print(f"           right: {entry.right}")
    if entry.result and entry.status.value == "unknown":
        print(f"           {entry.result}" + (f" ({entry.hint})" if entry.hint else ""))
    print(f"           {entry.certainty.value}")
