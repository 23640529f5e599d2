"""Off-board artillery: plotted in secret before one turn, falling before the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.rules.fire import attack_resolution
from hexmarshal.games.conflict_of_heroes.rules.fire.aiming import EMPTY_HEX, targets_at, works_at
from hexmarshal.games.conflict_of_heroes.rules.fire.attack_kinds import Assault
from hexmarshal.games.conflict_of_heroes.rules.fire.combat import lay_smoke
from hexmarshal.games.conflict_of_heroes.rules.turn.rolling import (
    Roller,
    roll_objections,
    total_cap,
)
from hexmarshal.games.conflict_of_heroes.rules.turn.turn_order import advance
from hexmarshal.games.conflict_of_heroes.state.execution import listed, mapped
from hexmarshal.rules.state.effects import AddMarker, RemoveMarker, SetPile
from hexmarshal.rules.state.pieces import Marker, Pile
from hexmarshal.rules.values import FrozenMap, Value
from hexmarshal.rules.verdict import Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.conflict_of_heroes.state.execution import Play
    from hexmarshal.games.conflict_of_heroes.state.situation import Situation
    from hexmarshal.rules.action import Action

__all__ = [
    "apply_barrage",
    "apply_plot",
    "ask_for_barrages",
    "ask_for_plots",
    "check_barrage",
    "check_plot",
    "falling",
    "observers",
    "rolls_of",
]


def ask_for_plots(play: Play) -> None:
    """COH-2.0a: first all plot for the next turn, then what was plotted falls."""
    for side in play.position.sides:
        for _ in play.position.pile(f"artillery-{side}").cards:
            play.queue("plot", side)


def observers(now: Situation, side: str) -> Iterator[str]:
    """COH-12.3c: the hexes of the observers that the firefight names, hidden ones too."""
    named = listed(mapped(now.position.extras.get("observers")).get(side, ()))
    for unit in now.position.of_side(side):
        cell = now.cell(unit)
        # COH-7.7.3f: nobody directs fire with an enemy in his hex.
        if cell and (not named or unit.id in named) and not now.enemies_at(cell, side):
            yield cell


def check_plot(now: Situation, action: Action) -> Verdict:
    """COH-12.3a: a target that an observer sees now; or nothing."""
    card, cell = action.text("card"), str(action.given("cell", ""))
    if not card:
        return Verdict()
    found = []
    if card not in now.position.pile(f"artillery-{action.side}").cards:
        found.append(Violation("COH-12.3a", f"{action.side} has no battery {card}", field="card"))
    if not cell:
        text = "a plot names its target hex"
        found.append(Violation("COH-12.3a", text, field="cell", cured_by=("cell",)))
    elif not any(spot == cell or now.sees(spot, cell) for spot in observers(now, action.side)):
        text = f"no observer sees {cell}"
        found.append(Violation("COH-12.3c", text, cells=(cell,)))
    if action.given("smoke") is True and now.position.extras.get("no_smoke") is True:
        found.append(Violation("COH-13.1a", "no smoke in this firefight", field="smoke"))
    return Verdict(tuple(found))


def apply_plot(play: Play, action: Action) -> None:
    """Written down where nobody else looks; the battery is busy until it falls."""
    play.settled()
    card, side = action.text("card"), action.side
    if card:
        name = f"barrage-{side}-{card}-{play.position.turn}"
        while name in play.position.markers:
            name += "+"
        # COH-13.1b: smoke is declared with the target.
        values: FrozenMap[Value] = FrozenMap(
            {"card": card, "smoke": action.flag("smoke"), "turn": play.position.turn + 1}
        )
        plot = Marker(
            name,
            "barrage",
            side=side,
            cell=action.text("cell"),
            values=values,
            seen_by=frozenset({side}),
        )
        play.do(AddMarker(name, plot))
        pile = play.position.pile(f"artillery-{side}")
        rest = list(pile.cards)
        rest.remove(card)
        play.do(SetPile(pile.name, Pile(pile.name, tuple(rest), side, frozenset({side}))))
    advance(play)


def ask_for_barrages(play: Play) -> bool:
    """Whether a barrage plotted before the last turn falls now; asks its owner."""
    due = [
        m
        for m in play.position.markers.values()
        if m.kind == "barrage" and m.values.get("turn") == play.position.turn
    ]
    for marker in due:
        play.queue("barrage", marker.side, {"card": marker.values.get("card")})
    return bool(due)


def falling(now: Situation, side: str) -> Marker | None:
    """The next barrage of this side that falls in this preparation."""
    for marker in now.position.markers.values():
        due = marker.values.get("turn") == now.position.turn
        if marker.kind == "barrage" and marker.side == side and due:
            return marker
    return None


def pattern(now: Situation, marker: Marker) -> tuple[str, ...]:
    """COH-12.3b: the target hex and those around it."""
    card = now.tables.cards[str(marker.values["card"])]
    return now.board.within(marker.cell, card.pattern)


def rolls_of(now: Situation, side: str) -> list[str]:
    """What the gunner knows that he rolls against; hexes that seem empty by their names."""
    marker = falling(now, side)
    if marker is None or marker.values.get("smoke") is True:
        return []
    found: list[str] = []
    for cell in pattern(now, marker):
        found += [u.id for u in targets_at(now, cell, side)] or [f"{EMPTY_HEX} {cell}"]
        found += [m.id for m in works_at(now, Assault(None, "", cell, artillery=True))]
    return found


def check_barrage(now: Situation, action: Action) -> Verdict:
    """The barrage falls; its owner may buy points for the rolls."""
    if falling(now, action.side) is None:
        text = f"no barrage of {action.side} falls"
        return Verdict((Violation("COH-12.3b", text),))
    rolls = rolls_of(now, action.side)
    found = list(roll_objections(now, action, rolls))
    if total_cap(action, rolls) > now.cap(action.side):
        text = f"{action.side} has {now.cap(action.side)} CAP"
        found.append(Violation("COH-3.2.3a", text, field="cap"))
    return Verdict(tuple(found))


def apply_barrage(play: Play, action: Action) -> None:
    """COH-12.3b: an attack on each hex, and on each unit in it."""
    side = action.side
    marker = falling(play.now, side)
    play.settled()
    assert marker is not None
    play.spend_cap(side, total_cap(action, rolls_of(play.now, side)))
    card = play.now.tables.cards[str(marker.values["card"])]
    cells = pattern(play.now, marker)
    play.do(RemoveMarker(marker.id))
    play.tell("barrage", f"{card.title} on {marker.cell}", "COH-12.3b")
    roller = Roller(play, side, action)
    for cell in cells:
        if marker.values.get("smoke") is True:
            lay_smoke(play, cell)
            continue
        # COH-12.3d: no height counts, so there is no origin.
        assault = Assault(None, "", cell, artillery=True, weapon=card)
        targets = targets_at(play.now, cell, side)
        works = works_at(play.now, assault)
        if targets or works:
            attack_resolution.strike(play, assault, targets, works, roller, side)
        if not targets:
            attack_resolution.shell_hidden(play, assault, roller, side, f"{EMPTY_HEX} {cell}")
    if play.position.extras.get("keep_weapons") is True:
        pile = play.position.pile(f"artillery-{side}")
        again = (*pile.cards, card.key)
        play.do(SetPile(pile.name, Pile(pile.name, again, side, frozenset({side}))))
    advance(play)
