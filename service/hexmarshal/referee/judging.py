"""The judge: follows a game as the rules have it, and compares it with what the table shows."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.comparing import believing, changed, differences
from hexmarshal.referee.dicebox import LogDice, NeedsDiceError, Throw
from hexmarshal.referee.drags import named
from hexmarshal.referee.findings import TABLE_RULE, Certainty, Entry, Status
from hexmarshal.referee.interpreting import Deed
from hexmarshal.rules import engine
from hexmarshal.rules.action import Action
from hexmarshal.rules.codec import RECORD
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from hexmarshal.referee.interpreting import Interpreter
    from hexmarshal.referee.sighting import UnitSighting
    from hexmarshal.referee.tracker import Moment, Tracker
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.position import Position
    from hexmarshal.rules.verdict import Applied

__all__ = ["Judge", "Now"]

# A tracker that goes on further than this has not just ended phases.
_MOST_PHASES: Final = 40
_TOLD_CELLS: Final = 12
# How often all draws of an action are gone through for those that fit the table.
_SEARCHES: Final = 3
# A unit counts more than two cards, so that a draw can be mended before the one it was taken for.
_UNIT: Final = 3


@dataclass(frozen=True, slots=True)
class Now:
    """Where in the log we are, and who acts."""

    step: int
    player: str = ""
    side: str = ""


@dataclass(frozen=True, slots=True)
class March:
    """Units on their way, drag by drag, until something else happens."""

    units: tuple[str, ...]
    start: str
    cells: tuple[str, ...]
    first: int
    now: Now

    def goes_on(self, deeds: Sequence[Deed]) -> bool:
        """Whether all these units, and no others, are dragged on from where they are."""
        return self.units == tuple(sorted(deed.unit for deed in deeds)) and all(
            deed.cells and deed.source == self.cells[-1] and deed.cells == deeds[0].cells
            for deed in deeds
        )

    def further(self, cells: tuple[str, ...], now: Now) -> March | None:
        """One cell back takes the last drag back, and back to the start all of it."""
        if cells == (self.start,) and len(self.cells) == 1:
            return None
        if len(self.cells) > 1 and cells == (self.cells[-2],):
            return replace(self, cells=self.cells[:-1], now=now)
        return replace(self, cells=(*self.cells, *cells), now=now)


@dataclass(frozen=True, slots=True)
class Pending:
    """An action whose dice the log has not shown yet; `entry` is its place in the list."""

    action: Action
    legal: bool
    entry: int


@dataclass(frozen=True, slots=True)
class Done:
    """The last action that was carried out by the rules, to be tried again with other draws."""

    before: Position
    after: Position
    action: Action
    throws: tuple[Throw, ...]
    picks: tuple[int, ...]
    counts: tuple[int, ...]
    entry: int


@dataclass(frozen=True, slots=True)
class Forced:
    """What would come of an action that was announced against the rules; `units` would show it."""

    before: Position
    after: Position
    units: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything that an undo brings back."""

    belief: Position
    march: March | None
    pending: Pending | None
    done: Done | None
    tray: tuple[Throw, ...]
    owed: dict[str, int]
    entries: list[Entry]
    doubt: bool
    forced: Forced | None


class Judge:
    """Holds the position as the rules have it (`belief`) beside the table (`shown`).

    After an action the players still have to do on the table what the rules say came of it: those
    units are `owed`. Whatever is not done, or done otherwise, when the next thing begins is a wrong
    result; from then on the table is believed.
    """

    def __init__(
        self,
        plugin: GamePlugin,
        interpreter: Interpreter,
        position: Position,
        shown: Mapping[str, UnitSighting],
        tracker: Tracker | None,
        piles: Callable[[], Mapping[str, tuple[str, ...]]] = dict,
    ) -> None:
        self._plugin = plugin
        self._piles = piles
        self._interpreter = interpreter
        self._tracker = tracker
        self._advance = tracker.rule.advance if tracker is not None else ""
        self.belief = replace(position, generator=None)
        self.shown = dict(shown)
        self.entries: list[Entry] = []
        self._march: March | None = None
        self._pending: Pending | None = None
        self._done: Done | None = None
        self._tray: tuple[Throw, ...] = ()
        self._owed: dict[str, int] = {}
        self._doubt = False
        self._forced: Forced | None = None

    # Undo

    def snapshot(self) -> Snapshot:
        """What to keep before a step that may be undone."""
        return Snapshot(
            self.belief,
            self._march,
            self._pending,
            self._done,
            self._tray,
            self._owed.copy(),
            self.entries.copy(),
            self._doubt,
            self._forced,
        )

    def restore(self, kept: Snapshot, step: int) -> None:
        """Back to before a step; what was done in it or since stays in the list as taken back."""
        gone = [
            replace(entry, status=Status.TAKEN_BACK)
            for entry in self.entries[len(kept.entries) :]
            if entry.last >= step
        ]
        self.belief, self._march, self._pending = kept.belief, kept.march, kept.pending
        self._done, self._tray, self._owed = kept.done, kept.tray, kept.owed.copy()
        self._doubt, self._forced = kept.doubt, kept.forced
        self.entries = [*kept.entries, *gone]

    # What happens in a step

    def announce(self, action: Action, now: Now) -> None:
        """A player said what is done."""
        self.close()
        self._drop_forced(lambda position: self._is_legal(position, action))
        self._settle()
        self._begin(action, now, now.step, str(action))

    def unreadable(self, what: str, why: HexMarshalError, now: Now) -> None:
        """A player said something that cannot be taken for an action."""
        self.close()
        entry = self._entry(now, now.step, what, "announcement", Status.UNKNOWN)
        self._add(
            replace(entry, certainty=Certainty.CANNOT_TELL, hint=why.hint, result=why.message)
        )

    def roll(self, throws: Iterable[Throw]) -> None:
        """Dice were rolled."""
        if self._march is not None:
            self._judge_march()
        self._tray = (*self._tray, *throws)
        if self._pending is not None:
            self._attempt(self._pending)

    def see(self, deeds: Iterable[Deed]) -> None:
        """Look at what the table shows now, without a thought."""
        for deed in deeds:
            if deed.after is not None:
                self.shown[deed.unit] = deed.after
            else:
                self.shown.pop(deed.unit, None)

    def observe(self, deeds: Sequence[Deed], now: Now) -> None:
        """Pieces were moved or changed."""
        march = self._march
        if march is not None and march.goes_on(deeds):
            self.see(deeds)
            self._march = march.further(deeds[0].cells, now)
            return
        if march is not None:
            # Judged by what the table showed until now.
            self._judge_march()
        self.see(deeds)
        drags: dict[tuple[str, str], list[Deed]] = {}
        others: list[Deed] = []
        apart = [deed.unit for deed in deeds if self._apart(deed.unit)]
        if not any(self._leaves(deed) for deed in deeds):
            self._redraw(apart)
        for deed in deeds:
            if not self._apart(deed.unit):
                self._owed.pop(deed.unit, None)
            elif deed.unit in self._owed and not self._leaves(deed):
                continue
            elif deed.cells and deed.before is not None:
                drags.setdefault((deed.source, deed.cells[-1]), []).append(deed)
            elif self._pending is None:
                others.append(deed)
        for (source, _), group in drags.items():
            self._drag(source, group, now)
        if others:
            self._other(others, now)

    def _leaves(self, deed: Deed) -> bool:
        """Whether the unit goes on from where the rules have it: that is a deed of its own."""
        known = self.belief.units.get(deed.unit)
        return bool(deed.cells) and known is not None and known.cell == deed.source != ""

    def clock(self, before: Moment | None, moment: Moment, now: Now) -> None:
        """The turn tracker was moved."""
        self.close()
        self._settle()
        if moment.known and self._tracker is not None:
            self._go_on(before, moment, now)
        self._doubt = False

    def close(self) -> None:
        """Judge what is still going on: something else begins."""
        if self._march is not None:
            self._judge_march()
        if self._pending is not None:
            self._without_dice(self._pending)
        for throw in self._tray:
            now = Now(throw.step, throw.player)
            text = f"rolls {throw.value} on a die of {throw.sides}, and no action asks for it"
            entry = self._entry(now, throw.step, text, "roll", Status.UNKNOWN)
            self._add(replace(entry, certainty=Certainty.CANNOT_TELL, dice=(throw.value,)))
        self._tray = ()

    def finish(self) -> None:
        """The log has ended."""
        self.close()
        self._settle()

    # Drags

    def _drag(self, source: str, group: list[Deed], now: Now) -> None:
        units = tuple(sorted(deed.unit for deed in group))
        cells = group[0].cells
        self.close()
        if not self._put_back(units, cells[-1]):
            self._march = March(units, source, cells, now.step, now)

    def _put_back(self, units: tuple[str, ...], cell: str) -> bool:
        """Whether the last thing done was moving these units from the cell that they are on now."""
        if not self.entries:
            return False
        last = self.entries[-1]
        then = last.before
        if then is None or tuple(sorted(last.units)) != units or not last.path or last.dice:
            return False
        if last.after is not None and not set(changed(then, last.after)) <= set(units):
            return False
        same = (then.turn, then.phase) == (self.belief.turn, self.belief.phase)
        if not same or any(u not in then.units or then.units[u].cell != cell for u in units):
            return False
        self.belief = then
        self._owed.clear()
        self.entries[-1] = replace(last, status=Status.TAKEN_BACK)
        return True

    def _judge_march(self) -> None:
        march = self._march
        assert march is not None
        self._march = None
        deeds = [Deed(unit, None, self.shown.get(unit), march.cells) for unit in march.units]
        what = f"{', '.join(march.units)}: {' -> '.join((march.start, *march.cells))}"
        self._drop_forced(lambda position: self._explains(position, deeds))
        self._settle()
        judged = self._interpreter.judged(self.belief, deeds, self._tray)
        if judged is None:
            entry = self._entry(march.now, march.first, what, "drag", Status.UNKNOWN)
            text = "the rules know no action that takes them there"
            self._add(replace(entry, certainty=Certainty.CANNOT_TELL, result=text))
            self._believe(march.units)
            return
        reading, _ = judged
        for action in reading:
            self._begin(action, march.now, march.first, what, march)

    def _explains(self, position: Position, deeds: Sequence[Deed]) -> bool:
        judged = self._interpreter.judged(position, deeds, self._tray)
        return judged is not None and judged[1].legal

    def _is_legal(self, position: Position, action: Action) -> bool:
        return self._interpreter.verdict(position, (action,)).legal

    # Actions

    def _begin(
        self, action: Action, now: Now, first: int, what: str, march: March | None = None
    ) -> None:
        before = self.belief
        try:
            verdict = engine.check(self._plugin, before, action)
        except HexMarshalError as error:
            self._refuse(error, now, first, what)
            return
        entry = self._entry(now, first, what, action.kind, Status.LEGAL)
        entry = replace(
            entry,
            side=action.side,
            action=RECORD.decode(action.to_json()),
            units=tuple(u for u in named(action) if u in before.units),
            path=march.cells if march is not None else (),
        )
        if not verdict.legal:
            entry = replace(
                entry,
                status=Status.VIOLATION,
                certainty=self._sure,
                violations=verdict.violations,
                right=self._right_move(march) if march is not None else "",
            )
        self._add(entry)
        self._attempt(Pending(action, verdict.legal, len(self.entries) - 1))
        if march is not None and self._pending is None and not verdict.legal:
            self._believe(march.units)

    def _refuse(self, error: HexMarshalError, now: Now, first: int, what: str) -> None:
        entry = self._entry(now, first, what, "announcement", Status.UNKNOWN)
        self._add(
            replace(entry, certainty=Certainty.CANNOT_TELL, result=error.message, hint=error.hint)
        )

    def _right_move(self, march: March) -> str:
        if len(march.units) != 1:
            return ""
        cells = self._interpreter.reach(self.belief, march.units[0])
        if cells is None:
            return ""
        if not cells:
            return f"{march.units[0]} may not move"
        more = f" and {len(cells) - _TOLD_CELLS} more" if len(cells) > _TOLD_CELLS else ""
        return f"{march.units[0]} may go to {', '.join(cells[:_TOLD_CELLS])}{more}"

    def _attempt(self, pending: Pending) -> None:
        """Carry an action out with the dice seen so far; if they do not suffice, wait."""
        before = self.belief
        dice = LogDice(self._tray)
        applied = self._apply(before, pending, dice)
        if applied is None:
            return
        self._pending = None
        self._tray = tuple(throw for throw in self._tray if throw not in dice.used)
        self._finish_action(pending.entry, before, pending.action, dice, applied, pending.legal)
        if not pending.legal and not dice.used and not self.entries[pending.entry].path:
            units = tuple(u for u in changed(before, self.belief) if self._apart(u))
            self._forced = Forced(before, self.belief, units)

    def _apply(self, before: Position, pending: Pending, dice: LogDice) -> Applied | None:
        try:
            return self._plugin.apply(before, pending.action, dice)
        except NeedsDiceError:
            self._pending = pending
            return None
        except Exception:
            if pending.legal:
                raise
            # What a plugin does with an action that it refuses is not defined: the table decides.
            self._pending = None
            entry = self.entries[pending.entry]
            self.entries[pending.entry] = replace(entry, after=before)
            return None

    def _finish_action(
        self,
        number: int,
        before: Position,
        action: Action,
        dice: LogDice,
        applied: Applied,
        legal: bool,
    ) -> None:
        after = replace(applied.position, generator=None)
        self.belief = after
        throws = tuple(dice.used)
        self._done = (
            Done(before, after, action, throws, tuple(dice.picks), tuple(dice.counts), number)
            if dice.counts
            else None
        )
        entry = self.entries[number]
        result = "; ".join(filter(None, (r.result for r in applied.resolutions)))
        self.entries[number] = replace(
            entry,
            last=max(entry.last, *(t.step for t in throws)) if throws else entry.last,
            dice=tuple(throw.value for throw in throws),
            result=result if legal else entry.result,
            after=after,
        )
        for unit in changed(before, after):
            if self._apart(unit):
                self._owed[unit] = number
            else:
                self._owed.pop(unit, None)

    def _redraw(self, units: Iterable[str] = ()) -> None:
        """Look for draws by which the last action comes to what the table shows."""
        done = self._done
        if done is None or done.after is not self.belief:
            return
        concerned = {*units, *self._owed}
        piles = self._piles()
        best = self._score(done.before, done.after, concerned, piles)
        found: tuple[LogDice, Applied] | None = None
        picks, counts = list(done.picks), list(done.counts)
        for _ in range(_SEARCHES):
            improved = False
            at = 0
            while best and at < len(counts):
                for index in range(counts[at]):
                    trial = LogDice(done.throws, [*picks[:at], index, *picks[at + 1 :]])
                    try:
                        applied = self._plugin.apply(done.before, done.action, trial)
                    except NeedsDiceError:
                        continue
                    score = self._score(done.before, applied.position, concerned, piles)
                    if score < best:
                        best, improved, found = score, True, (trial, applied)
                if found is not None:
                    picks, counts = found[0].picks, found[0].counts
                at += 1
            if not improved:
                break
        if found is not None:
            self._owed.clear()
            self._finish_action(done.entry, done.before, done.action, *found, legal=True)
            for unit in concerned:
                if self._apart(unit):
                    self._owed[unit] = done.entry

    def _score(
        self,
        before: Position,
        after: Position,
        units: Iterable[str],
        piles: Mapping[str, tuple[str, ...]],
    ) -> int:
        """How far the table is from a position, in units that changed and in cards drawn."""
        concerned = {*units, *changed(before, after)}
        apart = _UNIT * sum(len(differences(after, self.shown, unit)) for unit in concerned)
        for name, cards in piles.items():
            here, there = Counter(after.pile(name).cards), Counter(cards)
            apart += (here - there).total() + (there - here).total()
        return apart

    def _without_dice(self, pending: Pending) -> None:
        self._pending = None
        entry = self.entries[pending.entry]
        if pending.legal:
            self.entries[pending.entry] = replace(
                entry,
                status=Status.UNKNOWN,
                certainty=Certainty.CANNOT_TELL,
                result="the log shows no dice for it",
                hint="if the roll is there in other words, add them to dice in the binding",
            )
            # What follows may be right although it does not look so.
            self._doubt = True
        self._believe([unit for unit in self.shown if self._apart(unit)])

    # The turn tracker

    def _go_on(self, before: Moment | None, moment: Moment, now: Now) -> None:
        """End phases until the rules are as far as the tracker; a phase they skip does no harm."""
        assert self._tracker is not None
        start, passed = self.belief, []
        while self._tracker.order_of(self.belief) < moment.order:
            here = self.belief
            if here is not start:
                passed.append(here)
            if len(passed) > _MOST_PHASES or not self._end_phase(now):
                break
        reached = self._tracker.order_of(self.belief)
        backwards = before is not None and before.known and moment.order < before.order
        others = [p for p in passed if p.active not in (start.active, self.belief.active)]
        if start.active == self.belief.active:
            others = [p for p in passed if p.active != start.active]
        if backwards or reached < moment.order:
            self._wrong_turn(moment, self.belief, start, now)
            if moment.phase:
                self._set_clock(moment)
        elif others:
            self._wrong_turn(moment, others[0], start, now)

    def _end_phase(self, now: Now) -> bool:
        """Whether the phase could be ended, rightly or not."""
        here = self.belief
        if not here.active or self._advance not in self._plugin.game.actions:
            return False
        action = Action(self._advance, here.active[0])
        self._begin(action, now, now.step, f"ends {here.phase}")
        return self.belief is not here and self._pending is None

    def _wrong_turn(self, moment: Moment, due: Position, start: Position, now: Now) -> None:
        text = f"the tracker goes from {_moment(start)} to {moment.text}"
        if moment.turn is not None:
            text += f" of turn {moment.turn}"
        rule = self._plugin.game.turn_rule
        self._add(
            replace(
                self._entry(now, now.step, text, "turn", Status.VIOLATION),
                violations=(self._placed(rule, f"{text}, and {_moment(due)} comes before that"),),
                certainty=self._sure,
                before=start,
            )
        )

    def _set_clock(self, moment: Moment) -> None:
        self.belief = replace(
            self.belief,
            turn=self.belief.turn if moment.turn is None else moment.turn,
            phase=moment.phase,
            state="",
            active=moment.active or self.belief.active,
        )

    # What the table shows otherwise

    def _other(self, deeds: Sequence[Deed], now: Now) -> None:
        """Changes that nothing asks for."""
        self.close()
        still = [deed for deed in deeds if self._apart(deed.unit)]
        for reading in self._interpreter.readings(self.belief, still) if still else ():
            if self._interpreter.verdict(self.belief, reading, self._tray).legal:
                for action in reading:
                    self._begin(action, now, now.step, str(action))
                return
        if not still:
            return
        units = tuple(deed.unit for deed in still)
        told = [line for unit in units for line in self._differences(unit)]
        entry = self._entry(now, now.step, "; ".join(told), "change", Status.VIOLATION)
        text = "nothing that was done asks for this"
        self._add(
            replace(
                entry,
                violations=(Violation(TABLE_RULE, text, units=units),),
                certainty=Certainty.LIKELY,
                units=units,
            )
        )
        self._believe(units)

    def _settle(self) -> None:
        """Results that were not carried out, or wrongly: say so, and go on from the table."""
        self._drop_forced()
        if self._owed:
            self._redraw()
        wrong: dict[int, list[str]] = {}
        for unit, number in self._owed.items():
            wrong.setdefault(number, [])
            if self._apart(unit):
                wrong[number].append(unit)
        self._owed = {}
        for number, units in wrong.items():
            if units:
                self._wrong_result(number, units)
                self._believe(units)

    def _drop_forced(self, follows: Callable[[Position], bool] = lambda _: False) -> None:
        """What was announced against the rules and not done on the table did not happen.

        Unless what `follows` is right only if it did.
        """
        forced, self._forced = self._forced, None
        if forced is None or self.belief is not forced.after:
            return
        before = forced.before
        done = any(differences(before, self.shown, unit) for unit in forced.units)
        if not done and (forced.units or not follows(forced.after) or follows(before)):
            self.belief = before
            for unit in forced.units:
                self._owed.pop(unit, None)

    def _wrong_result(self, number: int, units: Sequence[str]) -> None:
        entry = self.entries[number]
        if entry.status is not Status.LEGAL:
            return
        told = [line for unit in units for line in self._differences(unit)]
        rules = self._plugin.game.actions.get(entry.kind)
        rule = rules.rules[0] if rules is not None and rules.rules else TABLE_RULE
        violation = self._placed(rule, f"the result was not carried out so: {'; '.join(told)}")
        self.entries[number] = replace(
            entry,
            status=Status.VIOLATION,
            certainty=self._sure,
            violations=(replace(violation, units=tuple(units)),),
            right=entry.result or "as the rules say",
            units=tuple(dict.fromkeys((*entry.units, *units))),
        )

    def _apart(self, unit: str) -> bool:
        return bool(self._differences(unit))

    def _differences(self, unit: str) -> tuple[str, ...]:
        return differences(self.belief, self.shown, unit)

    def _believe(self, units: Iterable[str]) -> None:
        """Go on from what the table shows of these."""
        self.belief = believing(self.belief, self.shown, units)

    # Entries

    @property
    def _sure(self) -> Certainty:
        return Certainty.LIKELY if self._doubt else Certainty.CERTAIN

    def _entry(self, now: Now, first: int, what: str, kind: str, status: Status) -> Entry:
        at = self.belief
        side = now.side or (at.active[0] if len(at.active) == 1 else "")
        return Entry(
            first, now.step, at.turn, at.phase, side, now.player, what, kind, status, before=at
        )

    def _add(self, entry: Entry) -> None:
        self.entries.append(entry if entry.after is not None else replace(entry, after=self.belief))

    def _placed(self, rule: str, text: str) -> Violation:
        return Violation(rule, text, self._plugin.rulebook.section(rule))


def _moment(position: Position) -> str:
    sides = " and ".join(position.active)
    return f"turn {position.turn}, {position.phase}" + (f" of {sides}" if sides else "")
