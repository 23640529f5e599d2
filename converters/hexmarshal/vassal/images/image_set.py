"""The images of a module: what is there, how large, what names it, what is missing or unused."""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast
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
    from collections.abc import Collection, Iterable, Iterator

    from hexmarshal.vassal.components import Component
    from hexmarshal.vassal.module import Module

__all__ = [
    "FOLDER",
    "HTML_IMAGE",
    "TEXT_IMAGE",
    "ImageFile",
    "MissingImages",
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

_WORD: Final = re.compile(r"\w+")
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


def _names(module: Module) -> set[str]:
    """What the images of the archive are called: most names that a module uses are among them."""
    entries = module.entries()
    names = (entry.removeprefix(FOLDER) for entry in entries if entry.startswith(FOLDER))
    # What begins with a slash is the engine's own.
    return {name for name in names if name[:1] not in {"", "/"}}


def _entry_of(module: Module, reference: Reference) -> str | None:
    return reference.name if reference.field == "page" else _entry_named(module, reference.name)


def _entry_named(module: Module, name: str) -> str | None:
    found = module.find_image(name)
    return None if found is None or found.archive != 0 else found.entry


def references(module: Module, gone: Collection[str] = ()) -> Iterator[Reference]:
    """Everything that names an image: components, pieces, pages, set-ups inside the module.

    What a page names is given as the entry that it leads to, with the field `page`. Pieces of
    set-ups with a gpid that is `gone` do not count.
    """
    for use in image_uses(module):
        yield Reference(use.name, use.component, use.attribute or "piece")
    yield from _other_references(module, gone)


def _other_references(module: Module, gone: Collection[str] = ()) -> Iterator[Reference]:
    """What is named elsewhere than in attributes for images and in the pieces of slots."""
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
    for attribute, text in cast("list[tuple[str, str]]", component.element.items()):
        kind = declared.get(attribute)
        if "<" in text and "<img" in text.lower():
            if not isinstance(kind, Image):
                for found in TEXT_IMAGE.finditer(text):
                    yield Reference(found[2], component, attribute)
        elif kind is None and text and "\n" not in text and module.find_image(text):
            yield Reference(text, component, attribute)
    for option in component.asides("option") if len(component.element) else ():
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


class MissingImages:
    """Images that components or pieces name and that are nowhere, gathered one by one."""

    def __init__(self, module: Module) -> None:
        self._module = module
        there = _names(module)
        # A name without a suffix means a GIF.
        self._there = there | {name.removesuffix(".gif") for name in there}
        self.found: dict[str, dict[Component, None]] = {}

    def note(self, component: Component, names: Iterable[str]) -> None:
        """Names that a component has. Most have come before, and each is followed once."""
        for name in names:
            if name in self._there:
                continue
            if name not in self.found and _is_there(self._module, name):
                self._there.add(name)
            else:
                self.found.setdefault(name, {})[component] = None

    def users(self) -> dict[str, list[Component]]:
        """Who names each, charts included."""
        for source, chart in _named_by_charts(self._module):
            self.note(chart, (source,))
        return {name: [*users] for name, users in self.found.items()}


def missing_images(
    module: Module, drawn: frozenset[str] = frozenset()
) -> dict[str, list[Component]]:
    """Images that components or pieces name and that are nowhere; `drawn` ones need no file."""
    missing = MissingImages(module)
    for use in image_uses(module):
        missing.note(use.component, (use.name,))
    return {name: users for name, users in missing.users().items() if name not in drawn}


def _is_there(module: Module, name: str) -> bool:
    """Whether an image is found, or will be: the name may be completed in play."""
    if engine_has_image(name) or "$" in name:
        return True
    return not name.startswith("/") and module.find_image(name) is not None


def _named_by_charts(module: Module) -> Iterator[tuple[str, Component]]:
    """Images of pages that are charts: the engine looks for them among the module's images."""
    for element in module.root.element.iter(HtmlChart.tag):
        chart = HtmlChart(element)
        page = chart.file_name
        for raw in HTML_IMAGE.finditer(module.read(page)) if module.has(page) else ():
            source = _source(raw[2])
            if source and ":" not in source and page_image(module, page, raw[2]) is None:
                yield source, chart


def unused_images(module: Module, named: set[str] | None = None) -> list[str]:
    """Entries that nothing names, neither where images are named nor in any other text.

    Who has gathered what components and pieces name gives it, so that it is not gathered again.
    """
    if named is None:
        named = {use.name for use in image_uses(module)}
    # Most images are named many times, and each name is followed once.
    others = {(found.name, found.field == "page"): found for found in _other_references(module)}
    used = {_entry_of(module, other) for other in others.values()}
    there = _names(module)
    used |= {FOLDER + name if name in there else _entry_named(module, name) for name in named}
    left = [entry for entry in _entries(module) if entry not in used]
    if not left:
        return []
    texts = list(all_texts(module))
    patterns = [pattern for text in texts for _, pattern in name_patterns(text)]
    mentions = _Mentions(texts)
    return [
        entry
        for entry in left
        if _mention(entry) not in mentions
        and not any(pattern.fullmatch(entry.removeprefix(FOLDER)) for pattern in patterns)
    ]


def _distinct_fields(text: str) -> str:
    """Each field of a text once: pieces repeat theirs a hundred times."""
    fields = "\n".join(set(text.split(";")))
    return "\n".join(set(fields.replace("\t", "\n").split("\n")))


class _Mentions:
    """Whether a name stands somewhere in texts of megabytes, told by their distinct words."""

    def __init__(self, texts: list[str]) -> None:
        self._texts = texts
        self._fields = "\n".join(map(_distinct_fields, texts))
        self._words = set(_WORD.findall(self._fields))
        self._sorted = sorted(self._words)
        self._joined = "\n".join(self._sorted)

    def __contains__(self, name: str) -> bool:
        if not _BETWEEN.isdisjoint(name):
            return any(name in text for text in self._texts)
        words = _WORD.findall(name)
        if words == [name]:
            return name in self._joined
        # Where the name stands, its words stand whole but for the first's start and last's end.
        return self._may_hold(words) and name in self._fields

    def _may_hold(self, words: list[str]) -> bool:
        if not self._words.issuperset(words[1:-1]):
            return False
        if len(words) < 2:
            return True
        at = bisect_left(self._sorted, words[-1])
        return at < len(self._sorted) and self._sorted[at].startswith(words[-1])


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
        parts += cast("list[str]", element.values())
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
