"""States of the stock traits that keep one."""

from hexmarshal.vassal.traits.base import State, state
from hexmarshal.vassal.traits.kinds import (
    Boolean,
    CountedIds,
    Decimal,
    DeckIds,
    Integer,
    LastText,
    Layer,
    MapName,
    OwnerOrNone,
    Pairs,
    RawOwner,
    RawOwnerOrNone,
    RawText,
    StackIds,
    Steps,
    Text,
    Texts,
    UserIds,
)

__all__ = [
    "ActiveState",
    "AngleState",
    "AttachmentState",
    "CargoState",
    "DeckState",
    "FacingState",
    "FootprintState",
    "HiddenState",
    "LabelState",
    "LayerState",
    "MarkerState",
    "MaskState",
    "MatState",
    "MovedState",
    "OwnedState",
    "PieceState",
    "PropertyState",
    "ReportingState",
    "SentState",
    "SheetState",
    "StackState",
    "TableState",
]


@state()
class PieceState(State):
    """Where a piece is (no map: nowhere), which definition it has, its lasting properties."""

    map: MapName = None
    x: Integer = 0
    y: Integer = 0
    gpid: Text = ""
    properties: Pairs = ()


@state()
class StackState(State):
    """Where a stack is, and the ids of its members from bottom to top."""

    map: MapName = None
    x: Integer = 0
    y: Integer = 0
    pieces: StackIds = ()
    layer: Layer = None


@state()
class DeckState(State):
    """Where a deck is, which side is up, and the ids of its cards from bottom to top."""

    map: MapName = None
    x: Integer = 0
    y: Integer = 0
    face_down: Boolean = False
    pieces: DeckIds = ()


@state()
class LayerState(State):
    """The level shown; negative: switched off with that level remembered."""

    level: Integer = -1
    keys_typed: LastText = ""

    @property
    def is_active(self) -> bool:
        """Whether an image is shown."""
        return self.level > 0


@state()
class HiddenState(State):
    """Who hides the piece from the others, if anyone."""

    owner: RawOwnerOrNone = None


@state()
class MaskState(State):
    """Who masks the piece, if anyone, and who may look all the same."""

    owner: OwnerOrNone = None
    options: UserIds = ""


@state()
class OwnedState(State):
    """The player who claimed the piece; empty if nobody."""

    owner: RawOwner = ""


@state()
class LabelState(State):
    """The text of a label."""

    text: RawText = ""


@state()
class PropertyState(State):
    """The value of a dynamic property."""

    value: RawText = ""


@state(",")
class MarkerState(State):
    """The values of a marker's properties, in the order of their names."""

    values: Texts = ()


@state(",")
class TableState(State):
    """The cells of a table, row by row."""

    cells: Texts = ()


@state("~")
class SheetState(State):
    """The values of a property sheet; `|` stands for a line break, `value/max` for ticks."""

    values: Texts = ()


@state()
class FacingState(State):
    """The facing, counted from 0."""

    facing: Integer = 0


@state()
class AngleState(State):
    """The angle in degrees."""

    angle: Decimal = 0.0


@state()
class ReportingState(State):
    """The message that comes next in a cycle; -1 if there is none."""

    index: Integer = -1


@state()
class MovedState(State):
    """Whether the piece is marked as moved."""

    moved: Boolean = False


@state()
class ActiveState(State):
    """Whether an area of effect is shown."""

    active: Boolean = False


@state()
class FootprintState(State):
    """The trail: shown or not, the map it began on, its points as `x,y`."""

    visible: Boolean = False
    map: Text = ""
    points: Steps = ()
    initialized: Boolean = False
    last_size: Integer = 0


@state()
class SentState(State):
    """Where the piece came from, so that it can be sent back."""

    map: Text = ""
    x: Text = ""
    y: Text = ""


@state()
class MatState(State):
    """The ids of the pieces that lie on a mat."""

    cargo: CountedIds = ()


@state()
class CargoState(State):
    """The id of the mat below, or `noMat`."""

    mat: Text = "noMat"


@state()
class AttachmentState(State):
    """The ids of the attached pieces."""

    pieces: CountedIds = ()
