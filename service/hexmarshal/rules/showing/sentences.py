"""Actions in sentences, for people who know the game and no notation of ours.

A game declares how its actions are told (`ActionType.sentence`) and the values of their parameters
(`Param.said`). What it does not declare is told by titles and names.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from hexmarshal.rules.params import ParamType
from hexmarshal.rules.values import FrozenMap

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.rules.action import Action, ActionType
    from hexmarshal.rules.game import Game
    from hexmarshal.rules.params import Param
    from hexmarshal.rules.values import Value

__all__ = ["listed", "sentence", "worded"]

_ANY: Final = "*"
# What may be left out of a sentence, with its slots.
_PART: Final = re.compile(r"\[([^\[\]]*)\]")
_SLOT: Final = re.compile(r"\{(\w+)\}")
_ACTORS: Final = (ParamType.UNIT, ParamType.UNITS)
_WORDS: Final = (ParamType.CARD, ParamType.CARDS, ParamType.CHOICE, ParamType.TEXT)
_AIMS: Final = (*_ACTORS, ParamType.CELL, ParamType.CELLS)


def sentence(
    game: Game, action: Action, chosen: Mapping[str, str] | None = None, *, side: bool = True
) -> str:
    """An action in words; `chosen` are the words for some of its parameters.

    Of an action that names no unit the side is told behind it, unless it is told otherwise.
    """
    kind = game.actions[action.kind]
    words = {
        param.name: told
        for param in kind.params
        if param.name in action.params
        and (told := worded(param, action.params[param.name], game.headings))
    }
    words |= chosen or {}
    title = next((one.title for one in game.sides if one.key == action.side and one.title), "")
    by_side = {**words, "side": title or action.side}
    form = kind.sentence or _form(kind)
    said = _PART.sub(
        lambda part: _filled(part[1], by_side) if by_side.keys() >= _slots(part[1]) else "", form
    )
    more = [
        _with_name(kind.by_name[name], text, action.params.get(name))
        for name, text in words.items()
        if name not in _slots(form)
    ]
    said = ", ".join((" ".join(_filled(said, by_side).split()), *more))
    actors = (p.name for p in kind.params if p.type in _ACTORS)
    if not side or "side" in _slots(form) or any(name in words for name in actors):
        return said
    return f"{said} ({by_side['side']})"


def listed(names: Sequence[str], last: str = "and") -> str:
    """Names in a row: a, b and c."""
    return f" {last} ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def _slots(form: str) -> frozenset[str]:
    return frozenset(_SLOT.findall(form))


def _filled(form: str, words: Mapping[str, str]) -> str:
    return _SLOT.sub(lambda slot: words.get(slot[1], "nothing"), form)


def _form(kind: ActionType) -> str:
    """How an action is told that declares no sentence: by its title, who does it, and at whom."""
    needed = [param for param in kind.params if param.required]
    parts = [kind.title or kind.name.replace("_", " ")]
    for number, param in enumerate(needed):
        if param.type in _AIMS:
            parts.append(f"{'at' if number else 'by'} {{{param.name}}}")
        else:
            parts[-1] += ":" if not number else ","
            parts.append(f"{{{param.name}}}")
    return " ".join(parts)


def worded(param: Param, value: Value, headings: Sequence[str] = ()) -> str:
    """The words for a value; none if there is nothing to tell."""
    told = _text(param, value, headings)
    said = param.said
    if isinstance(said, Mapping):
        others = said.get(_ANY, "" if isinstance(value, bool) else "{}")
        key = value if isinstance(value, str) else told
        return said.get(key, others if told else "").replace("{}", told)
    return said.replace("{}", told) if said and told else told


def _with_name(param: Param, told: str, value: Value) -> str:
    """What nothing else says what it is is told with its name."""
    if param.said or param.required:
        return told
    name = param.name.replace("_", " ")
    if isinstance(value, bool):
        return name if value else f"no {name}"
    return f"{name} {told}"


def _text(param: Param, value: Value, headings: Sequence[str]) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if param.type is ParamType.FACING and isinstance(value, int) and 0 <= value < len(headings):
        return headings[value]
    if isinstance(value, FrozenMap):
        return " ".join(filter(None, _fields(param, value, headings)))
    if not isinstance(value, tuple):
        return "" if value is None else _name(param, value)
    items = [
        _name(param, item) if param.items is None else _text(param.items, item, headings)
        for item in value
    ]
    if param.type is ParamType.PATH:
        return " -> ".join(items)
    return "; ".join(items) if param.items is not None else listed(items)


def _name(param: Param, value: Value) -> str:
    """A name; those of cards and choices are words joined for programs."""
    told = str(value)
    return told.replace("_", " ") if param.type in _WORDS else told


def _fields(param: Param, record: Mapping[str, Value], headings: Sequence[str]) -> Iterator[str]:
    for field in param.fields:
        if field.name in record:
            value = record[field.name]
            yield _with_name(field, worded(field, value, headings), value)
    declared = {field.name for field in param.fields}
    yield from (f"{name} {value}" for name, value in record.items() if name not in declared)
