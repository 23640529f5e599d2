"""What the plugin declares: sides, phases, counters, queries, switches, and how positions look."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.actions import ACTIONS
from hexmarshal.games.asl.frames import FRAMES
from hexmarshal.games.asl.queries.declared import QUERIES, VERTEX
from hexmarshal.games.asl.rules.movement.stack import ENTERING
from hexmarshal.games.asl.rules.sequence.turn import PHASES
from hexmarshal.games.asl.state.options import OPTIONS
from hexmarshal.games.asl.state.situation import SIDES
from hexmarshal.games.asl.state.units.marks import (
    FLAGS,
    GUARDS,
    LIFETIMES,
    MARKERS,
    POSSESSES,
    SHOWN,
)
from hexmarshal.games.asl.state.units.vehicles import CREWS, SEATS
from hexmarshal.games.asl.state.units.works import FORTIFICATION, GUN, WORKS
from hexmarshal.rules.action import Param, ParamType
from hexmarshal.rules.plugin import Game, Named, Phase, ScenarioTerms, UnitType
from hexmarshal.rules.state.whereabouts import BondRole, PlaceKind
from hexmarshal.rules.values import FrozenMap

if TYPE_CHECKING:
    from hexmarshal.games.asl.state.tables import Counter, Tables
    from hexmarshal.rules.values import Value

__all__ = ["VERSION", "game"]

VERSION = "2"

_TITLES = {
    "rally": "Rally phase",
    "prep_fire": "Prep fire phase",
    "movement": "Movement phase",
    "defensive_fire": "Defensive fire phase",
    "advancing_fire": "Advancing fire phase",
    "rout": "Rout phase",
    "advance": "Advance phase",
    "close_combat": "Close combat phase",
}
BRANCHES = (
    "anzac", "belgian", "burmese", "canadian", "colonial", "commando", "commissar", "free_polish",
    "greek", "guards", "gurkha", "indian", "marine", "partisan", "polish", "sissi", "yugoslav",
)  # fmt: skip
"""Troops with traits of their own, as the table of nations has them."""
_PLACES = tuple(f"{v}-{(v + d) % 6}" for v in range(6) for d in (1, 5))


def _optional(name: str, kind: ParamType, doc: str) -> Param:
    return Param(name, kind, doc, required=False)


def _listed(name: str, doc: str, item: Param) -> Param:
    return Param(name, ParamType.LIST, doc, required=False, items=item)


# Of who or what may be gone meanwhile the name is all that is kept.
_NAME = Param("name", ParamType.TEXT, "a name")
_SIDE = Param("side", ParamType.SIDE, "a side")
_ATTRIBUTES = (
    Param("vertex", ParamType.INT, VERTEX, False, minimum=0, maximum=5),
    _optional("entrenched", ParamType.BOOL, "in a foxhole or trench"),
    _optional("crest", ParamType.BOOL, "at the edge of its depression"),
    Param(
        "moving",
        ParamType.CHOICE,
        "what a moving vehicle runs on; at night it is seen from afar",
        required=False,
        choices=("wheels", "tracks"),
    ),
    _optional("nation", ParamType.TEXT, "the nationality of a leader or hero"),
    _optional("counter", ParamType.TEXT, "what a counter is called that the rules do not have yet"),
    _optional("turn", ParamType.INT, "the turn in which it enters"),
    _optional("entry", ParamType.CELLS, "the hexes where it enters"),
    _listed("weapons_used", "the weapons that it has used in this phase", _NAME),
    _listed("directed_units", "what a leader has directed", _NAME),
    _optional("residual_met", ParamType.TEXT, "the residual fire that it has been through"),
    _optional("recovery_tried", ParamType.BOOL, "recovery of it was tried in this phase"),
    _optional("deployed", ParamType.BOOL, "a leader who has deployed or recombined"),
    _optional("exhausted", ParamType.BOOL, "it is CX when the phase ends"),
    _optional("assisted_by", ParamType.UNIT, "the second SMC at a weapon"),
    _optional("armored", ParamType.BOOL, "whether a vehicle is armoured"),
    _optional("hull_down", ParamType.BOOL, "whether a vehicle is hull down"),
    _optional("partly_armored", ParamType.BOOL, "whether a vehicle is partly armoured"),
    _optional("open_topped", ParamType.BOOL, "whether a vehicle is open-topped"),
    _optional("half_track", ParamType.BOOL, "whether a vehicle is a half-track"),
    *(
        Param(name, ParamType.INT, f"of a vehicle: {doc}", False, minimum=0, maximum=most)
        for name, doc, most in (
            ("bmg", "firepower of the bow machine gun", 40),
            ("cmg", "firepower of the coaxial machine gun", 40),
            ("aamg", "firepower of the anti-aircraft machine gun", 40),
            ("rmg", "firepower of the rear machine gun", 40),
            ("ife", "infantry firepower equivalent of the main armament", 40),
            ("calibre", "calibre of the main armament in mm", 400),
            ("close_defence", "what its close defence weapons are placed by (sN)", 12),
            ("mp", "printed movement points", 99),
        )
    ),
    _optional("cmg_fixed", ParamType.BOOL, "the coaxial machine gun fires within the VCA alone"),
    Param("crew", ParamType.CHOICE, "who mans a vehicle", False, choices=CREWS),
    Param("seat", ParamType.CHOICE, "how a unit is aboard", False, choices=SEATS),
    _optional("street_from", ParamType.TEXT, "the building that it has come out of, to return"),
    _optional("serves", ParamType.UNIT, "the gun that it mans"),
    _optional("scrounged", ParamType.BOOL, "a vehicle out of which somebody was armed"),
    _optional("clears", ParamType.UNIT, "the wire or roadblock that it clears"),
    _optional("labor", ParamType.INT, "how often clearing it was tried in vain, as it helps"),
    _optional("emplaced", ParamType.BOOL, "whether a gun is emplaced"),
    Param("works", ParamType.CHOICE, "what a fortification is", False, choices=WORKS),
    Param("branch", ParamType.CHOICE, "troops with traits of their own", False, choices=BRANCHES),
    _optional("assault_fire", ParamType.BOOL, "assault fire by special rule"),
    _optional("charging", ParamType.CELL, "the hex that a berserk unit charges"),
    _optional("wave_left", ParamType.CELLS, "the hexes that it has left in a human wave"),
    _optional("carried_by", ParamType.UNIT, "the MMC that carries this wounded man"),
    _optional("charge_from", ParamType.TEXT, "where it began its charge in this phase"),
    _listed("charged", "the enemies whose location it has entered", _NAME),
    _optional("beside", ParamType.UNIT, "the MMC that a single man fights with in close combat"),
    _optional("cloaked", ParamType.BOOL, 'it has gone somewhere under a "?" in this player turn'),
    _optional("was", ParamType.TEXT, "the counter that a prisoner was"),
    _optional("captured_by", ParamType.SIDE, "who holds or has held this prisoner"),
)
_EXTRAS = (
    Param("phasing", ParamType.SIDE, "the ATTACKER: whose player turn it is", required=False),
    Param("first", ParamType.SIDE, "who moves first in a turn", required=False),
    _optional("turns", ParamType.INT, "how many turns are played"),
    _listed(
        "attacks",
        "who fired at what in this phase",
        Param(
            "attack",
            ParamType.RECORD,
            "one of them",
            fields=(
                _listed("by", "who fired", _NAME),
                _listed("from", "from which locations", _NAME),
                Param("to", ParamType.TEXT, "at which location"),
                _optional("snap", ParamType.BOOL, "a snap shot"),
            ),
        ),
    ),
    Param(
        "ring",
        ParamType.RECORD,
        "from where the last target was fired at",
        required=False,
        fields=(
            Param("target", ParamType.TEXT, "the location"),
            _listed("ways", "the hexsides and vertices", _NAME),
        ),
    ),
    _optional("rallies_begun", ParamType.BOOL, "somebody has tried to rally in this phase"),
    _optional("promotion_tried", ParamType.BOOL, "an MMC has tried to rally by itself"),
    _listed("no_quarter", "the sides that give no quarter", _SIDE),
    Param(
        "casualties",
        ParamType.MAP,
        "the casualty points that each side has lost",
        required=False,
        items=Param("points", ParamType.INT, "how many", minimum=0, maximum=9999),
        keys=ParamType.SIDE,
    ),
    Param(
        "victory",
        ParamType.RECORD,
        "the victory conditions",
        required=False,
        fields=(
            _optional("text", ParamType.TEXT, "in words"),
            _optional("hexes", ParamType.CELLS, "the hexes to be controlled"),
            Param("control", ParamType.INT, "how many of them", False, minimum=1),
            _optional("side", ParamType.SIDE, "who must do it"),
            Param("casualties", ParamType.INT, "casualty points needed", False, minimum=1),
        ),
    ),
    _listed("fought", "locations whose close combat is over in this phase", _NAME),
    _optional("mopped_up", ParamType.CELLS, "hexes of buildings mopped up in this player turn"),
    _optional("scrounged", ParamType.CELLS, "hexes looked through for arms in this phase"),
    _listed("massacred", "the sides whose prisoners were massacred", _SIDE),
    *(_optional(f"{side}_nation", ParamType.TEXT, f"the nation of {side}") for side in SIDES),
    *(_optional(f"{side}_elr", ParamType.INT, f"the ELR of {side}") for side in SIDES),
    *(_optional(f"{side}_san", ParamType.INT, f"the SAN of {side}") for side in SIDES),
    *(
        _optional(f"{side}_{name}", kind, f"{side}: {doc}")
        for side in SIDES
        for name, kind, doc in (
            ("elr_underlined", ParamType.INT, "the ELR of underlined morale by special rule"),
            ("ammunition_shortage", ParamType.BOOL, "is short of ammunition"),
            ("refuses_hardening", ParamType.BOOL, "lets nobody be hardened by battle"),
        )
    ),
)


def _unit_type(counter: Counter) -> UnitType:
    values: dict[str, Value] = {
        name: value
        for name in ("fp", "range", "morale", "broken", "smoke", "leadership", "pp", "rof")
        if (value := getattr(counter, name))
    }
    nation = f"{counter.nation.replace('_', ' ').title()} " if counter.nation else ""
    title = f"{nation}{counter.text} {counter.kind.replace('_', '-')}".strip()
    return UnitType(counter.key, title, values=FrozenMap(values), arm="infantry")


def game(tables: Tables) -> Game:
    """The game; its board is the name of a map, see `Atlas`."""
    return Game(
        key="asl",
        title="Advanced Squad Leader",
        version=VERSION,
        sides=tuple(Named(side, side.title()) for side in SIDES),
        phases=(
            Phase("look", "Looking", SIDES, doc="An empty map, to look at."),
            *(Phase(key, _TITLES[key], SIDES) for key in PHASES),
        ),
        actions=ACTIONS,
        queries=QUERIES,
        unit_types=(
            UnitType("personnel", "Infantry, guns and the like", arm="infantry"),
            UnitType("vehicle", "A vehicle", arm="armour", doc="It hinders lines: ASL-COV-02."),
            UnitType(GUN, "A gun", arm="artillery", doc="Its crew possesses it: ASL-HIP-3."),
            UnitType(FORTIFICATION, "A fortification", doc="What it is: `works`; ASL-HIP-2."),
            *(_unit_type(counter) for counter in tables.counters.values()),
        ),
        attributes=_ATTRIBUTES,
        flags=FLAGS,
        markers=MARKERS,
        boxes=(Named(ENTERING, "Waiting to enter"),),
        options=OPTIONS,
        frames=FRAMES,
        extras=_EXTRAS,
        knowledge=(),
        lifetimes=LIFETIMES,
        places=(
            PlaceKind(
                "bypass",
                "In bypass",
                "From one vertex to the next; vertex 0 is the left one at the top.",
                Param("way", ParamType.CHOICE, "two vertices such as 0-1", choices=_PLACES),
            ),
        ),
        bonds=(BondRole(POSSESSES, "Possesses"), BondRole(GUARDS, "Guards")),
        unmasked=SHOWN,
        terms=ScenarioTerms(
            arrivals=ENTERING,
            arrival_turn="turn",
            arrival_entry="entry",
            objectives=("control",),
            length="turns",
        ),
        turn_rule="ASL-FIRE-1",
        free_sight="free_sight",
        doc="Sight, and the firefight of infantry: movement, fire, morale, rout and rally.",
    )
