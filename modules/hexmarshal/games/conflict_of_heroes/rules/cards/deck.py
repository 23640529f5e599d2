"""Drawing cards: hands stay secret, events happen at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.rules.turn import victory
from hexmarshal.games.conflict_of_heroes.state import source
from hexmarshal.games.conflict_of_heroes.state.execution import mapped
from hexmarshal.games.conflict_of_heroes.state.situation import camp
from hexmarshal.rules.state.effects import MoveCards, SetPile, SetTrack
from hexmarshal.rules.state.pieces import Pile
from hexmarshal.rules.verdict import Resolution, Step

if TYPE_CHECKING:
    from hexmarshal.games.conflict_of_heroes.state.execution import Play

__all__ = ["draw_cards"]


def draw_cards(table: Play, side: str) -> None:
    """COH-8.0a: as many as the firefight says, each turn; the first hand comes with the first."""
    wanted = mapped(table.position.extras.get("draw")).get(side, 0)
    dealt = mapped(table.position.extras.get("deal")).get(side, 0)
    count = (wanted if isinstance(wanted, int) else 0) + (
        dealt if isinstance(dealt, int) and table.position.turn == 1 else 0
    )
    for _ in range(count):
        if not table.position.pile("deck").cards:
            return  # However many more are wanted.
        _draw(table, side)


def _draw(table: Play, side: str) -> None:
    while True:
        deck = table.position.pile("deck")
        if not deck.cards or table.position.extras.get("over") is True:
            return
        index = table.dice.pick(len(deck.cards), "card")
        drawn = deck.cards[index]
        card = source.cards()[drawn]
        if card.kind != "event":
            _to_hand(table, side, drawn)
            return
        # COH-8.3a: an event has its effect at once, and another card is drawn.
        rest = (*deck.cards[:index], *deck.cards[index + 1 :])
        table.do(SetPile("deck", Pile("deck", rest, "", frozenset())))
        if drawn.startswith("objective_"):
            _secret_objective(table, side, drawn)
            continue
        discarded = table.position.pile("discard")
        table.do(SetPile("discard", Pile("discard", (drawn, *discarded.cards))))
        _event(table, side, drawn)


def _to_hand(table: Play, side: str, card: str) -> None:
    hand = f"hand-{side}"
    if hand not in table.position.piles:
        table.do(SetPile(hand, Pile(hand, (), side, frozenset({side}))))
    table.do(MoveCards("deck", hand, (card,)))
    text = f"draws {source.cards()[card].title}"
    only = frozenset({side})
    table.decide(Resolution("card", card, steps=(Step(text, "COH-8.0a"),), known_to=only))


def _secret_objective(table: Play, side: str, card: str) -> None:
    """COH-CE1: laid aside face down until the game ends; only who drew it knows which one it is."""
    name = f"objective-{side}"
    own = (*table.position.pile(name).cards, card)
    table.do(SetPile(name, Pile(name, own, side, frozenset({side}))))
    table.know(side, objective=card)
    table.tell("event", f"{side} has a secret objective", "COH-CE1")


def _event(table: Play, side: str, card: str) -> None:
    """COH-CE1: scoring, the firefight's own event, a cease-fire."""
    title = source.cards()[card].title
    table.tell("event", f"{side} draws {title}", "COH-8.3a")
    match card:
        case "scoring":
            victory.score_objectives(table, "card", "COH-CE1")
        case "cease_fire":
            victory.score_objectives(table, "end", "COH-2.4a")
            victory.score_secret(table)
            table.note("over", True)
        case _:
            _own_event(table)


def _own_event(table: Play) -> None:
    """What the firefight says: command points for one side, this turn."""
    event = mapped(table.position.extras.get("event"))
    side, points = event.get("side"), event.get("cap")
    for force in table.position.sides:
        if camp(force) == side and isinstance(points, int):
            track = f"cap-{force}"
            table.do(SetTrack(track, table.position.track(track) + points))
            table.tell("event", f"{points} CAP for {force}", "COH-CE1")
            return
