"""The close combat that is going on: its frame read, and written into."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.close_combat.outcomes import Loss
from hexmarshal.games.asl.state.ground import Location
from hexmarshal.rules.state.effects import ChangeFrame
from hexmarshal.rules.values import FrozenMap

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.frames import Frame
    from hexmarshal.rules.values import Record, Value

__all__ = ["Combat", "add", "combat_of", "store", "texts"]


@dataclass(frozen=True, slots=True)
class Combat:
    """The frame of a close combat, read."""

    place: Location
    melee: bool
    ambush: str
    order: tuple[str, ...]
    """The sides that have still to declare their attacks."""
    agenda: tuple[Record, ...]
    sequential: bool = False
    """With a vehicle: the sides take turns, and every attack counts at once (ASL-CCV-1b)."""

    @classmethod
    def of(cls, frame: Frame) -> Combat:
        """From the frame."""
        level = frame.value("level", 0)
        return cls(
            Location(frame.text("cell"), level if isinstance(level, int) else 0),
            frame.value("melee") is True,
            frame.text("ambush"),
            frame.texts("order"),
            frame.agenda,
            frame.value("sequential") is True,
        )

    def entries(self, kind: str) -> list[Record]:
        """What of one kind stands in its agenda."""
        return [entry for entry in self.agenda if entry.get("kind") == kind]

    def _named(self, side: str, field: str) -> set[str]:
        return {
            name
            for kind in ("attack", "done")
            for entry in self.entries(kind)
            if entry.get("side") == side
            for name in texts(entry.get(field))
        }

    def used(self, side: str) -> set[str]:
        """Who of a side has attacked, or is declared to."""
        return self._named(side, "attackers")

    def struck(self, side: str) -> set[str]:
        """Whom a side has attacked, or has declared to."""
        return self._named(side, "targets")

    @property
    def leaving(self) -> frozenset[str]:
        """Who withdraws."""
        return frozenset(str(entry["unit"]) for entry in self.entries("leaving"))

    @property
    def losses(self) -> list[Loss]:
        """What is decided and has not yet happened."""
        return [
            Loss(
                str(entry["unit"]),
                str(entry["fate"]),
                texts(entry.get("by")),
                _number(entry.get("die")),
                _number(entry.get("number")),
            )
            for entry in self.entries("loss")
        ]


def texts(value: Value) -> tuple[str, ...]:
    """The names of a list."""
    return tuple(str(one) for one in value) if isinstance(value, tuple) else ()


def _number(value: Value) -> int:
    return value if isinstance(value, int) else 0


def combat_of(now: Situation) -> Combat | None:
    """The close combat that is going on."""
    frame = now.position.frame("combat")
    return None if frame is None else Combat.of(frame)


def store(play: Play, agenda: Iterable[Record]) -> None:
    """Write the agenda of the combat."""
    play.do(ChangeFrame("combat", agenda=tuple(agenda)))


def add(play: Play, *entries: dict[str, Value]) -> None:
    """Write into the agenda of the combat."""
    frame = play.position.frame("combat")
    assert frame is not None
    store(play, (*frame.agenda, *(FrozenMap(entry) for entry in entries)))
