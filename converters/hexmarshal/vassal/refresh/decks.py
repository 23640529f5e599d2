"""Decks brought up to the draw piles of a module: what they do changes, what lies in them stays."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Final

from hexmarshal.vassal.components import DrawPile
from hexmarshal.vassal.state.at_start import deck_of
from hexmarshal.vassal.traits import Deck

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hexmarshal.vassal.module import Module

__all__ = ["DeckDefinition", "Decks", "changed_fields", "refreshed"]

_NOT_OURS: Final = "source"


@dataclass(frozen=True, slots=True)
class DeckDefinition:
    """A deck as a module defines it, and the map that it lies on."""

    map: str
    deck: Deck


@dataclass(slots=True)
class Decks:
    """The decks of a module and its extensions by name; a name may be on several maps."""

    by_name: dict[str, list[DeckDefinition]] = field(default_factory=dict)

    @classmethod
    def of(cls, modules: Iterable[Module]) -> Decks:
        """Read every draw pile."""
        made = cls()
        for module in modules:
            for number, of_map in enumerate(module.maps()):
                for pile in of_map.each(DrawPile):
                    found = DeckDefinition(of_map.name or f"Map{number}", deck_of(pile))
                    made.by_name.setdefault(pile.name, []).append(found)
        return made

    def find(self, name: str, on: str | None) -> DeckDefinition | None:
        """The deck of this name, that on the same map if there are several."""
        named = self.by_name.get(name, [])
        there = [each for each in named if each.map == on]
        return there[0] if there else named[0] if len(named) == 1 else None


def changed_fields(old: Deck, new: Deck) -> dict[str, object]:
    """What the module says otherwise than a deck in a game does, by the field's name."""
    names = [each.name for each in fields(Deck) if each.name != _NOT_OURS]
    return {n: getattr(new, n) for n in names if getattr(new, n) != getattr(old, n)}


def refreshed(old: Deck, changes: dict[str, object]) -> Deck:
    """The deck with what changed; what else its text holds stays."""
    return replace(old, **changes)  # type: ignore[arg-type]
