"""What searching and mopping up may cost."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from hexmarshal.games.asl.rules.concealment.cover import is_lax, is_stealthy
from hexmarshal.games.asl.rules.morale.casualties import reduce
from hexmarshal.games.asl.rules.morale.results import chosen_by_lot
from hexmarshal.games.asl.rules.movement.stacking import equivalents
from hexmarshal.games.asl.state.situation import other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.works import MINEFIELD, is_work, work_of
from hexmarshal.rules.verdict import Modifier, Resolution, Step

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["half_squads", "search_casualty"]

RULE: Final = "ASL-A12.154"


def half_squads(now: Situation, units: Iterable[Unit]) -> int:
    """How many half-squads some units come to, beyond the first."""
    count = 2 * equivalents(now, [unit for unit in units if now.is_mmc(unit)])
    return max(0, int(count - Fraction(1)))


def search_casualty(play: Play, cells: Sequence[str], searchers: Sequence[str], side: str) -> None:
    """ASL-A12.154: a die of the DEFENDER's, one for each search; 1 or less costs men."""
    now = play.now
    enemy = other(side)
    there = [
        unit for cell in cells for unit in now.position.at(cell)
        if unit.side == enemy and now.is_personnel(unit) and not unit.by(marks.GUARDS)
    ]  # fmt: skip
    armed = [u for u in there if now.good_order(u) and now.is_armed(u)]
    residual = any(
        marker.kind == "residual" and marker.side == enemy
        for cell in cells
        for marker in now.position.markers_at(cell)
    )
    mined = any(
        unit.side == enemy and is_work(unit) and work_of(unit) == MINEFIELD
        for cell in cells
        for unit in now.position.at(cell)
    )
    if not (armed or residual or mined) and now.option("booby_traps") not in (enemy, "both"):
        return
    modifiers = _modifiers(now, [unit for unit in there if now.is_hidden(unit)])
    rolled, roll = play.roll_one("search casualties", enemy)
    total = rolled + sum(int(m.amount) for m in modifiers)
    hit = total <= 1
    told = f"{rolled}" + "".join(f" {m.amount:+} {m.label}" for m in modifiers)
    play.decide(
        Resolution(
            "search casualties",
            "reduced" if hit else "none",
            dice=(roll,),
            # What is added would tell how many lie under a "?".
            steps=(Step(f"{told} = {total}, 1 or less needed", RULE, frozenset({enemy})),),
        )
    )
    if hit:
        left = [name for name in searchers if name in play.position.units]
        for name in chosen_by_lot(play, left, 1, "who is hit", side):
            reduce(play, name)


def _modifiers(now: Situation, hidden: Sequence[Unit]) -> tuple[Modifier, ...]:
    """By the "?" at the moment of the roll."""
    real = [unit for unit in hidden if not now.is_dummy(unit)]
    found = []
    if stealthy := sum(is_stealthy(now, unit) for unit in real):
        found.append(Modifier("stealthy", -stealthy, RULE))
    if more := half_squads(now, real):
        found.append(Modifier("half-squads beyond the first", -more, RULE))
    leaders = [now.leadership(unit) for unit in real if now.is_leader(unit)]
    if leaders and len(real) > 1 and min(leaders):
        found.append(Modifier("leadership", min(leaders), RULE))
    if lax := sum(is_lax(now, unit) for unit in real):
        found.append(Modifier("lax", lax, RULE))
    return tuple(found)
