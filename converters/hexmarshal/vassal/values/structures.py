"""Small composite values of traits and components, kept exactly as written, read in parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hexmarshal.vassal import sequence
from hexmarshal.vassal.sequence import SequenceReader, java_int
from hexmarshal.vassal.values.exact import ExactText
from hexmarshal.vassal.values.keys import KeyStroke

__all__ = [
    "Colour",
    "Constraints",
    "GlobalCommandTarget",
    "MaskStyle",
    "Parameters",
    "PieceAccess",
    "Polygon",
    "PropertyChange",
    "PropertyCommand",
    "PropertyCommands",
    "SheetField",
    "SheetFields",
]


@dataclass(frozen=True, slots=True)
class Colour(ExactText):
    """`r,g,b`, `r,g,b,a` or `0x...`; the empty text is none."""

    @classmethod
    def rgb(cls, red: int, green: int, blue: int, alpha: int = 255) -> Colour:
        """A colour by its parts; an opaque one is written without its alpha."""
        return cls(f"{red},{green},{blue}" + ("" if alpha == 255 else f",{alpha}"))

    @property
    def rgba(self) -> tuple[int, int, int, int] | None:
        """Red, green, blue and alpha from 0 to 255, or None if there is no colour."""
        if self.text[:2].lower() == "0x":
            try:
                number = int(self.text[2:10], 16)
            except ValueError:
                return None
            return (number >> 16 & 255, number >> 8 & 255, number & 255, 255)
        parts = [java_int(part.strip()) for part in self.text.split(",")]
        values = [part for part in parts if part is not None and 0 <= part <= 255]
        if len(values) != len(parts) or len(parts) not in {3, 4}:
            return None
        return (values[0], values[1], values[2], values[3] if len(values) > 3 else 255)

    def problem(self) -> str | None:
        """Said of a text that is no colour."""
        if self.text and self.rgba is None:
            return f"{self.text!r} is not a colour: three or four numbers from 0 to 255"
        return None


@dataclass(frozen=True, slots=True)
class PieceAccess(ExactText):
    """Who may use a piece: `player:`, `side:` or `sides:` with a list."""

    @property
    def kind(self) -> str:
        """`player`, `side` or `sides`."""
        head = self.text.partition(":")[0]
        return head if head in {"side", "sides"} else "player"

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides that are named, if any."""
        rest = self.text.partition(":")[2]
        return tuple(sequence.decode(rest, ":")) if self.kind == "sides" and rest else ()

    def problem(self) -> str | None:
        """Said of a text that is none of the three."""
        if self.text and self.text.partition(":")[0] not in {"player", "side", "sides"}:
            return f"{self.text!r} does not say who has access: player:, side: or sides:"
        return None


_TARGET_TYPES: Final = frozenset({"MAP", "MODULE", "COUNTER", "DECK"})
_TARGETS: Final = frozenset(
    [
        "MAP",
        "CURMAP",
        "CURZONE",
        "CURLOC",
        "CURSTACK",
        "CURMAT",
        "CURATTACH",
        "ZONE",
        "LOCATION",
        "XY",
        "DECK",
    ]
)


@dataclass(frozen=True, slots=True)
class GlobalCommandTarget(ExactText):
    """Which pieces a global key command looks at before it asks its expression."""

    def _field(self, index: int, default: str = "") -> str:
        fields = sequence.decode(self.text, "|")
        return fields[index] if index < len(fields) else default

    @property
    def type(self) -> str:
        """`MAP`, `MODULE`, `COUNTER` or `DECK`: what sends the command."""
        return self._field(0)

    @property
    def by_location(self) -> bool:
        """Whether the place below narrows the search."""
        return self._field(1) == "true"

    @property
    def target(self) -> str:
        """The kind of place: `MAP`, `CURMAP`, `ZONE`, `LOCATION`, `XY`, `DECK`, ..."""
        return self._field(2, "MAP")

    @property
    def place(self) -> dict[str, str]:
        """Map, board, zone, location, x, y and deck, those that are given."""
        names = ("map", "board", "zone", "location", "x", "y", "deck")
        found = {name: self._field(3 + i) for i, name in enumerate(names)}
        return {name: text for name, text in found.items() if text}

    @property
    def by_property(self) -> bool:
        """Whether the property below narrows the search."""
        return self._field(10) == "true"

    @property
    def comparison(self) -> tuple[str, str, str]:
        """Property, comparison and value."""
        return self._field(11), self._field(13, "EQUALS"), self._field(12)

    @property
    def attachment(self) -> tuple[str, str]:
        """The name and the index of an attachment."""
        return self._field(14), self._field(15)

    def problem(self) -> str | None:
        """Said of types and targets that VASSAL does not know."""
        if not self.text:
            return None
        if self.type not in _TARGET_TYPES:
            return f"{self.type!r} sends no global key command"
        if self.target not in _TARGETS:
            return f"{self.target!r} is not a target of a global key command"
        return None


@dataclass(frozen=True, slots=True)
class Constraints(ExactText):
    """What values a property may take: numeric or not, from, to, wrapping round."""

    def _reader(self) -> SequenceReader:
        return SequenceReader(self.text, ",")

    @property
    def is_numeric(self) -> bool:
        """Whether only numbers are allowed."""
        return self._reader().boolean()

    @property
    def limits(self) -> tuple[str, str]:
        """The lowest and the highest value; texts, because they may be expressions."""
        reader = self._reader()
        reader.text()
        return reader.text("0"), reader.text("100")

    @property
    def wraps(self) -> bool:
        """Whether a step over the highest value leads to the lowest."""
        return sequence.decode(self.text, ",")[3:4] == ["true"]


@dataclass(frozen=True, slots=True)
class PropertyChange:
    """How a property changes: `P` to a value, `I` by a step, `R` by asking, `E` by a choice."""

    kind: str
    value: str = ""
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PropertyCommand:
    """A menu entry that changes a property."""

    menu: str
    key: KeyStroke
    change: PropertyChange


@dataclass(frozen=True, slots=True)
class PropertyCommands(ExactText):
    r"""The menu entries of a property.

    >>> PropertyCommands(r"Reset to 0:82\,715:P\,0").commands[0].change
    PropertyChange(kind='P', value='0', choices=())
    """

    @classmethod
    def of(cls, *commands: PropertyCommand) -> PropertyCommands:
        """These commands, in VASSAL's notation."""
        return cls(sequence.join(map(_written, commands), ","))

    @property
    def commands(self) -> tuple[PropertyCommand, ...]:
        """The entries in order."""
        if not self.text:
            return ()
        return tuple(_read(entry) for entry in sequence.decode(self.text, ","))


def _read(entry: str) -> PropertyCommand:
    reader = SequenceReader(entry, ":")
    menu, key = reader.text(), KeyStroke(reader.text())
    changer = SequenceReader(reader.text(), ",")
    kind, value = changer.text("P"), changer.text()
    choices = tuple(choice or "" for choice in changer.strings()) if kind == "E" else ()
    return PropertyCommand(menu, key, PropertyChange(kind, value, choices))


def _written(command: PropertyCommand) -> str:
    change = command.change
    fields = [change.kind, change.value]
    if change.kind == "E":
        fields.append(sequence.join(change.choices, ","))
    return sequence.join([command.menu, command.key.text, sequence.join(fields, ",")], ":")


@dataclass(frozen=True, slots=True)
class Parameters(ExactText):
    """Dynamic properties that are set in a piece as it is made."""

    @classmethod
    def of(cls, values: dict[str, str]) -> Parameters:
        """These names and values."""
        return cls(sequence.join((sequence.join(pair, ":") for pair in values.items()), ","))

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Names and values in order."""
        if not self.text:
            return ()
        found = []
        for entry in sequence.decode(self.text, ","):
            reader = SequenceReader(entry, ":")
            found.append((reader.text(), reader.text()))
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Polygon(ExactText):
    """`x,y;x,y;...`: the outline of a zone."""

    @classmethod
    def of(cls, points: list[tuple[int, int]]) -> Polygon:
        """These corners."""
        return cls(";".join(f"{x},{y}" for x, y in points))

    @property
    def points(self) -> tuple[tuple[int, int], ...]:
        """The corners in order; what is no pair of numbers is left out."""
        found = []
        for corner in self.text.split(";"):
            x, _, y = corner.partition(",")
            across, down = java_int(x.strip()), java_int(y.strip())
            if across is not None and down is not None:
                found.append((across, down))
        return tuple(found)

    def problem(self) -> str | None:
        """Said of corners that are no pair of numbers."""
        if self.text and len(self.points) != self.text.count(";") + 1:
            return "a corner is not a pair of whole numbers"
        return None


_MASK_STYLES: Final = {"I": "inset", "2": "inset 2", "B": "background", "P": "peek", "G": "image"}


@dataclass(frozen=True, slots=True)
class MaskStyle(ExactText):
    """How a masked piece looks to its owner: a letter, and behind it a key or an image."""

    @property
    def kind(self) -> str:
        """`inset`, `inset 2`, `background`, `peek` or `image`; empty if unknown."""
        return _MASK_STYLES.get(self.text[:1], "")

    @property
    def peek_key(self) -> KeyStroke:
        """The key that shows the piece, in style `peek`."""
        return KeyStroke(self.text[1:] if self.kind == "peek" else "")

    @property
    def image(self) -> str:
        """The image that the owner sees, in style `image`."""
        return self.text[1:] if self.kind == "image" else ""


@dataclass(frozen=True, slots=True)
class SheetField:
    """A line of a property sheet: its kind (0 text ... 7 spinner) and its name."""

    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class SheetFields(ExactText):
    """The lines of a property sheet."""

    @property
    def fields(self) -> tuple[SheetField, ...]:
        """The lines in order."""
        if not self.text:
            return ()
        return tuple(SheetField(t[:1], t[1:]) for t in sequence.decode(self.text, "~"))
