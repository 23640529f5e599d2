"""Announcements by click: menus of units and of the toolbar that say what is done.

Every line names the player and his side, and is the notation that the referee reads:
`Ivan (Soviet): [attack] rif-01 rif-02 -> 0615`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hexmarshal.kit.announcements import MARK_KEY, PARTS, Said
from hexmarshal.kit.drawing.icons import taking_part
from hexmarshal.kit.module.pieces.traits import ANYTHING, left_out, told_by
from hexmarshal.vassal.builder import layer
from hexmarshal.vassal.builder.counters import Equipped
from hexmarshal.vassal.traits import (
    CounterGlobalKeyCommand,
    Layer,
    SetGlobalProperty,
    SubMenu,
    TriggerAction,
)
from hexmarshal.vassal.values import (
    Expression,
    GlobalCommandTarget,
    KeyStroke,
    KeyStrokes,
    PropertyChange,
    PropertyCommand,
    PropertyCommands,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hexmarshal.kit.announcements import Announcement
    from hexmarshal.kit.module.pictures import Pictures
    from hexmarshal.vassal.builder import ModuleBuilder

__all__ = ["add_sayings", "says"]

_MARKED: Final = "TakesPart"
_MENU: Final = "Announce"
_SPEAKER: Final = "$PlayerName$ ($PlayerSide$): "
_CLEAR, _JOIN, _ALONE, _COLLECT, _UNMARK, _UNMARK_ALL = (
    KeyStroke.named(name)
    for name in ("clearParts", "joinParts", "partsAlone", "collectParts", "unmark", "unmarkAll")
)


def add_sayings(
    module: ModuleBuilder,
    pictures: Pictures,
    lines: Sequence[Announcement],
    gates: Mapping[str, str] | None = None,
    keys: Mapping[str, KeyStroke] | None = None,
) -> None:
    """The toolbar's menu of what a player can say, and the property that collects units.

    `gates` tells of an action by which global property, when true, it cannot be said; `keys` what
    is pressed once it was said.
    """
    module.global_property(PARTS, "", "The units that take part in what is announced")
    entries = [one for one in lines if one.said is Said.TABLE]
    inner: dict[str, list[str]] = {}
    for one in entries:
        gate = (gates or {}).get(one.action, "")
        pressed = [key for action, key in (keys or {}).items() if action == one.action]
        module.action_button(one.menu, report=_SPEAKER + one.line, gate=gate, keys=pressed)
        inner.setdefault(one.under or one.menu, []).append(one.menu)
    for title, items in inner.items():
        if items != [title]:
            module.toolbar_menu(title, items, tooltip=title)
    if entries:
        icon = pictures.icon("announce")
        module.toolbar_menu(_MENU, list(inner), icon=icon, tooltip="Say what you do")


def says(
    pictures: Pictures,
    lines: Sequence[Announcement],
    size: int,
    said_at: Mapping[str, str] | None = None,
) -> tuple[Equipped, ...]:
    """The traits by which a unit takes part in announcements and makes them.

    `said_at` tells of an action which pieces have it in their menus, by their properties.
    """
    entries = [one for one in lines if one.said is not Said.TABLE]
    if not entries:
        return ()
    mark = layer(
        _MARKED,
        ("", pictures.add(f"takes-part-{size}", taking_part(size))),
        next_command="Take part",
        key=MARK_KEY,
    )
    assert isinstance(mark.trait, Layer)
    marked = f"{{{_MARKED}_Level==2}}"
    collected = (_CLEAR, _COLLECT, _ALONE)
    triggers = [
        TriggerAction(
            name=one.menu,
            command=one.menu,
            key=_key(one, "say"),
            performed_keys=KeyStrokes.of(
                *(collected if one.said is Said.MARKED else ()), _key(one, "tell"), _UNMARK_ALL
            ),
        )
        for one in entries
    ]
    return (
        replace(mark, trait=replace(mark.trait, reset_key=_UNMARK)),
        Equipped(_parts()),
        _to_all(_COLLECT, _JOIN, marked),
        _to_all(_UNMARK_ALL, _UNMARK, marked),
        *(told_by(_SPEAKER + one.line, _key(one, "tell")) for one in entries),
        *(Equipped(trigger) for trigger in reversed(triggers)),
        Equipped(SubMenu(name=_MENU, commands=tuple(one.menu for one in entries))),
        *(
            left_out(f"!({where})", *(_key(one, "say") for one in entries if one.action == action))
            for action, where in (said_at or {}).items()
        ),
    )


def _key(one: Announcement, verb: str) -> KeyStroke:
    return KeyStroke.named(f"{verb}-{one.action}")


def _parts() -> SetGlobalProperty:
    """The list of units: emptied, joined one by one, or only the one that speaks."""
    joined = f'{{{PARTS} == "" ? UnitId : {PARTS} + " " + UnitId}}'
    alone = f'{{{PARTS} == "" ? UnitId : {PARTS}}}'
    return SetGlobalProperty(
        name=PARTS,
        constraints=ANYTHING,
        commands=PropertyCommands.of(
            PropertyCommand("", _CLEAR, PropertyChange("P", "")),
            PropertyCommand("", _JOIN, PropertyChange("P", joined)),
            PropertyCommand("", _ALONE, PropertyChange("P", alone)),
        ),
    )


def _to_all(key: KeyStroke, sent: KeyStroke, those: str) -> Equipped:
    target = GlobalCommandTarget("COUNTER|false|MAP|||||0|0||false|||EQUALS||")
    return Equipped(
        CounterGlobalKeyCommand(
            key=key, global_key=sent, expression=Expression(those), target=target
        )
    )
