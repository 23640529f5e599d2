"""Who ended a go, as our modules say it: `* Ivan (Soviet) has acted`, or that he passes."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, Final

from hexmarshal.vassal.saves.chat import ChatKind

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from hexmarshal.vassal.saves.log import Step
    from hexmarshal.vassal.saves.savegame import SavedGame

__all__ = ["EndedGoes"]

_SAYS: Final = r"\((?P<seat>[^()\[\]]*)\)(?: has acted\b|: \[{}\])"
_TWO: Final = 2


class EndedGoes:
    """Tells whose go it is after such a report, wherever the marker for it was put.

    Of two sides the other one may act then. Who plays both on one seat tells nothing by it.
    """

    def __init__(
        self,
        saved: SavedGame,
        seats: Mapping[str, str],
        playing: Collection[str],
        passing: str,
    ) -> None:
        """`seats` are those of the binding with their sides, `playing` the sides of this game.

        `passing` is how a pass is announced.
        """
        self._seats, self._playing = seats, frozenset(playing)
        self._says = re.compile(_SAYS.format(re.escape(passing)))
        said = {seats.get(unescape(one["seat"]), "") for one in self._says.finditer(saved.text)}
        self._tells = len(self._playing) == _TWO and self._playing <= said

    def next_after(self, step: Step) -> str:
        """The side that may act once the go is over that ends in a step; empty if none does."""
        for line in step.chat if self._tells else ():
            found = self._says.search(line.text) if line.kind is ChatKind.REPORT else None
            side = "" if found is None else self._seats.get(found["seat"], "")
            if side in self._playing:
                (other,) = self._playing - {side}
                return other
        return ""
