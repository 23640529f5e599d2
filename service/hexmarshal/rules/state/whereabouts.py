"""What a game declares of places within a cell and of bonds between units, and what breaks it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.rules.action import ParamType
from hexmarshal.rules.state.pieces import CARRIES, Unit
from hexmarshal.rules.values import FieldError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hexmarshal.rules.action import Param
    from hexmarshal.rules.values import Value

__all__ = ["BondRole", "PlaceKind", "bond_faults", "circles", "place_fault", "split_place"]

# A fault as the field within the unit and what is wrong there.
Fault = tuple[str, str]
# How many units may hang on one another: a weapon of a squad on a sledge behind a tank is four.
DEEPEST = 32


@dataclass(frozen=True, slots=True)
class PlaceKind:
    """A kind of place within a cell: in a trench, in a pillbox, on a bridge, along a hexside.

    A unit names it by its key, `entrenched`; one that needs to say more has a `param`, and what
    the unit says of it follows a colon: `bypass:3`, `pillbox:p1`.
    """

    key: str
    title: str
    doc: str = ""
    param: Param | None = None

    def read(self, said: str | None) -> Value:
        """What a unit says after the colon, checked; None where nothing is to be said."""
        if self.param is None:
            if said is not None:
                raise FieldError(f"{self.key!r} takes nothing after it")
            return None
        if said is None:
            raise FieldError(f"write {self.key}:... with {self.param.doc}")
        whole = self.param.type in (ParamType.INT, ParamType.FACING)
        if whole and not (said.removeprefix("-").isascii() and said.removeprefix("-").isdigit()):
            raise FieldError(f"{said!r} is not a whole number")
        if whole and str(int(said)) != said:
            raise FieldError(f"write {int(said)} for {said}")
        return self.param.decode(int(said) if whole else said)


@dataclass(frozen=True, slots=True)
class BondRole:
    """A role in which one unit holds another: possesses, crews, tows, rides, guards.

    It reads "this one <key> that one", and the unit held keeps it. Only where `many` is set may
    several units hold one in this role, as riders do a tank. Every game has the role "carries".
    """

    key: str
    title: str
    doc: str = ""
    many: bool = False


def split_place(place: str) -> tuple[str, str | None]:
    """The key of a place, and what is said after the colon, if there is one."""
    key, colon, said = place.partition(":")
    return key, said if colon else None


def place_fault(kinds: Mapping[str, PlaceKind], unit: Unit) -> str:
    """What is wrong with the place that a unit names; empty if nothing is."""
    key, said = split_place(unit.place)
    kind = kinds.get(key)
    if kind is None:
        return f"no place {key!r}; known: {', '.join(kinds) or 'none'}"
    if unit.box:
        return "a unit in a box is at no place of a cell"
    try:
        kind.read(said)
    except FieldError as error:
        return error.message
    return ""


def bond_faults(
    roles: Mapping[str, BondRole], units: Mapping[str, Unit], unit: Unit
) -> Iterator[Fault]:
    """What is wrong with the bonds on a unit: roles and units that are not there."""
    if unit.carrier and unit.carrier not in units:
        yield "carrier", f"no unit {unit.carrier!r}"
    for role, holders in unit.bonds.items():
        field = f"bonds.{role}"
        if role == CARRIES:
            yield field, "the unit that carries another is its `carrier`"
            continue
        if role not in roles:
            yield field, f"no bond {role!r}; known: {', '.join((CARRIES, *roles))}"
            continue
        if not holders:
            yield field, "a bond needs a unit"
        if len(set(holders)) != len(holders):
            yield field, "a unit is named twice"
        if len(holders) > 1 and not roles[role].many:
            yield field, "one unit alone can hold another in this role"
        for i, holder in enumerate(holders):
            if holder not in units:
                yield f"{field}[{i}]", f"no unit {holder!r}"


def circles(units: Mapping[str, Unit]) -> Iterator[tuple[str, Fault]]:
    """The units whose bonds of one role lead back to themselves, or have no end in sight."""
    held: dict[str, dict[str, tuple[str, ...]]] = {}
    for unit in units.values():
        for role, _ in unit.held_by():
            held.setdefault(role, {})[unit.id] = unit.by(role)
    for role, bonds in held.items():
        left = bonds
        for _ in range(DEEPEST):
            # Those that hang on nobody who hangs on somebody himself are in no circle.
            left = {name: by for name, by in left.items() if not left.keys().isdisjoint(by)}
        field = "carrier" if role == CARRIES else f"bonds.{role}"
        for name in left:
            yield name, (field, f"leads in a circle, or over more than {DEEPEST} units")
