"""Attacks for which dice were rolled where nobody was named for them, and nobody turned up."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.case.table_comparison import apart
from hexmarshal.referee.chat.named_parts import held_parts
from hexmarshal.referee.drags.drag_actions import named as names_of
from hexmarshal.referee.interpret.log_dice import LogDice
from hexmarshal.rules.action import ParamType
from hexmarshal.rules.values import thaw

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from hexmarshal.referee.attacks.attack_trials import AttackTrials, Hit
    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.drags.routes import Routes
    from hexmarshal.rules.action import Action, ActionType
    from hexmarshal.rules.state.position import Position

__all__ = ["AttacksByAnybody"]

_MOST_TRIED: Final = 60
# So many answers to what a result asks are given until units are as the table shows them.
_MOST_ANSWERS: Final = 3
_OFFERS: Final = 24
_AIMED: Final = 6
_AIMS: Final = (ParamType.CELL, ParamType.CELLS)


class AttacksByAnybody:
    """Finds who may have made the attack, by what it left on the table.

    Rather one that is allowed, and of those one whose result the table shows. Where none is, one
    that only one rule forbids.
    """

    def __init__(self, case: Case, routes: Routes, trials: AttackTrials) -> None:
        self._case, self._routes, self._trials = case, routes, trials

    def on(self, here: Position, units: Sequence[str]) -> Hit | None:
        """An attack on units, by whomever."""
        cell = here.units[units[0]].cell
        every = list(islice(self._trials.on(here, cell), _MOST_TRIED))
        if every:
            return self._best(self._hits(here, every, units), units)
        refused = self._hits(here, self._refused(here, cell, units), units)
        return self._best(refused, units, fitting=True)

    def wrongly_by(
        self, here: Position, own: Sequence[str], units: Sequence[str], named: Sequence[str] = ()
    ) -> Hit | None:
        """An attack by some against the rules, by which units of theirs suffered.

        On the cells that were `named`; else, on whomever it was, the same rule is broken.
        """
        cells = {here.units[unit].cell for unit in own}
        aims = [[*named]] if named else [[cell] for cell in self._others(here, cells)]
        for kind in self._kinds(here):
            some = [one for there in aims for one in self._made(kind, here, own, there)]
            broken = [self._broken(here, one) for one in some]
            if not all(broken) or len({rule for rules in broken for rule in rules}) != 1:
                continue
            found = self._best(self._hits(here, some, units), units, fitting=True)
            if found is not None:
                return found
        return None

    def refused(
        self, here: Position, own: Sequence[str], units: Sequence[str]
    ) -> Iterator[tuple[int, Hit]]:
        """What some did to units in any phase, with how many faults, if that left something."""
        for kind in self._case.rules.game.actions.values():
            if not any(p.required and p.type is ParamType.UNITS for p in kind.params):
                continue
            for action in self._made(kind, here, own, units, _AIMED):
                try:
                    faults = len(self._case.rules.check(here, action).violations)
                except HexMarshalError:
                    continue
                hit = (
                    self._trials.hit(here, action, self._case.mind.tray, units) if faults else None
                )
                if hit is not None:
                    yield faults, hit

    def beside(self, units: Collection[str], here: Position, cells: Collection[str]) -> set[str]:
        """Those of some units who stand next to cells."""
        near = self._routes.around(cells, 1)
        return {unit for unit in units if here.units[unit].cell in near}

    def _others(self, here: Position, cells: Collection[str]) -> list[str]:
        """The cells with units of others beside some cells."""
        near = self._routes.around(cells, 1)
        known = here.units.values()
        there = (u.cell for u in known if u.cell in near and u.side not in here.active)
        return list(dict.fromkeys(there))

    def _refused(self, here: Position, cell: str, units: Sequence[str]) -> Iterator[Action]:
        """Attacks on units by those beside them that just one rule forbids: by all, or a stack."""
        near = self._routes.around({cell}, 1)
        beside = [u for u in here.units.values() if u.side in here.active and u.cell in near]
        for kind in self._kinds(here):
            by_rule: dict[str, list[str]] = {}
            for unit in beside:
                for one in self._made(kind, here, [unit.id], units):
                    for rule in rules if len(rules := self._broken(here, one)) == 1 else ():
                        by_rule.setdefault(rule, []).append(unit.id)
            for own in by_rule.values():
                stacks: dict[str, list[str]] = {}
                for name in own:
                    stacks.setdefault(here.units[name].cell, []).append(name)
                for some in dict.fromkeys(map(tuple, (own, *stacks.values()))):
                    made = self._made(kind, here, some, units)
                    yield from (one for one in made if self._broken(here, one))

    def _kinds(self, here: Position) -> Iterator[ActionType]:
        """What several of a side do to others together, in this phase."""
        for kind in self._case.rules.game.actions.values():
            several = any(p.required and p.type is ParamType.UNITS for p in kind.params)
            aimed = any(p.required and p.type in _AIMS for p in kind.params)
            if several and aimed and kind.fits(here.phase, here.state):
                yield kind

    def _made(
        self,
        kind: ActionType,
        here: Position,
        own: Sequence[str],
        aims: Sequence[str],
        most: int = 1,
    ) -> Iterator[Action]:
        """Such an action by some, on others or a cell."""
        for held in islice(held_parts(kind, own, aims, here), most):
            given = {slot: thaw(value) for slot, value in held.items()}
            side = here.units[own[0]].side
            yield self._case.rules.game.actions.make(kind.name, side, **given)

    def _broken(self, here: Position, action: Action) -> frozenset[str]:
        try:
            return frozenset(v.rule for v in self._case.rules.check(here, action).violations)
        except HexMarshalError:
            return frozenset()

    def _hits(
        self, here: Position, actions: Iterable[Action], units: Sequence[str]
    ) -> Iterator[Hit]:
        for action in actions:
            found = self._trials.hit(here, action, self._case.mind.tray, units)
            if found is not None:
                yield found

    def _best(
        self, hits: Iterable[Hit], units: Sequence[str], *, fitting: bool = False
    ) -> Hit | None:
        """The one after which units are as the table shows them; by all who may take part."""
        known = list(hits)
        fits = [hit for hit in known if self._leads_to(hit.after, units)]
        if fitting and not fits:
            return None
        least = min((hit.odd for hit in fits or known), default=0)
        some = [hit for hit in fits or known if hit.odd == least]
        return max(some, key=lambda hit: len([*names_of(hit.done[0])]), default=None)

    def _leads_to(self, at: Position, units: Sequence[str], deep: int = _MOST_ANSWERS) -> bool:
        """Whether units are as the table shows them, perhaps after what they choose to lose."""
        rules, shown = self._case.rules, self._case.sights.units
        if not any(apart(at, shown, unit) for unit in units):
            return True
        if not at.state or not deep:
            return False
        kinds = tuple(
            kind.name
            for kind in rules.game.actions.values()
            if at.state in kind.states and all(p.type is not ParamType.PATH for p in kind.params)
        )
        for side in at.active:
            try:
                for offer in islice(rules.offers(at, side, kinds), _OFFERS):
                    after = rules.apply(at, offer.action, LogDice(())).position
                    if self._leads_to(after, units, deep - 1):
                        return True
            except HexMarshalError:
                continue
        return False
