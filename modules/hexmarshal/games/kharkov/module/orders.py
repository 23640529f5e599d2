"""What players can do with a counter: lose steps, be disrupted, be revealed, leave the map."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.games.kharkov.art.faces import SIZE
from hexmarshal.games.kharkov.module import air
from hexmarshal.kit.announcements import WHERE
from hexmarshal.kit.module.pieces.announcement_menus import Speech
from hexmarshal.kit.module.pieces.reports import tells_sign
from hexmarshal.kit.module.pieces.traits import (
    ANYTHING,
    LOST,
    MOVED,
    TRAIL,
    left_out,
    more,
    named,
    sends,
    sign,
    told,
    trail,
)
from hexmarshal.vassal.builder import Counter, markers, marks_moved, mask
from hexmarshal.vassal.builder.counters import Equipped
from hexmarshal.vassal.traits import (
    CounterGlobalKeyCommand,
    Delete,
    DynamicProperty,
    Mask,
    MaskState,
    PropertyState,
    SetGlobalProperty,
    TriggerAction,
)
from hexmarshal.vassal.values import (
    Expression,
    GlobalCommandTarget,
    KeyStroke,
    KeyStrokes,
    PieceAccess,
    PropertyChange,
    PropertyCommand,
    PropertyCommands,
    ctrl,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "BOXES_MAP", "DRAWN", "PLATE", "PROTOTYPES", "SPEECH", "deck_name", "gives", "hidden_from_all",
    "last_in_menu", "prototypes", "report", "reveals",
    "tells_steps",
]  # fmt: skip

BOXES_MAP: Final = "Reserves and tracks"
PROTOTYPES: Final = {"axis": "Axis unit", "soviet": "Soviet unit"}
# The global property through which a chit tells a unit what it is worth.
DRAWN: Final = "DrawnFace"
_BELOW: Final = 10
PLATE: Final = (SIZE + _BELOW) // 2
"""How far below its middle a unit has its name: the plate hides no value of the counter."""
_LOSSES: Final = {"axis": "Axis losses", "soviet": "Soviet losses"}
_GIVE, _SET, _LEAVE = (KeyStroke.named(n) for n in ("giveFace", "setFace", "leaveDeck"))
_DRAW, _DRAW_REPLACEMENT, _TAKE, _ADD, _TURN = (
    KeyStroke.named(n)
    for n in ("drawFace", "drawReplacement", "takeFace", "takeReplacement", "turnFace")
)


def deck_name(pool: str) -> str:
    """What the deck of a pool is called."""
    return f"{pool.capitalize()} pool" if pool != "replacements" else "Replacements"


_FIGHTS: Final = 'UnitType != "hq" && UnitType != "reserve"'
_FIRST: Final = f'{_FIGHTS} && Phase.endsWith("initial movement")'
# A headquarters that lies alone in a hex is attacked like a unit; a reserve is none.
_TARGET: Final = 'UnitType != "reserve"'
# KHA-4.2.A1, KHA-4.2.B1: phases of the Soviets begin with an A, those of the Axis with a B.
_ACTS: Final = 'Phase.startsWith("A") == (UnitSide == "soviet")'
_DIVISIONS: Final = 'UnitType == "infantry" || UnitType == "light" || UnitType == "mountain"'
_SAID_AT: Final = {
    "break_down": f'({_DIVISIONS}) && Phase.endsWith("initial movement")',
    "recombine": f'UnitType == "regiment" && {_FIRST}',
    "dig_in": f'UnitType == "regiment" && {_FIRST}',
    "air_supply": 'UnitSide == "axis" && Phase.endsWith("air support")',
    "pursue": f'{_FIRST} && UnitSide == "soviet"',
    "attack": f'{_TARGET} && !({_ACTS}) && Phase.endsWith("combat")',
    WHERE: f'{_FIGHTS} && {_ACTS} && Phase.endsWith("combat")',
    "take_losses": _FIGHTS,
    "overrun": f'{_TARGET} && !({_ACTS}) && Phase.endsWith("movement")',
    "disengage": f'{_FIRST} && UnitSide == "axis"',
}
# Which units have an announcement in their menus, and in which phase (KHA-4.1).
SPEECH: Final = Speech(
    said_at=_SAID_AT,
    aimed=("attack", "overrun"),
    clicked={"attack": "", "overrun": ""},
    then={"air_supply": air.USE_OWN, "attack-yes": air.USE_THEIRS},
)
"""Who says what, that whoever attacks is marked, and that air points are used by saying so."""


def prototypes(says: tuple[Equipped, ...]) -> Iterator[Counter]:
    """What all units of a side have in common; the last shows first in their menus."""
    for name in PROTOTYPES.values():
        yield Counter(
            name,
            traits=(
                marks_moved("moved.png", x=-28, y=-28),
                trail(),
                named(SIZE + _BELOW, known=True),
                sign("Unsupplied", "unsupplied.png", "S"),
                sign("Disrupted", "disrupted.png", "U"),
                *tells_sign("Unsupplied", "Unsupplied", "S"),
                *tells_sign("Disrupted", "Disrupted", "U"),
                *air.uses(),
                *says,
            ),
        )


def last_in_menu(side: str) -> tuple[Equipped, ...]:
    """What a unit's menu ends with: its traits come first."""
    return more(TRAIL, MOVED), sends(BOXES_MAP, _LOSSES[side])


def report() -> Equipped:
    """Tell both players of a unit that is gone; what else can be done to it tells of itself."""
    return told(LOST.format("is eliminated"), "E")


def tells_steps() -> tuple[Equipped, ...]:
    """The same of steps, whose commands leave the menu with the last one."""
    lines = {"L": "loses a step", "K": "regains a step"}
    return tuple(told(f"$location$: $newPieceName$ {line} *", key) for key, line in lines.items())


def hidden_from_all(image: str, title: str) -> Equipped:
    """A mask that belongs to nobody: neither side can look, and either may have it turned."""
    made = mask(image, masked_name=title, command="")
    assert isinstance(made.trait, Mask)
    trait = Mask(
        key=_TURN,
        image=made.trait.image,
        style=made.trait.style,
        mask_name=title,
        access=PieceAccess("side:"),
    )
    # The engine's own word for nobody, and its mark for "whoever likes may unmask".
    return Equipped(trait, MaskState(owner="nobody", options="true|0"))


def reveals(pool: str, faces: int) -> tuple[Equipped, ...]:
    """Drawing a unit's value from its pool of so many faces, and later a Replacement's."""
    face = DynamicProperty(
        name="Face",
        constraints=ANYTHING,
        commands=PropertyCommands.of(
            PropertyCommand("", _TAKE, PropertyChange("P", f"{{{DRAWN}}}")),
            PropertyCommand("", _ADD, PropertyChange("P", f"{{{DRAWN} + {faces}}}")),
        ),
    )
    return (
        Equipped(face, PropertyState(value="0")),
        _draws(_DRAW, deck_name(pool)),
        _draws(_DRAW_REPLACEMENT, deck_name("replacements")),
        Equipped(
            TriggerAction(
                name="Reveal",
                command="Reveal",
                key=ctrl("R"),
                expression=Expression("{Face==0}"),
                performed_keys=KeyStrokes.of(_DRAW, _TAKE, _TURN),
            )
        ),
        Equipped(
            TriggerAction(
                name="Replacement",
                command="Take a replacement",
                key=ctrl("L"),
                expression=Expression("{Face!=0}"),
                performed_keys=KeyStrokes.of(_DRAW_REPLACEMENT, _ADD),
            )
        ),
        # Once a unit is revealed its menu has no such command to be named.
        told("$location$: $newPieceName$ is revealed *", "R"),
        told("$location$: $newPieceName$: Take a replacement *", "L"),
        left_out("Face == 0", ctrl("L")),
        left_out("Face != 0", ctrl("R")),
    )


def _draws(key: KeyStroke, deck: str) -> Equipped:
    target = GlobalCommandTarget(f"COUNTER|true|DECK|||||0|0|{deck}|false|||EQUALS||")
    return Equipped(
        CounterGlobalKeyCommand(
            key=key, global_key=_GIVE, expression=Expression(""), deck_count="1", target=target
        )
    )


def gives(face: int, value: str, cover: str) -> tuple[Equipped, ...]:
    """A chit in a deck: asked for, it tells its face and is gone."""
    tells = SetGlobalProperty(
        name=DRAWN,
        constraints=ANYTHING,
        commands=PropertyCommands.of(PropertyCommand("", _SET, PropertyChange("P", str(face)))),
    )
    return (
        markers({"Value": value}),
        mask(cover, masked_name="a value that nobody knows", command=""),
        Equipped(tells),
        Equipped(Delete(key=_LEAVE)),
        Equipped(TriggerAction(name="Give", key=_GIVE, performed_keys=KeyStrokes.of(_SET, _LEAVE))),
    )
