"""Traits that do something: move, mark, replace, clone, trigger, command, report, play."""

from hexmarshal.vassal.traits import states
from hexmarshal.vassal.traits.base import Trait, stock
from hexmarshal.vassal.traits.kinds import (
    Boolean,
    Char,
    Expr,
    Format,
    Image,
    Integer,
    Key,
    Keys,
    MarkerSpec,
    Params,
    Points,
    Sound,
    Strings,
    Target,
    Text,
)
from hexmarshal.vassal.values import (
    Expression,
    FormattedText,
    GlobalCommandTarget,
    KeyStroke,
    KeyStrokes,
    Parameters,
    ctrl,
)

__all__ = [
    "ActionButton",
    "Clone",
    "CounterGlobalKeyCommand",
    "Delete",
    "Deselect",
    "GlobalHotKey",
    "MovementMarkable",
    "MultiLocationCommand",
    "PlaceMarker",
    "PlaySound",
    "Replace",
    "ReportState",
    "ReturnToDeck",
    "SendToLocation",
    "Translate",
    "TriggerAction",
]

_NO_KEY = KeyStroke("")
_NO_FORMAT = FormattedText("")
_ZERO = FormattedText("0")
_ONE = FormattedText("1")
_ALWAYS = Expression("")
_PLACE_COUNTS = {8: "2.9", 12: "3.2", 14: "3.7", 15: "3.8"}


@stock("placemark;", "PlaceMarker", "Place marker", counts=_PLACE_COUNTS)
class PlaceMarker(Trait):
    """Puts another piece beside this one; the marker is an add command or a component path."""

    command: Text = ""
    key: Key = _NO_KEY
    marker: MarkerSpec = "null"
    marker_text: Text = "null"
    x_offset: Format = _ZERO
    y_offset: Format = _ZERO
    match_rotation: Boolean = False
    after_key: Key = _NO_KEY
    description: Text = ""
    gpid: Text = ""
    placement: Integer = 0
    above: Boolean = False
    copy_properties: Boolean = False
    parameters: Params = Parameters("")
    version: Integer = 0


@stock("replace;", "Replace", "Replace with other", counts=_PLACE_COUNTS)
class Replace(PlaceMarker):
    """Puts another piece in the place of this one."""


@stock(
    "report;",
    "ReportState",
    "Report action",
    state=states.ReportingState,
    counts={5: "before 3.6.6", 6: "3.6.6"},
)
class ReportState(Trait):
    """Says in the chat what a key did."""

    keys: Keys = KeyStrokes("")
    format: Format = FormattedText("$location$: $newPieceName$ *")
    cycle_down_keys: Keys = KeyStrokes("")
    cycle_formats: Strings = ()
    description: Text = ""
    no_suppress: Boolean = False


@stock(
    "markmoved;",
    "MovementMarkable",
    "Mark when moved",
    state=states.MovedState,
    counts={3: "before 3.2", 5: "3.2", 6: "3.6", 11: "3.7"},
)
class MovementMarkable(Trait):
    """An icon on pieces that have moved."""

    icon: Image = ""
    x_offset: Integer = 0
    y_offset: Integer = 0
    command: Text = ""
    key: Key = ctrl("M")
    description: Text = ""
    ignore_same_location: Boolean = False
    mark_command: Text = ""
    mark_key: Key = _NO_KEY
    unmark_command: Text = ""
    unmark_key: Key = _NO_KEY


@stock("return;", "ReturnToDeck", "Return to deck", counts={5: "before 3.6", 8: "3.6"})
class ReturnToDeck(Trait):
    """Sends the piece to a deck; the last three fields count from version 2 on."""

    command: Text = ""
    key: Key = _NO_KEY
    deck: Text = ""
    prompt: Text = ""
    description: Text = ""
    version: Integer = 0
    choose_deck: Boolean = True
    deck_expression: Format = _NO_FORMAT


@stock(
    "sendto;",
    "SendToLocation",
    "Send to location",
    state=states.SentState,
    counts={12: "old", 17: "old", 18: "3.6"},
)
class SendToLocation(Trait):
    """Sends the piece somewhere: `L` place, `Z` zone, `R` region, `G` grid, `A` piece, ..."""

    command: Text = ""
    key: Key = _NO_KEY
    map: Format = _NO_FORMAT
    board: Format = _NO_FORMAT
    x: Format = _ZERO
    y: Format = _ZERO
    back_command: Text = ""
    back_key: Key = _NO_KEY
    x_index: Format = _ZERO
    y_index: Format = _ZERO
    x_offset: Format = _ONE
    y_offset: Format = _ONE
    description: Text = ""
    destination: Char = "L"
    zone: Format = _NO_FORMAT
    region: Format = _NO_FORMAT
    expression: Expr = _ALWAYS
    grid_location: Format = _NO_FORMAT


@stock("clone;", "Clone", "Clone", counts={2: "before 3.6", 3: "3.6"})
class Clone(Trait):
    """Makes a copy."""

    command: Text = ""
    key: Key = ctrl("C")
    description: Text = ""


@stock("delete;", "Delete", "Delete", counts={2: "before 3.6", 3: "3.6"})
class Delete(Trait):
    """Removes the piece."""

    command: Text = ""
    key: Key = ctrl("D")
    description: Text = ""


@stock("translate;", "Translate", "Move fixed distance")
class Translate(Trait):
    """Moves the piece by a distance."""

    command: Text = ""
    key: Key = ctrl("M")
    dx: Format = _ZERO
    dy: Format = FormattedText("60")
    move_stack: Boolean = False
    x_index: Format = _ZERO
    y_index: Format = _ZERO
    x_offset: Format = _ZERO
    y_offset: Format = _ZERO
    description: Text = ""


@stock(
    "globalkey;",
    "CounterGlobalKeyCommand",
    "Global key command",
    counts={11: "old", 12: "3.6", 14: "3.7"},
)
class CounterGlobalKeyCommand(Trait):
    """Sends a key to other pieces."""

    command: Text = ""
    key: Key = ctrl("G")
    global_key: Key = ctrl("K")
    expression: Expr = _ALWAYS
    restrict_range: Boolean = False
    range: Integer = 1
    suppress_single: Boolean = True
    fixed_range: Boolean = True
    range_property: Text = ""
    description: Text = ""
    deck_count: Text = "-1"
    target: Target = GlobalCommandTarget("")
    suppress_sounds: Boolean = False
    parameters: Params = Parameters("")


@stock("macro;", "TriggerAction", "Trigger action", counts={6: "old", 17: "3.2"})
class TriggerAction(Trait):
    """Answers keys with other keys, if a condition holds, once or in a loop."""

    name: Text = ""
    command: Text = ""
    key: Key = ctrl("T")
    expression: Expr = _ALWAYS
    watched_keys: Keys = KeyStrokes("")
    performed_keys: Keys = KeyStrokes("")
    loop: Boolean = False
    pre_loop_key: Key = _NO_KEY
    post_loop_key: Key = _NO_KEY
    loop_type: Text = "counted"
    while_expression: Expr = _ALWAYS
    until_expression: Expr = _ALWAYS
    loop_count: Format = _NO_FORMAT
    index: Boolean = False
    index_property: Text = ""
    index_start: Format = _ONE
    index_step: Format = _ONE


@stock("playSound;", "PlaySound", "Play sound")
class PlaySound(Trait):
    """Plays a sound."""

    clip: Sound = _NO_FORMAT
    command: Text = ""
    key: Key = ctrl("P")
    send_to_others: Boolean = False
    description: Text = ""
    no_suppress: Boolean = False


@stock("button;", "ActionButton", "Action button", counts={5: "old", 7: "old", 10: "3.6"})
class ActionButton(Trait):
    """A part of the piece that sends a key when clicked; the points count from version 1 on."""

    key: Key = ctrl("A")
    x: Integer = 0
    y: Integer = 0
    width: Integer = 0
    height: Integer = 0
    description: Text = ""
    launch_menu: Boolean = False
    whole_shape: Boolean = False
    version: Integer = 0
    points: Points = ()


@stock("globalhotkey;", "GlobalHotKey", "Global hotkey")
class GlobalHotKey(Trait):
    """Presses a key in the whole module."""

    command: Text = ""
    key: Key = ctrl("H")
    hotkey: Key = _NO_KEY
    description: Text = ""


@stock("deselect;", "Deselect", "Deselect")
class Deselect(Trait):
    """Deselects: `D` this piece, `A` all, `S` all but this one."""

    command: Text = ""
    key: Key = ctrl("K")
    description: Text = ""
    unstack: Boolean = False
    what: Text = "D"


@stock(
    "locCommand;",
    "MultiLocationCommand",
    "Multi-location command",
    counts={6: "3.7", 9: "3.8"},
)
class MultiLocationCommand(Trait):
    """A menu of regions or zones."""

    description: Text = ""
    kind: Text = "locRegions"
    expression: Expr = _ALWAYS
    menu: Format = _NO_FORMAT
    key: Key = _NO_KEY
    current_map_only: Boolean = True
    sort: Format = _NO_FORMAT
    ascending: Boolean = True
    numeric: Boolean = False
