"""Decodes everything in a file, encodes it again from the decoded values, and compares."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from hexmarshal.errors import Place, VassalFormatError
from hexmarshal.vassal.commands import registry
from hexmarshal.vassal.commands.piece import AddPiece, ChangePiece
from hexmarshal.vassal.commands.table import LogEntry
from hexmarshal.vassal.commands.tree import parse
from hexmarshal.vassal.components import Component
from hexmarshal.vassal.container.archive import Archive, FileKind
from hexmarshal.vassal.container.kind import BUILD_FILES, METADATA
from hexmarshal.vassal.container.obfuscation import obfuscate, reveal
from hexmarshal.vassal.container.saved_forms import Packing
from hexmarshal.vassal.container.source import read_file
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.pieces.piece import Piece, format_add, parse_add
from hexmarshal.vassal.saves.savegame import check_begin
from hexmarshal.vassal.traits import RawTrait, stock_forms
from hexmarshal.vassal.xml.xmlio import Document

if TYPE_CHECKING:
    from hexmarshal.vassal.commands.codec import Command
    from hexmarshal.vassal.container.limits import Limits

__all__ = ["Count", "Roundtrip", "roundtrip"]

_SAVED_GAME = "savedGame"
_CONTEXT = 24


@dataclass(slots=True)
class Count:
    """How many things of one sort were understood, and how many were kept as they are.

    `own` are things of a module's own code, which no stock declaration could know; `raw` are stock
    things that could not be read.
    """

    typed: int = 0
    raw: int = 0
    own: int = 0

    @property
    def share(self) -> float:
        """The share of stock things that were understood; 1 where there are none."""
        stock = self.typed + self.raw
        return self.typed / stock if stock else 1.0


@dataclass(slots=True)
class Roundtrip:
    """What became of one file."""

    file: str
    kind: str = ""
    difference: str = ""
    place: Place = field(default_factory=Place)
    components: Count = field(default_factory=Count)
    traits: Count = field(default_factory=Count)
    commands: Count = field(default_factory=Count)

    @property
    def identical(self) -> bool:
        """Whether every byte came back."""
        return not self.difference

    def differs(self, what: str, place: Place) -> None:
        """Note a difference; the first one is kept."""
        if not self.difference:
            self.difference, self.place = what, place


def roundtrip(path: Path | str, limits: Limits | None = None) -> Roundtrip:
    """Decode and encode a module, extension, save, log or bare build file."""
    path = Path(path)
    found = Roundtrip(str(path))
    data = read_file(path)
    if data.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<"):
        found.kind = "build file"
        _build_file(found, data, Place(file=str(path)))
        return found
    _archive(found, Archive.open(path, limits), data)
    return found


def _archive(found: Roundtrip, archive: Archive, data: bytes | None) -> None:
    kind = archive.kind
    found.kind = found.kind or kind.value
    for name in archive.names():
        place = Place(entry=name).within(archive.place)
        content = archive.read(name)
        if name == _SAVED_GAME and kind is FileKind.SAVE:
            _saved_game(found, content, place)
        elif name in BUILD_FILES and kind is not FileKind.SAVE:
            _build_file(found, content, place)
        elif name in METADATA:
            _xml(found, content, place)
        elif name.lower().endswith((".vsav", ".vlog")):
            _nested(found, archive, name)
    if data is not None and archive.to_bytes() != data:
        found.differs("the archive is not written back as it was", archive.place)


def _nested(found: Roundtrip, archive: Archive, name: str) -> None:
    try:
        inner = archive.nested(name)
        if inner.kind is FileKind.SAVE:
            _archive(found, inner, None)
    except VassalFormatError:
        # A set-up that cannot be read is copied like any other file.
        found.commands.raw += 1


def _xml(found: Roundtrip, data: bytes, place: Place) -> Document | None:
    document = Document.parse(data, place)
    written = document.style.document(document.root)
    if written != data:
        # A file in no engine's formatting: what counts is that it comes back unchanged.
        written = document.to_bytes()
    _compare_bytes(found, data, written, place)
    return document


def _build_file(found: Roundtrip, data: bytes, place: Place) -> None:
    document = _xml(found, data, place)
    if document is None:
        return
    for component in Module(document).walk():
        if component.stock:
            found.components.typed += 1
        elif component.class_name.startswith("VASSAL.") and type(component) is Component:
            found.components.raw += 1
        else:
            found.components.own += 1
        text = component.text.strip()
        if component.holds_piece and text:
            _definition(found, text, component.place.within(place))


def _definition(found: Roundtrip, text: str, place: Place) -> None:
    try:
        piece = parse_add(text)
    except VassalFormatError:
        found.traits.raw += 1
        return
    _piece(found, piece, place)
    type_, state = piece.encode()
    written = format_add(Piece.parse(type_, state, piece.id))
    if written != text:
        found.differs(_first_difference(text, written), place)


def _piece(found: Roundtrip, piece: Piece, place: Place) -> None:
    for trait in piece.traits:
        if not isinstance(trait, RawTrait):
            found.traits.typed += 1
        elif trait.own_prefix in stock_forms():
            found.traits.raw += 1
        else:
            found.traits.own += 1
    type_, state = piece.encode()
    if type_ != piece.type.text:
        found.differs("type " + _first_difference(piece.type.text, type_), place)
    if state != piece.state_text:
        found.differs("a state is written differently", place)


def _saved_game(found: Roundtrip, data: bytes, place: Place) -> None:
    try:
        text, veil = reveal(data)
        root = check_begin(parse(text), place)
    except VassalFormatError as error:
        raise error.at(place) from error
    types: dict[str, str] = {}
    for node in root.walk():
        command = node.command
        _command(found, command, types, place)
        if command.encode() != node.text:
            found.differs("a command is written differently", place)
    written = root.encode()
    if written != text:
        found.differs("the command tree is written differently", place)
    again = obfuscate(written, veil)
    # Packed by another program it is packed otherwise: what counts is what comes out of it.
    packs = veil.form.layout.packing is not Packing.NONE
    if again != data and not (packs and reveal(again) == (text, veil)):
        found.differs("the obfuscated text is written differently", place)


def _command(found: Roundtrip, command: Command, types: dict[str, str], place: Place) -> None:
    match command:
        case registry.Broken():
            found.commands.raw += 1
        case registry.Unknown():
            found.commands.own += 1
        case LogEntry():
            found.commands.typed += 1
            _command(found, command.logged, types, place)
        case AddPiece(id, type, state):
            found.commands.typed += 1
            types[id or ""] = type
            _piece(found, Piece.parse(type, state), Place(unit=id).within(place))
        case ChangePiece(id, state, _) if id in types:
            found.commands.typed += 1
            piece = Piece.parse(types[id], state)
            if piece.encode()[1] != state:
                found.differs("a state is written differently", Place(unit=id).within(place))
        case _:
            found.commands.typed += 1


def _compare_bytes(found: Roundtrip, before: bytes, after: bytes, place: Place) -> None:
    if before == after:
        return
    at = next(
        (i for i, (a, b) in enumerate(zip(before, after, strict=False)) if a != b),
        min(len(before), len(after)),
    )
    line = before.count(b"\n", 0, at) + 1
    was, now = (part[at : at + _CONTEXT] for part in (before, after))
    found.differs(f"{was!r} became {now!r}", Place(line=line).within(place))


def _first_difference(before: str, after: str) -> str:
    at = next(
        (i for i, (a, b) in enumerate(zip(before, after, strict=False)) if a != b),
        min(len(before), len(after)),
    )
    was, now = (part[at : at + _CONTEXT] for part in (before, after))
    return f"at character {at}: {was!r} became {now!r}"
