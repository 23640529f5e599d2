"""What is found in a log, as it is followed: deeds that were judged, and all else by reason."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.asl.vasl.logs.announcements import PhaseCall
    from hexmarshal.games.asl.vasl.logs.log_tables import ShownTable
    from hexmarshal.table.module_readers import TableDeed
    from hexmarshal.vassal.saves.log import Step

__all__ = ["LogFindings"]


@dataclass
class LogFindings:
    """Shared by those who follow moves and those who follow rolls."""

    deeds: list[TableDeed] = field(default_factory=list)
    left: Counter[str] = field(default_factory=Counter)
    """How often nothing is said of something, by the reason."""
    phase: PhaseCall | None = None
    start: ShownTable | None = None
    """The table as the phase began."""

    def common(
        self, what: str, kind: str, step: Step, *, first: int = 0, player: str = ""
    ) -> dict[str, Any]:
        """What every deed tells: what, when, and who."""
        return {
            "what": what,
            "kind": kind,
            "first": first or step.number,
            "last": step.number,
            "player": player or step.player or "",
            **self.when(),
        }

    def when(self) -> dict[str, Any]:
        """The turn and phase, if the log has told them."""
        if self.phase is None:
            return {}
        return {"turn": self.phase.turn, "phase": self.phase.phase, "side": self.phase.camp}

    def unjudged(self) -> Iterator[tuple[str, int]]:
        """What nothing is said of, and how often; the most frequent first."""
        yield from sorted(self.left.items(), key=lambda item: (-item[1], item[0]))
