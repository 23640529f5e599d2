"""The ledger of one action: applies effects as they happen, and keeps the account."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from hexmarshal.rules.codec import RECORD
from hexmarshal.rules.frames.effects import ChangeFrame, PopFrame, PushFrame, place_of
from hexmarshal.rules.frames.frame import Decider, Frame
from hexmarshal.rules.frames.standing import passes
from hexmarshal.rules.state.effects import ChangeUnit, apply_effects, change_units
from hexmarshal.rules.state.lifetimes import ENDING, after, before
from hexmarshal.rules.state.view import common_view
from hexmarshal.rules.values import EMPTY, FrozenMap
from hexmarshal.rules.verdict import Applied, Resolution

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from hexmarshal.rules.dice import Dice
    from hexmarshal.rules.state.effects import Effect
    from hexmarshal.rules.state.lifetimes import Lifetime
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Record

__all__ = ["Ledger"]


def _frozen(values: Mapping[str, object]) -> Record:
    """The values as a frame keeps them; a map that is frozen already is a record."""
    return values if isinstance(values, FrozenMap) else RECORD.decode(values)


class Ledger:
    """What a plugin's `apply` writes into: `position` is always the position so far.

    Games add what their rules need around it.
    """

    __slots__ = ("_effects", "_lifetimes", "_resolutions", "dice", "position")

    def __init__(self, position: Position, dice: Dice, lifetimes: Sequence[Lifetime] = ()) -> None:
        self.position = position
        self.dice = dice
        self._lifetimes = lifetimes
        self._effects: list[Effect] = []
        self._resolutions: list[Resolution] = []

    def unit(self, unit: str) -> Unit:
        """A unit as it is by now."""
        return self.position.unit(unit)

    def do(self, *effects: Effect) -> None:
        """Let these happen now, and marks end with them that last no longer."""
        if len(effects) > 1 and all(type(effect) is ChangeUnit for effect in effects):
            self._happen(effects)
            return
        for effect in effects:
            ending = type(effect) in ENDING and self._lifetimes
            if ending:
                self._happen(before(ending, self.position, effect))
            ended = after(ending, self.position, effect) if ending else ()
            self.position = effect.on(self.position)
            self._effects.append(effect)
            if ended:
                self._happen(ended)

    def _happen(self, effects: Sequence[Effect]) -> None:
        """Marks that end are mostly flags of many units: these change together."""
        for kind, together in groupby(effects, key=type):
            if kind is ChangeUnit:
                changes = [effect for effect in together if isinstance(effect, ChangeUnit)]
                self.position = change_units(self.position, changes)
            else:
                self.position = apply_effects(self.position, together)
        self._effects += effects

    def ask(
        self,
        kind: str,
        *sides: str,
        about: Mapping[str, object] | None = None,
        agenda: Iterable[Mapping[str, object]] = (),
        secret: Mapping[str, object] | None = None,
        known_to: Iterable[str] | None = None,
        seen_by: Iterable[str] | None = None,
        sealed: bool = False,
        last: bool = False,
    ) -> None:
        """Ask these sides to decide something: before all else, or after all that waits already.

        Values in `secret` and the agenda are for the sides in `known_to` alone. `sealed`: nobody
        learns who else has answered.
        """
        frame = Frame(
            kind,
            tuple(Decider(side) for side in sides),
            _frozen(about or EMPTY),
            tuple(_frozen(entry) for entry in agenda),
            _frozen(secret or EMPTY),
            seen_by=None if seen_by is None else frozenset(seen_by),
            known_to=None if known_to is None else frozenset(known_to),
            sealed=sealed,
        )
        self.do(PushFrame(frame, len(self.position.frames) if last else 0))

    def react(
        self,
        kind: str,
        *sides: str,
        near: Collection[str] = (),
        about: Mapping[str, object] | None = None,
        agenda: Iterable[Mapping[str, object]] = (),
    ) -> bool:
        """Open a window in which these sides may react; False if nobody wants to be asked.

        Whether there is a window must follow from `common`. `near` are the cells where it happens
        and those adjacent. A side whose standing order passes is not asked; if none is left, play
        goes on at once as if all had been silent, and nothing shows that there was a window.
        """
        asked = [side for side in sides if not passes(self.position, side, kind, near)]
        if asked:
            self.ask(kind, *asked, about=about, agenda=agenda)
        return bool(asked)

    @property
    def common(self) -> Position:
        """What all sides know: windows for reactions open by this alone."""
        position = self.position
        return position.remember("common", lambda: common_view(position))

    def keep(
        self, kind: str, about: Mapping[str, object], agenda: Iterable[Mapping[str, object]] = ()
    ) -> None:
        """Business in progress is as given from now on: begun, or changed."""
        values = _frozen(about)
        entries = tuple(_frozen(entry) for entry in agenda)
        frame = self.position.frame(kind)
        if frame is None:
            self.do(PushFrame(Frame(kind, about=values, agenda=entries)))
            return
        before, now = frame.about.plain(), values.plain()
        changes = {n: v for n, v in now.items() if n not in before or before[n] != v}
        gone = {name: None for name in before if name not in now}
        left = None if entries == frame.agenda else entries
        if changes or gone or left is not None:
            self.do(ChangeFrame(kind, FrozenMap({**changes, **gone}), left))

    def answered(self, kind: str) -> Frame:
        """The decision of this kind is made: play goes back to what was there before it."""
        frame = self.position.frames[place_of(self.position.frames, kind)]
        self.do(PopFrame(kind))
        return frame

    def decide(self, resolution: Resolution) -> None:
        """Write down what was decided, and let its effects happen now."""
        self._resolutions.append(resolution)
        self.do(*resolution.effects)

    def close(self) -> Applied:
        """The account."""
        return Applied(
            self.position, tuple(self._resolutions), tuple(self._effects), tuple(self.dice.rolls)
        )
