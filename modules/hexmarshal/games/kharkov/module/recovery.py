"""What the tracker does to units as it comes to a phase: they recover, headquarters wake up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.vassal.values import KeyStroke, ctrl

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hexmarshal.vassal.builder import ModuleBuilder

__all__ = ["add_keys"]

_SIDES: Final = {"A4": "soviet", "B4": "axis"}
# KHA-10.17: who was displaced is active again, and no longer displaced.
_RECOVERS: Final = (
    ("Disrupted_Level == 2", ctrl("U")),
    ("Displaced_Level == 2 && Active_Level == 1", ctrl("F")),
    ("Displaced_Level == 2", ctrl("B")),
)


def add_keys(module: ModuleBuilder, wakes: Mapping[str, int]) -> Iterator[tuple[str, KeyStroke]]:
    """Make the hot keys, and tell which the tracker presses where; `wakes` is army by turn.

    KHA-4.2.A4, KHA-4.2.B4: the units of a side recover in the disruption phase of their own.
    KHA-10.32 to KHA-10.34: Soviet headquarters become active by the turn.
    """
    for phase, side in _SIDES.items():
        for number, (state, pressed) in enumerate(_RECOVERS, 1):
            key = KeyStroke.named(f"recover {side} {number}")
            which = f'{{UnitSide == "{side}" && {state}}}'
            module.piece_key(f"Recovery of the {side} {number}", key, pressed, which)
            yield f'{{Phase.startsWith("{phase}")}}', key
    due = " || ".join(f'UnitId == "hq-{army}" && Turn >= {turn}' for army, turn in wakes.items())
    key = KeyStroke.named("wake headquarters")
    which = f"{{Active_Level == 1 && Displaced_Level == 1 && ({due})}}"
    module.piece_key("Headquarters of the turn", key, ctrl("F"), which)
    yield '{Phase.startsWith("A1")}', key
