"""Tracks that are moved up for whoever is made ready, before anybody sees who that is."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.case.mind import Due

__all__ = ["begins"]


def begins(case: Case, due: Due, number: int) -> bool:
    """Whether a track was moved up for nothing, and what an entry shows is the first since then.

    So it is for who did that, and may be paid for it already.
    """
    mind, actions = case.mind, case.rules.game.actions
    done = (entry for at, entry in enumerate(mind.entries[:number]) if at not in mind.unsaid)
    done = (entry for entry in done if entry.kind in actions)
    raised = due.entry is None and due.off is not None and due.off > 0
    return raised and all(entry.last < due.now.step for entry in done)
