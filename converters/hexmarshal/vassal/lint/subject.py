"""A module under the eyes of the checks: its parts, gathered once, and its base module if known."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from hexmarshal.errors import NotFoundError, Place, VassalFormatError
from hexmarshal.vassal.components import (
    DrawPile,
    GamePieceImage,
    Map,
    PlayerRoster,
    PrototypeDefinition,
    Zone,
)
from hexmarshal.vassal.container.archive import Archive, FileKind
from hexmarshal.vassal.container.kind import BUILD_FILES
from hexmarshal.vassal.container.metadata import Metadata
from hexmarshal.vassal.lint.checks import Found, Severity, Subject
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.pieces import embedded
from hexmarshal.vassal.pieces.gpids import defined_gpids
from hexmarshal.vassal.pieces.piece import Piece, parse_add
from hexmarshal.vassal.xml.component_paths import ComponentPath
from hexmarshal.vassal.xml.xmlio import Document

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.vassal.components import Component
    from hexmarshal.vassal.traits import Trait

__all__ = ["Definition", "ModuleSubject", "TraitUse", "gathered", "lenient_module"]

C = TypeVar("C", bound="Component")


@dataclass(frozen=True, slots=True)
class Definition:
    """A slot's or prototype's piece, or why there is none."""

    component: Component
    piece: Piece | None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class TraitUse:
    """A trait of a definition, also of one inside a marker trait."""

    component: Component
    piece: Piece
    index: int
    depth: int

    @property
    def trait(self) -> Trait:
        """The trait itself."""
        return self.piece.traits[self.index]


class ModuleSubject(Subject):
    """A module or extension, what it defines, and what its base module adds to that."""

    def __init__(self, module: Module, base: Module | None = None) -> None:
        self.module = module
        self.base = base
        if module.is_extension and base is not None:
            # The engine looks into the module first, then into the extension.
            self._find_in: tuple[Module, ...] = (base, module)
        else:
            self._find_in = (module, *module.extensions)

    @property
    def modules(self) -> tuple[Module, ...]:
        """All that names are looked up in: the base module or the module itself comes first."""
        return self._find_in

    # What there is

    @cached_property
    def components(self) -> tuple[Component, ...]:
        """Every component in the order of the file."""
        return tuple(self.module.walk())

    def each(self, cls: type[C]) -> Iterator[C]:
        """Every component of a class in the file itself."""
        return (c for c in self.components if isinstance(c, cls))

    def known(self, cls: type[C]) -> Iterator[C]:
        """Every component of a class, those of the base module included."""
        for module in self._find_in:
            yield from self.each(cls) if module is self.module else module.each(cls)

    @cached_property
    def definitions(self) -> tuple[Definition, ...]:
        """Every definition of a piece."""
        return tuple(_definition(c) for c in self.components if c.holds_piece and c.text.strip())

    @cached_property
    def traits(self) -> tuple[TraitUse, ...]:
        """Every trait of every definition that can be read."""
        return tuple(
            TraitUse(d.component, piece, index, depth)
            for d in self.definitions
            if d.piece is not None
            for depth, piece in embedded.walk(d.piece)
            if piece.type.problem is None
            for index in range(len(piece.traits))
        )

    @cached_property
    def prototypes(self) -> dict[str, str]:
        """The text of every prototype by name."""
        return {d.name: d.text for d in self.known(PrototypeDefinition)}

    @cached_property
    def maps(self) -> dict[str, Map]:
        """Maps by name and by the id that those without a name have; the first of a name wins."""
        found: dict[str, Map] = {}
        for number, each in enumerate(self.known(Map)):
            for name in (each.name, f"Map{number}"):
                if name:
                    found.setdefault(name, each)
        return found

    @cached_property
    def decks(self) -> frozenset[str]:
        """Names of decks, and the ids that the engine gives them."""
        decks = list(self.known(DrawPile))
        return frozenset([d.name for d in decks] + [f"Deck{n}" for n in range(len(decks))])

    @cached_property
    def sides(self) -> frozenset[str]:
        """The sides of the game."""
        return frozenset(side for roster in self.known(PlayerRoster) for side in roster.sides)

    @cached_property
    def zones(self) -> dict[str, set[str]]:
        """The names of all zones by map."""
        return {name: {zone.name for zone in each.each(Zone)} for name, each in self.maps.items()}

    @cached_property
    def gpids(self) -> frozenset[str]:
        """The id of every definition, the markers in traits included."""
        return frozenset(gpid for module in self._find_in for gpid in defined_gpids(module))

    @cached_property
    def own_classes(self) -> frozenset[str]:
        """Classes of the module's own code, in this file or its base."""
        modules = {id(m): m for m in (self.module, *self._find_in)}.values()
        return frozenset(
            c.class_name
            for m in modules
            for c in m.walk()
            if not c.class_name.startswith("VASSAL.")
        )

    @cached_property
    def drawn_images(self) -> frozenset[str]:
        """Names of images that the engine draws itself from layouts."""
        return frozenset(image.name for image in self.known(GamePieceImage) if image.name)

    @property
    def has_files(self) -> bool:
        """Whether the archive is at hand, not only a build file."""
        return self.module.archive is not None

    @property
    def incomplete(self) -> bool:
        """Whether this is an extension whose module is not at hand."""
        return self.module.is_extension and self.base is None

    def has_entry(self, name: str) -> bool:
        """Whether the archive, or that of the base module, holds an entry."""
        return any(module.has(name) for module in self._find_in)

    def resolves(self, path: str) -> Component | None:
        """The component that a component path leads to, here or in the base module."""
        for module in self._find_in:
            try:
                return module.resolve(ComponentPath.parse(path))
            except NotFoundError:
                continue
        return None

    # What is found

    def found(
        self,
        component: Component,
        message: str,
        *,
        field: str | None = None,
        severity: Severity | None = None,
    ) -> Found:
        """Something about a component."""
        place = Place(field=field).within(self.module.place_of(component))
        return Found(message, place, str(ComponentPath.to(component)), severity)

    def unresolved(self, component: Component, message: str, *, field: str | None = None) -> Found:
        """A name that leads nowhere; in an extension alone it may well lead into the module."""
        if not self.incomplete:
            return self.found(component, message, field=field)
        found = self.found(component, message, field=field, severity=Severity.INFO)
        hint = "the extension's module may have it: check both with --module"
        return Found(found.message, found.place, found.path, Severity.INFO, hint)

    def about_entry(self, entry: str, message: str, severity: Severity | None = None) -> Found:
        """Something about an entry of the archive."""
        file = self.module.place.file
        return Found(message, Place(file=file, entry=entry), severity=severity)


def gathered(uses: Iterable[tuple[str, Component]]) -> dict[str, list[Component]]:
    """Components by the name that they use, each once, in order."""
    found: dict[str, dict[Component, None]] = {}
    for name, component in uses:
        found.setdefault(name, {})[component] = None
    return {name: list(components) for name, components in found.items()}


def _definition(component: Component) -> Definition:
    try:
        piece = parse_add(component.text.strip())
    except VassalFormatError as why:
        return Definition(component, None, why.message)
    return Definition(component, piece, piece.problem or "")


def lenient_module(archive: Archive) -> Module:
    """The module or extension in an archive, with the build file that is there.

    The engine refuses a build file that does not go with the metadata; that is a finding here.
    """
    if archive.kind is FileKind.SAVE:
        return Module.from_archive(archive)
    entry = "extensiondata" if archive.kind is FileKind.EXTENSION else "moduledata"
    try:
        return Module.from_archive(archive)
    except VassalFormatError:
        name = next(name for name in BUILD_FILES if archive.has(name))
        place = Place(entry=name).within(archive.place)
        metadata = None
        if archive.has(entry):
            at = Place(entry=entry).within(archive.place)
            metadata = Metadata.parse(archive.read(entry), at)
        return Module(
            Document.parse(archive.read(name), place),
            path=archive.path,
            archive=archive,
            buildfile_name=name,
            metadata=metadata,
        )
