"""Turn trackers and their levels."""

from __future__ import annotations

from hexmarshal.vassal.components.attributes import (
    Choice,
    Expression,
    Flag,
    Format,
    Image,
    Integer,
    Key,
    Names,
    Text,
)
from hexmarshal.vassal.components.base import Component

_TURN = "VASSAL.build.module.turn"


class TurnTracker(
    Component,
    tag=f"{_TURN}.TurnTracker",
    naming="name",
    contains=("CounterTurnLevel", "ListTurnLevel", "TurnGlobalHotkey"),
):
    """Whose turn it is, and which phase."""

    __slots__ = ()
    description = Text("description")
    button_text = Text("buttonText")
    icon = Image("icon")
    hotkey = Key("hotkey")
    next_hotkey = Key("nexthotkey")
    previous_hotkey = Key("prevhotkey")
    turn_format = Format("turnFormat")
    report_format = Format("reportFormat")
    tooltip = Text("tooltip")
    length_style = Choice("lengthStyle", "Maximum", "Fixed", "Variable")
    length = Integer("length", 0)
    plus_button_size = Integer("plusButtonSize", 22)
    turn_button_height = Integer("turnButtonHeight", 22)
    forward_only = Flag("fwdOnly")


class TurnLevel(Component, naming="name", contains=("CounterTurnLevel", "ListTurnLevel")):
    """One hand of the clock."""

    __slots__ = ()
    property = Text("property")
    turn_format = Format("turnFormat", "$value$")


class CounterTurnLevel(TurnLevel, tag=f"{_TURN}.CounterTurnLevel"):
    """A level that counts."""

    __slots__ = ()
    start = Integer("start", 1)
    increment = Integer("incr", 1)
    loop = Flag("loop")
    loop_limit = Integer("loopLimit", -1)


class ListTurnLevel(TurnLevel, tag=f"{_TURN}.ListTurnLevel"):
    """A level that goes through a list."""

    __slots__ = ()
    entries = Names("list")
    config_list = Flag("configList")
    config_first = Flag("configFirst")
    prompt = Text("prompt")


class TurnGlobalHotkey(Component, tag=f"{_TURN}.TurnGlobalHotkey", naming="name"):
    """A hot key sent when the turn comes to a given point."""

    __slots__ = ()
    hotkey = Key("hotkey")
    match = Expression("match")
    report_format = Format("reportFormat")
