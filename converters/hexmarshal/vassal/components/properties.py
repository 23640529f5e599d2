"""Global, zone and scenario properties, and translatable messages."""

from __future__ import annotations

from hexmarshal.vassal.components.attributes import (
    Flag,
    Format,
    Key,
    Names,
    OptionalInteger,
    Text,
)
from hexmarshal.vassal.components.base import Component
from hexmarshal.vassal.components.toolbar import UnnamedToolbarItem

_PROPERTIES = "VASSAL.build.module.properties"


class GlobalProperties(
    Component,
    tag=f"{_PROPERTIES}.GlobalProperties",
    contains=("GlobalPropertyFolder", "GlobalProperty", "ScenarioPropertiesOptionTab"),
):
    """The properties of a module or a map."""

    __slots__ = ()


class GlobalProperty(
    Component,
    tag=f"{_PROPERTIES}.GlobalProperty",
    naming="name",
    contains=("ChangePropertyButton",),
):
    """A named value that everything can read."""

    __slots__ = ()
    initial_value = Text("initialValue")
    description = Text("description")
    is_numeric = Flag("isNumeric")
    min = OptionalInteger("min")
    max = OptionalInteger("max")
    wrap = Flag("wrap")


class ZoneProperty(GlobalProperty, tag=f"{_PROPERTIES}.ZoneProperty"):
    """A property of one zone."""

    __slots__ = ()


class ChangePropertyButton(
    UnnamedToolbarItem, tag=f"{_PROPERTIES}.ChangePropertyButton", naming="text"
):
    """A button that changes the property it belongs to."""

    __slots__ = ()
    description = Text("desc")
    report_format = Format("reportFormat")
    change = Text("propChanger")


class GlobalTranslatableMessages(
    Component,
    tag=f"{_PROPERTIES}.GlobalTranslatableMessages",
    contains=("GlobalTranslatableMessage",),
):
    """Texts that translations can replace."""

    __slots__ = ()


class GlobalTranslatableMessage(
    Component, tag=f"{_PROPERTIES}.GlobalTranslatableMessage", naming="name"
):
    """A text that translations can replace, read like a property."""

    __slots__ = ()
    initial_value = Text("initialValue")
    description = Text("description")


class ScenarioPropertiesOptionTab(
    Component,
    tag=f"{_PROPERTIES}.ScenarioPropertiesOptionTab",
    naming="name",
    contains=(
        "ListScenarioProperty",
        "BooleanScenarioProperty",
        "StringScenarioProperty",
        "NumberScenarioProperty",
    ),
):
    """A tab of options that players agree on for one scenario."""

    __slots__ = ()
    description = Text("description")
    report_format = Format("report")
    heading = Text("heading")
    left_align = Flag("leftAlign")


class ScenarioProperty(Component, naming="name"):
    """An option of a scenario."""

    __slots__ = ()
    initial_value = Text("initialValue")
    description = Text("description")
    hotkey = Key("hotkey")
    switch = Flag("switch")


class BooleanScenarioProperty(ScenarioProperty, tag=f"{_PROPERTIES}.BooleanScenarioProperty"):
    """Yes or no."""

    __slots__ = ()


class StringScenarioProperty(ScenarioProperty, tag=f"{_PROPERTIES}.StringScenarioProperty"):
    """Any text."""

    __slots__ = ()


class NumberScenarioProperty(ScenarioProperty, tag=f"{_PROPERTIES}.NumberScenarioProperty"):
    """A whole number."""

    __slots__ = ()


class ListScenarioProperty(ScenarioProperty, tag=f"{_PROPERTIES}.ListScenarioProperty"):
    """One of a list."""

    __slots__ = ()
    options = Names("options")
