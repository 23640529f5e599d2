"""The properties of a game that stand around its pieces: for labels, names and layers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from hexmarshal.vassal.state.game_state import GameState

__all__ = ["game_properties"]

_MODULE_WIDE: Final = ("", "Module")


def game_properties(state: GameState, on: str | None) -> dict[str, str]:
    """Global properties as pieces on a map see them, and how many cards each deck holds."""
    found = {f"{deck.name}_numPieces": str(len(deck.members)) for deck in state.decks.values()}
    for own in (False, True):
        for (container, name), value in state.properties.items():
            if (container == on) == own and (own or container in _MODULE_WIDE):
                found[name] = value
    return found
