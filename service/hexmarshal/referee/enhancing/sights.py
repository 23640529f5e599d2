"""A thread for lines of sight on the map that has none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.referee.enhancing.additions import Addition, Outcome, Part
from hexmarshal.vassal.builder.maps import los_thread
from hexmarshal.vassal.components import LosThread

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.referee.enhancing.additions import Bench

__all__ = ["add_thread"]

_KEY: Final = "76,715"


def add_thread(bench: Bench) -> Iterator[Addition]:
    """Put a thread on the map of the binding."""
    name = bench.binding.map.name
    what = f"line of sight thread on {name!r}"
    of_map = next((m for m in bench.module.maps() if m.name == name), None)
    if of_map is None:
        why = f"the module has no map {name!r}"
        yield Addition(Part.LOS, Outcome.LEFT_OUT, what, why)
    elif next(of_map.each(LosThread), None) is not None:
        yield Addition(Part.LOS, Outcome.THERE, what)
    else:
        los_thread(of_map, hotkey=bench.free_key(_KEY))
        yield Addition(Part.LOS, Outcome.ADDED, what)
