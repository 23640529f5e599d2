"""What is wrong with frames and extras: a position comes from outside, and may say anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.rules.frames.frame import Frame, settled
from hexmarshal.rules.params import decode_fields, require_fields
from hexmarshal.rules.references import missing, missing_in
from hexmarshal.rules.values import FieldError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.rules.action import Signature
    from hexmarshal.rules.frames.declared import FrameType
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.position import Position
    from hexmarshal.rules.values import Record

__all__ = ["MAX_AGENDA", "MAX_FRAMES", "extra_problems", "frame_problems"]

# No game nests decisions deeper, or has more to do in one, than a table of people could keep apart.
MAX_FRAMES = 100
MAX_AGENDA = 1000
Problem = tuple[str, str]


def frame_problems(plugin: GamePlugin, position: Position) -> Iterator[Problem]:
    """Everything wrong with the frames, each with its field."""
    frames = position.frames
    if not frames:
        return
    if len(frames) > MAX_FRAMES:
        yield "frames", f"{len(frames)} frames, and at most {MAX_FRAMES} may be open"
        return
    found = False
    for i, frame in enumerate(frames):
        for problem in _frame(plugin, position, frame, f"frames[{i}]"):
            found = True
            yield problem
    for i, frame in enumerate(frames[1:], start=1):
        if frame.resume is not None:
            found = True
            yield f"frames[{i}].resume", "only the lowest frame says where play goes on"
    if not found:
        yield from _followed(plugin, position)


def _followed(plugin: GamePlugin, position: Position) -> Iterator[Problem]:
    """The state and who may act follow from the frames, and where play goes on must exist."""
    resume = position.frames[0].resume
    if resume is not None:
        states = {"", *(state.key for state in plugin.game.states)}
        if resume.state not in states:
            yield "frames[0].resume.state", f"no state {resume.state!r}"
        yield from _sides("frames[0].resume.active", resume.active, position.sides)
    expected = settled(position, position.frames)
    if position.state != expected.state:
        text = f"is {position.state!r}, and by its frames it is {expected.state!r}"
        yield "state", text
    if position.active != expected.active:
        asked = ", ".join(expected.active) or "nobody"
        yield "active", f"by its frames it is: {asked}"


def _frame(plugin: GamePlugin, position: Position, frame: Frame, at: str) -> Iterator[Problem]:
    kinds = plugin.game.frames
    kind = kinds.get(frame.kind)
    if kind is None:
        yield f"{at}.kind", f"no frame {frame.kind!r}; known: {', '.join(kinds) or 'none'}"
        return
    if kind.phases and position.phase not in kind.phases:
        text = f"{frame.kind} belongs in {' or '.join(kind.phases)}, and this is {position.phase}"
        yield f"{at}.kind", text
    yield from _deciders(position, frame, kind, at)
    for name in ("seen_by", "known_to"):
        yield from _sides(f"{at}.{name}", sorted(getattr(frame, name) or ()), position.sides)
    if position.viewer and frame.known_to is not None and position.viewer not in frame.known_to:
        if frame.about or frame.agenda:
            yield f"{at}.about", f"{position.viewer} does not know what it is about"
        return
    yield from _values(plugin, position, kind, frame.about, f"{at}.about")
    if len(frame.agenda) > MAX_AGENDA:
        text = f"{len(frame.agenda)} entries, and at most {MAX_AGENDA} are allowed"
        yield f"{at}.agenda", text
        return
    for i, entry in enumerate(frame.agenda):
        item = kind.item(entry.get("kind"))
        if item is None:
            known = ", ".join(one.name for one in kind.agenda) or "none"
            text = f"no entry {entry.get('kind')!r}; {frame.kind} has: {known}"
            yield f"{at}.agenda[{i}].kind", text
            continue
        yield from _values(plugin, position, item, entry.without("kind"), f"{at}.agenda[{i}]")


def _deciders(position: Position, frame: Frame, kind: FrameType, at: str) -> Iterator[Problem]:
    sides = [decider.side for decider in frame.deciders]
    yield from _sides(f"{at}.deciders", sides, position.sides, ".side")
    for i, side in enumerate(sides):
        if side in sides[:i]:
            yield f"{at}.deciders[{i}].side", f"{side} is asked twice"
        if kind.deciders and side not in kind.deciders:
            text = f"{frame.kind} asks {' or '.join(kind.deciders)}, not {side}"
            yield f"{at}.deciders[{i}].side", text
    if not kind.asks and sides:
        yield f"{at}.deciders", f"{frame.kind} asks nobody"
    if kind.asks and not frame.open:
        text = "all have answered" if sides else "nobody is asked"
        yield f"{at}.deciders", f"{frame.kind} waits for somebody, but {text}"


def _sides(
    at: str, sides: Iterable[str], known: tuple[str, ...], part: str = ""
) -> Iterator[Problem]:
    for i, side in enumerate(sides):
        if side not in known:
            yield f"{at}[{i}]{part}", f"no side {side!r}; known: {', '.join(known) or 'none'}"


def _values(
    plugin: GamePlugin, position: Position, kind: Signature, values: Record, at: str
) -> Iterator[Problem]:
    try:
        require_fields(kind.params, decode_fields(kind.name, kind.by_name, values))
    except FieldError as error:
        yield _path(at, error.path), error.message
        return
    for what, name, where in missing(plugin, position, kind, values, position.viewer):
        yield f"{at}.{where}", f"no {what} {name!r}"


def extra_problems(plugin: GamePlugin, position: Position) -> Iterator[Problem]:
    """Everything wrong with the extras, each with its field, where the game declares them."""
    declared = plugin.game.extras
    if declared is None:
        return
    by_name = {param.name: param for param in declared}
    for name, value in position.extras.items():
        param = by_name.get(name)
        if param is None:
            known = ", ".join(by_name) or "none"
            yield f"extras.{name}", f"no such part of a position; known: {known}"
            continue
        try:
            param.decode(value)
        except FieldError as error:
            yield _path(f"extras.{name}", error.path), error.message
            continue
        for what, named, where in missing_in(plugin, position, param, value, position.viewer):
            yield f"extras.{where}", f"no {what} {named!r}"
    for param in declared:
        if param.required and param.name not in position.extras:
            yield f"extras.{param.name}", f"is missing: {param.doc}"


def _path(at: str, parts: Iterable[str | int]) -> str:
    return at + "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in parts)
