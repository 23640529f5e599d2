"""The manifest of a text form: its entries in order, how each lies in the zip, how it is shown.

And the secrets, which stand in a file of their own: players' ids, and every number from which
somebody could work them out (a checksum and a known text are enough to try passwords).
"""

from __future__ import annotations

import base64
import binascii
import json
from collections import Counter
from dataclasses import asdict, dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.errors import Place, VassalFormatError
from hexmarshal.vassal.container.obfuscation import Veil
from hexmarshal.vassal.container.saved_forms import Form as SaveFormat
from hexmarshal.vassal.container.source import read_file
from hexmarshal.vassal.container.zipraw import check_name
from hexmarshal.vassal.textform.filenames import MANIFEST
from hexmarshal.vassal.textform.ziprecord import ZipRecord
from hexmarshal.vassal.xml.xmlstyle import Style

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["Exact", "Form", "Listed", "Manifest", "Secrets", "decoded", "read_json"]

VERSION: Final = 1
_ENCODINGS: Final = ("utf-8", "latin-1")
# Told by the key alone.
_USUAL_FORMS: Final = (SaveFormat.HEX, SaveFormat.PLAIN)


class Form(Enum):
    """How an entry is shown."""

    BYTES = "bytes"
    """As a file with the same content."""
    XML = "xml"
    SAVE = "save"
    """A `savedGame`, as commands."""
    ARCHIVE = "archive"
    """A saved game inside a module, as a folder with a manifest of its own."""
    FOLDER = "folder"
    """An empty folder that the zip notes."""


@dataclass(frozen=True, slots=True)
class Exact:
    """What tells that an entry is unchanged, and what then must be written verbatim."""

    crc: str
    packed: str
    """The checksum of the packed data: another zlib may pack otherwise."""
    verbatim: Mapping[str, str] = field(default_factory=dict)
    """Hexadecimal `head`, `tail`, `central`, where the record does not bring them back."""
    body: str = ""
    """The packed data itself, where no level brings it back: base64, or in the manifest a file."""
    content: str = ""
    """The content itself, where the text form does not bring it back."""
    text: str = ""
    """The checksum of the text form that belongs to `content`."""

    @classmethod
    def read(cls, found: object) -> Exact:
        """From a manifest or a secrets file; a TypeError or ValueError if it is not one."""
        if not isinstance(found, dict):
            raise TypeError("not a mapping")
        made = cls(**found)
        texts = [getattr(made, name) for name in cls.__slots__ if name != "verbatim"]
        parts = [*made.verbatim, *made.verbatim.values()]
        if not all(isinstance(text, str) for text in (*texts, *parts)):
            raise TypeError("not a text")
        return made

    def as_dict(self) -> dict[str, Any]:
        """Without what is empty."""
        found = {name: getattr(self, name) for name in self.__slots__}
        return {name: value for name, value in found.items() if value}


@dataclass(frozen=True, slots=True)
class Listed:
    """An entry in the manifest."""

    name: str
    file: str
    form: Form
    record: ZipRecord
    exact: Exact | None = None
    """None if the entry holds secrets: then the secrets file has it."""
    style: Mapping[str, Any] | None = None
    source: str = ""
    """The file that holds an XML file's own formatting."""
    veil: Veil | None = None
    players: int = 0

    def as_dict(self) -> dict[str, Any]:
        """As the manifest says it."""
        found: dict[str, Any] = {"name": self.name}
        if self.file != self.name:
            found["file"] = self.file
        if self.form is not Form.BYTES:
            found["form"] = self.form.value
        found["zip"] = self.record.as_dict()
        if self.exact is not None:
            found["exact"] = self.exact.as_dict()
        if self.style is not None:
            found["style"] = dict(self.style)
        if self.source:
            found["source"] = self.source
        if self.veil is not None:
            veil = {"key": self.veil.key, "upper_case": self.veil.upper_case}
            found["veil"] = {**veil, "encoding": self.veil.encoding}
            if self.veil.form not in _USUAL_FORMS:
                found["veil"]["form"] = self.veil.form.value
        if self.players:
            found["players"] = self.players
        return found

    @classmethod
    def read(cls, found: object, place: Place) -> Listed:
        """The entry that a manifest says."""
        if not isinstance(found, dict) or not isinstance(found.get("name"), str):
            raise VassalFormatError("an entry without a name", place=place)
        name = found["name"]
        here = Place(entry=name).within(place)
        file = found.get("file", name)
        if not isinstance(file, str):
            raise VassalFormatError("the file of an entry is not a text", place=here)
        check_name(name, place)
        check_name(file, place)
        try:
            form = Form(found.get("form", "bytes"))
            veil = _veil(found["veil"]) if "veil" in found else None
            exact = Exact.read(found["exact"]) if "exact" in found else None
        except (TypeError, ValueError, AttributeError) as why:
            raise VassalFormatError(f"an entry cannot be read: {why}", place=here) from None
        record = ZipRecord.read(_mapping(found.get("zip", {}), here), here)
        style = found.get("style")
        source = found.get("source", "")
        if not isinstance(source, str):
            raise VassalFormatError("the source of an entry is not a text", place=here)
        if source:
            check_name(source, place)
        players = found.get("players", 0)
        style = None if style is None else _style(_mapping(style, here), here)
        return cls(name, file, form, record, exact, style, source, veil, int(bool(players)))


@dataclass(frozen=True, slots=True)
class Manifest:
    """All entries in directory order, and what else the zip holds."""

    kind: str
    entries: tuple[Listed, ...]
    order: tuple[int, ...] = ()
    """The entries in the order in which they lie in the file, if that is another."""
    comment: str = ""
    prefix: str = ""

    def to_text(self) -> str:
        """The file: one entry a line, so that a change is a line."""
        head = {"text_form": VERSION, "kind": self.kind}
        if self.comment:
            head["comment"] = self.comment
        if self.prefix:
            head["prefix"] = self.prefix
        lines = [f"  {_json(key)}: {_json(value)}," for key, value in head.items()]
        if self.order:
            lines.append(f'  "order": {_json(list(self.order))},')
        entries = ",\n".join(f"    {_json(entry.as_dict())}" for entry in self.entries)
        return "{\n" + "\n".join(lines) + f'\n  "entries": [\n{entries}\n  ]\n}}\n'

    @classmethod
    def read(cls, folder: Path) -> Manifest:
        """The manifest of a folder."""
        path = folder / MANIFEST
        place = Place(file=str(path))
        found = read_json(path)
        version = found.get("text_form")
        if version != VERSION:
            raise VassalFormatError(
                f"a text form of version {version!r}, and only {VERSION} is known",
                place=place,
                hint="a newer hexmarshal may know it",
            )
        entries = found.get("entries")
        if not isinstance(entries, list):
            raise VassalFormatError("lists no entries", place=place)
        listed = tuple(Listed.read(entry, place) for entry in entries)
        for values in ([e.name for e in listed], [e.file for e in listed]):
            twice = next((v for v, count in Counter(values).items() if count > 1), None)
            if twice is not None:
                raise VassalFormatError(f"lists {twice!r} twice", place=place)
        order = found.get("order", [])
        whole = isinstance(order, list) and (not order or sorted(order) == [*range(len(listed))])
        texts = [found.get(name, "") for name in ("kind", "comment", "prefix")]
        if not whole or not all(isinstance(text, str) for text in texts):
            raise VassalFormatError("has an order or a comment that makes no sense", place=place)
        return cls(texts[0], listed, tuple(order), texts[1], texts[2])


@dataclass(slots=True)
class Secrets:
    """What must not be published, by the path of the file that it belongs to."""

    players: dict[str, dict[str, str]] = field(default_factory=dict, repr=False)
    exact: dict[str, Exact] = field(default_factory=dict, repr=False)

    def to_text(self) -> str:
        """The secrets file."""
        about = "Players' VASSAL passwords. Keep this file to yourself; pack --scrub needs none."
        exact = {path: each.as_dict() for path, each in self.exact.items()}
        document = {"about": about, "players": self.players, "exact": exact}
        return json.dumps(document, ensure_ascii=True, indent=2) + "\n"

    @classmethod
    def read(cls, path: Path) -> Secrets:
        """The secrets in a file; its content is never quoted in an error."""
        found = read_json(path)
        players, exact = found.get("players", {}), found.get("exact", {})
        try:
            names = {
                str(file): {str(k): str(v) for k, v in ids.items()} for file, ids in players.items()
            }
            return cls(names, {str(file): Exact.read(each) for file, each in exact.items()})
        except (TypeError, AttributeError):
            raise VassalFormatError(
                "not a secrets file as unpack writes it", place=Place(file=str(path))
            ) from None


def _veil(found: object) -> Veil:
    if not isinstance(found, dict):
        raise TypeError("a veil is a key and an encoding")
    form = SaveFormat(found.get("form", SaveFormat.HEX.value))
    made = Veil(**{**found, "form": form})
    keyed = made.form.layout.keyed
    key_is_sound = type(made.key) is int and 0 <= made.key < 256 if keyed else made.key is None
    if not key_is_sound or made.encoding not in _ENCODINGS or type(made.upper_case) is not bool:
        raise ValueError("a veil has a key from 0 to 255 and an encoding that saves have")
    return made


def _style(found: dict[str, Any], place: Place) -> dict[str, Any]:
    usual = asdict(Style())
    sound = all(name in usual and type(value) is type(usual[name]) for name, value in found.items())
    try:
        "".encode(found.get("encoding", "utf-8"))
    except (LookupError, TypeError):
        sound = False
    if not sound:
        raise VassalFormatError("the style of an XML file is not one", place=place)
    return found


def decoded(text: str, place: Place) -> bytes:
    """Bytes in base64."""
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise VassalFormatError("kept bytes are damaged", place=place) from None


def read_json(path: Path) -> dict[str, Any]:
    """A JSON file that holds an object."""
    place = Place(file=str(path))
    try:
        found = json.loads(read_file(path).decode("utf-8-sig"))
    except json.JSONDecodeError as why:
        raise VassalFormatError(
            f"broken JSON: {why.msg}", place=Place(line=why.lineno).within(place)
        ) from None
    except (UnicodeDecodeError, RecursionError):
        raise VassalFormatError("broken JSON", place=place) from None
    return _mapping(found, place)


def _mapping(found: object, place: Place) -> dict[str, Any]:
    if not isinstance(found, dict):
        raise VassalFormatError("has a list or a value where names are expected", place=place)
    return found


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
