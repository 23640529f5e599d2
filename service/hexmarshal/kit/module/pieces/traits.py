"""What players can do with a piece: traits that games put together alike."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hexmarshal.kit.module.solitaire import seen_from
from hexmarshal.vassal.builder import label, layer
from hexmarshal.vassal.builder.counters import Equipped
from hexmarshal.vassal.traits import (
    DynamicProperty,
    Footprint,
    HiddenState,
    Hideable,
    Layer,
    Mask,
    PropertyState,
    ReportState,
    RestrictCommands,
    ReturnToDeck,
    SendToLocation,
    SubMenu,
)
from hexmarshal.vassal.values import (
    Constraints,
    Expression,
    FormattedText,
    KeyStroke,
    KeyStrokes,
    MaskStyle,
    PieceAccess,
    PropertyChange,
    PropertyCommand,
    PropertyCommands,
    ctrl,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "ANYTHING", "BY_SIDE", "GOES", "LISTED", "LOST", "MOVED", "TAKEN_OFF", "TRAIL", "asked",
    "covered", "ends", "hides", "left_out", "more", "named", "noted", "returns", "sends", "sign",
    "steps", "taken_off", "titles", "told", "told_by", "trail",
]  # fmt: skip

LISTED: Final = ("SideName", "KindName")
"""The properties by which the inventory groups units: words for players, not names of the rules."""
ANYTHING: Final = Constraints("false,0,0,false")
"""A property may hold any text."""
TAKEN_OFF: Final = "$oldLocationName$: $oldPieceName$ taken off *"
"""What is told of a piece that is gone when it is told."""
LOST: Final = "$oldLocationName$: $oldPieceName$ {} *"
"""What is told of a unit that goes to the box of its side: from where, and how it was lost."""
GOES: Final = KeyStroke.named("goesOff")
"""The key by which a marker goes whoever presses it, also while its face is hidden from him."""
TRAIL, MOVED = "Movement trail", "Mark as moved"
"""What menus call the marks that moves leave."""
BY_SIDE: Final = PieceAccess("side:")
"""What is hidden or masked belongs to a side, not to a player."""
# Markers may lie on it; the engine counts positions from the top.
_UNITS_ABOVE: Final = r'CountStack("{UnitType != \"\" && StackPos < " + StackPos + "}")'
_PLATE: Final = f'{{StackPos == 1 || {_UNITS_ABOVE} == 0 ? UnitId : ""}}'


def sign(name: str, image: str, key: str, *, menu: str = "", suffix: str = "") -> Equipped:
    """A sign over a piece that a key puts on and takes off; property `<name>_Level` is 1 or 2."""
    names = ("", suffix) if suffix else ()
    return layer(name, ("", image), names=names, next_command=menu or name, key=key)


def steps(
    images: Sequence[str],
    names: Sequence[str] = (),
    menu: tuple[str, str] = ("Lose a step", "Regain a step"),
) -> Equipped:
    """Steps that are lost one by one and never start again from the top; `Step_Level`."""
    made = layer(
        "Step", images, names=names,
        next_command=menu[0], key="L", previous_command=menu[1], previous_key="K",
    )  # fmt: skip
    assert isinstance(made.trait, Layer)
    return replace(made, trait=replace(made.trait, loop=False))


def ends(prop: str, least: int, most: int, down: str, up: str) -> tuple[Equipped, ...]:
    """At either end of a number the menu leaves out the key that would go beyond it."""
    return (
        left_out(f"{prop} == {least}", ctrl(down)),
        left_out(f"{prop} == {most}", ctrl(up)),
    )


def more(*commands: str) -> Equipped:
    """What is seldom needed, in a menu of its own; it stands where the trait stands."""
    return Equipped(SubMenu(name="More", commands=commands))


def noted(name: str) -> Equipped:
    """A property that set-ups fill in."""
    return _property(name, PropertyCommands.of())


def asked(name: str, menu: str, key: str, change: PropertyChange) -> Equipped:
    """A property that set-ups fill in and players may change by a menu entry."""
    return _property(name, PropertyCommands.of(PropertyCommand(menu, ctrl(key), change)))


def _property(name: str, commands: PropertyCommands) -> Equipped:
    trait = DynamicProperty(name=name, constraints=ANYTHING, commands=commands)
    return Equipped(trait, PropertyState(value=""))


def titles(side: str, kind: str) -> dict[str, str]:
    """The groups of the inventory that a unit is listed in."""
    return dict(zip(LISTED, (side, kind), strict=True))


def told(text: str, *keys: str) -> Equipped:
    """A line in the chat when a key is used; VASSAL writes the mask's name of what is masked."""
    return told_by(text, *(ctrl(key) for key in keys))


def told_by(text: str, *strokes: KeyStroke) -> Equipped:
    """The same for keys of any kind, such as those that only other traits press."""
    return Equipped(ReportState(keys=KeyStrokes.of(*strokes), format=FormattedText(text)))


def taken_off() -> Equipped:
    """A line in the chat when a piece is taken off by Ctrl+D."""
    return told(TAKEN_OFF, "D")


def left_out(when: str, *strokes: KeyStroke) -> Equipped:
    """Commands of the traits before this one that are not in the menu while something holds."""
    return Equipped(
        RestrictCommands(expression=Expression(f"{{{when}}}"), keys=KeyStrokes.of(*strokes))
    )


def sends(on_map: str, zone: str, *, menu: str = "Eliminate", key: str = "E") -> Equipped:
    """A menu entry that puts the piece into a box."""
    return Equipped(
        SendToLocation(
            command=menu,
            key=ctrl(key),
            map=FormattedText(on_map),
            destination="Z",
            zone=FormattedText(zone),
        )
    )


def returns(deck: str, menu: str, *, key: str | KeyStroke = "R") -> Equipped:
    """A menu entry that puts the piece into a deck or back into its cup; Ctrl with a letter."""
    return Equipped(
        ReturnToDeck(
            command=menu,
            key=ctrl(key) if isinstance(key, str) else key,
            deck=deck,
            version=2,
            choose_deck=False,
            deck_expression=FormattedText(deck),
        )
    )


def hides(*seats: str) -> Equipped:
    """Out of the opponent's sight altogether: hidden units, mines, plotted fire.

    Its `seats` see it and turn it up, and who plays all sides does; of what may be anybody's it is
    the seat that hides it. The engine would tell of each of its moves that something went from `?`
    to `?`.
    """
    access = seen_from(*seats) if seats else BY_SIDE
    return Equipped(
        Hideable(key=ctrl("I"), command="Hidden", access=access, no_move_report=True),
        HiddenState(),
    )


def covered(back: str, own: str, name: str = "a card") -> Equipped:
    """A back to the opponent; its owner sees the face, with the picture `own` laid over it."""
    return Equipped(
        Mask(
            key=ctrl("P"),
            image=back,
            command="Show or hide",
            style=MaskStyle(f"G{own}"),
            mask_name=name,
            access=BY_SIDE,
        )
    )


def named(size: int, *, known: bool = False) -> Equipped:
    """The name by which players and the referee speak of a unit, on the edge of its counter.

    It is put before what the piece is called, unless that begins with it and so it is `known`. In a
    stack only the uppermost unit shows its own, as they would lie over each other.
    """
    naming = "$pieceName$" if known else '{UnitId + " " + pieceName}'
    return label(_PLATE, size=9, prop="", editable=False, naming=naming, rise=size // 2)


def trail() -> Equipped:
    """A line behind the piece that shows where it went."""
    return Equipped(Footprint(command=TRAIL, radius=8, line_width=2.0))
