"""A module or extension as a whole: its archive, metadata and components."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from hexmarshal.errors import HexMarshalError, NotFoundError, Place, VassalFormatError
from hexmarshal.vassal.components import (
    Component,
    GameModule,
    Map,
    ModuleExtension,
    PieceSlot,
    PrototypeDefinition,
    view,
)
from hexmarshal.vassal.container.archive import Archive, FileKind, Limits
from hexmarshal.vassal.container.atomic import write_atomically
from hexmarshal.vassal.container.kind import BUILD_FILES
from hexmarshal.vassal.container.metadata import Metadata
from hexmarshal.vassal.container.source import read_file
from hexmarshal.vassal.images.image_lookup import ImagePlace, find_image
from hexmarshal.vassal.xml.component_paths import ComponentPath
from hexmarshal.vassal.xml.component_query import Query
from hexmarshal.vassal.xml.xmlio import Document

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

__all__ = ["Module", "is_build_file"]

C = TypeVar("C", bound=Component)


class Module:
    """A `.vmod` or `.vmdx`, or a build file alone.

    Components are changed in place; `save` writes what changed and keeps everything else raw.
    """

    def __init__(
        self,
        document: Document,
        *,
        path: Path | None = None,
        archive: Archive | None = None,
        buildfile_name: str = "buildFile.xml",
        metadata: Metadata | None = None,
    ) -> None:
        self.document = document
        self.path = path
        self.archive = archive
        self.buildfile_name = buildfile_name
        self.metadata = metadata
        self.extensions: list[Module] = []
        """Loaded extensions in load order: their images are searched after the module's own."""
        self.changes: dict[str, bytes | None] = {}
        """Entries other than the build file to write (or, if None, to remove) on `save`."""

    def __repr__(self) -> str:
        name = self.metadata.name if self.metadata else ""
        return f"<Module {name or self.path or 'without a name'}>"

    @classmethod
    def open(cls, path: Path | str, limits: Limits | None = None) -> Module:
        """Open a module or extension, or a bare `buildFile` or `buildFile.xml`."""
        path = Path(path)
        if is_build_file(path):
            return cls(Document.parse(read_file(path), Place(file=str(path))), path=path)
        return cls.from_archive(Archive.open(path, limits))

    @classmethod
    def from_archive(cls, archive: Archive) -> Module:
        """The module or extension in an archive."""
        kind = archive.kind
        if kind is FileKind.SAVE:
            raise VassalFormatError(
                "a saved game or log, not a module or extension", place=archive.place
            )
        entry = "extensiondata" if kind is FileKind.EXTENSION else "moduledata"
        metadata = None
        if archive.has(entry):
            place = Place(entry=entry).within(archive.place)
            metadata = Metadata.parse(archive.read(entry), place)
        name = _build_file(archive, metadata)
        document = Document.parse(archive.read(name), Place(entry=name).within(archive.place))
        return cls(
            document, path=archive.path, archive=archive, buildfile_name=name, metadata=metadata
        )

    @classmethod
    def create(
        cls,
        name: str,
        *,
        version: str = "1.0",
        vassal_version: str = "3.7.0",
        description: str = "",
        date_saved: int = 0,
    ) -> Module:
        """A new module without components; the same arguments always give the same file.

        `vassal_version` is the oldest engine that shall open it without a warning; `date_saved`
        is in milliseconds since 1970 UTC.
        """
        document = Document.create(GameModule.tag)
        attributes = {
            "name": name,
            "version": version,
            "description": description,
            "ModuleOther1": "",
            "ModuleOther2": "",
            "VassalVersion": vassal_version,
            "nextPieceSlotId": "0",
        }
        root = view(document.root)
        for attribute, value in attributes.items():
            root.set(attribute, value)
        metadata = Metadata.create(
            {
                "version": version,
                "extra1": "",
                "extra2": "",
                "VassalVersion": vassal_version,
                "dateSaved": str(date_saved),
                "description": description,
                "name": name,
            }
        )
        return cls(document, archive=Archive.empty(), metadata=metadata)

    @property
    def place(self) -> Place:
        """What to call the build file in an error."""
        return self.document.place

    @property
    def root(self) -> Component:
        """The root component: a `GameModule` or a `ModuleExtension`."""
        return view(self.document.root)

    @property
    def is_extension(self) -> bool:
        """Whether it adds to another module."""
        return isinstance(self.root, ModuleExtension)

    @property
    def name(self) -> str:
        """The module's name; of an extension, the name of the module that it is for."""
        root = self.root
        return root.module if isinstance(root, ModuleExtension) else root.name

    @property
    def version(self) -> str:
        """The module's or extension's own version."""
        root = self.root
        return root.version if isinstance(root, GameModule | ModuleExtension) else ""

    def walk(self) -> Iterator[Component]:
        """Every component, in the order of the file."""
        return self.root.walk()

    def each(self, cls: type[C]) -> Iterator[C]:
        """Every component that is a `cls`: a stock class, its subclasses, and stand-ins."""
        return (component for component in self.walk() if isinstance(component, cls))

    def query(self, text: str) -> Iterator[Component]:
        """Every component that a query matches; see `hexmarshal.vassal.xml.component_query`."""
        return Query.parse(text).find(self.root)

    def resolve(self, path: ComponentPath | str) -> Component:
        """The component that a component path leads to."""
        steps = ComponentPath.parse(path) if isinstance(path, str) else path
        try:
            return steps.resolve(self.root)
        except HexMarshalError as why:
            raise why.at(self.place) from None

    def slots(self) -> Iterator[PieceSlot]:
        """Every piece slot and card slot; the text is `+/null/type/state`."""
        return self.each(PieceSlot)

    def prototypes(self) -> dict[str, PrototypeDefinition]:
        """The prototypes by name; of two with one name the last wins, as in the engine."""
        return {definition.name: definition for definition in self.each(PrototypeDefinition)}

    def maps(self) -> list[Map]:
        """Every map, those of the module's own classes and those inside charts included."""
        return list(self.each(Map))

    def place_of(self, component: Component) -> Place:
        """Where a component stands, with file and entry."""
        return component.place.within(self.place)

    def has(self, entry: str) -> bool:
        """Whether the archive has an entry, changes that are not yet saved included."""
        if entry in self.changes:
            return self.changes[entry] is not None
        return self.archive is not None and self.archive.has(entry)

    def entries(self) -> list[str]:
        """The names of all entries, changes that are not yet saved included."""
        held = self.archive.names() if self.archive is not None else []
        if not self.changes:
            return held
        return [entry for entry in dict.fromkeys((*held, *self.changes)) if self.has(entry)]

    def read(self, entry: str) -> bytes:
        """The content of an entry of the archive, changes that are not yet saved included."""
        data = self.changes.get(entry)
        if data is not None:
            return data
        if self.archive is None or not self.has(entry):
            raise NotFoundError("no such entry", place=Place(entry=entry).within(self.place))
        return self.archive.read(entry)

    def head(self, entry: str, most: int) -> bytes:
        """The first bytes of an entry, without reading all of it."""
        if entry in self.changes or self.archive is None:
            return self.read(entry)[:most]
        return self.archive.head(entry, most)

    def read_all(self, entries: Iterable[str]) -> Iterator[bytes]:
        """The contents of many small entries, which lie together as a rule."""
        plain: list[str] = []
        for entry in entries:
            if entry in self.changes or self.archive is None:
                yield self.read(entry)
            else:
                plain.append(entry)
        if self.archive is not None:
            yield from self.archive.read_all(plain)

    def find_image(self, name: str, lang: str | None = None) -> ImagePlace | None:
        """Where an image reference leads, by the engine's lookup rules."""
        return find_image(name, [module.has for module in (self, *self.extensions)], lang)

    def image(self, name: str, lang: str | None = None) -> bytes | None:
        """The bytes of an image; None if it is missing or comes with the engine."""
        found = self.find_image(name, lang)
        if found is None or found.in_engine:
            return None
        return (self, *self.extensions)[found.archive].read(found.entry)

    def image_head(self, name: str, most: int) -> bytes | None:
        """The first bytes of an image, which tell its kind and as a rule its size."""
        found = self.find_image(name)
        if found is None or found.in_engine:
            return None
        holder = (self, *self.extensions)[found.archive]
        if holder.archive is None or found.entry in holder.changes:
            return holder.read(found.entry)[:most]
        return holder.archive.head(found.entry, most)

    def save(
        self, target: Path | str, *, force: bool = False, date: datetime | None = None
    ) -> None:
        """Write the module with what was changed; untouched, it is the same file again."""
        target = Path(target)
        if self.archive is None:
            write_atomically(target, [self.document.to_bytes()], force=force, own=self.path)
        else:
            self.archive.write(target, self._entries(), force=force, date=date)

    def to_bytes(self, *, date: datetime | None = None) -> bytes:
        """What `save` would write."""
        if self.archive is None:
            return self.document.to_bytes()
        return self.archive.to_bytes(self._entries(), date=date)

    def _entries(self) -> dict[str, bytes | None]:
        entries: dict[str, bytes | None] = {}
        if self.metadata is not None:
            entry = "extensiondata" if self.is_extension else "moduledata"
            entries[entry] = self.metadata.to_bytes()
        return {**entries, self.buildfile_name: self.document.to_bytes(), **self.changes}


def is_build_file(path: Path) -> bool:
    """Whether a file is a bare build file, or at least XML, and no archive."""
    try:
        with path.open("rb") as file:
            head = file.read(64)
    except OSError:
        return False
    return head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<")


def _build_file(archive: Archive, metadata: Metadata | None) -> str:
    """The build file that the engine would read; there is no fallback from one to the other."""
    new, old = BUILD_FILES
    wanted = old if metadata is None or metadata.uses_old_build_file else new
    if archive.has(wanted):
        return wanted
    other = new if wanted == old else old
    written_by = metadata.vassal_version if metadata is not None else ""
    raise VassalFormatError(
        f"has {other}, but an engine reads {wanted} by the version in its metadata",
        place=archive.place,
        hint=f"the metadata say {written_by!r}; {new} needs a VassalVersion of 3.5 or later"
        if wanted == old
        else f"rename the entry {other} to {wanted}",
    )
