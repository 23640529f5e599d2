"""A leader who comes forward in close combat: an original 2 of an MMC that attacks."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.close_combat.blow import aim
from hexmarshal.games.asl.rules.morale.results import chosen_by_lot
from hexmarshal.games.asl.rules.quality.promotion import (
    LUCKY,
    base_of,
    leader_for,
    modifiers_of,
    new_leader,
    promote,
)
from hexmarshal.games.asl.state.situation import Situation
from hexmarshal.games.asl.state.units.traits import nation_of
from hexmarshal.rules.rolling.modifiers import tally
from hexmarshal.rules.state.effects import ChangeFrame
from hexmarshal.rules.values import FrozenMap

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.asl.rules.close_combat.blow import Aim, Blow
    from hexmarshal.games.asl.state.execution import Play

__all__ = ["come_forward", "led_blows"]


def _columns_below(now: Situation, ready: Aim) -> int:
    """ASL-A18.2: how many columns of the table an attack is below 1-1."""
    return max(0, now.tables.odds(Fraction(1), whole=False).black - ready.odds.black)


def _base(now: Situation, blow: Blow) -> str:
    """ASL-A18.2, ASL-A18.2b: the MMC that a leader would come from; '' if there is none."""
    names = [
        unit.id
        for unit in blow.attackers
        if now.is_mmc(unit) and nation_of(now, unit).promotion is not None
    ]
    return base_of(now, names) if names else ""


def come_forward(play: Play, blow: Blow, ready: Aim, original: int) -> tuple[Blow, Aim]:
    """ASL-A18.2, ASL-A18.2b: he fights in this attack, and is attacked with whom he is.

    The attack as it is with him; as it was, if nobody comes.
    """
    base = _base(play.now, blow) if original == LUCKY else ""
    name = promote(play, base, below=_columns_below(play.now, ready)) if base else ""
    if not name:
        return blow, ready
    mates = [unit.id for unit in blow.attackers if play.now.is_mmc(unit)]
    mate = chosen_by_lot(play, mates, 1, "with whom the new leader fights", blow.side)[0]
    play.note(name, beside=mate)
    frame = play.position.frame("combat")
    if frame is not None:
        agenda = []
        for entry in frame.agenda:
            targets = entry.get("targets", ())
            if isinstance(targets, tuple) and mate in targets:
                agenda.append(FrozenMap({**entry, "targets": (*targets, name)}))
            else:
                agenda.append(entry)
        play.do(ChangeFrame("combat", agenda=tuple(agenda)))
    led = replace(blow, attackers=(*blow.attackers, play.position.unit(name)))
    return led, aim(play.now, led)


def led_blows(now: Situation, blow: Blow) -> Iterator[tuple[Fraction, Situation, Blow]]:
    """ASL-A18.2: what an attack is after an original 2, by every die for a leader."""
    base = _base(now, blow)
    if not base:
        yield Fraction(1), now, blow
        return
    unit = now.unit(base)
    below = _columns_below(now, aim(now, blow))
    extra = int(tally(modifiers_of(now, unit, broken=False, below=below)).total())
    for rolled in range(1, 7):
        key = leader_for(now, rolled + extra)
        if not key:
            yield Fraction(1, 6), now, blow
            continue
        man = new_leader(now, unit, f"{base}.leader", key)
        after = now.position.with_unit(man)
        led = replace(blow, attackers=(*blow.attackers, man))
        yield Fraction(1, 6), Situation(after, now.ground, now.tables), led
