"""The tables of the game: terrain, counters, hits, works and cards, checked and given types."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.games.conflict_of_heroes.state.source import Source

__all__ = ["UNKNOWN_COUNTER", "Card", "Counter", "Hit", "Tables", "TerrainKind", "Works"]

NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class TerrainKind:
    """What one terrain does; an extra cost of None means that the class may not enter."""

    key: str
    title: str
    extra: Mapping[str, int | None]
    defence: int
    cover: bool
    blocks: bool = False
    bonus: frozenset[str] = NOTHING
    immobilises: frozenset[str] = NOTHING


@dataclass(frozen=True, slots=True)
class Counter:
    """The values printed on one type of counter."""

    key: str
    title: str
    side: str
    kind: str
    move_class: str
    move: int
    front: int
    flank: int
    armour: str
    fire: int | None = None
    indirect: int | None = None
    bonus: int = 0
    red: int = 0
    blue: int = 0
    range: int = 0
    min_range: int = 0
    white: frozenset[str] = NOTHING
    turret: bool = False
    open_top: bool = False
    he: bool = False
    smoke: bool = False
    flame: str = ""
    shield: int = 0
    at_gun: bool = False
    howitzer: bool = False
    vp: int = 1
    count: int = 0
    ours: frozenset[str] = NOTHING

    @property
    def foot(self) -> bool:
        """Whether the move cost is red: men, and guns that men push."""
        return self.move_class == "foot"

    @property
    def light(self) -> bool:
        """COH-1.1a: a foot unit whose move cost is 2 or less."""
        return self.move_class == "foot" and self.move <= 2

    @property
    def vehicle(self) -> bool:
        """Whether it runs on tracks or wheels."""
        return self.move_class != "foot"

    @property
    def infantry(self) -> bool:
        """Men without a heavy piece: what shelters behind vehicles and storms forts."""
        return self.move_class == "foot" and self.kind != "gun"

    @property
    def transport(self) -> bool:
        """A truck or a wagon."""
        return self.kind in ("truck", "wagon")

    def power(self, colour: str) -> int:
        """The firepower of one colour."""
        return self.red if colour == "red" else self.blue


UNKNOWN_COUNTER = Counter("?", "unknown unit", "", "squad", "foot", 1, 12, 11, "red")


@dataclass(frozen=True, slots=True)
class Hit:
    """One kind of hit marker."""

    key: str
    title: str
    rule: str
    count: int
    only_rally: bool = False
    eliminated: bool = False
    no_move: bool = False
    no_fire: frozenset[str] = NOTHING
    fire: int = 0
    move: int = 0
    red: int = 0
    blue: int = 0
    front: int = 0
    flank: int = 0
    range: int | None = None
    rally: int | None = None

    def power(self, colour: str) -> int:
        """What it does to the firepower of one colour."""
        return self.red if colour == "red" else self.blue


@dataclass(frozen=True, slots=True)
class Works:
    """A fortification or an obstacle."""

    key: str
    title: str
    fortification: bool = False
    obstacle: bool = False
    defence: int = 0
    defence_flank: int | None = None
    rating: int | None = None


@dataclass(frozen=True, slots=True)
class Card:
    """One card."""

    key: str
    title: str
    rule: str
    kind: str
    copies: int
    cost: int = 0
    pay: str = "either"
    group: bool = False
    side: str = ""
    red: int = 0
    blue: int = 0
    range: int = 0
    reach: int = 0
    power: int = 0
    change: int = 0
    pattern: int = 0
    he: bool = False
    artillery: bool = False
    smoke: bool = False
    vehicles_only: bool = False

    def firepower(self, colour: str) -> int:
        """The firepower of one colour."""
        return self.red if colour == "red" else self.blue


class Tables:
    """What the tables say, each read when it is first asked for."""

    def __init__(self, source: Source) -> None:
        self._source = source

    # Terrain and the book's constants

    @cached_property
    def _chart(self) -> dict[str, Any]:
        return self._source.read("rules/terrain.yaml", "terrain")

    @cached_property
    def terrain(self) -> Mapping[str, TerrainKind]:
        """Terrain of hexes and of hexsides, by key."""
        rows = (row for part in ("terrain", "sides") for row in self._chart[part].items())
        return {key: _terrain_kind(key, row) for key, row in rows}

    def number(self, group: str, name: str) -> int:
        """One of the book's constants: `number("fire", "short_range")`."""
        value = self._chart[group][name]
        assert isinstance(value, int)
        return value

    def flame(self, name: str) -> int:
        """A value of the flamethrower."""
        value = self._chart["fire"]["flame"][name]
        assert isinstance(value, int)
        return value

    # Counters and markers

    @cached_property
    def counters(self) -> Mapping[str, Counter]:
        """Every type of counter."""
        found = {}
        for key, row in self._source.read("counters.yaml", "counters")["units"].items():
            values = {k: v for k, v in row.items() if k != "years"}
            for name in ("white", "ours"):
                values[name] = frozenset(values.get(name, ()))
            found[key] = Counter(key, **values)
        return found

    @cached_property
    def _pools(self) -> Mapping[str, Mapping[str, Hit]]:
        pools = self._source.read("hits.yaml", "hits")["pools"]
        return {
            pool: {
                key: Hit(
                    key,
                    **{k: v for k, v in row.items() if k not in ("ours", "no_fire")},
                    no_fire=frozenset(row.get("no_fire", ())),
                )
                for key, row in rows.items()
            }
            for pool, rows in pools.items()
        }

    @cached_property
    def hits(self) -> Mapping[str, Hit]:
        """Every kind of hit marker of both pools."""
        return {key: hit for pool in self._pools.values() for key, hit in pool.items()}

    @cached_property
    def full_pools(self) -> Mapping[str, tuple[str, ...]]:
        """All markers of the full pools, `foot` and `vehicle`."""
        return {
            pool: tuple(hit.key for hit in rows.values() for _ in range(hit.count))
            for pool, rows in self._pools.items()
        }

    @cached_property
    def _objects(self) -> dict[str, Any]:
        return self._source.read("objects.yaml", "objects")

    @cached_property
    def works(self) -> Mapping[str, Works]:
        """Trench, bunker, wire, roadblock, mines."""
        return {
            key: Works(key, **{k: v for k, v in row.items() if k != "ours"})
            for key, row in self._objects["objects"].items()
        }

    def supply(self, name: str, value: str) -> int:
        """A number of hasty defences, mines or smoke."""
        found = self._objects[name][value]
        assert isinstance(found, int)
        return found

    # Cards

    @cached_property
    def _deck(self) -> dict[str, Any]:
        return self._source.read("cards.yaml", "cards")

    @cached_property
    def cards(self) -> Mapping[str, Card]:
        """Every card by its number or name."""
        rows = self._deck["cards"].items()
        return {k: Card(k, **{n: v for n, v in row.items() if n != "ours"}) for k, row in rows}

    @cached_property
    def sniper(self) -> Mapping[int, int]:
        """COH-C13: the command points lost by the sniper's die."""
        return {int(die): int(loss) for die, loss in self._deck["sniper"].items()}


def _terrain_kind(key: str, row: Mapping[str, Any]) -> TerrainKind:
    extra = {c: None if row[c] == "no" else int(row[c]) for c in ("foot", "tracked", "wheeled")}
    return TerrainKind(
        key,
        row["title"],
        extra,
        row["defence"],
        row["cover"],
        row.get("blocks", False),
        frozenset(row.get("bonus", ())),
        frozenset(row.get("immobilises", ())),
    )
