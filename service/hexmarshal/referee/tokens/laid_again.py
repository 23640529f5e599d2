"""Tokens that nobody at the table can take off: where they still lie, they are laid again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError
from hexmarshal.rules.action import ParamType

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.drags.drag_run import Now
    from hexmarshal.referee.judge.action_runner import ActionRunner
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.game import Game
    from hexmarshal.rules.state.pieces import Marker

__all__ = ["LaidAgain", "laying"]


def laying(game: Game, kinds: Sequence[str], marker: Marker) -> Iterator[Action]:
    """The actions of some kinds by which a marker is laid on the unit that it lies on."""
    for name in kinds:
        params: dict[str, object] = {}
        for param in game.actions[name].params:
            is_unit = param.type is ParamType.UNIT and param.required
            params |= {param.name: marker.unit} if is_unit else {}
            params |= {key: value for key, value in marker.values.items() if key == param.name}
        try:
            yield game.actions.make(name, marker.side, **params)
        except HexMarshalError:
            continue


class LaidAgain:
    """Reads tokens of an empty seat: the rules have taken them off, and they serve once more.

    Whoever sits on the other seat cannot touch them, and plays on with them as they lie.
    """

    def __init__(self, case: Case, runner: ActionRunner, kinds: Sequence[str]) -> None:
        """`kinds` are the actions that laying a token is."""
        self._case, self._runner, self._kinds = case, runner, tuple(kinds)

    def read(self, now: Now) -> None:
        """The tracker goes on: lay in silence what still lies there, as far as that is right."""
        case, game = self._case, self._case.rules.game
        here = case.mind.belief
        asked = any(game.actions[name].fits(here.phase, here.state) for name in self._kinds)
        stuck = case.sights.covered() if asked and case.mind.pending is None else frozenset()
        markers = case.sights.markers(here).values() if stuck else ()
        for marker in markers:
            if marker.side not in stuck or not marker.unit:
                continue
            for action in laying(game, self._kinds, marker):
                if self._is_legal(action):
                    what = case.in_silence(action)
                    self._runner.begin(action, now, now.step, what, unsaid=True)
                    break

    def _is_legal(self, action: Action) -> bool:
        try:
            return self._case.rules.check(self._case.mind.belief, action).legal
        except HexMarshalError:
            return False
