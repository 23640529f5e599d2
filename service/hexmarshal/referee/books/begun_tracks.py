"""Tracks that are moved for what is done on the table, before that is judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.case.mind import Due

__all__ = ["begins", "believe_paid"]


def begins(case: Case, due: Due, number: int) -> bool:
    """Whether a track was moved up for nothing, and what an entry shows is the first since then.

    So it is for who did that, and may be paid for it already.
    """
    mind, actions = case.mind, case.rules.game.actions
    done = (entry for at, entry in enumerate(mind.entries[:number]) if at not in mind.unsaid)
    done = (entry for entry in done if entry.kind in actions)
    raised = due.entry is None and due.off is not None and due.off > 0
    return raised and all(entry.last < due.now.step for entry in done)


def believe_paid(case: Case, number: int, since: int) -> None:
    """An entry was done against the rules: tracks moved up with it since a step are for it.

    What it costs nobody knows; and somebody was made ready for it, perhaps by the entry before.
    """
    mind = case.mind

    def is_for_it(due: Due) -> bool:
        if due.entry is None:
            return due.off is not None and due.off > 0
        return due.moved and due.entry == number - 1 and number - 1 in mind.unsaid

    paid = [item for item, due in mind.due.items() if item.of == "track" and is_for_it(due)]
    paid = [item for item in paid if any(step >= since for step in mind.paid.get(item, ()))]
    case.believe_items(paid)
    for item in paid:
        del mind.due[item]
