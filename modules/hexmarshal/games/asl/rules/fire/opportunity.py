"""Opportunity fire: who waits in the prep fire phase fires later at full strength."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.concealment.loss import expose
from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.verdict import Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.values import Value

__all__ = ["candidates", "check", "wait"]

_SPENT = {marks.PREP_FIRE, marks.TI, marks.BROKEN, marks.OPPORTUNITY, marks.MELEE, marks.BERSERK}


def check(now: Situation, action: Action) -> Verdict:
    """ASL-OPP-1: infantry that has not fired and is not TI."""
    return Verdict.of(_faults(now, action))


def _faults(now: Situation, action: Action) -> Iterator[Violation]:
    unit = now.unit(action.text("unit"))
    if unit.side != action.side or not now.is_personnel(unit) or not unit.cell:
        yield Violation("ASL-OPP-1", f"{unit.id} is no infantry of yours", units=(unit.id,))
        return
    if action.side != now.phasing:
        yield Violation("ASL-OPP-1", f"{action.side} is not the ATTACKER")
    for flag, words in (
        (marks.PREP_FIRE, "has fired"),
        (marks.TI, "is TI"),
        (marks.BROKEN, "is broken"),
        (marks.MELEE, "is in melee"),
        (marks.OPPORTUNITY, "waits already"),
        (marks.BERSERK, "is berserk and will charge"),
    ):
        if unit.has(flag):
            yield Violation("ASL-OPP-1", f"{unit.id} {words}", units=(unit.id,))


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """Those who have done nothing yet."""
    if slot == "unit":
        return tuple(u.id for u in now.on_map(action.side) if not u.flags & _SPENT)
    return None


def wait(play: Play, action: Action) -> None:
    """ASL-OPP-1, ASL-CX-3: it is marked, and no longer CX."""
    name = action.text("unit")
    expose(play, (name,), "waits for opportunity fire", "ASL-CONL-2")
    if name not in play.position.units:
        return  # a dummy
    play.mark(name, marks.OPPORTUNITY)
    play.unmark(name, marks.CX)
