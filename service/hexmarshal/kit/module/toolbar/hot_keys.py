"""Keys for the buttons of the toolbar; VASSAL tells each in the button's own tooltip."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.vassal.components import DiceButton, Map, TurnTracker
from hexmarshal.vassal.values import KeyStroke

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.vassal.builder import ModuleBuilder
    from hexmarshal.vassal.components import Component

__all__ = ["add_hot_keys"]

# With Ctrl keys are those of pieces; Alt has F, H and T for the window's menus, S for the server.
_LETTERS: Final = {
    "Announce": "A",
    "Charts": "R",
    "Counters": "C",
    "End of my go": "E",
    "Inventory": "I",
    "My hand": "M",
    "Notes": "N",
    "Pay with the move": "W",
}
_SHEET, _UNMOVED = "B", "U"
_NEXT, _PREVIOUS = "P", "O"


def add_hot_keys(module: ModuleBuilder) -> list[tuple[str, str]]:
    """Give the buttons of the toolbar keys, once all are there; which key does what."""
    found: dict[str, str] = {}
    for part, attribute, key, does in _keys(module):
        if key not in found:
            part.set(attribute, KeyStroke.from_human(f"Alt+{key}").text)
            found[key] = does
    return [(f"Alt+{key}", does) for key, does in sorted(found.items())]


def _keys(module: ModuleBuilder) -> Iterator[tuple[Component, str, str, str]]:
    for part in module.root.children():
        title = next((t for name in ("text", "buttonText") if (t := part.get(name))), "")
        if isinstance(part, DiceButton):
            yield part, "hotkey", title[0], f"roll {title}"
        elif isinstance(part, TurnTracker):
            yield part, "nexthotkey", _NEXT, "the next phase"
            yield part, "prevhotkey", _PREVIOUS, "the phase before"
        elif isinstance(part, Map):
            if part.get("markMoved") == "Always":
                yield part, "markUnmovedHotkey", _UNMOVED, "clear all marks of moves"
            if part.get("launch") == "true" and not part.get("hotkey"):
                yield part, "hotkey", _SHEET, part.name
        elif title in _LETTERS:
            yield part, "hotkey", _LETTERS[title], title
