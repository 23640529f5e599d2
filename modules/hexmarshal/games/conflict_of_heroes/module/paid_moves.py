"""Action points that are paid with the move: dragging the active unit moves the marker of its side.

Players switch it on. What the ground asks for is in the module (see `ground`); whatever else the
price depends on the table shows. Where it does not, the chat says that the player is to pay.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.games.conflict_of_heroes.art.markers import TRACK
from hexmarshal.games.conflict_of_heroes.module.activation import to_marker
from hexmarshal.games.conflict_of_heroes.module.ground import (
    FREE,
    LETTERS,
    TRACKED,
    WAYS,
    WHEELED,
    ground,
)
from hexmarshal.games.conflict_of_heroes.module.tracks import (
    FILL,
    HANDED_OVER,
    PAYER,
    PRICE,
    answers,
    goes,
)
from hexmarshal.kit.module.pieces.following import LAID_ON, LEADER, WENT, WENT_TO
from hexmarshal.kit.module.pieces.traits import ANYTHING, told_by
from hexmarshal.vassal.builder import Counter, label, markers, prototype
from hexmarshal.vassal.builder.counters import Equipped
from hexmarshal.vassal.components import ChangePropertyButton
from hexmarshal.vassal.traits import (
    CounterGlobalKeyCommand,
    DynamicProperty,
    PropertyState,
    SetGlobalProperty,
)
from hexmarshal.vassal.values import (
    Expression,
    GlobalCommandTarget,
    KeyStroke,
    PropertyChange,
    PropertyCommand,
    PropertyCommands,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hexmarshal.games.conflict_of_heroes.plugin import ConflictOfHeroes
    from hexmarshal.games.conflict_of_heroes.state.tables import Tables
    from hexmarshal.kit.module.pictures import Pictures
    from hexmarshal.vassal.builder import ModuleBuilder

__all__ = ["SWITCH", "TITLE", "add_switch", "go_ends", "marker_goes", "walks"]

TITLE: Final = "Pay with the move"
SWITCH: Final = "PayWithMove"
"""The property that says whether moves are paid by themselves: `on` or `off`."""
_GROUND: Final = "Ground"
_HEADING, _ADDED, _LEFT, _BY_HAND, _ROLLING = (
    "Heading", "GroundAdds", "PointsLeft", "ByHand", "Rolling",
)  # fmt: skip
_ROLLER, _ROLLS = "FreeOf", "FreeLeft"
"""The vehicle that has gone last, and how many free hexes it has left."""
_CAME: Final = "CameBy"
"""The way by which a unit came last."""
_WAY: Final = 'OldLocationName + " -> " + LocationName'
_TOGETHER: Final = " with others"
_TOGGLE, _SETTLE_ALL = (KeyStroke.named(name) for name in ("payWithMove", "settleAll"))
(
    _GATHER, _JOIN, _SETTLE, _STEP,
    _WALKED, _LOOK, _WEIGH, _PAY, _TELL, _CLOSED, _FREED, _MOVE, _POOR, _AFTER,
) = (
    KeyStroke.named(f"walk{name}")
    for name in (
        "Gather", "Join", "Settle", "Step",
        "Ed", "Look", "Weigh", "Pay", "Tell", "Closed", "Freed", "Move", "Poor", "After",
    )
)  # fmt: skip
_MAP: Final = GlobalCommandTarget("COUNTER|false|MAP|||||0|0||false|||EQUALS||")
# Apart from hexes no place has a dash in its name.
_HEX: Final = 'LocationName.contains("-")'
_UP: Final = "CurrentY < OldY"
# COH-5.1a: which of the six ways a drag to the next hex went, north first.
_DIRECTION: Final = (
    f"CurrentX > OldX + 9 ? ({_UP} ? 1 : 2) : CurrentX < OldX - 9 ? ({_UP} ? 5 : 4)"
    f" : ({_UP} ? 0 : 3)"
)
_FROM_HEX: Final = 'OldLocationName.contains("-")'


def add_switch(module: ModuleBuilder, pictures: Pictures, plugin: ConflictOfHeroes) -> None:
    """The button, what pieces tell each other, and the ground."""
    for name in (_HEADING, _ADDED, _LEFT, _BY_HAND, _ROLLING, _ROLLER, _ROLLS):
        module.global_property(name, "0", "What pieces of this module tell each other")
    switch = module.global_property(SWITCH, "off", "Whether AP are paid with the move")
    switch.add(
        ChangePropertyButton,
        {
            "desc": TITLE,
            "hotkey": _TOGGLE.text,
            "icon": "",
            "propChanger": f'P,{{{SWITCH} == "on" ? "off" : "on"}}',
            "reportFormat": "$PlayerName$ ($PlayerSide$): AP paid with the move: $newValue$ *",
            "text": "",
            "tooltip": "",
        },
    )
    module.action_button(
        TITLE,
        keys=[_TOGGLE, _SETTLE_ALL],
        icon=pictures.icon("pay"),
        tooltip=f"{TITLE}: switch it on or off",
    )
    # Who went the same way while nothing was paid does not go along with those that come after.
    module.piece_key("Settle", _SETTLE_ALL, _SETTLE, '{UnitType != ""}', quiet=True)
    module.prototype(Counter(_GROUND, traits=(markers({_GROUND: ground(plugin)}),)))


def walks(tables: Tables, near: int) -> Iterator[Equipped]:
    """The traits of a unit; the next hex is at most `near` pixels away.

    One key does it all, as each costs time: the engine asks the outermost first, the last here.
    """
    joins = f'{{{_WAY} + "{_TOGETHER}"}}'
    came = _changes({_SETTLE: f"{{{_WAY}}}", _STEP: f"{{{_WAY}}}", _JOIN: joins})
    kept = DynamicProperty(name=_CAME, constraints=ANYTHING, commands=came)
    yield Equipped(kept, PropertyState(value=""))
    yield to_marker(_STEP, _WALKED, "AP")
    named = f'InvisibleToOthers == true ? "a hidden unit" : UnitId + ": " + {_WAY}'
    back = f"({_backwards()})"
    more = tables.number("movement", "backwards")
    for name, value in {
        PAYER: named,
        _HEADING: f"{WAYS} * GoesAs + ({_DIRECTION})",
        _BY_HAND: _unknown(tables, near),
        _ROLLING: _rolling(back),
        PRICE: f"MoveCost + ({back} ? {more} : 0){_by_hits(tables)}",
    }.items():
        yield _sets(name, {_STEP: f"{{{value}}}"})
    same = 'UnitType != "" && Aboard_Level != 2 && OldLocationName == "$OldLocationName$"'
    same += f' && LocationName == "$LocationName$" && {_CAME} != {_WAY}'
    those = Expression(f"{{{same}}}")
    yield Equipped(
        CounterGlobalKeyCommand(key=_GATHER, global_key=_JOIN, expression=those, target=_MAP)
    )
    inside = same.replace('"', '\\"')
    went = f'{SWITCH} == "on" && OldMap == CurrentMap && OldLocationName != LocationName'
    went += f' && ({_HEX} || LocationName == "Exited")'
    yield answers(WENT, f'{went} && CountLocation("{{{inside}}}") > 1', _GATHER)
    yield answers(WENT, f"{went} && Active_Level == 2", _STEP)
    yield answers(WENT, f"{went} && Active_Level == 1", _SETTLE)


def marker_goes(seat: str) -> Iterator[Equipped]:
    """The traits of the marker that shows the action points of a side."""
    places = f"{seat} AP "
    left = f"Integer.parseInt(LocationName.substring({len(places)}))"
    at = f'{_GROUND}.indexOf(" " + {WENT_TO} + "=")'
    letter = f"{_GROUND}.charAt({at} + {WENT_TO}.length() + 2 + {_HEADING})"
    added = f'{at} < 0 ? -1 : "{LETTERS}".indexOf("" + {letter})'
    yield prototype(_GROUND)
    yield _sets(_ADDED, {_LOOK: f"{{{added}}}"})
    lies = f"{{{left}}}"
    yield _sets(_LEFT, {_LOOK: lies, _AFTER: lies, _FREED: f"{{{_ADDED} % {FREE}}}"})
    yield _sets(PRICE, {_WEIGH: f"{{{PRICE} + {_ADDED} % {FREE}}}"})
    rolls = f"{{{_ROLLING} < 0 || {_ADDED} < {FREE} ? 0 : {_ROLLING} % {FREE}}}"
    none = dict.fromkeys((_TELL, _CLOSED, _POOR, FILL), "0")
    yield _sets(_ROLLS, {_AFTER: rolls, _FREED: rolls, **none})
    yield _sets(_ROLLER, {_WEIGH: f"{{{LEADER}}}"})
    yield goes(_MOVE, "R", f'{{"{places}" + ({left} - {PRICE})}}')
    for key, told in (
        (_TELL, f"to be paid by hand: ${_BY_HAND}$"),
        (_CLOSED, "to be paid by hand: closed to it by the map"),
        (_FREED, f"to be paid by hand: ${_LEFT}$ AP as a bonus hex, ${PRICE}$ AP otherwise"),
        (_POOR, f"${PRICE}$ AP cannot be paid, ${_LEFT}$ left"),
        (_AFTER, f"${PRICE}$ AP, ${_LEFT}$ left"),
    ):
        yield told_by(f"${PAYER}$, {told} *", key)
    known = f'{_BY_HAND} == ""'
    yield answers(_WALKED, f"!({known})", _TELL)
    yield answers(_WALKED, f'{known} && LocationName.startsWith("{places}")', _LOOK, _PAY)
    yield answers(_PAY, f"{_ADDED} < 0", _CLOSED)
    # The one that is asked first leaves the marker where it lies.
    yield answers(_PAY, f"{_ADDED} >= 0", _WEIGH)
    free = f"{_ROLLING} >= {FREE} && {_ADDED} >= {FREE}"
    yield answers(_PAY, free, _FREED)
    priced = f"{_ADDED} >= 0 && !({free})"
    yield answers(_PAY, f"{priced} && {_LEFT} < {PRICE}", _POOR)
    yield answers(_PAY, f"{priced} && {_LEFT} >= {PRICE}", _MOVE, _AFTER)
    yield label(
        f'{{{SWITCH} == "on" ? "auto" : ""}}', size=9, prop="", editable=False, rise=TRACK // 2
    )


def go_ends() -> Equipped:
    """The trait of the marker of who acts: what a vehicle has left is lost with the go."""
    return _sets(_ROLLS, {HANDED_OVER: "0"})


def _backwards() -> str:
    """COH-5.2a, COH-18.1.1b: into a flank hex, unless it came out of a trench."""
    turned = f"(({_DIRECTION}) + {WAYS + 1} - Facing_Facing) % {WAYS}"
    trench = _on_map(r"MarkerKind == \"trench\"", "OldLocationName")
    return f"{turned} >= 2 && {turned} <= 4 && !(Works_Level == 2 && {trench} > 0)"


def _rolling(back: str) -> str:
    """COH-13.0b, COH-14.1a, COH-14.2b, COH-14.4a: the free hexes after the step.

    -1 is that there can be none, and `FREE` more that it is itself one of those of the step before.
    """
    smoke = r"MarkerKind == \"smoke\" && Smoke_Level == 1"
    ends = rf'CountLocation("{{{_kinds("trench", "wire")} || {smoke}}}") > 0'
    others = r'CountLocation("{UnitType != \"\" && Foot == \"no\"}") > 1'
    none = f"FreeHexes == 0 || {back} || {ends} || (GoesAs == {WHEELED} && {others})"
    goes_on = f"{_ROLLER} == PieceUID && {_ROLLS} > 0"
    return f"{none} ? -1 : {goes_on} ? {FREE - 1} + {_ROLLS} : FreeHexes"


def _unknown(tables: Tables, near: int) -> str:
    """Why the price of a step is not known."""
    x, y = "(CurrentX - OldX)", "(CurrentY - OldY)"
    wire, block = (f'CountLocation("{{{_kinds(kind)}}}") > 0' for kind in ("wire", "roadblock"))
    works = f'CountLocation("{{{_kinds("trench", "wire", "roadblock")}}}") > 0'
    cases = {
        f'{_CAME} == {_WAY} + "{_TOGETHER}"': "it goes with others",
        "Aboard_Level == 2": "it is aboard",
        "InvisibleToOthers == true": "it is out of sight",
        f"!({_HEX})": "it leaves the map",
        f"!({_FROM_HEX})": "it comes from off the map",
        f"{x} * {x} + {y} * {y} > {near * near}": "more than one hex",
        f"(GoesAs < {TRACKED} && {wire}) || (GoesAs == {TRACKED} && {block})": "an obstacle",
        f"GoesAs == {WHEELED} && {works}": "an obstacle",
    }
    for kind in _slowing(tables):
        loose = _on_map(rf"{_kinds(kind)} && {LAID_ON} == \"\"", "OldLocationName")
        cases[f"{loose} > 0"] = "a hit marker was left behind"
    return "".join(f'{holds} ? "{why}" : ' for holds, why in cases.items()) + '""'


def _slowing(tables: Tables) -> list[str]:
    return [hit.key for hit in tables.hits.values() if hit.move]


def _by_hits(tables: Tables) -> str:
    """What the hit markers add that lie on the unit."""
    return "".join(
        rf' + {tables.hits[key].move} * CountLocation("{{{_kinds(key)} && {LAID_ON} == {LEADER}}}")'
        for key in _slowing(tables)
    )


def _kinds(*kinds: str) -> str:
    """Whether a marker is one of these, inside of a text."""
    return "(" + " || ".join(rf"MarkerKind == \"{kind}\"" for kind in kinds) + ")"


def _on_map(which: str, where: str) -> str:
    """How many of them lie in the place that a property tells."""
    return rf'CountMap("{{{which} && LocationName == \"" + {where} + "\"}}")'


def _sets(name: str, values: Mapping[KeyStroke, str]) -> Equipped:
    return Equipped(SetGlobalProperty(name=name, constraints=ANYTHING, commands=_changes(values)))


def _changes(values: Mapping[KeyStroke, str]) -> PropertyCommands:
    return PropertyCommands.of(
        *(PropertyCommand("", key, PropertyChange("P", value)) for key, value in values.items())
    )
