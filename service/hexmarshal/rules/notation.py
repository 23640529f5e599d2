"""Actions as one line of text and back: `axis: move unit=pz-14 path=1419,1420`."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from hexmarshal.errors import Place, RulesError
from hexmarshal.rules.params import NESTED, ParamType
from hexmarshal.rules.values import thaw

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.rules.action import Action, ActionTable, ActionType
    from hexmarshal.rules.values import Value

__all__ = ["AmbiguousActionError", "read_action", "write_action"]

_PLAIN = re.compile(r"[^\s,=\"\[\]{}]+")
_PART = re.compile(r"\s*(?P<name>\w+)=(?P<value>(?:\"(?:[^\"\\]|\\.)*\"|[^\s\"])*)")
_NONE = "-"
_ITEM = re.compile(r"\"(?:[^\"\\]|\\.)*\"|[^,\"]*")


class AmbiguousActionError(RulesError):
    """A line that could mean several actions."""

    code = "ambiguous"


def write_action(table: ActionTable, action: Action) -> str:
    """The action as one line; `read_action` gives the same action back."""
    params = (
        f"{param.name}={_written(action.params[param.name], param.type)}"
        for param in table[action.kind].params
        if param.name in action.params
    )
    return " ".join((f"{action.side}: {action.kind}", *params))


def read_action(table: ActionTable, text: str, side: str = "") -> Action:
    """The action that a line tells; a kind may be cut short as long as it is the only one.

    The side may be left out where the caller names it. What is wrong with the line raises a
    RulesError, what it leaves open an AmbiguousActionError; neither says that the action is legal.
    """
    head, colon, rest = text.partition(":")
    if colon and _PLAIN.fullmatch(head.strip()):
        side, text = head.strip(), rest
    if not side:
        raise RulesError("whose action is it?", place=Place(field="side"), hint="'side: kind ...'")
    name, _, rest = text.strip().partition(" ")
    kind = _kind(table, name)
    return table.decode({"kind": kind.name, "side": side, **dict(_params(kind, rest))})


def _kind(table: ActionTable, name: str) -> ActionType:
    if name in table:
        return table[name]
    meant = [kind for kind in table if name and kind.startswith(name)]
    if len(meant) > 1:
        raise AmbiguousActionError(
            f"{name!r} could be {' or '.join(meant)}", place=Place(field="kind")
        )
    return table.require(meant[0] if meant else name, "kind")


def _params(kind: ActionType, text: str) -> Iterator[tuple[str, object]]:
    at = 0
    said: set[str] = set()
    while text[at:].strip():
        found = _PART.match(text, at)
        if found is None:
            raise RulesError(
                f"not 'name=value': {text[at:].strip()[:40]!r}", place=Place(field="action")
            )
        name, value = found["name"], found["value"]
        at = found.end()
        if name in said:
            raise RulesError(f"{name} is said twice", place=Place(field=name))
        said.add(name)
        declared = kind.by_name.get(name)
        yield name, _read(value, declared.type if declared else ParamType.TEXT)


def _written(value: Value, kind: ParamType) -> str:
    if kind in _TEXTS and isinstance(value, tuple):
        return ",".join(_word(str(v)) for v in value) if value else _NONE
    if kind not in _DATA:
        return _word(str(value))
    return _word(json.dumps(thaw(value), separators=(",", ":"), ensure_ascii=False))


def _word(text: str) -> str:
    return (
        text if _PLAIN.fullmatch(text) and text != _NONE else json.dumps(text, ensure_ascii=False)
    )


_TEXTS = frozenset((ParamType.UNITS, ParamType.CELLS, ParamType.PATH, ParamType.CARDS))
_DATA = NESTED | {
    ParamType.INT,
    ParamType.BOOL,
    ParamType.FACING,
    ParamType.VALUE,
    ParamType.NUMBER,
}


def _read(text: str, kind: ParamType) -> object:
    if kind in _TEXTS:
        return [_item(part) for part in _items(text)] if text not in ("", _NONE) else []
    word = _item(text)
    return _json(word) if kind in _DATA else word


def _items(text: str) -> Iterator[str]:
    at = 0
    while at <= len(text):
        found = _ITEM.match(text, at)
        part = found.group() if found else ""
        yield part
        at += len(part) + 1


def _item(text: str) -> str:
    if not text.startswith('"'):
        return text
    word = _json(text)
    return word if isinstance(word, str) else text


def _json(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return text
