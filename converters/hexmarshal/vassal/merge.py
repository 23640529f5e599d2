"""Folds extensions into a module: components to their places, ids renumbered, files taken over."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError, NotFoundError, Place, UsageError, VassalFormatError
from hexmarshal.vassal.commands.game import LoadedExtension
from hexmarshal.vassal.components import ExtensionElement, ModuleExtension, PieceSlot
from hexmarshal.vassal.components.attributes import FileName, Sound
from hexmarshal.vassal.container.kind import BUILD_FILES
from hexmarshal.vassal.images.image_rename import rename_images
from hexmarshal.vassal.pieces.gpids import defined_gpids, with_gpids
from hexmarshal.vassal.pieces.piece import Piece, format_add, parse_add
from hexmarshal.vassal.pieces.piece_rewrite import rewrite_pieces
from hexmarshal.vassal.saves.nested_saves import nested_saves, open_nested
from hexmarshal.vassal.sequence import java_int
from hexmarshal.vassal.traits import PlaySound
from hexmarshal.vassal.values import FormattedText
from hexmarshal.vassal.xml.component_paths import ComponentPath

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from hexmarshal.vassal.commands.tree import CommandNode
    from hexmarshal.vassal.components import Component
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.saves.savegame import SavedGame

__all__ = ["COLLISIONS", "Merged", "merge"]

COLLISIONS: Final = ("rename", "keep", "error")
_METADATA: Final = frozenset({"moduledata", "extensiondata", *BUILD_FILES})
_IMAGES: Final = "images/"
_SOUNDS: Final = "sounds/"


@dataclass(slots=True)
class Merged:
    """What was put where, which ids changed, which files came and under what name."""

    extension: str
    placed: list[tuple[str, str]] = field(default_factory=list)
    gpids: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    kept: list[str] = field(default_factory=list)
    saves: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        return {
            "extension": self.extension,
            "placed": [{"what": what, "where": where} for what, where in self.placed],
            "gpids": self.gpids,
            "files": self.files,
            "kept": self.kept,
            "saves": self.saves,
            "warnings": self.warnings,
        }


def merge(
    module: Module,
    extensions: Iterable[Module],
    *,
    on_collision: str = "rename",
    any_module: bool = False,
) -> list[Merged]:
    """Fold extensions in, in order; the module is changed but not saved.

    A file that both have with other content is renamed (and what names it follows), or the
    module's is kept (as the engine would, which looks there first), or it is an error.
    """
    if module.is_extension:
        raise UsageError("an extension, not a module to merge into", place=module.place)
    if module.archive is None:
        raise UsageError("a build file alone cannot take files in", place=module.place)
    return [_Merger(module, each, on_collision, any_module).run() for each in extensions]


class _Merger:
    def __init__(
        self, module: Module, extension: Module, on_collision: str, any_module: bool
    ) -> None:
        root = extension.root
        if not isinstance(root, ModuleExtension):
            raise VassalFormatError("not an extension", place=extension.place)
        self._module = module
        self._extension = extension
        self._root = root
        self._on_collision = on_collision
        self._any_module = any_module
        stem = extension.path.stem if extension.path is not None else ""
        self._stem = stem
        self._done = Merged(stem or root.description or root.extension_id)

    def run(self) -> Merged:
        self._check_fit()
        self._take_files()
        self._renumber()
        self._place_components()
        self._follow_in_saves()
        return self._done

    def _check_fit(self) -> None:
        root, module = self._root, self._module
        if not (root.any_module or self._any_module or root.module == module.name):
            raise VassalFormatError(
                f"an extension of {root.module!r}, not of {module.name!r}",
                place=self._extension.place,
                hint="the engine refuses it too; --any-module merges it all the same",
            )
        if _version(root.module_version) > _version(module.version):
            self._done.warnings.append(
                f"made for version {root.module_version} of the module, which is {module.version}"
            )

    # Files

    def _take_files(self) -> None:
        renamed: dict[str, str] = {}
        for entry in self._extension.entries():
            if entry in _METADATA:
                continue
            if not self._module.has(entry):
                self._done.files[entry] = entry
            elif self._module.read(entry) != self._extension.read(entry):
                target = self._collision(entry)
                if target is not None:
                    renamed[entry] = target
                    self._done.files[entry] = target
        self._rename(renamed)
        for entry, target in self._done.files.items():
            # A renamed page or set-up may have changed with the images that it shows.
            source = target if self._extension.has(target) else entry
            self._module.changes[target] = self._extension.read(source)

    def _collision(self, entry: str) -> str | None:
        place = Place(entry=entry).within(Place(file=self._extension.place.file))
        if self._on_collision == "keep":
            self._done.kept.append(entry)
            return None
        followed = entry.startswith((_IMAGES, _SOUNDS)) or entry in self._file_names()
        if self._on_collision == "error" or not followed:
            raise VassalFormatError(
                "the module has another file of this name",
                place=place,
                hint="--on-collision rename or keep"
                if followed
                else "nothing can be renamed here: --on-collision keep keeps the module's",
            )
        path = PurePosixPath(entry)
        suffix = self._root.extension_id or self._stem or "2"
        number = 1
        while True:
            extra = suffix if number == 1 else f"{suffix}{number}"
            target = str(path.with_name(f"{path.stem}-{extra}{path.suffix}"))
            if not self._module.has(target) and not self._extension.has(target):
                return target
            number += 1

    def _file_names(self) -> set[str]:
        return {
            component.get(attribute.name)
            for component in self._extension.walk()
            for attribute in component.declared.values()
            if isinstance(attribute, FileName)
        }

    def _rename(self, renamed: dict[str, str]) -> None:
        images = {
            old.removeprefix(_IMAGES): new.removeprefix(_IMAGES)
            for old, new in renamed.items()
            if old.startswith(_IMAGES)
        }
        if images:
            report = rename_images(self._extension, images)
            self._done.warnings += [f"{name!r} is still mentioned" for name in report.mentions]
        sounds = {
            old.removeprefix(_SOUNDS): new.removeprefix(_SOUNDS)
            for old, new in renamed.items()
            if old.startswith(_SOUNDS)
        }
        for component in self._extension.walk() if renamed else ():
            for attribute in component.declared.values():
                value = component.get(attribute.name)
                if isinstance(attribute, FileName) and value in renamed:
                    component.set(attribute.name, renamed[value])
                elif isinstance(attribute, Sound) and value in sounds:
                    component.set(attribute.name, sounds[value])
            if sounds:
                _change_definition(component, lambda piece: _with_sounds(piece, sounds))

    # Ids

    def _renumber(self) -> None:
        """Give every definition of the extension an id of the module's own numbering."""
        module_root = self._module.root
        following = java_int(module_root.get("nextPieceSlotId", "0")) or 0
        used = map(java_int, defined_gpids(self._module))
        following = max(following, 1 + max((n for n in used if n is not None), default=-1))
        for gpid in dict.fromkeys(defined_gpids(self._extension)):
            self._done.gpids[gpid] = str(following)
            following += 1
        for component in self._extension.walk():
            if isinstance(component, PieceSlot):
                if component.gpid:
                    component.set("gpid", self._done.gpids[component.gpid])
                else:
                    component.set("gpid", str(following))
                    following += 1
            _change_definition(component, lambda piece: with_gpids(piece, self._done.gpids))
        module_root.set("nextPieceSlotId", str(following))

    # Components

    def _place_components(self) -> None:
        for element in self._root.each(ExtensionElement, deep=False):
            path = ComponentPath.parse(element.target)
            try:
                target = path.resolve(self._module.root)
            except NotFoundError as why:
                raise VassalFormatError(
                    f"is to be put where the module has nothing: {why.message}",
                    place=Place(field=element.target).within(self._extension.place_of(element)),
                ) from why
            for component in list(element.children()):
                name = component.name or component.short_name
                target.append(component.copy())
                self._done.placed.append((f"{component.short_name} {name!r}", _spot(target)))

    # Saved games

    def _follow_in_saves(self) -> None:
        """Pieces of the extension have new ids in every set-up; the extension is no longer one."""
        came = set(self._done.files.values())
        # An id without the extension's own mark may as well be one of the module's.
        sure = {old: new for old, new in self._done.gpids.items() if ":" in old}
        for entry in nested_saves(self._module):
            gpids = self._done.gpids if entry in came else sure
            try:
                saved = open_nested(self._module, entry)
                changed = rewrite_pieces(saved, partial(with_gpids, gpids=gpids))
                changed = _without_extension(changed, self._stem)
            except HexMarshalError as why:
                self._done.warnings.append(f"{entry}: {why.message}")
                continue
            if changed is not saved:
                self._module.changes[entry] = changed.to_bytes()
                self._done.saves.append(entry)


def _version(text: str) -> tuple[int, ...]:
    numbers = []
    for part in text.replace("-", ".").split("."):
        digits = "".join(c for c in part if c.isascii() and c.isdigit())
        numbers.append(int(digits[:9]) if digits else 0)
    return tuple(numbers)


def _spot(component: Component) -> str:
    if component.parent is None:
        return "the module"
    names = [c.name or c.short_name for c in (component, *component.ancestors())][:-1]
    return " > ".join(reversed(names))


def _change_definition(component: Component, change: Callable[[Piece], Piece]) -> None:
    if not component.holds_piece or not component.text.strip():
        return
    try:
        piece = parse_add(component.text.strip())
        changed = change(piece)
    except VassalFormatError:
        return
    if changed != piece:
        component.text = format_add(changed)


def _with_sounds(piece: Piece, sounds: dict[str, str]) -> Piece:
    for found in piece.each(PlaySound):
        if found.trait.clip.text in sounds:
            clip = FormattedText(sounds[found.trait.clip.text])
            piece = piece.replace_trait(found.index, replace(found.trait, clip=clip))
    return piece


def _without_extension(saved: SavedGame, name: str) -> SavedGame:
    """The game without the note that the extension was loaded: now it always is."""

    def is_note(node: CommandNode) -> bool:
        command = node.command if node.text.startswith("EXT\t") else None
        return isinstance(command, LoadedExtension) and Path(command.name).stem == name

    root = saved.root
    if not name or not any(map(is_note, root.children)):
        return saved
    return saved.with_root(root.with_children(c for c in root.children if not is_note(c)))
