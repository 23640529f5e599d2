"""Traits that say what a piece is: properties, markers, sheets, menus, limits, groups, comments."""

from hexmarshal.vassal.traits import states
from hexmarshal.vassal.traits.base import Trait, stock
from hexmarshal.vassal.traits.kinds import (
    Boolean,
    Commands,
    Expr,
    Integer,
    Key,
    Keys,
    Limits,
    Sheet,
    Strings,
    Target,
    Text,
    Texts,
)
from hexmarshal.vassal.values import (
    Constraints,
    Expression,
    GlobalCommandTarget,
    KeyStroke,
    KeyStrokes,
    PropertyCommands,
    SheetFields,
)

__all__ = [
    "Attachment",
    "BasicName",
    "CalculatedProperty",
    "Comment",
    "DynamicProperty",
    "Immobilized",
    "Marker",
    "Mat",
    "MatCargo",
    "MenuSeparator",
    "PropertySheet",
    "RestrictCommands",
    "Restricted",
    "SetGlobalProperty",
    "SetPieceProperty",
    "SubMenu",
    "TableInfo",
    "TranslatableMessage",
    "UsePrototype",
]

_NO_KEY = KeyStroke("")
_ALWAYS = Expression("")
_ANY = Constraints("false,0,100,false")
_NO_COMMANDS = PropertyCommands("")


@stock(
    "immob;",
    "Immobilized",
    "Does not stack",
    raw=True,
    counts={2: "before 3.6", 3: "3.6", 4: "3.7"},
)
class Immobilized(Trait):
    """How a piece is selected, moved and stacked; the engine never escapes these fields."""

    selection: Text = ""
    movement: Text = ""
    stacking: Text = "R"
    description: Text = ""


@stock("mark;", "Marker", "Marker", state=states.MarkerState, delimiter=",")
class Marker(Trait):
    """Names of properties whose values are the state."""

    names: Texts = ()


@stock("locmsg;", "TranslatableMessage", "Translatable message")
class TranslatableMessage(Trait):
    """A text that translations of the module may replace."""

    key: Text = "name"
    description: Text = ""
    message: Text = ""


@stock("restrict;", "Restricted", "Restricted access", state=states.OwnedState)
class Restricted(Trait):
    """Which sides may use the piece."""

    sides: Strings = ()
    by_player: Boolean = False
    movement: Boolean = True
    description: Text = ""


@stock("prototype;", "UsePrototype", "Prototype")
class UsePrototype(Trait):
    """A reference to a prototype, with the values of its parameters."""

    name: Text = ""
    parameters: Text = ""


@stock("submenu;", "SubMenu", "Sub-menu", counts={2: "before 3.6", 3: "3.6"})
class SubMenu(Trait):
    """Menu entries that move into a menu of their own."""

    name: Text = ""
    commands: Strings = ()
    description: Text = ""


@stock("menuSeparator;", "MenuSeparator", "Menu separator")
class MenuSeparator(Trait):
    """A line in the menu."""

    description: Text = ""
    key: Key = _NO_KEY


@stock(
    "PROP;",
    "DynamicProperty",
    "Dynamic property",
    state=states.PropertyState,
    counts={3: "before 3.6", 4: "3.6"},
)
class DynamicProperty(Trait):
    """A property that changes in play."""

    name: Text = "name"
    constraints: Limits = _ANY
    commands: Commands = _NO_COMMANDS
    description: Text = ""


@stock("calcProp;", "CalculatedProperty", "Calculated property", counts={2: "old", 3: "3.6"})
class CalculatedProperty(Trait):
    """A property that an expression gives; braces are optional."""

    name: Text = ""
    expression: Text = ""
    description: Text = ""


@stock("setprop;", "SetGlobalProperty", "Set global property")
class SetGlobalProperty(Trait):
    """Changes a property of a zone, a map or the module."""

    name: Text = "name"
    constraints: Limits = _ANY
    commands: Commands = _NO_COMMANDS
    description: Text = ""
    level: Text = "Current Zone/Current Map/Module"
    search_name: Text = ""


@stock("setpieceprop;", "SetPieceProperty", "Set piece property", counts={12: "3.7"})
class SetPieceProperty(Trait):
    """Changes a property of other pieces."""

    name: Text = "name"
    constraints: Limits = _ANY
    commands: Commands = _NO_COMMANDS
    description: Text = ""
    target: Target = GlobalCommandTarget("")
    expression: Expr = _ALWAYS
    restrict_range: Boolean = False
    range: Integer = 1
    fixed_range: Boolean = True
    range_property: Text = ""
    deck_count: Text = "-1"
    override_constraints: Boolean = False


@stock("hideCmd;", "RestrictCommands", "Restrict commands")
class RestrictCommands(Trait):
    """Hides or disables commands while a condition holds."""

    name: Text = ""
    action: Text = "Hide"
    expression: Expr = _ALWAYS
    keys: Keys = KeyStrokes("")


@stock("table;", "TableInfo", "Spreadsheet", state=states.TableState)
class TableInfo(Trait):
    """A table of texts."""

    rows: Integer = 2
    columns: Integer = 2
    command: Text = ""
    key: Key = _NO_KEY
    description: Text = ""


@stock("propertysheet;", "PropertySheet", "Property sheet", state=states.SheetState)
class PropertySheet(Trait):
    """A form; red, green and blue are all empty for no colour."""

    fields: Sheet = SheetFields("")
    command: Text = ""
    legacy_key: Text = ""
    commit: Integer = 0
    red: Text = ""
    green: Text = ""
    blue: Text = ""
    key: Key = _NO_KEY
    description: Text = ""


@stock("mat;", "Mat", "Mat", state=states.MatState, counts={2: "3.6"})
class Mat(Trait):
    """A piece that carries others."""

    name: Text = ""
    description: Text = ""


@stock("matPiece;", "MatCargo", "Mat cargo", state=states.CargoState)
class MatCargo(Trait):
    """A piece that moves with the mat below it."""

    description: Text = ""
    keep_facing: Boolean = True
    dx: Integer = 0
    dy: Integer = 0
    find_key: Key = _NO_KEY
    detach_key: Key = _NO_KEY


@stock("basicName;", "BasicName", "Basic name")
class BasicName(Trait):
    """A name that stands for the basic piece's own."""

    name: Text = ""


@stock("attach;", "Attachment", "Attachment", state=states.AttachmentState, counts={21: "3.7"})
class Attachment(Trait):
    """Links to other pieces."""

    name: Text = ""
    description: Text = ""
    attach_command: Text = ""
    attach_key: Key = _NO_KEY
    clear_all_command: Text = ""
    clear_all_key: Key = _NO_KEY
    expression: Expr = _ALWAYS
    restrict_range: Boolean = False
    range: Integer = 1
    fixed_range: Boolean = True
    range_property: Text = ""
    deck_count: Text = "-1"
    target: Target = GlobalCommandTarget("")
    clear_matching_command: Text = ""
    clear_matching_key: Key = _NO_KEY
    clear_expression: Expr = _ALWAYS
    on_attach: Text = "nothing"
    on_detach: Text = "nothing"
    before_attach: Text = "clear"
    allow_self: Boolean = False
    auto_attach: Boolean = True


@stock("cmt;", "Comment", "Comment", counts={1: "3.7"})
class Comment(Trait):
    """A note of the module's author."""

    text: Text = ""
