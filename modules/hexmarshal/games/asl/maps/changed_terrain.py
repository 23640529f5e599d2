"""Terrain of scenarios in the names of boards: `bd01@NoGrain`, `bd57@ovr-wd3-D4-C4`.

Names of VASL's terrain changes stand as they are; an overlay is named with the two hexes that it
lies on. What a board draws for scenarios of its own has the name that the board gives it.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from hexmarshal.errors import HexMarshalError, NotFoundError
from hexmarshal.vassal.container.archive import Archive
from hexmarshal.vassal.vasl.catalogue import SHARED_METADATA
from hexmarshal.vassal.vasl.overlays import (
    lay_picture,
    overlay_of,
    own_overlay,
    own_rules,
    palette_of,
)
from hexmarshal.vassal.vasl.terrain_changes import (
    known_changes,
    with_terrain_changes,
    without_effect,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hexmarshal.vassal.vasl.board import Board
    from hexmarshal.vassal.vasl.overlays import LaidPicture, Palette

__all__ = [
    "ChosenTerrain",
    "is_overlay",
    "laid_pictures",
    "overlay_word",
    "terrain_words",
    "with_terrain",
]

_OVERLAY: Final = re.compile(
    r"ovr-([A-Za-z0-9_.]{1,20})-([A-Za-z]{1,2}[0-9]{1,2})-([A-Za-z]{1,2}[0-9]{1,2})(-flat)?",
    re.IGNORECASE,
)
_MOST: Final = 40
"""So many changes has no scenario."""
_RULE: Final = re.compile(r"[A-Za-z0-9_.]{1,60}")


class ChosenTerrain(NamedTuple):
    """What of a board's changes can be made, as words of its name; and what not, with why."""

    words: tuple[str, ...]
    left: tuple[tuple[str, str], ...]


def is_overlay(word: str) -> tuple[str, str, str, bool] | None:
    """The overlay that a word of a board's name lays: name, two hexes, whether levels stay."""
    found = _OVERLAY.fullmatch(word)
    return None if found is None else (found[1], found[2], found[3], found[4] is not None)


def overlay_word(overlay: Sequence[str]) -> str:
    """An overlay of VASL's board command as a word; empty if it is none."""
    if len(overlay) < 3:
        return ""
    flat = "-flat" if len(overlay) > 3 and overlay[3].lower() == "true" else ""
    word = f"ovr-{overlay[0]}-{overlay[1]}-{overlay[2]}{flat}"
    return word if _OVERLAY.fullmatch(word) is not None else ""


def with_terrain(board: Board, words: Sequence[str]) -> Board | None:
    """A whole upright board with such changes; None if one of the words is none.

    Pictures are laid first: what a scenario makes of orchards, it makes of those of overlays, too.
    """
    pictures = laid_pictures(board, words)
    rules = [_canonical(word) for word in words]
    known = [rule for rule in rules if rule in known_changes()]
    if len(pictures) + len(known) != len(words):
        return None
    if pictures:
        palette = _colours(board)
        if palette is None:
            raise NotFoundError(
                "the colours of overlays are not known",
                hint=f"put VASL's {SHARED_METADATA} into the folder of boards",
            )
        for laid, levels in pictures:
            board = lay_picture(board, laid, palette, levels=levels)
    return with_terrain_changes(board, known)


def laid_pictures(board: Board, words: Iterable[str]) -> list[tuple[LaidPicture, bool]]:
    """The pictures that such words lay onto a board, and whether they change its levels."""
    found: list[tuple[LaidPicture, bool]] = []
    for word in words:
        if _canonical(word) in known_changes():
            continue
        overlay = is_overlay(word)
        path = Path(board.place.file) if board.place.file else None
        if overlay is not None and path is not None:
            name, first, second, flat = overlay
            found.append((overlay_of(path.parent, board, name, first, second), not flat))
        elif overlay is None and path is not None and path.is_file():
            own = own_overlay(Archive.open(path), word)
            found += [(own, True)] if own is not None else []
    return found


def terrain_words(
    board: Board, rules: Sequence[str], overlays: Sequence[Sequence[str]]
) -> ChosenTerrain:
    """The changes of VASL's board command that can be made to a board, and the others."""
    words: list[str] = []
    left: list[tuple[str, str]] = []
    for overlay in list(dict.fromkeys(tuple(one) for one in overlays))[:_MOST]:
        _choose(board, overlay_word(overlay), " ".join(overlay)[:80], words, left)
    path = Path(board.place.file) if board.place.file else None
    own = own_rules(Archive.open(path)) if rules and path is not None and path.is_file() else {}
    for rule in dict.fromkeys(rules):
        if without_effect(rule):
            continue
        if (rule in known_changes() or rule in own) and _RULE.fullmatch(rule) is not None:
            _choose(board, rule, rule, words, left)
        elif len(left) < _MOST:
            left.append((rule[:80], "no rule of ours"))
    return ChosenTerrain(tuple(words), tuple(left))


def _choose(
    board: Board, word: str, told: str, words: list[str], left: list[tuple[str, str]]
) -> None:
    try:
        fits = bool(word) and (word in known_changes() or bool(laid_pictures(board, [word])))
    except HexMarshalError as error:
        left.append((told, error.message))
        return
    if fits and word not in known_changes() and _colours(board) is None:
        left.append((told, f"{SHARED_METADATA} is not beside the boards"))
    elif fits:
        words.append(word)
    else:
        left.append((told, "no rule of ours"))


def _colours(board: Board) -> Palette | None:
    return palette_of(Path(board.place.file or "").parent, board.catalogue)


@cache
def _by_small_letters() -> dict[str, str]:
    return {name.lower(): name for name in known_changes()}


def _canonical(word: str) -> str:
    return _by_small_letters().get(word.lower(), word)
