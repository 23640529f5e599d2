"""A combat or an overrun while it is being settled: who, where, and what is still to decide."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from hexmarshal.rules.effects import SetExtra
from hexmarshal.rules.values import FrozenMap, Value

if TYPE_CHECKING:
    from hexmarshal.games.kharkov.play import Play
    from hexmarshal.games.kharkov.situation import Situation
    from hexmarshal.rules.values import Record

__all__ = ["Engagement", "current", "save", "update"]


@dataclass(frozen=True, slots=True)
class Engagement:
    """Kept in the position until it is over.

    `todo` lists what is still to settle, in order: `defender:D2`, `attacker:A1`, `displace:hq-6`,
    `vacated`, `advance`. `pending` are units that must retreat, `trails` the ways of those that did
    (each from the hex of the combat on), `wiped` hexes whose units were all eliminated, `hurt`
    tells that the attackers lost steps or retreated, `stayed` lists who may still advance,
    `halfway` those whom an alarm stopped on their advance, each with the hexes behind it.
    """

    kind: str
    side: str
    attackers: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    defenders: tuple[str, ...] = ()
    air_attack: bool = False
    result: str = ""
    todo: tuple[str, ...] = ()
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

    def to_record(self) -> Record:
        """As part of a position, without what is empty."""
        values: dict[str, Value] = {f.name: getattr(self, f.name) for f in fields(self)}
        return FrozenMap({k: v for k, v in values.items() if v not in ("", (), False, 0)})

    @classmethod
    def from_record(cls, record: Record) -> Engagement:
        """Back from a position."""
        values: dict[str, Any] = dict(record)
        return cls(**values)


def current(now: Situation) -> Engagement:
    """The one in progress; there is one whenever a decision about it is asked for."""
    record = now.position.extras.get("engagement")
    assert isinstance(record, FrozenMap)
    return Engagement.from_record(record)


def save(play: Play, engagement: Engagement | None) -> None:
    """Write it down in the position, or strike it out."""
    play.do(SetExtra("engagement", engagement.to_record() if engagement else None))


def update(play: Play, **changes: Any) -> Engagement:  # noqa: ANN401 - the fields above
    """Change some of it."""
    changed = replace(current(play.now), **changes)
    save(play, changed)
    return changed
