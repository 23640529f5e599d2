"""Set-ups: every scenario of the plugin, laid onto the module's own table."""

from __future__ import annotations

from itertools import chain
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import Place
from hexmarshal.errors.counts import counted
from hexmarshal.kit.module.opening_view import turn_view
from hexmarshal.table.binding import ENTRY, Binding
from hexmarshal.table.set_ups import lay_set_up

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from hexmarshal.rules.plugin import GamePlugin, ScenarioInfo
    from hexmarshal.vassal.builder import ModuleBuilder, SetupBuilder
    from hexmarshal.vassal.commands.game import BoardChoice

    Boards = Mapping[str, tuple[BoardChoice, ...]]
    Notes = Callable[[ScenarioInfo], Iterable[str]]

__all__ = ["add_set_ups", "fitted"]

_LINE: Final = 72


def add_set_ups(
    module: ModuleBuilder,
    plugin: GamePlugin,
    binding: bytes,
    scenarios: Iterable[ScenarioInfo],
    *,
    menu: Callable[[ScenarioInfo], str] | None = None,
    boards: Callable[[ScenarioInfo], Boards | None] | None = None,
    more: Callable[[ScenarioInfo, SetupBuilder], None] | None = None,
    beside: Callable[[ScenarioInfo], int] | None = None,
    notes: Notes | None = None,
) -> None:
    """Put the binding in, and a set-up of each scenario: in a menu, on its boards, with more.

    `beside` tells how much of what lies at the right of the board shall be in view at first,
    `notes` what else players must know of a scenario, line by line.
    """
    module.file(ENTRY, binding)
    table = Binding.parse(binding, Place(entry=ENTRY))
    for scenario in scenarios:
        setup = module.setup(
            scenario.title or scenario.key,
            menu=menu(scenario) if menu else "",
            description=scenario.doc,
        )
        chosen = boards(scenario) if boards else None
        lying = lay_set_up(setup, module, table, plugin, scenario.key, chosen)
        turn_view(setup.state, lying, beside=beside(scenario) if beside else None)
        lines = "\n".join(notes(scenario)) if notes else ""
        setup.state.notes.scenario = _about(scenario, lines.strip())
        if more:
            more(scenario, setup)
        setup.save()


def _about(scenario: ScenarioInfo, more: str) -> str:
    """What players read in the window of notes."""
    length = counted(scenario.turns, "turn") if scenario.turns else ""
    whole = filter(None, (scenario.title or scenario.key, scenario.doc, length, more))
    return fitted("\n\n".join(whole))


def fitted(text: str) -> str:
    """A text for the window of notes, which breaks no lines by itself."""
    lines = (
        wrap(line, _LINE, subsequent_indent="  ", break_long_words=False) or [""]
        for line in text.split("\n")
    )
    return "\n".join(chain.from_iterable(lines))
