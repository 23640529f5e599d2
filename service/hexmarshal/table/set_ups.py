"""Set-ups in a module that is being built: the starts of the plugin's scenarios on its table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.errors import Place, RulesError
from hexmarshal.rules import engine
from hexmarshal.table.placing import Placer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.table.binding import Binding
    from hexmarshal.table.placing.places import Point
    from hexmarshal.vassal.builder import ModuleBuilder, SetupBuilder
    from hexmarshal.vassal.commands.game import BoardChoice

__all__ = ["lay_set_up"]


def lay_set_up(
    setup: SetupBuilder,
    module: ModuleBuilder,
    binding: Binding,
    plugin: GamePlugin,
    scenario: str,
    boards: Mapping[str, tuple[BoardChoice, ...]] | None = None,
) -> Mapping[str, Sequence[Point]]:
    """Lay the start of a scenario out, as the plugin's own `setup` has it.

    A module that cannot show all of it is refused: its set-up would be another than the rules'.
    Without boards named, every map shows its own. Returns where on the map the units of each side
    lie.
    """
    position = engine.start(plugin, scenario)
    placer = Placer(module.build(), binding, plugin, position, boards)
    setup.state = placer.place(position)
    if placer.notes:
        first, *others = (note.text for note in placer.notes)
        raise RulesError(
            f"the module cannot show the scenario {scenario}: {first}",
            place=Place(unit=placer.notes[0].unit or None),
            hint="; ".join(others) or "add what is missing to the module or to its binding",
        )
    lying: dict[str, list[Point]] = {}
    for unit in position.units.values():
        where = placer.point(unit, position) if unit.cell else None
        if where is not None:
            lying.setdefault(unit.side, []).append(where[1])
    return lying
