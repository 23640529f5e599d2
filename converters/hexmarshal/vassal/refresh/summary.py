"""A refresh in a few lines: what changed in how many pieces, which were left and why."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from hexmarshal.vassal.refresh.report import RefreshReport

__all__ = ["kept_by_reason", "kinds_of_change", "lost_by_trait"]

# A trait in words: its kind, what it is called, how often.
_TRAIT: Final = re.compile(r"(changed|new|gone): ([^'(]+?)(?: ['\"].*)?(?: \(\d+ times\))?")
_WORDS: Final = (("named ", "another name"), ("gpid ", "another gpid"))
_IDS: Final = re.compile(r"the gpid \S+?(?=,| |$)")


def kinds_of_change(report: RefreshReport) -> dict[str, int]:
    """Each kind of change with the number of pieces that it befell, commonest first."""
    counted: Counter[str] = Counter()
    for piece in report.pieces:
        counted.update({_kind(change) for change in piece.changes})
    return dict(sorted(counted.items(), key=lambda each: (-each[1], each[0])))


def kept_by_reason(report: RefreshReport) -> dict[str, list[str]]:
    """The pieces that were left as they were, by name, under the reason for it."""
    found: dict[str, list[str]] = defaultdict(list)
    for piece in report.pieces:
        if piece.kept:
            found[_IDS.sub("its gpid", piece.kept)].append(piece.name or piece.id)
    return dict(found)


def lost_by_trait(report: RefreshReport) -> dict[str, list[str]]:
    """The pieces whose state has no place any more, by name, under the trait that is gone."""
    found: dict[str, list[str]] = defaultdict(list)
    for piece in report.pieces:
        for lost in piece.lost:
            found[lost].append(piece.name or piece.id)
    return dict(found)


def _kind(change: str) -> str:
    trait = _TRAIT.fullmatch(change)
    if trait is not None:
        return f"{trait[1]}: {trait[2]}"
    return next((said for start, said in _WORDS if change.startswith(start)), change)
