"""A button of the map that shows where all units went, or no longer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.vassal.components import MassKeyCommand
from hexmarshal.vassal.values import ctrl

if TYPE_CHECKING:
    from hexmarshal.kit.module.pictures import Pictures
    from hexmarshal.vassal.builder import MapBuilder

__all__ = ["add_trails"]


def add_trails(main: MapBuilder, pictures: Pictures) -> None:
    """Make the button; what it shows is for the player alone, and in no log."""
    main.component.add(
        MassKeyCommand,
        {
            "buttonHotkey": "",
            "buttonText": "",
            "deckCount": "0",
            "filter": '{UnitType != ""}',
            "hotkey": ctrl("T").text,
            "icon": pictures.icon("trails"),
            "name": "Trails",
            "reportFormat": "",
            "reportSingle": "true",
            "tooltip": "Movement trails of all units",
        },
    )
