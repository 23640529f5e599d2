"""The images of a module: what is there, how large, what names it, what is missing or unused."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from hexmarshal.errors import HexMarshalError
from hexmarshal.vassal.components import HtmlChart
from hexmarshal.vassal.components.attributes import Image
from hexmarshal.vassal.container.kind import BUILD_FILES
from hexmarshal.vassal.images.engine_resources import engine_has_image
from hexmarshal.vassal.images.image_size import image_size
from hexmarshal.vassal.images.image_uses import image_uses
from hexmarshal.vassal.pieces.glance import glance
from hexmarshal.vassal.pieces.piece import piece_type
from hexmarshal.vassal.pieces.references import images_in
from hexmarshal.vassal.saves.nested_saves import nested_saves, open_nested
from hexmarshal.vassal.xml.component_paths import spoken

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from hexmarshal.vassal.components import Component
    from hexmarshal.vassal.module import Module

__all__ = [
    "FOLDER",
    "HTML_IMAGE",
    "TEXT_IMAGE",
    "ImageFile",
    "Reference",
    "all_texts",
    "html_entries",
    "image_files",
    "missing_images",
    "name_patterns",
    "page_image",
    "references",
    "unused_images",
]

_BETWEEN: Final = frozenset(";\t\n")
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
        places.setdefault(_entry_of(module, reference), []).append(str(reference))
    return [
        ImageFile(entry, len(data), image_size(data[:_SIZE_FROM]), tuple(places.get(entry, ())))
        for entry in _entries(module)
        for data in (module.read(entry),)
    ]


def _entries(module: Module) -> list[str]:
    return [
        entry
        for entry in module.entries()
        if entry.startswith(FOLDER) and not entry.lower().endswith(_NOT_IMAGES)
    ]


def _entry_of(module: Module, reference: Reference) -> str | None:
    if reference.field == "page":
        return reference.name
    found = module.find_image(reference.name)
    return None if found is None or found.archive != 0 else found.entry


def references(module: Module, gone: Collection[str] = ()) -> Iterator[Reference]:
    """Everything that names an image: components, pieces, pages, set-ups inside the module.

    What a page names is given as the entry that it leads to, with the field `page`. Pieces of
    set-ups with a gpid that is `gone` do not count.
    """
    for use in image_uses(module):
        yield Reference(use.name, use.component, use.attribute or "piece")
    for component in module.walk():
        yield from _in_texts(module, component)
    for entry in html_entries(module):
        for raw in HTML_IMAGE.finditer(module.read(entry)):
            found = page_image(module, entry, raw[2])
            if found is not None:
                yield Reference(found, entry=entry, field="page")
    for entry in nested_saves(module):
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


def _in_texts(module: Module, component: Component) -> Iterator[Reference]:
    """Images in formatted strings, and those that parts of a module's own code name."""
    declared = component.declared
    for attribute, value in component.element.attrib.items():
        kind = declared.get(str(attribute))
        text = str(value)
        if isinstance(kind, Image):
            continue
        if "<img" in text.lower():
            for found in TEXT_IMAGE.finditer(text):
                yield Reference(found[2], component, str(attribute))
        elif kind is None and text and "\n" not in text and module.find_image(text):
            yield Reference(text, component, str(attribute))
    for option in component.asides("option"):
        if option.text and not option.text.startswith("/") and module.find_image(option.text):
            yield Reference(option.text, component, f"option {option.get('name', '')}")


def html_entries(module: Module) -> list[str]:
    """The pages in the archive."""
    return [entry for entry in module.entries() if entry.lower().endswith(_PAGES)]


def page_image(module: Module, page: str, raw: bytes) -> str | None:
    """The entry that an image of a page leads to; None if it is not in the archive.

    A chart looks among the module's images, a page of help beside itself.
    """
    source = _source(raw)
    if not source or "://" in source or source.startswith("data:"):
        return None
    beside = posixpath.normpath(posixpath.join(posixpath.dirname(page), source))
    found = module.find_image(source)
    if found is not None and found.archive == 0:
        return found.entry
    return beside if module.has(beside) else None


def _source(raw: bytes) -> str:
    return unquote(raw.strip(b"\"'").decode("utf-8", "replace")).partition("?")[0]


def missing_images(
    module: Module, drawn: frozenset[str] = frozenset()
) -> dict[str, list[Component]]:
    """Images that components or pieces name and that are nowhere; `drawn` ones need no file."""
    found: dict[str, dict[Component, None]] = {}
    for name, component in (*_named_by_components(module), *_named_by_charts(module)):
        if name in drawn or engine_has_image(name) or "$" in name:
            continue
        if name.startswith("/") or module.find_image(name) is None:
            found.setdefault(name, {})[component] = None
    return {name: list(components) for name, components in found.items()}


def _named_by_components(module: Module) -> Iterator[tuple[str, Component]]:
    return ((use.name, use.component) for use in image_uses(module))


def _named_by_charts(module: Module) -> Iterator[tuple[str, Component]]:
    """Images of pages that are charts: the engine looks for them among the module's images."""
    for chart in module.each(HtmlChart):
        page = chart.file_name
        for raw in HTML_IMAGE.finditer(module.read(page)) if module.has(page) else ():
            source = _source(raw[2])
            if source and ":" not in source and page_image(module, page, raw[2]) is None:
                yield source, chart


def unused_images(module: Module) -> list[str]:
    """Entries that nothing names, neither where images are named nor in any other text."""
    # Most images are named many times, and each name is followed once.
    named = {(found.name, found.field == "page"): found for found in references(module)}
    used = {_entry_of(module, reference) for reference in named.values()}
    left = [entry for entry in _entries(module) if entry not in used]
    if not left:
        return []
    texts = list(all_texts(module))
    patterns = [pattern for text in texts for _, pattern in name_patterns(text)]
    fields = "\n".join(map(_distinct_fields, texts))
    return [
        entry
        for entry in left
        if not _mentioned(_mention(entry), fields, texts)
        and not any(pattern.fullmatch(entry.removeprefix(FOLDER)) for pattern in patterns)
    ]


def _distinct_fields(text: str) -> str:
    """Each field of a text once: pieces repeat theirs a hundred times."""
    return "\n".join(set(text.replace(";", "\n").replace("\t", "\n").split("\n")))


def _mentioned(name: str, fields: str, texts: list[str]) -> bool:
    if not _BETWEEN.intersection(name):
        return name in fields
    return any(name in text for text in texts)


def _mention(entry: str) -> str:
    name = entry.removeprefix(FOLDER)
    return name.removesuffix(".gif") if len(name) > len(".gif") + 3 else name


def name_patterns(text: str) -> Iterator[tuple[str, re.Pattern[str]]]:
    """Names of images that are put together in play, such as `flag-$Nation$.png`."""
    for found in TEXT_IMAGE.finditer(text):
        if "$" in found[2]:
            literals = re.split(r"\$[^$]*\$", found[2])
            if any(literal.strip("./") for literal in literals):
                yield found[2], re.compile(".*".join(map(re.escape, literals)))


def all_texts(module: Module) -> Iterator[str]:
    """Every text that may mention an image, without the backslashes of VASSAL's escapes."""
    parts: list[str] = []
    for element in module.document.root.iter():
        parts += map(str, element.attrib.values())
        parts.append(element.text or "")
    yield "\n".join(parts).replace("\\", "")
    for entry in html_entries(module):
        yield unquote(module.read(entry).decode("utf-8", "replace"))
    for entry in nested_saves(module):
        try:
            yield open_nested(module, entry).text.replace("\\", "")
        except HexMarshalError:
            continue
    for entry in module.entries():
        if entry.endswith((".properties", ".css", ".class", ".xml")) and entry not in BUILD_FILES:
            yield module.read(entry).decode("latin-1")
