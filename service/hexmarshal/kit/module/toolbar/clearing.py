"""What a button or the tracker takes off the table at once: tokens and signs of a turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.kit.module.pieces.tones import toned
from hexmarshal.vassal.values import KeyStroke

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hexmarshal.kit.module.plan import Plan
    from hexmarshal.kit.module.workbench import Bench
    from hexmarshal.vassal.builder import ModuleBuilder

__all__ = ["add_clearing"]


def add_clearing(bench: Bench, plan: Plan) -> Iterator[str]:
    """Make the buttons, whose names these are, and tell the tracker what goes in which phase."""
    for name, gone in plan.cleared.items():
        keys = _keys(bench.module, name, gone)
        button = f"(take off {name})"
        report = toned(bench.tones, f" takes off {name}")
        bench.module.action_button(button, report=report, keys=keys)
        yield button
    for phase, gone in plan.cleared_in.items():
        for key in _keys(bench.module, phase, gone):
            bench.phase_keys.append((phase, key))


def _keys(module: ModuleBuilder, name: str, gone: Mapping[str, KeyStroke]) -> list[KeyStroke]:
    made = []
    for number, (which, pressed) in enumerate(gone.items(), 1):
        key = KeyStroke.named(f"clear {name} {number}")
        module.piece_key(f"{name} {number}", key, pressed, f"{{{which}}}", quiet=True)
        made.append(key)
    return made
