"""The images of a module: what is there, how large, what names it, what is missing or unused."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, cast
from urllib.parse import unquote

from lxml import etree

from hexmarshal.errors import HexMarshalError
from hexmarshal.vassal.components.attributes import Image
from hexmarshal.vassal.components.base import ASIDES, STOCK, view
from hexmarshal.vassal.container.kind import BUILD_FILES
from hexmarshal.vassal.images.image_size import image_size
from hexmarshal.vassal.images.image_uses import image_uses
from hexmarshal.vassal.pieces.glance import glance
from hexmarshal.vassal.pieces.piece import piece_type
from hexmarshal.vassal.pieces.references import images_in
from hexmarshal.vassal.saves.nested_saves import nested_saves, open_nested
from hexmarshal.vassal.xml.component_paths import spoken

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from lxml.etree import _Element

    from hexmarshal.vassal.components import Component
    from hexmarshal.vassal.module import Module

__all__ = [
    "FOLDER",
    "HTML_IMAGE",
    "TEXT_IMAGE",
    "ImageFile",
    "Reference",
    "all_texts",
    "build_texts",
    "code",
    "entry_named",
    "entry_names",
    "entry_of",
    "html_entries",
    "image_entries",
    "image_files",
    "name_patterns",
    "other_references",
    "page_and_setup_texts",
    "page_image",
    "page_source",
    "references",
]

FOLDER: Final = "images/"
HTML_IMAGE: Final = re.compile(
    rb"(<img\b[^<>]{0,2000}?\bsrc\s*=\s*)(\"[^\"<>]*\"|'[^'<>]*'|[^\s\"'<>]+)", re.IGNORECASE
)
TEXT_IMAGE: Final = re.compile(
    r"(<img\b[^<>]{0,500}?\bsrc\s*=\s*[\"']?)([^\"'<>\s]+)", re.IGNORECASE
)
_PAGES: Final = (".html", ".htm", ".xhtml")
# Not pictures, though they lie among them.
_NOT_IMAGES: Final = (".db", ".ds_store", ".txt", ".bat", ".ini")
_CODE: Final = (".properties", ".css", ".class", ".xml")
_SIZE_FROM: Final = 1 << 18


@dataclass(frozen=True, slots=True)
class ImageFile:
    """An image in the archive; `pixels` is None if its size cannot be told."""

    entry: str
    bytes: int
    pixels: tuple[int, int] | None
    places: tuple[str, ...] = ()
    """Every place that names it, in words."""

    @property
    def uses(self) -> int:
        """How many places name it."""
        return len(self.places)

    @property
    def name(self) -> str:
        """What a module calls it."""
        return self.entry.removeprefix(FOLDER)


@dataclass(frozen=True, slots=True)
class Reference:
    """One place that names an image: a component, or an entry such as a page or a set-up."""

    name: str
    component: Component | None = None
    field: str = ""
    entry: str = ""

    def __str__(self) -> str:
        if self.component is None:
            return self.entry
        return f"{spoken(self.component)}: {self.field}"


def image_files(module: Module) -> list[ImageFile]:
    """Every image in the archive, in the order of the archive."""
    places: dict[str | None, list[str]] = {}
    for reference in references(module):
        places.setdefault(entry_of(module, reference), []).append(str(reference))
    return [
        ImageFile(entry, len(data), image_size(data[:_SIZE_FROM]), tuple(places.get(entry, ())))
        for entry in image_entries(module)
        for data in (module.read(entry),)
    ]


def image_entries(module: Module) -> list[str]:
    """The entries that are images, in the order of the archive."""
    return [
        entry
        for entry in module.entries()
        if entry.startswith(FOLDER) and not entry.lower().endswith(_NOT_IMAGES)
    ]


def entry_names(module: Module) -> set[str]:
    """What the images of the archive are called: most names that a module uses are among them."""
    entries = module.entries()
    names = (entry.removeprefix(FOLDER) for entry in entries if entry.startswith(FOLDER))
    # What begins with a slash is the engine's own.
    return {name for name in names if name[:1] not in {"", "/"}}


def entry_of(module: Module, reference: Reference) -> str | None:
    """The entry that a reference leads to, if the archive has it."""
    return reference.name if reference.field == "page" else entry_named(module, reference.name)


def entry_named(module: Module, name: str) -> str | None:
    """The entry that a name leads to, if the archive has it."""
    found = module.find_image(name)
    return None if found is None or found.archive != 0 else found.entry


def references(module: Module, gone: Collection[str] = ()) -> Iterator[Reference]:
    """Everything that names an image: components, pieces, pages, set-ups inside the module.

    What a page names is given as the entry that it leads to, with the field `page`. Pieces of
    set-ups with a gpid that is `gone` do not count.
    """
    for use in image_uses(module):
        yield Reference(use.name, use.component, use.attribute or "piece")
    yield from other_references(module, gone)


def other_references(
    module: Module, gone: Collection[str] = (), *, saves: bool = True
) -> Iterator[Reference]:
    """What is named elsewhere than in attributes for images and in the pieces of slots."""
    root = module.root.element
    for component in map(view, filter(_unusual, root.iter(etree.Element))):
        if component.class_name not in ASIDES:
            yield from _in_texts(module, component)
    for option in root.iter("option"):
        text, above = option.text, option.getparent()
        if text and above is not None and not text.startswith("/") and module.find_image(text):
            yield Reference(text, view(above), f"option {option.get('name', '')}")
    for entry in html_entries(module):
        for raw in HTML_IMAGE.finditer(module.read(entry)):
            found = page_image(module, entry, raw[2])
            if found is not None:
                yield Reference(found, entry=entry, field="page")
    for entry in nested_saves(module) if saves else ():
        try:
            types = dict.fromkeys(
                command.type
                for command in open_nested(module, entry).pieces()
                if not gone or glance("", command.type, command.state).gpid not in gone
            )
        except HexMarshalError:
            continue
        traits = dict.fromkeys(trait.source for text in types for trait in piece_type(text).traits)
        named = dict.fromkeys(name for text in traits if text for name in images_in(text))
        yield from (Reference(name, entry=entry) for name in named)


def _unusual(element: _Element) -> bool:
    """Whether an element may name an image by the way; most are slots with what slots have."""
    if not _all_declared(element.tag, tuple(element.keys())):
        return True
    return "<" in "".join(cast("list[str]", element.values()))


@lru_cache(maxsize=1 << 10)
def _all_declared(tag: str, attributes: tuple[str, ...]) -> bool:
    cls = STOCK.get(tag)
    return cls is not None and cls.declared.keys() >= {*attributes}


def _in_texts(module: Module, component: Component) -> Iterator[Reference]:
    """Images in formatted strings, and those that parts of a module's own code name."""
    declared = component.declared
    for attribute, text in cast("list[tuple[str, str]]", component.element.items()):
        kind = declared.get(attribute)
        if "<" in text and "<img" in text.lower():
            if not isinstance(kind, Image):
                for found in TEXT_IMAGE.finditer(text):
                    yield Reference(found[2], component, attribute)
        elif kind is None and text and "\n" not in text and module.find_image(text):
            yield Reference(text, component, attribute)


def html_entries(module: Module) -> list[str]:
    """The pages in the archive."""
    return [entry for entry in module.entries() if entry.lower().endswith(_PAGES)]


def page_image(module: Module, page: str, raw: bytes) -> str | None:
    """The entry that an image of a page leads to; None if it is not in the archive.

    A chart looks among the module's images, a page of help beside itself.
    """
    source = page_source(raw)
    if not source or "://" in source or source.startswith("data:"):
        return None
    beside = posixpath.normpath(posixpath.join(posixpath.dirname(page), source))
    found = module.find_image(source)
    if found is not None and found.archive == 0:
        return found.entry
    return beside if module.has(beside) else None


def page_source(raw: bytes) -> str:
    """What a page writes as the source of an image, without quotes and escapes."""
    return unquote(raw.strip(b"\"'").decode("utf-8", "replace")).partition("?")[0]


def name_patterns(text: str) -> Iterator[tuple[str, re.Pattern[str]]]:
    """Names of images that are put together in play, such as `flag-$Nation$.png`."""
    for found in TEXT_IMAGE.finditer(text):
        if "$" in found[2]:
            literals = re.split(r"\$[^$]*\$", found[2])
            if any(literal.strip("./") for literal in literals):
                yield found[2], re.compile(".*".join(map(re.escape, literals)))


def all_texts(module: Module) -> Iterator[str]:
    """Every text that may mention an image, without the backslashes of VASSAL's escapes."""
    yield "\n".join(build_texts(module)).replace("\\", "")
    yield from (text.replace("\\", "") for text in page_and_setup_texts(module))
    yield code(module).decode("latin-1")


def build_texts(module: Module, *, pieces: bool = True) -> list[str]:
    """Every attribute and text of the build file; the definitions of pieces may be left out."""
    found: list[str] = []
    for element in module.document.root.iter():
        found += cast("list[str]", element.values())
        text = element.text
        if text and (pieces or not text.startswith("+/")):
            found.append(text)
    return found


def page_and_setup_texts(module: Module) -> Iterator[str]:
    """What the pages and the set-ups of the archive say."""
    for entry in html_entries(module):
        yield unquote(module.read(entry).decode("utf-8", "replace"))
    for entry in nested_saves(module):
        try:
            yield open_nested(module, entry).text
        except HexMarshalError:
            continue


def code(module: Module) -> bytes:
    """The compiled classes and what they read, as it is."""
    wanted = (entry for entry in module.entries() if entry.endswith(_CODE))
    return b"\n".join(module.read_all(entry for entry in wanted if entry not in BUILD_FILES))
