"""The colours of board pictures, and how scenarios change them: winter, no grain, hills levelled.

The shared metadata name the colours and say which becomes which; a board may have some of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from lxml import etree

from hexmarshal.vassal.vasl.catalogue import SHARED_METADATA
from hexmarshal.vassal.vasl.metadata import ENTRY

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy.typing as npt

    from hexmarshal.vassal.container.archive import Archive

__all__ = ["BoardColours"]

_PARTS: Final = ("red", "green", "blue")


class BoardColours:
    """The colours of one board by name, and its changes of colours."""

    def __init__(self, folder: Path, archive: Archive) -> None:
        self._colours: dict[str, int] = {}
        self._changes: dict[str, list[tuple[str, str]]] = {}
        shared = folder / SHARED_METADATA
        if shared.is_file():
            self._learn(shared.read_bytes())
        if archive.has(ENTRY):
            self._learn(archive.read(ENTRY))

    def _learn(self, data: bytes) -> None:
        """What later files say counts."""
        try:
            root = etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True))
        except etree.XMLSyntaxError:
            return
        for element in root.iter("color"):
            parts = [str(element.attrib.get(part, "")) for part in _PARTS]
            if all(part.isdecimal() and int(part) < 256 for part in parts):
                red, green, blue = map(int, parts)
                colour = (red << 16) | (green << 8) | blue
                self._colours[str(element.attrib.get("name", ""))] = colour
        for rule in root.iter("colorSSR"):
            pairs = [
                (str(one.attrib.get("fromColor", "")), str(one.attrib.get("toColor", "")))
                for one in rule.iter("colorMap")
            ]
            self._changes[str(rule.attrib.get("name", ""))] = pairs

    def knows(self, rule: str) -> bool:
        """Whether a scenario's rule changes colours of this board."""
        return bool(self._changes.get(rule))

    def changed(
        self, picture: npt.NDArray[np.uint8], rules: Sequence[str]
    ) -> npt.NDArray[np.uint8]:
        """A picture after these rules, one after the other as they are named."""
        becomes: dict[int, int] = {}
        for rule in rules:
            step = {
                self._colours[old]: self._colours[new]
                for old, new in self._changes.get(rule, ())
                if old in self._colours and new in self._colours
            }
            becomes = {old: step.get(new, new) for old, new in becomes.items()}
            becomes = {**step, **becomes}
        if not becomes:
            return picture
        wide = picture.astype(np.int64)
        colours = (wide[..., 0] << 16) | (wide[..., 1] << 8) | wide[..., 2]
        order = np.array(sorted(becomes), np.int64)
        new = np.array([becomes[int(colour)] for colour in order], np.int64)
        at = np.clip(np.searchsorted(order, colours), 0, order.size - 1)
        colours = np.where(order[at] == colours, new[at], colours)
        changed = np.stack([colours >> 16, colours >> 8, colours], axis=-1) & 255
        return np.ascontiguousarray(changed.astype(np.uint8))
