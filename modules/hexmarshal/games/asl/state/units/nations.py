"""What the nations can do and cannot, and troops with traits of their own, as typed values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.errors import RulesError
from hexmarshal.rules.values import FrozenMap

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CLASSES", "Nation", "Troops", "nations_of", "troops_of"]

CLASSES: Final = ("conscript", "green", "second", "first", "elite")
"""The classes of squads, from the lowest up."""


@dataclass(frozen=True, slots=True)
class Nation:
    """One nation's traits; what it does not have is as for most.

    ASL-NAT-GER, ASL-NAT-HUN, ASL-NAT-JAP, ASL-NAT-AXM, ASL-NAT-US, ASL-NAT-FRE and the others.
    """

    heat: int = 0
    promotion: int | None = 0
    """What leader creation adds; None where nobody is promoted in the field."""
    artillery: tuple[int, ...] = ()
    artillery_by_majority: Mapping[str, tuple[int, ...]] = FrozenMap()
    ammunition: str = "normal"
    to_hit: str = "black"
    to_hit_1944: str = ""
    to_hit_vehicles: str = ""
    deploys: str = "all"
    self_rallies: bool = False
    cowering: tuple[str, ...] = CLASSES
    stealthy: bool = False
    home_traits: bool = False
    lax_below_elite: bool = False
    armour_check_below_elite: int = 0
    surrenders_below_elite_on: int = 12
    captured_freely_below_elite: bool = False
    escapes: bool = True
    never: bool = False
    """Never disrupted, never surrendering."""
    never_against: tuple[str, ...] = ()
    unbreaking: tuple[str, ...] = ()
    """Kinds of units that lose men instead of breaking (ASL-MOR-3)."""
    apart: bool = False
    elite: bool = False
    elr: int | None = None
    human_wave: bool = False
    assault_fire_from: int = 0
    fanatic_from: str = "elite"
    """From this class on hardening makes fanatic (ASL-BH-1, ASL-NAT-FIN)."""
    leaders: tuple[str, ...] = ()
    replaced_by: Mapping[str, str] = FrozenMap()


@dataclass(frozen=True, slots=True)
class Troops:
    """Troops of a nation with traits of their own: Gurkhas, Marines, Greeks."""

    elite: bool = False
    stealthy: bool = False
    never: bool = False
    never_disrupted: bool = False
    hand_to_hand: bool = False
    broken_against: str = ""


def nations_of(rows: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Nation]:
    """The nations of the table, each with what it has from another."""
    return {name: Nation(**_complete(rows, name, ())) for name in rows}


def _complete(
    rows: Mapping[str, Mapping[str, Any]], name: str, on_the_way: tuple[str, ...]
) -> dict[str, Any]:
    row = dict(rows.get(name, {}))
    like = row.pop("like", "")
    if like and (like not in rows or like in on_the_way):
        raise RulesError(f"nations: {name} is like {like!r}, which is no other nation of the table")
    before = _complete(rows, like, (*on_the_way, name)) if like else {}
    own: dict[str, Any] = {key: tuple(v) if isinstance(v, list) else v for key, v in row.items()}
    if "artillery_by_majority" in own:
        own["artillery_by_majority"] = {
            key: tuple(pile) for key, pile in own["artillery_by_majority"].items()
        }
    return {**before, **own}


def troops_of(rows: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Troops]:
    """The troops of the table."""
    return {name: Troops(**row) for name, row in rows.items()}
