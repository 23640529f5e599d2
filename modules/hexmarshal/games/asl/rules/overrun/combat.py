"""The close combat that an overrun ends in: both attack at once, by their ratio."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.morale.casualties import eliminate, reduce
from hexmarshal.games.asl.rules.morale.results import chosen_by_lot
from hexmarshal.games.asl.state import marks
from hexmarshal.rules.rolling.modifiers import tally
from hexmarshal.rules.verdict import Modifier, Resolution, Step

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.games.asl.state.play import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["fight"]


def firepower(now: Situation, unit: Unit) -> Fraction:
    """A single man has one; the pinned attack with half of theirs."""
    own = Fraction(1 if now.is_smc(unit) else now.counter(unit).fp)
    return own / 2 if unit.has(marks.PINNED) else own


def fight(play: Play, attackers: Sequence[Unit], defender: Unit) -> None:
    """ASL-A4.15d: both sides roll, and losses count for both; who is left is in melee."""
    theirs = _attack(play, attackers, [defender])
    ours = _attack(play, [defender], attackers) if play.now.good_order(defender) else ()
    for result, unit in (*theirs, *ours):
        if unit in play.position.units:
            (eliminate if result == "eliminated" else reduce)(play, unit)
    left = [u.id for u in attackers if u.id in play.position.units]
    if defender.id in play.position.units and left:
        for name in (*left, defender.id):
            play.mark(name, marks.MELEE)


def _attack(
    play: Play, attackers: Sequence[Unit], targets: Sequence[Unit]
) -> tuple[tuple[str, str], ...]:
    """One attack: what it does to whom, without doing it yet."""
    now = play.now
    power = sum((firepower(now, unit) for unit in attackers), start=Fraction(0))
    against = sum(
        (Fraction(1 if now.is_smc(u) else now.counter(u).fp) for u in targets), start=Fraction(0)
    )
    number = now.tables.kill_number(power / against)
    found = tally(_modifiers(now, attackers, targets))
    dice, rolls = play.roll_two("close combat", attackers[0].side)
    total = sum(dice) + int(found.total())
    result = "eliminated" if total < number else "reduced" if total == number else "none"
    told = f"{power} against {against}: {total} against {number}: {result}"
    play.decide(
        Resolution(
            "close combat",
            result,
            modifiers=found.modifiers,
            dice=rolls,
            steps=(Step(told, "ASL-A4.15d"),),
        )
    )
    names = [unit.id for unit in targets]
    if result == "eliminated":
        return tuple((result, name) for name in names)
    if result == "reduced":
        chosen = chosen_by_lot(play, names, 1, "who is hit", targets[0].side)
        return tuple((result, name) for name in chosen)
    return ()


def _modifiers(
    now: Situation, attackers: Sequence[Unit], targets: Sequence[Unit]
) -> list[Modifier]:
    found = []
    if any(unit.has(marks.CX) for unit in attackers):
        found.append(Modifier("CX", 1, "ASL-CX-2"))
    if any(unit.has(marks.CX) for unit in targets):
        found.append(Modifier("against CX", -1, "ASL-CX-2"))
    if any(unit.has(marks.BROKEN) for unit in targets):
        found.append(Modifier("against the broken", -2, "ASL-A4.15d"))
    leaders = [u for u in attackers if now.is_leader(u) and not u.has(marks.PINNED)]
    if leaders and len(attackers) > len(leaders):
        best = min(now.leadership(leader) for leader in leaders)
        if best:
            found.append(Modifier("leadership", best, "ASL-LDR-1"))
    return found
