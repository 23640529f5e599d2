"""Carrying out moves: step by step over the true map, with mines, wire, spotting and control."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.rules.movement import barriers
from hexmarshal.games.conflict_of_heroes.rules.movement.move_costs import by_road
from hexmarshal.games.conflict_of_heroes.rules.terrain import hiding
from hexmarshal.games.conflict_of_heroes.rules.turn import victory
from hexmarshal.rules.state.effects import AddMarker, ChangeUnit, MoveUnit, RemoveMarker
from hexmarshal.rules.state.pieces import Marker
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Resolution, Step

if TYPE_CHECKING:
    from hexmarshal.games.conflict_of_heroes.rules.turn.rolling import Roller
    from hexmarshal.games.conflict_of_heroes.state.execution import Play
    from hexmarshal.rules.frames import Frame
    from hexmarshal.rules.values import Record, Value

__all__ = ["Way", "arrive", "march", "mine_attack", "turn"]


@dataclass(frozen=True, slots=True)
class Way:
    """Where a unit stands on its way: the hex that it came from, and the hexes still to go."""

    unit: str
    came: str = ""
    rest: tuple[str, ...] = ()
    facing: int | None = None
    occupy: bool = False
    hidden: bool = False
    fort: str = ""

    def to_record(self) -> Record:
        """As values of a frame, without what is empty."""
        values: dict[str, Value] = {f.name: getattr(self, f.name) for f in fields(self)}
        return FrozenMap({k: v for k, v in values.items() if v not in ("", (), False, None)})

    @classmethod
    def of(cls, frame: Frame) -> Way:
        """Out of a frame; what it does not hold is as if the way ended here."""
        facing = frame.value("facing")
        return cls(
            frame.text("unit"),
            frame.text("came"),
            frame.texts("rest"),
            facing if isinstance(facing, int) else None,
            occupy=frame.value("occupy") is True,
            hidden=frame.value("hidden") is True,
            fort=frame.text("fort"),
        )


def turn(play: Play, unit: str, facing: int | None) -> None:
    """COH-5.3a: pivot in place; a hasty defence does not turn with the unit (COH-18.1.3b)."""
    play.unflag(unit, "hasty")
    if facing is not None:
        play.do(ChangeUnit(unit, facing=facing))
    mine_attack(play, Way(unit, facing=facing))


def march(play: Play, way: Way, roller: Roller | None = None) -> None:
    """Along the rest of the way, hex by hex; mines stop it until their owner has rolled."""
    unit = way.unit
    play.unflag(unit, "hasty")
    for i, cell in enumerate(way.rest):
        here = play.now.cell(play.unit(unit))
        _enter(play, unit, cell, way.facing, hidden=way.hidden)
        if roller is not None:
            _bog(play, unit, here, cell, roller)
        further = replace(way, came=here, rest=way.rest[i + 1 :])
        if further.rest and play.unit(unit).has("stuck"):
            further = replace(further, rest=(), occupy=False)
        if mine_attack(play, further):
            return
        if not further.rest:
            arrive(play, further)
            return


def _enter(play: Play, unit: str, cell: str, facing: int | None, *, hidden: bool) -> None:
    own = play.unit(unit)
    if own.values.get("fort") is not None:
        play.do(ChangeUnit(unit, values=FrozenMap({"fort": None})))  # COH-18.2a: leaving is free
    # COH-5.1b: any facing, free, before the enemy reacts.
    play.do(MoveUnit(unit, cell, facing=None if hidden else facing))
    wire = play.now.work(cell, "wire")
    if wire is not None and play.now.counter(own).move_class == "tracked":
        play.do(RemoveMarker(wire.id))  # COH-18.3.1c
        play.tell("wire", f"{unit} crushes the wire in {cell}", "COH-18.3.1c")
    _free(play, unit, cell)
    # COH-2.5.2b: who hides there comes to light first, and holds what is his.
    hiding.look_around(play)
    victory.pass_over(play, unit, cell)


def _free(play: Play, unit: str, cell: str) -> None:
    """COH-14.5d: a vehicle towed out of the terrain that held it can move again."""
    for towed in play.position.carried_by(unit):
        stuck_in = towed.values.get("stuck_in")
        if stuck_in and play.now.kind(cell).key != stuck_in:
            play.unflag(towed.id, "stuck")
            play.do(ChangeUnit(towed.id, values=FrozenMap({"stuck_in": None})))


def _bog(play: Play, unit: str, here: str, cell: str, roller: Roller) -> None:
    """COH-14.5a: the test after entering terrain that may hold a vehicle."""
    own = play.unit(unit)
    counter = play.now.counter(own)
    kind = play.now.kind(cell)
    if counter.move_class not in kind.immobilises or by_road(play.now.board, here, cell):
        return
    need = play.now.tables.number("movement", "immobilisation")
    rolled = roller.two("immobilisation", unit, (need,))
    stuck = rolled.total < need
    play.decide(
        Resolution(
            "immobilisation",
            "stuck" if stuck else "free",
            modifiers=rolled.modifiers,
            dice=rolled.dice,
            steps=(Step(f"{unit} rolls {rolled.total} of {need} in {cell}", "COH-14.5a"),),
        )
    )
    if stuck:
        play.flag(unit, "stuck")
        play.do(ChangeUnit(unit, values=FrozenMap({"stuck_in": kind.key})))


def arrive(play: Play, way: Way) -> None:
    """The end of the way: upon an enemy, or into the trench or bunker, free of charge."""
    own = play.unit(way.unit)
    cell = own.cell
    if way.came and play.now.enemies_at(cell, own.side):
        play.rushed.setdefault(cell, []).append(way.came)  # COH-7.7.3h
    fort = barriers.fort_for(play.now, own, cell, way.fort) if way.occupy else None
    if fort is not None:
        play.do(ChangeUnit(way.unit, values=FrozenMap({"fort": fort.id})))  # COH-18.2a


def mine_attack(play: Play, way: Way) -> bool:
    """COH-18.3.3a: whoever enters a minefield, or does more there than shoot, is attacked.

    The mines' owner rolls, so it is his decision; what is left of the way comes after it.
    """
    own = play.unit(way.unit)
    cell = play.now.cell(own)
    if own.carrier or not cell:
        return False
    mines = next((m for m in play.position.markers_at(cell) if m.kind == "mines"), None)
    if mines is None:
        return False
    _uncover(play, mines)
    hidden = play.now.hidden(own)
    if play.now.counter(own).kind == "engineers":
        # COH-19.0a
        only = frozenset({own.side}) if hidden else None
        text = f"{own.id} finds a way through the mines"
        play.tell("mines", text, "COH-19.0a", only)
        return False
    owner = mines.side or next(iter(play.now.others(own.side)), own.side)
    if hidden:
        # That somebody is in the mines is plain; who it is stays with its owner.
        about = {"marker": mines.id, "of": own.side}
        play.queue("mines", owner, about, secret=way.to_record(), only=own.side)
    else:
        play.queue("mines", owner, {"marker": mines.id, **way.to_record()})
    return True


def _uncover(play: Play, mines: Marker) -> None:
    """COH-18.3.3c: a hidden minefield is put on the map when it is entered."""
    if mines.seen_by is not None:
        shown = Marker(mines.id, "mines", mines.side, mines.cell, values=mines.values)
        play.do(AddMarker(mines.id, shown))
