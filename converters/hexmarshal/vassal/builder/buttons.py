"""Buttons of toolbars: a line in the chat, a menu of other buttons, a view of a place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.vassal import sequence
from hexmarshal.vassal.components import (
    DoActionButton,
    MoveCameraButton,
    StartupGlobalKeyCommand,
    ToolbarMenu,
)
from hexmarshal.vassal.values import KeyStroke

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.vassal.components import Component

__all__ = ["action_button", "camera_button", "startup_key", "toolbar_menu"]


def action_button(parent: Component, name: str, report: str, *, gate: str = "") -> DoActionButton:
    """A button that says something in the chat, but not while the property `gate` is true."""
    return parent.add(
        DoActionButton,
        {
            "canDisable": "true" if gate else "false",
            "doHotkey": "false",
            "doLoop": "false",
            "doReport": "true",
            "doSound": "false",
            "hotkey": "",
            "hotkeys": "",
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
