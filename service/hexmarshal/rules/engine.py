"""The engine: the one way in which callers use a plugin, with what holds for every game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.errors import NotFoundError, Place, RulesError
from hexmarshal.errors.names import did_you_mean
from hexmarshal.rules.action import LONGEST
from hexmarshal.rules.choosing import choices
from hexmarshal.rules.choosing.chooser import Chooser
from hexmarshal.rules.choosing.seat import Seat
from hexmarshal.rules.copying import copied
from hexmarshal.rules.dice import Dice, Generator, NeedsDiceError
from hexmarshal.rules.secrecy.free_sight import SightNotFreeError, is_free
from hexmarshal.rules.state.references import missing
from hexmarshal.rules.state.view import NOBODY
from hexmarshal.rules.values import EMPTY, FieldError, Value
from hexmarshal.rules.verdict import IllegalActionError, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from hexmarshal.rules.action import Action, ActionType
    from hexmarshal.rules.choosing.choices import Begun, Choices
    from hexmarshal.rules.choosing.pages import OwnList
    from hexmarshal.rules.choosing.walk import Walk
    from hexmarshal.rules.dice import Given, RollRequest
    from hexmarshal.rules.plugin import GamePlugin, Offer
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Record
    from hexmarshal.rules.verdict import Answer, Applied, Outcome

__all__ = [
    "IllegalActionError",
    "ask",
    "check",
    "complete_options",
    "listing",
    "misplaced",
    "next_choices",
    "offers",
    "outcome",
    "perform",
    "perform_at_table",
    "silence",
    "start",
    "view",
    "walk",
]

OVER = "HM-over"


def start(
    plugin: GamePlugin,
    scenario: str = "",
    options: Mapping[str, object] | None = None,
    seed: str | int | None = None,
) -> Position:
    """The first position of a scenario, the first scenario if none is named."""
    known = {s.key: s for s in plugin.scenarios()}
    if not scenario:
        scenario = next(iter(known), "")
    if scenario not in known:
        raise NotFoundError(
            f"{plugin.game.title} has no scenario {scenario!r}",
            place=Place(field="scenario"),
            hint=did_you_mean(scenario, known, f"it has: {', '.join(known)}"),
        )
    generator = None if seed is None else Generator(str(seed))
    return plugin.setup(scenario, complete_options(plugin, options or {}), generator)


def complete_options(plugin: GamePlugin, options: Mapping[str, object]) -> Mapping[str, Value]:
    """The switches of a game: those given, checked, and the defaults of the others."""
    declared = {option.param.name: option for option in plugin.game.options}
    found: dict[str, Value] = {name: option.default for name, option in declared.items()}
    try:
        for name, value in options.items():
            if name not in declared:
                known = ", ".join(declared) or "none"
                raise FieldError(f"no such option; known: {known}", name)
            try:
                found[name] = declared[name].param.decode(value)
            except FieldError as error:
                raise error.under(name) from None
    except FieldError as error:
        raise error.under("options").as_error("the options") from None
    return found


def view(plugin: GamePlugin, position: Position, side: str) -> Position:
    """The position as this side knows it; a view already taken for this side is returned as is."""
    if position.viewer:
        if position.viewer != side:
            raise RulesError(
                f"this is the view of {position.viewer}, not of {side}", place=Place(field="viewer")
            )
        return position
    if side not in position.sides:
        known = ", ".join(position.sides)
        raise RulesError(f"no side {side!r}; the sides are: {known}", place=Place(field="side"))
    return position.remember(f"view of {side}", lambda: plugin.view(position, side))


def seen(plugin: GamePlugin, position: Position, side: str) -> Position:
    """The position as a side knows it, or as NOBODY does, who looks on and plays no side."""
    if side != NOBODY or position.viewer:
        return view(plugin, position, side)
    return position.remember("view of nobody", lambda: plugin.view(position, NOBODY))


def check(plugin: GamePlugin, position: Position, action: Action) -> Verdict:
    """Whether the action is legal as far as its side can know; all violations with their places.

    A unit, cell or card that the side cannot know of is the same error as one that is not there.
    """
    kind = plugin.game.actions.get(action.kind)
    if kind is None:
        _of_game(plugin, position)
        raise RulesError(
            f"no action {action.kind!r}",
            place=Place(field="kind"),
            hint=did_you_mean(action.kind, plugin.game.actions),
        )
    seat = _seat(plugin, position, action.side)
    _require(seat.missing(kind, action.params), seat.known)
    verdict = seat.chooser.judge(action)
    if not seat.may_take(kind):
        general = _why_not_now(position, seat, kind)
        own = (v for v in verdict.violations if v.rule != plugin.game.turn_rule)
        verdict = copied(verdict, violations=(*general, *own))
    return _placed(plugin, verdict)


def perform(
    plugin: GamePlugin, position: Position, action: Action, dice: Dice | None = None
) -> Applied:
    """Do the action; an illegal one raises. Without dice the game's own generator rolls.

    Where given values run out, NeedsDiceError tells which roll is asked for next: the same action
    with its values behind the others goes on from there, because all of it is pure.
    """
    if position.viewer:
        raise RulesError(
            "only the whole position can be played on, not one side's view of it",
            place=Place(field="viewer"),
        )
    verdict = check(plugin, position, action)
    if not verdict.legal:
        raise IllegalActionError(verdict)
    tray = dice if dice is not None else Dice(position.generator)
    applied = plugin.apply(position, action, tray)
    tray.finish()
    if tray.rolls and plugin.game.actions[action.kind].sealed is not None:
        # Dice are seen by all, and the next ones would be others than without the sealed action.
        raise RulesError(f"{action.kind} is sealed and rolled dice: a fault of the plugin")
    after = applied.position
    if tray.generator is not None and after.generator != tray.generator:
        after = copied(after, generator=tray.generator)
    return copied(applied, position=after, rolls=tuple(tray.rolls))


def perform_at_table(
    plugin: GamePlugin,
    position: Position,
    action: Action,
    table: Callable[[RollRequest], Sequence[int | Given]],
) -> Applied:
    """Do the action with dice that are rolled when the rules ask for them, roll by roll."""
    dice: list[int | Given] = []
    picks: list[int | Given] = []
    while True:
        try:
            return perform(plugin, position, action, Dice(given=dice, picks=picks))
        except NeedsDiceError as error:
            rolled = table(error.request)
            if not rolled:
                raise
            (picks if error.request.pick else dice).extend(rolled)


def offers(
    plugin: GamePlugin,
    position: Position,
    side: str,
    kinds: Collection[str] = (),
    held: Record = EMPTY,
) -> Iterator[Offer]:
    """Every legal action of this side, or those of some kinds and with these values, lazily.

    When it is not its turn, there are those alone that may be taken at any time; when the game is
    over, there are none.
    """
    stops = listing(plugin, position, side, kinds, held).stops()
    return (stop.offer for stop in stops if stop.offer is not None)


def listing(
    plugin: GamePlugin,
    position: Position,
    side: str,
    kinds: Collection[str] = (),
    held: Record = EMPTY,
) -> Walk | OwnList:
    """The same as a list that can be left at any place and taken up again."""
    from hexmarshal.rules.choosing.pages import OwnList
    from hexmarshal.rules.choosing.walk import Walk, holds

    known = view(plugin, position, side)
    here = [
        kind.name
        for kind in plugin.game.actions.placed(known.phase, known.state)
        if (not kinds or kind.name in kinds) and (kind.anytime or side in known.active)
    ]
    if not here or outcome(plugin, position) is not None:
        return Walk(Chooser(plugin, known, side), ())
    if plugin.lists_actions:
        everything = not kinds and side in known.active

        def own() -> Iterator[Offer]:
            every = plugin.actions(known, side) if everything else None
            found = plugin.actions_of(known, side, here) if every is None else every
            return (offer for offer in found if holds(offer.action, held)) if held else iter(found)

        return OwnList(own)
    return walk(plugin, known, side, here, held)


def next_choices(
    plugin: GamePlugin,
    position: Position,
    side: str,
    begun: Begun | None = None,
    *,
    reasons: bool = False,
) -> Choices:
    """What this side may choose next for an action that it has begun: its kind, then slot by slot.

    As far as the side can know. With `reasons`, what is left out is told too, and why.
    """
    seat = _seat(plugin, position, side)
    if begun is None or not begun.kind:
        return choices.kinds(
            seat.chooser,
            plugin.game.actions,
            lambda kind: () if seat.may_take(kind) else _why_not_now(position, seat, kind),
            reasons=reasons,
        )
    kind = plugin.game.actions[begun.kind]
    if begun.params:
        _require(seat.missing(kind, begun.params), seat.known)
    out = () if seat.may_take(kind) else tuple(_why_not_now(position, seat, kind))
    return choices.choices(seat.chooser, kind, begun, out, reasons=reasons)


def walk(
    plugin: GamePlugin,
    position: Position,
    side: str,
    kinds: Collection[str] = (),
    held: Record = EMPTY,
) -> Walk:
    """The walk over all that this side may choose, of every kind or of some."""
    from hexmarshal.rules.choosing.walk import Walk

    known = view(plugin, position, side)
    here = plugin.game.actions.placed(known.phase, known.state)
    if kinds:
        here = tuple(kind for kind in here if kind.name in kinds)
    return Walk(Chooser(plugin, known, side), here, held)


def ask(
    plugin: GamePlugin, position: Position, name: str, params: Record, side: str = ""
) -> Answer:
    """The answer to a query: of the whole truth, or, with a side, of what that side knows.

    A query about an action that the rules forbid raises IllegalActionError with the verdict.
    """
    _of_game(plugin, position)
    known = view(plugin, position, side) if side else position
    asked = plugin.game.queries.require(name)
    if asked.by_sight and not is_free(plugin, known):
        raise SightNotFreeError(
            f"in this game nobody checks sight before declaring: {name} is not answered",
            place=Place(field="name"),
            hint="declare the action; a referee may ask, and so may all when the game is over",
        )
    _require(missing(plugin, known, asked, params, side), known)
    try:
        return plugin.query(known, name, params)
    except IllegalActionError as error:
        raise IllegalActionError(_placed(plugin, error.verdict)) from None


def silence(plugin: GamePlugin, position: Position, side: str) -> Action | None:
    """What is done for a side that says nothing to what it is asked; None if it must answer.

    None too where nobody asks it. The referee, standing orders and clocks all mean this action.
    """
    known = view(plugin, position, side)
    frame = known.asked(side)
    if frame is None or not frame.asks(side) or outcome(plugin, position) is not None:
        return None
    return plugin.silence(known, frame, side)


def outcome(plugin: GamePlugin, position: Position) -> Outcome | None:
    """How the game ended; None while it goes on."""
    return position.remember("how it ended", lambda: plugin.outcome(position))


def _of_game(plugin: GamePlugin, position: Position) -> None:
    if position.game != plugin.game.key:
        raise RulesError(
            f"a position of {position.game!r}, not of {plugin.game.key!r}",
            place=Place(field="game"),
        )


def _seat(plugin: GamePlugin, position: Position, side: str) -> Seat:
    """What holds for all actions of a side on this position, worked out once."""
    seats: dict[str, Seat] = position.remember("seats", dict)
    found = seats.get(side)
    if found is None or found.plugin is not plugin:
        _of_game(plugin, position)
        known = view(plugin, position, side)
        over = outcome(plugin, position) is not None
        found = seats[side] = Seat(plugin, known, side, over=over)
    return found


def _why_not_now(position: Position, seat: Seat, kind: ActionType) -> Iterator[Violation]:
    """What holds for every game, told by what the side knows: frames may be hidden from it."""
    plugin, known, side = seat.plugin, seat.known, seat.side
    if outcome(plugin, position) is not None:
        yield Violation(OVER, "the game is over")
    if side not in known.active and not kind.anytime:
        named = {one.key: one.title or one.key for one in plugin.game.sides}
        acting = " and ".join(named.get(one, one) for one in known.active) or "nobody"
        text = f"it is not {named.get(side, side)}'s turn: {acting} may act"
        yield Violation(plugin.game.turn_rule, text)
    yield from misplaced(plugin, known, kind)


def misplaced(plugin: GamePlugin, known: Position, kind: ActionType) -> Iterator[Violation]:
    """Why an action of this kind does not belong in this phase, or to this decision."""
    if kind.fits(known.phase, known.state):
        return
    game = plugin.game
    if kind.phases and known.phase not in kind.phases:
        named = {phase.key: phase.title or phase.key for phase in game.phases}
        where = " or ".join(named.get(phase, phase) for phase in kind.phases)
        here = named.get(known.phase, known.phase)
        yield Violation(game.turn_rule, f"{kind.title} belongs in {where}, and this is {here}")
    elif known.state:
        frame = game.frames.get(known.state)
        asked = {state.key: state.title for state in game.states}.get(known.state, known.state)
        now = frame.title if frame is not None else asked
        yield Violation(game.turn_rule, f"{kind.title} is not what is asked for now: {now}")
    else:
        yield Violation(game.turn_rule, f"{kind.title} is not what is asked for now")


def _placed(plugin: GamePlugin, verdict: Verdict) -> Verdict:
    """With each violation's place in the rulebook filled in."""
    if not verdict.violations and not verdict.notes:
        return verdict
    placed = plugin.rulebook.placed
    return Verdict(placed(verdict.violations), verdict.cost, placed(verdict.notes))


def _require(missing: Iterable[tuple[str, str, str]], known: Position) -> None:
    """Everything named must be there; what was meant is told by what the side knows."""
    for what, name, field in missing:
        raise RulesError(
            f"no {what} {name[:LONGEST]!r}",
            place=Place(field=field),
            hint=_meant(what, name, known),
        )


def _meant(what: str, name: str, known: Position) -> str:
    if what == "cell":
        there = next((unit.cell for unit in known.units.values() if unit.cell), "")
        return f"cells are named as the map prints them, such as {there}" if there else ""
    names: dict[str, Iterable[str]] = {
        "unit": known.units,
        "marker": known.markers,
        "side": known.sides,
    }
    return did_you_mean(name, names.get(what, ()))
