"""A page of help to look rules up in: every rule of the book by its section, in our words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.errors.counts import counted
from hexmarshal.kit.pages.rules import rules_page
from hexmarshal.referee.enhancing.additions import FOLDER, Addition, Outcome, Part
from hexmarshal.vassal.builder.windows import help_file
from hexmarshal.vassal.components import Documentation, HelpFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.referee.enhancing.additions import Bench

__all__ = ["add_rules"]

_ENTRY: Final = f"{FOLDER}rules.html"


def add_rules(bench: Bench) -> Iterator[Addition]:
    """Put the page into the help menu."""
    title = f"Rules of {bench.plugin.game.title}"
    what = f"help page {title!r} with {counted(len(bench.plugin.rulebook), 'rule')}"
    own = (one for one in bench.module.each(HelpFile) if one.get("fileName") == _ENTRY)
    outcome = bench.put(_ENTRY, rules_page(bench.plugin.rulebook, title))
    if next(own, None) is None:
        menu = bench.module.root.child(Documentation) or bench.module.root.add(Documentation)
        help_file(menu, title, _ENTRY)
        outcome = Outcome.ADDED
    yield Addition(Part.RULES, outcome, what)
