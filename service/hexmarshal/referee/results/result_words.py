"""How a result that was carried out wrongly is told: by the action that it is of, and its rule."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hexmarshal.rules.params import ParamType

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from hexmarshal.referee.check.findings import Entry
    from hexmarshal.rules.game import Game
    from hexmarshal.rules.state.position import Position

__all__ = [
    "cause_of",
    "decided",
    "headed",
    "part_asked",
    "right_by_lines",
    "right_result",
    "rule_of_result",
]

_BY_RULES: Final = " by the rules"


def headed(game: Game, entries: Sequence[Entry], number: int) -> Entry:
    """The entry of a result, told as the action that was decided by it.

    The dice may have been rolled only when what it asks of others was answered: who looks for a
    combat does not look for its air support.
    """
    entry = entries[number]
    cause, told = cause_of(entries, number), decided(game, entry.result)[0]
    if cause is None or (not told and (entry.units or _is_march(game, cause))):
        return entry
    return replace(
        entry,
        first=min(cause.first, entry.first),
        what=": ".join(filter(None, (cause.what, told))),
        side=cause.side,
        player=cause.player or entry.player,
    )


def _is_march(game: Game, entry: Entry) -> bool:
    """Whether somebody goes somewhere: what he meets on the way is told by itself."""
    kind = game.actions.get(entry.kind)
    return kind is not None and any(param.type is ParamType.PATH for param in kind.params)


def cause_of(entries: Sequence[Entry], number: int) -> Entry | None:
    """The action that an entry with dice only answers a question of."""
    entry = entries[number]
    if entry.before is None or not entry.before.state or not entry.dice or entry.path:
        return None
    asked = len(entry.before.frames)
    for one in reversed(entries[:number]):
        if one.before is not None and one.after is not None and len(one.before.frames) < asked:
            opened = len(one.after.frames) >= asked and not one.path and one.action
            return one if opened else None
    return None


def rule_of_result(game: Game, entry: Entry, units: Collection[str]) -> str:
    """The rule by which units suffer what a result says; empty if the game names none.

    Of a result for both sides the last part is that of the side which acted.
    """
    rules = decided(game, entry.result)[1]
    before = entry.before
    own = before is not None and any(
        before.units[unit].side == entry.side for unit in units if unit in before.units
    )
    others = before is not None and any(
        before.units[unit].side != entry.side for unit in units if unit in before.units
    )
    if not rules or not (own or others):
        return ""
    return rules[0] if others else rules[-1]


def part_asked(game: Game, position: Position) -> tuple[str, str]:
    """The part of a result that is to be carried out next, with its rule; empty if it is none."""
    for frame in reversed(position.frames):
        for value in frame.agenda[0].values() if frame.agenda else ():
            if isinstance(value, str) and (rule := _of_part(game, value)):
                return value, rule
    return "", ""


def right_result(entry: Entry, result: str, lines: Iterable[str]) -> str:
    """What would have been right: the result, and how things stand by it."""
    # That something is drawn the result says already.
    known = [one for one in lines if not entry.drawn or f" has a {entry.drawn} by" not in one]
    told = (entry.right or result, right_by_lines(known))
    return "; ".join(dict.fromkeys(filter(None, told)))


def right_by_lines(lines: Iterable[str]) -> str:
    """What is by the rules, of lines that say how the table shows something otherwise."""
    parted = (line.partition(_BY_RULES) for line in lines)
    return "; ".join(dict.fromkeys(known for known, by, _ in parted if by))


def decided(game: Game, result: str) -> tuple[str, list[str]]:
    """What the dice decided, without what else came of it, and the rules of its parts."""
    for line in result.split(";"):
        parts = line.partition(":")[0].split("/")
        rules = [rule for part in parts if (rule := _of_part(game, part.strip()))]
        if rules:
            return line.strip(), rules
    return "", []


def _of_part(game: Game, part: str) -> str:
    keys = sorted(game.result_rules, key=len, reverse=True)
    for key in keys:
        rest = part.removeprefix(key)
        if part.startswith(key) and (not rest or rest.isdigit()):
            return game.result_rules[key]
    return ""
