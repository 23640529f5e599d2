"""Answers: sight, reach, ways, odds, values, terrain, control."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.queries import sight_pictures
from hexmarshal.games.conflict_of_heroes.rules.fire import (
    aiming,
    attack,
    attack_resolution,
    combat,
    shooting,
)
from hexmarshal.games.conflict_of_heroes.rules.fire.attack import reach_of
from hexmarshal.games.conflict_of_heroes.rules.movement import barriers, pathfinding
from hexmarshal.games.conflict_of_heroes.rules.movement.reach import reachable
from hexmarshal.games.conflict_of_heroes.rules.terrain import sight
from hexmarshal.games.conflict_of_heroes.rules.turn import rally, solitaire, victory
from hexmarshal.games.conflict_of_heroes.state import hitpool
from hexmarshal.rules.action import Action
from hexmarshal.rules.odds import Distribution
from hexmarshal.rules.values import FrozenMap, Record, Value, freeze, show_number
from hexmarshal.rules.verdict import (
    Answer,
    IllegalActionError,
    Modifier,
    Resolution,
    Step,
    Verdict,
    Violation,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.games.conflict_of_heroes.rules.fire.attack import Shot
    from hexmarshal.games.conflict_of_heroes.rules.fire.attack_kinds import Assault
    from hexmarshal.games.conflict_of_heroes.state.situation import Situation

__all__ = ["answer"]


def answer(now: Situation, name: str, params: Record) -> Answer:
    """The answer to a query."""
    position = now.position
    match name:
        case "sight":
            return _sight(now, str(params["cell"]), str(params["target"]))
        case "visible" | "view":
            return _view(now, str(params["cell"]), smoke=name == "view")
        case "sight_picture":
            picture = sight_pictures.line_picture(now, str(params["cell"]), str(params["target"]))
            return Answer(FrozenMap({"svg": picture.svg()}))
        case "view_picture":
            picture = sight_pictures.field_picture(now, str(params["cell"]))
            return Answer(FrozenMap({"svg": picture.svg()}))
        case "reach":
            mode = str(params.get("mode") or "normal")
            found = reachable(now, position.unit(str(params["unit"])), mode)
            costs = FrozenMap[Value]({leg.path[-1]: leg.cost for leg in found})
            return Answer(FrozenMap({"cells": costs}))
        case "path":
            mode = str(params.get("mode") or "normal")
            goal = str(params["cell"])
            return pathfinding.answer(now, position.unit(str(params["unit"])), goal, mode)
        case "odds":
            return _odds(now, params)
        case "rally_odds":
            return _rally(now, params)
        case "values":
            return _values(now, str(params["unit"]))
        case "hex":
            return _hex(now, str(params["cell"]))
        case "control":
            held = {
                cell: values["control"]
                for cell, values in position.cells.items()
                if "control" in values
            }
            return Answer(FrozenMap({"cells": FrozenMap[Value](held)}))
        case "score":
            points = FrozenMap[Value](victory.scores(position))
            return Answer(FrozenMap({"scores": points}))
        case _:
            return solitaire.doctrine(now, position.unit(str(params["unit"])))


def _sight(now: Situation, cell: str, target: str) -> Answer:
    """COH-6.0e: anybody may check a line before he decides."""
    smoke = sight.smoke_of(now.position, now.board)
    line = sight.line(now.board, smoke, cell, target)
    blocked = [c for c in line.crossings if c.effect == "blocks"]
    values: dict[str, Value] = {
        "visible": line.visible,
        "range": line.range,
        "trace": tuple(name for c in line.crossings if c.rule != "COH-11.4a" for name in c.cells),
        "smoke": line.smoke,
        "wall": cell != target and sight.crosses_wall(now.board, cell, target),
        "blocked_by": tuple(dict.fromkeys(name for c in blocked for name in c.cells)),
        "rules": tuple(dict.fromkeys(c.rule for c in line.crossings if c.effect != "clear")),
    }
    steps = tuple(
        Step(f"{' and '.join(c.cells)}: {c.text}, {c.effect}", c.rule) for c in line.crossings
    )
    return Answer(FrozenMap(values), steps)


def _view(now: Situation, cell: str, *, smoke: bool) -> Answer:
    seen = sight.field_of_view(now.board, sight.smoke_of(now.position, now.board), cell)
    if not smoke:
        return Answer(FrozenMap({"cells": tuple(sorted(seen))}))
    return Answer(FrozenMap({"cells": FrozenMap[Value](seen)}))


def _odds(now: Situation, params: Record) -> Answer:
    """Every target with its sums and its exact chances, as far as the asker knows."""
    cap = params.get("cap")
    points = cap if isinstance(cap, int) else 0
    unit = now.position.unit(str(params["unit"]))
    close = params.get("target") is not None
    rest = params.without("cap")
    action = Action("close_combat" if close else "fire", unit.side, rest)
    if not close and "cell" not in params:
        text = "name the hex fired at, or the enemy in close combat"
        raise IllegalActionError(Verdict((Violation("COH-7.0a", text, field="cell"),)))
    verdict = combat.check_close(now, action) if close else shooting.check_fire(now, action)
    # Whether it can be paid for is another question.
    unpaid = ("COH-3.0a", "COH-3.2.1a", "COH-2.2g")
    barred = tuple(v for v in verdict.violations if v.rule not in unpaid)
    if barred:
        raise IllegalActionError(Verdict(barred, verdict.cost))
    fire = aiming.fire_of(now, action)
    if fire.mode == "smoke" and not close:
        laid = Step(f"smoke is laid in {fire.cell}, and attacks nobody", "COH-13.0g")
        values = FrozenMap[Value]({"targets": (), "cost": int(verdict.cost.total)})
        return Answer(values, resolution=Resolution("odds", steps=(laid,)))
    if close:
        assault = combat.melee(now, fire)
        targets = [now.position.unit(str(params["target"]))]
        works = []
    else:
        assault = aiming.aim(now, fire)
        targets = aiming.targets_at(now, fire.cell, unit.side)
        works = aiming.works_at(now, assault)
    shots = [attack.on_unit(now, assault, t) for t in targets]
    shots += [attack.on_work(now, assault, m) for m in works]
    shots = [shot for shot in shots if not shot.barred]
    listed = tuple(_chances(now, shot, points) for shot in shots)
    first = shots[0] if shots else None
    return Answer(
        FrozenMap({"targets": listed, "cost": int(verdict.cost.total)}),
        resolution=_account(shots, points) if shots else _at_nothing(now, assault),
        distribution=_distribution(now, first, points) if first else None,
    )


def _account(shots: Sequence[Shot], cap: int) -> Resolution:
    """The first target in full, as the distribution is his; every target in a line of its own."""
    first = shots[0]
    bought = (Modifier("command points", cap, "COH-3.2.3a", "dice"),) if cap else ()
    lines = (
        f"{shot.target}: {shot.attack} against {shot.defence} ({shot.facing}): {shot.needed - cap}"
        f" or more on two dice hits, {shot.critical - cap} destroys"
        for shot in shots
    )
    return Resolution(
        "odds",
        strengths=first.strengths,
        modifiers=(*first.power_mods, *bought, *first.rating_mods),
        steps=tuple(Step(line, "COH-7.0b") for line in lines),
    )


def _at_nothing(now: Situation, assault: Assault) -> Resolution:
    """COH-10.0d: what can be said of a shot at a hex that seems empty."""
    red, blue = (attack.firepower(now, assault, colour) for colour in ("red", "blue"))
    text = f"{assault.cell} seems empty: {red} against red, {blue} against blue, if anybody hides"
    return Resolution("odds", steps=(Step(text, "COH-10.0d"),))


def _distribution(now: Situation, shot: Shot, cap: int) -> Distribution[str]:
    """Miss, hit, destroyed: a unit that is hit already is destroyed by any hit (COH-7.4a)."""
    results = attack.chances(shot, cap)
    unit = now.position.units.get(shot.target)
    if unit is None:
        return results.map(lambda r: "miss" if r == "miss" else "destroyed")
    hit_before = now.hit_marker(unit) is not None
    killers = hitpool.draw(now, hitpool.pool_of(now, unit)).map(
        lambda key: "destroyed" if now.tables.hits[key].eliminated else "hit"
    )

    def follow(result: str) -> Distribution[str]:
        if result == "miss":
            return Distribution.certain("miss")
        if result == "critical" or hit_before:
            return Distribution.certain("destroyed")
        return killers

    return results.flat_map(follow)


def _chances(now: Situation, shot: Shot, cap: int) -> Record:
    chances = attack.chances(shot, cap)
    final = _distribution(now, shot, cap)
    values: dict[str, Value] = attack_resolution.shot_values(shot)
    values["chance_to_hit"] = show_number(1 - chances["miss"])
    values["chance_to_kill"] = show_number(final["destroyed"])
    values["strengths"] = tuple(freeze(strength.to_json()) for strength in shot.strengths)
    values["modifiers"] = tuple(freeze(m.to_json()) for m in (*shot.power_mods, *shot.rating_mods))
    unit = now.position.units.get(shot.target)
    if unit is not None and now.hit_marker(unit) is None:
        # COH-7.5a: what a hit would draw.
        drawn = hitpool.draw(now, hitpool.pool_of(now, unit))
        values["draw"] = FrozenMap({key: show_number(drawn[key]) for key in drawn.weights})
    return FrozenMap(values)


def _rally(now: Situation, params: Record) -> Answer:
    unit = now.position.unit(str(params["unit"]))
    action = Action("rally", unit.side, FrozenMap({"units": (unit.id,), "by": "opportunity"}))
    verdict = rally.check_rally(now, action)
    barred = tuple(v for v in verdict.violations if v.rule != "COH-3.1a")
    if barred:
        raise IllegalActionError(Verdict(barred))
    cap = params.get("cap")
    chance = rally.rally_chance(now, unit, cap if isinstance(cap, int) else 0)
    mods = tuple(rally.modifiers(now, unit))
    return Answer(
        FrozenMap({"chance": show_number(chance["rallied"])}),
        resolution=Resolution("rally", modifiers=mods),
        distribution=chance,
    )


def _values(now: Situation, name: str) -> Answer:
    """COH-7.5b: what is printed, and what the marker leaves of it."""
    unit = now.position.unit(name)
    counter, hit = now.counter(unit), now.hit(unit)
    values: dict[str, Value] = {
        "light": counter.light,
        "fire": None if counter.fire is None else counter.fire + (hit.fire if hit else 0),
        "move": counter.move + (hit.move if hit else 0),
        "red": counter.red + (hit.red if hit else 0),
        "blue": counter.blue + (hit.blue if hit else 0),
        "range": reach_of(now, unit),
        "front": counter.front + (hit.front if hit else 0),
        "flank": counter.flank + (hit.flank if hit else 0),
        "armour": counter.armour,
        "hit": hit.key if hit else None,
        "rally": hit.rally if hit else None,
        "can_move": not any(barriers.able_to_move(now, unit)),
        "can_fire": not (hit and (hit.only_rally or hit.no_fire >= {"red", "blue"})),
        "status": "spent" if unit.has("spent") else "active" if unit.has("active") else "fresh",
    }
    return Answer(FrozenMap(values))


def _hex(now: Situation, cell: str) -> Answer:
    kind = now.kind(cell)
    prefix, _, rest = cell.partition("-")
    values: dict[str, Value] = {
        "terrain": kind.key,
        "level": now.board.levels[cell],
        "defence": kind.defence,
        "cover": kind.cover,
        "blocks_sight": kind.blocks,
        "obstacle_level": now.board.levels[cell] + kind.blocks,
        "road": cell in now.board.road_hexes,
        "smoke": now.smoke(cell),
        # COH-1.0c
        "board": int(prefix) if prefix.isdigit() else prefix,
        "row": rest[:1],
        "column": int(rest[1:]) if rest[1:].isdigit() else 0,
    }
    return Answer(FrozenMap(values))
