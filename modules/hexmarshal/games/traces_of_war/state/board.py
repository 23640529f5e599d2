"""A map as the rules need it: hexes by name, what lies on them and between them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from hexmarshal.errors import RulesError
from hexmarshal.geometry.lattice.hexes import Hex, Hexside

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from hexmarshal.errors import Place
    from hexmarshal.games.traces_of_war.state.source import Source
    from hexmarshal.games.traces_of_war.state.tables import Tables
    from hexmarshal.geometry.terrain.terrain_map import TerrainMap

__all__ = ["PLAIN", "Board", "City", "Crossing", "Side", "beside"]

CITY, MAJOR_CITY = "city", "major_city"


@dataclass(frozen=True, slots=True)
class Side:
    """What lies between two neighbours: a river, a road, a railway, or a bar to everything."""

    river: str = ""
    road: bool = False
    rail: bool = False
    blocked: bool = False

    @property
    def bridged(self) -> bool:
        """A river that a road or a railway crosses has a bridge there (TOW-2.1a)."""
        return self.road or self.rail

    @property
    def unbridged_major(self) -> bool:
        """A major river without a bridge."""
        return self.river == "major" and not self.bridged

    @classmethod
    def of(cls, features: Iterable[str]) -> Side:
        """From the words that the map uses."""
        words = set(features)
        river = next((name for name in ("major", "minor") if name in words), "")
        return cls(river, "road" in words, "rail" in words, "blocked" in words)


PLAIN = Side()


@dataclass(frozen=True, slots=True)
class City:
    """A city, and whether it is a major one."""

    name: str
    major: bool = False


@dataclass(frozen=True, slots=True)
class Crossing:
    """A crossing point of the Dnipro; `key` is the hex from which alone it is commanded."""

    name: str = ""
    key: str = ""


def beside(cell: str) -> tuple[str, ...]:
    """The six hexes that the numbering puts beside one, on the map or not."""
    line, place = int(cell[:2]), int(cell[2:])
    west = 0 if line % 2 else -1
    around = (
        (line, place - 1),
        (line, place + 1),
        (line - 1, place + west),
        (line - 1, place + west + 1),
        (line + 1, place + west),
        (line + 1, place + west + 1),
    )
    return tuple(f"{a:02}{b:02}" for a, b in around)


@dataclass(frozen=True)
class Board:
    """The map in use."""

    key: str
    title: str
    map: TerrainMap
    hexes: Mapping[str, Hex]
    near: Mapping[str, tuple[str, ...]]
    terrain: Mapping[str, tuple[str, ...]]
    sides: Mapping[tuple[str, str], Side]
    cities: Mapping[str, City]
    orders: tuple[str, ...]
    sources: Mapping[str, frozenset[str]]
    crossings: Mapping[str, Crossing]
    breakthrough: frozenset[str]
    west: frozenset[str]
    _laid: dict[Any, Board] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def load(cls, source: Source, key: str, tables: Tables) -> Board:
        """The board in a folder of data; errors name the file, the line and the field."""
        return _Reader(source, key, tables).board()

    def side(self, one: str, other: str) -> Side:
        """What lies between two neighbours."""
        return self.sides.get((one, other), PLAIN)

    def adjacent(self, one: str, other: str) -> bool:
        """Whether two hexes share a side; off the map nothing does."""
        return other in self.near.get(one, ())

    def distance(self, one: str, other: str) -> int:
        """In hexes, whatever lies between."""
        return self.hexes[one].distance(self.hexes[other])

    def kinds(self, cell: str) -> tuple[str, ...]:
        """The terrain of a hex; nothing where it is clear."""
        return self.terrain.get(cell, ())

    def has_road(self, cell: str) -> bool:
        """Whether a road runs through the hex."""
        return any(self.side(cell, other).road for other in self.near[cell])

    def has_rail(self, cell: str) -> bool:
        """Whether a railway runs through the hex."""
        return any(self.side(cell, other).rail for other in self.near[cell])

    def majors(self) -> Iterator[str]:
        """The hexes of the major cities."""
        return (cell for cell, city in self.cities.items() if city.major)

    def laid(self, facts: Mapping[str, Mapping[str, Any]]) -> Board:
        """The map with what a position lays over it, hex by hex; see `overlay`."""
        from hexmarshal.games.traces_of_war.state.overlay import overlaid, shape_of

        shape = shape_of(facts)
        if not shape:
            return self
        if shape not in self._laid:
            if len(self._laid) > 64:
                self._laid.clear()
            self._laid[shape] = replace(overlaid(self, dict(shape)), _laid={})
        return self._laid[shape]


class _Reader:
    """Turns the two files of a board into a Board."""

    def __init__(self, source: Source, key: str, tables: Tables) -> None:
        self.source, self.key, self.tables = source, key, tables
        self.file = f"boards/{key}/map.yaml"
        self.data = source.read(self.file, "map")
        self.map = source.terrain(f"boards/{key}/terrain.yaml")
        drawn = {str(n): h for h, n in self.map.names.items() if isinstance(h, Hex)}
        closed = {n for n, h in drawn.items() if self._closed(h)}
        self.hexes = {n: drawn[n] for n in sorted(drawn) if n not in closed}

    def _closed(self, place: Hex) -> bool:
        kinds = self.map.cell_terrain.get(place, ())
        return any(self.tables.closed(kind) for kind in kinds)

    def board(self) -> Board:
        by_hex = {h: n for n, h in self.hexes.items()}
        near = {
            n: tuple(by_hex[o] for o in h.neighbours() if o in by_hex)
            for n, h in self.hexes.items()
        }
        self._check_numbers(near)
        terrain = self._terrain()
        return Board(
            key=self.key,
            title=self.data["title"],
            map=self.map,
            hexes=self.hexes,
            near=near,
            terrain=terrain,
            sides=self._sides(by_hex),
            cities=self._cities(terrain),
            orders=tuple(self._known(c, "orders", i) for i, c in enumerate(self._list("orders"))),
            sources={
                side: frozenset(
                    self._known(c, "sources", side, i)
                    for i, c in enumerate(self.data["sources"][side])
                )
                for side in ("axis", "soviet")
            },
            crossings=self._crossings(),
            breakthrough=frozenset(
                self._known(c, "breakthrough", "hexes", i)
                for i, c in enumerate(self.data.get("breakthrough", {}).get("hexes", ()))
            ),
            west=frozenset(self._west()),
        )

    def _list(self, name: str) -> list[str]:
        found: list[str] = self.data.get(name, [])
        return found

    def _place(self, *keys: str | int) -> Place:
        return self.source.place(self.file, *keys)

    def _known(self, cell: str, *keys: str | int) -> str:
        if cell not in self.hexes:
            raise RulesError(f"the map has no hex {cell}", place=self._place(*keys))
        return cell

    def _check_numbers(self, near: Mapping[str, tuple[str, ...]]) -> None:
        """The grid must lie as the numbers say: it is by them that the rulebook names hexes."""
        for name, found in near.items():
            if len(name) != 4 or not (name.isascii() and name.isdigit()):
                raise RulesError(
                    f"hex {name!r} is not named by four digits",
                    place=self.source.place(f"boards/{self.key}/terrain.yaml", "grid"),
                )
            odd = {*found} ^ {one for one in beside(name) if one in near}
            if odd:
                raise RulesError(
                    f"hex {name} does not lie beside {min(odd)} as their numbers say",
                    place=self.source.place(f"boards/{self.key}/terrain.yaml", "grid"),
                    hint="odd lines lie half a hex further east than even ones",
                )

    def _terrain(self) -> dict[str, tuple[str, ...]]:
        found = {}
        for place, kinds in self.map.cell_terrain.items():
            name = self.map.names[place]
            for kind in kinds:
                if kind not in self.tables.terrain["hexes"]:
                    raise RulesError(
                        f"rules/terrain.yaml has no terrain {kind!r}",
                        place=self.source.place(f"boards/{self.key}/terrain.yaml", "cells", name),
                    )
            if name in self.hexes:
                found[name] = tuple(kinds)
        return found

    def _sides(self, by_hex: Mapping[Hex, str]) -> dict[tuple[str, str], Side]:
        found: dict[tuple[str, str], Side] = {}
        for side in {*self.map.side_terrain, *self.map.links}:
            if not isinstance(side, Hexside):
                continue
            pair = [by_hex[h] for h in side.hexes if h in by_hex]
            if len(pair) < 2:
                continue
            on = (*self.map.side_terrain.get(side, ()), *self.map.links.get(side, ()))
            found[pair[0], pair[1]] = found[pair[1], pair[0]] = Side.of(on)
        return found

    def _cities(self, terrain: Mapping[str, tuple[str, ...]]) -> dict[str, City]:
        listed = {
            self._known(cell, "cities", cell): City(row["name"], bool(row.get("major")))
            for cell, row in self.data["cities"].items()
        }
        for kind, major in ((CITY, False), (MAJOR_CITY, True)):
            drawn = {cell for cell, kinds in terrain.items() if kind in kinds}
            odd = drawn ^ {cell for cell, city in listed.items() if city.major is major}
            if odd:
                text = f"hex {min(odd)} is a {kind} in one of the two files of the board only"
                raise RulesError(text, place=self._place("cities", min(odd)))
        for i, cell in enumerate(self._list("orders")):
            if cell not in listed or not listed[cell].major:
                raise RulesError(f"{cell} is no major city", place=self._place("orders", i))
        return listed

    def _crossings(self) -> dict[str, Crossing]:
        rows: Mapping[str, Mapping[str, str]] = self.data.get("crossing_points", {})
        found = {}
        for cell, row in rows.items():
            key = row.get("key", "")
            if key:
                self._known(key, "crossing_points", cell, "key")
            self._known(cell, "crossing_points", cell)
            found[cell] = Crossing(row.get("name", ""), key)
        return found

    def _west(self) -> Iterator[str]:
        for line, spans in self.data.get("west", {}).get("rows", {}).items():
            for span in spans.split(","):
                first, _, last = span.partition("-")
                for place in range(int(first), int(last or first) + 1):
                    cell = f"{line}{place:02}"
                    if cell in self.hexes:
                        yield cell
