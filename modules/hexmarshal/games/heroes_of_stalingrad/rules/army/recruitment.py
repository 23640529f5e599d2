"""HOS-8.1 to HOS-8.3: armies are recruited with points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hexmarshal.games.heroes_of_stalingrad.rules.army import deployment
from hexmarshal.games.heroes_of_stalingrad.rules.sequence.agenda import go_on
from hexmarshal.games.heroes_of_stalingrad.state.army import entries, free_name
from hexmarshal.games.heroes_of_stalingrad.state.kinds import AMBUSHED, WAITING
from hexmarshal.rules.state.effects import AddUnit, SetExtra
from hexmarshal.rules.state.pieces import Unit
from hexmarshal.rules.values import EMPTY, FrozenMap
from hexmarshal.rules.verdict import Cost, CostPart, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from hexmarshal.games.heroes_of_stalingrad.state.execution import Play
    from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
    from hexmarshal.games.heroes_of_stalingrad.state.tables import Tables
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.values import Record, Value

__all__ = [
    "check_end",
    "check_option",
    "check_tile",
    "end",
    "option_candidates",
    "recruit_option",
    "recruit_tile",
    "slot_faults",
    "spent",
    "tile_candidates",
    "units_of",
]


def spent(now: Situation, side: str) -> int:
    """The army points that a side has spent."""
    return sum(int(entry.row.get("cost", 0)) for entry in entries(now, side).values())


def _budget(now: Situation) -> int:
    found = now.position.extras.get("budget", 0)
    return found if isinstance(found, int) else 0


def _over(now: Situation, side: str, row: Mapping[str, Any]) -> Iterator[Violation]:
    total = spent(now, side) + int(row.get("cost", 0))
    if total > _budget(now):
        text = f"the army would cost {total} points, and there are {_budget(now)}"
        yield Violation("HOS-8.1", text)


def check_tile(now: Situation, action: Action) -> Verdict:
    """HOS-8.1: a recruitment tile of the own army, within the points."""
    return Verdict.of(_tile_faults(now, action))


def _tile_faults(now: Situation, action: Action) -> Iterator[Violation]:
    key = action.text("tile")
    row = now.tables.recruitment_tiles.get(key)
    if row is None or row["side"] != action.side:
        yield Violation("HOS-8.1", f"{action.side} has no tile {key!r}", field="tile")
        return
    if any(e.key == key and not e.option for e in entries(now, action.side).values()):
        yield Violation("HOS-8.1", f"{key} is recruited already", field="tile")
    yield from _over(now, action.side, row)


def tile_candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """The tiles of a side."""
    if slot != "tile":
        return None
    return [k for k, row in now.tables.recruitment_tiles.items() if row["side"] == action.side]


def recruit_tile(play: Play, action: Action) -> None:
    """A tile joins the army."""
    _join(play, action.side, action.text("tile"), FrozenMap({"tile": action.text("tile")}))


def _join(play: Play, side: str, name: str, record: Record) -> None:
    army = play.now.kept("army")
    kept = army.get(side)
    mine = kept if isinstance(kept, FrozenMap) else EMPTY
    play.do(SetExtra("army", army.set(side, mine.set(name, record))))


def slot_faults(
    tables: Tables, tile: str, option: Mapping[str, Any], slot: int
) -> Iterator[Violation]:
    """HOS-8.2: an option fits a slot by its size and by one of its bands at least."""
    slots = tables.recruitment_tiles[tile].get("slots") or ()
    if not 0 <= slot < len(slots):
        yield Violation("HOS-8.2", f"{tile} has no slot {slot}", field="slot")
        return
    row = slots[slot]
    if row["size"] != option["size"]:
        text = f"a {option['size']} option does not fit a {row['size']} slot"
        yield Violation("HOS-8.2", text, field="slot")
    if not set(row["bands"]).intersection(option["bands"]):
        text = f"the option shares no band with slot {slot} of {tile}"
        yield Violation("HOS-8.2", text, field="slot")


def check_option(now: Situation, action: Action) -> Verdict:
    """HOS-8.2: an option in a free slot that it fits."""
    return Verdict.of(_option_faults(now, action))


def _option_faults(now: Situation, action: Action) -> Iterator[Violation]:
    key, side = action.text("option"), action.side
    row = now.tables.recruitment_options.get(key)
    if row is None or row.get("side", side) != side:
        yield Violation("HOS-8.2", f"{side} has no option {key!r}", field="option")
        return
    yield from _over(now, side, row)
    army = entries(now, side)
    tile = army.get(action.text("of"))
    if tile is None or tile.option:
        yield Violation("HOS-8.2", f"{action.text('of')} is no tile of the army", field="of")
        return
    slot = action.number("slot")
    yield from slot_faults(now.tables, tile.key, row, slot)
    if any(e.option and e.of == tile.id and e.slot == slot for e in army.values()):
        yield Violation("HOS-8.2", f"slot {slot} of {tile.id} is filled", field="slot")


def option_candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """The options of a side, its tiles, their slots."""
    if slot == "option":
        rows = now.tables.recruitment_options.items()
        return [k for k, row in rows if row.get("side", action.side) == action.side]
    army = entries(now, action.side)
    if slot == "of":
        return [e.id for e in army.values() if not e.option]
    if slot == "slot":
        tile = army.get(str(action.given("of", "")))
        return range(len(tile.row.get("slots") or ())) if tile is not None else ()
    return None


def recruit_option(play: Play, action: Action) -> None:
    """An option joins the army."""
    army = entries(play.now, action.side)
    key = action.text("option")
    record: dict[str, Value] = {
        "option": key,
        "of": action.text("of"),
        "slot": action.number("slot"),
    }
    _join(play, action.side, free_name(key, army), FrozenMap(record))


def check_end(now: Situation, action: Action) -> Verdict:
    """HOS-8.1: an army has a tile at least, and counters to fight with."""
    total = spent(now, action.side)
    cost = Cost((CostPart(total, "army points", "HOS-8.1"),), "points")
    return Verdict(Verdict.of(_end_faults(now, action.side)).violations, cost)


def _end_faults(now: Situation, side: str) -> Iterator[Violation]:
    if not any(entry.row.get("counters") for entry in entries(now, side).values()):
        yield Violation("HOS-8.1", "an army needs a tile with counters")


def units_of(
    tables: Tables, side: str, name: str, row: Mapping[str, Any], taken: Iterable[str]
) -> Iterator[Unit]:
    """HOS-8.1: the counters that a tile or an option fields, with ids that tell nothing else."""
    used = set(taken)
    for key in row.get("counters") or ():
        n = 1
        while (unit := f"{side[0]}{n}") in used:
            n += 1
        used.add(unit)
        counter = tables.counters[key]
        hides = any(face.has("ambush") for face in counter.faces)
        yield Unit(
            unit,
            key,
            side,
            box=WAITING,
            steps=len(counter.faces),
            values=FrozenMap({"group": name}),
            face=AMBUSHED if hides else "",
        )


def end(play: Play, action: Action) -> None:
    """The army is complete: its counters wait to be placed, then the other side recruits."""
    frame = play.answered("recruit")
    for name, entry in entries(play.now, action.side).items():
        for unit in units_of(play.tables, action.side, name, entry.row, play.position.units):
            play.do(AddUnit(unit.id, unit))
    then = frame.texts("then")
    if then:
        play.ask("recruit", then[0], about={"then": then[1:]})
        return
    deployment.start(play)
    go_on(play)
