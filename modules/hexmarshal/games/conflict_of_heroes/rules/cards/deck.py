"""Drawing cards: hands stay secret, events happen at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.rules.turn import victory
from hexmarshal.games.conflict_of_heroes.state.execution import mapped
from hexmarshal.games.conflict_of_heroes.state.situation import camp
from hexmarshal.rules.state.effects import MoveCards, SetPile, SetTrack
from hexmarshal.rules.state.pieces import Pile
from hexmarshal.rules.verdict import Resolution, Step

if TYPE_CHECKING:
    from hexmarshal.games.conflict_of_heroes.state.execution import Play

__all__ = ["draw_cards"]


def draw_cards(play: Play, side: str) -> None:
    """COH-8.0a: as many as the firefight says, each turn; the first hand comes with the first."""
    wanted = mapped(play.position.extras.get("draw")).get(side, 0)
    dealt = mapped(play.position.extras.get("deal")).get(side, 0)
    count = (wanted if isinstance(wanted, int) else 0) + (
        dealt if isinstance(dealt, int) and play.position.turn == 1 else 0
    )
    for _ in range(count):
        if not play.position.pile("deck").cards:
            return  # However many more are wanted.
        _draw(play, side)


def _draw(play: Play, side: str) -> None:
    while True:
        deck = play.position.pile("deck")
        if not deck.cards or play.position.extras.get("over") is True:
            return
        index = play.dice.pick(len(deck.cards), "card")
        drawn = deck.cards[index]
        card = play.now.tables.cards[drawn]
        if card.kind != "event":
            _to_hand(play, side, drawn)
            return
        # COH-8.3a: an event has its effect at once, and another card is drawn.
        rest = (*deck.cards[:index], *deck.cards[index + 1 :])
        play.do(SetPile("deck", Pile("deck", rest, "", frozenset())))
        if drawn.startswith("objective_"):
            _secret_objective(play, side, drawn)
            continue
        discarded = play.position.pile("discard")
        play.do(SetPile("discard", Pile("discard", (drawn, *discarded.cards))))
        _event(play, side, drawn)


def _to_hand(play: Play, side: str, card: str) -> None:
    hand = f"hand-{side}"
    if hand not in play.position.piles:
        play.do(SetPile(hand, Pile(hand, (), side, frozenset({side}))))
    play.do(MoveCards("deck", hand, (card,)))
    text = f"draws {play.now.tables.cards[card].title}"
    only = frozenset({side})
    play.decide(Resolution("card", card, steps=(Step(text, "COH-8.0a"),), known_to=only))


def _secret_objective(play: Play, side: str, card: str) -> None:
    """COH-CE1: laid aside face down until the game ends; only who drew it knows which one it is."""
    name = f"objective-{side}"
    own = (*play.position.pile(name).cards, card)
    play.do(SetPile(name, Pile(name, own, side, frozenset({side}))))
    play.know(side, objective=card)
    play.tell("event", f"{side} has a secret objective", "COH-CE1")


def _event(play: Play, side: str, card: str) -> None:
    """COH-CE1: scoring, the firefight's own event, a cease-fire."""
    title = play.now.tables.cards[card].title
    play.tell("event", f"{side} draws {title}", "COH-8.3a")
    match card:
        case "scoring":
            victory.score_objectives(play, "card", "COH-CE1")
        case "cease_fire":
            victory.score_objectives(play, "end", "COH-2.4a")
            victory.score_secret(play)
            play.note("over", True)
        case _:
            _own_event(play)


def _own_event(play: Play) -> None:
    """What the firefight says: command points for one side, this turn."""
    event = mapped(play.position.extras.get("event"))
    side, points = event.get("side"), event.get("cap")
    for force in play.position.sides:
        if camp(force) == side and isinstance(points, int):
            track = f"cap-{force}"
            play.do(SetTrack(track, play.position.track(track) + points))
            play.tell("event", f"{points} CAP for {force}", "COH-CE1")
            return
