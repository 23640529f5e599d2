"""Exact odds of close combat: what becomes of each unit that is attacked, and who ambushes whom."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from hexmarshal.games.asl.rules.close_combat.ambush import ambush_modifiers, winner
from hexmarshal.games.asl.rules.close_combat.blow import aim, fates
from hexmarshal.games.asl.rules.close_combat.new_leader import led_blows
from hexmarshal.games.asl.rules.fire.odds import lots
from hexmarshal.games.asl.rules.quality.promotion import LUCKY
from hexmarshal.games.asl.state.situation import SIDES
from hexmarshal.games.asl.state.units import marks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.asl.rules.close_combat.blow import Aim, Blow
    from hexmarshal.games.asl.state.ground import Location
    from hexmarshal.games.asl.state.situation import Situation

__all__ = ["ambush_odds", "attack_odds", "unit_odds"]

_ROLLS: Final = tuple(a + b for a in range(1, 7) for b in range(1, 7))
_SEVERE: Final = 5
UNHURT: Final = "unhurt"


def attack_odds(now: Situation, blow: Blow) -> dict[str, Fraction]:
    """How likely each result of the table is, for the first class of targets."""
    found: dict[str, Fraction] = defaultdict(Fraction)
    for total, chance, ready in _rolled(now, blow):
        found[fates(ready, total)[0][0]] += chance
    return dict(found)


def _rolled(now: Situation, blow: Blow) -> Iterator[tuple[int, Fraction, Aim]]:
    """Every roll with its chance, and the attack as it is then: ASL-A18.2 after an original 2."""
    ready = aim(now, blow)
    for total in _ROLLS:
        if total != LUCKY:
            yield total, Fraction(1, 36), ready
            continue
        for chance, after, led in led_blows(now, blow):
            yield total, chance / 36, aim(after, led)


def unit_odds(now: Situation, blow: Blow) -> dict[str, dict[str, Fraction]]:
    """What becomes of each target; whom its side would give up to a captor is its own choice."""
    found: dict[str, dict[str, Fraction]] = {u.id: defaultdict(Fraction) for u in blow.targets}
    for total, share, ready in _rolled(now, blow):
        for fate, names, _, _ in fates(ready, total):
            for name, fate_of, chance in _each(now, blow, fate, names):
                found[name][fate_of] += chance * share
    return {name: dict(odds) for name, odds in found.items()}


def _each(
    now: Situation, blow: Blow, fate: str, names: tuple[str, ...]
) -> list[tuple[str, str, Fraction]]:
    one = Fraction(1)
    if fate == "none":
        return [(name, UNHURT, one) for name in names]
    if fate == "all":
        return [(name, "captured" if blow.capture else "eliminated", one) for name in names]
    if blow.capture:
        if len(names) > 1:
            return [(name, "one of them captured", one) for name in names]
        squad = now.counter(now.unit(names[0])).kind == "squad"
        return [(names[0], "half captured" if squad else "captured", one)]
    found = []
    for chosen, chance in lots(names, 1):
        for name in names:
            if name in chosen:
                found += [(name, what, chance * part) for what, part in _reduced(now, name)]
            else:
                found.append((name, UNHURT, chance))
    return found


def _reduced(now: Situation, name: str) -> list[tuple[str, Fraction]]:
    """ASL-CC-3, ASL-WOUND-1: a squad loses half, a single man is wounded or dies, others die."""
    unit = now.unit(name)
    counter = now.counter(unit)
    if counter.kind == "squad":
        return [("reduced", Fraction(1))]
    if not counter.is_smc:
        return [("eliminated", Fraction(1))]
    dead = sum(value + unit.has(marks.WOUNDED) >= _SEVERE for value in range(1, 7))
    return [("eliminated", Fraction(dead, 6)), ("wounded", Fraction(6 - dead, 6))]


def ambush_odds(now: Situation, place: Location) -> dict[str, Fraction]:
    """ASL-AMB-1: how likely each side ambushes the other, and that nobody does."""
    added = {side: sum(int(m.amount) for m in ambush_modifiers(now, place, side)) for side in SIDES}
    found: dict[str, Fraction] = defaultdict(Fraction)
    for one in range(1, 7):
        for two in range(1, 7):
            totals = {SIDES[0]: one + added[SIDES[0]], SIDES[1]: two + added[SIDES[1]]}
            found[winner(now, totals) or "none"] += Fraction(1, 36)
    return dict(found)
