"""The module's pieces: units, hit markers, cards, works and markers, with the traits of each."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hexmarshal.games.conflict_of_heroes.art.counters import SIZE
from hexmarshal.games.conflict_of_heroes.art.markers import (
    MARKER,
    SMOKE,
    STATES,
    TRACK,
)
from hexmarshal.games.conflict_of_heroes.art.sheet import SEATS
from hexmarshal.games.conflict_of_heroes.module import activation
from hexmarshal.games.conflict_of_heroes.module.ground import goes_as
from hexmarshal.games.conflict_of_heroes.module.not_here import NO_VEHICLES, NO_WORKS
from hexmarshal.games.conflict_of_heroes.state.situation import camp
from hexmarshal.kit.module.pieces.following import follows, leads
from hexmarshal.kit.module.pieces.reports import (
    tells_facing,
    tells_level,
    tells_name,
    tells_sight,
    tells_sign,
    tells_value,
)
from hexmarshal.kit.module.pieces.traits import (
    LISTED,
    LOST,
    TRAIL,
    asked,
    hides,
    left_out,
    more,
    named,
    noted,
    returns,
    sends,
    sign,
    taken_off,
    told,
    trail,
)
from hexmarshal.kit.module.solitaire import NOT_MINE
from hexmarshal.vassal.builder import (
    Counter,
    can_delete,
    does_not_stack,
    facings,
    label,
    layer,
    markers,
    mask,
    outlined,
    prototype,
    two_sided,
)
from hexmarshal.vassal.builder.counters import Equipped
from hexmarshal.vassal.traits import CalculatedProperty, Layer, PropertyState
from hexmarshal.vassal.values import PropertyChange, ctrl

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.conflict_of_heroes.state import tables
    from hexmarshal.vassal.builder import ModuleBuilder

__all__ = [
    "BOTH",
    "DECKS",
    "MAP",
    "ORDER",
    "barrage",
    "coin",
    "control",
    "define_prototypes",
    "hit",
    "smoke",
    "turned_over",
    "unit",
    "works",
]

MAP: Final = "Main Map"
ORDER: Final = ("control", "smoke", "works", "unit", "track")
"""What lies over what: the values of the property `Layer`, lowest first."""
DECKS: Final = {"foot": "Foot hits", "vehicle": "Vehicle hits", "cards": "Cards", "out": "Discard"}
BOTH: Final = ("german", "soviet")
"""The camps, by the side that a firefight of two has of each."""
_HIT: Final = 48
_WEAPON, _NAME = "Weapon card...", "Name..."
_LINE: Final = 12
_FACINGS: Final = 6
_STATES: Final = {  # name, menu, key, and what a name gains by it
    "active": ("Active", "Activate", "A", "+ (active)"),
    "hasty": ("Hasty", "Hasty defence", "H", "+ (hasty defence)"),
    "works": ("Works", "In works", "W", "+ (in works)"),
    "stuck": ("Stuck", "Immobile", "X", "+ (immobile)"),
    "bogged": ("Bogged", "Bogged down", "G", "+ (bogged down)"),
    "aboard": ("Aboard", "Aboard a vehicle", "B", "+ (aboard)"),
}


def define_prototypes(
    module: ModuleBuilder, says: tuple[Equipped, ...], walks: Iterable[Equipped]
) -> None:
    """Traits that all pieces of a kind share; the last shows first in their menus."""
    module.prototype(Counter("Facing", traits=(facings(_FACINGS),)))
    shared = tuple(walks)
    for side in BOTH:
        module.prototype(Counter(_prototype_of(side), traits=_of_units(side, says, shared)))


def _prototype_of(side: str) -> str:
    return f"{SEATS[side]} unit"


def _of_units(
    side: str, says: tuple[Equipped, ...], walks: tuple[Equipped, ...]
) -> tuple[Equipped, ...]:
    states = [
        sign(name, f"state-{state}.png", key, menu=menu, suffix=suffix)
        for state, (name, menu, key, suffix) in _STATES.items()
        if state != "active"
    ]
    _, menu, _, suffix = _STATES["active"]
    assert tuple(_STATES) == STATES
    return (
        _named("UnitId"),
        _side_name(),
        named(SIZE),
        asked("Weapon", _WEAPON, "K", PropertyChange("R", "Its weapon card")),
        tells_name("N"),
        tells_value("Weapon", "Weapon card", "K"),
        *(noted(name) for name in ("Arrives", "Entry", "StuckIn")),
        _tells('{Waits == "true" ? "turn " + Arrives + " " + Entry : Weapon}', SIZE),
        _waits(),
        trail(),
        hides(*_seats_of(side)),
        *tells_sight("$UnitId$ $BasicName$"),
        *reversed(states),
        *activation.pays(),
        *says,
        activation.active_sign("state-active.png", menu, suffix),
        *activation.follows(),
        *leads(),
        *walks,
        *_tells_states(),
        *tells_facing(_FACINGS),
        left_out(f'Foot == "no" || {NO_VEHICLES} == true', ctrl(_STATES["aboard"][2])),
        left_out(f"{NO_WORKS} == true", ctrl(_STATES["works"][2])),
        left_out('Foot == "yes"', *(ctrl(_STATES[n][2]) for n in ("stuck", "bogged"))),
        outlined(SIZE, SIZE),
    )


def _seats_of(side: str) -> tuple[str, ...]:
    """COH-20.0a: the seats of its camp, which see what it hides: partners play together."""
    return tuple(seat for own, seat in SEATS.items() if camp(own) == camp(side))


def _tells_states() -> Iterator[Equipped]:
    """What the chat tells of a unit that was flipped, marked or lost."""
    for state, (name, menu, key, _) in _STATES.items():
        yield from tells_sign(name, "Active" if state == "active" else menu, key)
    yield from tells_level("Status", ("fresh", "spent"), "F")
    yield told(LOST.format("is destroyed"), "E")


def _tells(text: str, size: int) -> Equipped:
    """A line that players cannot change, close below the counter and its name, in its own hex."""
    return label(text, size=9, prop="", editable=False, rise=size // 2 + _LINE)


def _side_name() -> Equipped:
    """Whose it is in the inventory: a firefight of four gives a counter to another seat."""
    cases = "".join(f'UnitSide == "{side}" ? "{seat}" : ' for side, seat in SEATS.items())
    return Equipped(CalculatedProperty(name=LISTED[0], expression=f'{{{cases}""}}'))


def _waits() -> Equipped:
    """Whether the unit lies in a box of reinforcements that tells when they come."""
    return Equipped(
        CalculatedProperty(
            name="Waits",
            expression='{Arrives != "" && LocationName.endsWith("reinforcements")}',
        )
    )


def _named(name: str) -> Equipped:
    """What the piece is called in the rules' position."""
    return asked(name, _NAME, "N", PropertyChange("R", "Its name"))


def _owned(side: str) -> Equipped:
    """Whose works these are."""
    change = PropertyChange("E", "Whose is it?", tuple(SEATS))
    made = asked("MarkerSide", "Belongs to...", "O", change)
    return replace(made, state=PropertyState(value=side))


def turned_over() -> tuple[Equipped, ...]:
    """What the chat tells of what lies face down, and that only its owner turns it up."""
    return (
        told("$location$: $oldPieceName$ is now $newPieceName$ *", "P"),
        left_out(NOT_MINE, ctrl("P")),
        told("$newPieceName$ goes to $location$ *", "R"),
    )


def unit(kind: tables.Counter) -> Counter:
    """A unit: an arrow that turns, and over it an upright counter, fresh or spent."""
    known = {
        "UnitType": kind.key,
        "UnitSide": kind.side,
        "Worth": "" if kind.transport else "command",
        "Foot": "yes" if kind.foot else "no",
        "MoveCost": str(kind.move),
        "GoesAs": str(goes_as(kind)),
        "FreeHexes": str(kind.bonus),
        "Layer": "unit",
    }
    return Counter(
        f"{kind.side.capitalize()} {kind.title}",
        "arrow.png",
        (
            can_delete(),  # what comes first is last in the menu
            more(TRAIL, _WEAPON, _NAME),
            sends(MAP, f"{SEATS[kind.side]} losses", menu="Destroyed"),
            prototype("Facing"),
            _status(kind),
            markers(known),
            taken_off(),
            prototype(_prototype_of(kind.side)),
        ),
        SIZE,
        SIZE,
    )


def _status(kind: tables.Counter) -> Equipped:
    """Fresh or spent; another key makes it fresh without a word."""
    made = layer(
        "Status",
        (f"{kind.key}.png", f"{kind.key}-spent.png"),
        names=("", "+ (spent)"),
        next_command="Spent or fresh",
        key="F",
    )
    assert isinstance(made.trait, Layer)
    return replace(made, trait=replace(made.trait, reset_key=activation.FRESH_AGAIN))


def hit(marker: tables.Hit) -> Counter:
    """A hit marker: its face for the owner alone, unless he shows it."""
    pool = marker.key.partition("-")[0]
    return Counter(
        f"{marker.title} ({pool})",
        f"hit-{marker.key}.png",
        (
            markers({"MarkerKind": marker.key, "Layer": "unit"}),
            mask(f"hit-{pool}.png", masked_name="a hit", command="Show or hide"),
            returns(DECKS[pool], "Return to the pool"),
            *turned_over(),
            *follows(),
        ),
        _HIT,
        _HIT,
    )


def works(thing: tables.Works, side: str = "") -> Counter:
    """A fortification or obstacle; a bunker looks one way for good.

    Who sees one that can be hidden is settled with the counter, so that each `side` has its own.
    """
    known = (
        markers({"MarkerKind": thing.key, "Layer": "works"}),
        _named("MarkerId"),
        _owned(side),
        tells_value("MarkerId", "Name", "N"),
        tells_value("MarkerSide", "Belongs to", "O"),
    )
    face = f"works-{thing.key}.png"
    if thing.defence_flank is not None:
        turns = (prototype("Facing"), layer("Face", (face,)), *tells_facing(_FACINGS))
        traits = (can_delete(), *turns, *known, taken_off())
        return Counter(thing.title, "arrow-fixed.png", traits, MARKER, MARKER)
    hidden = (hides(*_seats_of(side)), *tells_sight()) if side else ()
    name = f"{SEATS[side]} {thing.title.lower()}" if side else thing.title
    return Counter(name, face, (can_delete(), *known, *hidden, taken_off()), MARKER, MARKER)


def smoke() -> Counter:
    """Smoke that thins from +2 to +1."""
    return Counter(
        "Smoke",
        "",
        (
            can_delete(),
            two_sided("smoke-2.png", "smoke-1.png", name="Smoke", command="Thin or thicken"),
            markers({"MarkerKind": "smoke", "Layer": "smoke"}),
            noted("MarkerId"),
            *tells_level("Smoke", ("+2", "+1"), "F"),
            taken_off(),
        ),
        SMOKE,
        SMOKE,
    )


def barrage(side: str) -> Counter:
    """The plotted target of off-board artillery, to be hidden from the opponent."""
    known = markers({"MarkerKind": "barrage", "MarkerSide": side, "Layer": "works"})
    return Counter(
        f"{SEATS[side]} barrage",
        f"barrage-{camp(side)}.png",
        (
            can_delete(),
            layer(
                "Load",
                ("", "barrage-smoke.png"),
                names=("", "+ (smoke)"),
                next_command="Smoke or shells",
                key="F",
            ),
            known,
            noted("MarkerId"),
            asked("Battery", "Battery...", "K", PropertyChange("R", "Its card")),
            asked("Falls", "Falls in turn...", "T", PropertyChange("R", "Turn")),
            _tells('{Falls == "" ? "" : "turn " + Falls}', MARKER),
            *tells_level("Load", ("shells", "smoke"), "F"),
            tells_value("Battery", "Battery", "K"),
            tells_value("Falls", "Falls in turn", "T"),
            hides(*_seats_of(side)),
            *tells_sight(),
            taken_off(),
        ),
        MARKER,
        MARKER,
    )


def coin(side: str) -> Counter:
    """A hex where a unit of the solitaire opponent may be."""
    known = markers({"MarkerKind": "coin", "MarkerSide": side, "Layer": "works"})
    name = f"{SEATS[side]} coin"
    traits = (can_delete(), known, noted("MarkerId"), taken_off())
    return Counter(name, f"coin-{side}.png", traits, TRACK, TRACK)


def control() -> Counter:
    """The flag of the side that holds an objective."""
    images = ("control-none.png", "control-german.png", "control-soviet.png")
    return Counter(
        "Objective",
        "",
        (
            can_delete(),
            layer(
                "Control",
                images,
                names=("", "+ (German)", "+ (Soviet)"),
                next_command="Change hands",
                key="F",
                y=-24,
                x=28,
            ),
            markers({"MarkerKind": "control", "Layer": "control"}),
            *tells_level("Control", ("held by nobody", "held by Germans", "held by Soviets"), "F"),
            does_not_stack(),
            taken_off(),
        ),
        48,
        48,
    )
