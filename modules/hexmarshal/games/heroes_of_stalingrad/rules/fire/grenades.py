"""HOS-8.8, HOS-6.5: grenades are thrown, and thrown back."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.rules.cards.hand import discard, hand
from hexmarshal.games.heroes_of_stalingrad.rules.fire import blast
from hexmarshal.games.heroes_of_stalingrad.rules.fire.context import (
    GRENADE,
    begin_fire,
    fired_already,
    firers,
    firing_faults,
    opportunity_target,
)
from hexmarshal.games.heroes_of_stalingrad.rules.fire.templates import (
    inside_building,
    near_opening,
    off_board,
)
from hexmarshal.games.heroes_of_stalingrad.rules.fire.value import (
    ammo_choices,
    ammo_faults,
    bonus_of,
)
from hexmarshal.games.heroes_of_stalingrad.rules.sequence.agenda import go_on
from hexmarshal.games.heroes_of_stalingrad.rules.sight.measure import corner_range
from hexmarshal.games.heroes_of_stalingrad.state.army import barring_rule, carriers, spend
from hexmarshal.games.heroes_of_stalingrad.state.kinds import INFANTRY, other
from hexmarshal.rules.verdict import Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.heroes_of_stalingrad.state.execution import Play
    from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
    from hexmarshal.geometry.terrain.points import Point
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Record, Value

__all__ = [
    "ask_return",
    "candidates",
    "check",
    "check_return",
    "let_fly",
    "return_candidates",
    "throw_back",
    "throw_grenade",
]

_HALF = Fraction(1, 2)


def _reach(now: Situation) -> int:
    return int(now.tables.limits["grenades"]["range"])


def check(now: Situation, action: Action) -> Verdict:
    """HOS-8.8: all that is wrong with a grenade."""
    return Verdict.of(_faults(now, action))


def _faults(now: Situation, action: Action) -> Iterator[Violation]:
    unit = now.unit(action.text("unit"))
    mine = (unit.id,)
    yield from firing_faults(now, action, unit)
    if not now.is_live(unit):
        return
    if now.family(unit) != INFANTRY:
        yield Violation("HOS-8.8", f"{unit.id} is no infantry", units=mine)
        return
    if not any(True for _ in carriers(now, unit, "grenades")):
        rule = barring_rule(now, unit, "grenades")
        yield Violation(rule, f"{unit.id} has no grenade to use", units=mine)
    if fired_already(now, unit):
        text = f"{unit.id} has fired: a grenade is thrown instead, not as well"
        yield Violation("HOS-2.83", text, units=mine)
    if now.position.state == "step" and not any(w.has("moving") for w in now.weapons(unit)):
        # What lets a unit fire on the move lets it throw on the move.
        text = f"{unit.id} moves and has no Moving fire: it cannot throw either"
        yield Violation("HOS-2.72", text, units=mine)
        yield Violation("HOS-2.83", text, units=mine)
    yield from ammo_faults(now, action, unit)
    into = action.text("into")
    if into:
        if not near_opening(now, unit, into):
            text = f"{unit.id} is not right before an opening to {into}"
            yield Violation("HOS-8.8", text, cells=(into,), units=mine)
        yield from _opportunity(now, unit, blast.touched(now, tuple(blast.room(now, into))))
        return
    name = action.text("corner")
    if not name:
        yield Violation("HOS-8.8", "a grenade needs an intercell, or a building", field="corner")
        return
    yield from off_board(now, name)
    corner = now.ground.corner(name)
    if corner is None:
        return
    far = corner_range(now, unit, corner)
    if far > _reach(now):
        text = f"{name} is {far} intercells away, and grenades go {_reach(now)}"
        yield Violation("HOS-8.8", text, units=mine, field="corner")
    if inside_building(now, corner):
        text = f"{name} is inside a building: throw it in through an opening"
        yield Violation("HOS-8.8", text, units=mine, field="corner")
    if now.house(unit) and not _out_of(now, unit, corner):
        text = f"no opening of {unit.id}'s cell leads to {name}"
        yield Violation("HOS-8.8", text, units=mine, field="corner")
    yield from _opportunity(now, unit, blast.under_blast(now, corner, grenade=True))


def _out_of(now: Situation, unit: Unit, corner: Point) -> bool:
    """HOS-8.8: thrown from a building, the first intercell is before the opening."""
    for mine in now.cells(unit):
        here = now.ground.square(mine)
        for cell in now.ground.openings(mine):
            there = now.ground.square(cell)
            dx, dy = Fraction(there.column - here.column), Fraction(there.row - here.row)
            along = (corner.x - here.column) * dx + (corner.y - here.row) * dy
            if along >= _HALF * max(abs(dx), abs(dy)):
                return True
    return False


def _opportunity(now: Situation, unit: Unit, hit: Iterable[Unit]) -> Iterator[Violation]:
    target = opportunity_target(now)
    if now.position.state == "opportunity" and target not in [one.id for one in hit]:
        text = f"the opportunity is to fire at {target}"
        yield Violation("HOS-5.28", text, units=(unit.id, target))


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """Throwers with grenades, and where they can throw."""
    if slot == "unit":
        return [
            name
            for name in firers(now, action.side)
            if any(True for _ in carriers(now, now.unit(name), "grenades"))
        ]
    unit = now.position.units.get(str(action.given("unit", "")))
    if unit is None:
        return None
    if slot == "into":
        near = {c for mine in now.cells(unit) for c in now.ground.near.get(mine, ())}
        return (None, *(c for c in sorted(near) if near_opening(now, unit, c)))
    if slot == "corner":
        if action.given("into"):
            return (None,)
        corners = now.ground.corners.items()
        return [name for name, at in corners if corner_range(now, unit, at) <= _reach(now)]
    return ammo_choices(now, unit) if slot == "ammo" else None


def throw_grenade(play: Play, action: Action) -> None:
    """A grenade flies; somebody may throw it back."""
    now, unit = play.now, play.unit(action.text("unit"))
    ammo = action.number("ammo")
    combat = {f: v for f, v in now.tables.combat_of("grenades").items() if v is not None}
    into, name = action.text("into"), action.text("corner")
    corner = now.ground.corner(name) if name else None
    entry: dict[str, object] = {
        "kind": "grenade",
        "unit": unit.id,
        "side": unit.side,
        "combat": combat,
        "grenade": True,
        "bonus": ammo + bonus_of(now, unit.side, "fire") or None,
        "cell": into,
        "corner": now.ground.corner_name(corner) if corner is not None and not into else "",
    }
    spend(play, unit, "grenades")
    if ammo:
        spend(play, unit, "ammo", ammo)
    after = begin_fire(play, unit, GRENADE)
    play.first(entry, after)
    go_on(play)


def _hit(now: Situation, entry: Record) -> list[Unit]:
    if entry.get("cell"):
        return list(blast.touched(now, tuple(blast.room(now, str(entry["cell"])))))
    corner = now.ground.corner(str(entry["corner"]))
    return [] if corner is None else list(blast.under_blast(now, corner, grenade=True))


def ask_return(play: Play, entry: Record) -> None:
    """HOS-6.5: a grenade may be thrown back by somebody whom it would hit, if he has the card."""
    then = {**dict(entry), "kind": "explode"}
    play.first(then)
    side = other(str(entry["side"]))
    common = play.common_situation
    near = [unit.id for unit in _hit(common, entry) if unit.side == side]
    if near and hand(common, side):
        about = {"units": near, "by": str(entry["unit"])}
        play.react("grenade", side, about=about)


def let_fly(play: Play, action: Action) -> None:
    """The grenade is not thrown back."""
    del action
    play.answered("grenade")
    go_on(play)


def check_return(now: Situation, action: Action) -> Verdict:
    """HOS-6.5: whether a grenade may be thrown back there."""
    return Verdict.of(_return_faults(now, action))


def _return_faults(now: Situation, action: Action) -> Iterator[Violation]:
    frame = now.position.frame("grenade")
    if frame is None:
        return
    name = action.text("card")
    card = now.tables.card(name)
    if name not in hand(now, action.side):
        yield Violation("HOS-6.1", f"{name} is not in the hand", field="card")
    elif card is None or card.event != "throw_back":
        yield Violation("HOS-6.5", f"{name} does not throw a grenade back", field="card")
    target = action.text("corner")
    yield from off_board(now, target)
    corner = now.ground.corner(target)
    if corner is None:
        return
    throwers = [now.unit(unit) for unit in frame.texts("units")]
    if min(corner_range(now, unit, corner) for unit in throwers) > _reach(now):
        text = f"{target} is out of reach for those whom the grenade would hit"
        yield Violation("HOS-6.5", text, field="corner")


def return_candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """The card, and the intercells in reach."""
    if slot == "card":
        cards = hand(now, action.side)
        return [c for c in cards if (k := now.tables.card(c)) and k.event == "throw_back"]
    return tuple(now.ground.corners) if slot == "corner" else None


def throw_back(play: Play, action: Action) -> None:
    """The grenade goes off where it was thrown back to."""
    from hexmarshal.games.heroes_of_stalingrad.state.execution import BUSINESS

    play.answered("grenade")
    discard(play, action.side, action.text("card"))
    frame = play.position.frame(BUSINESS)
    assert frame is not None
    pending, *rest = frame.agenda
    corner = play.now.ground.corner(action.text("corner"))
    assert corner is not None
    after = pending.without("cell").set("corner", play.now.ground.corner_name(corner))
    play.keep(BUSINESS, {}, (after, *rest))
    play.tell("card", action.text("card"), ("the grenade is thrown back", "HOS-6.5"))
    go_on(play)
