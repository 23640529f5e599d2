"""A turn tracker with the phases of the game, in the order in which they are played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.enhancing.additions import Addition, Outcome, Part
from hexmarshal.rules import engine
from hexmarshal.rules.action import Action
from hexmarshal.table.binding.sections import END_PHASE
from hexmarshal.vassal.builder.turns import counts, lists, turn_tracker
from hexmarshal.vassal.components import TurnTracker

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.referee.enhancing.additions import Bench
    from hexmarshal.rules.plugin import Game, GamePlugin
    from hexmarshal.table.binding import TurnRule

__all__ = ["add_turns", "sequence_of_play"]

_TRACKER: Final = "Sequence of play"
_TURN, _PHASE = "Turn", "Phase"

# So many turns are played through to see which phases a turn has, in at most so many steps.
_TURNS, _STEPS = 3, 200

_Moment = tuple[str, tuple[str, ...]]


def add_turns(bench: Bench) -> Iterator[Addition]:
    """Add a tracker where there is none, and tell the binding what it shows."""
    trackers = {tracker.name: tracker for tracker in bench.module.each(TurnTracker)}
    rule = bench.binding.turn
    if rule is not None and rule.tracker in trackers:
        why = _unshown(bench.plugin, rule)
        yield Addition(Part.TURNS, Outcome.THERE, f"turn tracker {rule.tracker!r}", why)
        return
    if trackers and _TRACKER not in trackers:
        what = f"turn tracker {next(iter(trackers))!r}"
        why = "the binding does not say what it shows: `turn` in it"
        yield Addition(Part.TURNS, Outcome.THERE, what, why)
        return
    game = bench.plugin.game
    moments = sequence_of_play(bench.plugin)
    texts = _texts(game, moments)
    what = f"turn tracker {_TRACKER!r} with {len(texts)} phases"
    outcome = Outcome.THERE
    if _TRACKER not in trackers:
        made = turn_tracker(
            bench.module.root,
            _TRACKER,
            counts(_TURN),
            lists(_PHASE, *texts),
            show="$level1$: $level2$",
        )
        for key in ("hotkey", "nexthotkey"):
            chosen = made.get(key)
            made.set(key, "")
            made.set(key, bench.free_key(chosen))
        outcome = Outcome.ADDED
    phases = {
        text: {"phase": phase, **({"active": list(active)} if active else {})}
        for text, (phase, active) in texts.items()
    }
    bench.amend("turn", {"tracker": _TRACKER, "turn": _TURN, "levels": [_PHASE], "phases": phases})
    yield Addition(Part.TURNS, outcome, what)


def _unshown(plugin: GamePlugin, rule: TurnRule) -> str:
    """Which phases a tracker does not show.

    They are not put in: saves know a phase by its number in the list and would show another one,
    and whether one text serves for two phases of the rules is the maker's to decide.
    """
    shown = {one.phase for one in rule.phases.values() if one is not None}
    titles = {phase.key: phase.title or phase.key for phase in plugin.game.phases}
    played = dict.fromkeys(phase for phase, _ in sequence_of_play(plugin))
    missing = [titles.get(phase, phase) for phase in played if phase not in shown]
    if not missing:
        return ""
    return f"it shows no {', no '.join(missing)}; it stays as it is, for saves count its phases"


def _texts(game: Game, moments: list[_Moment]) -> dict[str, _Moment]:
    """What the tracker shows for each: the phase, and the side where others have the same one."""
    titles = {phase.key: phase.title or phase.key for phase in game.phases}
    sides = {side.key: side.title or side.key for side in game.sides}
    often = [phase for phase, _ in moments]
    found: dict[str, _Moment] = {}
    for phase, active in moments:
        text = titles.get(phase, phase)
        if often.count(phase) > 1 and active:
            text = f"{' and '.join(sides.get(side, side) for side in active)}: {text}"
        found.setdefault(text, (phase, active))
    return found


def sequence_of_play(plugin: GamePlugin) -> list[_Moment]:
    """The phases of a turn with the sides that act, as a game goes in which nobody does anything.

    If a game cannot be played so, the phases in the order in which the game declares them.
    """
    found: list[_Moment] = []
    for scenario in plugin.scenarios():
        _merge(found, _played(plugin, scenario.key))
    return found or [(p.key, p.sides if len(p.sides) == 1 else ()) for p in plugin.game.phases]


def _played(plugin: GamePlugin, scenario: str) -> list[_Moment]:
    turns: dict[int, list[_Moment]] = {}
    try:
        position = engine.start(plugin, scenario, seed=scenario)
        for _ in range(_STEPS):
            first = min(turns, default=position.turn)
            if position.turn >= first + _TURNS or engine.outcome(plugin, position) is not None:
                break
            here = turns.setdefault(position.turn, [])
            if (position.phase, position.active) not in here and not position.state:
                here.append((position.phase, position.active))
            action = Action(END_PHASE, position.active[0])
            position = engine.perform(plugin, position, action).position
        else:
            return []
    except (HexMarshalError, IndexError):
        return []
    whole = sorted(turns)[1:] or sorted(turns)
    found: list[_Moment] = []
    for turn in whole:
        _merge(found, turns[turn])
    return found


def _merge(into: list[_Moment], more: list[_Moment]) -> None:
    """Put what is new after what it came after."""
    at = 0
    for moment in more:
        if moment in into:
            at = into.index(moment) + 1
        else:
            into.insert(at, moment)
            at += 1
