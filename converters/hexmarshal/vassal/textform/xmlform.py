"""XML on many lines: an attribute a line where a tag is long, a trait a line where a piece is.

What is written here is parsed again to the same tree, and that tree is written back in the style
of the file it came from.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Final
from xml.parsers import expat

from lxml import etree

from hexmarshal.errors import HexMarshalError, Place, VassalFormatError
from hexmarshal.vassal import sequence
from hexmarshal.vassal.textform.piecelines import LineError, read_traits, trait_lines
from hexmarshal.vassal.xml.xmlio import Document
from hexmarshal.vassal.xml.xmlpatch import patch
from hexmarshal.vassal.xml.xmlstyle import Style

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lxml.etree import _Element

__all__ = ["XmlForm", "read_xml", "xml_form"]

_PROLOG: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'
_INDENT: Final = "  "
_WIDTH: Final = 100
_PIECE: Final = re.compile(r"\n *\+/")
# Writes markup as the engine does; only line breaks and indentation are ours.
_PLAIN: Final = Style(indent=_INDENT)
_ADD_FIELDS: Final = 3


@dataclass(frozen=True, slots=True)
class XmlForm:
    """The text form of an XML file, and what is needed to write the file from it."""

    text: str
    style: Mapping[str, Any]
    """How the file's own style differs from what current engines write."""
    source: bytes | None
    """The file itself, where its style alone does not bring it back."""


def xml_form(data: bytes, place: Place) -> XmlForm | None:
    """The text form of a file; None if it would not come back byte for byte."""
    document = Document.parse(data, place)
    try:
        if _is_mixed(document.root):
            return None
        text = _PROLOG + "".join(_pretty(document.root))
        style = _differences(document.style)
        json.dumps(style, ensure_ascii=False).encode()
        for source in (None, data):
            if read_xml(text.encode(), style, source, place) == data:
                return XmlForm(text, style, source)
    except (HexMarshalError, UnicodeEncodeError):
        pass
    return None


def read_xml(text: bytes, style: Mapping[str, Any], source: bytes | None, place: Place) -> bytes:
    """The file that a text form says; errors name the line of the text form."""
    document = Document.parse(text, place)
    for index, element in enumerate(document.root.iter(etree.Element)):
        if not len(element) and element.text and _PIECE.match(element.text):
            try:
                element.text = _piece_text(element.text)
            except LineError as problem:
                line = _text_line(text, index) + problem.index
                raise VassalFormatError(
                    problem.message, place=Place(line=line).within(place), hint=problem.hint
                ) from None
    own = replace(Style(), **style)
    if source is None:
        return own.document(document.root)
    before = Document.parse(source, place)
    return patch(source, before.root, document.root, own)


def _differences(style: Style) -> dict[str, Any]:
    usual = asdict(Style())
    return {name: value for name, value in asdict(style).items() if value != usual[name]}


def _is_mixed(root: _Element) -> bool:
    for element in root.iter():
        if len(element) and (element.text or "").strip():
            return True
        if element is not root and (element.tail or "").strip():
            return True
    return False


def _pretty(root: _Element) -> Iterator[str]:
    levels: list[Iterator[_Element]] = [iter((root,))]
    closings: list[str] = []
    while levels:
        element = next(levels[-1], None)
        if element is None:
            levels.pop()
            if closings:
                yield closings.pop()
            continue
        margin = _INDENT * len(closings)
        if isinstance(element, etree._Comment | etree._ProcessingInstruction):  # noqa: SLF001
            yield f"{margin}{etree.tostring(element, encoding='unicode', with_tail=False)}\n"
        elif len(element):
            yield f"{_start(element, margin)}>\n"
            closings.append(f"{margin}</{element.tag}>\n")
            levels.append(iter(element))
        elif element.text:
            yield f"{_start(element, margin)}>{_text(element.text, margin)}</{element.tag}>\n"
        else:
            yield f"{_start(element, margin)}/>\n"


def _start(element: _Element, margin: str) -> str:
    whole = margin + _PLAIN.start_tag(element)
    if len(whole) < _WIDTH or len(element.keys()) < 2:
        return whole
    # The engine sorts by name; one attribute a line makes a changed one a line of the diff.
    bare = etree.Element("a")
    lines = [f"{margin}<{element.tag}"]
    for name, value in sorted(element.items()):
        bare.attrib.clear()
        bare.set(name, value)
        lines.append(f"{margin}{_INDENT}{_INDENT}{_PLAIN.start_tag(bare)[3:]}")
    return "\n".join(lines)


def _text(text: str, margin: str) -> str:
    lines = _piece_lines(text) if text.startswith("+/") else None
    if lines is None:
        return _PLAIN.text(text)
    inner = "".join(f"\n{margin}{_INDENT}{line}" for line in lines) + f"\n{margin}"
    if ("&" in inner or "<" in inner) and "]]>" not in inner and "\r" not in inner:
        return f"<![CDATA[{inner}]]>"
    return _PLAIN.text(inner)


def _piece_lines(text: str) -> list[str] | None:
    fields = sequence.decode(text[2:], "/")
    if len(fields) != _ADD_FIELDS or f"+/{sequence.join(fields, '/')}" != text:
        return None
    unit, *texts = fields
    lines = trait_lines(*texts)
    if lines is None or not unit or unit != unit.strip() or "/" in unit or "\n" in unit:
        return None
    return [f"+/{unit}", *lines]


def _piece_text(text: str) -> str:
    """The definition that the lines of a slot or prototype say."""
    lines = [(at, line.strip(" \r")) for at, line in enumerate(text.split("\n"))]
    full = [(at, line) for at, line in lines if line]
    (_, head), *traits = full
    try:
        texts = read_traits([line for _, line in traits])
    except LineError as problem:
        problem.index = traits[problem.index][0] if traits else full[0][0]
        raise
    return "+/" + sequence.join([head[2:], *texts], "/")


def _text_line(data: bytes, index: int) -> int:
    """The line on which the text of an element begins, by the element's number in the file.

    The tree knows lines only up to 65,535.
    """
    parser = expat.ParserCreate()
    count = -1
    line = 0

    def start(_name: str, _attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1

    def text(_text: str) -> None:
        nonlocal line
        if count == index and not line:
            line = parser.CurrentLineNumber

    parser.StartElementHandler = start
    parser.CharacterDataHandler = text
    try:
        parser.Parse(data, True)
    except expat.ExpatError:
        return line
    return line
