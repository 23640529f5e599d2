"""HOS-6.1: decks and hands of Action cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.rules.state.effects import MoveCards, SetPile
from hexmarshal.rules.state.pieces import Pile

if TYPE_CHECKING:
    from hexmarshal.games.heroes_of_stalingrad.state.execution import Play
    from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
    from hexmarshal.rules.dice import Dice

__all__ = ["discard", "draw_up", "first_piles", "hand", "hand_size", "may_refill"]

NOBODY: frozenset[str] = frozenset()


def first_piles(
    side: str, deck: tuple[str, ...], size: int, dice: Dice | None
) -> tuple[Pile, Pile, Pile]:
    """The deck, the hand and the discards of a side at the start of a game."""
    cards = deck if dice is None else dice.shuffled(deck, f"the deck of {side}")
    return (
        Pile(f"{side}-deck", cards[size:], side, known_to=NOBODY),
        Pile(f"{side}-hand", cards[:size], side, known_to=frozenset((side,))),
        Pile(f"{side}-discard", (), side),
    )


def hand(now: Situation, side: str) -> tuple[str, ...]:
    """The cards in a side's hand, masked to the other."""
    return now.position.pile(f"{side}-hand").cards


def hand_size(now: Situation, side: str) -> int:
    """HOS-6.1: the hand size that the scenario gives."""
    size = now.kept("hand").get(side, 0)
    return size if isinstance(size, int) else 0


def may_refill(now: Situation, side: str) -> bool:
    """Whether a side has cards to discard or to draw, as all can see."""
    return bool(hand(now, side)) or bool(hand_size(now, side) and _stock(now, side))


def _stock(now: Situation, side: str) -> int:
    piles = now.position.pile
    return len(piles(f"{side}-deck").cards) + len(piles(f"{side}-discard").cards)


def discard(play: Play, side: str, card: str) -> None:
    """A card that was played goes to the discards."""
    play.do(MoveCards(f"{side}-hand", f"{side}-discard", (card,)))


def draw_up(play: Play, side: str) -> None:
    """The hand is filled up; when the deck is empty, the discards are shuffled into it."""
    missing = hand_size(play.now, side) - len(hand(play.now, side))
    for _ in range(max(0, missing)):
        deck = play.position.pile(f"{side}-deck")
        if not deck.cards:
            old = play.position.pile(f"{side}-discard")
            if not old.cards:
                return
            shuffled = play.dice.shuffled(old.cards, f"the deck of {side}")
            play.do(
                SetPile(old.name, Pile(old.name, (), side)),
                SetPile(deck.name, Pile(deck.name, shuffled, side, known_to=NOBODY)),
            )
            deck = play.position.pile(f"{side}-deck")
        play.do(MoveCards(deck.name, f"{side}-hand", deck.cards[:1]))
