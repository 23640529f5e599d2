"""Set-ups: every scenario of the plugin, laid onto the module's own table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.rules import engine
from hexmarshal.table.binding import Binding
from hexmarshal.table.placing import write_save

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.kit.module.bench import Bench
    from hexmarshal.rules.plugin import ScenarioInfo
    from hexmarshal.table.reading import Note

__all__ = ["add_set_ups"]


def add_set_ups(bench: Bench, scenarios: tuple[ScenarioInfo, ...]) -> Iterator[tuple[str, Note]]:
    """Put a set-up of each scenario in; tells what the table of one does not show."""
    binding = Binding.load(bench.facts.document())
    for scenario in scenarios:
        position = engine.start(bench.plugin, scenario.key)
        saved, notes = write_save(bench.module.build(), binding, bench.plugin, position)
        bench.module.prepared(
            scenario.title or scenario.key, saved.to_bytes(), description=scenario.doc
        )
        yield from ((scenario.key, note) for note in notes)
