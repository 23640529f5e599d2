"""Buttons of toolbars: a line in the chat, a menu of other buttons, a view of a place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.vassal import sequence
from hexmarshal.vassal.components import (
    DiceButton,
    DoActionButton,
    GlobalKeyCommand,
    MoveCameraButton,
    StartupGlobalKeyCommand,
    ToolbarMenu,
)
from hexmarshal.vassal.values import KeyStroke, KeyStrokes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.vassal.components import Component

__all__ = [
    "action_button", "camera_button", "dice_button", "piece_key", "startup_key", "toolbar_menu",
]  # fmt: skip


def action_button(
    parent: Component,
    name: str,
    report: str = "",
    *,
    gate: str = "",
    keys: Sequence[KeyStroke] = (),
    icon: str = "",
    tooltip: str = "",
) -> DoActionButton:
    """A button that says something in the chat, but not while the property `gate` is true.

    Then it presses `keys`, such as those of other buttons.
    """
    return parent.add(
        DoActionButton,
        {
            "canDisable": "true" if gate else "false",
            "doHotkey": "true" if keys else "false",
            "doLoop": "false",
            "doReport": "true" if report else "false",
            "doSound": "false",
            "hotkey": "",
            "hotkeys": KeyStrokes.of(*keys).text if keys else "",
            "icon": icon,
            "index": "false",
            "name": name,
            **({"propertyGate": gate} if gate else {}),
            "reportFormat": report,
            "soundClip": "",
            "text": name,
            "tooltip": tooltip or name,
        },
    )


def piece_key(
    parent: Component,
    name: str,
    hotkey: KeyStroke,
    sends: KeyStroke,
    filter: str,
    *,
    in_decks: bool = False,
    quiet: bool = False,
) -> GlobalKeyCommand:
    """What has no button of its own: a hot key that presses a key on every piece that matches.

    Those in decks are meant only if it is said; `quiet` tells nothing of each piece.
    """
    return parent.add(
        GlobalKeyCommand,
        {
            "buttonHotkey": hotkey.text,
            "buttonText": "",
            "deckCount": "-1" if in_decks else "0",
            "filter": filter,
            "hotkey": sends.text,
            "icon": "",
            "name": name,
            "reportFormat": "",
            "reportSingle": "true" if quiet else "false",
            "tooltip": "",
        },
    )


def dice_button(
    parent: Component, name: str, count: int, sides: int, *, total: bool = False, report: str = ""
) -> DiceButton:
    """A button that rolls dice and reports the result."""
    return parent.add(
        DiceButton,
        {
            "addToTotal": "0",
            "hotkey": "",
            "icon": "/images/die.gif",
            "nDice": str(count),
            "nSides": str(sides),
            "name": name,
            "plus": "0",
            "prompt": "false",
            "reportFormat": report or "** $name$ = $result$ *** &lt;$PlayerName$&gt;",
            "reportTotal": "true" if total else "false",
            "sortDice": "false",
            "text": name,
            "tooltip": f"Roll {count}d{sides}",
        },
    )


def toolbar_menu(
    parent: Component, name: str, items: Sequence[str], *, icon: str = "", tooltip: str = ""
) -> ToolbarMenu:
    """A menu that swallows the buttons with these texts."""
    return parent.add(
        ToolbarMenu,
        {
            "description": name,
            "hotkey": "",
            "icon": icon,
            "menuItems": sequence.join(items, ","),
            "text": name,
            "tooltip": tooltip or name,
        },
    )


def camera_button(
    of_map: Component, name: str, x: str, y: str, *, icon: str = ""
) -> MoveCameraButton:
    """A button that moves the view to the pixel that two properties tell."""
    return of_map.add(
        MoveCameraButton,
        {
            "hotkey": KeyStroke.named(_view_key(name)).text,
            "icon": icon or "/images/recenter.gif",
            "moveCameraMode": "L",
            "text": "",
            "tooltip": name,
            "xOffset": "0",
            "xPos": f"${x}$",
            "yOffset": "0",
            "yPos": f"${y}$",
            "zoom": "",
        },
    )


def startup_key(parent: Component, name: str) -> StartupGlobalKeyCommand:
    """Presses a camera's button by itself whenever a game is opened."""
    return parent.add(
        StartupGlobalKeyCommand,
        {
            "globalHotkey": KeyStroke.named(_view_key(name)).text,
            "hotkeyOrKeyCommand": "sendHotkey",
            "name": name,
            "whenToApply": "everyLaunchOfSession",
        },
    )


def _view_key(name: str) -> str:
    return f"view {name.lower()}"
