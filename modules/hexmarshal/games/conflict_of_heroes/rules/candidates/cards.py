"""Cards played, whom they are played on, and batteries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.rules.candidates.menu import LEFT_OUT, if_so, menu_of
from hexmarshal.games.conflict_of_heroes.rules.cards import cardplay

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.conflict_of_heroes.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.values import Value


def playable(now: Situation, action: Action) -> Iterator[str]:
    """The cards of the hand that do something by themselves, and mines that a unit carries."""
    menu = menu_of(now, action.side)
    given = [str(u.values.get("weapon")) for u in menu.units]
    return (key for key in dict.fromkeys((*menu.hand, *given)) if key in cardplay.PLAYABLE)


def card_units(now: Situation, action: Action) -> Iterable[Value]:
    """Whom the card is played on."""
    menu = menu_of(now, action.side)
    match action.text("card"):
        case "06" | "20":
            return tuple(now.position.units)
        case "30" | "40" | "41":
            return [u.id for u in menu.units]
        case "tellermine":
            return [u.id for u in menu.units if u.values.get("weapon") == "tellermine"]
        case _:
            return LEFT_OUT


def card_hexes(now: Situation, action: Action) -> Iterable[Value]:
    """The hex that it is about: the unit's own or the next."""
    if action.text("card") not in ("40", "tellermine"):
        return LEFT_OUT
    unit = now.position.units.get(action.text("unit"))
    here = "" if unit is None else now.cell(unit)
    return now.board.within(here, 1) if here else ()


def card_markers(now: Situation, action: Action) -> Iterable[Value]:
    """What is cleared."""
    if action.text("card") != "41":
        return LEFT_OUT
    unit = now.position.units.get(action.text("unit"))
    return () if unit is None else [m.id for m in now.position.markers_at(unit.cell)]


def victims(now: Situation, action: Action) -> Iterable[Value]:
    """Against whom, where there are several."""
    others = now.others(action.side)
    return if_so(action.text("card") == "13" and len(others) > 1, others)


def batteries(now: Situation, action: Action) -> Iterable[Value]:
    """The batteries that are ready, or none."""
    return (None, *now.position.pile(f"artillery-{action.side}").cards)


def target_hexes(now: Situation, action: Action) -> Iterable[Value]:
    """The whole map, if there is a battery."""
    return if_so(action.text("card"), now.board.hexes)


def shells(_: Situation, action: Action) -> Iterable[Value]:
    """Smoke or not, if there is a battery."""
    return if_so(action.text("card"), (False, True))
