"""What a check finds: one entry for each thing done, with its verdict and how sure it is."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from hexmarshal.rules.values import EMPTY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.referee.check.dice_fairness import DiceStatistics
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Record
    from hexmarshal.rules.verdict import Violation
    from hexmarshal.table.reading import Note

__all__ = [
    "IN_SILENCE",
    "IN_WORDS",
    "ROLL",
    "TABLE_RULE",
    "Certainty",
    "CheckReport",
    "Entry",
    "Status",
    "StepNote",
]

# The kind of an entry that tells of dice alone.
ROLL = "roll"
# The rule of no book: the map shows what nothing that was done explains.
TABLE_RULE = "HM-table"
# How something was done that nobody announced.
IN_SILENCE, IN_WORDS = "in silence", "in words"


class Certainty(StrEnum):
    """How sure a finding is."""

    CERTAIN = "certain"
    LIKELY = "likely"
    CANNOT_TELL = "cannot tell"


class Status(StrEnum):
    """The verdict on one thing done."""

    LEGAL = "legal"
    VIOLATION = "violation"
    UNKNOWN = "unknown"
    TAKEN_BACK = "taken back"


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that was done: where in the log and in the game, by whom, and the verdict.

    `what` has an announcement as players write it; `told` is the same in a sentence, and
    `announcement` that line alone, where there is one. `who` is the player, or the player of which
    side, where nobody is named; `at` is the phase as players call it. `drawn` is what was drawn for
    it by chance.
    `right` says what the rules would have had instead; `decided_by` is the rule that its result
    comes from. `before`, `after` and `path` are for a picture of it. `laid_out` is the last step in
    which players showed some of its result on the table, if that was later.
    """

    first: int
    last: int
    turn: int
    phase: str
    side: str
    player: str
    what: str
    kind: str
    status: Status
    certainty: Certainty = Certainty.CERTAIN
    violations: tuple[Violation, ...] = ()
    right: str = ""
    result: str = ""
    dice: tuple[int, ...] = ()
    hint: str = ""
    action: Record = EMPTY
    units: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    decided_by: str = ""
    laid_out: int = 0
    told: str = ""
    announcement: str = ""
    who: str = ""
    at: str = ""
    drawn: str = ""
    before: Position | None = field(default=None, repr=False, compare=False)
    after: Position | None = field(default=None, repr=False, compare=False)

    @property
    def is_certain_violation(self) -> bool:
        """Whether it counts for the exit code."""
        return self.status is Status.VIOLATION and self.certainty is Certainty.CERTAIN

    @property
    def doer(self) -> str:
        """Who did it: a player, as far as that is known."""
        return self.who or self.player or self.side or "?"

    @property
    def line(self) -> str:
        """What was done, in one line for people."""
        return self.told or self.what

    @property
    def how(self) -> str:
        """Whether it was only said `in words`, or done `in silence`; empty if it was announced."""
        return next((one for one in (IN_SILENCE, IN_WORDS) if self.what.startswith(f"{one}: ")), "")

    @property
    def ends_phase(self) -> bool:
        """Whether another phase began with it."""
        before, after = self.before, self.after
        if before is None or after is None:
            return False
        return (before.turn, before.phase) != (after.turn, after.phase)

    def to_json(self) -> dict[str, object]:
        """As JSON-able data, without what is empty."""
        document: dict[str, object] = {
            "steps": [self.first, self.last],
            "turn": self.turn,
            "phase": self.phase,
            "side": self.side,
            "player": self.player,
            "what": self.line,
            "announcement": self.announcement,
            "kind": self.kind,
            "status": self.status.value,
            "certainty": self.certainty.value,
            "violations": [violation.to_json() for violation in self.violations],
            "right": self.right,
            "result": self.result,
            "dice": list(self.dice),
            "hint": self.hint,
            "units": list(self.units),
            "path": list(self.path),
        }
        return {key: value for key, value in document.items() if value not in ("", [], ())}


@dataclass(frozen=True, slots=True)
class StepNote:
    """A note with the step of the log that it is about; 0 is the position at the start."""

    step: int
    note: Note

    def to_json(self) -> dict[str, object]:
        """As JSON-able data."""
        return {"step": self.step, **self.note.to_json()}


@dataclass(frozen=True, slots=True)
class CheckReport:
    """All about one file."""

    file: str
    kind: str
    bound: bool
    game: str = ""
    title: str = ""
    module: str = ""
    scenario: str = ""
    steps: int = 0
    undone: int = 0
    entries: tuple[Entry, ...] = ()
    notes: tuple[StepNote, ...] = ()
    dice: tuple[DiceStatistics, ...] = ()
    players: tuple[tuple[str, str], ...] = ()
    error: str = ""
    cut: bool = False
    position: Position | None = field(default=None, repr=False, compare=False)

    @property
    def violations(self) -> Iterator[Entry]:
        """The entries that break a rule, certain or likely."""
        return (entry for entry in self.entries if entry.status is Status.VIOLATION)

    @property
    def certain(self) -> int:
        """How many entries certainly break a rule."""
        return sum(entry.is_certain_violation for entry in self.entries)

    def by_player(self) -> dict[str, Counter[str]]:
        """For each player how many entries of each status."""
        found: dict[str, Counter[str]] = {}
        for entry in self.entries:
            found.setdefault(entry.doer, Counter())[entry.status.value] += 1
        return found

    def by_rule(self) -> dict[str, int]:
        """How often each rule was broken, the most often first."""
        count = Counter(
            rule
            for entry in self.violations
            for rule in dict.fromkeys(violation.rule for violation in entry.violations)
        )
        return dict(sorted(count.items(), key=lambda item: (-item[1], item[0])))

    def to_json(self) -> dict[str, object]:
        """As JSON-able data."""
        return {
            "file": self.file,
            "kind": self.kind,
            "bound": self.bound,
            **{
                key: value
                for key, value in (
                    ("game", self.game),
                    ("module", self.module),
                    ("scenario", self.scenario),
                    ("error", self.error),
                )
                if value
            },
            "steps": self.steps,
            "undone": self.undone,
            "certain": self.certain,
            "counts": dict(Counter(entry.status.value for entry in self.entries)),
            "players": {name: dict(counts) for name, counts in self.by_player().items()},
            "rules": self.by_rule(),
            "dice": [one.to_json() for one in self.dice],
            "notes": [note.to_json() for note in self.notes],
            "entries": [entry.to_json() for entry in self.entries],
        }
