"""Which page a file gets: told by its content, as the engine and the readers tell it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from hexmarshal.errors import BadInputError, NotFoundError, Place
from hexmarshal.table.scenarios.forms import game_named

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from starlette.routing import Route

    from hexmarshal.table.module_finder import Means
    from hexmarshal.web.drawing.gallery import Gallery

__all__ = ["View", "open_view"]

_ZIP = b"PK"
_TERRAIN = "hexmarshal-terrain/"


class View(Protocol):
    """A file that is looked at."""

    first: str

    @property
    def title(self) -> str:
        """What the page is called."""

    def begin(self) -> None:
        """Do in the background what takes long; called in a running loop."""

    def close(self) -> None:
        """Let go."""

    def routes(self) -> Iterator[Route]:
        """What the page asks for."""

    def ahead(self) -> Iterator[str]:
        """The addresses that the page asks for at once, whatever its user does."""


def open_view(
    name: str,
    path: Path,
    means: Means,
    gallery: Gallery,
    *,
    reveal: bool = False,
    plugins: tuple[str, ...] = (),
) -> View:
    """The page for a log, a save, a module, an extension, a terrain file or a scenario."""
    from hexmarshal.rules.plugins import registry

    if game_named(name) is None:
        if not path.is_file():
            raise NotFoundError("no such file", place=Place(file=name))
        with path.open("rb") as file:
            head = file.read(4096)
        if head.startswith(_ZIP):
            return _archive(path, means, gallery, reveal=reveal, plugins=plugins)
        if _TERRAIN.encode() in head:
            from hexmarshal.web.viewing.terrain_view import TerrainView

            return TerrainView(path, gallery)
        if b"\0" in head:
            raise BadInputError(
                "nothing that can be viewed",
                place=Place(file=name),
                hint="a .vlog, .vsav, .vmod, .vmdx, a terrain file or a scenario is wanted",
            )
    from hexmarshal.table.scenarios import Reader
    from hexmarshal.web.viewing.scenario_view import ScenarioView

    loaded = Reader(registry.default(), means).read(name).sound()
    module = None
    if means.module is not None:
        from hexmarshal.vassal.module import Module

        module = Module.open(means.module)
    return ScenarioView(path.name, loaded, module, gallery)


def _archive(
    path: Path, means: Means, gallery: Gallery, *, reveal: bool, plugins: tuple[str, ...]
) -> View:
    from hexmarshal.vassal.container.archive import Archive, FileKind

    archive = Archive.open(path)
    if archive.kind is FileKind.SAVE:
        from hexmarshal.vassal.saves.savegame import SavedGame
        from hexmarshal.web.viewing.log_view import LogView

        saved = SavedGame.from_archive(archive)
        return LogView(path, saved, means, gallery, reveal=reveal, plugins=plugins)
    from hexmarshal.vassal.lint.subject import lenient_module
    from hexmarshal.web.viewing.module_view import ModuleView

    return ModuleView(path, lenient_module(archive), gallery)
