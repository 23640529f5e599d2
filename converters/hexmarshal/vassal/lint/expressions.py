"""Checks of expressions: names in them that nothing has, and a condition that matches nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.vassal.components import Inventory
from hexmarshal.vassal.components.attributes import Expression, Format
from hexmarshal.vassal.lint.checks import Check, Found, Severity
from hexmarshal.vassal.lint.files import elsewhere
from hexmarshal.vassal.lint.subject import ModuleSubject, gathered
from hexmarshal.vassal.pieces.expression_fields import expressions_of
from hexmarshal.vassal.values.name_literals import name_literals

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.vassal.components import Component

__all__ = ["CHECKS"]

_KINDS: Final = {"maps": "map", "decks": "deck"}


def _unknown_name(subject: ModuleSubject) -> Iterator[Found]:
    there = {"maps": subject.maps.keys(), "decks": subject.decks}
    if any(not each.stock for each in subject.maps.values()):
        return  # code of the module's own may call its maps what it likes
    for what, users in gathered(_named(subject)).items():
        kind, _, name = what.partition(" ")
        if name not in there[kind]:
            message = f"an expression asks for the {_KINDS[kind]} {name!r}{elsewhere(users)}"
            yield subject.unresolved(users[0], message)


def _named(subject: ModuleSubject) -> Iterator[tuple[str, Component]]:
    """Every map and deck that an expression names, with the component that holds it."""
    for component in subject.components:
        for attribute in component.declared.values():
            if isinstance(attribute, Expression | Format):
                yield from _in(component.get(attribute.name), component)
    for use in subject.traits:
        for text in expressions_of(use.trait):
            yield from _in(text, use.component)


def _in(text: str, component: Component) -> Iterator[tuple[str, Component]]:
    for each in name_literals(text) if text else ():
        # Off all maps and in no deck a piece has the empty name, and `Map` may be spelt out.
        if each.kind in _KINDS and each.name.strip() and "$" not in each.name:
            yield f"{each.kind} {each.name}", component


def _empty_inventory(subject: ModuleSubject) -> Iterator[Found]:
    for component in subject.each(Inventory):
        if not component.get("include").strip():
            message = "the inventory has no condition, and without one it lists no piece"
            yield subject.found(component, message, field="include")


CHECKS: Final[tuple[Check[ModuleSubject], ...]] = (
    Check(
        "unknown-name",
        Severity.WARNING,
        "An expression compares with the name of a map or deck that is not there",
        "correct the name: hexmarshal edit renames what expressions name too",
        _unknown_name,
    ),
    Check(
        "empty-inventory",
        Severity.WARNING,
        "An inventory window has no condition and lists nothing",
        "write {true} to list every piece, or the condition that was meant",
        _empty_inventory,
    ),
)
