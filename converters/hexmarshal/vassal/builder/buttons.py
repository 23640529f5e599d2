"""Buttons of toolbars: a line in the chat, a menu of other buttons, a view of a place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.vassal import sequence
from hexmarshal.vassal.components import (
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

__all__ = ["action_button", "camera_button", "piece_key", "startup_key", "toolbar_menu"]


def action_button(
    parent: Component, name: str, report: str, *, gate: str = "", keys: Sequence[KeyStroke] = ()
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
            "doReport": "true",
            "doSound": "false",
            "hotkey": "",
            "hotkeys": KeyStrokes.of(*keys).text if keys else "",
            "icon": "",
            "index": "false",
            "name": name,
            **({"propertyGate": gate} if gate else {}),
            "reportFormat": report,
            "soundClip": "",
            "text": name,
            "tooltip": name,
        },
    )


def piece_key(
    parent: Component, name: str, hotkey: KeyStroke, sends: KeyStroke, filter: str
) -> GlobalKeyCommand:
    """What has no button of its own: a hot key that presses a key on every piece that matches."""
    return parent.add(
        GlobalKeyCommand,
        {
            "buttonHotkey": hotkey.text,
            "buttonText": "",
            "deckCount": "0",
            "filter": filter,
            "hotkey": sends.text,
            "icon": "",
            "name": name,
            "reportFormat": "",
            "reportSingle": "false",
            "tooltip": "",
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
