"""What toolbar buttons have in common, and the buttons that do one thing."""

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
    Keys,
    Names,
    Sound,
    Target,
    Text,
)
from hexmarshal.vassal.components.base import Component

_MODULE = "VASSAL.build.module"


class Gated(Component):
    """A button that a property can disable, since 3.6."""

    __slots__ = ()
    can_disable = Flag("canDisable")
    property_gate = Text("propertyGate")
    hide_when_disabled = Flag("hideWhenDisabled")
    disabled_icon = Image("disabledIcon")


class UnnamedToolbarItem(Gated):
    """A button without a name of its own."""

    __slots__ = ()
    button_text = Text("text")
    tooltip = Text("tooltip")
    icon = Image("icon")
    hotkey = Key("hotkey")


class ToolbarItem(UnnamedToolbarItem, naming="name"):
    """A named button."""

    __slots__ = ()


class DoActionButton(ToolbarItem, tag=f"{_MODULE}.DoActionButton"):
    """Reports, sounds and hot keys, once or in a loop."""

    __slots__ = ()
    do_report = Flag("doReport")
    report_format = Format("reportFormat")
    do_sound = Flag("doSound")
    sound_clip = Sound("soundClip")
    do_hotkey = Flag("doHotkey")
    hotkeys = Keys("hotkeys")
    do_loop = Flag("doLoop")
    loop_type = Choice("loopType", "counted", "while", "until")
    loop_count = Format("loopCount")
    while_expression = Expression("whileExpression")
    until_expression = Expression("untilExpression")
    pre_loop_key = Key("preLoopKey")
    post_loop_key = Key("postLoopKey")
    index = Flag("index")
    index_property = Text("indexProperty")
    index_start = Format("indexStart", "1")
    index_step = Format("indexStep", "1")


class ToolbarMenu(UnnamedToolbarItem, tag=f"{_MODULE}.ToolbarMenu", naming="description"):
    """A menu that swallows other buttons, named by their texts."""

    __slots__ = ()
    menu_items = Names("menuItems")


class MultiActionButton(ToolbarMenu, tag=f"{_MODULE}.MultiActionButton"):
    """A button that presses others."""

    __slots__ = ()


class NotesWindow(Gated, tag=f"{_MODULE}.NotesWindow"):
    """Notes of the scenario, public and private."""

    __slots__ = ()
    button_text = Text("buttonText")
    tooltip = Text("tooltip")
    icon = Image("icon", "/images/notes.gif")
    hotkey = Key("hotkey")
    description = Text("description")


class Inventory(ToolbarItem, tag=f"{_MODULE}.Inventory"):
    """A list of pieces, grouped by their properties."""

    __slots__ = ()
    include = Expression("include")
    group_by = Names("groupBy")
    non_leaf_format = Format("nonLeafFormat", "$PropertyValue$")
    folders_only = Flag("foldersOnly")
    leaf_format = Format("leafFormat", "$PieceName$")
    sort_pieces = Flag("sortPieces", True)
    sort_format = Format("sortFormat", "$PieceName$")
    sorting = Choice("sorting", "alpha", "length", "numeric")
    center_on_piece = Flag("centerOnPiece", True)
    forward_keystroke = Flag("forwardKeystroke", True)
    show_menu = Flag("showMenu", True)
    draw_pieces = Flag("drawPieces", True)
    zoom_on = Flag("zoomOn")
    piece_zoom = Decimal("pieceZoom", 0.25)
    piece_zoom_2 = Decimal("pieceZoom2", 0.33)
    piece_zoom_3 = Decimal("pieceZoom3", 0.4)
    sides = Names("sides")
    launch_function = Choice("launchFunction", "functionHide", "functionRefresh")
    refresh_hotkey = Key("refreshHotkey")


class KeyCommandSender(Gated, naming="name"):
    """Sends a key command to every piece that matches."""

    __slots__ = ()
    button_text = Text("buttonText")
    tooltip = Text("tooltip")
    icon = Image("icon")
    button_hotkey = Key("buttonHotkey")
    key_command = Key("hotkey")
    single_map = Flag("singleMap", True)
    target = Target("target")
    filter = Expression("filter")
    deck_count = Integer("deckCount", -1)
    report_single = Flag("reportSingle")
    suppress_sounds = Flag("suppressSounds")
    report_format = Format("reportFormat")
    parameters = Text("parameters")
    legacy_condition = Text("condition")
    legacy_value = Text("propValue")
    legacy_property = Text("property")
    legacy_names = Names("names")


class GlobalKeyCommand(KeyCommandSender, tag=f"{_MODULE}.GlobalKeyCommand"):
    """A key command to the pieces of all maps."""

    __slots__ = ()


class StartupGlobalKeyCommand(GlobalKeyCommand, tag=f"{_MODULE}.StartupGlobalKeyCommand"):
    """A key command or hot key that the engine sends by itself on a given occasion."""

    __slots__ = ()
    when_to_apply = Choice(
        "whenToApply",
        "firstLaunchOfSession",
        "everyLaunchOfSession",
        "startOfGameOnly",
        "sideChange",
    )
    what_to_send = Choice("hotkeyOrKeyCommand", "sendKeyCommand", "sendHotkey")
    global_hotkey = Key("globalHotkey")


class MassKeyCommand(KeyCommandSender, tag=f"{_MODULE}.map.MassKeyCommand"):
    """A key command to the pieces of one map."""

    __slots__ = ()


class ChessClockControl(
    Component, tag=f"{_MODULE}.ChessClockControl", naming="name", contains=("ChessClock",)
):
    """Chess clocks, one a side."""

    __slots__ = ()
    description = Text("description")
    icon = Image("icon")
    button_text = Text("buttonText")
    tooltip = Text("buttonTooltip")
    show_hotkey = Key("showHotkey")
    next_hotkey = Key("nextHotkey")
    start_opponent_hotkey = Key("startOpponentHotkey")
    pause_hotkey = Key("pauseHotkey")
    show_tenths = Choice("showTenths", "Auto", "Always", "Never")
    show_seconds = Choice("showSeconds", "Auto", "Always", "Never")
    show_hours = Choice("showHours", "Auto", "Always", "Never")
    show_days = Choice("showDays", "Auto", "Always", "Never")
    allow_reset = Flag("allowReset")


class ChessClock(Component, tag=f"{_MODULE}.chessclockcontrol.ChessClock", naming="side"):
    """The clock of one side."""

    __slots__ = ()
    description = Text("description")
    button_text = Text("buttonText")
    icon = Image("icon")
    start_hotkey = Key("startHotkey")
    stop_hotkey = Key("stopHotkey")
    ticking_background = Colour("tickingBackgroundColor", "255,255,0")
    ticking_font = Colour("tickingFontColor", "51,51,51")
    tocking_font = Colour("tockingFontColor", "0,0,0")
    tooltip = Text("tooltip")
