"""A concealed unit shows itself of its own will."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.concealment.cover import place_hidden
from hexmarshal.games.asl.rules.concealment.cover import reveal as show
from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.verdict import Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.values import Value

__all__ = ["check_reveal", "nothing_listed", "reveal"]


def nothing_listed(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """To break of one's own will is always possible and hardly ever meant: it is not listed."""
    del now, action
    return () if slot == "unit" else None


def check_reveal(now: Situation, action: Action) -> Verdict:
    """ASL-ROUT-6: a concealed unit may show itself to interdict."""
    return Verdict.of(_reveal_faults(now, action))


def _reveal_faults(now: Situation, action: Action) -> Iterator[Violation]:
    unit = now.unit(action.text("unit"))
    if unit.side != action.side or not now.is_hidden(unit):
        text = f"{unit.id} is no concealed unit of yours"
        yield Violation("ASL-ROUT-6", text, units=(unit.id,))


def reveal(play: Play, action: Action) -> None:
    """ASL-ROUT-6, ASL-HIP-1a: it shows itself; a hidden unit is put under a "?" first."""
    name = action.text("unit")
    if play.position.unit(name).has(marks.HIDDEN):
        place_hidden(play, name, "of its own will")
    else:
        show(play, name, "of its own will", "ASL-ROUT-6")
