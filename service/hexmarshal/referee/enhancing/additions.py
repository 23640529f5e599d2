"""What enhancing a module can add, and what it did."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from hexmarshal.errors import VassalFormatError
from hexmarshal.table.binding import Binding
from hexmarshal.table.binding.patterns import PieceLook
from hexmarshal.table.reading import TableReader
from hexmarshal.vassal.state.at_start import new_game, placed_copy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.table.reading.piece_reader import Identity
    from hexmarshal.vassal.components import PieceSlot
    from hexmarshal.vassal.module import Module

__all__ = ["FOLDER", "Addition", "Bench", "Counter", "Enhancement", "Outcome", "Part", "Shelf"]

# Where in the archive our own files are: what is elsewhere is never overwritten.
FOLDER = "hexmarshal/"


class Part(StrEnum):
    """One kind of addition, which can be switched off."""

    NUMBERING = "numbering"
    LOS = "los"
    TURNS = "turns"
    MARKS = "marks"
    CHARTS = "charts"
    RULES = "rules"
    SETUPS = "setups"
    BINDING = "binding"


class Outcome(StrEnum):
    """What became of an addition."""

    ADDED = "added"
    RENEWED = "renewed"
    THERE = "there already"
    LEFT_OUT = "left out"


@dataclass(frozen=True, slots=True)
class Addition:
    """Something added, found there, or left out, and why."""

    part: Part
    outcome: Outcome
    what: str
    why: str = ""

    def to_json(self) -> dict[str, object]:
        """As JSON-able data, without what is empty."""
        named = {"part": self.part.value, "outcome": self.outcome.value, "what": self.what}
        return {**named, "why": self.why} if self.why else {**named}


@dataclass(frozen=True, slots=True)
class Enhancement:
    """All that was looked at."""

    additions: tuple[Addition, ...]

    @property
    def changed(self) -> bool:
        """Whether the module is another one now."""
        return any(a.outcome in (Outcome.ADDED, Outcome.RENEWED) for a in self.additions)

    def to_json(self) -> dict[str, object]:
        """As JSON-able data."""
        return {
            "changed": self.changed,
            "additions": [addition.to_json() for addition in self.additions],
        }


class Counter(NamedTuple):
    """A slot of the module, what can be seen of its piece, and what that is to the rules."""

    slot: PieceSlot
    look: PieceLook
    known: Identity | None


@dataclass(slots=True)
class Shelf:
    """A module at work: what is put into its archive, and which keys are free."""

    module: Module

    def put(self, entry: str, data: bytes) -> Outcome:
        """Put a file into the archive; one of ours that is there is brought up to date."""
        known = self.module.read(entry) if self.module.has(entry) else None
        if known == data:
            return Outcome.THERE
        self.module.changes[entry] = data
        return Outcome.ADDED if known is None else Outcome.RENEWED

    def free_key(self, hotkey: str) -> str:
        """A key if no other component has it, else none."""
        taken = any(hotkey in c.element.attrib.values() for c in self.module.walk())
        return "" if taken else hotkey


@dataclass(slots=True)
class Bench(Shelf):
    """A module at work, with its binding as it is to be: `document` as data, `binding` read."""

    plugin: GamePlugin
    document: dict[str, object]
    binding: Binding
    _counters: list[Counter] | None = None

    def counters(self) -> list[Counter]:
        """Every counter that can be read, and which unit or marker it is."""
        if self._counters is None:
            self._counters = list(self._seen())
        return self._counters

    def _seen(self) -> Iterator[Counter]:
        module = self.module
        reader = TableReader(module, self.binding, self.plugin, new_game(module)).reader
        definitions = {name: one.text for name, one in module.prototypes().items()}
        for slot in module.slots():
            try:
                piece = placed_copy(slot, definitions, "", (0, 0))
            except VassalFormatError:
                continue
            look = PieceLook(piece, gpid=slot.gpid, prototypes=reader.prototypes_of(slot.gpid))
            yield Counter(slot, look, reader.identify(look))

    def amend(self, key: str, value: object) -> None:
        """Change the binding."""
        self.document = {**self.document, key: value}
        self.binding = Binding.load(self.document)
