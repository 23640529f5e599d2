"""What may be chosen for each slot of an action, narrowed to what makes sense at all.

An action says first who acts and how that is paid for, then what is done. Where a slot has one way
to be left as it is, that is the only candidate: nobody is asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.rules.cards import cardplay
from hexmarshal.games.conflict_of_heroes.rules.fire import aiming, artillery, shooting
from hexmarshal.games.conflict_of_heroes.rules.fire.fire_offers import FireOffers
from hexmarshal.games.conflict_of_heroes.rules.movement import moves, reach
from hexmarshal.games.conflict_of_heroes.rules.movement.move_offers import MoveOffers
from hexmarshal.games.conflict_of_heroes.rules.offer_lists import FACINGS
from hexmarshal.games.conflict_of_heroes.rules.terrain.minefields import ROLL
from hexmarshal.games.conflict_of_heroes.rules.turn import payment
from hexmarshal.games.conflict_of_heroes.state import source
from hexmarshal.games.conflict_of_heroes.state.execution import listed, mapped
from hexmarshal.rules.values import FrozenMap

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from hexmarshal.games.conflict_of_heroes.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Value

    Values = Callable[[Situation, Action], Iterable[Value] | None]

LEFT_OUT: tuple[Value, ...] = (None,)
OR_NOT: tuple[Value, ...] = (None, True)


class _Menu(MoveOffers, FireOffers):
    """What the lists of a side are made from, kept with the position."""


def _menu(scene: Situation, side: str) -> _Menu:
    position = scene.position
    return position.remember(f"menu of {side}", lambda: _Menu(None, position, side))


def _unit(scene: Situation, action: Action) -> Unit:
    return scene.position.unit(action.text("unit"))


def _chosen(scene: Situation, action: Action, name: str = "units") -> list[Unit]:
    return [scene.position.unit(u) for u in action.so_far(name)]


def _if(condition: object, values: Iterable[Value]) -> Iterable[Value]:
    return values if condition else LEFT_OUT


# Who acts


def own(scene: Situation, action: Action) -> Iterator[str]:
    """The side's own units in play."""
    return (u.id for u in _menu(scene, action.side).units)


def shooters(scene: Situation, action: Action) -> Iterator[str]:
    """Those who have something to attack with."""
    return (u.id for u in _menu(scene, action.side).shooters())


def fighters(scene: Situation, action: Action) -> Iterator[str]:
    """Those of them with an enemy or a work in their hex."""
    for unit in _menu(scene, action.side).shooters():
        cell = scene.cell(unit)
        if scene.enemies_at(cell, action.side) or any(_breakable(scene, cell, action.side)):
            yield unit.id


def _breakable(scene: Situation, cell: str, side: str) -> Iterator[str]:
    """The works in a hex that can be destroyed; not those with friends in them (COH-18.4d)."""
    manned = {u.values.get("fort") for u in scene.friends_at(cell, side)}
    for marker, work in scene.works(cell):
        own = marker.id in manned and not scene.option("own_works")
        if work.rating is not None and not own:
            yield marker.id


def at_forts(scene: Situation, action: Action) -> Iterator[str]:
    """Own units in hexes with a trench or bunker."""
    for unit in _menu(scene, action.side).units:
        if unit.cell and any(work.fortification for _, work in scene.works(unit.cell)):
            yield unit.id


def at_exits(scene: Situation, action: Action) -> Iterator[str]:
    """COH-5.6a: own units where they may leave the map."""
    exits = listed(mapped(scene.position.extras.get("exits")).get(action.side, ()))
    return (u.id for u in _menu(scene, action.side).units if scene.cell(u) in exits)


def together(scene: Situation, action: Action) -> Iterator[str]:
    """COH-9.1a: own units, then those beside the ones chosen."""
    menu, so_far = _menu(scene, action.side), _chosen(scene, action)
    for unit in menu.units:
        near = not so_far or any(menu.beside(one, unit) for one in so_far if scene.cell(unit))
        if near and scene.cell(unit) and unit not in so_far:
            yield unit.id


def hit_ones(scene: Situation, action: Action) -> Iterator[str]:
    """Of those the ones with a hit."""
    units = scene.position.units
    return (u for u in together(scene, action) if scene.hit_marker(units[u]) is not None)


def light_ones(scene: Situation, action: Action) -> Iterator[str]:
    """Of those the light foot units in the open."""
    for unit_id in together(scene, action):
        unit = scene.position.units[unit_id]
        if scene.counter(unit).light and not scene.hidden(unit):
            yield unit_id


def hiding_places(scene: Situation, action: Action) -> Sequence[str]:
    """For the next unit its own hex and those around it."""
    units, cells = _chosen(scene, action), action.so_far("cells")
    if len(cells) >= len(units):
        return ()
    return scene.board.within(scene.cell(units[len(cells)]), 1)


def _vehicles(scene: Situation, action: Action) -> Iterator[Unit]:
    units = _menu(scene, action.side).units
    return (u for u in units if u.cell and scene.counter(u).vehicle)


def empty_vehicles(scene: Situation, action: Action) -> Iterator[str]:
    """The vehicles with somebody of theirs in the hex."""
    for vehicle in _vehicles(scene, action):
        if len(scene.friends_at(vehicle.cell, action.side)) > 1:
            yield vehicle.id


def full_vehicles(scene: Situation, action: Action) -> Iterator[str]:
    """The vehicles with somebody aboard."""
    return (v.id for v in _vehicles(scene, action) if scene.passengers(v))


def to_load(scene: Situation, action: Action) -> Iterator[str]:
    """Who stands beside the vehicle."""
    vehicle = scene.position.unit(action.text("vehicle"))
    named = (vehicle.id, *action.so_far("units"))
    for unit in _menu(scene, action.side).units:
        if unit.cell == vehicle.cell and unit.id not in named:
            yield unit.id


def aboard(scene: Situation, action: Action) -> Iterator[str]:
    """Who is aboard the vehicle."""
    vehicle = scene.position.unit(action.text("vehicle"))
    named = action.so_far("units")
    return (u.id for u in scene.passengers(vehicle) if u.id not in named)


# How it is paid for


def ways_to_pay(scene: Situation, action: Action) -> Iterator[str]:
    """COH-2.2b: the ways that the side has at all."""
    menu = _menu(scene, action.side)
    if menu.sharing:
        yield "ap"
    yield "opportunity"
    unit = scene.position.units.get(str(action.given("unit", "")))
    if menu.cap or (unit is not None and aiming.weapon_of(unit) is not None):
        yield "command"  # A weapon card that costs nothing needs no point in the pool.
    if _cards_for(menu, action.kind):
        yield "card"


def ways_for(who: Values) -> Values:
    """The same, if there is anybody of these at all."""

    def ways(scene: Situation, action: Action) -> Iterable[Value]:
        anybody = next(iter(who(scene, action) or ()), None)
        return () if anybody is None else ways_to_pay(scene, action)

    return ways


def stalling(_: Situation, __: Action) -> tuple[str, str]:
    """COH-2.2c."""
    return ("ap", "command")


def cards(scene: Situation, action: Action) -> Iterable[Value]:
    """The cards of the hand that let units do this."""
    if payment.way(action) != "card":
        return LEFT_OUT
    return _cards_for(_menu(scene, action.side), action.kind)


def _cards_for(menu: _Menu, kind: str) -> list[str]:
    """COH-8.5a: a group needs a card that is for groups."""
    held = [key for key in payment.FOR_KIND.get(kind, ("02",)) if key in menu.hand]
    return [key for key in held if kind != "group_move" or source.cards()[key].group]


def _card(action: Action) -> source.Card | None:
    return source.cards().get(action.text("card"))


def card_colours(scene: Situation, action: Action) -> Iterable[Value]:
    """COH-8.0b: a card of both colours may be paid with action points."""
    card = _card(action) if action.kind == "play" or payment.way(action) == "card" else None
    mixed = card is not None and card.cost and card.pay == "either"
    return _if(mixed and _menu(scene, action.side).sharing, (None, "ap"))


def completions(scene: Situation, action: Action) -> Iterable[Value]:
    """COH-3.2.1a: command points in the place of action points, as few as needed if not said."""
    menu = _menu(scene, action.side)
    if action.kind == "obstacle":
        pays = action.flag("pay") and payment.way(moves.pending(scene)[0]) == "ap"
        return _if(pays, (None, *range(1, menu.cap + 1)))
    if action.kind != "play" and payment.way(action) == "ap":
        return (None, *range(1, menu.cap + 1))
    card = _card(action) if action.text("pay_card") == "ap" else None
    return LEFT_OUT if card is None else (None, *range(1, card.cost))


# What is rolled


def _rolls(scene: Situation, action: Action) -> list[str]:
    """What the action rolls for or against, once all but that is chosen."""
    match action.kind:
        case "move" | "group_move":
            return moves.rolls_of(moves.legs_of(scene, action))
        case "fire":
            return aiming.rolls_of(scene, aiming.fire_of(scene, action), action.side)
        case "close_combat":
            return [action.text("target") or action.text("work")]
        case "rally":
            automatic = payment.way(action) == "card" and action.text("card") == "03"
            return [] if automatic else list(action.texts("units"))
        case "play":
            return [action.text("card")] if action.text("card") in cardplay.ROLLING else []
        case "barrage":
            return artillery.rolls_of(scene, action.side)
        case "mines":
            return [ROLL]
        case "activate":
            return ["action points"] if scene.option("variable_ap") else []
        case _:
            return ["initiative"]


def points(scene: Situation, action: Action) -> Iterator[Value]:
    """COH-3.2.3a: command points for the rolls."""
    menu, rolls = _menu(scene, action.side), _rolls(scene, action)
    found = menu.bought(rolls) if action.kind in ("fire", "close_combat") else menu.points(rolls)
    return (given.get("cap") for given in found)


def bids(scene: Situation, action: Action) -> Iterable[int]:
    """COH-3.2.4a."""
    return range(min(2, scene.cap(action.side)) + 1)


def luck(scene: Situation, action: Action) -> Iterable[Value]:
    """COH-C12."""
    return _if("12" in _menu(scene, action.side).hand and _rolls(scene, action), OR_NOT)


# Moves


def modes(scene: Situation, action: Action) -> Iterator[Value]:
    """How the unit may move."""
    ways = _menu(scene, action.side).modes(_unit(scene, action))
    return (None if mode == "normal" else mode for mode in ways)


def first_hexes(scene: Situation, action: Action) -> Iterable[Value] | None:
    """The first hex of a way; then as any path."""
    return None if action.so_far("path") else reach.first_steps(scene, _unit(scene, action))


def facings_after(_: Situation, action: Action) -> Iterable[Value]:
    """Where it looks after a move; one who moves hidden looks nowhere."""
    return _if(action.text("mode") != "hidden", FACINGS)


def other_facings(scene: Situation, action: Action) -> Iterator[int]:
    """Where it does not look yet."""
    facing = _unit(scene, action).facing
    return (way for way in FACINGS if way != facing)


def every_facing(_: Situation, __: Action) -> Iterable[int]:
    """All six."""
    return FACINGS


def occupying(scene: Situation, action: Action) -> Iterable[Value]:
    """Into the trench or bunker at the end of the way, or not."""
    forts = any(_menu(scene, action.side).occupying(_end(action)))
    return _if(forts and action.text("mode") != "hidden", OR_NOT)


def _end(action: Action) -> str:
    """The last hex of the way; none where there is no way."""
    return next(reversed(action.texts("path")), "")


def forts(scene: Situation, action: Action) -> Iterable[Value]:
    """Which of them, where there are several."""
    if action.kind == "shift":
        unit = _unit(scene, action)
        cell = "" if scene.fort(unit) is not None else unit.cell
    else:
        cell = _end(action) if action.flag("occupy") else ""
    if not cell:
        return LEFT_OUT
    named = [given.get("fort") for given in _menu(scene, action.side).occupying(cell)]
    return list(dict.fromkeys(named)) or LEFT_OUT


def entries(scene: Situation, action: Action) -> Iterator[Value]:
    """COH-9.1.1a: one more unit of the group with what it does; each beside one of the others."""
    menu = _menu(scene, action.side)
    held = action.given("moves")
    made = held if isinstance(held, tuple) else ()
    group = [scene.position.units[str(e["unit"])] for e in made if isinstance(e, FrozenMap)]
    rapid = payment.way(action) == "card" and action.text("card") == "05"
    for unit in menu.units:
        if unit.carrier or unit in group or not _pays(scene, action, unit):
            continue
        if not group or any(_joins(scene, menu, one, unit) for one in group):
            yield from menu.entries(unit, payment.way(action), rapid=rapid)


def _pays(scene: Situation, action: Action, unit: Unit) -> bool:
    """Whether the unit has a part in this way to pay at all."""
    match payment.way(action):
        case "ap":
            return not unit.has("spent")
        case "opportunity":
            return scene.fresh(unit)
        case _:
            return True


def _joins(scene: Situation, menu: _Menu, one: Unit, other: Unit) -> bool:
    """Beside each other on the map, or both waiting off it."""
    if scene.cell(one) and scene.cell(other):
        return menu.beside(one, other)
    return not scene.cell(one) and not scene.cell(other)


# Attacks


def arms(scene: Situation, action: Action) -> Iterator[Value]:
    """Direct fire, and what else the unit can do."""
    unit = _unit(scene, action)
    counter = scene.counter(unit)
    yield None
    if counter.flame:
        yield "flame"
    if action.kind == "fire":
        if counter.indirect is not None:
            yield "indirect"
        if shooting.may_smoke(scene, unit):
            yield "smoke"


def weapons(scene: Situation, action: Action) -> Iterable[Value]:
    """COH-8.4a: the weapon card in place of the unit's own arms."""
    unit = _unit(scene, action)
    return _if(aiming.weapon_of(unit) is not None and not action.text("mode"), OR_NOT)


def aims(scene: Situation, action: Action) -> Sequence[str]:
    """The hexes that the unit could aim at, in sight or not."""
    return _menu(scene, action.side).hexes_in_range(_unit(scene, action))


def targets(scene: Situation, action: Action) -> Sequence[str] | None:
    """Of those the hexes with enemies that are seen there, if there are any."""
    near = aims(scene, action)
    manned = [cell for cell in near if scene.enemies_at(cell, action.side)]
    return manned if manned and action.text("mode") != "smoke" else None


def observers(scene: Situation, action: Action) -> Iterable[Value]:
    """COH-12.0b."""
    spots = _menu(scene, action.side).observers(_unit(scene, action))
    match action.text("mode"):
        case "indirect":
            return spots
        case "smoke":
            return (None, *spots)
        case _:
            return LEFT_OUT


def facings_of_the_hidden(scene: Situation, action: Action) -> Iterable[Value]:
    """COH-10.0a: who comes to light with the shot may say where he looks."""
    return _if(scene.hidden(_unit(scene, action)), (None, *FACINGS))


def supporters(scene: Situation, action: Action) -> Iterator[str]:
    """COH-9.1.2b: those beside the leader who have something to attack with."""
    menu, leader = _menu(scene, action.side), _unit(scene, action)
    if action.text("mode") == "smoke":
        return
    named = (leader.id, *action.so_far("supporters"))
    for unit in menu.shooters():
        near = unit.cell == leader.cell or (action.kind == "fire" and menu.beside(leader, unit))
        if near and unit.id not in named:
            yield unit.id


def throwers(scene: Situation, action: Action) -> Iterator[str]:
    """The supporters who were given weapon cards."""
    thrown = action.so_far("thrown")
    for unit in _chosen(scene, action, "supporters"):
        if aiming.weapon_of(unit) is not None and unit.id not in thrown:
            yield unit.id


def aimed(scene: Situation, action: Action) -> Iterable[Value]:
    """COH-C09."""
    holds = "09" in _menu(scene, action.side).hand
    return _if(holds and action.text("mode") != "smoke", OR_NOT)


def enemies_here(scene: Situation, action: Action) -> Iterator[Value]:
    """The enemies in the unit's hex, or none: then a work."""
    here = scene.cell(_unit(scene, action))
    yield None
    if here:
        yield from (enemy.id for enemy in scene.enemies_at(here, action.side))


def works_here(scene: Situation, action: Action) -> Iterable[Value]:
    """The works in the unit's hex that can be destroyed, where no enemy is the target."""
    here = scene.cell(_unit(scene, action))
    return LEFT_OUT if action.text("target") else tuple(_breakable(scene, here, action.side))


# Cards and artillery


def playable(scene: Situation, action: Action) -> Iterator[str]:
    """The cards of the hand that do something by themselves, and mines that a unit carries."""
    menu = _menu(scene, action.side)
    given = [str(u.values.get("weapon")) for u in menu.units]
    return (key for key in dict.fromkeys((*menu.hand, *given)) if key in cardplay.PLAYABLE)


def card_units(scene: Situation, action: Action) -> Iterable[Value]:
    """Whom the card is played on."""
    menu = _menu(scene, action.side)
    match action.text("card"):
        case "06" | "20":
            return tuple(scene.position.units)
        case "30" | "40" | "41":
            return [u.id for u in menu.units]
        case "tellermine":
            return [u.id for u in menu.units if u.values.get("weapon") == "tellermine"]
        case _:
            return LEFT_OUT


def card_hexes(scene: Situation, action: Action) -> Iterable[Value]:
    """The hex that it is about: the unit's own or the next."""
    if action.text("card") not in ("40", "tellermine"):
        return LEFT_OUT
    unit = scene.position.units.get(action.text("unit"))
    here = "" if unit is None else scene.cell(unit)
    return scene.board.within(here, 1) if here else ()


def card_markers(scene: Situation, action: Action) -> Iterable[Value]:
    """What is cleared."""
    if action.text("card") != "41":
        return LEFT_OUT
    unit = scene.position.units.get(action.text("unit"))
    return () if unit is None else [m.id for m in scene.position.markers_at(unit.cell)]


def victims(scene: Situation, action: Action) -> Iterable[Value]:
    """Against whom, where there are several."""
    others = scene.others(action.side)
    return _if(action.text("card") == "13" and len(others) > 1, others)


def batteries(scene: Situation, action: Action) -> Iterable[Value]:
    """The batteries that are ready, or none."""
    return (None, *scene.position.pile(f"artillery-{action.side}").cards)


def target_hexes(scene: Situation, action: Action) -> Iterable[Value]:
    """The whole map, if there is a battery."""
    return _if(action.text("card"), scene.board.hexes)


def shells(_: Situation, action: Action) -> Iterable[Value]:
    """Smoke or not, if there is a battery."""
    return _if(action.text("card"), (False, True))
