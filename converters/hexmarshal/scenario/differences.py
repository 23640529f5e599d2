"""What one document says and another does not: the exact account of a conversion's losses."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["Loss", "losses"]


@dataclass(frozen=True, slots=True)
class Loss:
    """A part of a scenario that comes back otherwise, or not at all."""

    path: str
    before: object
    after: object = None
    gone: bool = True

    def __str__(self) -> str:
        if self.gone:
            return self.path
        return f"{self.path} ({_short(self.before)} becomes {_short(self.after)})"

    def to_json(self) -> dict[str, object]:
        """As JSON-able data."""
        out: dict[str, object] = {"path": self.path, "value": self.before}
        return out if self.gone else out | {"becomes": self.after}


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}..."


# Parts that a conversion may spell out although the scenario leaves them to the game.
_LEFT_TO_THE_GAME = frozenset(
    {"version", "map", "sides", "start", "options", "title", "summary", "turns"}
    | {"decks", "tracks", "extras"}
)
# Lists whose order has no meaning.
_BAGS = frozenset({"objectives", "reinforcements"})


def losses(before: Mapping[str, object], after: Mapping[str, object]) -> tuple[Loss, ...]:
    """Every part of a scenario's document that comes back otherwise or not at all."""
    return tuple(
        loss
        for name in (*before, *(name for name in after if name not in before))
        for loss in _of_part(name, before, after)
    )


def _of_part(
    name: str, before: Mapping[str, object], after: Mapping[str, object]
) -> Iterator[Loss]:
    if name not in after:
        yield Loss(name, before[name])
    elif name in before:
        one, other = before[name], after[name]
        if name in _BAGS and isinstance(one, list) and isinstance(other, list):
            found = _bags(one, other, name)
        else:
            found = _compared(one, other, name)
        yield from (f for f in found if f.before is not None or name not in _LEFT_TO_THE_GAME)
    elif name not in _LEFT_TO_THE_GAME:
        yield Loss(name, None, after[name], gone=False)


def _bags(before: list[object], after: list[object], path: str) -> Iterator[Loss]:
    """Rows in whatever order; each is told by its place in the scenario."""
    if len(before) != len(after):
        yield Loss(path, before, after, gone=False)
        return
    order = sorted(range(len(before)), key=lambda i: _spelt(before[i]))
    pairs = dict(zip(order, sorted(after, key=_spelt), strict=True))
    for i, one in enumerate(before):
        yield from _compared(one, pairs[i], f"{path}[{i}]")


def _spelt(row: object) -> str:
    """Without words for people: rows are told apart by what the rules know."""
    if isinstance(row, dict):
        row = {k: v for k, v in row.items() if k not in ("text", "note")}
    return json.dumps(row, sort_keys=True)


def _compared(before: object, after: object, path: str) -> Iterator[Loss]:
    if isinstance(before, dict) and isinstance(after, dict):
        for name in (*before, *(name for name in after if name not in before)):
            here = f"{path}.{name}"
            if name not in after:
                yield Loss(here, before[name])
            elif name not in before:
                yield Loss(here, None, after[name], gone=False)
            else:
                yield from _compared(before[name], after[name], here)
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for i, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from _compared(one, other, f"{path}[{i}]")
    elif type(before) is not type(after) or before != after:
        yield Loss(path, before, after, gone=False)
