"""Traits that change how a piece looks: layers, labels, masks, rotation, outlines, areas."""

from hexmarshal.vassal.traits import states
from hexmarshal.vassal.traits.base import Trait, stock
from hexmarshal.vassal.traits.kinds import (
    Access,
    Boolean,
    Char,
    Decimal,
    Expr,
    Format,
    Image,
    Images,
    Integer,
    Key,
    Levels,
    Outline,
    Shade,
    Strings,
    Style,
    Text,
)
from hexmarshal.vassal.values import (
    Colour,
    Expression,
    FormattedText,
    KeyStroke,
    MaskStyle,
    PieceAccess,
    ctrl,
)

__all__ = [
    "AreaOfEffect",
    "BorderOutline",
    "Footprint",
    "Hideable",
    "Labeler",
    "Layer",
    "LegacyLayer",
    "Mask",
    "NonRectangular",
    "NonRectangularOld",
    "Pivot",
    "RotateFixed",
    "RotateFree",
]

_NO_KEY = KeyStroke("")
_NO_FORMAT = FormattedText("")
_NO_COLOUR = Colour("")


@stock(
    "emb2;",
    "Embellishment",
    "Layer",
    state=states.LayerState,
    counts={21: "2.9", 24: "3.0", 29: "3.2", 30: "3.6", 31: "3.6", 33: "3.7"},
)
class Layer(Trait):
    """Images of which one is shown; a level name that begins or ends with `+` joins the name."""

    activate_command: Text = ""
    activate_modifiers: Integer = 128
    activate_keys: Text = "A"
    up_command: Text = ""
    up_modifiers: Integer = 128
    up_keys: Text = ""
    down_command: Text = ""
    down_modifiers: Integer = 128
    down_keys: Text = ""
    reset_command: Text = ""
    reset_key: Key = _NO_KEY
    reset_level: Format = FormattedText("1")
    underneath_when_selected: Boolean = False
    x_offset: Integer = 0
    y_offset: Integer = 0
    images: Images = ()
    level_names: Strings = ()
    loop: Boolean = True
    name: Text = ""
    random_key: Key = _NO_KEY
    random_command: Text = ""
    follow_property: Boolean = False
    property_name: Text = ""
    first_level_value: Integer = 1
    version: Integer = 0
    always_active: Boolean = True
    activate_key: Key = _NO_KEY
    increase_key: Key = _NO_KEY
    decrease_key: Key = _NO_KEY
    description: Text = ""
    scale: Decimal = 1.0
    only_property_name: Text = ""
    only_property_state: Text = "true"


@stock("emb;", "Embellishment", "Layer (before 3.0)", state=states.LayerState)
class LegacyLayer(Trait):
    """The oldest form of a layer; each level is `image,name`."""

    keys: Text = ""
    activate_command: Text = ""
    up_key: Text = ""
    up_command: Text = ""
    down_key: Text = ""
    down_command: Text = ""
    x_offset: Integer = 0
    y_offset: Integer = 0
    levels: Levels = ()


@stock(
    "hide;", "Hideable", "Invisible", state=states.HiddenState, counts={5: "before 3.6", 7: "3.7"}
)
class Hideable(Trait):
    """A piece that its owner can hide."""

    key: Key = ctrl("I")
    command: Text = ""
    background: Shade = _NO_COLOUR
    access: Access = PieceAccess("player:")
    transparency: Decimal = 0.3
    description: Text = ""
    no_move_report: Boolean = False


@stock("obs;", "Obscurable", "Mask", state=states.MaskState, counts={6: "before 3.6", 11: "3.6"})
class Mask(Trait):
    """A piece that its owner can turn face down."""

    key: Key = _NO_KEY
    image: Image = ""
    command: Text = ""
    style: Style = MaskStyle("I")
    mask_name: Text = "?"
    access: Access = PieceAccess("player:")
    peek_command: Text = ""
    description: Text = ""
    auto_peek: Boolean = False
    deal_key: Key = _NO_KEY
    deal_expression: Expr = Expression("")


@stock(
    "label;",
    "Labeler",
    "Text label",
    state=states.LabelState,
    counts={16: "before 3.2", 17: "3.2", 18: "3.7"},
)
class Labeler(Trait):
    """A text on or beside the piece."""

    key: Key = _NO_KEY
    command: Text = ""
    font_size: Integer = 10
    background: Shade = _NO_COLOUR
    foreground: Shade = Colour("0,0,0")
    vertical_position: Char = "t"
    vertical_offset: Integer = 0
    horizontal_position: Char = "c"
    horizontal_offset: Integer = 0
    vertical_just: Char = "b"
    horizontal_just: Char = "c"
    name_format: Format = FormattedText("$pieceName$ ($label$)")
    font_family: Text = "Dialog"
    font_style: Integer = 0
    rotate: Integer = 0
    property_name: Text = "TextLabel"
    description: Text = ""
    always_use_format: Boolean = False


@stock(
    "rotate;",
    "FreeRotator",
    "Can rotate",
    state=states.FacingState,
    counts={8: "2.9", 13: "3.6"},
)
class RotateFixed(Trait):
    """Rotation by facings; facing i stands at -i*360/n degrees."""

    facings: Integer = 6
    clockwise_key: Key = _NO_KEY
    counter_clockwise_key: Key = _NO_KEY
    clockwise_command: Text = ""
    counter_clockwise_command: Text = ""
    random_key: Key = _NO_KEY
    random_command: Text = ""
    name: Text = ""
    description: Text = ""
    direct_key: Key = _NO_KEY
    direct_command: Text = ""
    direct_expression: Format = _NO_FORMAT
    direct_is_facing: Boolean = True


@stock(
    "rotate;",
    "FreeRotator",
    "Can rotate freely",
    state=states.AngleState,
    opening="1",
    counts={6: "3.2", 11: "3.7"},
)
class RotateFree(Trait):
    """Rotation by any angle."""

    facings: Integer = 1
    set_key: Key = _NO_KEY
    set_command: Text = ""
    random_key: Key = _NO_KEY
    random_command: Text = ""
    name: Text = ""
    description: Text = ""
    direct_key: Key = _NO_KEY
    direct_command: Text = ""
    direct_expression: Format = _NO_FORMAT
    direct_is_facing: Boolean = True


@stock("pivot;", "Pivot", "Can pivot", counts={6: "3.2", 10: "3.8"})
class Pivot(Trait):
    """Rotation about a point of the piece."""

    command: Text = ""
    key: Key = _NO_KEY
    x: Integer = 0
    y: Integer = 0
    fixed_angle: Boolean = True
    angle: Decimal = 90.0
    description: Text = ""
    second_command: Text = ""
    second_key: Key = _NO_KEY
    second_angle: Decimal = 270.0


@stock("nonRect2;", "NonRectangular", "Non-rectangular", counts={2: "3.6"})
class NonRectangular(Trait):
    """The outline that counts for clicks; the shape is one undecoded text."""

    scale: Decimal = 1.0
    shape: Outline = ""


@stock("nonRect;", "NonRectangular", "Non-rectangular (before 3.6)")
class NonRectangularOld(Trait):
    """The outline without a scale."""

    shape: Outline = ""


@stock("border;", "BorderOutline", "Border outline")
class BorderOutline(Trait):
    """A frame that a property switches on."""

    property_name: Text = ""
    description: Text = ""
    thickness: Integer = 2
    colour: Shade = Colour("255,0,0")
    second_property_name: Text = ""
    logic: Text = "AND"


@stock(
    "AreaOfEffect;",
    "AreaOfEffect",
    "Area of effect",
    state=states.ActiveState,
    counts={10: "3.2", 16: "3.7"},
)
class AreaOfEffect(Trait):
    """Cells around the piece that are shaded."""

    colour: Shade = Colour("128,128,128")
    opacity: Integer = 30
    radius: Integer = 1
    always_active: Boolean = True
    command: Text = ""
    key: Key = _NO_KEY
    shader: Text = ""
    fixed_radius: Boolean = True
    radius_property: Text = ""
    description: Text = ""
    name: Text = ""
    on_command: Text = ""
    on_key: Key = _NO_KEY
    off_command: Text = ""
    off_key: Key = _NO_KEY
    globally_visible: Boolean = True


@stock(
    "footprint;",
    "Footprint",
    "Movement trail",
    state=states.FootprintState,
    counts={12: "3.2", 16: "3.6", 17: "3.8"},
)
class Footprint(Trait):
    """The trail of a piece's moves."""

    key: Key = ctrl("T")
    command: Text = ""
    initially_visible: Boolean = False
    globally_visible: Boolean = False
    radius: Integer = 10
    fill: Shade = Colour("255,255,255")
    line: Shade = Colour("0,0,0")
    selected_transparency: Integer = 100
    unselected_transparency: Integer = 50
    edge_point_buffer: Integer = 20
    edge_display_buffer: Integer = 30
    line_width: Decimal = 1.0
    on_key: Key = _NO_KEY
    off_key: Key = _NO_KEY
    clear_key: Key = _NO_KEY
    description: Text = ""
    ignore_same_location: Boolean = False
