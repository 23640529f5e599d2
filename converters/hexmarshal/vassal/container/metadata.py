"""The small XML files beside a build file or save: who wrote it, when, for which module."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from lxml import etree

from hexmarshal.errors import Place, UsageError, VassalFormatError
from hexmarshal.vassal.xml.xmlio import Document
from hexmarshal.vassal.xml.xmlstyle import Style

if TYPE_CHECKING:
    from lxml.etree import _Element

__all__ = ["Metadata"]

_STYLE: Final = Style(indent="  ")
# The order in which current engines write; what else is there keeps its place.
_ORDER: Final = (
    "version",
    "extra1",
    "extra2",
    "VassalVersion",
    "dateSaved",
    "description",
    "universal",
    "name",
)
_LEADING_NUMBERS: Final = re.compile(r"(\d+)(?:\.(\d+))?")


class Metadata:
    """One of `moduledata`, `extensiondata` and `savedata`; unknown elements stay as they are."""

    __slots__ = ("document",)

    def __init__(self, document: Document) -> None:
        self.document = document

    @classmethod
    def parse(cls, data: bytes, place: Place | None = None) -> Metadata:
        """Read a file."""
        document = Document.parse(data, place)
        if document.root.tag != "data":
            raise VassalFormatError(
                f"the root element is {document.root.tag}, not data", place=document.place
            )
        return cls(document)

    @classmethod
    def create(cls, elements: dict[str, str]) -> Metadata:
        """New metadata with these elements, in the engine's own order and formatting."""
        document = Document.create("data", replace(_STYLE))
        document.root.set("version", "1")
        made = cls(document)
        for name in sorted(elements, key=_rank):
            made.set(name, elements[name])
        return made

    def to_bytes(self) -> bytes:
        """The file; as it was read if nothing was changed."""
        return self.document.to_bytes()

    def get(self, name: str, lang: str | None = None) -> str | None:
        """An element's text, in a language or, without `lang`, in none; None if there is none."""
        element = self._find(name, lang)
        return None if element is None else element.text or ""

    def set(self, name: str, value: str | None, lang: str | None = None) -> None:
        """Set an element's text, where the engine would write it, or remove the element."""
        element = self._find(name, lang)
        if value is None:
            if element is not None:
                self.document.root.remove(element)
            return
        if element is None:
            element = etree.Element(name)
            if lang is not None:
                element.set("lang", lang)
            rank = _rank(name)
            before = [i for i, e in enumerate(self.document.root) if _rank(str(e.tag)) <= rank]
            self.document.root.insert(before[-1] + 1 if before else 0, element)
        try:
            element.text = value
        except ValueError as why:
            raise UsageError("XML cannot hold this text", place=Place(field=name)) from why

    def translations(self, name: str) -> dict[str, str]:
        """The texts of an element by language."""
        found = self.document.root.iterchildren(name)
        return {e.get("lang", ""): e.text or "" for e in found if e.get("lang")}

    @property
    def version(self) -> str:
        """The version of the module or extension."""
        return self.get("version") or ""

    @property
    def vassal_version(self) -> str:
        """The engine that wrote the file."""
        return self.get("VassalVersion") or ""

    @property
    def date_saved(self) -> int | None:
        """When it was written, in milliseconds since 1970 UTC."""
        text = (self.get("dateSaved") or "").strip()
        return int(text) if re.fullmatch(r"-?[0-9]{1,18}", text) else None

    @property
    def name(self) -> str:
        """The name of the module."""
        return self.get("name") or ""

    @property
    def description(self) -> str:
        """What people wrote about it."""
        return self.get("description") or ""

    @property
    def universal(self) -> bool:
        """Whether an extension fits any module."""
        return self.get("universal") == "true"

    @property
    def uses_old_build_file(self) -> bool:
        """Whether an engine before 3.5 wrote it: then `buildFile` is read, not `buildFile.xml`."""
        numbers = _LEADING_NUMBERS.match(self.vassal_version)
        if numbers is None:
            return True
        return (int(numbers[1]), int(numbers[2] or 0)) < (3, 5)

    def _find(self, name: str, lang: str | None) -> _Element | None:
        found = self.document.root.iterchildren(name)
        return next((e for e in found if e.get("lang") == lang), None)


def _rank(name: str) -> int:
    return _ORDER.index(name) if name in _ORDER else len(_ORDER)
