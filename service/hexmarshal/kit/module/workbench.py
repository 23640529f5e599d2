"""What the parts of a module in the making share: builder, pictures, binding, palettes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hexmarshal.kit.module.binding_facts import Facts, only
from hexmarshal.kit.module.pictures import Pictures
from hexmarshal.kit.module.pieces.announcement_menus import Speech

if TYPE_CHECKING:
    from collections.abc import Hashable

    from hexmarshal.kit.announcements import Announcement
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.vassal.builder import MapBuilder, ModuleBuilder, Palette
    from hexmarshal.vassal.builder.counters import Equipped
    from hexmarshal.vassal.components import PieceSlot
    from hexmarshal.vassal.values import KeyStroke

__all__ = ["Bench"]


class Bench:
    """One module on the bench."""

    def __init__(self, module: ModuleBuilder, plugin: GamePlugin) -> None:
        self.module, self.plugin = module, plugin
        self.pictures = Pictures(module)
        self.facts = Facts(plugin.game.key, module.root.name)
        self.slots: dict[str, PieceSlot] = {}
        self.prototypes: dict[Hashable, str] = {}
        self.losses: dict[str, str] = {}
        """The box that each side's eliminated units go to."""
        self.keys: dict[str, str] = {}
        """What keys do, for the guide."""
        self.announced: tuple[Announcement, ...] = ()
        """What players can say by click."""
        self.speech = Speech()
        """Who can say it, where not all."""
        self.tones: dict[str, str] = {}
        """The colours in which the seats speak."""
        self.turn_marker = False
        """Whether a marker on a track shows the turn."""
        self.phase_keys: list[tuple[str, KeyStroke]] = []
        """What the tracker presses as it comes to a phase, and the log has before that."""
        self.leads: tuple[Equipped, ...] = ()
        """The traits by which markers that lie on units go after them."""
        self.layered = False
        """Whether something lies over all units, so that those have a layer of their own."""
        self.maps: dict[str, MapBuilder] = {}
        self.sheet_map = ""
        self._sides: list[tuple[dict[str, Any], set[str]]] = []
        self._tabs: Palette | None = None
        self._panels: dict[str, Palette] = {}

    def seat(self, side: str) -> str:
        """What a side is called, as players choose it."""
        titles = {one.key: one.title or one.key for one in self.plugin.game.sides}
        return titles.get(side, side)

    def panel(self, title: str) -> Palette:
        """A page of the window of counters."""
        if self._tabs is None:
            icon = self.pictures.icon("counters")
            self._tabs = self.module.palette("Counters", icon=icon).choice("Counters")
        if title not in self._panels:
            self._panels[title] = self._tabs.list(title)
        return self._panels[title]

    def tell_sides(self, prop: str, cases: dict[str, Any], of_type: str) -> None:
        """Remember what a layer of a type of unit tells; types that agree make one sign."""
        for row, types in self._sides:
            if row == {"property": prop, "cases": cases}:
                types.add(of_type)
                return
        self._sides.append(({"property": prop, "cases": cases}, {of_type}))

    def close_signs(self) -> None:
        """Put into the binding what layers tell: of certain types, where types differ."""
        for row, types in self._sides:
            alone = sum(row["property"] == other["property"] for other, _ in self._sides) == 1
            of = {} if alone else {"of": {"property": {"UnitType": only(sorted(types))}}}
            self.facts.sign({**row, **of})

    def key(self, key: str, does: str) -> None:
        """Remember what Ctrl and a key do."""
        self.keys.setdefault(key, does)
