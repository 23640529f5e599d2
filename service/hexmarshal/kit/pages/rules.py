"""A page to look rules up in: every rule of the book by its section, in our words."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

from hexmarshal.kit.pages.markup import Html, element
from hexmarshal.rules.rulebook import Status

if TYPE_CHECKING:
    from hexmarshal.rules.rulebook import Rule, Rulebook

__all__ = ["rules_page"]

_SAID: Final = {
    Status.IMPLEMENTED: "",
    Status.ADVISORY: "The referee does not judge it",
    Status.OUT_OF_SCOPE: "The referee does not know it",
}


def rules_page(rulebook: Rulebook, title: str) -> bytes:
    """The page, with a list of chapters at its head."""
    chapters = [
        (chapter, list(rules)) for chapter, rules in groupby(rulebook.values(), key=_chapter)
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
        said = f"{_SAID[rule.status]}: {rule.why}" if rule.why else _SAID[rule.status]
        told.append(element("i", f" {said.rstrip('.')}."))
    return element("p", *told)
