"""The turn: the preparations before it, initiative, activation, waiting, passing, its end."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.rules.cards.deck import draw_cards
from hexmarshal.games.conflict_of_heroes.rules.fire import artillery
from hexmarshal.games.conflict_of_heroes.rules.turn import payment, solitaire, victory
from hexmarshal.games.conflict_of_heroes.rules.turn.rolling import luck_objections
from hexmarshal.games.conflict_of_heroes.rules.turn.turn_order import advance, end_action
from hexmarshal.games.conflict_of_heroes.state.execution import mapped
from hexmarshal.games.conflict_of_heroes.state.situation import camp
from hexmarshal.rules.state.effects import (
    AddMarker,
    ChangeUnit,
    Proceed,
    RemoveMarker,
    SetTrack,
)
from hexmarshal.rules.values import EMPTY
from hexmarshal.rules.verdict import Cost, CostPart, Resolution, Step, Verdict, Violation

if TYPE_CHECKING:
    from hexmarshal.games.conflict_of_heroes.state.execution import Play
    from hexmarshal.games.conflict_of_heroes.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Marker

__all__ = [
    "apply_activate",
    "apply_begin",
    "apply_bid",
    "apply_finish",
    "apply_pass",
    "apply_stall",
    "check_activate",
    "check_bid",
    "check_finish",
    "check_stall",
    "end_turn",
    "open_bids",
]


# Before the turn


def apply_begin(play: Play, action: Action) -> None:
    """COH-2.0a: the steps of the preparation, in this order."""
    del action
    for unit in play.position.units.values():
        if unit.flags & {"spent", "active"}:
            play.do(ChangeUnit(unit.id, unflags=frozenset({"spent", "active"})))
    for marker in play.position.markers.values():
        if marker.kind == "smoke":
            _thin(play, marker)
    for side in play.position.sides:
        _reset_cap(play, side)
    for side in play.position.sides:
        draw_cards(play, side)
    if play.position.extras.get("over") is True:
        return
    artillery.ask_for_plots(play)
    advance(play)


def _thin(play: Play, marker: Marker) -> None:
    """COH-13.0c: thick smoke thins, thin smoke goes."""
    points = marker.values.get("points", 2)
    if isinstance(points, int) and points > 1:
        values = marker.values.set("points", points - 1)
        play.do(AddMarker(marker.id, replace(marker, values=values)))
    else:
        play.do(RemoveMarker(marker.id))


def _reset_cap(play: Play, side: str) -> None:
    """COH-3.2a, COH-7.4b: the starting value less the losses, never below 0."""
    full = play.position.track(f"cap-start-{side}") - play.position.track(f"losses-{side}")
    allowed = max(0, full)
    if play.position.track(f"cap-{side}") != allowed:
        play.do(SetTrack(f"cap-{side}", allowed))
    if play.position.track(f"ap-{side}"):
        play.do(SetTrack(f"ap-{side}", 0))


# Initiative


def open_bids(play: Play) -> None:
    """COH-3.2.4a: who has more command points declares first, on a tie the Soviet player."""
    due = artillery.ask_for_barrages(play)
    if due:
        advance(play)
        return
    ai = play.position.option("solo")
    if isinstance(ai, str) and ai in play.position.sides:
        solitaire.roll_initiative(play, ai, start_play)
        return
    play.note("bids", None)
    order = sorted(
        play.position.sides,
        key=lambda s: (-play.position.track(f"cap-{s}"), camp(s) != "soviet"),
    )
    for side in order:
        play.queue("bid", side)
    advance(play)


def check_bid(now: Situation, action: Action) -> Verdict:
    """COH-3.2.4a: at most two points, that one has."""
    points = action.number("cap")
    most = now.tables.number("fire", "cap_per_roll")
    found = []
    if not 0 <= points <= most:
        found.append(Violation("COH-3.2.4a", f"at most {most} CAP", field="cap"))
    if points > now.cap(action.side):
        text = f"{action.side} has {now.cap(action.side)} CAP"
        found.append(Violation("COH-3.2.4a", text, field="cap"))
    found += luck_objections(now, action, rolled=True)
    return Verdict(tuple(found), Cost((CostPart(points, "initiative", "COH-3.2.4a"),), "CAP"))


def apply_bid(play: Play, action: Action) -> None:
    """One declaration each; after the last all roll."""
    play.settled()
    points = action.number("cap")
    play.spend_cap(action.side, points)
    bids = {**mapped(play.position.extras.get("bids")), action.side: points}
    play.note("bids", bids)
    if action.flag("luck"):
        play.know(action.side, lucky=True)
    if len(bids) == len(play.position.sides):
        _roll_initiative(play, {s: p for s, p in bids.items() if isinstance(p, int)})
    else:
        advance(play)


def _roll_initiative(play: Play, bids: dict[str, int]) -> None:
    """COH-2.1a, COH-20.0a: the high roll begins; a tie is rolled again without the points."""
    totals: dict[str, int] = {}
    for side in play.position.sides:
        first, second = play.dice.roll_many(2, 6, f"initiative of {side}", side)
        totals[side] = first + second + bids.get(side, 0)
    for side in play.position.sides:
        _try_luck(play, side, totals)
    told = tuple(Step(f"{s}: {t}", "COH-2.1a") for s, t in totals.items())
    best = max(totals.values())
    leaders = [side for side, total in totals.items() if total == best]
    if len({camp(side) for side in leaders}) > 1:
        play.decide(Resolution("initiative", "tie", steps=told))
        open_bids(play)
        return
    play.decide(Resolution("initiative", leaders[0], steps=told))
    start_play(play, leaders[0])


def _try_luck(play: Play, side: str, totals: dict[str, int]) -> None:
    """COH-C12: who meant to plays the card if it gives him the lead."""
    if not play.position.knowledge.get(side, EMPTY).get("lucky"):
        return
    play.know(side, lucky=None)
    enemies = max(total for other, total in totals.items() if camp(other) != camp(side))
    friends = max(total for other, total in totals.items() if camp(other) == camp(side))
    change = play.now.tables.cards["12"].change
    if friends <= enemies < totals[side] + change and "12" in play.now.hand(side):
        totals[side] = enemies + 1
        payment.discard(play, side, "12")
        play.tell("luck", f"{side} is lucky: {totals[side]}", "COH-C12")


def start_play(play: Play, side: str) -> None:
    """The first go of the turn."""
    play.note("bids", None)
    play.note("passers", None)
    play.note("last", None)
    play.turn_to("", (side,), "play")


# During the turn


def check_activate(now: Situation, action: Action) -> Verdict:
    """COH-3.0a: a fresh unit; whoever was active is spent by it (COH-3.0d)."""
    unit = now.position.unit(action.text("unit"))
    me = (unit.id,)
    found = []
    if unit.side != action.side:
        found.append(Violation("COH-2.2a", f"{unit.id} is not one of {action.side}'s", units=me))
    if not now.fresh(unit):
        rule = "COH-2.2g" if unit.has("spent") else "COH-3.0b"
        found.append(Violation(rule, f"{unit.id} is not fresh", units=me))
    reserve = unit.box == "reinforcements" and now.position.turn >= unit.number("arrives")
    if not now.on_map(unit) and not reserve:
        found.append(Violation("COH-3.0a", f"{unit.id} is not in play", units=me))
    points = action.given("cap", 0)
    if isinstance(points, int) and points:
        if not now.option("variable_ap"):
            text = "nothing is rolled for an activation"
            found.append(Violation("COH-3.2.3a", text, field="cap"))
        elif points > min(2, now.cap(action.side)):
            found.append(Violation("COH-3.2.3a", "at most 2 CAP that one has", field="cap"))
    found += luck_objections(now, action, rolled=now.option("variable_ap"))
    found += solitaire.activation_objections(now, action, unit)
    return Verdict(tuple(found))


def apply_activate(play: Play, action: Action) -> None:
    """No action by itself: the side goes on (COH-3.0a)."""
    side = action.side
    payment.spend_activation(play, side)
    points = play.now.tables.number("costs", "activation")
    if play.now.option("variable_ap"):
        points = _variable(play, action)
    if play.now.option("fog_of_war"):
        play.know(side, activation=points)
    else:
        play.do(SetTrack(f"ap-{side}", points))
    unit = play.unit(action.text("unit"))
    if unit.has("spent"):
        # Against the rules; but at the table the counter is turned, and acts.
        play.unflag(unit.id, "spent")
    play.flag(unit.id, "active")


def _variable(play: Play, action: Action) -> int:
    """COH-3.0.1a: of three dice the highest and the lowest."""
    play.spend_cap(action.side, action.number("cap"))
    dice = play.dice.roll_many(3, 6, "action points")
    points = max(dice) + min(dice) + action.number("cap")
    if action.flag("luck"):
        points += play.now.tables.cards["12"].change  # COH-C12
        payment.discard(play, action.side, "12")
    secret = frozenset({action.side}) if play.now.option("fog_of_war") else None
    text = f"{dice[0]}, {dice[1]}, {dice[2]}: {points} AP"
    step = Step(text, "COH-3.0.1a")
    play.decide(Resolution("activation", str(points), steps=(step,), known_to=secret))
    return points


def check_finish(now: Situation, action: Action) -> Verdict:
    """COH-3.0c: there must be an activation to end."""
    if not now.sharers(action.side):
        return Verdict((Violation("COH-3.0c", "no unit is active"),))
    return Verdict()


def apply_finish(play: Play, action: Action) -> None:
    """The active unit is marked as spent; that is no action."""
    payment.spend_activation(play, action.side)


def check_stall(now: Situation, action: Action) -> Verdict:
    """COH-2.2c: a point of the active unit or a command point."""
    price = now.tables.number("costs", "stall")
    found = []
    if payment.way(action) == "command":
        unit = "CAP"
        if now.cap(action.side) < price:
            found.append(Violation("COH-2.2c", f"{action.side} has no CAP left"))
    else:
        unit = "AP"
        if not now.sharers(action.side) or now.ap(action.side) < price:
            found.append(Violation("COH-2.2c", "no active unit has an AP left"))
    return Verdict(tuple(found), Cost((CostPart(price, "stall", "COH-2.2c"),), unit))


def apply_stall(play: Play, action: Action) -> None:
    """Waiting is an action, and nothing happens."""
    price = play.now.tables.number("costs", "stall")
    if payment.way(action) == "command":
        play.spend_cap(action.side, price)
    else:
        payment.take_ap(play, action.side, price)
    end_action(play, action.side)


def apply_pass(play: Play, action: Action) -> None:
    """COH-2.2d: free, but what the active unit has left is lost."""
    payment.spend_activation(play, action.side)
    end_action(play, action.side, passed=True)


# After the turn


def end_turn(play: Play) -> None:
    """COH-2.3a: points, the turn marker, and on to the next preparation."""
    for side in play.position.sides:
        payment.spend_activation(play, side)
    for unit in play.position.units.values():
        play.unflag(unit.id, "bogged")  # COH-C20
    victory.score_objectives(play, "turn", "COH-2.3a")
    for name in ("passers", "last", "quick", "refused"):
        play.note(name, None)
    play.forget()
    turn = play.position.turn + 1
    turns = play.position.extras.get("turns")
    if isinstance(turns, int) and turn > turns:
        victory.score_objectives(play, "end", "COH-2.4a")
        victory.score_secret(play)
    play.do(Proceed(turn=turn, phase="prep", state="start", active=(play.position.sides[0],)))
