"""Checks a position: what the rules have against it, and a set-up's own scenario."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.referee.check.findings import Certainty, Entry, Status
from hexmarshal.referee.check.setup_check import SETUP_RULE, is_set_up, set_up_problems, unsettled
from hexmarshal.referee.interpret.rules_calls import RulesFailedError
from hexmarshal.referee.interpret.words import place_title
from hexmarshal.rules.state.validate import POSITION_RULE
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.referee.check.start_position import Opening
    from hexmarshal.referee.interpret.rules_calls import Rules
    from hexmarshal.rules.game import Game
    from hexmarshal.table.binding import Binding

__all__ = ["position_entries"]


def position_entries(
    rules: Rules, binding: Binding, opening: Opening, *, is_log: bool
) -> list[Entry]:
    """Everything wrong with the position that a file begins with; of a save, as a set-up too."""
    at = opening.position
    what = "the position at the start" if is_log else "the position"
    entry = Entry(
        0, 0, at.turn, at.phase, "", "", what, "position", Status.VIOLATION, before=at, after=at
    )
    found = list(_by_rules(entry, rules, opening))
    if not is_log and opening.start is not None:
        found += _as_set_up(entry, rules, binding, opening)
    return found


def _by_rules(entry: Entry, rules: Rules, opening: Opening) -> Iterator[Entry]:
    try:
        found = rules.problems(opening.position)
    except RulesFailedError as error:
        yield replace(
            entry,
            status=Status.UNKNOWN,
            certainty=Certainty.CANNOT_TELL,
            result=error.message,
            hint=error.hint,
        )
        return
    unreadable = {note.unit for note in opening.notes if note.unit}
    for violation in found:
        # What no scenario tells, or no sign shows, may be missing without a fault of anybody.
        named = violation.rule != POSITION_RULE or violation.field.endswith(".cell")
        told = opening.sure or named
        told = told and unreadable.isdisjoint(violation.units)
        yield replace(
            entry,
            certainty=Certainty.CERTAIN if told else Certainty.CANNOT_TELL,
            status=Status.VIOLATION if told else Status.UNKNOWN,
            violations=(violation,),
            result="" if told else "the table does not tell",
            units=violation.units,
        )


def _as_set_up(entry: Entry, rules: Rules, binding: Binding, opening: Opening) -> Iterator[Entry]:
    at, start = opening.position, opening.start
    assert start is not None
    fresh = is_set_up(rules, binding, at, start)
    kind = "set-up" if fresh else "position"
    found: list[tuple[Violation, Certainty]] = []
    if fresh:
        found += set_up_problems(rules, binding, at, start)
        twice = (note for note in opening.notes if note.code == "twice")
        found += (
            (Violation(SETUP_RULE, note.text, units=(note.unit,)), Certainty.CERTAIN)
            for note in twice
        )
    if not fresh or not rules.judges_set_ups:
        # A game that is under way has a remedy for what is only wrong when the phase ends.
        certainty = Certainty.CERTAIN if fresh else Certainty.LIKELY
        wrong = unsettled(rules, binding, at, start, fresh=fresh)
        found += ((violation, certainty) for violation in wrong)
    for violation, certainty in found:
        yield replace(
            entry,
            what=f"the {kind}",
            kind=kind,
            certainty=certainty,
            violations=(violation,),
            right=_right(rules.game, violation, opening),
            units=violation.units,
        )


def _right(game: Game, violation: Violation, opening: Opening) -> str:
    """Where the scenario has the units."""
    start = opening.start
    if violation.rule != SETUP_RULE or start is None:
        return ""
    known = (start.units[unit] for unit in violation.units if unit in start.units)
    return ", ".join(f"{unit.id} in {place_title(game, unit)}" for unit in known)
