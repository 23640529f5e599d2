"""HOS-2.4 to HOS-2.14, HOS-5.83, HOS-8.10: the Order Phase."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.rules.army.command import tokens_of
from hexmarshal.games.heroes_of_stalingrad.rules.sequence import activation
from hexmarshal.games.heroes_of_stalingrad.rules.sequence.agenda import go_on
from hexmarshal.games.heroes_of_stalingrad.state.army import entries
from hexmarshal.games.heroes_of_stalingrad.state.kinds import ARTILLERY, ORDER
from hexmarshal.rules.state.effects import AddMarker, ChangeFrame
from hexmarshal.rules.state.pieces import Marker
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.heroes_of_stalingrad.state.execution import Play
    from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Record, Value

__all__ = [
    "artillery_candidates",
    "candidates",
    "check",
    "check_artillery",
    "check_end",
    "end",
    "entry_under",
    "held",
    "left",
    "place",
    "place_artillery",
]

NUMBERS = tuple(map(str, range(1, 11)))
TOKENS = (*NUMBERS, "special", "bluff")


def held(now: Situation, side: str) -> tuple[str, ...]:
    """HOS-2.5, HOS-2.11, HOS-2.12: the tokens that a side has in this turn."""
    taken = _taken(now, side)
    special = min(now.position.track(f"special-{side}"), now.tables.caps["special"])
    numbered = NUMBERS[: taken.get("numbered", 0)]
    return (*numbered, *("special",) * special, *("bluff",) * taken.get("bluff", 0))


def _taken(now: Situation, side: str) -> dict[str, int]:
    """HOS-2.8: what was taken when the turn began.

    A table does not show it: a position that was read from one keeps that of another turn, and
    then it is reckoned by who is there.
    """
    kept = now.kept("tokens")
    mine = kept.get(side)
    if kept.get("turn", now.position.turn) != now.position.turn or not isinstance(mine, FrozenMap):
        return tokens_of(now, side)
    return {name: count for name, count in mine.items() if isinstance(count, int)}


def left(now: Situation, side: str) -> list[str]:
    """The tokens of a side that are not placed yet."""
    found = list(held(now, side))
    for token in now.tokens(side):
        name = str(token.values.get("token", ""))
        if name in found:
            found.remove(name)
    return found


def _personal(now: Situation, side: str) -> list[Unit]:
    """HOS-5.83: units that must be given a token, and have none yet."""
    name = "personal_order"
    mine = (u for u in now.live(side) if now.has(u, name) and now.crew_with(u, name) is None)
    return [unit for unit in mine if not now.token_on(unit)]


def check(now: Situation, action: Action) -> Verdict:
    """Whether a token may be placed on a unit."""
    return Verdict.of(_faults(now, action))


def _faults(now: Situation, action: Action) -> Iterator[Violation]:
    unit = now.unit(action.text("unit"))
    mine = (unit.id,)
    if unit.side != action.side or not now.is_live(unit):
        text = f"{unit.id} is no unit of {action.side} on the board"
        yield Violation("HOS-2.9", text, units=mine)
    if now.token_on(unit) is not None:
        yield Violation("HOS-2.10", f"{unit.id} bears a token already", units=mine)
    yield from _token_faults(now, action, unit)


def _token_faults(now: Situation, action: Action, unit: Unit | None) -> Iterator[Violation]:
    token = action.text("token")
    if token not in TOKENS:
        yield Violation("HOS-2.5", f"there is no token {token!r}", field="token")
        return
    spare = left(now, action.side)
    if token not in spare:
        rule = {"special": "HOS-2.12", "bluff": "HOS-2.11"}.get(token, "HOS-2.5")
        placed = token in held(now, action.side)
        text = f"token {token} is {'placed already' if placed else 'not yours'}"
        yield Violation(rule, text, field="token")
        return
    waiting = [one for one in _personal(now, action.side) if unit is None or one.id != unit.id]
    if len(spare) - 1 < len(waiting):
        names = ", ".join(one.id for one in waiting)
        text = f"the tokens left are for {names}, who must be given one"
        yield Violation("HOS-5.83", text, units=tuple(one.id for one in waiting))


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """Units without a token, and tokens that are left."""
    if slot == "unit":
        return [u.id for u in now.live(action.side) if now.token_on(u) is None]
    return dict.fromkeys(left(now, action.side)) if slot == "token" else None


def place(play: Play, action: Action) -> None:
    """HOS-2.9: all see who bears a token, its side alone which one it is."""
    unit, side = action.text("unit"), action.side
    values: Record = FrozenMap({"token": action.text("token")})
    play.do(
        AddMarker(
            f"order-{unit}",
            Marker(
                f"order-{unit}",
                ORDER,
                side,
                unit=unit,
                values=values,
                known_to=frozenset((side,)),
                face=ORDER,
            ),
        )
    )


def artillery_entries(now: Situation, side: str) -> Iterator[str]:
    """HOS-8.10: options with artillery markers, on which no token lies yet."""
    taken = {entry_under(now, t) for t in now.tokens(side) if t.box == ARTILLERY}
    for entry in entries(now, side).values():
        if entry.left("artillery") > 0 and entry.id not in taken:
            yield entry.id


def entry_under(now: Situation, token: Marker) -> str:
    """The option that an artillery token lies on; a table shows one box for all: its first."""
    named = token.values.get("entry")
    if isinstance(named, str) and named:
        return named
    found = (e.id for e in entries(now, token.side).values() if e.left("artillery") > 0)
    return next(found, "")


def check_artillery(now: Situation, action: Action) -> Verdict:
    """HOS-8.10: a token on an artillery option."""
    return Verdict.of(_artillery_faults(now, action))


def _artillery_faults(now: Situation, action: Action) -> Iterator[Violation]:
    entry = action.text("entry")
    if entry not in artillery_entries(now, action.side):
        text = f"{entry} has no artillery left, or bears a token already"
        yield Violation("HOS-8.10", text, field="entry")
    yield from _token_faults(now, action, None)


def artillery_candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """Artillery options, and tokens that are left."""
    if slot == "entry":
        return tuple(artillery_entries(now, action.side))
    return dict.fromkeys(left(now, action.side)) if slot == "token" else None


def place_artillery(play: Play, action: Action) -> None:
    """A token is placed face down on an artillery option."""
    side, entry = action.side, action.text("entry")
    name = f"order-{side}-{entry}"
    values: Record = FrozenMap({"token": action.text("token"), "entry": entry})
    known = frozenset((side,))
    play.do(
        AddMarker(
            name,
            Marker(name, ORDER, side, box=ARTILLERY, values=values, known_to=known, face=ORDER),
        )
    )


def check_end(now: Situation, action: Action) -> Verdict:
    """HOS-2.9: all numbered tokens are placed while there are units to bear them."""
    return Verdict.of(_end_faults(now, action.side))


def _end_faults(now: Situation, side: str) -> Iterator[Violation]:
    spare = left(now, side)
    numbered = [token for token in spare if token in NUMBERS]
    bare = [unit for unit in now.live(side) if now.token_on(unit) is None]
    if numbered and bare:
        yield Violation("HOS-2.9", f"token {numbered[0]} is not placed")
    for unit in _personal(now, side):
        if spare:
            yield Violation("HOS-5.83", f"{unit.id} must be given a token", units=(unit.id,))


def end(play: Play, action: Action) -> None:
    """A side has placed its tokens; after both the Activation Phase begins."""
    play.do(ChangeFrame("orders", answered=(action.side,)))
    frame = play.position.frame("orders")
    if frame is not None and frame.open:
        return
    play.answered("orders")
    first, second = play.now.in_order()
    if action.side == first and not play.now.option("simultaneous_orders"):
        play.ask("orders", second)
        return
    activation.start(play)
    go_on(play)
