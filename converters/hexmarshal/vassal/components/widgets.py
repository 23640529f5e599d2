"""Windows of pieces and charts, the widgets inside them, piece slots and prototypes."""

from __future__ import annotations

from hexmarshal.vassal.components.attributes import (
    FileName,
    Flag,
    Image,
    Integer,
    Key,
    OptionalDecimal,
    OptionalInteger,
    Text,
)
from hexmarshal.vassal.components.base import Component

_MODULE = "VASSAL.build.module"
_WIDGET = "VASSAL.build.widget"

_CONTAINERS = ("TabWidget", "PanelWidget", "BoxWidget", "ListWidget")
_IN_WIDGETS = (*_CONTAINERS, "PieceSlot", "Chart", "HtmlChart", "MapWidget")


class PieceWindow(
    Component, tag=f"{_MODULE}.PieceWindow", naming="name", contains=(*_CONTAINERS, "PieceSlot")
):
    """A palette of pieces."""

    __slots__ = ()
    description = Text("description")
    hidden = Flag("hidden")
    button_text = Text("text")
    tooltip = Text("tooltip")
    icon = Image("icon")
    hotkey = Key("hotkey")
    scale = OptionalDecimal("scale")
    default_width = Integer("defaultWidth", 0)


class ChartWindow(
    Component,
    tag=f"{_MODULE}.ChartWindow",
    naming="name",
    contains=(*_CONTAINERS, "Chart", "HtmlChart", "MapWidget"),
):
    """A window of charts."""

    __slots__ = ()
    description = Text("description")
    button_text = Text("text")
    tooltip = Text("tooltip")
    icon = Image("icon")
    hotkey = Key("hotkey")


class Widget(Component, naming="entryName"):
    """A part of a palette or chart window."""

    __slots__ = ()


class TabWidget(Widget, tag=f"{_WIDGET}.TabWidget", contains=_IN_WIDGETS):
    """Tabs."""

    __slots__ = ()
    description = Text("description")


class PanelWidget(Widget, tag=f"{_WIDGET}.PanelWidget", contains=_IN_WIDGETS):
    """A row, a column, or a table of so many columns."""

    __slots__ = ()
    description = Text("description")
    fixed = Flag("fixed")
    columns = Integer("nColumns", 3)
    vertical = Flag("vert")
    scale = OptionalDecimal("scale")


class ListWidget(Widget, tag=f"{_WIDGET}.ListWidget", contains=_IN_WIDGETS):
    """A list to scroll through."""

    __slots__ = ()
    description = Text("description")
    scale = OptionalDecimal("scale")
    width = OptionalInteger("width")
    height = OptionalInteger("height")
    divider = OptionalInteger("divider")


class BoxWidget(Widget, tag=f"{_WIDGET}.BoxWidget", contains=_IN_WIDGETS):
    """A drop-down list."""

    __slots__ = ()
    width = OptionalInteger("width")
    height = OptionalInteger("height")


class MapWidget(Widget, tag=f"{_WIDGET}.MapWidget", contains=("WidgetMap",)):
    """A map as a chart."""

    __slots__ = ()
    description = Text("description")


class Chart(Component, tag=f"{_WIDGET}.Chart", naming="chartName"):
    """An image as a chart."""

    __slots__ = ()
    description = Text("description")
    file_name = Image("fileName")


class HtmlChart(Component, tag=f"{_WIDGET}.HtmlChart", naming="chartName"):
    """A page as a chart."""

    __slots__ = ()
    description = Text("description")
    file_name = FileName("fileName")


class PieceSlot(Widget, tag=f"{_WIDGET}.PieceSlot", holds_piece=True):
    """A piece to take from; its text is `+/null/type/state`."""

    __slots__ = ()
    gpid = Text("gpid")
    width = OptionalInteger("width")
    height = OptionalInteger("height")


class CardSlot(PieceSlot, tag=f"{_WIDGET}.CardSlot"):
    """A card of a deck."""

    __slots__ = ()


class PrototypesContainer(
    Component,
    tag=f"{_MODULE}.PrototypesContainer",
    contains=("PrototypeFolder", "PrototypeDefinition"),
):
    """All prototypes."""

    __slots__ = ()


class PrototypeDefinition(
    Component, tag=f"{_MODULE}.PrototypeDefinition", naming="name", holds_piece=True
):
    """Traits that pieces share by name; its text is `+/null/type/state`."""

    __slots__ = ()
    description = Text("description")
