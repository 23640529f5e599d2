"""Every name that a trait or its state holds of something else, with its part there."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.vassal.pieces.expression_fields import expressions_of
from hexmarshal.vassal.pieces.references import image_names
from hexmarshal.vassal.search.uses import Use, key_uses
from hexmarshal.vassal.traits import (
    ActionButton,
    CalculatedProperty,
    CounterGlobalKeyCommand,
    Deck,
    DynamicProperty,
    Labeler,
    Layer,
    LegacyLayer,
    Marker,
    Mask,
    PlaceMarker,
    PropertySheet,
    ReportState,
    RestrictCommands,
    ReturnToDeck,
    RotateFixed,
    RotateFree,
    SendToLocation,
    SetGlobalProperty,
    SetPieceProperty,
    Trait,
    TriggerAction,
    UsePrototype,
    decode_trait,
)
from hexmarshal.vassal.traits.actions import GlobalHotKey
from hexmarshal.vassal.traits.attributes import MenuSeparator, SubMenu, TranslatableMessage
from hexmarshal.vassal.values import (
    Expression,
    FormattedText,
    GlobalCommandTarget,
    KeyStroke,
    KeyStrokes,
    Parameters,
    PropertyCommands,
    beanshell,
)
from hexmarshal.vassal.values.name_literals import name_literals

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["expression_uses", "named_uses", "target_uses", "trait_uses"]

# Fields that send their key on; every other key field of a trait listens.
_SENDS: Final[dict[type[Trait], tuple[str, ...]]] = {
    PlaceMarker: ("after_key",),
    CounterGlobalKeyCommand: ("global_key",),
    TriggerAction: ("performed_keys", "pre_loop_key", "post_loop_key"),
    ActionButton: ("key",),
    GlobalHotKey: ("hotkey",),
    Deck: ("empty_key",),
}
_OTHER_ROLES: Final[dict[type[Trait], str]] = {
    ReportState: "watches",
    RestrictCommands: "blocks",
    MenuSeparator: "blocks",
    SubMenu: "blocks",
}
# Menu entries whose field is not called like the key's.
_MENUS: Final = {"increase_key": "up_command", "decrease_key": "down_command"}
# Text fields that name a property though their kind says nothing of it.
_PROPERTY_FIELDS: Final = (
    "property_name",
    "only_property_name",
    "second_property_name",
    "radius_property",
    "range_property",
    "index_property",
    "select_sort",
)
# Keys, expressions, formatted texts and what is made of them, by the codes of their kinds.
_TELLING: Final = frozenset({"K", "KA", "PCL", "TGT", "PARAM", "PE", "FS", "SOUND"})
_BY_CLASS: Final[dict[type[Trait], list[tuple[str, object]]]] = {}
_LAYER_ENDINGS: Final = ("_Level", "_Name", "_Active", "_Image")
_TARGETS: Final = {"map": "map", "deck": "deck"}
_LITERALS: Final = {"maps": "map", "decks": "deck", "properties": "property"}


def trait_uses(trait: Trait, kind: str = "") -> tuple[Use, ...]:
    """What a trait names, or what it names of one kind; markers inside it apart."""
    if kind == "image":
        names = dict.fromkeys(filter(str.strip, image_names(trait)))
        return tuple([Use("image", name, "uses", "image") for name in names])
    named = named_uses(trait)
    if kind:
        return tuple([use for use in named if use.kind == kind])
    return (*trait_uses(trait, "image"), *named)


# The pieces of a module share most of their traits.
@lru_cache(maxsize=1 << 15)
def _uses(source: str) -> tuple[Use, ...]:
    return tuple(dict.fromkeys(_found(decode_trait(source))))


def named_uses(trait: Trait) -> tuple[Use, ...]:
    """What a trait names, images apart, in the order of its fields."""
    return _uses(trait.source) if trait.source is not None else tuple(_found(trait))


def _found(trait: Trait) -> Iterator[Use]:
    yield from _own(trait)
    if isinstance(trait, Layer | LegacyLayer):
        yield from _layer_keys(trait)
    for field, usual in _telling(type(trait)):
        value = getattr(trait, field)
        # Most fields hold their default, which as a rule names nothing.
        if value is not usual:
            yield from _in_field(trait, field, value)
    if isinstance(trait, CalculatedProperty):
        for text in expressions_of(trait):
            yield from expression_uses(text, "expression")


def _telling(cls: type[Trait]) -> list[tuple[str, object]]:
    """The fields of a class that can name something, each with the value that names nothing."""
    found = _BY_CLASS.get(cls)
    if found is None:
        found = _BY_CLASS[cls] = [
            (spec.name, None if getattr(spec.default, "text", spec.default) else spec.default)
            for spec in cls.layout.fields
            if spec.code in _TELLING or spec.name in _PROPERTY_FIELDS
        ]
    return found


def _in_field(trait: Trait, field: str, value: Any) -> Iterator[Use]:  # noqa: ANN401
    if isinstance(value, KeyStroke) and not (isinstance(trait, Layer) and _by_layer(field)):
        yield from key_uses(
            [value], _role(trait, field), field, offered=bool(_menu_of(trait, field))
        )
    elif isinstance(value, KeyStrokes):
        yield from key_uses(value.keys, _role(trait, field), field)
    elif isinstance(value, PropertyCommands):
        for command in value.commands:
            yield from key_uses([command.key], "hears", field, offered=bool(command.menu))
            for text in (command.change.value, *command.change.choices):
                yield from expression_uses(text, field, formatted=True)
    elif isinstance(value, GlobalCommandTarget) and value.text:
        yield from target_uses(value, field)
    elif isinstance(value, Parameters):
        for name, text in value.pairs:
            yield Use("property", name, "sets", field)
            yield from expression_uses(text, field, formatted=True)
    elif isinstance(value, Expression):
        yield from expression_uses(value.text, field)
    elif isinstance(value, FormattedText):
        yield from expression_uses(value.text, field, formatted=True)
    elif field in _PROPERTY_FIELDS and isinstance(value, str) and _asks(trait, field):
        if beanshell.is_braced(value):
            yield from expression_uses(value, field)
        elif value:
            yield Use("property", value, "sets" if field == "index_property" else "reads", field)


def _asks(trait: Trait, field: str) -> bool:
    """Whether the field counts: the name of a label's own property asks for nothing."""
    if isinstance(trait, Labeler):
        return False
    return field != "property_name" or not isinstance(trait, Layer) or trait.follow_property


def _role(trait: Trait, field: str) -> str:
    for cls, fields in _SENDS.items():
        if isinstance(trait, cls) and field in fields:
            return "sends"
    if isinstance(trait, TriggerAction) and field == "watched_keys":
        return "hears"
    return next((role for cls, role in _OTHER_ROLES.items() if isinstance(trait, cls)), "hears")


def _menu_of(trait: Trait, field: str) -> str:
    menu = getattr(trait, _MENUS.get(field, field.replace("key", "command")), "")
    return menu if isinstance(menu, str) else ""


def _by_layer(field: str) -> bool:
    return field in {"activate_key", "increase_key", "decrease_key"}


def _layer_keys(layer: Layer | LegacyLayer) -> Iterator[Use]:
    # Strokes since 3.2, before that letters with modifiers.
    if isinstance(layer, LegacyLayer):
        ways = (
            (layer.activate_command, layer.keys, 130, "keys"),
            (layer.up_command, layer.up_key, 130, "up_key"),
            (layer.down_command, layer.down_key, 130, "down_key"),
        )
    elif layer.version:
        for field in ("activate_key", "increase_key", "decrease_key"):
            offered = bool(_menu_of(layer, field))
            yield from key_uses([getattr(layer, field)], "hears", field, offered=offered)
        return
    else:
        ways = (
            (layer.activate_command, layer.activate_keys, layer.activate_modifiers, "activate_key"),
            (layer.up_command, layer.up_keys, layer.up_modifiers, "increase_key"),
            (layer.down_command, layer.down_keys, layer.down_modifiers, "decrease_key"),
        )
    for menu, letters, modifiers, field in ways:
        keys = [KeyStroke.of(ord(letter.upper()[0]), modifiers) for letter in letters]
        yield from key_uses(keys, "hears", field, offered=bool(menu))


def target_uses(target: GlobalCommandTarget, field: str) -> Iterator[Use]:
    """The map, the deck and the properties by which a key command narrows its search."""
    if target.by_location:
        for part, kind in _TARGETS.items():
            text = target.place.get(part, "")
            if text and not beanshell.is_braced(text) and "$" not in text:
                yield Use(kind, text, "uses", field)
    for text in target.place.values():
        yield from expression_uses(text, field, formatted=True)
    if target.by_property:
        name, _, value = target.comparison
        if name:
            yield Use("property", name, "reads", field)
        yield from expression_uses(value, field, formatted=True)


def expression_uses(text: str, field: str, *, formatted: bool = False) -> Iterator[Use]:
    """The properties, maps and decks that an expression or a formatted text names."""
    if not text or (formatted and "$" not in text and not beanshell.is_braced(text)):
        return
    read = FormattedText(text).properties if formatted else Expression(text).properties
    yield from (Use("property", name, "reads", field) for name in read if name)
    if not formatted or beanshell.is_braced(text):
        for literal in name_literals(text):
            kind = _LITERALS.get(literal.kind)
            if kind is not None and literal.name:
                role = "reads" if kind == "property" else "uses"
                yield Use(kind, literal.name, role, field)


def _own(trait: Trait) -> Iterator[Use]:
    """What a trait names by what it is."""
    if isinstance(trait, UsePrototype):
        yield Use("prototype", trait.name, "uses", "name")
    elif isinstance(trait, Marker):
        yield from (Use("property", name, "defines", "names") for name in trait.names if name)
    elif isinstance(trait, DynamicProperty | CalculatedProperty):
        yield Use("property", trait.name, "defines", "name")
    elif isinstance(trait, TranslatableMessage):
        yield Use("property", trait.key, "defines", "key")
    elif isinstance(trait, SetGlobalProperty | SetPieceProperty):
        yield Use("property", trait.name, "sets", "name")
        if isinstance(trait, SetGlobalProperty) and trait.level == "Named Map":
            yield Use("map", trait.search_name, "uses", "search_name")
    elif isinstance(trait, PropertySheet):
        for line in trait.fields.fields:
            yield Use("property", line.name, "defines", "fields")
    elif isinstance(trait, Labeler):
        if trait.property_name:
            yield Use("property", trait.property_name, "defines", "property_name")
    elif isinstance(trait, Layer):
        if trait.name:
            for ending in _LAYER_ENDINGS:
                yield Use("property", trait.name + ending, "defines", "name")
    elif isinstance(trait, RotateFixed | RotateFree):
        for ending in ("_Facing", "_Degrees"):
            yield Use("property", trait.name + ending, "defines", "name")
    elif isinstance(trait, PlaceMarker):
        if trait.gpid:
            yield Use("gpid", trait.gpid, "defines", "gpid")
    elif isinstance(trait, Mask):
        yield from key_uses([trait.style.peek_key], "hears", "style")
    elif isinstance(trait, ReturnToDeck):
        if trait.deck:
            yield Use("deck", trait.deck, "uses", "deck")
    elif isinstance(trait, SendToLocation):
        if trait.map.text and not trait.map.properties:
            yield Use("map", trait.map.text, "uses", "map")
    elif isinstance(trait, Deck) and trait.name:
        yield Use("deck", trait.name, "defines", "name")
