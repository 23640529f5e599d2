"""Counters to put into palettes and on maps, with the traits that most games want."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hexmarshal.vassal import sequence
from hexmarshal.vassal.pieces.piece import Piece
from hexmarshal.vassal.traits import (
    BasicPiece,
    Delete,
    DynamicProperty,
    FacingState,
    Immobilized,
    Labeler,
    LabelState,
    Layer,
    LayerState,
    Marker,
    MarkerState,
    Mask,
    MovementMarkable,
    NonRectangular,
    PieceState,
    PropertyState,
    RotateFixed,
    State,
    Trait,
    UsePrototype,
)
from hexmarshal.vassal.values import (
    Colour,
    Constraints,
    FormattedText,
    KeyStroke,
    MaskStyle,
    PieceAccess,
    PropertyChange,
    PropertyCommand,
    PropertyCommands,
    ctrl,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = [
    "Counter",
    "Equipped",
    "can_delete",
    "card_back",
    "does_not_stack",
    "facings",
    "label",
    "layer",
    "markers",
    "marks_moved",
    "mask",
    "number",
    "outlined",
    "prototype",
    "two_sided",
]

_FIXED_SIZE: Final = 48


@dataclass(frozen=True, slots=True)
class Equipped:
    """A trait together with the state that a new piece has in it."""

    trait: Trait
    state: State | None = None


@dataclass(frozen=True, slots=True)
class Counter:
    """A piece as a palette defines it: a name, an image, and traits in the editor's order.

    The editor lists the basic piece first: a trait sees and changes those listed before it.
    """

    name: str
    image: str = ""
    traits: tuple[Equipped | Trait, ...] = ()
    width: int = _FIXED_SIZE
    height: int = _FIXED_SIZE

    def piece(self, gpid: str = "") -> Piece:
        """The definition as a piece that stands nowhere."""
        given = [t if isinstance(t, Equipped) else Equipped(t) for t in reversed(self.traits)]
        basic = BasicPiece(image=self.image, name=self.name)
        return Piece.of(
            [*(e.trait for e in given), basic],
            [*(e.state for e in given), PieceState(gpid=gpid)],
        )


def prototype(name: str) -> Equipped:
    """All traits of a prototype of the module."""
    # Without a list of parameters: even an empty one would make every `$name$` a format.
    return Equipped(UsePrototype.decode("prototype;" + sequence.join([name], ";")))


def markers(values: Mapping[str, str]) -> Equipped:
    """Properties that never change: what a rules program, or a filter, knows the piece by."""
    return Equipped(Marker(names=tuple(values)), MarkerState(values=tuple(values.values())))


def can_delete() -> Equipped:
    """A menu entry that takes the piece out of the game."""
    return Equipped(Delete(command="Delete", key=ctrl("D")))


def does_not_stack(*, movable: bool = True) -> Equipped:
    """A piece that lies by itself, such as a marker on a track."""
    return Equipped(Immobilized(selection="", movement="N" if movable else "V", stacking="R"))


def layer(
    name: str,
    images: Sequence[str],
    *,
    names: Sequence[str] = (),
    next_command: str = "",
    key: str = "",
    previous_command: str = "",
    previous_key: str = "",
    follow: str = "",
    first_value: int = 1,
    start: int = 1,
    x: int = 0,
    y: int = 0,
) -> Equipped:
    """Images of which one is shown; an empty image shows nothing.

    The level goes up with `key` and round again, or follows the property `follow`.
    """
    trait = Layer(
        activate_keys="",
        up_command=next_command,
        down_command=previous_command,
        images=tuple(images),
        level_names=tuple(names) or ("",) * len(images),
        name=name,
        version=1,
        always_active=True,
        increase_key=ctrl(key) if key else KeyStroke(""),
        decrease_key=ctrl(previous_key) if previous_key else KeyStroke(""),
        follow_property=bool(follow),
        property_name=follow,
        first_level_value=first_value,
        x_offset=x,
        y_offset=y,
    )
    return Equipped(trait, LayerState(level=start))


def two_sided(
    front: str, back: str, *, name: str = "Side", command: str = "Flip", key: str = "F"
) -> Equipped:
    """A front and a back, such as full strength and reduced; property `<name>_Level` is 1 or 2."""
    return layer(name, (front, back), next_command=command, key=key)


def facings(count: int, *, name: str = "Facing", start: int = 0) -> Equipped:
    """Turning in steps of 360/count degrees; property `<name>_Facing` counts from 1."""
    trait = RotateFixed(
        facings=count,
        clockwise_key=ctrl("]"),
        counter_clockwise_key=ctrl("["),
        clockwise_command="Turn right",
        counter_clockwise_command="Turn left",
        name=name,
    )
    return Equipped(trait, FacingState(facing=start))


def mask(
    image: str,
    *,
    masked_name: str = "a hidden piece",
    by_side: bool = True,
    command: str = "Hide identity",
) -> Equipped:
    """A face that hides the piece from the other side, with a key to turn it.

    VASSAL takes a `?` at the head of a line of chat for a colour, so that is no name to choose.
    """
    access = PieceAccess("side:" if by_side else "player:")
    return Equipped(
        Mask(
            key=ctrl("P"),
            image=image,
            command=command,
            style=MaskStyle("I"),
            mask_name=masked_name,
            access=access,
        )
    )


def card_back(image: str, *, command: str = "Turn over") -> Equipped:
    """The back of a card: the whole picture to others, a small one to its owner."""
    return mask(image, masked_name="a card", command=command)


def outlined(width: int, height: int, *, below: int = 0, stacked: int = 0) -> Equipped:
    """A piece that is picked, and shown as picked, by an upright box, whatever turns below it.

    The box reaches so much further down from the middle of the piece as `below` says. In a stack
    it lies like a piece that is `stacked` wide and high: the engine goes by the corners of shapes.
    """
    x, y = width / 2, height / 2
    corners = ((-x, -y), (x, -y), (x, y + below), (-x, y + below))
    path = " L ".join(f"{a:g} {b:g}" for a, b in corners)
    shape = f"dM {path} Z"
    if stacked:
        edge = -stacked / 2  # a dot of one pixel: what has no area counts for nothing
        shape += f" M {edge:g} {edge:g} L {edge + 1:g} {edge:g} L {edge:g} {edge + 1:g} Z"
    return Equipped(NonRectangular(scale=1.0, shape=shape))


def label(
    text: str = "",
    *,
    size: int = 11,
    below: bool = True,
    foreground: str = "0,0,0",
    background: str = "255,255,255",
    prop: str = "TextLabel",
    editable: bool = True,
    naming: str = "$pieceName$",
    rise: int | None = None,
) -> Equipped:
    """A text at the piece; `$name$` in it shows a property.

    `naming` is what the piece is called while the text is not empty: `$label$ $pieceName$`. With
    `rise` it stands so many pixels above the middle, whatever the size of the piece.
    """
    trait = Labeler(
        key=ctrl("L") if editable else KeyStroke(""),
        command="Change label" if editable else "",
        font_size=size,
        background=Colour(background),
        foreground=Colour(foreground),
        vertical_position="c" if rise is not None else "b" if below else "t",
        vertical_offset=rise or 0,
        horizontal_position="c",
        horizontal_offset=0,
        vertical_just="c" if rise is not None else "t" if below else "b",
        horizontal_just="c",
        name_format=FormattedText(naming),
        property_name=prop,
    )
    return Equipped(trait, LabelState(text=text))


def number(
    name: str,
    start: int = 0,
    *,
    least: int = 0,
    most: int = 99,
    up: str = "",
    down: str = "",
    title: str = "",
) -> Equipped:
    """A property with a number that players change by keys: points, steps, ammunition.

    The menu calls it by its `title`, or by its name.
    """
    steps = ((up, "+1", "1"), (down, "-1", "-1"))
    trait = DynamicProperty(
        name=name,
        constraints=Constraints(f"true,{least},{most},false"),
        commands=PropertyCommands.of(
            *(
                PropertyCommand(f"{title or name} {shown}", ctrl(key), PropertyChange("I", step))
                for key, shown, step in steps
                if key
            )
        ),
    )
    return Equipped(trait, PropertyState(value=str(start)))


def marks_moved(image: str, *, x: int = 0, y: int = 0) -> Equipped:
    """A sign on pieces that have moved, wiped by the map's own button."""
    trait = MovementMarkable(
        icon=image, x_offset=x, y_offset=y, command="Mark as moved", key=ctrl("M")
    )
    return Equipped(trait)
