"""VASSAL's XML: parsed without DTD, entities or network, written back as the engine would.

A document that was not changed comes back as the bytes it was read from. A changed one is written
in the style of its file (line ends, indentation, declaration); where the file as a whole is not in
a style that the engine writes, only the places that changed are written anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lxml import etree

from hexmarshal.errors import Place, VassalFormatError
from hexmarshal.vassal.xml.xmlpatch import patch
from hexmarshal.vassal.xml.xmlstyle import Style

if TYPE_CHECKING:
    from lxml.etree import _Element

__all__ = ["Document"]

_UTF8_BOM = b"\xef\xbb\xbf"
_UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")
# In these every byte below 128 is ASCII, so markup can be found before decoding.
# Components have some dozens.
_MOST_ATTRIBUTES = 1000
_ENCODINGS = {"utf-8", "utf8", "us-ascii", "ascii", "iso-8859-1", "latin1", "windows-1252"}


class Document:
    """A parsed XML file: its root element, how it is formatted, and the bytes it came from."""

    __slots__ = ("_source", "place", "root", "style")

    def __init__(self, root: _Element, style: Style, source: bytes | None, place: Place) -> None:
        self.root = root
        self.style = style
        self.place = place
        self._source = source

    @classmethod
    def parse(cls, data: bytes, place: Place | None = None) -> Document:
        """Parse a file's bytes; a VassalFormatError names the line of what is wrong."""
        place = place or Place()
        root_at, encoding = _prolog(data, place)
        root = _parse(data, place)
        if b"xmlns" in data and root.xpath("//*[namespace-uri()]"):
            raise VassalFormatError("uses XML namespaces, as no VASSAL file does", place=place)
        return cls(root, Style.detect(data, root, root_at, encoding), data, place)

    @classmethod
    def create(cls, tag: str, style: Style | None = None, place: Place | None = None) -> Document:
        """An empty document, formatted as current engines format."""
        return cls(etree.Element(tag), style or Style(), None, place or Place())

    def to_bytes(self) -> bytes:
        """The file's bytes; what was not changed is as it was read."""
        if self._source is not None and self._is_untouched(self._source):
            return self._source
        written = self.style.document(self.root)
        if self._source is None or written == self._source:
            return written
        before = _parse(self._source, self.place)
        if self.style.document(before) == self._source:
            return written
        return patch(self._source, before, self.root, self.style)

    def _is_untouched(self, source: bytes) -> bool:
        """Whether lxml writes the very source: it does for most files, and several times faster."""
        style = self.style
        body = etree.tostring(self.root, encoding="UTF-8", with_tail=False)
        if style.newline != "\n":
            body = body.replace(b"\n", style.encode(style.newline))
        return style.encode(style.prolog) + body + style.encode(style.epilog) == source


def _parse(data: bytes, place: Place) -> _Element:
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=True,
        collect_ids=False,
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as why:
        raise VassalFormatError(
            f"broken XML: {why.msg}", place=Place(line=why.lineno).within(place)
        ) from why
    except (ValueError, LookupError) as why:
        raise VassalFormatError(f"broken XML: {why}", place=place) from why
    if data.count(b"=") > _MOST_ATTRIBUTES:
        _check_attributes(root, place)
    return root


def _check_attributes(root: _Element, place: Place) -> None:
    """Refuse an element with very many attributes: to look at each takes the square of the time."""
    for element in root.iter("*"):
        if (count := len(element.attrib)) > _MOST_ATTRIBUTES:
            line: int | None = getattr(element, "sourceline", None)
            raise VassalFormatError(
                f"an element has {count} attributes, and no component of VASSAL has so many",
                place=Place(line=line).within(place),
            )


def _prolog(data: bytes, place: Place) -> tuple[int, str]:
    """Where the root element starts, and the encoding; refuses a DTD before a parser sees it.

    The parser expands entities inside attributes whatever it is told, so a DTD must not reach it.
    """
    if data.startswith(_UTF16_BOMS):
        raise VassalFormatError("UTF-16 text; VASSAL writes UTF-8", place=place)
    at = len(_UTF8_BOM) if data.startswith(_UTF8_BOM) else 0
    encoding = "utf-8"
    while True:
        at = data.find(b"<", at)
        if at < 0:
            raise VassalFormatError("broken XML: there is no element", place=place)
        if data.startswith(b"<?", at):
            stop = data.find(b"?>", at)
            if data.startswith(b"<?xml ", at):
                encoding = _encoding(data[at:stop], place)
        elif data.startswith(b"<!--", at):
            stop = data.find(b"-->", at)
        elif data.startswith(b"<!", at):
            raise VassalFormatError(
                "has a document type definition, which no VASSAL file needs and which can harm",
                place=Place(line=data.count(b"\n", 0, at) + 1).within(place),
                hint="remove the <!DOCTYPE ...> declaration",
            )
        else:
            return at, encoding
        if stop < 0:
            raise VassalFormatError("broken XML: there is no element", place=place)
        at = stop


def _encoding(declaration: bytes, place: Place) -> str:
    _, found, after = declaration.partition(b"encoding")
    name = after.lstrip(b" =\t\r\n")[1:] if found else b"utf-8"
    encoding = name.partition(b'"')[0].partition(b"'")[0].decode("ascii", "replace").lower()
    if encoding not in _ENCODINGS:
        raise VassalFormatError(
            f"declared to be in encoding {encoding!r}; VASSAL writes UTF-8",
            place=Place(line=1).within(place),
        )
    return encoding
