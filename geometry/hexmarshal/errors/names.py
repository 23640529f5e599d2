"""The name that was meant: one hint for every command, file and call that knows names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["did_you_mean"]

_MOST: Final = 3
_LONGEST: Final = 200
# Names that are less alike than the best by more than this only distract from it.
_MARGIN: Final = 0.1
_SUFFIX: Final = re.compile(r"(?<=.)\.[a-z][a-z0-9]{1,4}$")


def did_you_mean(name: object, known: Iterable[str], otherwise: str = "") -> str:
    """A hint with the known names that are most like the one given; `otherwise` if none is.

    Upper and lower case do not count; a name that differs in nothing else is the only one named.
    Nor does the suffix of a file: "legend.png" is not like "sand.png" because both are pictures.
    """
    by_case: dict[str, str] = {}
    for one in known:
        by_case.setdefault(one.casefold(), one)
    near = [by_case[one] for one in _near(str(name).casefold(), by_case)]
    if not near:
        return otherwise
    *first, last = near
    return f"did you mean {', '.join(first)} or {last}?" if first else f"did you mean {last}?"


def _near(text: str, known: Iterable[str]) -> list[str]:
    from difflib import SequenceMatcher, get_close_matches

    if len(text) > _LONGEST:  # nobody meant a name by that, and to compare it takes long
        return []
    by_stem: dict[str, list[str]] = {}
    stem = _SUFFIX.sub("", text)
    for one in known:
        if one == text:
            return [one]
        by_stem.setdefault(_SUFFIX.sub("", one) if stem != text else one, []).append(one)
    found = get_close_matches(stem, by_stem, _MOST)
    # As `get_close_matches` compares them: which text comes first makes a difference.
    likeness = [SequenceMatcher(None, one, stem).ratio() for one in found]
    return [
        name
        for one, alike in zip(found, likeness, strict=True)
        if alike >= max(likeness) - _MARGIN and (alike == 1 or max(likeness) < 1)
        for name in by_stem[one]
    ][:_MOST]
