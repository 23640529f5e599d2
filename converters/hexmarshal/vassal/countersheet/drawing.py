"""A picture for a counter: a drawing with `{name}` and `{Marker: X}` in it, filled from a row."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape

from lxml import etree

from hexmarshal.errors import BadInputError, Place
from hexmarshal.errors.names import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["draw", "picture_name"]

_BLANK: Final = re.compile(r"\{([A-Za-z][^{}\n]{0,100})\}")
_UNSAFE: Final = re.compile(r"[^\w.-]+")


def draw(template: str, cells: Mapping[str, str], place: Place) -> bytes:
    """The drawing with every blank filled; what a row does not tell is left out."""

    def fill(found: re.Match[str]) -> str:
        title = found[1].strip()
        if title not in cells:
            # A style sheet has braces too, with colons and semicolons of its own.
            if ";" in title or ("#" in title and ":" in title):
                return found[0]
            raise BadInputError(
                f"the drawing asks for {title!r}, which is no column of the sheet",
                place=place,
                hint=did_you_mean(title, cells, f"columns: {', '.join(cells)}"),
            )
        return escape(cells[title], {'"': "&quot;"})

    drawn = _BLANK.sub(fill, template).encode("utf-8")
    try:
        root = etree.fromstring(drawn, etree.XMLParser(resolve_entities=False, no_network=True))
    except etree.XMLSyntaxError as why:
        raise BadInputError(f"the drawing is no SVG: {why.msg}", place=place) from why
    if etree.QName(root).localname != "svg":
        raise BadInputError("the drawing is no SVG", place=place)
    return drawn


def picture_name(name: str, taken: set[str]) -> str:
    """A file name for the picture of a counter, of which there is none yet."""
    stem = _UNSAFE.sub("_", name).strip("_") or "counter"
    found, number = f"{stem}.svg", 2
    while found in taken:
        found, number = f"{stem}-{number}.svg", number + 1
    return found
