"""Commissars: who is made one, how they rally, and what becomes of those who will not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.games.asl.rules.morale import casualties
from hexmarshal.games.asl.rules.quality.substitution import lower
from hexmarshal.games.asl.state.units.traits import is_commissar
from hexmarshal.rules.state.effects import ChangeUnit
from hexmarshal.rules.verdict import Resolution, Step, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.values import Value

__all__ = ["appoint", "candidates", "check_appoint", "punish"]

_APPOINTED: Final = {"leader_8-0": "commissar_9-0", "leader_8-1": "commissar_10-0"}
_LAST: Final = 194210


def punish(play: Play, name: str) -> None:
    """ASL-NAT-COM: who fails to rally is replaced, else reduced; who is a half-squad is shot."""
    now = play.now
    unit = now.unit(name)
    below = lower(now, unit)
    if below:
        play.do(ChangeUnit(name, type=below))
        result, told = "replaced", f"{now.named(unit)} becomes {below}"
    elif now.counter(unit).kind == "squad":
        result, told = "reduced", f"{now.named(unit)} loses men"
    else:
        result, told = "eliminated", f"{now.named(unit)} is lost"
    play.decide(Resolution("commissar", result, steps=(Step(told, "ASL-NAT-COM"),)))
    if result == "reduced":
        casualties.reduce(play, name)
    elif result == "eliminated":
        casualties.eliminate(play, name)


def check_appoint(now: Situation, action: Action) -> Verdict:
    """ASL-NAT-COM: in the first rally phase, before October 1942, while they are few."""
    return Verdict.of(_appoint_faults(now, action))


def _appoint_faults(now: Situation, action: Action) -> Iterator[Violation]:
    unit = now.unit(action.text("unit"))
    if unit.side != action.side or unit.type not in _APPOINTED:
        text = f"{unit.id} is neither an 8-0 nor an 8-1 of yours"
        yield Violation("ASL-NAT-COM", text, units=(unit.id,))
    elif now.nation(unit) not in ("russian", "partisan"):
        yield Violation("ASL-NAT-COM", f"{unit.id} is no Russian", units=(unit.id,))
    date = now.option("date")
    if not isinstance(date, int) or not 0 < date < _LAST:
        yield Violation("ASL-NAT-COM", "commissars are appointed before October 1942 alone")
    if now.position.turn > 1 or now.position.extras.get("rallies_begun") is True:
        yield Violation("ASL-NAT-COM", "the scenario has begun")
    leaders = [one for one in now.position.of_side(action.side) if now.is_leader(one)]
    named = sum(is_commissar(now, one) for one in leaders)
    if 2 * named > len(leaders):
        text = f"there are {named} commissars and {len(leaders) - named} leaders"
        yield Violation("ASL-NAT-COM", text)


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """The leaders who may be commissars."""
    if slot != "unit":
        return None
    date = now.option("date")
    if not isinstance(date, int) or not 0 < date < _LAST or now.position.turn > 1:
        return ()
    return tuple(one.id for one in now.position.of_side(action.side) if one.type in _APPOINTED)


def appoint(play: Play, action: Action) -> None:
    """ASL-NAT-COM: an 8-0 is a 9-0 commissar, an 8-1 a 10-0."""
    unit = play.position.unit(action.text("unit"))
    play.do(ChangeUnit(unit.id, type=_APPOINTED[unit.type]))
