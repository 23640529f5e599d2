"""What the rules write into: the ledger of one action with ground and tables around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
from hexmarshal.kit.game import Execution
from hexmarshal.rules.state.effects import ChangeFrame, ChangeUnit
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Resolution, Step

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hexmarshal.games.heroes_of_stalingrad.state.tables import Tables

__all__ = ["BUSINESS", "Play"]

BUSINESS = "business"


class Play(Execution[Situation]):
    """One action being carried out."""

    __slots__ = ()

    @property
    def tables(self) -> Tables:
        """The tables of the game."""
        return self.now.tables

    @property
    def common_situation(self) -> Situation:
        """What all sides know: windows for reactions open by this alone."""
        return self.situation_of(self.common)

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
