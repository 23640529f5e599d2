"""What is wrong with frames and extras: a position comes from outside, and may say anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.errors import RulesError
from hexmarshal.rules.frames.frame import Frame, settled
from hexmarshal.rules.frames.standing import STANDING
from hexmarshal.rules.params import decode_fields, require_fields
from hexmarshal.rules.state.references import missing, missing_in
from hexmarshal.rules.values import EMPTY, FieldError, thaw

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.rules.action import Signature
    from hexmarshal.rules.frames.declared import FrameType
    from hexmarshal.rules.params import Param
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Record, Value

__all__ = [
    "MAX_AGENDA",
    "MAX_FRAMES",
    "declared_values",
    "extra_problems",
    "frame_problems",
    "knowledge_problems",
]

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
    for problem in _out_of_place(plugin, position):
        found = True
        yield problem
    for i, frame in enumerate(frames[1:], start=1):
        if frame.resume is not None:
            found = True
            yield f"frames[{i}].resume", "only the lowest frame says where play goes on"
    if not found:
        yield from _followed(plugin, position)


def _out_of_place(plugin: GamePlugin, position: Position) -> Iterator[Problem]:
    """Frames without those that they must lie upon; a view may not show these."""
    if position.viewer:
        return
    below: set[str] = set()
    for i, frame in enumerate(position.frames):
        kind = plugin.game.frames.get(frame.kind)
        for needed in kind.upon if kind is not None else ():
            if needed not in below:
                yield f"frames[{i}].kind", f"{frame.kind} lies upon {needed}, which is not there"
        below.add(frame.kind)


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
    for name in frame.secret:
        if name in frame.about:
            yield f"{at}.secret.{name}", "is told under about as well"
    if position.viewer and frame.known_to is not None and position.viewer not in frame.known_to:
        if frame.secret or frame.agenda:
            yield f"{at}.secret", f"{position.viewer} does not know it"
        yield from _values(plugin, position, kind, frame.about, f"{at}.about", whole=False)
        return
    yield from _values(plugin, position, kind, frame.values, f"{at}.about", frame.secret)
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
    plugin: GamePlugin,
    position: Position,
    kind: Signature,
    values: Record,
    at: str,
    secret: Record = EMPTY,
    *,
    whole: bool = True,
) -> Iterator[Problem]:
    def place(first: object, rest: str) -> str:
        return f"{at.removesuffix('about')}secret{rest}" if first in secret else f"{at}{rest}"

    try:
        found = decode_fields(kind.name, kind.by_name, values)
        if whole:
            require_fields(kind.params, found)
    except FieldError as error:
        yield place(error.path[0], _path("", error.path)), error.message
        return
    for param in kind.params:
        value = values.get(param.name)
        if value is not None:
            for where, text in _named(plugin, position, param, value):
                yield place(param.name, f".{where}"), text


def _named(plugin: GamePlugin, position: Position, param: Param, value: Value) -> Iterator[Problem]:
    """What a value names that is not there, and actions in it that the game does not have."""
    for what, name, where in missing_in(plugin, position, param, value):
        # A view does not hold every unit, marker and card that others may be asked about.
        if not position.viewer or what not in ("unit", "marker", "card"):
            yield where, f"no {what} {name!r}"
    for document, where in param.orders(value, param.name):
        try:
            action = plugin.game.actions.decode(thaw(document))
            kind = plugin.game.actions[action.kind]
        except RulesError as error:
            yield f"{where}.{error.place.field}", error.message
            continue
        if action.side not in position.sides:
            yield f"{where}.side", f"no side {action.side!r}"
        for what, name, field in missing(plugin, position, kind, action.params, ""):
            if not position.viewer or what not in ("unit", "marker", "card"):
                yield f"{where}.{field}", f"no {what} {name!r}"


def extra_problems(plugin: GamePlugin, position: Position) -> Iterator[Problem]:
    """Everything wrong with the extras, each with its field, where the game declares them."""
    if plugin.game.extras is not None:
        yield from declared_values(plugin, position, plugin.game.extras, position.extras, "extras")


def knowledge_problems(plugin: GamePlugin, position: Position) -> Iterator[Problem]:
    """Everything wrong with what single sides know, where the game declares that."""
    if plugin.game.knowledge is not None:
        for side, known in position.knowledge.items():
            at = f"knowledge.{side}"
            own = known.without(STANDING)  # which the kernel knows
            yield from declared_values(plugin, position, plugin.game.knowledge, own, at)


def declared_values(
    plugin: GamePlugin, position: Position, declared: tuple[Param, ...], values: Record, at: str
) -> Iterator[Problem]:
    """Everything wrong with values that a game declares, each with its field below `at`."""
    by_name = {param.name: param for param in declared}
    for name, value in values.items():
        param = by_name.get(name)
        if param is None:
            known = ", ".join(by_name) or "none"
            yield f"{at}.{name}", f"no such part of a position; known: {known}"
            continue
        try:
            param.decode(value)
        except FieldError as error:
            yield _path(f"{at}.{name}", error.path), error.message
            continue
        for where, text in _named(plugin, position, param, value):
            yield f"{at}.{where}", text
    for param in declared:
        if param.required and param.name not in values:
            yield f"{at}.{param.name}", f"is missing: {param.doc}"


def _path(at: str, parts: Iterable[str | int]) -> str:
    return at + "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in parts)
