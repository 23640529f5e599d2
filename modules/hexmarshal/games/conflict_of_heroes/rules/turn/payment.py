"""How an action is paid for: by the active unit, as an opportunity, by command, or with a card."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.rules.state.effects import ChangeUnit, MoveCards, SetTrack
from hexmarshal.rules.values import EMPTY
from hexmarshal.rules.verdict import FREE, Cost, CostPart, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hexmarshal.games.conflict_of_heroes.state.execution import Play
    from hexmarshal.games.conflict_of_heroes.state.situation import Situation
    from hexmarshal.games.conflict_of_heroes.state.tables import Card
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.state.position import Position

__all__ = [
    "WAYS",
    "activation_open",
    "bill",
    "card_of",
    "command_due",
    "due",
    "objections",
    "settle",
    "spend_activation",
    "verdict",
]

# COH-2.2b: the four ways to act.
WAYS = ("ap", "opportunity", "command", "card")
# The cards that let units do one thing; card 02 lets them do anything.
FOR_KIND = {
    "move": ("02", "05"),
    "group_move": ("02", "05"),
    "rally": ("02", "03", "04"),
    "dig_in": ("02", "11"),
}


def way(action: Action) -> str:
    """How the action is paid for; with the active unit's points unless it says otherwise."""
    return action.text("by", "ap")


def card_of(now: Situation, action: Action) -> Card | None:
    """The card that an action is played with."""
    return now.tables.cards.get(str(action.given("card"))) if way(action) == "card" else None


def verdict(now: Situation, objections: Iterable[Violation], action: Action, cost: Cost) -> Verdict:
    """What is found against an action, and what is paid for it once it is said how."""
    return Verdict.of(objections, FREE if action.open("by") else bill(now, action, cost))


def bill(now: Situation, action: Action, cost: Cost) -> Cost:
    """What is really paid: nothing for an opportunity action, the card's own cost with a card."""
    match way(action):
        case "opportunity":
            # COH-3.1a: whatever the action would cost.
            return Cost((CostPart(0, "opportunity action", "COH-3.1a"),), "AP")
        case "card":
            card = card_of(now, action)
            return card_bill(action, card) if card else Cost((CostPart(0, "card", "COH-8.0b"),))
        case "command":
            return Cost(cost.parts, "CAP")
        case _:
            return cost


def card_bill(action: Action, card: Card) -> Cost:
    """A card's own cost: in CAP, in AP, or in AP that CAP complete."""
    ap, cap = _card_price(action, card)
    unit = "AP" if ap else "CAP"
    if ap and cap:
        parts = (
            CostPart(ap, card.title, "COH-8.0b"),
            CostPart(cap, f"{card.title}, completed in CAP", "COH-8.0b"),
        )
        return Cost(parts, unit)
    return Cost((CostPart(card.cost, card.title, "COH-8.0b"),), unit)


def _card_price(action: Action, card: Card) -> tuple[int, int]:
    """COH-8.0b: what a card takes of AP and of CAP; one of both colours takes any mix."""
    match card.pay:
        case "cap":
            return 0, card.cost
        case "either" if action.given("pay_card", "cap") == "cap":
            return 0, card.cost
        case "either":
            more = action.given("top_up")
            cap = min(card.cost, max(0, more if isinstance(more, int) else 0))
            return card.cost - cap, cap
        case _:
            return card.cost, 0


def due(cost: Cost) -> int:
    """The whole number of points."""
    return max(0, int(cost.total))


def top_up(now: Situation, action: Action, total: int) -> int:
    """COH-3.2.1a: the command points that complete the active unit's action points."""
    least = max(0, total - now.ap(action.side))
    more = action.given("top_up")
    return max(least, more) if isinstance(more, int) else least


def command_due(now: Situation, action: Action, cost: Cost) -> int:
    """The command points that an action itself takes; those bought for its dice come on top."""
    match way(action):
        case "ap":
            return top_up(now, action, due(cost))
        case "command":
            return due(cost)
        case "card":
            card = card_of(now, action)
            return _card_price(action, card)[1] if card else 0
        case _:
            return 0


def objections(
    now: Situation, action: Action, units: Sequence[Unit], cost: Cost, rolls: int = 0
) -> Iterator[Violation]:
    """Why these units cannot pay for this; `rolls` are command points bought for dice."""
    side = action.side
    ids = tuple(unit.id for unit in units)
    for unit in units:
        if unit.side != side:
            text = f"{unit.id} is not one of {side}'s units"
            rule = "COH-20.0c" if way(action) == "card" else "COH-2.2a"
            yield Violation(rule, text, units=(unit.id,))
    spare = now.cap(side) - rolls
    if spare < 0:
        text = f"{rolls} CAP for dice, and {side} has {now.cap(side)}"
        yield Violation("COH-3.2.3a", text, field="cap")
        spare = 0
    total = due(cost)
    match way(action):
        case "ap":
            yield from _by_activation(now, action, units, total, spare)
        case "opportunity":
            for unit in units:
                if not now.fresh(unit):
                    state = "spent" if unit.has("spent") else "active"
                    text = f"an opportunity action needs a fresh unit, and {unit.id} is {state}"
                    yield Violation("COH-3.1a", text, units=(unit.id,))
        case "command":
            if total > spare:
                text = f"it costs {total} CAP, and {side} has {spare}"
                yield Violation("COH-3.2.2a", text, units=ids)
        case _:
            yield from _by_card(now, action, units, spare)


def _by_activation(
    now: Situation, action: Action, units: Sequence[Unit], total: int, spare: int
) -> Iterator[Violation]:
    side = action.side
    spent = [unit for unit in units if unit.has("spent")]
    for unit in spent:
        # COH-9.0a, COH-9.2b: any fresh unit may join as it acts, alone or in a group.
        text = f"{unit.id} is spent: it acts by command or card alone"
        yield Violation("COH-2.2g", text, units=(unit.id,))
    if not now.sharers(side):
        if not spent:
            text = "no unit is active: activate one, or act otherwise"
            yield Violation("COH-3.0a", text, units=tuple(u.id for u in units))
        return
    more = top_up(now, action, total)
    if more > spare:
        text = f"{total} AP are needed, there are {now.ap(side)} and {spare} CAP to complete them"
        yield Violation("COH-3.2.1a", text, units=tuple(u.id for u in units))
    if more > total:
        text = f"{more} CAP cannot complete a cost of {total}"
        yield Violation("COH-3.2.1a", text, field="top_up")


def _by_card(
    now: Situation, action: Action, units: Sequence[Unit], spare: int
) -> Iterator[Violation]:
    side, key = action.side, action.text("card")
    card = now.tables.cards.get(key)
    if card is None or key not in now.hand(side):
        text = f"{side} has no card {key}" if key else "it is not told by which card"
        yield Violation("COH-8.1a", text, field="card")
        return
    if card.kind != "action" or key not in FOR_KIND.get(action.kind, ("02",)):
        yield Violation("COH-8.1a", f"{card.title} does not do this", field="card")
    yield from card_objections(now, action, card, units, spare)


def card_objections(
    now: Situation, action: Action, card: Card, units: Sequence[Unit], spare: int
) -> Iterator[Violation]:
    """COH-8.0b, COH-8.5a: who may pay a card's cost, and with what."""
    side = action.side
    if len(units) > 1 and not card.group:
        yield Violation("COH-8.5a", f"{card.title} is not for groups", field="card")
    if card.pay == "either" and action.open("pay_card"):
        return
    ap, cap = _card_price(action, card)
    if cap > spare:
        text = f"{card.title} costs {cap} CAP, and {side} has {spare}"
        yield Violation("COH-8.0b", text, field="card")
    if not ap:
        return
    # Command points could still take the place of all of them.
    cure = ("top_up",) if card.pay == "either" else ()
    if ap > now.ap(side) or not now.sharers(side):
        text = f"{card.title} costs {ap} AP of the active unit"
        yield Violation("COH-8.0b", text, field="card", cured_by=cure)
    for unit in units:
        if not unit.has("active"):
            text = f"paid with action points, {card.title} is for the active unit, not {unit.id}"
            yield Violation("COH-8.0b", text, units=(unit.id,), cured_by=cure)
    if len(units) > 1 and card.pay == "either":
        text = f"for a group {card.title} is paid in CAP"
        yield Violation("COH-8.5a", text, field="pay_card", cured_by=cure)


def settle(play: Play, action: Action, units: Sequence[str], cost: Cost, rolls: int = 0) -> None:
    """Pay, and change the status of those who acted."""
    side = action.side
    play.spend_cap(side, rolls)
    total = due(cost)
    match way(action):
        case "ap":
            for unit in units:
                if not play.unit(unit).carrier:
                    play.flag(unit, "active")
            more = top_up(play.now, action, total)
            play.spend_cap(side, more)
            take_ap(play, side, total - more)
        case "opportunity":
            for unit in units:
                # COH-3.1b, COH-9.2a: all who took part are spent.
                play.flag(unit, "spent")
        case "command":
            # COH-3.2.2a, COH-9.2a: nobody's status changes, nor do the points of whoever is active
            # (COH-2.2f, COH-3.0e).
            play.spend_cap(side, total)
        case _:
            card = card_of(play.now, action)
            assert card is not None
            pay_card(play, action, card)
            discard(play, side, card.key)  # COH-8.2a


def pay_card(play: Play, action: Action, card: Card) -> None:
    """Pay a card's own cost."""
    ap, cap = _card_price(action, card)
    play.spend_cap(action.side, cap)
    take_ap(play, action.side, ap)


def discard(play: Play, side: str, card: str) -> None:
    """Put a card of a hand onto the open pile."""
    play.do(MoveCards(f"hand-{side}", "discard", (card,)))


def take_ap(play: Play, side: str, points: int) -> None:
    """Move the marker of the activation."""
    if points:
        before = play.position.track(f"ap-{side}")
        # COH-3.0.1b: in the fog of war the points spent are counted, not those left.
        after = before + points if play.now.option("fog_of_war") else before - points
        play.do(SetTrack(f"ap-{side}", after))


def activation_open(position: Position, side: str) -> bool:
    """Whether points of an activation are left, on the track or, in the fog of war, in secret."""
    secret = position.knowledge.get(side, EMPTY).get("activation")
    return position.track(f"ap-{side}") != 0 or secret is not None


def spend_activation(play: Play, side: str) -> None:
    """COH-3.0c, COH-9.0b: the activation ends, its points are lost, all who shared it are spent."""
    now = play.now
    rolled = now.position.knowledge.get(side, EMPTY).get("activation")
    if rolled is not None:
        play.tell("activation", f"{side} had rolled {rolled} AP", "COH-3.0.1b")
        play.know(side, activation=None)
    for unit in now.sharers(side):
        play.do(ChangeUnit(unit.id, flags=frozenset({"spent"}), unflags=frozenset({"active"})))
    if now.position.track(f"ap-{side}"):
        play.do(SetTrack(f"ap-{side}", 0))
