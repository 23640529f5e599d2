"""The judge: follows a game as the rules have it, and compares it with what the table shows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.dicebox import LogDice, NeedsDiceError, Throw
from hexmarshal.referee.findings import TABLE_RULE, Certainty, Entry, Status
from hexmarshal.referee.interpreting import Deed
from hexmarshal.rules import engine
from hexmarshal.rules.action import Action
from hexmarshal.rules.codec import RECORD
from hexmarshal.rules.verdict import Applied, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hexmarshal.referee.interpreting import Interpreter
    from hexmarshal.referee.sighting import UnitSighting
    from hexmarshal.referee.tracker import Moment
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.position import Position

__all__ = ["Judge", "Now"]

# A tracker that goes on further than this has not just ended phases.
_MOST_PHASES: Final = 40
_TOLD_CELLS: Final = 12


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
        shown: dict[str, UnitSighting],
        advance: str,
    ) -> None:
        self._plugin = plugin
        self._interpreter = interpreter
        self._advance = advance
        self.belief = replace(position, generator=None)
        self.shown = shown
        self.entries: list[Entry] = []
        self._march: March | None = None
        self._pending: Pending | None = None
        self._done: Done | None = None
        self._tray: tuple[Throw, ...] = ()
        self._owed: dict[str, int] = {}
        self._doubt = False

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
        self._doubt = kept.doubt
        self.entries = [*kept.entries, *gone]

    # What happens in a step

    def announce(self, action: Action, now: Now) -> None:
        """A player said what is done."""
        self.close()
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

    def observe(self, deeds: Sequence[Deed], now: Now) -> None:
        """Pieces were moved or changed."""
        drags: dict[tuple[str, str], list[Deed]] = {}
        others: list[Deed] = []
        for deed in deeds:
            going = self._march is not None and deed.unit in self._march.units
            if going and deed.cells and deed.before is not None:
                _group(deed, drags)
            elif not self._apart(deed.unit):
                self._owed.pop(deed.unit, None)
            elif deed.unit in self._owed:
                self._redraw()
            elif deed.cells and deed.before is not None:
                _group(deed, drags)
            elif self._pending is None:
                others.append(deed)
        for (start, _), group in drags.items():
            self._drag(start, group, now)
        if others:
            self._other(others, now)

    def clock(self, moment: Moment, now: Now) -> None:
        """The turn tracker was moved."""
        self.close()
        self._settle()
        if moment.phase and not moment.is_of(self.belief):
            self._go_on(moment, now)
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
        march = self._march
        if march is not None and march.units == units and march.cells[-1] == source:
            self._march = _further(march, cells, now)
            return
        self.close()
        if not self._put_back(units, cells[-1]):
            self._march = March(units, source, cells, now.step, now)

    def _put_back(self, units: tuple[str, ...], cell: str) -> bool:
        """Whether the last thing done was moving these units from the cell that they are on now."""
        if not self.entries:
            return False
        last = self.entries[-1]
        then = last.before
        if then is None or tuple(sorted(last.units)) != units or not last.path:
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
        self._settle()
        deeds = [Deed(unit, None, self.shown.get(unit), march.cells) for unit in march.units]
        what = f"{', '.join(march.units)}: {' -> '.join((march.start, *march.cells))}"
        best: tuple[int, tuple[Action, ...], Verdict] | None = None
        for reading in self._interpreter.readings(self.belief, deeds):
            verdict = self._verdict(reading)
            if best is None or len(verdict.violations) < best[0]:
                best = len(verdict.violations), reading, verdict
            if verdict.legal:
                break
        if best is not None and best[0]:
            offered = self._interpreter.offered(self.belief, deeds)
            if offered is not None and self._verdict(offered).legal:
                best = 0, offered, Verdict()
        if best is None:
            entry = self._entry(march.now, march.first, what, "drag", Status.UNKNOWN)
            text = "the rules know no action that takes them there"
            self._add(replace(entry, certainty=Certainty.CANNOT_TELL, result=text))
            self._believe(march.units)
            return
        _, reading, _ = best
        for action in reading:
            self._begin(action, march.now, march.first, what, march)

    def _verdict(self, reading: Sequence[Action]) -> Verdict:
        """The verdict on the first of a sequence; the others follow from what it does."""
        try:
            found = [engine.check(self._plugin, self.belief, action) for action in reading]
        except HexMarshalError as error:
            return Verdict((Violation(TABLE_RULE, error.message),))
        return Verdict(tuple(v for verdict in found for v in verdict.violations))

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
            units=tuple(u for u in _named(action) if u in before.units),
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
        self._redraw()

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
        for unit in _changed(before, after):
            if self._apart(unit):
                self._owed[unit] = number
            else:
                self._owed.pop(unit, None)

    def _redraw(self) -> None:
        """Try other draws for the last action if what the table shows came of those."""
        done = self._done
        if done is None or done.after is not self.belief:
            return
        units = tuple(_changed(done.before, done.after))
        best = self._score(units)
        if not best:
            return
        picks = list(done.picks)
        chosen: tuple[LogDice, Applied] | None = None
        for i, count in enumerate(done.counts):
            for index in range(count):
                trial = [*picks[:i], index, *picks[i + 1 :]]
                dice = LogDice(done.throws, trial)
                try:
                    applied = self._plugin.apply(done.before, done.action, dice)
                except NeedsDiceError:
                    continue
                self.belief = applied.position
                score = self._score(_changed(done.before, applied.position))
                if score < best:
                    best, picks, chosen = score, trial, (dice, applied)
        self.belief = done.after
        if chosen is not None:
            for unit in units:
                self._owed.pop(unit, None)
            self._finish_action(done.entry, done.before, done.action, *chosen, legal=True)

    def _score(self, units: Iterable[str]) -> int:
        return sum(len(self._differences(unit)) for unit in units)

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
        self._believe([unit for unit in self.shown if self._apart(unit)])
        self._doubt = True

    # The turn tracker

    def _go_on(self, moment: Moment, now: Now) -> None:
        """End phases until the rules are where the tracker is; if they never are, say so."""
        start = self.belief
        first, passed = start.active, []
        for _ in range(_MOST_PHASES):
            here = self.belief
            if moment.is_of(here) or (moment.turn is not None and here.turn > moment.turn):
                break
            if here is not start:
                passed.append(here)
            side = here.active[0] if here.active else ""
            action = Action(self._advance, side)
            if self._advance not in self._plugin.game.actions or not side:
                break
            self._begin(action, now, now.step, f"ends {here.phase}")
            if self.belief is here or self._pending is not None:
                break
        reached = moment.is_of(self.belief)
        skipped = [p.active for p in passed if p.active not in (first, self.belief.active)]
        if first == self.belief.active and reached:
            skipped = [p.active for p in passed if p.active != first]
        if reached and not skipped:
            return
        rule = self._plugin.game.turn_rule
        came = _moment(self.belief if not reached else passed[0])
        text = f"the tracker goes from {_moment(start)} to {moment.text}"
        entry = replace(
            self._entry(now, now.step, text, "turn", Status.VIOLATION),
            violations=(self._placed(rule, f"{text}, and {came} comes before that"),),
            certainty=self._sure,
            before=start,
        )
        if not reached:
            active = moment.active or self.belief.active
            self.belief = replace(
                self.belief,
                turn=self.belief.turn if moment.turn is None else moment.turn,
                phase=moment.phase,
                state="",
                active=active,
            )
        self._add(replace(entry, after=self.belief))

    # What the table shows otherwise

    def _other(self, deeds: Sequence[Deed], now: Now) -> None:
        """Changes that nothing asks for."""
        self.close()
        still = [deed for deed in deeds if self._apart(deed.unit)]
        for reading in self._interpreter.readings(self.belief, still) if still else ():
            if self._verdict(reading).legal:
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
        """In words: how the table shows a unit other than the rules have it."""
        known, seen = self.belief.units.get(unit), self.shown.get(unit)
        if known is None:
            on_map = seen is not None and seen.where.cell
            return (f"{unit} is gone by the rules, and on {on_map}",) if on_map else ()
        if seen is None:
            return (f"{unit} is on {known.cell} by the rules, and gone",) if known.cell else ()
        found = []
        if not seen.at_place_of(known):
            place = known.cell or known.box or "nowhere"
            found.append(f"{unit} is on {place} by the rules, and on {seen.where}")
        for right, shown in seen.against(known):
            found.append(
                f"{unit} has {right.describe()} by the rules, and shows {shown.describe()}"
            )
        return tuple(found)

    def _believe(self, units: Iterable[str]) -> None:
        """Go on from what the table shows of these."""
        for unit in units:
            seen, known = self.shown.get(unit), self.belief.units.get(unit)
            if seen is None:
                if known is not None and known.cell:
                    self.belief = self.belief.without_unit(unit)
            elif self._apart(unit):
                found = seen.on(known)
                there = (
                    [u for u in self.belief.at(found.cell) if u.id != unit] if found.cell else []
                )
                top = max((u.rank + 1 for u in there), default=0)
                self.belief = self.belief.with_unit(replace(found, rank=top))

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


def _group(deed: Deed, drags: dict[tuple[str, str], list[Deed]]) -> None:
    """Units that go together from one place to another are one drag."""
    assert deed.before is not None
    source = deed.before.where
    drags.setdefault((source.cell or source.box, deed.cells[-1]), []).append(deed)


def _further(march: March, cells: tuple[str, ...], now: Now) -> March | None:
    """A march that goes on; one cell back takes the last drag back, back to the start all of it."""
    if cells == (march.start,) and len(march.cells) == 1:
        return None
    if len(march.cells) > 1 and cells == (march.cells[-2],):
        return replace(march, cells=march.cells[:-1], now=now)
    return replace(march, cells=(*march.cells, *cells), now=now)


def _named(action: Action) -> Iterator[str]:
    """Every text in the parameters: units among them."""
    for value in action.params.values():
        if isinstance(value, str):
            yield value
        elif isinstance(value, tuple):
            yield from (one for one in value if isinstance(one, str))


def _changed(before: Position, after: Position) -> Iterator[str]:
    """The units that are not the same any more."""
    old, new = before.units, after.units
    for unit_id, unit in new.items():
        if old.get(unit_id) is not unit:
            yield unit_id
    yield from (unit_id for unit_id in old if unit_id not in new)


def _moment(position: Position) -> str:
    sides = " and ".join(position.active)
    return f"turn {position.turn}, {position.phase}" + (f" of {sides}" if sides else "")
