"""Components and pieces moved out of a module into an extension, and back, with their pictures."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError, NotFoundError, UsageError, VassalFormatError
from hexmarshal.vassal.components import (
    ExtensionElement,
    ModuleExtension,
    PieceSlot,
    PrototypeDefinition,
    view,
)
from hexmarshal.vassal.container.archive import Archive
from hexmarshal.vassal.container.metadata import Metadata
from hexmarshal.vassal.images.image_set import references
from hexmarshal.vassal.merge import merge
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.pieces.gpids import marker_gpids, with_gpids
from hexmarshal.vassal.pieces.piece import format_add, parse_add
from hexmarshal.vassal.pieces.piece_rewrite import rewrite_pieces
from hexmarshal.vassal.saves.nested_saves import nested_saves, open_nested
from hexmarshal.vassal.xml.component_paths import ComponentPath, spoken
from hexmarshal.vassal.xml.xmlio import Document

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hexmarshal.vassal.components import Component
    from hexmarshal.vassal.saves.savegame import SavedGame

__all__ = ["Moved", "follow", "move_in", "move_out", "new_extension"]


@dataclass(slots=True)
class Moved:
    """What went over, with its pictures, and which gpids changed."""

    components: list[str] = field(default_factory=list)
    pictures: list[str] = field(default_factory=list)
    gpids: dict[str, str] = field(default_factory=dict)
    setups: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        return {
            "components": self.components,
            "pictures": self.pictures,
            "gpids": self.gpids,
            "setups": self.setups,
            "warnings": self.warnings,
        }


def new_extension(module: Module, name: str, *, version: str = "1.0") -> Module:
    """An empty extension of a module; the same name always gives the same id."""
    document = Document.create(ModuleExtension.tag)
    engine = module.metadata.vassal_version if module.metadata is not None else "3.7.0"
    own = hashlib.sha256(f"{module.name}/{name}".encode()).hexdigest()[:3]
    root = view(document.root)
    for attribute, value in {
        "anyModule": "false",
        "description": name,
        "extensionId": own,
        "module": module.name,
        "moduleVersion": module.version,
        "nextPieceSlotId": "0",
        "vassalVersion": engine,
        "version": version,
    }.items():
        root.set(attribute, value)
    metadata = Metadata.create(
        {
            "version": version,
            "VassalVersion": engine,
            "dateSaved": "0",
            "description": name,
            "universal": "false",
        }
    )
    return Module(
        document, archive=Archive.empty(), buildfile_name=module.buildfile_name, metadata=metadata
    )


def move_out(module: Module, chosen: Iterable[Component], extension: Module) -> Moved:
    """Move components of a module into an extension of it; both are changed but not saved."""
    root = extension.root
    if module.is_extension or not isinstance(root, ModuleExtension):
        raise UsageError("a module, and an extension to move into", place=extension.place)
    if not root.any_module and root.module != module.name:
        raise VassalFormatError(
            f"an extension of {root.module!r}, not of {module.name!r}", place=extension.place
        )
    done = Moved()
    tops = _tops(chosen)
    targets = [_target(module, component) for component in tops]
    for component, target in zip(tops, targets, strict=True):
        done.components.append(spoken(component))
        component.remove()
        element = root.add(ExtensionElement, {"target": target})
        element.append(component)
    _number(tops, root, done)
    _take_pictures(tops, module, extension, done)
    _follow_in_setups(module, done)
    _warn_of_prototypes(module, tops, done)
    return done


def move_in(extension: Module, chosen: Iterable[Component], module: Module) -> Moved:
    """Move components of an extension into its module; both are changed but not saved."""
    root = extension.root
    if module.is_extension or not isinstance(root, ModuleExtension):
        raise UsageError("an extension, and the module to move into", place=module.place)
    part = Module(
        Document.create(ModuleExtension.tag),
        path=extension.path,
        archive=Archive.empty(),
        buildfile_name=extension.buildfile_name,
    )
    for name, value in root.element.attrib.items():
        part.root.set(str(name), str(value))
    done = Moved()
    tops = _tops(chosen)
    targets = [_home(module, component) for component in tops]
    for component, target in zip(tops, targets, strict=True):
        parent = component.parent
        done.components.append(spoken(component))
        component.remove()
        if isinstance(parent, ExtensionElement) and not any(True for _ in parent.children()):
            parent.remove()
        part.root.add(ExtensionElement, {"target": target}).append(component)
    _take_pictures([part.root], extension, part, done)
    (merged,) = merge(module, [part], any_module=root.any_module)
    done.gpids, done.setups = merged.gpids, merged.saves
    done.warnings += merged.warnings
    return done


def follow(saved: SavedGame, gpids: dict[str, str]) -> SavedGame:
    """A saved game whose pieces have the new gpids; itself if none of them is in it."""
    return rewrite_pieces(saved, partial(with_gpids, gpids=gpids)) if gpids else saved


def _tops(chosen: Iterable[Component]) -> list[Component]:
    """The chosen ones without those that lie inside others."""
    every = list(dict.fromkeys(chosen))
    if not every:
        raise NotFoundError("nothing is chosen", hint="no component or piece fits")
    among = set(every)
    return [c for c in every if not among & set(c.ancestors())]


def _target(module: Module, component: Component) -> str:
    """Where an extension has to say that the component goes."""
    parent = component.parent
    if parent is None:
        raise UsageError("the module itself cannot be moved", place=module.place)
    path = ComponentPath.to(parent)
    if path.resolve(module.root) != parent:
        raise UsageError(
            f"an extension cannot name {spoken(parent)!r}: another component has that name",
            place=component.place,
            hint="give it a name of its own first: hexmarshal edit",
        )
    return str(path)


def _home(module: Module, component: Component) -> str:
    """Where a component of an extension goes in the module; it must be there, and no other."""
    parent = component.parent
    if parent is None or isinstance(component, ExtensionElement | ModuleExtension):
        raise UsageError("this is no component that can be moved", place=component.place)
    path = ComponentPath.to(parent)
    try:
        there = ComponentPath.to(path.resolve(module.root)) == path
    except NotFoundError:
        there = False
    if not there:
        raise UsageError(
            f"the module has no {spoken(parent)!r} for it",
            place=component.place,
            hint="move what is around it as a whole: --component",
        )
    return str(path)


def _number(tops: Sequence[Component], root: ModuleExtension, done: Moved) -> None:
    """Ids of the extension's own numbering for every piece and marker that went over."""
    following = root.next_piece_slot_id
    for component in (c for top in tops for c in top.walk() if c.holds_piece):
        try:
            piece = parse_add(component.text.strip())
        except VassalFormatError as why:
            done.warnings.append(f"{spoken(component)}: {why.message}; its ids stay")
            continue
        for gpid in (component.get("gpid"), *marker_gpids(piece)):
            if gpid and gpid not in done.gpids:
                done.gpids[gpid] = f"{root.extension_id}:{following}"
                following += 1
        if isinstance(component, PieceSlot) and component.gpid:
            component.set("gpid", done.gpids[component.gpid])
        component.text = format_add(with_gpids(piece, done.gpids))
    root.next_piece_slot_id = following


def _take_pictures(tops: Sequence[Component], source: Module, target: Module, done: Moved) -> None:
    """Pictures that only what went over shows go with it; shared ones are copied where needed."""
    went = {reference.name for reference in references(target)}
    stays = {source.find_image(reference.name) for reference in references(source, done.gpids)}
    mine = bool(tops) and target.is_extension and not source.is_extension
    for name in sorted(went):
        found = source.find_image(name)
        if found is None or found.in_engine or found.archive != 0 or target.has(found.entry):
            continue
        shared = found in stays
        if shared and mine:
            continue  # an extension sees the module's pictures
        target.changes[found.entry] = source.read(found.entry)
        done.pictures.append(found.entry)
        if not shared:
            source.changes[found.entry] = None


def _follow_in_setups(module: Module, done: Moved) -> None:
    for entry in nested_saves(module):
        try:
            saved = open_nested(module, entry)
            changed = follow(saved, done.gpids)
        except HexMarshalError as why:
            done.warnings.append(f"{entry}: {why.message}")
            continue
        if changed is not saved:
            module.changes[entry] = changed.to_bytes()
            done.setups.append(entry)
            done.warnings.append(f"{entry}: has pieces that are in the extension now")


def _warn_of_prototypes(module: Module, tops: Sequence[Component], done: Moved) -> None:
    gone = {c.name for top in tops for c in top.walk() if isinstance(c, PrototypeDefinition)}
    for component in module.walk() if gone else ():
        if not component.holds_piece or not component.text.strip():
            continue
        try:
            used = gone & set(parse_add(component.text.strip()).prototypes)
        except VassalFormatError:
            continue
        for name in sorted(used):
            done.warnings.append(f"{spoken(component)}: uses the prototype {name!r}, which is gone")
