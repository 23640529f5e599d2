"""Actions as lines of chat: `[attack] b1 b2 -> C4`, readable by players and by the referee.

The kind stands in brackets, with the side before it where the speaker's seat does not tell:
`[red: attack]`. Then come the values of the required parameters in the order of their declaration,
parted by `->`, and the others as `name=value`: `air=yes`, or `air=planes`. A list is words with
spaces or commas between; a value with a space, a comma, a quote, an equals sign or an arrow in it
stands in double quotes, as JSON text. Remarks in round brackets, commas and "and" between units
do no harm.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import Place, RulesError
from hexmarshal.rules.params import NESTED, ParamType
from hexmarshal.rules.values import thaw

if TYPE_CHECKING:
    from hexmarshal.rules.action import Action, ActionTable, ActionType, Param
    from hexmarshal.rules.values import Value

__all__ = ["Call", "announced_in", "read_call", "write_call"]

_HEAD: Final = re.compile(r"(?s)\s*\[(?:(?P<side>[^\[\]:]+):\s*)?(?P<kind>[\w-]+)\](?P<rest>.*)")
_QUOTED: Final = r'"(?:[^"\\]|\\.)*"'
_WORD: Final = re.compile(
    rf"\s*(?:(?P<arrow>->)|(?P<name>\w+)=(?P<given>(?:{_QUOTED}|[^\s\"])*)|"
    rf"(?P<word>{_QUOTED}|(?:(?!->)[^\s\"])+))"
)
# What stands between announcements in one line: a head in brackets, or one of these.
_AGAIN: Final = re.compile(r"(?:^|(?<=[\s;,.]))(?=\[(?:[^\[\]:]+:\s*)?[\w-]+\])")
_BETWEEN: Final = (r"\s*;\s*", r"\s+/\s+", r"\s*,\s+", r"\s+(?:and|&)\s+")
_END: Final = " \t;,."
_ITEM: Final = re.compile(rf'{_QUOTED}|[^,"]+')
_PLAIN: Final = re.compile(r'[^\s,"=\[\]]+')
# What players add to an announcement, and what stands between those who are named.
_REMARK: Final = re.compile(r"(?:^|(?<=\s))\([^()]*\)")
_GIVEN: Final = re.compile(r"\w+=[^\s(),;]+")
_STOPS: Final = ","
_JOINING: Final = frozenset({"and", "&", "+"})
_LISTS: Final = (ParamType.UNITS, ParamType.CELLS, ParamType.PATH, ParamType.CARDS)
_JSON: Final = (ParamType.VALUE, *NESTED)
_NUMBERS: Final = (ParamType.INT, ParamType.FACING, ParamType.NUMBER)
_YES: Final = frozenset({"yes", "true", "y", "1", "x", "on"})
_NO: Final = frozenset({"no", "false", "n", "0", "off", "none", "without"})


@dataclass(frozen=True, slots=True)
class Call:
    """An action that somebody announced; the side is empty if the line does not tell it."""

    kind: str
    side: str
    params: dict[str, object]

    def action(self, actions: ActionTable, side: str) -> Action:
        """The action, checked against its declaration."""
        return actions.decode({"kind": self.kind, "side": self.side or side, **self.params})


def write_call(action: Action, actions: ActionTable, *, with_side: bool = False) -> str:
    """The line that announces an action."""
    kind = actions[action.kind]
    head = f"[{action.side}: {action.kind}]" if with_side else f"[{action.kind}]"
    parts = [_written(param, action.params[param.name]) for param in kind.params if param.required]
    others = [
        f"{param.name}={_one(param, action.params[param.name], ',')}"
        for param in kind.params
        if not param.required and param.name in action.params
    ]
    return " ".join(filter(None, (head, " -> ".join(parts).strip(), *others)))


def _written(param: Param, value: Value) -> str:
    return _one(param, value, " ")


def _one(param: Param, value: Value, between: str) -> str:
    if param.type in _LISTS:
        assert isinstance(value, tuple)
        return between.join(_word(str(item)) for item in value)
    if param.type is ParamType.BOOL:
        return "yes" if value else "no"
    if param.type in _JSON:
        text = json.dumps(thaw(value), ensure_ascii=False, separators=(",", ":"))
        return text if isinstance(value, int) else _quoted(text)
    return _word(str(value))


def _word(text: str) -> str:
    plain = _PLAIN.fullmatch(text) and not text.startswith("(") and text.lower() not in _JOINING
    return text if plain and "->" not in text else _quoted(text)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def announced_in(text: str, actions: ActionTable) -> tuple[str, ...]:
    """The announcements in a line of chat, one by one; the line itself if it is not several.

    `[attack] b1 -> C4; [attack] b2 -> C5`, or the head once: `[attack] b1 -> C4, b2 -> C5`.
    """
    head = _HEAD.fullmatch(text)
    if head is None or head["kind"] not in actions or '"' in text:
        return (text,)
    parts = [part for part in _AGAIN.split(text) if part.strip()]
    heads = [found["kind"] for part in parts if (found := _HEAD.fullmatch(part)) is not None]
    if len(parts) > 1:
        whole = len(heads) == len(parts) and all(kind in actions for kind in heads)
        return tuple(_without_and(part) for part in parts) if whole else (text,)
    for between in _BETWEEN:
        some = [part for part in re.split(between, head["rest"].strip(_END)) if part]
        if len(some) > 1 and all("->" in part for part in some):
            first = text[: head.start("rest")]
            return tuple(f"{first} {part}" for part in some)
    return (text,)


def _without_and(text: str) -> str:
    return text.rstrip(_END).removesuffix(" and").rstrip(_END)


def read_call(text: str, actions: ActionTable) -> Call | None:
    """The action that a line of chat announces; None if it announces none.

    A line that begins like one but does not go on so is an error for a person.
    """
    head = _HEAD.fullmatch(text)
    if head is None or head["kind"] not in actions:
        return None
    kind = actions[head["kind"]]
    segments: list[list[str]] = [[]]
    params: dict[str, object] = {}
    rest = _without_remarks(head["rest"]).rstrip()
    at = 0
    while at < len(rest):
        found = _WORD.match(rest, at)
        if found is None:
            raise _bad(kind, f"{rest[at:].strip()!r} cannot be read")
        at = found.end()
        if found["arrow"]:
            segments.append([])
        elif found["name"]:
            params[found["name"]] = _value(kind, found["name"], found["given"].rstrip(_STOPS))
        else:
            segments[-1] += _named_in(found["word"])
    _fill_required(kind, segments, params)
    return Call(kind.name, (head["side"] or "").strip(), params)


def _named_in(word: str) -> list[str]:
    """The values in a word: several with commas between them are as good as with spaces."""
    parts = [word] if word.startswith(('"', "[", "{")) else word.split(_STOPS)
    return [_unquoted(part) for part in parts if part and part.lower() not in _JOINING]


def _without_remarks(text: str) -> str:
    """A line without what stands in round brackets, but for values given there: `(air=yes)`."""
    if '"' in text:
        return text
    return _REMARK.sub(lambda found: f" {' '.join(_GIVEN.findall(found[0]))} ", text)


def _fill_required(kind: ActionType, segments: list[list[str]], params: dict[str, object]) -> None:
    wanted = [param for param in kind.params if param.required and param.name not in params]
    if segments == [[]] and not wanted:
        return
    if len(segments) != len(wanted):
        names = " -> ".join(param.name for param in wanted) or "nothing"
        raise _bad(kind, f"behind [{kind.name}] goes {names}")
    doer, company = _together(kind)
    for param, words in zip(wanted, segments, strict=True):
        if param.type in _LISTS:
            params[param.name] = words
        elif len(words) > 1 and param.name == doer and company and company not in params:
            # Several do it, and the first of them leads.
            params |= {doer: words[0], company: words[1:]}
        elif len(words) != 1:
            raise _bad(kind, f"{param.name} is one word, not {len(words)}")
        else:
            params[param.name] = _single(param, words[0])


def _together(kind: ActionType) -> tuple[str, str]:
    """The slot of the one unit that does an action, and that of those who help; or nothing."""
    units = [param for param in kind.params if param.type in (ParamType.UNIT, ParamType.UNITS)]
    doer = next((p.name for p in units if p.required), "")
    company = next((p.name for p in units if p.type is ParamType.UNITS and not p.required), "")
    one = any(p.name == doer and p.type is ParamType.UNIT for p in units)
    return (doer, company) if one and company else ("", "")


def _value(kind: ActionType, name: str, given: str) -> object:
    param = next((p for p in kind.params if p.name == name), None)
    if param is None:
        raise _bad(kind, f"[{kind.name}] has no {name}")
    if param.type in _LISTS:
        return [_unquoted(word) for word in _ITEM.findall(given)]
    return _single(param, _unquoted(given))


def _single(param: Param, word: str) -> object:
    if param.type is ParamType.BOOL:
        return _truth(param, word)
    if param.type in _NUMBERS and word.lstrip("-").isdecimal():
        return int(word)
    if param.type in _JSON:
        try:
            return json.loads(word)
        except (ValueError, RecursionError):
            return word
    return word


def _truth(param: Param, word: str) -> object:
    """Yes or no; what is named by what it is, such as `air=planes`, is a yes."""
    said = word.lower()
    if said in _NO:
        return False
    named = any(part in param.words for part in re.split(r"[\W_]+", said))
    return True if said in _YES or named else word


def _unquoted(word: str) -> str:
    if word.startswith('"'):
        try:
            found = json.loads(word)
        except ValueError:
            return word
        return found if isinstance(found, str) else word
    return word


def _bad(kind: ActionType, text: str) -> RulesError:
    return RulesError(
        f"not how {kind.name} is announced: {text}",
        place=Place(field=kind.name),
        hint="docs/referee/referee.md shows the notation",
    )
