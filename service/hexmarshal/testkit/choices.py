"""Brute force on small positions: what may be chosen, what is listed and what is legal agree."""

from __future__ import annotations

from itertools import chain, combinations, product
from typing import TYPE_CHECKING

from hexmarshal.rules import engine
from hexmarshal.rules.action import Action
from hexmarshal.rules.choosing.choices import Begun
from hexmarshal.rules.choosing.domains import domain
from hexmarshal.rules.notation import write_action
from hexmarshal.rules.params import ParamType
from hexmarshal.rules.values import EMPTY, FrozenMap

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from hexmarshal.rules.action import ActionType
    from hexmarshal.rules.params import Param
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Record, Value

__all__ = ["choice_problems"]


def choice_problems(
    plugin: GamePlugin,
    position: Position,
    side: str,
    *,
    kinds: Collection[str] = (),
    longest: int = 3,
    domains: Mapping[str, Sequence[Value]] | None = None,
) -> list[str]:
    """Where the next choice, the list of actions and the check contradict each other, as sentences.

    Every action is tried that the types of the slots allow, with lists of up to `longest` entries;
    `domains` gives the values of slots, as `kind.slot`, whose types say nothing or too much, None
    among them where a slot may be left out. Each that is legal must be reached by choosing step by
    step, and whatever is reached must be legal.
    """
    found: list[str] = []
    table = plugin.game.actions
    known = engine.view(plugin, position, side)
    for kind in (table[name] for name in kinds) if kinds else table.values():
        reached = {_plain(kind, a) for a in _reached(plugin, position, side, kind, longest)}
        legal = {
            _plain(kind, action)
            for action in _every(plugin, known, side, kind, longest, domains or {})
            if engine.check(plugin, position, action).legal
        }
        listed = [o.action for o in engine.offers(plugin, position, side, [kind.name])]
        short = [_plain(kind, a) for a in listed if _is_short(kind, a, longest)]
        wrong = {a for a in reached - legal if not engine.check(plugin, position, a).legal}
        for what, actions in (
            ("legal, and not to be chosen", legal - reached),
            ("listed, and not to be chosen", set(short) - reached),
            ("chosen, and refused", wrong),
        ):
            found += [f"{what}: {write_action(table, a)}" for a in sorted(actions, key=str)]
        if len(set(listed)) < len(listed):
            found.append(f"{kind.name}: something is listed twice")
    return found


def _plain(kind: ActionType, action: Action) -> Action:
    """The same, with each set in the order of its members."""
    sets = {
        param.name: tuple(sorted(value, key=str))
        for param in kind.params
        if param.many and not param.ordered and param.type is not ParamType.PATH
        if isinstance(value := action.params.get(param.name), tuple)
    }
    return Action(action.kind, action.side, action.params.merged(sets)) if sets else action


def _is_short(kind: ActionType, action: Action, longest: int) -> bool:
    lists = (action.params.get(param.name) for param in kind.params if param.many)
    return all(not isinstance(entries, tuple) or len(entries) <= longest for entries in lists)


# What is reached step by step


def _reached(
    plugin: GamePlugin, position: Position, side: str, kind: ActionType, longest: int
) -> Iterator[Action]:
    """Every whole action that somebody comes to who only chooses what he is offered."""
    first = engine.next_choices(plugin, position, side)
    if all(choice.value != kind.name for choice in first.choices):
        return
    todo = [Begun(kind.name)]
    seen: set[tuple[Record, str]] = set()
    while todo:
        begun = todo.pop()
        found = engine.next_choices(plugin, position, side, begun)
        if found.complete and found.action is not None:
            yield found.action
        if not found.slot:
            continue
        param = kind.by_name[found.slot]
        held = begun.params.get(param.name, ())
        so_far = held if isinstance(held, tuple) else ()
        for choice in found.choices:
            value = (*so_far, choice.value) if param.many else choice.value
            if not param.many or len(so_far) < longest:
                todo += _after(begun, param, value, found.then, seen)
        if found.ready and found.then:
            settled = begun.params
            if param.required and param.name not in settled:
                settled = settled.set(param.name, ())
            if (settled, found.then) not in seen:
                seen.add((settled, found.then))
                todo.append(Begun(kind.name, settled, found.then))


def _after(
    begun: Begun, param: Param, value: Value, then: str, seen: set[tuple[Record, str]]
) -> Iterator[Begun]:
    if param.many and not param.ordered and param.type is not ParamType.PATH:
        assert isinstance(value, tuple)
        value = tuple(sorted(value, key=str))
    params = begun.params.set(param.name, value)
    slot = param.name if param.many else then
    if (params, slot) not in seen:
        seen.add((params, slot))
        yield Begun(begun.kind, params, slot)


# What there could be at all


def _every(
    plugin: GamePlugin,
    known: Position,
    side: str,
    kind: ActionType,
    longest: int,
    domains: Mapping[str, Sequence[Value]],
) -> Iterator[Action]:
    def fill(at: int, given: Record) -> Iterator[Record]:
        if at == len(kind.params):
            yield given
            return
        param = kind.params[at]
        for value in values(param, given):
            yield from fill(at + 1, given if value is None else given.set(param.name, value))

    def values(param: Param, given: Record) -> Iterable[Value]:
        named = domains.get(f"{kind.name}.{param.name}")
        if named is not None and not param.many:
            return named
        if named is None and param.type is ParamType.PATH:
            found: Iterable[Value] = _paths(plugin, known, side, kind, param, given, longest)
        else:
            single = named
            if single is None:
                listed = domain(plugin, known, side, kind, param, given)
                single = None if listed is None else list(listed)
            if single is None:
                return () if param.required else (None,)
            found = _lists(single, longest, ordered=param.ordered) if param.many else single
        return found if param.required else chain((None,), (v for v in found if v != ()))

    for given in fill(0, EMPTY):
        yield Action(kind.name, side, FrozenMap(given))


def _lists(values: Sequence[Value], longest: int, *, ordered: bool) -> Iterator[Value]:
    for size in range(longest + 1):
        yield from product(values, repeat=size) if ordered else combinations(values, size)


def _paths(
    plugin: GamePlugin,
    known: Position,
    side: str,
    kind: ActionType,
    param: Param,
    given: Record,
    longest: int,
) -> Iterator[Value]:
    yield ()
    begun: list[tuple[Value, ...]] = [()]
    for _ in range(longest):
        longer: list[tuple[Value, ...]] = []
        for path in begun:
            here = given.set(param.name, path) if path else given
            steps = domain(plugin, known, side, kind, param, here) or ()
            longer += [(*path, step) for step in steps]
        yield from longer
        begun = longer
