"""What the rules would have had instead of something wrong, in words."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.errors.counts import counted
from hexmarshal.referee.drags.drag_actions import named
from hexmarshal.referee.interpret.deed import Deed
from hexmarshal.referee.interpret.log_dice import LogDice
from hexmarshal.referee.interpret.words import side_title, the_phase
from hexmarshal.rules.action import ParamType
from hexmarshal.rules.showing.sentences import listed, sentence, worded

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from hexmarshal.referee.drags.drag_run import DragRun
    from hexmarshal.referee.interpret.interpreter import Interpreter
    from hexmarshal.referee.interpret.rules_calls import Rules
    from hexmarshal.rules.action import Action, ActionType
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Value
    from hexmarshal.rules.verdict import Violation

__all__ = ["WhatIsRight"]

# So many are told: whoever wants to know all looks at the board.
_TOLD: Final = 5
_TRIED: Final = 4
_NEAR: Final = 12
_OFFERS: Final = 400
_BROUGHT: Final = 24
# What players mean when they say whom or what an action is aimed at.
_WORDS: Final = (ParamType.CHOICE, ParamType.TEXT)
_ACTORS: Final = (ParamType.UNIT, ParamType.UNITS)
_AIMS: Final = (*_ACTORS, ParamType.CELL, ParamType.CELLS)


class WhatIsRight:
    """Says where a unit could have gone, or what could have been chosen."""

    def __init__(self, rules: Rules, interpreter: Interpreter) -> None:
        self._rules, self._interpreter = rules, interpreter

    def of(
        self,
        belief: Position,
        action: Action,
        run: DragRun | None,
        broken: Sequence[Violation] = (),
        done: Collection[str] = (),
    ) -> str:
        """Instead of an announcement, or of a drag, by which rules were `broken`.

        The kinds that the units have `done` in this phase they may hardly do again.
        """
        way = self._way(action) if run is None else (run.units, run.cells)
        timing = self._rules.game.timing_rules
        if way is None and any(violation.rule in timing for violation in broken):
            kind = self._rules.game.actions[action.kind]
            actors = (p.name for p in kind.params if p.type in _ACTORS and p.name in action.params)
            actor = next(actors, None)
            return f"{_told(action, actor)} may not act now" if actor else "nothing of this now"
        if way is None:
            fewer = self._by_fewer(belief, action, broken) or self._by_less(belief, action)
            return fewer or self._choice(belief, action)
        units, cells = way
        if len(units) != 1:
            return "the units stay where they were"
        return self._where(belief, action, units[0], cells, done)

    def _way(self, action: Action) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """Who goes which way by an announcement; None if it is about something else."""
        if action.kind not in self._interpreter.drags:
            return None
        units, cells = self._interpreter.way_of(action)
        return (units, cells) if len(units) == 1 and cells else None

    def _where(
        self,
        belief: Position,
        action: Action,
        unit: str,
        way: tuple[str, ...],
        done: Collection[str],
    ) -> str:
        """Where a unit could have gone."""
        if action.side not in belief.active:
            return f"{unit} may not move now"
        if belief.state or not self._interpreter.moves_in(belief):
            offered = self._offered(belief, action.side, unit, way[-1])
            otherwise = offered.pop(way[-1], None)
            if otherwise is not None and otherwise.kind == action.kind:
                # Not like this, but as one would announce it.
                return sentence(self._rules.game, otherwise)
            if offered:
                # One more than is told shows that there are more.
                few = islice(offered.items(), _TOLD + 1)
                ends = [f"{cell}{self._price(belief, one, unit)}" for cell, one in few]
                return f"{unit} may go to {_listed(ends)}"
        if not self._interpreter.moves_in(belief):
            return self._in_phase(belief, action.side, unit, done) or f"{unit} may not move now"
        there = way[-1]
        # Where it went it may go as well, perhaps, but not like this.
        cells = [
            cell for cell in self._interpreter.reach_towards(belief, unit, there) if cell != there
        ]
        start = belief.units[unit].cell if unit in belief.units else ""
        # Who was dragged right across the map may not stop wherever he would pass.
        some = (*cells[:_NEAR], *islice(self._interpreter.nearest(start, cells), _NEAR))
        cells = [cell for cell in dict.fromkeys(some) if self._may_go(belief, unit, (cell,))]
        if not cells and start:
            # Not by plain movement, but perhaps out of a hold.
            beside = self._interpreter.nearest(there, self._interpreter.beside(start))
            others = {u.cell for u in belief.units.values() if u.side != action.side}
            cells = [cell for cell in beside if cell != there and cell not in others]
            cells = [cell for cell in cells if self._may_go(belief, unit, (cell,))]
        if not cells:
            brought = "" if start else self._brings(belief, action.side, unit, there)
            return brought or f"{unit} may not move"
        prefixes = (way[:length] for length in range(len(way) - 1, 0, -1))
        far = next((one for one in islice(prefixes, _TRIED) if self._may_go(belief, unit, one)), ())
        this_way = f"; on this way as far as {far[-1]}" if far else ""
        return f"{unit} may go to {_listed(cells)}{this_way}"

    def _in_phase(self, belief: Position, side: str, unit: str, done: Collection[str]) -> str:
        """What can be done in a phase that has no movement, and a unit has not done yet."""
        own = [
            kind.title.lower()
            for kind in self._rules.game.actions.values()
            if belief.phase in kind.phases and (not kind.states or belief.state in kind.states)
            if kind.name not in done or self._may_do(belief, side, kind.name, unit)
        ]
        return f"in this phase: {', '.join(own)}" if own else ""

    def _may_do(self, belief: Position, side: str, kind: str, unit: str) -> bool:
        try:
            offers = islice(self._rules.offers(belief, side, (kind,)), _OFFERS)
            return any(unit in named(offer.action) for offer in offers)
        except HexMarshalError:
            return False

    def _brings(self, belief: Position, side: str, unit: str, there: str) -> str:
        """What puts a unit onto the map that nobody moves there, the nearest to where it lies."""
        found: dict[str, Action] = {}
        drags = self._interpreter.drags
        for kind in self._rules.game.actions.values():
            if kind.name in drags or kind.rolls or not kind.fits(belief.phase, belief.state):
                continue
            try:
                offers = self._rules.offers(belief, side, (kind.name,))
                for offer in islice(offers, _BROUGHT):
                    after = self._rules.apply(belief, offer.action, LogDice(())).position
                    if unit in after.units and after.units[unit].cell:
                        found.setdefault(after.units[unit].cell, offer.action)
            except HexMarshalError:
                continue
        nearest = next(iter(self._interpreter.nearest(there, found)), None)
        return "" if nearest is None else sentence(self._rules.game, found[nearest])

    def _price(self, belief: Position, action: Action, unit: str) -> str:
        """In words: what a unit loses on a way, if no dice decide about it."""
        try:
            after = self._rules.apply(belief, action, LogDice(())).position
        except HexMarshalError:
            return ""
        steps = belief.units[unit].steps
        if unit not in after.units or not after.units[unit].cell:
            return " and is lost"
        lost = steps - after.units[unit].steps
        return f" and loses {counted(lost, 'step')}" if lost > 0 else ""

    def _may_go(self, belief: Position, unit: str, cells: tuple[str, ...]) -> bool:
        deeds = [Deed(unit, None, None, cells)]
        try:
            if self._interpreter.legal(belief, deeds) is not None:
                return True
            # No straight way, but perhaps a road.
            return self._interpreter.asked_way(belief, deeds) is not None
        except HexMarshalError:
            return False

    def _offered(self, belief: Position, side: str, unit: str, there: str) -> dict[str, Action]:
        """Where what is asked, or what belongs into the phase, takes a unit, nearest first."""
        ends: dict[str, Action] = {}
        try:
            kinds = tuple(self._interpreter.drags)
            for offer in islice(self._rules.offers(belief, side, kinds), _OFFERS):
                units, cells = self._interpreter.way_of(offer.action)
                if units == (unit,) and cells:
                    ends.setdefault(cells[-1], offer.action)
        except HexMarshalError:
            return {}
        return {cell: ends[cell] for cell in self._interpreter.nearest(there, ends)}

    def _by_fewer(self, belief: Position, action: Action, broken: Sequence[Violation]) -> str:
        """The same without those of a group by whom rules were broken, if that is right."""
        named = {unit for violation in broken for unit in violation.units}
        for param in self._rules.game.actions[action.kind].params:
            group = action.params.get(param.name)
            if param.type is not ParamType.UNITS or not isinstance(group, tuple):
                continue
            fewer = tuple(unit for unit in group if unit not in named)
            if not fewer or len(fewer) == len(group):
                continue
            right = replace(action, params=action.params.set(param.name, fewer))
            try:
                if self._rules.check(belief, right).legal:
                    return sentence(self._rules.game, right)
            except HexMarshalError:
                continue
        return ""

    def _by_less(self, belief: Position, action: Action) -> str:
        """The same without something that was added to it, if that is right."""
        params = self._rules.game.actions[action.kind].params
        for param in params:
            if param.required or param.type in _AIMS or param.name not in action.params:
                continue
            right = _without(action, (param.name,))
            try:
                if self._rules.check(belief, right).legal:
                    return sentence(self._rules.game, right)
            except HexMarshalError:
                continue
        return ""

    def _choice(self, belief: Position, action: Action) -> str:
        """What could have been chosen last for something announced, all else as it was.

        Where nothing could, what could have been chosen before that; or what is done now at all.
        """
        kind = self._rules.game.actions[action.kind]
        if action.side not in belief.active or not kind.fits(belief.phase, belief.state):
            return self._now(belief, action.side)
        given = [param for param in kind.params if param.name in action.params]
        slots = [param.name for param in given if param.type in _AIMS]
        rest = [p.name for p in given if p.required and p.name not in slots and p.type in _WORDS]
        for slot in (*slots[-1:], *rest):
            found = self._others(belief, action, slot)
            if slot not in rest and slot != slots[0]:
                found = self._of_enemies(belief, action, found)
            if found:
                param = next(param for param in given if param.name == slot)
                told = _either([worded(param, value) for value in found])
                return sentence(self._rules.game, action, {slot: told})
        if len(slots) > 1:
            # Nobody else to aim at: then somebody else might do it.
            actor = slots[0]
            found = self._others(belief, _without(action, slots[1:]), actor)
            if next(p.type for p in given if p.name == actor) not in _ACTORS:
                # Whom it is aimed at is said first.
                return f"{kind.title} at {_either(found)}" if found else self._instead(belief)
            more = f"{_either(found)} may do it" if found else self._instead(belief)
            what = f"no {_title(kind)} by {_told(action, actor)}"
            return "; ".join(filter(None, (what, more)))
        if self._titles(belief) == _title(kind):
            # It is the thing to do, and what is wrong with it says how.
            return ""
        return self._now(belief, action.side)

    def _of_enemies(
        self, belief: Position, action: Action, found: tuple[Value, ...]
    ) -> tuple[Value, ...]:
        """Of the cells that may be aimed at, those where the side that acts knows of an enemy.

        Any, where there are none; unless the game lists only such.
        """
        units = belief.units.values()
        known = {
            cell
            for unit in units
            if unit.side != action.side and (unit.seen_by is None or action.side in unit.seen_by)
            for cell in (unit.id, *unit.cells)
        }
        likely = tuple(value for value in found if value in known)
        listed = self._rules.game.actions[action.kind].listed is not None
        return likely if likely or listed else found

    def _others(self, belief: Position, action: Action, slot: str) -> tuple[Value, ...]:
        try:
            found = self._rules.others(belief, action, slot)
        except HexMarshalError:
            return ()
        given = action.params[slot]
        chosen = given if isinstance(given, tuple) else (given,)
        return tuple(value for value in found if value is not None and value not in chosen)

    def _now(self, belief: Position, side: str) -> str:
        """What is asked, or belongs here, or of whom it is asked first."""
        game = self._rules.game
        asked = game.frames[belief.state].title if belief.state in game.frames else ""
        acting = " and ".join(side_title(game, one) for one in belief.active)
        if side and acting and side not in belief.active:
            # What others may choose is not what the player could have meant.
            todo = asked or self._titles(belief)
            return f"{acting} first: {todo}" if todo else f"{acting} acts first"
        titles = self._titles(belief)
        if asked and titles.lower().startswith(asked.lower()):
            return titles
        return f"{asked or the_phase(game, belief.phase)}: {titles}".removesuffix(": ")

    def _instead(self, belief: Position) -> str:
        titles = self._titles(belief)
        return f"instead: {titles}" if titles else ""

    def _titles(self, belief: Position) -> str:
        """What may be done now, last what silence is taken for."""
        silent = {one.kind for side in belief.active if (one := self._rules.silence(belief, side))}
        kinds = sorted(self._rules.game.actions.values(), key=lambda kind: kind.name in silent)
        titles = dict.fromkeys(
            _title(kind)
            for kind in kinds
            if not kind.anytime and kind.fits(belief.phase, belief.state)
            if any(self._is_offered(belief, one, kind.name) for one in belief.active)
        )
        return _listed(list(titles), "; " if any("," in title for title in titles) else ", ")

    def _is_offered(self, belief: Position, side: str, kind: str) -> bool:
        try:
            return next(iter(self._rules.offers(belief, side, (kind,))), None) is not None
        except HexMarshalError:
            return False


def _either(values: Sequence[Value]) -> str:
    """One of them: a, b or c."""
    told = [str(value) for value in values]
    return listed((*told[:_TOLD], "others")[: len(told)], "or")


def _title(kind: ActionType) -> str:
    """What an action is called within a sentence; names keep their capitals."""
    first, rest = kind.title[:1], kind.title[1:]
    return f"{first.lower()}{rest}" if rest == rest.lower() else kind.title


def _without(action: Action, slots: Sequence[str]) -> Action:
    return replace(action, params=action.params.without(*slots))


def _told(action: Action, slot: str) -> str:
    value = action.params[slot]
    return listed([*map(str, value)], "and") if isinstance(value, tuple) else str(value)


def _listed(found: Sequence[str], between: str = ", ") -> str:
    more = " and more" if len(found) > _TOLD else ""
    return f"{between.join(found[:_TOLD])}{more}"
