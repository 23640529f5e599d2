"""How VASSAL formats XML: one serializer, and the few things in which files of its ages differ."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from lxml import etree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element

__all__ = ["Style"]

_DECLARATION: Final = '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n'
# The engine writes what UTF-16 needs two units for as a decimal reference.
_ASTRAL: Final = re.compile("[\U00010000-\U0010ffff]")
_ASTRAL_OR_NEL: Final = re.compile("[\x85\U00010000-\U0010ffff]")
_TEXT_ENTITIES: Final = (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\r", "&#13;"))
_ATTRIBUTE_ENTITIES: Final = (
    *_TEXT_ENTITIES,
    ('"', "&quot;"),
    ("\t", "&#9;"),
    ("\n", "&#10;"),
)
_SAMPLE: Final = 65536
_EMPTY_PAIR: Final = re.compile(rb"<([^\s/>!?]+)(?:\s[^<>]*)?></\1>")


@dataclass(frozen=True, slots=True)
class Style:
    """The formatting of one file; the default is what engines from 3.5 on write on Linux."""

    prolog: str = _DECLARATION
    epilog: str = "\n"
    separator: str = "\n"
    """Between two elements; empty when the whole file is one line."""
    indent: str = "    "
    newline: str = "\n"
    """What a line end inside text becomes."""
    empty_pairs: bool = False
    """Whether an empty element is written as a start and an end tag."""
    encoding: str = "utf-8"

    @classmethod
    def detect(cls, data: bytes, root: _Element, root_at: int, encoding: str) -> Style:
        """The style of a parsed file."""
        newline_at = data.find(b"\n")
        newline = "\r\n" if newline_at > 0 and data[newline_at - 1] == 0x0D else "\n"
        separator, indent = newline, "    "
        if len(root):
            lead = root.text or ""
            separator = newline if "\n" in lead else ""
            indent = lead.rpartition("\n")[2] if separator and not lead.strip() else ""
        pairs = b"/>" not in data and _EMPTY_PAIR.search(data, 0, _SAMPLE) is not None
        root_end = data.rfind(b">") + 1
        if root.getnext() is not None:
            closing = data.rfind(b"</" + str(root.tag).encode(encoding))
            root_end = data.find(b">", closing) + 1 if closing >= 0 else root_end
        return cls(
            prolog=data[:root_at].decode(encoding, "surrogateescape"),
            epilog=data[root_end:].decode(encoding, "surrogateescape"),
            separator=separator,
            indent=indent,
            newline=newline,
            empty_pairs=pairs,
            encoding=encoding,
        )

    def document(self, root: _Element) -> bytes:
        """The bytes of a whole file."""
        body = self.element(root)
        return self.encode(f"{self.prolog}{body}{self.epilog}")

    def encode(self, text: str) -> bytes:
        """Text in the file's encoding; what it lacks becomes a reference."""
        if self.encoding.startswith("utf"):
            return text.encode("utf-8", "surrogateescape")
        return text.encode(self.encoding, "xmlcharrefreplace")

    def element(self, element: _Element, depth: int = 0) -> str:
        """An element with all it holds, without the indentation of its first line."""
        out = "".join(self._pieces(element, depth))
        return out[len(self.indent) * depth :].removesuffix(self.separator)

    def start_tag(self, element: _Element) -> str:
        """`<tag name="value" ...` without its end; attributes sorted by name."""
        items = cast("list[tuple[str, str]]", element.items())
        if not items:
            return f"<{element.tag}"
        items.sort()
        # One pass over all values at C speed; U+0000, which XML cannot hold, stands for our quotes.
        text = " ".join([f"{name}=\0{value}\0" for name, value in items])
        for char, entity in _ATTRIBUTE_ENTITIES:
            if char in text:
                text = text.replace(char, entity)
        if not text.isascii():
            text = _ASTRAL.sub(_reference, text)
        return f"<{element.tag} {text}".replace("\0", '"')

    def text(self, text: str) -> str:
        """Escaped text, its line ends as in the rest of the file."""
        for char, entity in _TEXT_ENTITIES:
            if char in text:
                text = text.replace(char, entity)
        if not text.isascii():
            text = _ASTRAL_OR_NEL.sub(_reference, text)
        return text.replace("\n", self.newline) if self.newline != "\n" else text

    def _pieces(self, top: _Element, depth: int) -> Iterator[str]:
        separator, indent = self.separator, self.indent
        levels: list[Iterator[_Element]] = [iter((top,))]
        closings: list[str] = []
        margin = indent * depth
        # Not recursive: nothing limits how deep a hostile file nests.
        while levels:
            element = next(levels[-1], None)
            if element is None:
                levels.pop()
                if closings:
                    margin = indent * (depth + len(closings) - 1)
                    yield closings.pop()
                continue
            tag: object = element.tag
            tail = "" if element is top else self._stray(element.tail, margin)
            if not isinstance(tag, str):
                yield f"{margin}{self._aside(element)}{separator}{tail}"
            elif len(element):
                closings.append(f"{margin}</{tag}>{separator}{tail}")
                levels.append(iter(element))
                start = f"{margin}{self.start_tag(element)}>{separator}"
                margin = indent * (depth + len(closings))
                yield start + self._stray(element.text, margin)
            else:
                text = element.text
                if text and not (text.isspace() and "\n" in text):
                    content = f">{self.text(text)}</{tag}>"
                else:
                    content = f"></{tag}>" if self.empty_pairs else "/>"
                yield f"{margin}{self.start_tag(element)}{content}{separator}{tail}"

    def _stray(self, text: str | None, margin: str) -> str:
        """Text between elements, on a line of its own; the engine never writes any."""
        if not text or text.isspace():
            return ""
        return f"{margin}{self.text(text.strip())}{self.separator}"

    def _aside(self, element: _Element) -> str:
        """A comment or processing instruction, which the engine would drop and we keep."""
        raw = etree.tostring(element, encoding="unicode", with_tail=False)
        return raw.replace("\n", self.newline)


def _reference(match: re.Match[str]) -> str:
    return f"&#{ord(match[0])};"
