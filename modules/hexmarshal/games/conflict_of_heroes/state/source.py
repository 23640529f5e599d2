"""The game's data: read once from YAML, checked against its schema, and given types."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.errors import NotFoundError, Place
from hexmarshal.kit.data import TERRAIN, GameData, Source, forget

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "DATA",
    "FOLDER",
    "Card",
    "Counter",
    "Hit",
    "TerrainKind",
    "Works",
    "cards",
    "choose",
    "chosen",
    "counters",
    "firefight",
    "firefights",
    "hit_pool",
    "hits",
    "number",
    "read",
    "terrain",
    "works",
]

FOLDER = Path(__file__).parents[1]
DATA: Final = GameData(
    "conflict_of_heroes",
    FOLDER / "data",
    {
        **{f"{name}.yaml": name for name in ("terrain", "units", "hits", "objects", "cards")},
        "boards/*.yaml": TERRAIN,
        "firefights/*.yaml": "firefight",
    },
    {"boards/*.yaml": "all of it", "firefights/*.yaml": "all of it"},
)
NOTHING: frozenset[str] = frozenset()
_chosen: dict[str, Source] = {}


def choose(folder: Path | str | None = None) -> Source:
    """Read a user's folder from now on, or our data: every rule of this process reads the same."""
    wanted = DATA.source(folder)
    if _chosen.setdefault("source", wanted) != wanted:
        forget(__package__.rpartition(".")[0])
        _chosen["source"] = wanted
    return wanted


def chosen() -> Source:
    """The data of this process."""
    return _chosen.get("source") or choose()


def read(name: str, kind: str) -> dict[str, Any]:
    """A file, checked against the schema of its kind; an error names file, line and field."""
    return chosen().read(name, kind)


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


@cache
def _chart() -> dict[str, Any]:
    return read("terrain.yaml", "terrain")


@cache
def terrain() -> Mapping[str, TerrainKind]:
    """Terrain of hexes and of hexsides, by key."""
    chart = _chart()
    return {
        key: _kind(key, row) for part in ("terrain", "sides") for key, row in chart[part].items()
    }


def _kind(key: str, row: Mapping[str, Any]) -> TerrainKind:
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


@cache
def number(group: str, name: str) -> int:
    """One of the book's constants: `number("fire", "short_range")`."""
    value = _chart()[group][name]
    assert isinstance(value, int)
    return value


@cache
def flame(name: str) -> int:
    """A value of the flamethrower."""
    value = _chart()["fire"]["flame"][name]
    assert isinstance(value, int)
    return value


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


@cache
def counters() -> Mapping[str, Counter]:
    """Every type of counter."""
    found = {}
    for key, row in read("units.yaml", "units")["units"].items():
        values = {k: v for k, v in row.items() if k != "years"}
        for name in ("white", "ours"):
            values[name] = frozenset(values.get(name, ()))
        found[key] = Counter(key, **values)
    return found


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


@cache
def _pools() -> Mapping[str, Mapping[str, Hit]]:
    pools = read("hits.yaml", "hits")["pools"]
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


@cache
def hits() -> Mapping[str, Hit]:
    """Every kind of hit marker of both pools."""
    return {key: hit for pool in _pools().values() for key, hit in pool.items()}


@cache
def hit_pool(pool: str) -> tuple[str, ...]:
    """All markers of a full pool, `foot` or `vehicle`."""
    return tuple(hit.key for hit in _pools()[pool].values() for _ in range(hit.count))


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


@cache
def _objects() -> dict[str, Any]:
    return read("objects.yaml", "objects")


@cache
def works() -> Mapping[str, Works]:
    """Trench, bunker, wire, roadblock, mines."""
    return {
        key: Works(key, **{k: v for k, v in row.items() if k != "ours"})
        for key, row in _objects()["objects"].items()
    }


@cache
def supply(name: str, value: str) -> int:
    """A number of hasty defences, mines or smoke."""
    found = _objects()[name][value]
    assert isinstance(found, int)
    return found


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


@cache
def cards() -> Mapping[str, Card]:
    """Every card by its number or name."""
    rows = read("cards.yaml", "cards")["cards"]
    return {k: Card(k, **{n: v for n, v in row.items() if n != "ours"}) for k, row in rows.items()}


@cache
def sniper() -> Mapping[int, int]:
    """COH-C13: the command points lost by the sniper's die."""
    table = read("cards.yaml", "cards")["sniper"]
    return {int(die): int(loss) for die, loss in table.items()}


@cache
def firefights() -> tuple[str, ...]:
    """The keys of all set-ups: those for training first."""
    found = [Path(name).stem for name in chosen().names("firefights/*.yaml")]
    return tuple(sorted(found, key=lambda k: (not firefight(k)["training"], k)))


@cache
def firefight(key: str) -> Mapping[str, Any]:
    """One set-up."""
    if not chosen().has(f"firefights/{key}.yaml"):
        raise NotFoundError(f"no firefight {key!r}", place=Place(field="scenario"))
    document = read(f"firefights/{key}.yaml", "firefight")
    document.setdefault("training", True)
    return document
