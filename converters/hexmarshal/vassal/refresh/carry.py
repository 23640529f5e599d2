"""One trait's state carried over to its new definition: what fits stays, what does not is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from hexmarshal.errors.counts import counted
from hexmarshal.vassal import sequence
from hexmarshal.vassal.traits import (
    AngleState,
    BasicPiece,
    FacingState,
    HiddenState,
    Hideable,
    Labeler,
    LabelState,
    Layer,
    LayerState,
    Marker,
    Mask,
    MaskState,
    PieceState,
    PropertySheet,
    ReportingState,
    ReportState,
    RotateFixed,
    RotateFree,
    SheetState,
    State,
    TableInfo,
    TableState,
    Trait,
)

__all__ = ["Carried", "Roster", "carry", "is_default"]


@dataclass(frozen=True, slots=True)
class Roster:
    """Who sits where: user ids by side and sides by user id."""

    sides: Mapping[str, str] = field(default_factory=dict, repr=False)
    users: Mapping[str, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Carried:
    """The new state as text, and what a person should know about it."""

    text: str
    note: str = ""


def carry(old: Trait, new: Trait, state: str, default: str, roster: Roster) -> Carried:
    """The state of an old trait for a new one; `default` is what the new definition says."""
    if isinstance(new, Marker):
        return Carried(default)
    change = _CHANGES.get(type(new))
    if change is None or (old == new and type(new) not in _ALWAYS):
        return Carried(state)
    return change(old, new, state, default, roster)


def _layer(old: Trait, new: Layer, text: str, default: str, _roster: Roster) -> Carried:
    state = LayerState.decode(text)
    level, off = abs(state.level), state.level < 0
    count = len(new.images)
    note = ""
    if isinstance(old, Layer):
        level = _same_level(old, new, level)
        if level != abs(state.level):
            note = f"level {abs(state.level)} is now level {level}"
    if count and level > count:
        note = f"level {level} is gone: the highest is {count} now"
        level = count
    if not level:
        return Carried(default if not state.level else text)
    return Carried(LayerState(level=-level if off else level).encode(), note)


def _same_level(old: Layer, new: Layer, level: int) -> int:
    """The level of the new layer that shows what a level of the old one showed."""
    at = level - 1
    image = old.images[at] if 0 <= at < len(old.images) else ""
    name = old.level_names[at] if 0 <= at < len(old.level_names) else ""
    if at < len(new.images) and new.images[at] == image:
        return level
    if name and at < len(new.level_names) and new.level_names[at] == name:
        return level
    for wanted, there in ((image, new.images), (name, new.level_names)):
        if wanted and there.count(wanted) == 1:
            return there.index(wanted) + 1
    return level


def _label(_old: Trait, new: Labeler, text: str, default: str, _roster: Roster) -> Carried:
    # Without a command nobody can write the label in play: it belongs to the definition.
    if not new.command and new.key.is_none:
        return Carried(default)
    return Carried(LabelState(text=LabelState.decode(text).text).encode())


def _facing(old: Trait, new: RotateFixed, text: str, _default: str, _roster: Roster) -> Carried:
    count = max(new.facings, 1)
    if isinstance(old, RotateFixed) and old.facings == new.facings:
        return Carried(text)
    if isinstance(old, RotateFixed) and old.facings > 0:
        turn = FacingState.decode(text).facing / old.facings
    else:
        # A facing of i stands at -i*360/n degrees.
        turn = -AngleState.decode(text).angle / 360
    facing = round(turn * count) % count
    exact = abs(turn * count - round(turn * count)) < 1e-9
    return Carried(str(facing), "" if exact else f"turned to the nearest of {count} facings")


def _angle(old: Trait, _new: RotateFree, text: str, _default: str, _roster: Roster) -> Carried:
    if isinstance(old, RotateFixed) and old.facings > 0:
        degrees = -FacingState.decode(text).facing * 360 / old.facings
        return Carried(AngleState(angle=degrees or 0.0).encode())
    return Carried(text)


def _owner(
    old: Hideable | Mask, new: Hideable | Mask, owner: str | None, roster: Roster
) -> tuple[str | None, str]:
    """The owner as the new access rule names owners: a player's id, or a side."""
    by_player = [trait.access.kind == "player" for trait in (old, new)]
    if not owner or by_player[0] == by_player[1]:
        return owner, ""
    known = roster.users if by_player[1] else roster.sides
    if owner in known:
        return known[owner], "owned by the player now" if by_player[1] else "owned by the side now"
    return owner, "its owner cannot be told in the new way and stays as it was"


def _hidden(old: Hideable, new: Hideable, text: str, _default: str, roster: Roster) -> Carried:
    state = HiddenState.decode(text)
    owner, note = _owner(old, new, state.owner, roster)
    return Carried(text if owner == state.owner else replace(state, owner=owner).encode(), note)


def _mask(old: Mask, new: Mask, text: str, _default: str, roster: Roster) -> Carried:
    state = MaskState.decode(text)
    owner, note = _owner(old, new, state.owner, roster)
    return Carried(text if owner == state.owner else replace(state, owner=owner).encode(), note)


def _report(_old: Trait, new: ReportState, text: str, default: str, _roster: Roster) -> Carried:
    index = ReportingState.decode(text).index
    return Carried(text if index < len(new.cycle_formats) else default)


def _table(old: TableInfo, new: TableInfo, text: str, default: str, _roster: Roster) -> Carried:
    if (old.rows, old.columns) == (new.rows, new.columns):
        return Carried(text)
    cells = TableState.decode(text).cells
    fresh = [*TableState.decode(default).cells]
    fresh += [""] * (new.rows * new.columns - len(fresh))
    lost = 0
    for at, cell in enumerate(cells):
        row, column = divmod(at, max(old.columns, 1))
        if row < new.rows and column < new.columns:
            fresh[row * new.columns + column] = cell
        elif cell:
            lost += 1
    note = (
        f"{counted(lost, 'cell has', 'cells have')} no place in the new table"
        if lost
        else "the table has a new size"
    )
    return Carried(TableState(cells=tuple(fresh)).encode(), note)


def _sheet(
    old: PropertySheet, new: PropertySheet, text: str, default: str, _roster: Roster
) -> Carried:
    names = [line.name for line in old.fields.fields]
    wanted = [line.name for line in new.fields.fields]
    if names == wanted:
        return Carried(text)
    values = dict(zip(names, SheetState.decode(text).values, strict=False))
    fresh = [*SheetState.decode(default).values]
    fresh += [""] * (len(wanted) - len(fresh))
    merged = [values.pop(name, own) for name, own in zip(wanted, fresh, strict=False)]
    lost = sorted(name for name, value in values.items() if value)
    note = f"values without a line in the new sheet: {', '.join(lost)}" if lost else ""
    return Carried(SheetState(values=tuple(merged)).encode(), note)


def _piece(_old: Trait, _new: BasicPiece, text: str, default: str, _roster: Roster) -> Carried:
    state = PieceState.decode(text)
    gpid = PieceState.decode(default).gpid
    if state.gpid == gpid:
        return Carried(text)
    # Files before 3.0 write three fields; the engine reads more or fewer.
    place = ["null" if state.map is None else state.map, str(state.x), str(state.y), gpid]
    pairs = [part for pair in state.properties for part in pair]
    return Carried(sequence.join([*place, str(len(state.properties)), *pairs], ";"))


_Change = Callable[[Any, Any, str, str, Roster], Carried]
_CHANGES: Final[dict[type[Trait], _Change]] = {
    Layer: _layer,
    Labeler: _label,
    RotateFixed: _facing,
    RotateFree: _angle,
    Hideable: _hidden,
    Mask: _mask,
    ReportState: _report,
    TableInfo: _table,
    PropertySheet: _sheet,
    BasicPiece: _piece,
}
# Here the definition has a say even where the trait itself is the same.
_ALWAYS: Final = (BasicPiece, Labeler)


def is_default(trait: Trait, state: str) -> bool:
    """Whether a state says nothing that a fresh trait would not."""
    return state in {"", "null", "null;"} or trait.decode_state(state) == _fresh(trait)


def _fresh(trait: Trait) -> State:
    return trait.state_type()
