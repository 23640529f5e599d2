"""A map as the rules need it: names, neighbours, sides, roads, and sets of hexes as bits."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from hexmarshal.errors import Place, RulesError
from hexmarshal.geometry.lattice.cellsets import HexSets, Ways
from hexmarshal.geometry.lattice.hexes import Hex, Hexside
from hexmarshal.geometry.terrain.terrain_file import load

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hexmarshal.games.kharkov.state.source import Source
    from hexmarshal.geometry.terrain.terrain_map import TerrainMap

__all__ = ["Board", "City", "Side"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Side:
    """What lies between two neighbours: a river or none, a road or none."""

    river: str = ""
    road: bool = False
    rail: bool = False

    @property
    def barred(self) -> bool:
        """The Dnieper is crossed, and fought across, by its bridges alone (KHA-6.3)."""
        return self.river == "dnieper" and not self.road

    @property
    def major(self) -> bool:
        """A river that halves who attacks across it (KHA-9.32)."""
        return self.river in ("donets", "dnieper")


@dataclass(frozen=True, slots=True)
class City:
    """A large city: the points for holding it, and the garrison printed in each hex."""

    name: str
    points: int
    garrisons: Mapping[str, int]


PLAIN = Side()


@dataclass(frozen=True)
class Board(HexSets):
    """The map in use; sets of its hexes are whole numbers."""

    key: str
    title: str
    map: TerrainMap
    terrain: Mapping[str, str]
    sides: Mapping[tuple[str, str], Side]
    cities: Mapping[str, City]
    soviet: int
    stretches: Mapping[str, Mapping[str, tuple[str, ...]]]
    south_row: int
    free_row: int
    road_ends: tuple[str, ...]
    isolation: int
    kharkov: str
    north_entry: str
    _kept: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def load(cls, source: Source, key: str) -> Board:
        """The board in a folder of data; errors name the file and the field."""
        file = f"boards/{key}/map.yaml"
        data = source.read(file, "map")
        terrain = load(source.file(f"boards/{key}/terrain.yaml"))
        return _Reader(key, data, terrain, str(source.file(file))).board()

    # Single hexes

    @property
    def hexes(self) -> Mapping[str, Hex]:
        """Every hex by its name."""
        return self.cells

    def row(self, cell: str) -> int:
        """Counted from the north."""
        return int(cell[:2])

    def column(self, cell: str) -> int:
        """Counted from the east."""
        return int(cell[2:])

    def side(self, one: str, other: str) -> Side:
        """What lies between two neighbours."""
        return self.sides.get((one, other), PLAIN)

    def adjacent(self, one: str, other: str) -> bool:
        """Whether two hexes share a side; off the map nothing does."""
        return other in self.near.get(one, ())

    def distance(self, one: str, other: str) -> int:
        """In hexes."""
        return self.cells[one].distance(self.cells[other])

    def south(self, cell: str) -> bool:
        """Whether the hex lies south of the green line (KHA-6.51)."""
        return self.row(cell) >= self.south_row

    def city_of(self, cell: str) -> City | None:
        """The city that the hex is part of."""
        return next((c for c in self.cities.values() if cell in c.garrisons), None)

    def garrison(self, cell: str) -> int:
        """The garrison printed in the hex; 0 where there is none."""
        city = self.city_of(cell) if self.terrain.get(cell) == "city" else None
        return city.garrisons[cell] if city else 0

    # Sets of hexes

    def crossing(self, name: str, *, dnieper: bool = False) -> Ways:
        """Ways to step: `passable` (no Dnieper without a bridge), `road`, `land`, `donets`.

        With `dnieper` that river is no obstacle.

        `land` is passable without a crossing of the Donets that ends a supply path, `donets` has
        those crossings alone: south of the free row and not by road (KHA-11.34, KHA-11.35 and
        KHA-11.36).
        """

        def goes(cell: str, other: str) -> bool:
            side = self.side(cell, other)
            barred = side.barred and not dnieper
            ends = side.river == "donets" and not side.road
            ends = ends and max(self.row(cell), self.row(other)) > self.free_row
            return {
                "passable": not barred,
                "road": side.road,
                "land": not barred and not ends,
                "donets": ends,
            }[name]

        return self.kept(f"crossing {name} {dnieper}", lambda: self.ways(goes))

    def region(self, name: str) -> int:
        """A set that never changes: an edge, the roads, the cities, beside the Donets..."""
        return self.kept(f"region {name}", lambda: self._region(name))

    def kept(self, name: str, make: Callable[[], T]) -> T:
        """Something worked out from the map, which never changes: once."""
        if name not in self._kept:
            self._kept[name] = make()
        found: T = self._kept[name]
        return found

    def _region(self, name: str) -> int:
        rows: dict[int, list[str]] = {}
        for cell in self.hexes:
            rows.setdefault(self.row(cell), []).append(cell)
        match name:
            case "north_edge":
                return self.mask(rows[min(rows)])
            case "south_edge":
                return self.mask(rows[max(rows)])
            case "east_edge":
                return self.mask(min(row) for row in rows.values())
            case "west_edge":
                return self.mask(max(row) for row in rows.values())
            case "edge":
                return self.mask(c for c in self.hexes if len(self.near[c]) < 6)
            case "south":
                return self.mask(c for c in self.hexes if self.south(c))
            case "city":
                return self.mask(c for c, t in self.terrain.items() if t == "city")
            case "road":
                return self.mask(one for (one, _), side in self.sides.items() if side.road)
            case "rail":
                return self.mask(one for (one, _), side in self.sides.items() if side.rail)
            case "donets":
                wet = (one for (one, _), side in self.sides.items() if side.river == "donets")
                return self.mask(wet)
            case "road_ends":
                ends = self.mask(c for c in self.road_ends if c in self.hexes)
                return (self.region("west_edge") | ends) & self.region("road")
        raise KeyError(name)

    def front(self, side: str) -> tuple[str, ...]:
        """The hexes of one side that touch the line of 12 May, from the north."""
        return tuple(c for cells in self.stretches[side].values() for c in cells)


class _Reader:
    """Turns the two files of a board into a Board."""

    def __init__(self, key: str, data: dict[str, Any], terrain: TerrainMap, file: str) -> None:
        self.key, self.data, self.map, self.file = key, data, terrain, file
        named = {str(n): h for h, n in terrain.names.items() if isinstance(h, Hex)}
        self.hexes = dict(sorted(named.items()))

    def board(self) -> Board:
        sets = HexSets(self.hexes)
        by_hex = {h: n for n, h in self.hexes.items()}
        board = Board(
            self.hexes,
            key=self.key,
            title=self.data["title"],
            map=self.map,
            terrain=self._terrain(),
            sides=self._sides(by_hex),
            cities=self._cities(),
            soviet=self._soviet(sets.bit),
            stretches={
                "axis": self._stretches("axis"),
                "soviet": self._stretches("soviet_groups"),
            },
            south_row=self.data["south_row"],
            free_row=self.data["supply"]["donets_free_row"],
            road_ends=tuple(self.data["supply"]["road_ends"]),
            isolation=self._isolation(sets.bit),
            kharkov=self.data["kharkov"],
            north_entry=self.data["north_entry"],
        )
        self._check_front(board)
        return board

    def _bad(self, text: str, field: str) -> RulesError:
        return RulesError(text, place=Place(file=self.file, field=field))

    def _known(self, cell: str, field: str) -> str:
        if cell not in self.hexes:
            raise self._bad(f"the map has no hex {cell}", field)
        return cell

    def _terrain(self) -> dict[str, str]:
        found = {}
        for place, kinds in self.map.cell_terrain.items():
            main = next((k for k in ("city", "forest") if k in kinds), "")
            if main:
                found[self.map.names[place]] = main
        return found

    def _sides(self, by_hex: Mapping[Hex, str]) -> dict[tuple[str, str], Side]:
        found: dict[tuple[str, str], Side] = {}
        touched = {*self.map.side_terrain, *self.map.links}
        for side in touched:
            if not isinstance(side, Hexside):
                continue
            pair = [by_hex[h] for h in side.hexes if h in by_hex]
            if len(pair) < 2:
                continue
            on = self.map.side_terrain.get(side, ())
            links = self.map.links.get(side, ())
            river = next((r for r in ("dnieper", "donets", "river") if r in on), "")
            made = Side(river, "road" in links, "rail" in links)
            if made != PLAIN:
                found[pair[0], pair[1]] = found[pair[1], pair[0]] = made
        return found

    def _cities(self) -> dict[str, City]:
        cities = {}
        listed: set[str] = set()
        for name, row in self.data["cities"].items():
            for cell in row["hexes"]:
                self._known(cell, f"cities.{name}")
                listed.add(cell)
            cities[name] = City(name, row["vp"], dict(row["hexes"]))
        drawn = {c for c, kind in self._terrain().items() if kind == "city"}
        if listed != drawn:
            odd = min(listed ^ drawn)
            raise self._bad(f"hex {odd} is a city in one of the two files only", "cities")
        if self.data["kharkov"] not in cities:
            raise self._bad("no such city", "kharkov")
        return cities

    def _soviet(self, bit: Mapping[str, int]) -> int:
        mask = 0
        for row, spans in self.data["front"]["soviet"].items():
            for span in spans.split(","):
                first, _, last = span.partition("-")
                for column in range(int(first), int(last or first) + 1):
                    mask |= bit[self._known(f"{row}{column:02}", f"front.soviet.{row}")]
        return mask

    def _stretches(self, name: str) -> dict[str, tuple[str, ...]]:
        return {
            key: tuple(self._known(c, f"front.{name}.{key}") for c in cells)
            for key, cells in self.data["front"][name].items()
        }

    def _isolation(self, bit: Mapping[str, int]) -> int:
        """The road hexes of KHA-17.23: from the city as far as the next one, and no farther."""
        own = self.data["cities"][self.data["kharkov"]]["hexes"]
        drawn = {cell for cell, kind in self._terrain().items() if kind == "city"}
        mask = 0
        for name in self.data["kharkov_roads"]:
            path = next((p for p in self.map.paths if p.name == name), None)
            if path is None:
                raise self._bad(f"no road is named {name!r}", "kharkov_roads")
            cells = [self.map.names[c] for c in path.cells]
            ends = [i for i, cell in enumerate(cells) if cell in own]
            if not ends:
                raise self._bad(f"{name!r} does not leave the city", "kharkov_roads")
            for way in (cells[: ends[0]][::-1], cells[ends[-1] + 1 :]):
                for cell in way:
                    mask |= bit[cell]
                    if cell in drawn:
                        break
        return mask

    def _check_front(self, board: Board) -> None:
        for side, own in (("axis", board.all & ~board.soviet), ("soviet", board.soviet)):
            touching = own & board.around(board.all & ~own)
            field = "front.axis" if side == "axis" else "front.soviet_groups"
            listed = board.front(side)
            if len(set(listed)) != len(listed):
                raise self._bad("a hex stands in two stretches", field)
            if board.mask(listed) != touching:
                odd = next(board.names(board.mask(listed) ^ touching))
                raise self._bad(f"hex {odd} is wrong: it is missing, or not on the line", field)
