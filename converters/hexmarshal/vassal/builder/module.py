"""The module itself: what a builder puts together and writes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from hexmarshal.errors import NotFoundError, OutputError, Place, UsageError
from hexmarshal.vassal.builder.buttons import (
    action_button,
    dice_button,
    piece_key,
    startup_key,
    toolbar_menu,
)
from hexmarshal.vassal.builder.maps import MAP_ATTRIBUTES, MapBuilder, hand_attributes
from hexmarshal.vassal.builder.setups import SetupBuilder
from hexmarshal.vassal.builder.turns import turn_hotkey, turn_tracker
from hexmarshal.vassal.builder.usual_attributes import INVENTORY, NOTES, OPTIONS, ROSTER
from hexmarshal.vassal.builder.windows import (
    Charts,
    Palette,
    chart_window,
    help_file,
    piece_window,
    write_slot,
)
from hexmarshal.vassal.components import (
    AboutScreen,
    BasicCommandEncoder,
    Chatter,
    Documentation,
    GameModule,
    GlobalOptions,
    GlobalProperties,
    GlobalProperty,
    GlobalTranslatableMessages,
    Inventory,
    KeyNamer,
    Language,
    Map,
    NotesWindow,
    PieceSlot,
    PlayerHand,
    PlayerRoster,
    PredefinedSetup,
    PrototypeDefinition,
    PrototypesContainer,
    TurnTracker,
)
from hexmarshal.vassal.container.archive import Archive, build_archive
from hexmarshal.vassal.container.atomic import write_atomically
from hexmarshal.vassal.container.metadata import Metadata
from hexmarshal.vassal.images.image_uses import image_uses
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.pieces.piece import format_add
from hexmarshal.vassal.state.locator import board_size, grid_of
from hexmarshal.vassal.xml.xmlio import Document
from hexmarshal.vassal.xml.xmlstyle import Style

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hexmarshal.vassal.builder.counters import Counter
    from hexmarshal.vassal.builder.turns import Level
    from hexmarshal.vassal.components import Board, Component, DiceButton
    from hexmarshal.vassal.values import KeyStroke

__all__ = ["VASSAL_VERSION", "ModuleBuilder"]

# The oldest engine that reads all we write; a later one in the file would make it warn.
VASSAL_VERSION: Final = "3.7.0"
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9._-]+")

S = TypeVar("S", bound=PieceSlot)


class ModuleBuilder:
    """A module in the making: add parts in the order in which they shall appear, then `save`."""

    def __init__(
        self, name: str, *, version: str = "1.0", description: str = "", date: int = 0
    ) -> None:
        if not name.strip():
            raise UsageError("a module needs a name")
        document = Document.create(GameModule.tag, Style())
        self._document = document
        self._date = date
        self._files: dict[str, bytes] = {}
        self._last_gpid = 0
        self.root = GameModule(document.root)
        for attribute, value in {
            "ModuleOther1": "",
            "ModuleOther2": "",
            "VassalVersion": VASSAL_VERSION,
            "description": description,
            "name": name,
            "nextPieceSlotId": "1",
            "version": version,
        }.items():
            self.root.set(attribute, value)
        add = self.root.add
        add(BasicCommandEncoder)
        self._help = add(Documentation)
        self._help.add(AboutScreen, {"fileName": "/images/Splash.png", "title": "About module"})
        self._roster = add(PlayerRoster, ROSTER)
        add(GlobalOptions, OPTIONS)
        self._properties = add(GlobalProperties)
        add(GlobalTranslatableMessages)
        add(Language)
        add(Chatter)
        add(KeyNamer)
        self._prototypes = add(PrototypesContainer)

    # Files

    def image(self, name: str, data: bytes | Path) -> str:
        """Put an image in; returns its name, to be used by boards, counters and charts."""
        self.file(f"images/{name}", data)
        return name

    def file(self, entry: str, data: bytes | Path) -> None:
        """Put any file in; the same entry twice must have the same content."""
        content = data.read_bytes() if isinstance(data, Path) else data
        if self._files.setdefault(entry, content) != content:
            raise OutputError("two different files have this name", place=Place(entry=entry))

    def has_file(self, entry: str, *, other_than: bytes) -> bool:
        """Whether the entry is taken by another content."""
        return self._files.get(entry, other_than) != other_than

    def page(self, name: str, html: str) -> str:
        """Put an HTML page in; returns its entry."""
        entry = f"help/{_UNSAFE.sub('-', name).strip('-').lower()}.html"
        self.file(entry, html.encode("utf-8"))
        return entry

    # Parts

    def sides(self, *names: str, icon: str = "") -> None:
        """The sides that players can take."""
        self._roster.sides = names
        if icon:
            self._roster.set("buttonIcon", icon)
            self._roster.set("buttonText", "")

    def help(self, title: str, html: str) -> None:
        """A page in the help menu."""
        entry = self.page(title, html)
        help_file(self._help, title, entry)

    def map(
        self,
        name: str,
        *,
        main: bool = False,
        edge: int = 0,
        mark_moved: bool = False,
        icon: str = "",
    ) -> MapBuilder:
        """A map window; the main one opens inside the main window, others by a button."""
        attributes = {**MAP_ATTRIBUTES, "mapName": name}
        if not main:
            attributes |= {"launch": "true", "buttonName": name, "tooltip": name}
        if icon:
            attributes["icon"] = icon
        if mark_moved:
            attributes |= {"markMoved": "Always", "markUnmovedText": ""}
        attributes |= {"edgeWidth": str(edge), "edgeHeight": str(edge)}
        return MapBuilder(self, self.root.add(Map, attributes))

    def hand(
        self,
        side: str,
        *others: str,
        size: tuple[int, int] = (900, 220),
        icon: str = "",
        image: str = "",
        key: KeyStroke | None = None,
    ) -> MapBuilder:
        """A window for cards that only one side sees, and `others`; `image` is its ground.

        With a `key` it has no button: one that presses the key opens the presser's own window.
        """
        name = f"{side} hand"
        attributes = hand_attributes(name, side, *others, icon=icon, key=key)
        made = MapBuilder(self, self.root.add(PlayerHand, attributes))
        made.board(name, image=image, size=size, color="235,232,222")
        return made

    def prototype(self, counter: Counter, description: str = "") -> str:
        """Traits that counters share under the counter's name; its image is not used."""
        made = self._prototypes.add(
            PrototypeDefinition, {"name": counter.name, "description": description}
        )
        bare = type(counter)("", "", counter.traits)
        made.text = format_add(bare.piece())
        return counter.name

    def palette(self, name: str, *, icon: str = "") -> Palette:
        """A window of counters."""
        return Palette(self, piece_window(self.root, name, icon=icon))

    def charts(self, name: str, *, icon: str = "") -> Charts:
        """A window of charts."""
        return Charts(self, chart_window(self.root, name, icon=icon))

    def action_button(
        self,
        name: str,
        *,
        report: str = "",
        gate: str = "",
        keys: Sequence[KeyStroke] = (),
        icon: str = "",
        tooltip: str = "",
    ) -> None:
        """A button that says something, unless the property `gate` is true, and presses `keys`."""
        action_button(self.root, name, report, gate=gate, keys=keys, icon=icon, tooltip=tooltip)

    def piece_key(
        self,
        name: str,
        key: KeyStroke,
        sends: KeyStroke,
        filter: str,
        *,
        in_decks: bool = False,
        quiet: bool = False,
    ) -> None:
        """A hot key without a button that presses a key on every piece that matches."""
        piece_key(self.root, name, key, sends, filter, in_decks=in_decks, quiet=quiet)

    def toolbar_menu(
        self, name: str, items: Sequence[str], *, icon: str = "", tooltip: str = ""
    ) -> None:
        """A menu of buttons, named by their texts."""
        toolbar_menu(self.root, name, items, icon=icon, tooltip=tooltip)

    def on_opening(self, view: str) -> None:
        """Press the button of a map's view whenever a game is opened."""
        startup_key(self.root, view)

    def dice(
        self, name: str, *, count: int, sides: int, total: bool = False, report: str = ""
    ) -> DiceButton:
        """A button that rolls dice and reports the result."""
        return dice_button(self.root, name, count, sides, total=total, report=report)

    def turn_tracker(
        self,
        name: str,
        *levels: Level,
        before: tuple[Level, ...] = (),
        show: str = "",
        icon: str = "",
        docked: bool = False,
        hotkeys: Iterable[tuple[str, KeyStroke]] = (),
    ) -> TurnTracker:
        """Turns and phases, each level inside the one before; `$level1$` in `show` is the first.

        It goes through those `before` once and first. One that is `docked` stands in the toolbar
        until a player takes it out. It presses `hotkeys` where it comes to what they stand for.
        """
        if docked:
            self.global_property("TurnTracker.defaultDocked", "true", "The tracker's place")
        made = turn_tracker(self.root, name, *levels, before=before, show=show, icon=icon)
        for where, key in hotkeys:
            turn_hotkey(made, where, key)
        return made

    def global_property(
        self, name: str, initial: str = "", description: str = ""
    ) -> GlobalProperty:
        """A global property of the module."""
        return self._properties.add(
            GlobalProperty,
            {
                "description": description,
                "initialValue": initial,
                "isNumeric": "false",
                "max": "null",
                "min": "null",
                "name": name,
                "wrap": "false",
            },
        )

    def notes(self) -> None:
        """The window for public, private and secret notes."""
        self.root.add(NotesWindow, NOTES)

    def inventory(self, *group_by: str) -> None:
        """A window that lists the pieces that have the first of these properties, in groups.

        The engine would list what is hidden from the player, too, so the filter leaves that out.
        """
        wanted = [*(f'{name} != ""' for name in group_by[:1]), "Invisible != true"]
        include = f"{{{' && '.join(wanted)}}}"
        self.root.add(Inventory, {**INVENTORY, "groupBy": ",".join(group_by), "include": include})

    # Set-ups

    def setup(self, name: str, *, menu: str = "", description: str = "") -> SetupBuilder:
        """A predefined set-up: pieces of this module placed by location name."""
        parent: Component = self.root
        if menu:
            found = (s for s in self.root.each(PredefinedSetup, deep=False) if s.name == menu)
            parent = next(found, None) or self.root.add(
                PredefinedSetup,
                {"description": "", "isMenu": "true", "name": menu, "useFile": "false"},
            )
        entry = f"{_UNSAFE.sub('-', name).strip('-')}.vsav"
        parent.add(
            PredefinedSetup,
            {
                "description": description,
                "file": entry,
                "isMenu": "false",
                "name": name,
                "useFile": "true",
            },
        )
        return SetupBuilder(self, entry)

    # What parts ask of the module

    def slot_in(self, parent: Component, counter: Counter, cls: type[S] = PieceSlot) -> S:  # type: ignore[assignment]
        """Put a counter into a palette, stack or deck, with an id of its own."""
        self._last_gpid += 1
        self.root.next_piece_slot_id = self._last_gpid + 1
        slot = parent.add(cls)
        write_slot(slot, counter, str(self._last_gpid))
        return slot

    def pixel(self, of_map: Map, board: Board, location: str) -> tuple[int, int]:
        """The pixel of a board that a location name leads to."""
        size = board_size(self.build(), board)
        if board.grid is None or size is None:
            raise NotFoundError(
                f"the board {board.name!r} has no grid to find {location!r} on",
                place=Place(field=of_map.name, cell=location),
            )
        x, y = grid_of(board.grid, size).pixel_named(location)
        return x, y

    def build(self) -> Module:
        """The module as it stands; later additions still show in it."""
        made = Module(self._document, metadata=self._metadata())
        made.changes.update(self._files)
        return made

    def _metadata(self) -> Metadata:
        return Metadata.create(
            {
                "version": self.root.version,
                "extra1": "",
                "extra2": "",
                "VassalVersion": VASSAL_VERSION,
                "dateSaved": str(self._date),
                "description": self.root.description,
                "name": self.root.name,
            }
        )

    @property
    def module_data(self) -> bytes:
        """The metadata entry, which saves of the module carry too."""
        return self._metadata().to_bytes()

    def to_bytes(self) -> bytes:
        """The finished `.vmod`; the same parts give the same bytes."""
        return b"".join(build_archive(self._entries()))

    def save(self, path: Path | str, *, force: bool = False) -> Path:
        """Write the module to a file, whole or not at all."""
        target = Path(path)
        write_atomically(target, build_archive(self._entries()), force=force)
        return target

    def archive(self) -> Archive:
        """The finished module in memory."""
        return Archive.from_bytes(self.to_bytes())

    def _entries(self) -> dict[str, bytes]:
        for name in self._missing_images():
            raise NotFoundError("no image of this name was put in", place=Place(entry=name))
        return {
            "moduledata": self.module_data,
            "buildFile.xml": self._document.to_bytes(),
            **dict(sorted(self._files.items())),
        }

    def _missing_images(self) -> Iterable[str]:
        module = self.build()
        for use in image_uses(module):
            if module.find_image(use.name) is None:
                yield f"images/{use.name}"
