"""What the rules write into: the ledger of one action with ground and tables around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
from hexmarshal.rules.state.effects import ChangeFrame, ChangeUnit
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Resolution, Step

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from hexmarshal.games.heroes_of_stalingrad.state.ground import Ground
    from hexmarshal.games.heroes_of_stalingrad.state.tables import Tables
    from hexmarshal.rules.dice import Dice
    from hexmarshal.rules.frames import Frame
    from hexmarshal.rules.state.effects import Effect
    from hexmarshal.rules.state.ledger import Ledger
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.verdict import Applied

__all__ = ["BUSINESS", "Play"]

BUSINESS = "business"


class Play:
    """One action being carried out; `now` is always the situation so far."""

    __slots__ = ("_ground_of", "_now", "ledger", "tables")

    def __init__(
        self, ledger: Ledger, ground_of: Callable[[Position], Ground], tables: Tables
    ) -> None:
        self.ledger, self.tables = ledger, tables
        self._ground_of = ground_of
        self._now: Situation | None = None

    @property
    def position(self) -> Position:
        """The position so far."""
        return self.ledger.position

    @property
    def dice(self) -> Dice:
        """The dice of this action."""
        return self.ledger.dice

    @property
    def now(self) -> Situation:
        """The situation so far."""
        position = self.ledger.position
        if self._now is None or self._now.position is not position:
            self._now = Situation(position, self._ground_of(position), self.tables)
        return self._now

    @property
    def common(self) -> Situation:
        """What all sides know: windows for reactions open by this alone."""
        position = self.ledger.common
        return Situation(position, self._ground_of(position), self.tables)

    def unit(self, name: str) -> Unit:
        """A unit as it is by now."""
        return self.ledger.position.unit(name)

    def do(self, *effects: Effect) -> None:
        """Let these happen now."""
        self.ledger.do(*effects)

    def mark(self, unit: str, *flags: str, **values: int | str | None) -> None:
        """Flags and values that a unit has from now on."""
        self.do(ChangeUnit(unit, flags=frozenset(flags), values=FrozenMap(values)))

    def decide(self, resolution: Resolution) -> None:
        """Write down what was decided, and let its effects happen now."""
        self.ledger.decide(resolution)

    def tell(self, kind: str, result: str, *steps: tuple[str, str]) -> None:
        """Write down something that happened without dice: sentences, each with its rule."""
        self.decide(Resolution(kind, result, steps=tuple(Step(t, r) for t, r in steps)))

    def ask(
        self,
        kind: str,
        *sides: str,
        about: Mapping[str, object] | None = None,
        sealed: bool = False,
    ) -> None:
        """Ask these sides to decide something."""
        self.ledger.ask(kind, *sides, about=about, sealed=sealed)

    def react(
        self,
        kind: str,
        *sides: str,
        near: Collection[str] = (),
        about: Mapping[str, object] | None = None,
    ) -> bool:
        """Open a window for these sides; False if nobody wants to be asked."""
        return self.ledger.react(kind, *sides, near=near, about=about)

    def keep(self, kind: str, about: Mapping[str, object]) -> None:
        """Business in progress is as given from now on."""
        self.ledger.keep(kind, about)

    def change(self, kind: str, **about: object) -> None:
        """Some values of a frame change."""
        from hexmarshal.rules.codec import RECORD

        self.do(ChangeFrame(kind, RECORD.decode(about)))

    def answered(self, kind: str) -> Frame:
        """The decision of this kind is made."""
        return self.ledger.answered(kind)

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
        self.ledger.keep(BUSINESS, {}, (*lean, *waiting, *behind))

    def close(self) -> Applied:
        """The account."""
        return self.ledger.close()
