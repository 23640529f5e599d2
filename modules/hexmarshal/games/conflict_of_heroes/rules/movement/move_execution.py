"""Carrying out moves: step by step over the true map, with mines, wire, spotting and control."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.rules.movement import barriers
from hexmarshal.games.conflict_of_heroes.rules.movement.move_costs import by_road
from hexmarshal.games.conflict_of_heroes.rules.terrain import hiding
from hexmarshal.games.conflict_of_heroes.rules.turn import victory
from hexmarshal.games.conflict_of_heroes.state import source
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


def turn(table: Play, unit: str, facing: int | None) -> None:
    """COH-5.3a: pivot in place; a hasty defence does not turn with the unit (COH-18.1.3b)."""
    table.unflag(unit, "hasty")
    if facing is not None:
        table.do(ChangeUnit(unit, facing=facing))
    mine_attack(table, Way(unit, facing=facing))


def march(table: Play, way: Way, roller: Roller | None = None) -> None:
    """Along the rest of the way, hex by hex; mines stop it until their owner has rolled."""
    unit = way.unit
    table.unflag(unit, "hasty")
    for i, cell in enumerate(way.rest):
        here = table.scene.cell(table.unit(unit))
        _enter(table, unit, cell, way.facing, hidden=way.hidden)
        if roller is not None:
            _bog(table, unit, here, cell, roller)
        now = replace(way, came=here, rest=way.rest[i + 1 :])
        if now.rest and table.unit(unit).has("stuck"):
            now = replace(now, rest=(), occupy=False)
        if mine_attack(table, now):
            return
        if not now.rest:
            arrive(table, now)
            return


def _enter(table: Play, unit: str, cell: str, facing: int | None, *, hidden: bool) -> None:
    own = table.unit(unit)
    if own.values.get("fort") is not None:
        table.do(ChangeUnit(unit, values=FrozenMap({"fort": None})))  # COH-18.2a: leaving is free
    # COH-5.1b: any facing, free, before the enemy reacts.
    table.do(MoveUnit(unit, cell, facing=None if hidden else facing))
    wire = table.scene.work(cell, "wire")
    if wire is not None and table.scene.counter(own).move_class == "tracked":
        table.do(RemoveMarker(wire.id))  # COH-18.3.1c
        table.tell("wire", f"{unit} crushes the wire in {cell}", "COH-18.3.1c")
    _free(table, unit, cell)
    # COH-2.5.2b: who hides there comes to light first, and holds what is his.
    hiding.look_around(table)
    victory.pass_over(table, unit, cell)


def _free(table: Play, unit: str, cell: str) -> None:
    """COH-14.5d: a vehicle towed out of the terrain that held it can move again."""
    for towed in table.position.carried_by(unit):
        stuck_in = towed.values.get("stuck_in")
        if stuck_in and table.scene.kind(cell).key != stuck_in:
            table.unflag(towed.id, "stuck")
            table.do(ChangeUnit(towed.id, values=FrozenMap({"stuck_in": None})))


def _bog(table: Play, unit: str, here: str, cell: str, roller: Roller) -> None:
    """COH-14.5a: the test after entering terrain that may hold a vehicle."""
    own = table.unit(unit)
    counter = table.scene.counter(own)
    kind = table.scene.kind(cell)
    if counter.move_class not in kind.immobilises or by_road(table.scene.board, here, cell):
        return
    need = source.number("movement", "immobilisation")
    rolled = roller.two("immobilisation", unit, (need,))
    stuck = rolled.total < need
    table.decide(
        Resolution(
            "immobilisation",
            "stuck" if stuck else "free",
            modifiers=rolled.modifiers,
            dice=rolled.dice,
            steps=(Step(f"{unit} rolls {rolled.total} of {need} in {cell}", "COH-14.5a"),),
        )
    )
    if stuck:
        table.flag(unit, "stuck")
        table.do(ChangeUnit(unit, values=FrozenMap({"stuck_in": kind.key})))


def arrive(table: Play, way: Way) -> None:
    """The end of the way: upon an enemy, or into the trench or bunker, free of charge."""
    own = table.unit(way.unit)
    cell = own.cell
    if way.came and table.scene.enemies_at(cell, own.side):
        table.rushed.setdefault(cell, []).append(way.came)  # COH-7.7.3h
    fort = barriers.fort_for(table.scene, own, cell, way.fort) if way.occupy else None
    if fort is not None:
        table.do(ChangeUnit(way.unit, values=FrozenMap({"fort": fort.id})))  # COH-18.2a


def mine_attack(table: Play, way: Way) -> bool:
    """COH-18.3.3a: whoever enters a minefield, or does more there than shoot, is attacked.

    The mines' owner rolls, so it is his decision; what is left of the way comes after it.
    """
    own = table.unit(way.unit)
    cell = table.scene.cell(own)
    if own.carrier or not cell:
        return False
    mines = next((m for m in table.position.markers_at(cell) if m.kind == "mines"), None)
    if mines is None:
        return False
    _uncover(table, mines)
    hidden = table.scene.hidden(own)
    if table.scene.counter(own).kind == "engineers":
        # COH-19.0a
        only = frozenset({own.side}) if hidden else None
        text = f"{own.id} finds a way through the mines"
        table.tell("mines", text, "COH-19.0a", only)
        return False
    owner = mines.side or next(iter(table.scene.others(own.side)), own.side)
    if hidden:
        # That somebody is in the mines is plain; who it is stays with its owner.
        about = {"marker": mines.id, "of": own.side}
        table.queue("mines", owner, about, secret=way.to_record(), only=own.side)
    else:
        table.queue("mines", owner, {"marker": mines.id, **way.to_record()})
    return True


def _uncover(table: Play, mines: Marker) -> None:
    """COH-18.3.3c: a hidden minefield is put on the map when it is entered."""
    if mines.seen_by is not None:
        shown = Marker(mines.id, "mines", mines.side, mines.cell, values=mines.values)
        table.do(AddMarker(mines.id, shown))
