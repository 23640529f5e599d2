"""Fire that players announced by hexes: its line of sight, who can fire, and what the dice give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.games.asl.vasl.fire_question import ask_fire
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from hexmarshal.games.asl.vasl.fire_question import FireQuestion
    from hexmarshal.games.asl.vasl.logs.announcements import FireCall, VaslRoll
    from hexmarshal.games.asl.vasl.opening import OpenedTable

__all__ = ["FIRE_PHASES", "JudgedShot", "judge_shot"]

FIRE_PHASES: Final = frozenset({"prep_fire", "movement", "defensive_fire", "advancing_fire"})


@dataclass(frozen=True, slots=True)
class JudgedShot:
    """What is said of a shot; `error` tells why nothing is."""

    told: str = ""
    result: str = ""
    """Of the fire table, if all fired who can: 1MC, K/2, ..."""
    targets: tuple[str, ...] = ()
    faults: tuple[Violation, ...] = ()
    certain: bool = True
    error: str = ""


def judge_shot(opened: OpenedTable, call: FireCall, roll: VaslRoll, phase: str) -> JudgedShot:
    """A shot as it was announced, in a phase that the log announced or in the prep fire phase."""
    known = phase in FIRE_PHASES
    try:
        question = ask_fire(
            opened,
            call.start,
            call.end,
            phase=phase if known else "prep_fire",
            levels=(call.from_level, call.to_level),
            reveal=True,
        )
    except HexMarshalError as error:
        return JudgedShot(error=error.message)
    faults, certain = _faults(question, known=known)
    if faults:
        return JudgedShot(faults=faults, certain=certain)
    told, result = _outcome(question, roll)
    return JudgedShot(told, result, tuple(unit.id for unit in question.targets))


def _outcome(question: FireQuestion, roll: VaslRoll) -> tuple[str, str]:
    """What the table gives if everybody there fires; who did not is not in the log."""
    if question.attack is None or question.attack.resolution is None:
        return "", ""
    column = question.attack.resolution.column
    drm = question.attack.values["drm"]
    if not isinstance(drm, int) or column == "-":
        return "", ""
    total = sum(roll.dice) + drm
    table = question.now.tables.fire
    result = table.result(table.columns.index(int(column)), total)
    led = "" if question.leader is None else f", led by {question.name(question.leader)}"
    told = f"with all who can fire{led}: column {column}, {drm:+}, final {total}: {result}"
    return told, str(result)


def _faults(question: FireQuestion, *, known: bool) -> tuple[tuple[Violation, ...], bool]:
    """What is wrong with a shot, and whether beyond doubt."""
    answer = question.line.answer
    cells = tuple(spot.hex for spot in question.spots)
    if answer.blocked:
        text = f"no line of sight from {cells[0]} to {cells[1]}: {answer.cause.sentence}"
        at = (answer.at,) if answer.at else cells
        return (Violation(answer.cause.entry, text, answer.rule, at, by_sight=True),), True
    if question.firers:
        return (), True
    told = "; ".join(f"{question.name(unit)}: {why}" for unit, why in question.cannot)
    text = f"nobody in {cells[0]} can fire at {cells[1]}" + (f" ({told})" if told else "")
    empty = not question.cannot
    return (Violation("ASL-FIRE-3", text, cells=cells),), known and not empty
