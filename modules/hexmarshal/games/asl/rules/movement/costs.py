"""What a step costs: terrain, hexside, height, smoke, crowds, each with its rule."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.movement.stacking import crowd_of
from hexmarshal.rules.verdict import Cost, CostPart

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.games.asl.state.ground import Location
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["Price", "bypass_price", "is_road_step", "price"]


class Price:
    """The price of a step: its parts, or why it cannot be made."""

    __slots__ = ("all_mf", "barred", "minimum", "parts", "rule")

    def __init__(
        self,
        parts: Sequence[CostPart] = (),
        *,
        barred: str = "",
        rule: str = "",
        all_mf: bool = False,
        minimum: bool = False,
    ) -> None:
        self.parts, self.barred, self.rule = tuple(parts), barred, rule
        self.all_mf, self.minimum = all_mf, minimum

    @property
    def total(self) -> Fraction:
        """The sum of the parts."""
        return Fraction(sum(part.amount for part in self.parts))

    @property
    def without_smoke(self) -> Fraction:
        """ASL-A4.72a: what counts for difficult terrain."""
        return Fraction(sum(p.amount for p in self.parts if p.rule != "ASL-SMOKE-2"))

    def cost(self) -> Cost:
        """As it stands in a verdict."""
        return Cost(self.parts, "MF")


def is_road_step(now: Situation, start: Location, end: Location) -> bool:
    """Whether a step follows a road across the hexside."""
    if start.cell == end.cell or not start.cell:
        return False
    side = now.ground.side_to(start.cell, end.cell)
    return (
        side is not None
        and now.ground.is_way(start.cell, side)
        and now.ground.is_way(end.cell, side + 3)
    )


def price(
    now: Situation,
    start: Location,
    end: Location,
    units: Sequence[Unit],
    *,
    crowd: bool = True,
) -> Price:
    """What infantry pays from one location to the next; `start` may be off the map."""
    ground = now.ground
    if start.cell == end.cell and start.cell:
        inside = all(ground.kind_of(place) in ("ground", "level") for place in (start, end))
        if abs(start.level - end.level) != 1 or not inside or not ground.stairs(start.cell):
            return Price(barred=f"there are no stairs from {start} to {end}")
        parts = [CostPart(1, "stairs", "ASL-BLDG-3", end.cell)]
    else:
        parts_or_none = _between(now, start, end)
        if isinstance(parts_or_none, Price):
            return parts_or_none
        parts = parts_or_none
    parts += _besides(now, end, units, crowd=crowd)
    row = ground.beneath(end.cell)
    road = is_road_step(now, start, end)
    hexside = None
    if start.cell and start.cell != end.cell:
        side = ground.side_to(start.cell, end.cell)
        hexside = None if side is None else ground.hexside(start.cell, side)
    return Price(
        parts,
        all_mf=row.all_mf and not road and start.cell != end.cell,
        minimum=hexside is not None and hexside.minimum,
    )


def _between(now: Situation, start: Location, end: Location) -> list[CostPart] | Price:
    ground = now.ground
    side: int | None = None
    parts: list[CostPart] = []
    if start.cell:
        side = ground.side_to(start.cell, end.cell)
        if side is None:
            return Price(barred=f"{end.cell} is not adjacent to {start.cell}")
        if (
            (start.level or end.level)
            and not (start.level == end.level and ground.same_building(start.cell, end.cell))
            and not _bridge_step(now, start, end)
        ):
            return Price(barred=f"no way leads from {start} to {end}")
        hexside = ground.hexside(start.cell, side)
        if hexside is not None:
            if hexside.cost is None and not hexside.minimum:
                why = f"the {hexside.key} between {start.cell} and {end.cell}"
                return Price(barred=why, rule="ASL-WALL-2")
            if hexside.cost and not is_road_step(now, start, end):
                parts.append(CostPart(hexside.cost, hexside.key, "ASL-WALL-2", end.cell))
    road = is_road_step(now, start, end)
    row = ground.terrain(end.cell)
    if road:
        amount, label, rule = Fraction(1), "road", "ASL-ROAD-1"
    else:
        beneath = ground.beneath(end.cell)
        if beneath.cost is None:
            return Price(barred=f"{end.cell} is {beneath.key.replace('_', ' ')}")
        if row.cost is None:
            return Price(barred=f"{end.cell} is {row.key.replace('_', ' ')}")
        amount, label, rule = row.cost, row.key.replace("_", " "), "ASL-MOVE-4"
        if row.depression and not ground.other(end.cell).open:
            extra = ground.other(end.cell)
            if extra.cost is not None and extra is not row:
                amount += extra.cost
                label += f" with {extra.key.replace('_', ' ')}"
    climb = ground.base(end.cell) - ground.base(start.cell) if start.cell else 0
    if climb > 0 and not (start.level or end.level):
        amount *= 2**climb
        label += f", {climb} level(s) up"
        rule = "ASL-HILL-4"
    parts.insert(0, CostPart(amount, label, rule, end.cell))
    return parts


def _bridge_step(now: Situation, start: Location, end: Location) -> bool:
    kinds = {now.ground.kind_of(place) for place in (start, end) if place.level}
    return kinds == {"bridge"} and is_road_step(now, start, end)


def _besides(
    now: Situation, end: Location, units: Sequence[Unit], *, crowd: bool
) -> list[CostPart]:
    parts = []
    if any(marker.kind == "smoke" for marker in now.position.markers_at(end.cell)):
        parts.append(CostPart(1, "smoke", "ASL-SMOKE-2", end.cell))
    if crowd and units:
        there = [u for u in now.people(end, units[0].side) if u.id not in {x.id for x in units}]
        over = crowd_of(now, (*there, *units))
        if over:  # ASL-STACK-3, ASL-LIMIT-2
            parts.append(CostPart(over, "overstacked", "ASL-STACK-3", end.cell))
    return parts


def bypass_price(now: Situation, cell: str) -> Price:
    """ASL-BYP-2: the other terrain of the hex, one hexside at a time, and smoke."""
    parts = [CostPart(1, "bypass", "ASL-BYP-2", cell)]
    if any(marker.kind == "smoke" for marker in now.position.markers_at(cell)):
        parts.append(CostPart(1, "smoke", "ASL-SMOKE-2", cell))
    return Price(parts)
