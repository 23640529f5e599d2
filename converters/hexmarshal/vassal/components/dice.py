"""Dice: plain, text, special and old-style internet dice."""

from __future__ import annotations

from hexmarshal.vassal.components.attributes import (
    Choice,
    Colour,
    Flag,
    Format,
    Image,
    Integer,
    Key,
    Names,
    Text,
)
from hexmarshal.vassal.components.base import Component
from hexmarshal.vassal.components.toolbar import DoActionButton, Gated

_MODULE = "VASSAL.build.module"


class Dice(Gated, naming="name"):
    """What all dice buttons have."""

    __slots__ = ()
    button_text = Text("text")
    tooltip = Text("tooltip")
    icon = Image("icon", "/images/die.gif")
    hotkey = Key("hotkey")
    report_format = Format("reportFormat")
    prompt = Flag("prompt")
    dice = Integer("nDice", 2)
    lock_dice = Flag("lockDice")
    lock_sides = Flag("lockSides")
    plus = Integer("plus", 0)
    lock_plus = Flag("lockPlus")
    add_to_total = Integer("addToTotal", 0)
    lock_add = Flag("lockAdd")
    report_total = Flag("reportTotal")
    sort_dice = Flag("sortDice")
    keep_dice = Flag("keepDice")
    keep_option = Choice("keepOption", ">", "<", "=", "s", "l")
    keep_count = Integer("keepCount", 1)


class DiceButton(Dice, tag=f"{_MODULE}.DiceButton"):
    """So many dice of so many sides."""

    __slots__ = ()
    sides = Integer("nSides", 6)


class InternetDiceButton(DiceButton, tag=f"{_MODULE}.InternetDiceButton"):
    """Dice once rolled by a server."""

    __slots__ = ()
    roll_details = Text("rollDetails")


class RandomTextButton(Dice, tag=f"{_MODULE}.RandomTextButton"):
    """Dice with texts on their faces."""

    __slots__ = ()
    faces = Names("faces")
    numeric = Flag("numeric")


class DieManager(Component, tag=f"{_MODULE}.DieManager", contains=("InternetDiceButton",)):
    """The owner of internet dice."""

    __slots__ = ()
    description = Text("description")
    default_dice = Integer("dfltndice", 2)
    default_sides = Integer("dfltnsides", 6)


class SpecialDiceButton(
    DoActionButton, tag=f"{_MODULE}.SpecialDiceButton", contains=("SpecialDie",)
):
    """Dice with pictures on their faces."""

    __slots__ = ()
    description = Text("description")
    result_chatter = Flag("resultChatter", True)
    format = Format("format")
    result_window = Flag("resultWindow")
    window_title_format = Format("windowTitleResultFormat")
    result_button = Flag("resultButton")
    window_x = Integer("windowX", 32)
    window_y = Integer("windowY", 32)
    background_color = Colour("backgroundColor")


class SpecialDie(
    Component, tag=f"{_MODULE}.SpecialDie", naming="name", contains=("SpecialDieFace",)
):
    """One die with faces of its own."""

    __slots__ = ()
    format = Format("format", "$result$")


class SpecialDieFace(Component, tag=f"{_MODULE}.SpecialDieFace", naming="text"):
    """A face: its text, its number and its picture."""

    __slots__ = ()
    value = Integer("value", 0)
    icon = Image("icon")
