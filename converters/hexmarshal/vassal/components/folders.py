"""Folders: they group components of one kind in the editor and change no meaning."""

from __future__ import annotations

from hexmarshal.vassal.components.attributes import Text
from hexmarshal.vassal.components.base import Component

_FOLDER = "VASSAL.build.module.folder"


class Folder(Component, naming="name"):
    """A group of siblings."""

    __slots__ = ()
    description = Text("desc")


class ModuleSubFolder(
    Folder,
    tag=f"{_FOLDER}.ModuleSubFolder",
    contains=(
        "ModuleSubFolder",
        "Map",
        "PieceWindow",
        "ToolbarMenu",
        "MultiActionButton",
        "DoActionButton",
        "DiceButton",
        "GlobalKeyCommand",
        "StartupGlobalKeyCommand",
        "Inventory",
        "RandomTextButton",
        "SpecialDiceButton",
        "ChartWindow",
        "PrivateMap",
        "PlayerHand",
    ),
):
    """Components of a module."""

    __slots__ = ()


class MapSubFolder(
    Folder,
    tag=f"{_FOLDER}.MapSubFolder",
    contains=(
        "MapSubFolder",
        "LOS_Thread",
        "ToolbarMenu",
        "MultiActionButton",
        "DoActionButton",
        "CounterDetailViewer",
        "DrawPile",
        "SetupStack",
        "MassKeyCommand",
        "MapShader",
        "Flare",
    ),
):
    """Components of a map."""

    __slots__ = ()


class DeckSubFolder(
    Folder,
    tag=f"{_FOLDER}.DeckSubFolder",
    contains=(
        "DeckSubFolder",
        "CardSlot",
        "DeckGlobalKeyCommand",
        "DeckSortKeyCommand",
        "DeckSendKeyCommand",
    ),
):
    """Cards and commands of a deck."""

    __slots__ = ()


class GlobalPropertyFolder(
    Folder,
    tag=f"{_FOLDER}.GlobalPropertyFolder",
    contains=("GlobalPropertyFolder", "GlobalProperty", "ScenarioPropertiesOptionTab"),
):
    """Global properties."""

    __slots__ = ()


class PrototypeFolder(
    Folder,
    tag=f"{_FOLDER}.PrototypeFolder",
    contains=("PrototypeFolder", "PrototypeDefinition"),
):
    """Prototypes."""

    __slots__ = ()
