"""Renames images of a module and follows every reference: components, pieces, pages, set-ups."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, unquote

from hexmarshal.errors import HexMarshalError, NotFoundError, Place, UsageError, VassalFormatError
from hexmarshal.vassal.components import GamePieceImage, GamePieceLayout
from hexmarshal.vassal.components.attributes import Image
from hexmarshal.vassal.container.zipraw import check_name
from hexmarshal.vassal.images.image_set import (
    FOLDER,
    HTML_IMAGE,
    TEXT_IMAGE,
    all_texts,
    html_entries,
    name_patterns,
    page_image,
)
from hexmarshal.vassal.pieces.piece import format_add, parse_add
from hexmarshal.vassal.pieces.piece_rewrite import rewrite_pieces
from hexmarshal.vassal.pieces.references import with_images
from hexmarshal.vassal.saves.nested_saves import nested_saves, open_nested

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.vassal.components import Component
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.pieces.piece import Piece

__all__ = ["Renaming", "rename_images"]

_GIF: Final = ".gif"
_LANGUAGE: Final = re.compile(r"images_[^/]+/")


@dataclass(slots=True)
class Renaming:
    """What was renamed: entries, how many places followed, and who still mentions an old name."""

    entries: dict[str, str] = field(default_factory=dict)
    components: int = 0
    pages: int = 0
    saves: int = 0
    mentions: list[str] = field(default_factory=list)
    """Old names that some text still holds, where it cannot be told whether an image is meant."""


def rename_images(module: Module, names: Mapping[str, str]) -> Renaming:
    """Give images new names, as a module calls them; the module is changed but not saved."""
    renamer = _Renamer(module, names)
    for component in list(module.walk()):
        renamer.component(component)
    for entry in html_entries(module):
        renamer.page(entry)
    for entry in nested_saves(module):
        renamer.save(entry)
    renamer.finish()
    return renamer.done


class _Renamer:
    def __init__(self, module: Module, names: Mapping[str, str]) -> None:
        self._module = module
        self._new = _checked(module, names)
        self._known: dict[str, str] = {}
        self._changed: dict[str, bytes] = {}
        self._probes = [_probe(entry.removeprefix(FOLDER)) for entry in self._new]
        self.done = Renaming()

    def name(self, old: str) -> str:
        """The new name for a reference, whichever way it leads to the image."""
        if old not in self._known:
            found = self._module.find_image(old) if old else None
            new = self._new.get(found.entry, "") if found is not None else ""
            name = new.removeprefix(FOLDER)
            if name.endswith(_GIF) and not old.endswith(_GIF):
                name = name.removesuffix(_GIF)
            self._known[old] = name or old
        return self._known[old]

    def piece(self, piece: Piece) -> Piece:
        """A piece with its references changed."""
        text = piece.type.text + piece.state_text
        if not any(probe in text for probe in self._probes):
            return piece
        return with_images(piece, self.name)

    def component(self, component: Component) -> None:
        """Change the attributes, options and definition of a component."""
        before = self.done.components
        for attribute, value in list(component.element.attrib.items()):
            old, name = str(value), str(attribute)
            new = self._attribute(component, name, old)
            if new != old:
                component.set(name, new)
                self.done.components = before + 1
        for option in component.asides("option"):
            if option.text and (new := self.name(option.text)) != option.text:
                option.text = new
                self.done.components = before + 1
        if component.holds_piece and component.text.strip():
            try:
                piece = parse_add(component.text.strip())
                changed = self.piece(piece)
            except VassalFormatError:
                return
            if changed is not piece and changed != piece:
                component.text = format_add(changed)
                self.done.components = before + 1

    def _attribute(self, component: Component, name: str, old: str) -> str:
        declared = component.declared.get(name)
        if isinstance(declared, Image):
            return self.name(old)
        if "<img" in old.lower():
            return TEXT_IMAGE.sub(lambda found: found[1] + self.name(found[2]), old)
        if declared is None:
            # Of a module's own class: what is exactly the name of an image is one.
            return self.name(old)
        if isinstance(component, GamePieceLayout | GamePieceImage):
            return self._words(old)
        return old

    def _words(self, text: str) -> str:
        """Names that stand as whole words in a text of tokens."""
        for entry, new in self._new.items():
            old = re.escape(entry.removeprefix(FOLDER))
            target = new.removeprefix(FOLDER).replace("\\", "\\\\")
            text = re.sub(rf"(?<![\w.-]){old}(?![\w.-])", target, text)
        return text

    def page(self, entry: str) -> None:
        """Change the images of a page."""
        data = self._module.read(entry)
        changed = HTML_IMAGE.sub(lambda found: found[1] + self._source(entry, found[2]), data)
        if changed != data:
            self._changed[entry] = changed
            self.done.pages += 1

    def _source(self, page: str, raw: bytes) -> bytes:
        target = page_image(self._module, page, raw)
        if target is None or target not in self._new:
            return raw
        text = raw.strip(b"\"'").decode("utf-8", "replace")
        old, new = (e.removeprefix(FOLDER) for e in (target, self._new[target]))
        if text != unquote(text):
            new = quote(new)
        plain = unquote(text)
        before = plain[: -len(old)] if plain.endswith(old) else ""
        mark = raw[:1].decode() if raw[:1] in b"\"'" else '"'
        return f"{mark}{before}{new}{mark}".encode()

    def save(self, entry: str) -> None:
        """Change the pieces of a saved game inside the module."""
        try:
            saved = open_nested(self._module, entry)
            changed = rewrite_pieces(saved, self.piece)
        except HexMarshalError:
            self.done.mentions.append(f"{entry} cannot be read and is left as it is")
            return
        if changed is not saved:
            self._changed[entry] = changed.to_bytes()
            self.done.saves += 1

    def finish(self) -> None:
        """Move the files themselves, and look for old names that are left."""
        module = self._module
        moved = {new: module.read(old) for old, new in self._new.items()}
        module.changes |= dict.fromkeys(self._new, None)
        module.changes |= moved
        module.changes |= self._changed
        self.done.entries = dict(self._new)
        free = [e.removeprefix(FOLDER) for e in self._new if not module.has(e)]
        texts = list(all_texts(module))
        self.done.mentions += [n for n in free if any(_mentions(text, n) for text in texts)]
        for source, pattern in dict(p for text in texts for p in name_patterns(text)).items():
            if any(pattern.fullmatch(name) for name in free):
                self.done.mentions.append(f"{source}, a name that is put together in play")


def _checked(module: Module, names: Mapping[str, str]) -> dict[str, str]:
    """Old entries with their new ones, those for other languages included."""
    held = [e for e in module.entries() if e.startswith(FOLDER) or _LANGUAGE.match(e)]
    found: dict[str, str] = {}
    for old, new in names.items():
        place = module.find_image(old)
        if place is None or place.archive != 0 or place.in_engine:
            raise NotFoundError("no such image in the module", place=Place(entry=FOLDER + old))
        if not new or new.startswith("/") or new != new.strip():
            raise UsageError(f"an image cannot be called {new!r}", place=Place(entry=place.entry))
        check_name(FOLDER + new, Place())
        name = place.entry.removeprefix(FOLDER)
        for entry in held:
            folder, _, rest = entry.partition("/")
            if rest == name and entry != f"{folder}/{new}":
                found[entry] = f"{folder}/{new}"
    targets = list(found.values())
    for entry, target in found.items():
        if targets.count(target) > 1 or (module.has(target) and target not in found):
            raise UsageError(
                f"cannot be called {target.removeprefix(FOLDER)!r}: there is such an image already",
                place=Place(entry=entry),
            )
    return found


def _mentions(text: str, name: str) -> bool:
    """Whether a text holds the name as a whole, not as a part of a longer one."""
    at = text.find(name)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(name) : at + len(name) + 1]
        if not (before.isalnum() or before in set("/_.-")) and not after.isalnum():
            return True
        at = text.find(name, at + 1)
    return False


def _probe(name: str) -> str:
    """A part of the name that no escape can break up, to look for it in a hurry."""
    parts = re.split(r"[\\/;,\t|']", name.removesuffix(_GIF))
    return max(parts, key=len)
