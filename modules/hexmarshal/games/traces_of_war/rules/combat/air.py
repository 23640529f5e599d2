"""Section 7.0: Luftwaffe markers in a combat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.traces_of_war.rules.combat.strength import plan_of
from hexmarshal.games.traces_of_war.rules.sequence.agenda import go_on
from hexmarshal.games.traces_of_war.state.kinds import AXIS
from hexmarshal.games.traces_of_war.state.piles import AIR, BOX
from hexmarshal.games.traces_of_war.state.situation import NOT_IN_BOOK
from hexmarshal.rules.state.effects import ChangeFrame, MoveCards
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Resolution, Step, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.traces_of_war.state.execution import Play
    from hexmarshal.games.traces_of_war.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.values import Value

__all__ = ["DEFENSIVE", "OFFENSIVE", "candidates", "check", "modified", "supported", "use"]

OFFENSIVE, DEFENSIVE = "offensive", "defensive"
COLUMNS = 2  # TOW-7.0c
DIE = -2  # TOW-7.0d


def supported(column: int, markers: int, last: int) -> int:
    """TOW-7.0c: two columns to the right for each offensive marker, not beyond the last."""
    return min(last, column + COLUMNS * markers)


def modified(die: int, markers: int) -> int:
    """TOW-7.0d: 2 less for each defensive marker; below 1 counts as 1."""
    return max(1, die + DIE * markers)


def check(now: Situation, action: Action) -> Verdict:
    """Which markers may help in this combat."""
    return Verdict.of(_faults(now, action))


def _kind(marker: str) -> str:
    return marker.rpartition("-")[0]


def _faults(now: Situation, action: Action) -> Iterator[Violation]:
    if action.side != AXIS:
        yield Violation("TOW-7.0e", "only the Axis player has air support")
        return
    markers = action.texts("markers")
    held = now.position.pile(AIR).cards
    for marker in dict.fromkeys(markers):
        if marker not in held:
            text = f"{marker} is not at hand: it was not drawn, or was used this turn"
            yield Violation("TOW-7.0b", text, field="markers")
    if len(set(markers)) < len(markers):
        yield Violation("TOW-7.0b", "a marker serves once", field="markers")
    if len(markers) > 1 and not now.option("several_markers"):
        yield Violation("TOW-7.0b", "one marker helps in a combat", field="markers")
    battle = now.position.frame("battle")
    if battle is None:
        return
    attacks = battle.text("side") == AXIS
    for marker in markers:
        if _kind(marker) == OFFENSIVE and not attacks:
            yield Violation("TOW-7.0c", "offensive support helps an Axis attack", field="markers")
        if _kind(marker) == DEFENSIVE and attacks:
            yield Violation("TOW-7.0d", "defensive support helps an Axis defense", field="markers")
    offensive = sum(_kind(marker) == OFFENSIVE for marker in markers)
    if attacks and offensive:
        attackers = [now.unit(name) for name in battle.texts("attackers")]
        plan = plan_of(now, attackers, battle.text("cell"), AXIS)
        last = len(now.tables.columns) - 1
        column = supported(plan.column or 0, offensive, last)
        if any(now.barred_by_book(now.tables.result(column, die)) for die in range(1, 7)):
            yield Violation("TOW-10.3a", f"{NOT_IN_BOOK}: column {now.tables.columns[column]}")


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """The markers at hand that are not chosen yet."""
    del slot
    taken = action.so_far("markers")
    return [m for m in now.position.pile(AIR).cards if m not in taken]


def use(play: Play, action: Action) -> None:
    """TOW-7.0b: markers used go back to the box, and so serve once a turn."""
    play.answered("air_support")
    markers = action.texts("markers")
    kinds = [_kind(marker) for marker in markers]
    count = {kind: kinds.count(kind) for kind in (OFFENSIVE, DEFENSIVE)}
    play.do(ChangeFrame("battle", about=FrozenMap({**count})))
    if markers:
        play.do(MoveCards(AIR, BOX, markers))
    told = ", ".join(kinds) or "none"
    step = Step(f"Luftwaffe: {told}", "TOW-7.0b")
    play.decide(Resolution("air support", told, steps=(step,)))
    go_on(play)
