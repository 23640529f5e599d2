"""How an action is paid for, and the points and luck that go into its rolls."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.rules.candidates.menu import (
    LEFT_OUT,
    OR_NOT,
    Menu,
    if_so,
    menu_of,
)
from hexmarshal.games.conflict_of_heroes.rules.cards import cardplay
from hexmarshal.games.conflict_of_heroes.rules.fire import aiming, artillery
from hexmarshal.games.conflict_of_heroes.rules.movement import moves
from hexmarshal.games.conflict_of_heroes.rules.terrain.minefields import ROLL
from hexmarshal.games.conflict_of_heroes.rules.turn import payment
from hexmarshal.rules.values import FrozenMap, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from hexmarshal.games.conflict_of_heroes.state.situation import Situation
    from hexmarshal.games.conflict_of_heroes.state.tables import Card
    from hexmarshal.rules.action import Action

    Values = Callable[[Situation, Action], Iterable[Value] | None]


def ways_to_pay(now: Situation, action: Action) -> Iterator[str]:
    """COH-2.2b: the ways that the side has at all."""
    menu = menu_of(now, action.side)
    if menu.sharing:
        yield "ap"
    yield "opportunity"
    unit = now.position.units.get(str(action.given("unit", "")))
    if menu.cap or (unit is not None and aiming.weapon_of(now, unit) is not None):
        yield "command"  # A weapon card that costs nothing needs no point in the pool.
    if _cards_for(menu, action.kind):
        yield "card"


def ways_for(who: Values) -> Values:
    """The same, if there is anybody of these at all."""

    def ways(now: Situation, action: Action) -> Iterable[Value]:
        anybody = next(iter(who(now, action) or ()), None)
        return () if anybody is None else ways_to_pay(now, action)

    return ways


def stalling(_: Situation, __: Action) -> tuple[str, str]:
    """COH-2.2c."""
    return ("ap", "command")


def cards(now: Situation, action: Action) -> Iterable[Value]:
    """The cards of the hand that let units do this."""
    if payment.way(action) != "card":
        return LEFT_OUT
    return _cards_for(menu_of(now, action.side), action.kind)


def _cards_for(menu: Menu, kind: str) -> list[str]:
    """COH-8.5a: a group needs a card that is for groups."""
    held = [key for key in payment.FOR_KIND.get(kind, ("02",)) if key in menu.hand]
    return [key for key in held if kind != "group_move" or menu.now.tables.cards[key].group]


def _card(now: Situation, action: Action) -> Card | None:
    return now.tables.cards.get(action.text("card"))


def card_colours(now: Situation, action: Action) -> Iterable[Value]:
    """COH-8.0b: a card of both colours may be paid with action points."""
    card = _card(now, action) if action.kind == "play" or payment.way(action) == "card" else None
    mixed = card is not None and card.cost and card.pay == "either"
    return if_so(mixed and menu_of(now, action.side).sharing, (None, "ap"))


def completions(now: Situation, action: Action) -> Iterable[Value]:
    """COH-3.2.1a: command points in the place of action points, as few as needed if not said."""
    menu = menu_of(now, action.side)
    if action.kind == "obstacle":
        pays = action.flag("pay") and payment.way(moves.pending(now)[0]) == "ap"
        return if_so(pays, (None, *range(1, menu.cap + 1)))
    if action.kind != "play" and payment.way(action) == "ap":
        return (None, *range(1, menu.cap + 1))
    card = _card(now, action) if action.text("pay_card") == "ap" else None
    return LEFT_OUT if card is None else (None, *range(1, card.cost))


def _rolls(now: Situation, action: Action) -> list[str]:
    """What the action rolls for or against, once all but that is chosen."""
    match action.kind:
        case "move" | "group_move":
            return moves.rolls_of(moves.legs_of(now, action))
        case "fire":
            return aiming.rolls_of(now, aiming.fire_of(now, action), action.side)
        case "close_combat":
            return [action.text("target") or action.text("work")]
        case "rally":
            automatic = payment.way(action) == "card" and action.text("card") == "03"
            return [] if automatic else list(action.texts("units"))
        case "play":
            return [action.text("card")] if action.text("card") in cardplay.ROLLING else []
        case "barrage":
            return artillery.rolls_of(now, action.side)
        case "mines":
            return [ROLL]
        case "activate":
            return ["action points"] if now.option("variable_ap") else []
        case _:
            return ["initiative"]


def points(now: Situation, action: Action) -> Iterator[Value]:
    """COH-3.2.3a: command points for the rolls."""
    menu, rolls = menu_of(now, action.side), _rolls(now, action)
    found = menu.bought(rolls) if action.kind in ("fire", "close_combat") else menu.points(rolls)
    yield from (given.get("cap") for given in found)
    if action.kind in ("fire", "barrage"):
        yield from _lowering(now, rolls, action.side)


def _lowering(now: Situation, rolls: list[str], side: str) -> Iterator[Value]:
    """COH-3.2.3a: points may also make a roll worse that is against a unit of one's own."""
    units, most = now.position.units, now.cap(side)
    own = {name for name in rolls if name in units and units[name].side == side}
    ways = [range(-2, 1) if name in own else range(3) for name in rolls]
    for given in product(*ways) if own else ():
        if min(given) < 0 and sum(map(abs, given)) <= most:
            bought = {name: n for name, n in zip(rolls, given, strict=True) if n}
            yield given[0] if len(rolls) == 1 else FrozenMap[Value](bought)


def bids(now: Situation, action: Action) -> Iterable[int]:
    """COH-3.2.4a."""
    return range(min(2, now.cap(action.side)) + 1)


def luck(now: Situation, action: Action) -> Iterable[Value]:
    """COH-C12."""
    return if_so("12" in menu_of(now, action.side).hand and _rolls(now, action), OR_NOT)
