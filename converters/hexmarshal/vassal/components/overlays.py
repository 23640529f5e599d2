"""What is drawn over a map or shows things on it: threads, viewers, shaders, flares, cameras."""

from __future__ import annotations

from hexmarshal.vassal.components.attributes import (
    Choice,
    Colour,
    Decimal,
    Expression,
    Flag,
    Format,
    Image,
    Integer,
    Key,
    Names,
    Text,
)
from hexmarshal.vassal.components.base import Component
from hexmarshal.vassal.components.toolbar import Gated, UnnamedToolbarItem

_MAP = "VASSAL.build.module.map"


class LosThread(Gated, tag=f"{_MAP}.LOS_Thread", naming="threadName"):
    """A thread to check lines of sight and ranges; only a line, no rules."""

    __slots__ = ()
    button_text = Text("label")
    tooltip = Text("tooltip")
    icon = Image("iconName", "/images/thread.gif")
    hotkey = Key("hotkey")
    report_format = Format("report")
    persistence = Choice("persistence", "Ctrl-Click & Drag", "Never", "Always")
    persistent_icon = Image("persistentIconName")
    shown_to_others = Choice("global", "Always", "Never", "When Persisting")
    snap_start = Flag("snapStart")
    snap_end = Flag("snapEnd")
    draw_range = Flag("drawRange")
    range_scale = Integer("scale", 0)
    rounding = Choice("round", "Nearest whole number", "Up", "Down")
    hide_counters = Flag("hideCounters")
    hide_opacity = Integer("hideOpacity", 0)
    thickness = Integer("losThickness", 1)
    color = Colour("threadColor")
    range_foreground = Colour("rangeFg", "255,255,255")
    range_background = Colour("rangeBg", "0,0,0")


class CounterDetailViewer(Component, tag=f"{_MAP}.CounterDetailViewer", naming="description"):
    """Shows what is under the mouse; three attributes are misspelt in the format itself."""

    __slots__ = ()
    version = Text("version")
    delay = Integer("delay", 700)
    hotkey = Key("hotkey", "32,130")
    background = Colour("bgColor")
    foreground = Colour("fgColor")
    border_color = Colour("borderColor")
    min_display_pieces = Integer("minDisplayPieces", 2)
    zoom_level = Decimal("zoomlevel", 1.0)
    center_all = Flag("centerAll")
    border_thickness = Integer("borderThickness", 2)
    border_inner_thickness = Integer("borderInnerThickness", 2)
    show_graphics = Flag("showgraph", True)
    center_pieces_vertically = Flag("centerPiecesVertically")
    graphics_zoom = Decimal("graphicsZoom", 1.0)
    show_graphics_single = Flag("showgraphsingle")
    border_width = Integer("borderWidth", 0)
    vertical_offset = Integer("verticalOffset", 0)
    show_text = Flag("showtext")
    enable_html = Flag("enableHTML")
    center_text = Flag("centerText")
    stretch_width_summary = Flag("stretchWidthSummary")
    stretch_width_pieces = Flag("stretchWidthPieces")
    combine_counter_summary = Flag("combineCounterSummary")
    only_show_first_summary = Flag("onlyShowFirstSummary")
    extra_text_padding = Integer("extraTextPadding", 0)
    vertical_top_text = Integer("verticalTopText", 5)
    vertical_bottom_text = Integer("verticalBottomText", 10)
    show_text_single = Flag("showtextsingle")
    font_size = Integer("fontSize", 9)
    summary_format = Format("summaryReportFormat", "$LocationName$")
    counter_format = Format("counterReportFormat")
    empty_hex_format = Format("emptyHexReportForma")
    display = Choice(
        "display",
        "from top-most layer only",
        "from all layers",
        "from listed layers only",
        "from layers other than those listed",
        "by using a property filter",
    )
    layer_list = Names("layerList")
    property_filter = Expression("propertyFilter")
    show_terrain_beneath = Choice("showTerrainBeneath", "never", "ifOne", "always")
    show_terrain_snappy = Flag("showTerrainSnappy", True)
    show_terrain_width = Integer("showTerrainWidth", 150)
    show_terrain_height = Integer("showTerrainHeight", 150)
    show_terrain_zoom = Decimal("showTerrainZoom", 1.0)
    show_terrain_text = Format("showTerrainText")
    show_only_top_of_stack = Flag("showOnlyTopOfStack")
    show_no_stack = Flag("showNoStack")
    show_move_selected = Flag("showMoveSelectde")
    show_non_movable = Flag("showNonMovable")
    unrotate_pieces = Flag("unrotatePieces")
    show_deck = Flag("showDeck")
    show_deck_masked = Flag("showDeckMasked")
    show_deck_depth = Integer("showDeckDepth", 1)
    show_overlap = Flag("showOverlap")
    stop_after_showing = Flag("stopAfterShowing")


class HighlightLastMoved(Component, tag=f"{_MAP}.HighlightLastMoved"):
    """Marks the piece that moved last."""

    __slots__ = ()
    enabled = Flag("enabled")
    color = Colour("color", "255,0,0")
    thickness = Integer("thickness", 2)


class SelectionHighlighters(
    Component, tag=f"{_MAP}.SelectionHighlighters", contains=("SelectionHighlighter",)
):
    """How selected pieces are marked."""

    __slots__ = ()


class SelectionHighlighter(Component, tag=f"{_MAP}.SelectionHighlighter", naming="name"):
    """How selected pieces that match are marked."""

    __slots__ = ()
    match = Expression("match")
    color = Colour("color")
    thickness = Integer("thickness", 0)
    use_image = Flag("useImage")
    image = Image("image")
    x_offset = Integer("xoffset", 0)
    y_offset = Integer("yoffset", 0)


class MapShader(Component, tag=f"{_MAP}.MapShader", naming="name"):
    """A shade over all of the map but, or only, certain places."""

    __slots__ = ()
    always_on = Flag("alwaysOn")
    starts_on = Flag("startsOn")
    button_text = Text("buttonText")
    tooltip = Text("tooltip")
    icon = Image("icon")
    add_to_map_toolbar = Flag("addToMapToolbar")
    hotkey = Key("hotkey")
    boards = Choice("boards", "Yes", "No, exclude Boards in list", "No, only shade Boards in List")
    board_list = Names("boardList")
    type = Choice("type", "Foreground", "Background")
    draw_over = Flag("drawOver")
    pattern = Choice("pattern", "25%", "50%", "75%", "100% (Solid)", "Custom Image")
    color = Colour("color")
    image = Image("image")
    scale_image = Flag("scaleImage")
    opacity = Integer("opacity", 100)
    border = Flag("border")
    border_color = Colour("borderColor")
    border_width = Integer("borderWidth", 1)
    border_opacity = Integer("borderOpacity", 100)


class Flare(Component, tag=f"{_MAP}.Flare", naming="flareName"):
    """A circle that draws the others' eyes to a place."""

    __slots__ = ()
    description = Text("description")
    flare_key = Text("flareKey", "keyAlt")
    circle_size = Integer("circleSize", 100)
    circle_color = Colour("circleColor", "255,0,0")
    circle_scale = Flag("circleScale", True)
    pulses = Integer("flarePulses", 6)
    pulses_per_second = Integer("flarePulsesPerSec", 3)
    report_format = Format("reportFormat")


class MoveCameraButton(UnnamedToolbarItem, tag=f"{_MAP}.MoveCameraButton"):
    """Moves the view to a place."""

    __slots__ = ()
    mode = Choice("moveCameraMode", "L", "G", "Z", "R", "A", "C", "N")
    board_name = Format("boardName")
    zone_name = Format("zoneName")
    region_name = Format("regionName")
    grid_location = Format("gridLocation")
    x = Format("xPos")
    y = Format("yPos")
    x_offset = Format("xOffset", "0")
    y_offset = Format("yOffset", "0")
    property_filter = Expression("propertyFilter")
    zoom = Format("zoom")
