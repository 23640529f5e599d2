"""What is wrong with something besides its time: the next phase would not make it right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.case.other_worlds import OtherWorlds
from hexmarshal.referee.interpret.deed import Deed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.drags.drag_run import DragRun
    from hexmarshal.referee.interpret.interpreter import Interpreter
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.verdict import Violation

__all__ = ["BesideItsTime"]


class BesideItsTime:
    """Looks at units brought onto the map out of phase as if that were done in the next one.

    Who is only early has broken no other rule; who could not come then either is told why.
    """

    def __init__(self, case: Case, interpreter: Interpreter, advance: str) -> None:
        """`advance` is the action that ends a phase."""
        self._case, self._interpreter = case, interpreter
        self._worlds = OtherWorlds(case, advance)

    def its_time(
        self,
        before: Position,
        action: Action,
        violations: Sequence[Violation],
        run: DragRun | None,
    ) -> tuple[Violation, ...]:
        """The rules that a drag breaks besides those of whose turn it is and when."""
        game = self._case.rules.game
        when = {game.turn_rule, *game.timing_rules}
        if run is None or before.state or not violations:
            return ()
        if any(violation.rule not in when for violation in violations):
            return ()
        if any(before.units[unit].cell for unit in run.units if unit in before.units):
            # Who is on the map need not be one who moves in that phase at all.
            return ()
        for there in self._worlds.in_next_phase(before):
            if action.side not in there.active or not self._interpreter.moves_in(there):
                continue
            shown = self._case.sights.units
            deeds = [Deed(unit, None, shown.get(unit), run.cells) for unit in run.units]
            try:
                judged = self._interpreter.judged(there, deeds)
            except HexMarshalError:
                continue
            if judged is None or not judged.sure:
                continue
            found = judged.verdict.violations
            return found if all(one.rule not in when for one in found) else ()
        return ()
