"""Who can pay for what: a quick look at points, status and cards, before anything is checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.rules.candidates.menu import LEFT_OUT, Menu, menu_of
from hexmarshal.games.conflict_of_heroes.rules.fire import aiming
from hexmarshal.games.conflict_of_heroes.rules.turn import payment

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.conflict_of_heroes.state.situation import Situation
    from hexmarshal.games.conflict_of_heroes.state.tables import Card
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Value

__all__ = ["can_pay", "cards", "cards_for", "covers", "stalling", "ways_of"]

NO_END = 1 << 30


def covers(menu: Menu, way: str) -> int:
    """The highest price that there are points for; neither an opportunity nor a card has one."""
    match way:
        case "ap":
            return menu.ap + menu.cap
        case "command":
            return menu.cap
        case _:
            return NO_END


def can_pay(menu: Menu, unit: Unit, kind: str, way: str, price: int) -> bool:
    """Whether a unit may act in this way, as far as its status and the points tell."""
    match way:
        case "ap":
            return menu.sharing and "spent" not in unit.flags and price <= covers(menu, way)
        case "opportunity":
            return menu.now.fresh(unit)
        case "command":
            return price <= menu.cap
        case _:
            return any(_covers_card(menu, card, unit) for card in cards_for(menu, kind))


def cards_for(menu: Menu, kind: str) -> list[Card]:
    """COH-8.5a: the cards of the hand that let units do this; a group needs one for groups."""
    found = menu.cards.get(kind)
    if found is None:
        held = [key for key in payment.FOR_KIND.get(kind, ("02",)) if key in menu.hand]
        known = [menu.now.tables.cards[key] for key in held]
        found = [card for card in known if kind != "group_move" or card.group]
        menu.cards[kind] = found
    return found


def _covers_card(menu: Menu, card: Card, unit: Unit | None) -> bool:
    """COH-8.0b: whether a card's own cost can be paid, for a unit or for whoever it will be."""
    if not card.cost or (card.pay in ("cap", "either") and card.cost <= menu.cap):
        return True
    if card.pay == "cap" or not menu.sharing or (unit is not None and not unit.has("active")):
        return False
    more = menu.cap if card.pay == "either" else 0
    return menu.ap > 0 and card.cost <= menu.ap + more


def price_of(menu: Menu, unit: Unit, kind: str) -> int:
    """What the action costs at least, wherever it leads."""
    now = menu.now
    match kind:
        case "move" | "shift" | "leave":
            return now.counter(unit).move
        case "pivot" | "group_move":
            return now.tables.number("movement", "pivot")
        case "fire" | "close_combat":
            return min(arms_prices(menu, unit).values(), default=0)
        case "rally" | "hide":
            return now.tables.number("costs", kind)
        case "dig_in":
            return now.tables.number("costs", "hasty_defence")
        case _:
            return 0


def arms_prices(menu: Menu, unit: Unit) -> dict[str, int]:
    """COH-7.0a: the price of each way to attack, without a turret's; `weapon` is a card's."""
    found = menu.prices.get(unit.id)
    if found is None:
        found = menu.prices[unit.id] = _arms_prices(menu.now, unit)
    return found


def _arms_prices(now: Situation, unit: Unit) -> dict[str, int]:
    counter, hit, card = now.counter(unit), now.hit(unit), aiming.weapon_of(now, unit)
    more = 0 if hit is None else hit.fire
    direct = counter.fire or 0
    found = {}
    if counter.fire is not None:
        found["direct"] = found["flame"] = found["smoke"] = direct + more
    if counter.indirect is not None:
        found["indirect"] = counter.indirect + more
        found["smoke"] = min(direct, counter.indirect) + more
    if counter.kind == "engineers":
        found["smoke"] = now.tables.number("costs", "engineer_smoke") + more
    if card is not None:
        found["weapon"] = card.cost
    return {name: max(0, price) for name, price in found.items()}


def ways_of(now: Situation, action: Action) -> Iterator[str]:
    """COH-2.2b: the ways in which this unit may act."""
    menu = menu_of(now, action.side)
    unit = now.position.unit(action.text("vehicle" if action.kind in RIDING else "unit"))
    price = price_of(menu, unit, action.kind)
    return (way for way in payment.WAYS if can_pay(menu, unit, action.kind, way, price))


RIDING = ("load", "unload")


def cards(now: Situation, action: Action) -> Iterable[Value]:
    """The cards of the hand that let units do this, and that can be paid."""
    if payment.way(action) != "card":
        return LEFT_OUT
    menu = menu_of(now, action.side)
    unit = now.position.units.get(str(action.given("unit", "")))
    return [card.key for card in cards_for(menu, action.kind) if _covers_card(menu, card, unit)]


def playable(now: Situation, action: Action, keys: Iterable[str]) -> Iterator[str]:
    """Of these cards those whose cost somebody could pay."""
    menu, known = menu_of(now, action.side), now.tables.cards
    return (key for key in keys if _covers_card(menu, known[key], None))


def stalling(now: Situation, action: Action) -> Iterator[str]:
    """COH-2.2c."""
    menu, price = menu_of(now, action.side), now.tables.number("costs", "stall")
    if menu.sharing and menu.ap >= price:
        yield "ap"
    if menu.cap >= price:
        yield "command"
