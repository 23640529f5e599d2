"""What the referee thinks at one moment of a log, and what it remembers for later."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hexmarshal.referee.check.findings import Entry
    from hexmarshal.referee.drags.drag_run import DragRun, Now
    from hexmarshal.referee.interpret.deed import Deed
    from hexmarshal.referee.interpret.log_dice import Throw
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Marker, Unit
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.verdict import Violation
    from hexmarshal.table.reading.bookkeeping import Item, Kept
    from hexmarshal.table.reading.sightings import UnitSighting
    from hexmarshal.table.reading.turn_tracker import Moment

__all__ = [
    "ACTING",
    "Ahead",
    "Anchor",
    "CARDS",
    "Done",
    "Due",
    "Fork",
    "Guess",
    "Late",
    "Marked",
    "Mind",
    "Otherwise",
    "Pending",
    "Revealed",
    "Rolled",
    "Sights",
    "TURNED_UP",
    "Unpaid",
]

ACTING: Final = ("marker", "acting")
"""The marker for whose go it is, among the books that players keep."""
CARDS: Final = ("pile", "cards")
"""That players move cards from pile to pile."""
TURNED_UP: Final = ("marker", "turned up")
"""That players turn up on the table what the rules turn up."""
# So many actions with draws are remembered but for the last one.
_DRAWS: Final = 3


@dataclass(frozen=True, slots=True)
class Pending:
    """An action whose dice the log has not shown yet; `entry` is its place in the list."""

    action: Action
    legal: bool
    entry: int
    unsaid: bool = False
    picks: tuple[int, ...] = ()


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
class Rolled:
    """The last action that dice were rolled for, with those dice, and which of them are `alike`."""

    entry: int
    throws: tuple[Throw, ...]
    alike: tuple[object, ...] = ()


class Otherwise(Enum):
    """In what way something may turn out to have been another thing than it was taken for."""

    NOT_DONE = "it was announced against the rules, and did not happen"
    NO_ANSWER = "the drag against the rules was no answer to what was asked"
    NOT_AFTER_SILENCE = "nothing was done in silence before the drag against the rules"
    NOT_SILENCE = "more was decided before the dice than silence says"
    SAID_LATER = "what silence was taken to say before an announcement is said otherwise after it"
    TOO_EARLY = "the drag against the rules waits for what others do next"
    OLD_DICE = "the dice before the announcement were not for it"
    EARLY_DICE = "the dice before the tracker moved were for the phase after it"
    LATE_RESULT = "what came of the dice before the tracker moved was shown after it"
    STILL_ASKED = "the tracker moved before all was answered that was asked"
    EXCHANGED = "what was changed was the first half of an exchange"
    TURNED = "the turn behind a move was no part of that"


@dataclass(frozen=True, slots=True)
class Fork:
    """The moment to go back to if what follows tells that something was another thing.

    `before` is that moment, and `after` what became of what was thought: once the game has gone on
    from there, nobody goes back. `again` does then what was done, as the other thing; `units` would
    show that it was done; there were so many `entries` then.
    """

    before: Mind
    after: Position | None = None
    units: tuple[str, ...] = ()
    again: Callable[[], bool] | None = None
    entries: int = 0


@dataclass(frozen=True, slots=True)
class Guess:
    """What nobody spoke of and left no trace was guessed; and the moment `before` it.

    The guess is the first `length` entries since; `throws` are the dice that were rolled since.
    """

    before: Mind
    length: int
    throws: tuple[Throw, ...] = ()


@dataclass(frozen=True, slots=True)
class Ahead:
    """A tracker that went on while something was still to be decided, or `early`: to be rolled.

    `chosen` is what the cards show of it that lay there then; `piles` is where they lay, if cards
    are what is chosen.
    """

    before: Moment | None
    moment: Moment
    now: Now
    early: bool = False
    chosen: tuple[Action, ...] = ()
    piles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Late:
    """A unit as it should have been when something else began, and the entry that says so.

    That was in a `step`. With other draws than were thought, what was `done` may come to something
    else. One that should be `marked` lacks what was to be laid on it.
    """

    unit: Unit | None
    entry: int
    told: Entry
    step: int
    done: Done | None = None
    marked: bool = False


@dataclass(frozen=True, slots=True)
class Unpaid:
    """What was asked, and nobody did before the game went on; he may do it later in the turn.

    `at` is how things stood then; `entry` is that of the dice it came of, as it was `before`, and
    `broken` what was told of that.
    """

    at: Position
    entry: int
    before: Entry
    broken: Violation | None = None


@dataclass(frozen=True, slots=True)
class Due:
    """Something in the books that table and rules keep otherwise; no entry: nothing asks for it.

    `last` is the entry by which the rules changed it last; `over`: a phase has ended since;
    `moved`: players have moved it since, and not to where the rules have it. `earlier` is what was
    due of it before, when the table showed `off` more than the rules have.
    """

    now: Now
    entry: int | None = None
    over: bool = False
    last: int | None = None
    moved: bool = field(default=False, compare=False)
    earlier: Due | None = field(default=None, compare=False)
    off: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Marked:
    """When a unit was marked, or by which entry it should be; `over`: a phase has ended since.

    `then` is how things stood by the rules before it was.
    """

    now: Now
    entry: int | None = None
    over: bool = False
    then: Position | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Revealed:
    """A unit of which the table shows what the rules leave open; `over`: a phase has ended since.

    `told` is in words what it shows.
    """

    unit: str
    now: Now
    told: str
    over: bool = False


def _markers(belief: Position) -> Mapping[str, Marker]:
    return belief.markers


@dataclass(slots=True)
class Sights:
    """What the table shows: units, the books, and the cells where pieces lie that nobody knows.

    `covered` are the sides whose counters nobody at the table can turn up: their seats are empty.
    `handed` is the last step in which the marker for whose go it is was moved, and `hands` are all
    such steps; `went` is for each card the step in which it came to the pile where it lies,
    `touched` for each pile the last step in which anything left it or came to it; `pile_names` says
    what players call a pile. Markers that were `left` behind when their unit was dragged on are
    still that unit's. Who has `fallen` lies on the map under a marker that says that he is gone.
    """

    units: dict[str, UnitSighting]
    books: dict[Item, Kept]
    strange: Callable[[], frozenset[str]] = frozenset
    piles: Callable[[], Mapping[str, tuple[str, ...]]] = dict
    markers: Callable[[Position], Mapping[str, Marker]] = _markers
    acting: Callable[[], str] = str
    covered: Callable[[], frozenset[str]] = frozenset
    pile_names: Mapping[str, str] = field(default_factory=dict)
    handed: int = 0
    hands: set[int] = field(default_factory=set)
    left: set[Item] = field(default_factory=set)
    went: dict[str, int] = field(default_factory=dict)
    touched: dict[str, int] = field(default_factory=dict)
    fallen: Callable[[], frozenset[str]] = frozenset

    def pile_title(self, pile: str) -> str:
        """A pile within a sentence."""
        return f"the {self.pile_names.get(pile) or pile}"


@dataclass(frozen=True, slots=True)
class Anchor:
    """The last moment when rules and table agreed, and what was touched on the table since.

    `cards` is the step when some went from pile to pile; `spoken`: something was announced, which
    tells better than any guess; `ignored` is what differed already then. `later` is the end of the
    last step that nothing explains, from where things may be explained again: as the rules have it,
    and without what they still ask; `goes` the same for the step when the go was `handed` over
    last; `origin` the moment before a guess of which something is still to come, that may tell
    better; `ways` are the cells through which units were dragged since; `touched` tells the step
    when a unit was changed first; `kept` are dice for something else. `aside` is the same anchor if
    drags against the rules, that are no part of what the dice were rolled for, were done before
    those.
    """

    before: Mind
    first: int = 0
    units: frozenset[str] = frozenset()
    items: frozenset[Item] = frozenset()
    throws: tuple[Throw, ...] = ()
    cards: int = 0
    spoken: bool = False
    ignored: frozenset[object] = frozenset()
    later: tuple[Anchor, ...] = ()
    goes: tuple[Anchor, ...] = ()
    handed: int = 0
    origin: Anchor | None = None
    ways: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    touched: Mapping[str, int] = field(default_factory=dict)
    kept: tuple[Throw, ...] = ()
    aside: Anchor | None = None

    @property
    def dice(self) -> tuple[Throw, ...]:
        """All that nothing has used yet: what lay there already, and what was rolled since."""
        return (*self.before.tray, *self.throws)


@dataclass(slots=True)
class Mind:
    """What the referee thinks at one moment; all of it comes back when a step is undone.

    `owed` are units that players still have to do on the table what the rules say came of an
    action, with its entry; `due` the same for the books. What was owed when something else
    began is `late`, and what was asked then is `unpaid`; who was `marked` before the rules do
    it may get it yet, and who was `revealed` may fight; a tracker that is `ahead` waits for
    what is still to be decided; units that were changed before the dice are `waiting` for
    those, and `losses` that came before the retreat for that. In `doubt`, findings are not
    certain. `kept` are the books that the players were seen to keep, `said` the kinds of all
    that was announced, `standing` what was wrong when the last phase ended, `unsaid` the
    entries of what was done in silence and `slight` what that would have left on the table;
    `told` is what was told of the books, with the step when they were changed; `step` is the
    last step of the log that was seen. Once something was `guessed` that nobody spoke of,
    nothing is certain any more; `guess` is the last of it that left no trace. `forks` are
    moments to go back to; `draws` are the last actions that had any; `by_books` is the entry of
    the last action, and the position before it with tracks and signs as players had them, where
    those were not as by the rules. `unseen` are markers that were drawn, and of which nothing on
    the table shows what they are.
    `unmarked` are units as they were by the rules when players forgot to mark them; `paid` are
    tracks with the steps in which they were moved, `paid_off` what was due of them until a
    step. `anchor` is from where what nobody announces is explained; `between` what a tracker
    shows that was moved to where there is no phase to the rules, which are in the next one
    already.
    """

    belief: Position
    entries: list[Entry] = field(default_factory=list)
    guessed: bool = False
    anchor: Anchor | None = None
    run: DragRun | None = None
    pending: Pending | None = None
    done: Done | None = None
    draws: tuple[Done, ...] = ()
    by_books: tuple[int, Position] | None = None
    rolled: Rolled | None = None
    guess: Guess | None = None
    forks: dict[Otherwise, Fork] = field(default_factory=dict)
    strayed: tuple[int, str] | None = None
    tray: tuple[Throw, ...] = ()
    owed: dict[str, int] = field(default_factory=dict)
    due: dict[Item, Due] = field(default_factory=dict)
    late: dict[str, Late] = field(default_factory=dict)
    unpaid: tuple[Unpaid, ...] = ()
    marked: dict[str, Marked] = field(default_factory=dict)
    revealed: tuple[Revealed, ...] = ()
    unmarked: dict[str, tuple[int, Unit]] = field(default_factory=dict)
    paid: dict[Item, tuple[int, ...]] = field(default_factory=dict)
    paid_off: dict[Item, tuple[int, Due]] = field(default_factory=dict)
    ahead: Ahead | None = None
    waiting: tuple[tuple[Deed, Now], ...] = ()
    losses: tuple[tuple[Deed, Now], ...] = ()
    kept: frozenset[tuple[str, str]] = frozenset()
    said: tuple[str, ...] = ()
    standing: frozenset[tuple[str, str]] = frozenset()
    unsaid: frozenset[int] = frozenset()
    slight: frozenset[str] = frozenset()
    told: frozenset[tuple[int, Item]] = frozenset()
    unseen: frozenset[str] = frozenset()
    step: int = 0
    doubt: bool = False
    between: str = ""

    def draw(self, done: Done) -> None:
        """An action was carried out: draws that it had may have come to something else."""
        self.done = done if done.counts else None
        if done.counts:
            earlier = [one for one in self.draws if one.entry < done.entry]
            self.draws = (*earlier[-_DRAWS:], done)

    def copy(self) -> Mind:
        """To be kept for an undo."""
        return replace(
            self,
            entries=self.entries.copy(),
            owed=self.owed.copy(),
            due=self.due.copy(),
            late=self.late.copy(),
            marked=self.marked.copy(),
            unmarked=self.unmarked.copy(),
            paid=self.paid.copy(),
            paid_off=self.paid_off.copy(),
            forks=self.forks.copy(),
        )
