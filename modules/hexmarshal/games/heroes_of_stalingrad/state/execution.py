"""What the rules write into: the ledger of one action with ground and tables around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
from hexmarshal.rules.state.effects import ChangeFrame, ChangeUnit
from hexmarshal.rules.state.ledger import Ledger
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Resolution, Step

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from hexmarshal.games.heroes_of_stalingrad.state.ground import Ground
    from hexmarshal.games.heroes_of_stalingrad.state.tables import Tables
    from hexmarshal.rules.dice import Dice
    from hexmarshal.rules.state.lifetimes import Lifetime
    from hexmarshal.rules.state.position import Position

__all__ = ["BUSINESS", "Play"]

BUSINESS = "business"


class Play(Ledger):
    """One action being carried out; `now` is always the situation so far."""

    __slots__ = ("_ground_of", "_now", "tables")

    def __init__(
        self,
        position: Position,
        dice: Dice,
        lifetimes: Sequence[Lifetime],
        ground_of: Callable[[Position], Ground],
        tables: Tables,
    ) -> None:
        super().__init__(position, dice, lifetimes)
        self.tables = tables
        self._ground_of = ground_of
        self._now: Situation | None = None

    @property
    def now(self) -> Situation:
        """The situation so far."""
        position = self.position
        if self._now is None or self._now.position is not position:
            self._now = Situation(position, self._ground_of(position), self.tables)
        return self._now

    @property
    def common_situation(self) -> Situation:
        """What all sides know: windows for reactions open by this alone."""
        position = self.common
        return Situation(position, self._ground_of(position), self.tables)

    def mark(self, unit: str, *flags: str, **values: int | str | None) -> None:
        """Flags and values that a unit has from now on."""
        self.do(ChangeUnit(unit, flags=frozenset(flags), values=FrozenMap(values)))

    def tell(self, kind: str, result: str, *steps: tuple[str, str]) -> None:
        """Write down something that happened without dice: sentences, each with its rule."""
        self.decide(Resolution(kind, result, steps=tuple(Step(t, r) for t, r in steps)))

    def change(self, kind: str, **about: object) -> None:
        """Some values of a frame change."""
        from hexmarshal.rules.codec import RECORD

        self.do(ChangeFrame(kind, RECORD.decode(about)))

    # The agenda: what is still to be done, the next entry first

    def first(self, *entries: Mapping[str, object]) -> None:
        """Do these before all that waits already."""
        self._agenda(entries, ())

    def last(self, *entries: Mapping[str, object]) -> None:
        """Do these after all that waits already."""
        self._agenda((), entries)

    def _agenda(
        self, before: Iterable[Mapping[str, object]], after: Iterable[Mapping[str, object]]
    ) -> None:
        frame = self.position.frame(BUSINESS)
        waiting = () if frame is None else frame.agenda
        lean = ({k: v for k, v in e.items() if v not in (None, "")} for e in before)
        behind = ({k: v for k, v in e.items() if v not in (None, "")} for e in after)
        self.keep(BUSINESS, {}, (*lean, *waiting, *behind))
