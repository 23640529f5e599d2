"""A page of help to look rules up in: every rule of the book by its section, in our words."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

from hexmarshal.referee.enhancing.additions import FOLDER, Addition, Outcome, Part
from hexmarshal.referee.report.markup import Html, element
from hexmarshal.rules.rulebook import Status
from hexmarshal.vassal.builder.windows import help_file
from hexmarshal.vassal.components import Documentation, HelpFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.referee.enhancing.additions import Bench
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.rulebook import Rule

__all__ = ["add_rules", "page"]

_ENTRY: Final = f"{FOLDER}rules.html"
_SAID: Final = {
    Status.IMPLEMENTED: "",
    Status.ADVISORY: "The referee does not judge it",
    Status.OUT_OF_SCOPE: "The referee does not know it",
}


def add_rules(bench: Bench) -> Iterator[Addition]:
    """Put the page into the help menu."""
    title = f"Rules of {bench.plugin.game.title}"
    what = f"help page {title!r} with {len(bench.plugin.rulebook)} rules"
    own = (one for one in bench.module.each(HelpFile) if one.get("fileName") == _ENTRY)
    outcome = bench.put(_ENTRY, page(bench.plugin, title))
    if next(own, None) is None:
        menu = bench.module.root.child(Documentation) or bench.module.root.add(Documentation)
        help_file(menu, title, _ENTRY)
        outcome = Outcome.ADDED
    yield Addition(Part.RULES, outcome, what)


def page(plugin: GamePlugin, title: str) -> bytes:
    """The page, with a list of chapters at its head."""
    chapters = [
        (chapter, list(rules)) for chapter, rules in groupby(plugin.rulebook.values(), key=_chapter)
    ]
    links = (
        element("li", element("a", f"{chapter}: {rules[0].title}", href=f"#c{number}"))
        for number, (chapter, rules) in enumerate(chapters)
    )
    parts: list[Html] = [
        element("h1", title),
        element("p", "Each rule in a sentence of our own; the numbers are the rulebook's."),
        element("ul", *links),
    ]
    for number, (chapter, rules) in enumerate(chapters):
        heading = f"{chapter}: {rules[0].title}"
        parts.append(element("h2", element("a", heading, name=f"c{number}")))
        parts += (_rule(rule) for rule in rules)
    head = element("head", element("title", title))
    return f"<html>{head}{element('body', *parts)}</html>\n".encode()


def _chapter(rule: Rule) -> str:
    return rule.section.partition(".")[0] or rule.section


def _rule(rule: Rule) -> Html:
    section = f"{rule.section} " if rule.section else ""
    told: list[object] = [element("b", f"{section}{rule.title}"), f" ({rule.id}). ", rule.text]
    if rule.reading:
        told.append(element("i", f" Read so: {rule.reading}"))
    if _SAID[rule.status]:
        why = f": {rule.why}" if rule.why else ""
        told.append(element("i", f" {_SAID[rule.status]}{why}."))
    return element("p", *told)
