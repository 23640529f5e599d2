"""Images that the engine composes of symbols, shapes and texts."""

from __future__ import annotations

from hexmarshal.vassal.components.attributes import Colour, Integer, Text
from hexmarshal.vassal.components.base import Component

_IMAGE = "VASSAL.build.module.gamepieceimage"


class GamePieceImageDefinitions(
    Component,
    tag=f"{_IMAGE}.GamePieceImageDefinitions",
    contains=("GamePieceLayoutsContainer", "ColorManager", "FontManager"),
):
    """All composed images with their colours and fonts."""

    __slots__ = ()


class ColorManager(Component, tag=f"{_IMAGE}.ColorManager", contains=("ColorSwatch",)):
    """Named colours."""

    __slots__ = ()


class ColorSwatch(Component, tag=f"{_IMAGE}.ColorSwatch", naming="name"):
    """A named colour."""

    __slots__ = ()
    color = Colour("color")


class FontManager(Component, tag=f"{_IMAGE}.FontManager", contains=("FontStyle",)):
    """Named fonts."""

    __slots__ = ()


class FontStyle(Component, tag=f"{_IMAGE}.FontStyle", naming="name"):
    """A named font."""

    __slots__ = ()
    style = Text("style", "Dialog,0,12,false")


class GamePieceLayoutsContainer(
    Component, tag=f"{_IMAGE}.GamePieceLayoutsContainer", contains=("GamePieceLayout",)
):
    """All layouts."""

    __slots__ = ()


class GamePieceLayout(
    Component, tag=f"{_IMAGE}.GamePieceLayout", naming="name", contains=("GamePieceImage",)
):
    """What images of one kind are composed of."""

    __slots__ = ()
    width = Integer("width", 54)
    height = Integer("height", 54)
    border = Text("border")
    layout = Text("layout")


class GamePieceImage(Component, tag=f"{_IMAGE}.GamePieceImage", naming="name"):
    """One composed image; pieces use it under its name."""

    __slots__ = ()
    background = Text("bgColor")
    border_color = Text("borderColor")
    parts = Text("props")
    version = Text("version")
