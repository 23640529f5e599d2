"""The tables of the game as typed values: counters, the fire table, the terrain chart."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.errors import RulesError
from hexmarshal.games.asl.state.units.nations import Nation, nations_of, troops_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.games.asl.state.units.nations import Troops
    from hexmarshal.kit.data import Source

__all__ = [
    "DUMMY", "MACHINE_GUNS", "UNKNOWN", "Counter", "FireTable", "Hexside", "Odds", "Tables",
    "Terrain", "VehicleCombat",
]  # fmt: skip

MACHINE_GUNS: Final = frozenset({"lmg", "mmg", "hmg"})
_MMC: Final = frozenset({"squad", "half_squad", "crew"})
_SMC: Final = frozenset({"leader", "hero"})
_ANY: Final = Nation()
UNKNOWN: Final = "concealed"
"""What the enemy sees of a concealed unit (ASL-A12.12a)."""
DUMMY: Final = "dummy"
_UNDER: Final = frozenset({UNKNOWN, DUMMY})


@dataclass(frozen=True, slots=True)
class Counter:
    """What a counter prints (ASL-UNIT-2, ASL-UNIT-4, ASL-UNIT-6); what it does not print is 0."""

    key: str
    kind: str
    nation: str = ""
    fp: int = 0
    range: int = 0
    morale: int = 0
    broken: int = 0
    quality: str = ""
    smoke: int = 0
    leadership: int = 0
    half: str = ""
    assault_fire: bool = False
    spraying: bool = False
    elr_5: bool = False
    self_rally: bool = False
    assault_engineer: bool = False
    commissar: bool = False
    reduced: str = ""
    """What casualties make of it, where that is no half-squad."""
    is_reduced: bool = False
    pp: int = 0
    rof: int = 0
    breakdown: int = 12
    removed: int = 0
    repair: int = 0
    dm_pp: int | None = None
    dm_fp: int = 0
    dm_range: int = 0
    dm_rof: int = 0

    @property
    def is_mmc(self) -> bool:
        """A squad, half-squad or crew (ASL-UNIT-1)."""
        return self.kind in _MMC

    @property
    def is_smc(self) -> bool:
        """A leader or hero (ASL-UNIT-1)."""
        return self.kind in _SMC

    @property
    def after_casualties(self) -> str:
        """What a squad becomes that loses men (ASL-IFT-3): its reduced side, or a half-squad."""
        return self.reduced or self.half

    @property
    def is_personnel(self) -> bool:
        """People, or what the enemy takes for people; not a weapon."""
        return self.kind in _MMC or self.kind in _SMC or self.kind in _UNDER

    @property
    def is_machine_gun(self) -> bool:
        """A light, medium or heavy machine gun."""
        return self.kind in MACHINE_GUNS

    @property
    def size(self) -> int:
        """The US# of the counter (ASL-US-1)."""
        return {"squad": 3, "half_squad": 2, "crew": 2}.get(self.kind, 1)

    @property
    def text(self) -> str:
        """As players call it: 4-6-7, 9-1, MMG."""
        if self.kind == "leader":
            sign = "+" if self.leadership > 0 else "-"
            return f"{self.morale}{sign}{abs(self.leadership)}"
        if self.kind in _UNDER:
            return "?"
        if self.is_personnel:
            return f"{self.fp}-{self.range}-{self.morale}"
        return self.kind.upper()


@dataclass(frozen=True, slots=True)
class Terrain:
    """One row of the terrain chart."""

    key: str
    cost: Fraction | None
    """In movement factors; None where it may not be entered."""
    tem: int
    open: bool
    all_mf: bool = False
    way: bool = False
    shelter: bool = False
    rally: int = 0
    bypass: bool = False
    building: bool = False
    concealment: bool = False
    depression: bool = False
    stream: bool = False
    water: bool = False
    ford: bool = False
    marsh: bool = False
    cx: bool = False


@dataclass(frozen=True, slots=True)
class Hexside:
    """A wall, a hedge, a cliff."""

    key: str
    cost: int | None
    tem: int
    minimum: bool = False
    """Whether it is crossed by a minimum move alone."""


@dataclass(frozen=True, slots=True)
class FireTable:
    """The Infantry Fire Table."""

    columns: tuple[int, ...]
    results: tuple[tuple[str, ...], ...]
    vehicle_line: Mapping[int, int]
    residual: Mapping[int, int]
    counters: tuple[int, ...]

    def column(self, firepower: Fraction) -> int:
        """The index of the highest column not above the firepower; -1 if there is none."""
        return max((i for i, least in enumerate(self.columns) if least <= firepower), default=-1)

    def result(self, column: int, total: int) -> str:
        """What the final roll brings in a column by index; '-' is nothing."""
        return self.results[min(max(total, 0), len(self.results) - 1)][column]


@dataclass(frozen=True, slots=True)
class Odds:
    """One column of the Close Combat Table: as printed, and its two kill numbers."""

    label: str
    black: int
    red: int


@dataclass(frozen=True, slots=True)
class VehicleCombat:
    """Close combat against vehicles (ASL-CCV-1, ASL-CCV-2, ASL-CCV-3)."""

    values: Mapping[str, int]
    """The close combat value by kind of unit."""
    value_modifiers: Mapping[str, int]
    modifiers: Mapping[str, int]
    unlikely_kill: tuple[str, ...]
    """What a third die does from 1 on."""
    close_defence: int
    """The firepower of close defence weapons."""
    start: Mapping[str, int]
    """The die of a captured vehicle that is started (ASL-CAPT-4b)."""


def _odds(ratio: Fraction) -> str:
    return f"{ratio.numerator}-{ratio.denominator}"


class Tables:
    """All tables, read from the data once."""

    def __init__(self, data: Source) -> None:
        self.data = data

    @cached_property
    def counters(self) -> Mapping[str, Counter]:
        """Every counter by its key."""
        found: dict[str, Counter] = {}
        for name in self.data.names("counters/*.yaml"):
            for key, row in self.data.read(name, "counters")["counters"].items():
                values = dict(row)
                quality = values.pop("class", "")
                found[key] = Counter(key, quality=quality, **values)
        for counter in found.values():
            for key in (counter.half, counter.reduced):
                if key and key not in found:
                    raise RulesError(f"{counter.key}: no counter {key!r} for what it becomes")
        return found

    @cached_property
    def squads_of(self) -> Mapping[str, str]:
        """The squad that two half-squads make, by the key of the half-squad."""
        return {c.half: c.key for c in reversed(list(self.counters.values())) if c.half}

    @cached_property
    def nations(self) -> Mapping[str, Nation]:
        """Every nation by its name."""
        found = nations_of(self.data.read("tables/nations.yaml")["nations"])
        for name, nation in found.items():
            named = (*nation.leaders, *nation.replaced_by, *nation.replaced_by.values())
            for key in named:
                if key not in self.counters:
                    raise RulesError(f"nations: {name} names the counter {key!r}, which is none")
        return found

    def nation(self, name: str) -> Nation:
        """The traits of a nation; those of most where the table does not have it."""
        return self.nations.get(name, _ANY)

    @cached_property
    def troops(self) -> Mapping[str, Troops]:
        """Troops with traits of their own."""
        return troops_of(self.data.read("tables/nations.yaml")["troops"])

    @cached_property
    def heat(self) -> Mapping[str, Any]:
        """Heat of battle, leader creation and the levels of leaders."""
        return self.data.read("tables/heat.yaml")

    @cached_property
    def fire(self) -> FireTable:
        """The fire table."""
        data = self.data.read("tables/fire.yaml")
        rows = data["results"]
        return FireTable(
            tuple(data["columns"]),
            tuple(tuple(rows[number]) for number in sorted(rows, key=int)),
            {int(key): value for key, value in data["vehicle_line"].items()},
            {int(key): value for key, value in data["residual"].items()},
            tuple(data["residual_counters"]),
        )

    @cached_property
    def _close_combat(self) -> dict[str, Any]:
        return self.data.read("tables/close_combat.yaml")

    def odds(self, ratio: Fraction, *, whole: bool = False) -> Odds:
        """ASL-CC-2: the column of a ratio of firepower, rounded down to a printed one.

        With `whole` the last column begins at eleven to one, not with all that is above ten.
        """
        rows = self._close_combat
        ratios = [Fraction(text) for text in rows["ratios"]]
        if ratio >= ratios[-1] + 1 if whole else ratio > ratios[-1]:
            index = len(ratios)
        else:
            index = sum(one <= ratio for one in ratios) - 1
        if index < 0:
            label = f"<{_odds(ratios[0])}"
        elif index == len(ratios):
            label = f">{_odds(ratios[-1])}"
        else:
            label = _odds(ratios[index])
        return Odds(label, rows["kill_numbers"][index + 1], rows["hand_to_hand"][index + 1])

    def ambush(self, name: str) -> int:
        """ASL-AMB-2: what a condition adds to the roll for an ambush."""
        return int(self._close_combat["ambush"][name])

    @property
    def ambush_margin(self) -> int:
        """ASL-AMB-1: by how much a side must roll lower."""
        return int(self._close_combat["ambush_margin"])

    def combat_modifier(self, name: str) -> int:
        """What a condition adds to a roll in close combat."""
        return int(self._close_combat["modifiers"][name])

    @cached_property
    def clearance(self) -> Mapping[str, Any]:
        """Clearing wire and roadblocks."""
        return self.data.read("tables/clearance.yaml")

    @cached_property
    def vehicle_combat(self) -> VehicleCombat:
        """Close combat against vehicles."""
        rows = self._close_combat["vehicles"]
        return VehicleCombat(
            rows["values"],
            rows["value_modifiers"],
            rows["modifiers"],
            tuple(rows["unlikely_kill"]),
            rows["close_defence_firepower"],
            rows["start"],
        )

    @cached_property
    def _chart(self) -> dict[str, Any]:
        return self.data.read("tables/terrain.yaml")

    @cached_property
    def terrain(self) -> Mapping[str, Terrain]:
        """The terrain chart by its own keys."""
        return {key: _terrain(key, row) for key, row in self._chart["terrain"].items()}

    @cached_property
    def drawn(self) -> Mapping[str, Terrain]:
        """The terrain chart by what boards draw."""
        return {
            name: self.terrain[key]
            for key, row in self._chart["terrain"].items()
            for name in row["vasl"]
        }

    @cached_property
    def hexsides(self) -> Mapping[str, Hexside]:
        """What stands on hexsides, by what boards draw."""
        found: dict[str, Hexside] = {}
        for key, row in self._chart["hexsides"].items():
            cost = row["cost"]
            side = Hexside(
                key, cost if isinstance(cost, int) else None, row["tem"], cost == "minimum"
            )
            found |= dict.fromkeys(row["vasl"], side)
        return found


def _terrain(key: str, row: Mapping[str, Any]) -> Terrain:
    flags = {name: value for name, value in row.items() if name not in {"cost", "vasl", "ours"}}
    cost = row["cost"]
    number = None if cost in ("all", "none") else Fraction(cost)
    return Terrain(key, Fraction(1) if cost == "all" else number, all_mf=cost == "all", **flags)
