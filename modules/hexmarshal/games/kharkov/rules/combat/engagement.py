"""A combat or an overrun while it is being settled: who, where, and what is still to decide."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, NamedTuple

from hexmarshal.games.kharkov.frames import ABOUT_AN_ENGAGEMENT, ENGAGEMENT
from hexmarshal.rules.copying import copied, quick
from hexmarshal.rules.state.effects import ChangeFrame, PopFrame
from hexmarshal.rules.values import FrozenMap, Value

if TYPE_CHECKING:
    from hexmarshal.games.kharkov.state.execution import Play
    from hexmarshal.games.kharkov.state.situation import Situation
    from hexmarshal.rules.frames import Frame
    from hexmarshal.rules.values import Record

__all__ = ["Engagement", "Item", "close", "current", "decide", "save", "update"]


class Item(NamedTuple):
    """One thing that is still to settle: a side's part of the result, a headquarters to displace.

    `defender D2`, `attacker A1`, `displace hq-6`, `vacated`, `advance`.
    """

    kind: str
    what: str = ""

    def to_record(self) -> Record:
        """As an entry of the agenda."""
        if not self.what:
            return FrozenMap.ordered({"kind": self.kind})
        name = "unit" if self.kind == "displace" else "result"
        return FrozenMap.ordered({"kind": self.kind, name: self.what})

    @classmethod
    def from_record(cls, entry: Record) -> Item:
        """Back from the agenda."""
        return cls(str(entry["kind"]), str(entry.get("result", entry.get("unit", ""))))


@quick
@dataclass(frozen=True, slots=True)
class Engagement:
    """Kept in the position as a frame until it is over.

    `todo` lists what is still to settle, in order. `pending` are units that must retreat, `trails`
    the ways of those that did (each from the hex of the combat on), `wiped` hexes whose units were
    all eliminated, `hurt` tells that the attackers lost steps or retreated, `stayed` lists who may
    still advance, `halfway` those whom an alarm stopped on their advance, each with the hexes
    behind it.
    """

    kind: str
    side: str
    attackers: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    defenders: tuple[str, ...] = ()
    air_attack: bool = False
    result: str = ""
    todo: tuple[Item, ...] = ()
    pending: tuple[str, ...] = ()
    hexes: int = 0
    trails: tuple[tuple[str, ...], ...] = ()
    wiped: tuple[str, ...] = ()
    hurt: bool = False
    shaken: tuple[str, ...] = ()
    stayed: tuple[str, ...] = ()
    halfway: tuple[tuple[str, ...], ...] = ()
    called: int = 0

    @property
    def overrun(self) -> bool:
        """Movement rather than combat."""
        return self.kind == "overrun"

    @property
    def first(self) -> Item:
        """What is settled next."""
        return self.todo[0]

    @property
    def attacking(self) -> bool:
        """Whether that is the attacker's part."""
        return self.todo[0].kind == "attacker"

    def about(self) -> Record:
        """What the frame is about, without what is empty."""
        values = {name: value for name in ABOUT if (value := getattr(self, name))}
        if self.halfway:
            values["halfway"] = _recorded(self.halfway)
        return FrozenMap.ordered(values)

    @classmethod
    def of(cls, frame: Frame) -> Engagement:
        """Back from a position."""
        values: dict[str, Any] = dict(frame.about)
        if halfway := values.get("halfway"):
            values["halfway"] = tuple((one["unit"], *one["path"]) for one in halfway)
        return cls(**values, todo=tuple(map(Item.from_record, frame.agenda)))


def _recorded(halfway: tuple[tuple[str, ...], ...]) -> tuple[Record, ...]:
    return tuple(FrozenMap[Value]({"unit": unit, "path": tuple(path)}) for unit, *path in halfway)


# What a frame says of an engagement besides its agenda, in order.
ABOUT = tuple(sorted(f.name for f in fields(Engagement) if f.name != "todo"))


def current(now: Situation) -> Engagement:
    """The one in progress; there is one whenever a decision about it is asked for."""
    return now.position.remember(ENGAGEMENT, lambda: _read(now))


def _read(now: Situation) -> Engagement:
    frame = now.position.frame(ENGAGEMENT)
    assert frame is not None
    return Engagement.of(frame)


def save(play: Play, engagement: Engagement) -> None:
    """Write it down in the position."""
    agenda = [item.to_record() for item in engagement.todo]
    play.keep(ENGAGEMENT, engagement.about(), agenda)
    play.position.remember(ENGAGEMENT, lambda: engagement)  # nobody needs to read it again


def update(play: Play, **changes: Any) -> Engagement:  # noqa: ANN401 - the fields above
    """Change some of it."""
    before = current(play.now)
    after = copied(before, **changes)
    values: dict[str, Value] = {}
    agenda: tuple[Record, ...] | None = None
    for name, value in changes.items():
        if value == getattr(before, name):
            continue
        if name == "todo":
            agenda = tuple(item.to_record() for item in after.todo)
        else:
            values[name] = (_recorded(value) if name == "halfway" else value) or None
    if values or agenda is not None:
        play.do(ChangeFrame(ENGAGEMENT, FrozenMap(values), agenda))
        play.position.remember(ENGAGEMENT, lambda: after)  # nobody needs to read it again
    return after


def decide(play: Play, kind: str, side: str) -> None:
    """Somebody settles what comes next; what was asked before is answered."""
    asked = play.position.frames[-1]
    if asked.kind == kind and asked.open == (side,):
        return
    _answered(play)
    play.ask(kind, side)


def close(play: Play) -> None:
    """It is over: back to the phasing player."""
    _answered(play)
    play.answered(ENGAGEMENT)


def _answered(play: Play) -> None:
    asked = play.position.frames[-1]
    if asked.kind in ABOUT_AN_ENGAGEMENT:
        play.do(PopFrame(asked.kind))
