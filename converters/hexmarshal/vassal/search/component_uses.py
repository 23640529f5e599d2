"""Every name that a component of a build file holds of something else, with its part there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hexmarshal.vassal.components import (
    DeckSendKeyCommand,
    DrawPile,
    Map,
    PrototypeDefinition,
)
from hexmarshal.vassal.components.attributes import (
    Expression,
    Format,
    Image,
    Key,
    Keys,
    Target,
)
from hexmarshal.vassal.components.base import STOCK
from hexmarshal.vassal.search.trait_uses import expression_uses, target_uses
from hexmarshal.vassal.search.uses import Use, key_uses
from hexmarshal.vassal.values import (
    GlobalCommandTarget,
    KeyStroke,
    KeyStrokes,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.vassal.components import Component
    from hexmarshal.vassal.components.attributes import Attribute

__all__ = ["SILENT", "component_uses", "may_use"]

# Attributes that send their key to pieces or to the whole module; the others listen.
_SENDS: Final = {
    "GlobalKeyCommand": ("hotkey",),
    "MassKeyCommand": ("hotkey",),
    "StartupGlobalKeyCommand": ("hotkey", "globalHotkey"),
    "DeckGlobalKeyCommand": ("hotkey",),
    "DrawPile": ("emptyHotkey",),
    "TurnGlobalHotkey": ("hotkey",),
    "BooleanScenarioProperty": ("hotkey",),
    "StringScenarioProperty": ("hotkey",),
    "NumberScenarioProperty": ("hotkey",),
    "ListScenarioProperty": ("hotkey",),
}
_ALWAYS_SENT: Final = ("moveKey", "hotkeys", "preLoopKey", "postLoopKey")
_PROPERTIES: Final = {
    "propertyGate": "reads",
    "indexProperty": "sets",
    "highlightProperty": "reads",
    "selectSortProperty": "reads",
}
# Components that give a property its value, by the attribute that names it.
_DEFINES: Final = {
    "GlobalProperty": "name",
    "GlobalTranslatableMessage": "name",
    "ZoneProperty": "name",
    "CounterTurnLevel": "property",
    "ListTurnLevel": "property",
    "BooleanScenarioProperty": "name",
    "StringScenarioProperty": "name",
    "NumberScenarioProperty": "name",
    "ListScenarioProperty": "name",
}
_DICE: Final = ("DiceButton", "RandomTextButton", "SpecialDiceButton", "InternetDiceButton")
_READS: Final = {"LayeredPieceCollection": "property"}
_TELLING: Final = (Image, Key, Keys, Target, Expression, Format)
_BY_CLASS: Final[dict[type[Component], list[tuple[str, Attribute[Any]]]]] = {}
# Components with a piece whose own attributes name nothing but what they are.
_PLAIN_SLOTS: Final = frozenset(
    tag
    for tag, cls in STOCK.items()
    if cls.holds_piece
    and not any(isinstance(d, _TELLING) or a in _PROPERTIES for a, d in cls.declared.items())
)
SILENT: Final = _PLAIN_SLOTS - {PrototypeDefinition.tag}
"""Components with a piece whose own attributes name nothing but a gpid, as most are."""


def component_uses(component: Component) -> Iterator[Use]:
    """Everything that the attributes of a component name, its piece apart."""
    yield from _own(component)
    if component.class_name in _PLAIN_SLOTS:
        return
    name = component.short_name
    for table, role in ((_DEFINES, "defines"), (_READS, "reads")):
        if name in table and (value := component.get(table[name])):
            yield Use("property", value, role, table[name])
    for attribute, declared in _telling(type(component)):
        text = component.element.get(attribute)
        if not text:
            continue
        if isinstance(declared, Image):
            if text.strip():
                yield Use("image", text, "uses", attribute)
        elif isinstance(declared, Key):
            yield from key_uses(
                [KeyStroke(text)],
                _role(name, attribute),
                attribute,
                offered=_role(name, attribute) == "hears",
            )
        elif isinstance(declared, Keys):
            yield from key_uses(KeyStrokes(text).keys, _role(name, attribute), attribute)
        elif isinstance(declared, Target):
            yield from target_uses(GlobalCommandTarget(text), attribute)
        elif isinstance(declared, Expression | Format):
            formatted = isinstance(declared, Format)
            yield from expression_uses(text, attribute, formatted=formatted)
        elif attribute in _PROPERTIES:
            yield Use("property", text, _PROPERTIES[attribute], attribute)


def _telling(cls: type[Component]) -> list[tuple[str, Attribute[Any]]]:
    """The attributes of a class that can name something."""
    found = _BY_CLASS.get(cls)
    if found is None:
        every = cls.declared.items()
        found = [(a, d) for a, d in every if isinstance(d, _TELLING) or a in _PROPERTIES]
        _BY_CLASS[cls] = found
    return found


def may_use(component: Component, kind: str) -> bool:
    """Whether a component can name something of this kind: most are slots, which name little."""
    if not component.holds_piece or component.class_name not in _PLAIN_SLOTS:
        return True
    return kind == ("prototype" if isinstance(component, PrototypeDefinition) else "gpid")


def _role(name: str, attribute: str) -> str:
    sends = attribute in _SENDS.get(name, ()) or attribute in _ALWAYS_SENT
    return "sends" if sends else "hears"


def _own(component: Component) -> Iterator[Use]:
    if isinstance(component, PrototypeDefinition):
        yield Use("prototype", component.name, "defines", "name")
    elif component.holds_piece:
        if gpid := component.get("gpid"):
            yield Use("gpid", gpid, "defines", "gpid")
    elif isinstance(component, Map):
        if component.name:
            yield Use("map", component.name, "defines", component.naming)
    elif isinstance(component, DrawPile):
        if component.name:
            yield Use("deck", component.name, "defines", component.naming)
        if target := component.get("reshuffleTarget"):
            yield Use("deck", target, "uses", "reshuffleTarget")
    elif isinstance(component, DeckSendKeyCommand):
        if deck := component.get("targetDeck"):
            yield Use("deck", deck, "uses", "targetDeck")
    elif component.short_name in _DICE and component.name:
        yield Use("property", f"{component.name}_result", "defines", "name")
    elif component.short_name == "ChangePropertyButton":
        above = component.parent
        if above is not None and above.name:
            yield Use("property", above.name, "sets", "propChanger")
