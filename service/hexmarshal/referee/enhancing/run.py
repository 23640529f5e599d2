"""Does it all, in an order in which each addition finds what it builds on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

from hexmarshal.errors import UsageError
from hexmarshal.referee.enhancing.additions import (
    Addition,
    Bench,
    Enhancement,
    Outcome,
    Part,
)
from hexmarshal.referee.enhancing.charts import add_charts
from hexmarshal.referee.enhancing.lookup import add_rules
from hexmarshal.referee.enhancing.marks import add_marks
from hexmarshal.referee.enhancing.numbering import add_numbering
from hexmarshal.referee.enhancing.setups import add_setups
from hexmarshal.referee.enhancing.sights import add_thread
from hexmarshal.referee.enhancing.turns import add_turns
from hexmarshal.table.binding import ENTRY, Binding

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from hexmarshal.errors import Place
    from hexmarshal.referee.enhancing.setups import Setup
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.vassal.module import Module

__all__ = ["enhance"]


def enhance(
    module: Module,
    binding: bytes,
    place: Place,
    plugin: GamePlugin,
    *,
    without: Collection[Part] = (),
    numbering: Mapping[str, str] | None = None,
    setups: Sequence[Setup] | None = None,
) -> Enhancement:
    """Add to a module, in place, what it lacks; `binding` is the text of one, from `place`.

    Without `setups` every scenario of the game that the module has counters for becomes one.
    Doing it twice adds nothing the second time.
    """
    if module.archive is None or module.is_extension:
        raise UsageError("only a module (.vmod) can be enhanced", hint="not a bare build file")
    read = Binding.parse(binding, place)
    document: dict[str, Any] = yaml.safe_load(binding)
    bench = Bench(module, plugin, document, read)
    steps: dict[Part, Callable[[], Iterator[Addition]]] = {
        Part.NUMBERING: lambda: add_numbering(bench, numbering or {}),
        Part.LOS: lambda: add_thread(bench),
        Part.TURNS: lambda: add_turns(bench),
        Part.MARKS: lambda: add_marks(bench),
        Part.CHARTS: lambda: add_charts(bench),
        Part.RULES: lambda: add_rules(bench),
        Part.SETUPS: lambda: add_setups(bench, setups),
        Part.BINDING: lambda: _add_binding(bench, binding, document),
    }
    found = [*_strange(bench)]
    found += [one for part, add in steps.items() if part not in without for one in add()]
    return Enhancement(tuple(found))


def _strange(bench: Bench) -> Iterator[Addition]:
    """A warning where no counter of the module is one of the game's: it may be another's."""
    counters = bench.counters()
    if counters and all(one.known is None for one in counters):
        what = f"warning: a binding for {bench.plugin.game.title}"
        why = f"it knows no counter of {bench.module.name!r}; is that another game?"
        yield Addition(Part.BINDING, Outcome.LEFT_OUT, what, why)


def _add_binding(bench: Bench, text: bytes, document: dict[str, Any]) -> Iterator[Addition]:
    """Put the binding in: as it was written if it has not changed, comments and all."""
    if bench.document != document:
        dumped: str = yaml.safe_dump(bench.document, sort_keys=False, allow_unicode=True, width=96)
        text = dumped.encode()
    yield Addition(Part.BINDING, bench.put(ENTRY, text), ENTRY)
