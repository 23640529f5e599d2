"""Rally: getting rid of a hit marker, alone or as a group."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.rules.fire import casualties
from hexmarshal.games.conflict_of_heroes.rules.movement.move_costs import connected
from hexmarshal.games.conflict_of_heroes.rules.terrain import hiding
from hexmarshal.games.conflict_of_heroes.rules.turn import payment
from hexmarshal.games.conflict_of_heroes.rules.turn.rolling import (
    Roller,
    roll_objections,
    total_cap,
)
from hexmarshal.games.conflict_of_heroes.rules.turn.turn_order import end_action
from hexmarshal.rules.odds import Distribution
from hexmarshal.rules.verdict import Cost, CostPart, Modifier, Resolution, Step, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.games.conflict_of_heroes.state.execution import Play
    from hexmarshal.games.conflict_of_heroes.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["apply_rally", "check_rally", "modifiers", "rally_chance"]


def _cost(now: Situation) -> Cost:
    # COH-7.6a; COH-9.1.3a: for a group just the same.
    return Cost((CostPart(now.tables.number("costs", "rally"), "rally", "COH-7.6a"),), "AP")


def _automatic(action: Action) -> bool:
    return payment.way(action) == "card" and action.text("card") == "03"


def check_rally(now: Situation, action: Action) -> Verdict:
    """Every objection to a rally."""
    return payment.verdict(now, _rally_objections(now, action), action, _cost(now))


def _rally_objections(now: Situation, action: Action) -> Iterator[Violation]:
    named = [now.position.unit(u) for u in action.so_far("units")]
    rolls = [] if _automatic(action) else [u.id for u in named]
    yield from payment.objections(now, action, named, _cost(now), total_cap(action, rolls))
    units = [now.position.unit(u) for u in action.texts("units")]
    yield from _objections(now, units)
    yield from roll_objections(now, action, rolls)


def _objections(now: Situation, units: Sequence[Unit]) -> Iterator[Violation]:
    if not units or len({u.id for u in units}) != len(units):
        yield Violation("COH-7.6a", "name the units that rally, each once", field="units")
        return
    if not connected(now, units):
        text = "the group does not hang together"
        yield Violation("COH-9.1a", text, field="units", cured_by=("units",))
    for unit in units:
        me = (unit.id,)
        cell = now.cell(unit)
        if not cell:
            yield Violation("COH-7.6a", f"{unit.id} is not on the map", units=me)
        hit = now.hit(unit)
        if hit is None:
            yield Violation("COH-7.6a", f"{unit.id} is not hit", units=me)
        elif hit.rally is None:
            text = f"{unit.id} is {hit.title.lower()}: no rally"
            yield Violation("COH-7.6c", text, units=me)
        if any(not now.hidden(e) for e in now.enemies_at(cell, unit.side)):
            text = f"an enemy is in {cell}: no rally"
            yield Violation("COH-7.6d", text, units=me, cells=(cell,))


def modifiers(now: Situation, unit: Unit) -> Iterator[Modifier]:
    """COH-7.6.1a: for a unit that is hit: cover, and friends beside it that are not."""
    cell = now.cell(unit)
    if now.kind(cell).cover:
        yield Modifier("in cover", now.tables.number("rally", "cover"), "COH-7.6.1a")
    friends = sum(now.hit_marker(u) is None for u in now.friends_at(cell, unit.side))
    if friends:
        amount = friends * now.tables.number("rally", "friend")
        yield Modifier("friends in the hex", amount, "COH-7.6.1a")


def rally_chance(now: Situation, unit: Unit, cap: int) -> Distribution[str]:
    """The exact chance to rally of a unit that may try."""
    hit = now.hit(unit)
    assert hit is not None
    assert hit.rally is not None
    need = hit.rally
    more = sum(int(m.amount) for m in modifiers(now, unit)) + cap
    return Distribution.dice(2, 6).map(lambda d: "rallied" if d + more >= need else "hit stays")


def apply_rally(play: Play, action: Action) -> None:
    """COH-7.6b, COH-9.1.3a: a roll for each; COH-C03 needs none."""
    units = action.texts("units")
    payment.settle(play, action, units, _cost(play.now), total_cap(action, units))
    roller = Roller(play, action.side, action)
    bonus = {u: tuple(modifiers(play.now, play.unit(u))) for u in units}
    for name in units:
        # COH-10.0b: a rally gives a hidden unit away.
        hiding.reveal_actor(play, name, None)
        unit = play.unit(name)
        hit = play.now.hit(unit)
        assert hit is not None
        assert hit.rally is not None
        if _automatic(action):
            play.tell("rally", f"{name} rallies: it was {hit.title.lower()}", "COH-C03")
            casualties.clear_hit(play, name)
            continue
        more = sum(int(m.amount) for m in bonus[name])
        rolled = roller.two("rally", name, (hit.rally - more,))
        rallied = rolled.total + more >= hit.rally
        text = f"{name} rolls {rolled.total + more}"
        secret = frozenset({unit.side})
        steps = (
            Step(f"{text}: it was {hit.title.lower()}", "COH-7.5d")
            if rallied
            else Step(f"{text} of {hit.rally}", "COH-7.6b", secret),
        )
        play.decide(
            Resolution(
                "rally",
                "rallied" if rallied else "failed",
                modifiers=(*bonus[name], *rolled.modifiers),
                dice=rolled.dice,
                steps=steps,
            )
        )
        if rallied:
            casualties.clear_hit(play, name)
    end_action(play, action.side)
