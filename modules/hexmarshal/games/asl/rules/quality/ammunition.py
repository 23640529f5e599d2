"""Shortage of ammunition, by special rule: an original 12 on the fire table costs quality."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.morale import casualties
from hexmarshal.games.asl.rules.quality.elr import replace_unit, replacement
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.traits import short_of_ammunition
from hexmarshal.rules.verdict import Resolution, Step

if TYPE_CHECKING:
    from hexmarshal.games.asl.rules.fire.shot import Shot
    from hexmarshal.games.asl.state.execution import Play

__all__ = ["run_out"]

_WORST = 12


def run_out(play: Play, shot: Shot, dice: tuple[int, int]) -> None:
    """ASL-AMMO-1: one MMC that fired, by lot, is replaced; if it cannot be, it breaks.

    The lot falls after weapons have failed. Close combat, snipers and residual fire cost nothing.
    """
    from hexmarshal.games.asl.rules.morale.results import chosen_by_lot

    if sum(dice) != _WORST or not short_of_ammunition(play.now, shot.side):
        return
    names = list(dict.fromkeys(m.user.id for m in shot.members if play.now.is_mmc(m.user)))
    names = [name for name in names if name in play.position.units]
    if not names:
        return
    for name in chosen_by_lot(play, names, 1, "who runs out of ammunition", shot.side):
        unit = play.position.unit(name)
        found = replacement(play.now, unit)
        if found.type:
            replace_unit(play, name, "ASL-AMMO-1")
            continue
        broken = not unit.has(marks.BERSERK)
        result = "broken" if broken else "unaffected"
        step = Step(f"{play.now.named(unit)} has nobody below it: {result}", "ASL-AMMO-1")
        play.decide(Resolution("ammunition", result, steps=(step,)))
        if broken and not unit.has(marks.BROKEN):
            casualties.break_unit(play, name, dm=False)
