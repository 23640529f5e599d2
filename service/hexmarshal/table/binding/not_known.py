"""What nothing shows of a game by a binding: of that the referee knows only what is announced."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hexmarshal.rules.plugin import Game
    from hexmarshal.rules.state.position import Position
    from hexmarshal.table.binding import Binding

__all__ = ["not_known"]


def not_known(binding: Binding, game: Game, starts: Sequence[Position]) -> tuple[str, ...]:
    """A line for each kind of thing; `starts` are where the game's scenarios begin."""
    covered = {key for sign in binding.signs for key in sign.covers}
    covered |= {fact.key for rule in binding.markers for fact in rule.shows}
    values = {sign.value for sign in binding.signs if sign.value}
    values |= {name for of, name in covered if of == "value"}
    values |= {name for rule in binding.boxes for name in rule.values}
    numbers = {sign.number for sign in binding.signs}
    kinds = {rule.kind for rule in binding.markers}
    any_kind = any("{" in kind for kind in kinds)
    tracks = {rule.track for rule in binding.tracks}
    piles = {rule.pile for rule in binding.piles}
    units = [unit for start in starts for unit in start.units.values()]
    # What a unit has from the start stands on its counter; what it has only later shows in play.
    own = {name for unit in units for name in unit.values}
    lost = "steps lost" if any(unit.steps > 1 for unit in units) else ""
    faced = "facings" if any(unit.facing is not None for unit in units) else ""
    shown = {"steps" if number.startswith("steps") else number for number in numbers}
    shown |= {of for of, _ in covered}
    parts = (
        ("turn and phase", [] if binding.turn is not None else ["no turn tracker"]),
        ("whose go it is", [] if binding.turn or binding.active else ["no marker for it"]),
        (
            "units",
            [
                *([lost] if lost and "steps" not in shown else []),
                *([faced] if faced and "facing" not in shown else []),
            ],
        ),
        (
            "flags of units",
            [flag.key for flag in game.flags or () if ("flag", flag.key) not in covered],
        ),
        (
            "values of units",
            [one.name for one in game.attributes if one.name not in values | own],
        ),
        (
            "markers",
            [one.key for one in game.markers if one.key not in kinds and not any_kind],
        ),
        ("tracks", [one.key for one in game.tracks if one.key not in tracks]),
        ("boxes", [one.key for one in game.boxes if not _has_box(binding, one.key)]),
        ("piles", sorted({name for start in starts for name in start.piles} - piles)),
    )
    return tuple(_lines(parts))


def _has_box(binding: Binding, box: str) -> bool:
    return any(rule.can_be(box) for rule in binding.boxes)


def _lines(parts: Iterable[tuple[str, Sequence[str]]]) -> Iterator[str]:
    for title, names in parts:
        if names:
            yield f"{title}: {', '.join(names)}"
