"""The game's tables, read once: kinds of terrain, tiles, counters, armies, cards, limits."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hexmarshal.errors import RulesError
from hexmarshal.games.heroes_of_stalingrad.state.counters import Counter
from hexmarshal.games.heroes_of_stalingrad.state.kinds import FAMILIES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.games.heroes_of_stalingrad.state.source import Source

__all__ = ["Card", "Kind", "Tables"]

X = "X"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of terrain element by its symbols."""

    key: str
    title: str
    bonus: Mapping[str, int]
    impassable: bool = False
    forbidden: tuple[str, ...] = ()
    obstacle: int = 0
    blocks: bool = False
    difficult: bool = False
    structure: int = 0
    building: bool = False
    ruin: str = ""
    water: bool = False
    crater: bool = False

    @classmethod
    def read(cls, key: str, row: Mapping[str, Any]) -> Kind:
        """From its row of terrain.yaml, or from a position that brings its own."""
        obstacle = row.get("obstacle", 0)
        return cls(
            key,
            str(row.get("title", key)),
            dict(row.get("bonus") or {}),
            bool(row.get("impassable")),
            tuple(row.get("forbidden") or ()),
            0 if obstacle == X else abs(int(obstacle)),
            obstacle == X,
            bool(row.get("difficult")),
            int(row.get("structure", 0)),
            bool(row.get("building")),
            str(row.get("ruin", "")),
            bool(row.get("water")),
            bool(row.get("crater")),
        )

    def bars(self, family: str) -> bool:
        """HOS-3.4, HOS-3.5: whether a family may not enter."""
        return self.impassable or family in self.forbidden


@dataclass(frozen=True, slots=True)
class Card:
    """One Action card: its battle event and its alternative bonus."""

    key: str
    title: str
    side: str
    copies: int
    phases: tuple[str, ...]
    event: str
    bonus: str
    text: str


@dataclass(frozen=True)
class Tables:
    """All data but boards and scenarios."""

    source: Source
    terrain: Mapping[str, Any]
    limits: Mapping[str, Any]
    tile_rows: Mapping[str, Any]
    army: Mapping[str, Any]
    card_rows: Mapping[str, Any]
    counter_rows: Mapping[str, Any]

    @classmethod
    def load(cls, source: Source) -> Tables:
        """From a folder of data."""
        return cls(
            source,
            source.read("rules/terrain.yaml"),
            source.read("rules/tables.yaml"),
            source.read("tiles.yaml")["tiles"],
            source.read("army.yaml"),
            source.read("cards.yaml")["cards"],
            source.read("counters.yaml")["counters"],
        )

    @cached_property
    def kinds(self) -> Mapping[str, Kind]:
        """The kinds of terrain."""
        found = {key: Kind.read(key, row) for key, row in self.terrain["kinds"].items()}
        for key, kind in found.items():
            if kind.ruin and kind.ruin not in found:
                place = self.source.place("rules/terrain.yaml", "kinds", key, "ruin")
                raise RulesError(f"no terrain {kind.ruin!r}", place=place)
        return found

    @cached_property
    def counters(self) -> Mapping[str, Counter]:
        """Every counter by its key."""
        found = {}
        for key, row in self.counter_rows.items():
            for i, face in enumerate(row["faces"]):
                if face.get("terrain") and face["terrain"] not in self.kinds:
                    place = self.source.place(
                        "counters.yaml", "counters", key, "faces", i, "terrain"
                    )
                    raise RulesError(f"no terrain {face['terrain']!r}", place=place)
            found[key] = Counter.read(key, row)
        return found

    @cached_property
    def cards(self) -> Mapping[str, Card]:
        """Every kind of card by its key."""
        return {
            key: Card(
                key,
                row["title"],
                row.get("side", ""),
                row["copies"],
                tuple(row["phases"]),
                row["event"],
                row["bonus"],
                row.get("text", ""),
            )
            for key, row in self.card_rows.items()
        }

    def card(self, card: str) -> Card | None:
        """HOS-6.1: the kind of a card in a deck, such as rally-2."""
        key, _, number = card.rpartition("-")
        return self.cards.get(key) if number.isdigit() else self.cards.get(card)

    def deck(self, side: str) -> tuple[str, ...]:
        """HOS-6.1: the cards of a faction's own deck, in the order of the data."""
        return tuple(
            f"{card.key}-{n}"
            for card in self.cards.values()
            if card.side in ("", side)
            for n in range(1, card.copies + 1)
        )

    # Limits

    @property
    def caps(self) -> Mapping[str, int]:
        """HOS-2.14: the most tokens of each sort."""
        found: Mapping[str, int] = self.limits["tokens"]
        return found

    @property
    def blast_radius(self) -> Fraction:
        """The radius of the explosion template, in cells (ours)."""
        return Fraction(str(self.limits["blast"]["radius"]))

    @property
    def grenade_radius(self) -> Fraction:
        """The radius of the template of grenades, in cells (ours)."""
        return Fraction(str(self.limits["grenades"].get("radius", self.limits["blast"]["radius"])))

    def combat_of(self, name: str) -> dict[str, int | None]:
        """The values printed on grenades or on the artillery template."""
        row = self.limits[name]["combat"]
        return {f: row[f] if isinstance(row.get(f), int) else None for f in FAMILIES}

    # Armies

    @property
    def recruitment_tiles(self) -> Mapping[str, Any]:
        """HOS-8.1: recruitment tiles."""
        found: Mapping[str, Any] = self.army["tiles"]
        return found

    @property
    def recruitment_options(self) -> Mapping[str, Any]:
        """HOS-8.2: recruitment options."""
        found: Mapping[str, Any] = self.army["options"]
        return found
