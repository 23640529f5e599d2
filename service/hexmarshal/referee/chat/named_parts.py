"""Who and what was named in words, put into the slots of an action."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.rules.action import ParamType

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.rules.action import ActionType, Param
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Value

__all__ = ["has_aim", "held_parts", "joined_parts"]

# How something is done nobody has to say: the table shows it.
_HOW: Final = (ParamType.CHOICE, ParamType.BOOL)
_DOERS: Final = (ParamType.UNIT, ParamType.UNITS)


def held_parts(
    kind: ActionType, own: Sequence[str], others: Sequence[str], here: Position
) -> Iterator[dict[str, Value]]:
    """The slots of a kind with those who were named: who acts, and whom or what he aims at.

    None where players did not name all that it needs, or more than act in it.
    """
    doer, rest = _parted(kind)
    if doer is None or len(rest) > 1:
        return
    doers: Value = tuple(own) if doer.type is ParamType.UNITS else own[0]
    if not rest:
        yield {doer.name: doers}
    else:
        yield from ({doer.name: doers, rest[0].name: aim} for aim in _aims(rest[0], others, here))


def has_aim(kind: ActionType) -> bool:
    """Whether somebody does it to somebody, or to a place, and nothing else has to be said."""
    doer, rest = _parted(kind)
    aims = {ParamType.UNIT, ParamType.UNITS, ParamType.CELL, ParamType.CELLS}
    if any(param.required and param.type in _HOW for param in kind.params):
        return False
    return doer is not None and len(rest) == 1 and rest[0].type in aims


def joined_parts(
    kind: ActionType, others: Sequence[str], here: Position
) -> Iterator[dict[str, Value]]:
    """The same where several may act together: only whom or what they aim at."""
    doer, rest = _parted(kind)
    if doer is not None and doer.type is ParamType.UNITS and len(rest) == 1:
        yield from ({rest[0].name: aim} for aim in _aims(rest[0], others, here))


def _parted(kind: ActionType) -> tuple[Param | None, list[Param]]:
    """The slot of who acts, and all others that have to be filled."""
    slots = [param for param in kind.params if param.required and param.type not in _HOW]
    doer = next((param for param in slots if param.type in _DOERS), None)
    return doer, [param for param in slots if param is not doer]


def _aims(slot: Param, others: Sequence[str], here: Position) -> Sequence[Value]:
    units = here.units
    cells = tuple(dict.fromkeys(units[name].cell if name in units else name for name in others))
    foes = tuple(name for name in others if name in units)
    match slot.type:
        case ParamType.UNIT:
            return foes
        case ParamType.UNITS:
            return (foes,) if foes else ()
        case ParamType.CELL:
            return cells
        case ParamType.CELLS:
            return tuple(dict.fromkeys((cells, *((cell,) for cell in cells)))) if cells else ()
        case _:
            return ()
