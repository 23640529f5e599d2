"""What the chat tells of a piece that a key has changed: what it is now, not which key it was.

The engine writes the mask's name of what is masked, and nothing at all of what nobody else sees.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.kit.module.pieces.traits import told
from hexmarshal.vassal.builder.counters import Equipped
from hexmarshal.vassal.traits import CalculatedProperty

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = [
    "heading", "tells_facing", "tells_level", "tells_name", "tells_sight", "tells_sign",
    "tells_value", "tells_words", "title_of",
]  # fmt: skip

_LINE: Final = "$location$: $newPieceName$"
_BEFORE: Final = "$location$: $oldPieceName$"
_COVERED: Final = "ObscuredToOthers == true"
_WINDS: Final = (
    "north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west",
)  # fmt: skip


def tells_words(name: str, cases: Mapping[str, str], line: str, *keys: str) -> tuple[Equipped, ...]:
    """A line with the word of the first case that holds, in the place of `{}`."""
    *some, last = cases.items()
    chosen = "".join(f'{holds} ? "{word}" : ' for holds, word in some)
    # Not in the line itself, where an expression would take a place 0615 for the number 615.
    word = CalculatedProperty(name=f"{name}Told", expression=f'{{{chosen}"{last[1]}"}}')
    return Equipped(word), told(f"{line.format(f'${name}Told$')} *", *keys)


def tells_level(name: str, words: Sequence[str], *keys: str) -> tuple[Equipped, ...]:
    """What each level of a layer means, of a piece by its name of before: that has no new sign."""
    cases = {f"{name}_Level == {level}": word for level, word in enumerate(words, 1)}
    return tells_words(name, cases, f"{_BEFORE}: {{}}", *keys)


def tells_sign(name: str, title: str, *keys: str) -> tuple[Equipped, ...]:
    """That a sign was put on, or taken off."""
    return tells_level(name, (f"{title} no more", title), *keys)


def tells_facing(count: int, *, covered: bool = False) -> tuple[Equipped, ...]:
    """Where a piece looks that was turned; nobody learns it of one that is `covered`."""
    hidden = {_COVERED: ""} if covered else {}
    cases = {f"Facing_Facing == {n + 1}": f" to {heading(n, count)}" for n in range(count)}
    return tells_words("Facing", {**hidden, **cases}, f"{_LINE} turns{{}}", "[", "]")


def heading(facing: int, count: int) -> str:
    """One of so many facings in words, counted from north to the right."""
    if count > len(_WINDS):
        return f"{360 * facing / count:g} degrees"
    return _WINDS[round(facing * len(_WINDS) / count)]


def tells_value(name: str, title: str, *keys: str, covered: bool = False) -> Equipped:
    """A number or a word that was changed; of a `covered` piece only that it was."""
    value = "" if covered else f" ${name}$"
    return told(f"{_LINE}: {title}{value} *", *keys)


def tells_name(key: str) -> Equipped:
    """That a piece is called otherwise."""
    return told("$location$: $oldPieceName$ is now $newPieceName$ *", key)


def tells_sight(name: str = "$BasicName$") -> tuple[Equipped, ...]:
    """That all see a piece no longer, or again: by its own name, as hidden ones have none."""
    cases = {"InvisibleToOthers == true": "goes out of sight", "": "comes into sight"}
    return tells_words("Sight", cases, f"$location$: {name} {{}}", "I")


def title_of(name: str) -> str:
    """A property's name in words: `GrenadesLeft` is `Grenades left`."""
    spaced = "".join(f" {c.lower()}" if c.isupper() else c for c in name[1:])
    return name[:1] + spaced
