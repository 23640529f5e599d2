"""Maps and the parts that make them work; what is drawn over them is in `overlays`."""

from __future__ import annotations

from hexmarshal.vassal.components.attributes import (
    Choice,
    Colour,
    Decimal,
    Flag,
    Format,
    Image,
    Integer,
    Key,
    Names,
    Text,
)
from hexmarshal.vassal.components.base import Component
from hexmarshal.vassal.components.boards import Board
from hexmarshal.vassal.components.toolbar import Gated, UnnamedToolbarItem

_MODULE = "VASSAL.build.module"
_MAP = f"{_MODULE}.map"


class Map(
    Component,
    tag=f"{_MODULE}.Map",
    naming="mapName",
    contains=(
        "MapSubFolder",
        "GlobalMap",
        "LOS_Thread",
        "ToolbarMenu",
        "MultiActionButton",
        "DoActionButton",
        "HidePiecesButton",
        "Zoomer",
        "CounterDetailViewer",
        "HighlightLastMoved",
        "LayeredPieceCollection",
        "ImageSaver",
        "TextSaver",
        "DrawPile",
        "SetupStack",
        "MassKeyCommand",
        "MapShader",
        "PieceRecenterer",
        "Flare",
        "MoveCameraButton",
    ),
):
    """A map window; its name is what saves and commands know it by."""

    __slots__ = ()
    description = Text("description")
    mark_moved = Choice("markMoved", "Always", "Never", "Use Preferences Setting")
    mark_unmoved_text = Text("markUnmovedText")
    mark_unmoved_tooltip = Text("markUnmovedTooltip")
    mark_unmoved_icon = Image("markUnmovedIcon", "/images/unmoved.gif")
    mark_unmoved_hotkey = Key("markUnmovedHotkey")
    mark_unmoved_report = Format("markUnmovedReport")
    edge_width = Integer("edgeWidth", 0)
    edge_height = Integer("edgeHeight", 0)
    background_color = Colour("backgroundcolor", "255,255,255")
    allow_multiple = Flag("allowMultiple")
    selection_color = Colour("color", "0,0,0")
    selection_thickness = Integer("thickness", 3)
    launch = Flag("launch")
    button_text = Text("buttonName")
    tooltip = Text("tooltip")
    icon = Image("icon", "/images/map.gif")
    hotkey = Key("hotkey")
    show_key = Key("showKey")
    hide_key = Key("hideKey")
    only_report_changed_location = Flag("onlyReportChangedLocation")
    move_within_format = Format("moveWithinFormat")
    move_to_format = Format("moveToFormat")
    create_format = Format("createFormat")
    change_format = Format("changeFormat", "$message$")
    move_key = Key("moveKey")

    @property
    def picker(self) -> BoardPicker | None:
        """Its board picker."""
        return self.child(BoardPicker)

    @property
    def boards(self) -> list[Board]:
        """The boards that it can show."""
        picker = self.picker
        return [] if picker is None else list(picker.each(Board, deep=False))


class PrivateMap(Map, tag=f"{_MODULE}.PrivateMap"):
    """A map that only some sides use."""

    __slots__ = ()
    sides = Names("side")
    visible = Flag("visible")
    use_boards = Text("useBoards")


class PlayerHand(PrivateMap, tag=f"{_MODULE}.PlayerHand"):
    """A private map for a hand of cards."""

    __slots__ = ()


class WidgetMap(Map, tag="VASSAL.build.widget.WidgetMap"):
    """A map inside a chart window."""

    __slots__ = ()


class BoardPicker(Component, tag=f"{_MAP}.BoardPicker", contains=("Board",)):
    """Which boards a map has, and which are chosen in advance."""

    __slots__ = ()
    slot_width = Integer("slotWidth", 350)
    slot_height = Integer("slotHeight", 125)
    slot_scale = Decimal("slotScale", 0.2)
    title = Text("title")
    add_row_text = Text("addRowText")
    add_column_text = Text("addColumnText")
    board_prompt = Text("boardPrompt")
    max_columns = Integer("maxColumns", 0)

    @property
    def setup(self) -> str:
        """The board command of the boards chosen in advance; empty if there are none."""
        return next((aside.text or "" for aside in self.asides("setup")), "")


class StackMetrics(Component, tag=f"{_MAP}.StackMetrics"):
    """How stacks are drawn, and the keys that move inside them."""

    __slots__ = ()
    disabled = Flag("disabled")
    expanded_x = Integer("exSepX", 6)
    expanded_y = Integer("exSepY", 18)
    unexpanded_x = Integer("unexSepX", 2)
    unexpanded_y = Integer("unexSepY", 4)
    color = Colour("color")
    top = Key("top", "38,0")
    bottom = Key("bottom", "40,0")
    up = Key("up", "39,0")
    down = Key("down", "37,0")


class HandMetrics(StackMetrics, tag=f"{_MAP}.HandMetrics"):
    """How a hand of cards is drawn."""

    __slots__ = ()


class Controller(Component):
    """A part without settings that hears mouse or keys; a map needs all eight of them."""

    __slots__ = ()


class ForwardToKeyBuffer(Controller, tag=f"{_MAP}.ForwardToKeyBuffer"):
    """Sends keys to selected pieces."""

    __slots__ = ()


class Scroller(Controller, tag=f"{_MAP}.Scroller"):
    """Scrolls by keys."""

    __slots__ = ()
    prompt = Text("prompt")


class ForwardToChatter(Controller, tag=f"{_MAP}.ForwardToChatter"):
    """Sends typing to the chat."""

    __slots__ = ()


class MenuDisplayer(Controller, tag=f"{_MAP}.MenuDisplayer"):
    """Shows the menus of pieces."""

    __slots__ = ()


class MapCenterer(Controller, tag=f"{_MAP}.MapCenterer"):
    """Centres the map."""

    __slots__ = ()


class StackExpander(Controller, tag=f"{_MAP}.StackExpander"):
    """Expands stacks."""

    __slots__ = ()


class PieceMover(Controller, tag=f"{_MAP}.PieceMover"):
    """Drags pieces."""

    __slots__ = ()
    legacy_icon = Image("icon")


class KeyBufferer(Controller, tag=f"{_MAP}.KeyBufferer"):
    """Selects pieces."""

    __slots__ = ()


CONTROLLERS: tuple[type[Controller], ...] = (
    ForwardToKeyBuffer,
    Scroller,
    ForwardToChatter,
    MenuDisplayer,
    MapCenterer,
    StackExpander,
    PieceMover,
    KeyBufferer,
)
"""In the order in which the engine writes them."""


class Zoomer(Component, tag=f"{_MAP}.Zoomer"):
    """The zoom buttons."""

    __slots__ = ()
    zoom_start = Integer("zoomStart", 1)
    zoom_levels = Names("zoomLevels")
    in_tooltip = Text("inTooltip")
    in_text = Text("inButtonText")
    in_icon = Image("inIconName")
    in_key = Key("zoomInKey")
    pick_tooltip = Text("pickTooltip")
    pick_text = Text("pickButtonText")
    pick_icon = Image("pickIconName")
    pick_key = Key("zoomPickKey")
    out_tooltip = Text("outTooltip")
    out_text = Text("outButtonText")
    out_icon = Image("outIconName")
    out_key = Key("zoomOutKey")
    legacy_factor = Text("factor")
    legacy_max = Text("max")


class GlobalMap(Component, tag=f"{_MAP}.GlobalMap"):
    """A small overview of the map."""

    __slots__ = ()
    tooltip = Text("tooltip")
    button_text = Text("buttonText")
    icon = Image("icon", "/images/overview.gif")
    hotkey = Key("hotkey")
    scale = Decimal("scale", 0.19444444)
    color = Colour("color", "0,0,0")


class HidePiecesButton(Component, tag=f"{_MAP}.HidePiecesButton"):
    """Hides all pieces."""

    __slots__ = ()
    button_text = Text("buttonText")
    tooltip = Text("tooltip")
    hotkey = Key("hotkey")
    showing_icon = Image("showingIcon")
    hidden_icon = Image("hiddenIcon")


class LayeredPieceCollection(
    Component, tag=f"{_MAP}.LayeredPieceCollection", contains=("LayerControl",)
):
    """Which pieces are drawn over which."""

    __slots__ = ()
    description = Text("description")
    property = Text("property")
    layer_order = Names("layerOrder")


class LayerControl(UnnamedToolbarItem, tag=f"{_MAP}.LayerControl"):
    """A button that shows, hides or rotates layers."""

    __slots__ = ()
    description = Text("description")
    command = Choice(
        "command",
        "Reset All Layers",
        "Rotate Layer Order Up",
        "Rotate Layer Order Down",
        "Make Layer Active",
        "Make Layer Inactive",
        "Switch Layer between Active and Inactive",
    )
    skip = Flag("skip")
    layers = Names("layers")


class Saver(Gated):
    """Saves the map to a file of another kind."""

    __slots__ = ()
    button_text = Text("buttonText")
    tooltip = Text("tooltip")
    icon = Image("icon")
    hotkey = Key("hotkey")


class ImageSaver(Saver, tag=f"{_MAP}.ImageSaver"):
    """Saves the map as an image."""

    __slots__ = ()


class TextSaver(Saver, tag=f"{_MAP}.TextSaver"):
    """Saves the map as text."""

    __slots__ = ()


class PieceRecenterer(UnnamedToolbarItem, tag=f"{_MAP}.PieceRecenterer"):
    """Moves pieces that are off the map back onto it."""

    __slots__ = ()
