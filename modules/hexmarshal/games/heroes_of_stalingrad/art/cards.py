"""The action cards: both uses on one face, and the back of each deck."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.kit.drawing.cards import CardFace, card_back, cost_disc, emblem

if TYPE_CHECKING:
    from hexmarshal.games.heroes_of_stalingrad.state.tables import Card

__all__ = ["back", "card"]

_BANDS: Final = {"russian": "#8c2f25", "german": "#4d5b62"}
_LETTERS: Final = {"order": "O", "activation": "A", "reserve": "R"}


def card(given: Card, side: str) -> str:
    """A card of a side's deck: the phases and the event above, the bonus in the corner."""
    phases = " ".join(_LETTERS[phase] for phase in given.phases)
    bonus = "any roll" if given.bonus == "any" else given.bonus
    return CardFace(
        kind=" - ".join(given.phases),
        title=given.title,
        text=f"{given.text} Or: +1 {bonus}.",
        band=_BANDS[side],
        number=phases,
        picture=emblem(_BANDS[side], 5 if side == "russian" else 4),
        corner=cost_disc("+1"),
    ).svg()


def back(side: str) -> str:
    """The back of a deck."""
    return card_back("HEROES OF", "STALINGRAD", side.upper(), ground=_BANDS[side])
