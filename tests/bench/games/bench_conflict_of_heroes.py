"""What sight and fire cost in Conflict of Heroes beside the bare traces and the sight they need."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ratio import Ratio, compare

from hexmarshal.games.conflict_of_heroes import ConflictOfHeroes
from hexmarshal.games.conflict_of_heroes.queries import answers
from hexmarshal.games.conflict_of_heroes.rules.fire import shooting
from hexmarshal.games.conflict_of_heroes.rules.terrain import sight
from hexmarshal.geometry.lattice.hex_route import centre_route
from hexmarshal.geometry.sight.trace import trace
from hexmarshal.rules import engine
from hexmarshal.rules.action import Action
from hexmarshal.rules.state.pieces import Marker
from hexmarshal.rules.values import FrozenMap, Value

_TIMES = 200


def measure() -> Iterable[Ratio]:
    plugin = ConflictOfHeroes()
    map_ = plugin.boards["1"]
    start = engine.start(plugin, "first_steps", None, 1)
    smoke = {
        f"s{n}": Marker(f"s{n}", "smoke", cell=cell, values=FrozenMap({"points": points}))
        for n, (cell, points) in enumerate((("1-E10", 2), ("1-F08", 1), ("1-D11", 1)))
    }
    position = replace(start, markers=start.markers.merged(smoke), phase="play", state="")
    points = sight.smoke_of(position, map_)
    centre = map_.hexes["1-F09"]

    def view() -> None:
        sight.field_of_view(map_, points, "1-F09")

    def new_view() -> None:
        # As on the first day: no course of a line is known yet.
        sight.course.cache_clear()
        _forget_routes()
        view()

    def traces() -> None:
        for other in map_.names:
            trace(map_.map, centre, other)

    def new_traces() -> None:
        _forget_routes()
        traces()

    yield compare("first field of view of a hex / bare traces", new_view, new_traces, 3, rounds=9)
    yield compare("later field of view of a hex / bare traces", view, traces, 3, rounds=9)

    known = engine.view(plugin, position, "german")
    scene = plugin.situation(known)
    shot = Action("fire", "german", FrozenMap({"unit": "g5", "cell": "1-D08", "by": "opportunity"}))
    # The engine remembers what it said of the last action: so that it cannot, two take turns.
    shots = (shot, Action("fire", "german", shot.params.set("by", "command")))
    line: FrozenMap[Value] = FrozenMap({"cell": "1-E12", "target": "1-D08"})

    def checks() -> None:
        for _ in range(_TIMES):
            shooting.check_fire(scene, shot)

    def lines() -> None:
        for _ in range(_TIMES):
            answers.answer(scene, "sight", line)

    yield compare("a fire check / its line of sight", checks, lines, 2, rounds=9)

    def asked_checks() -> None:
        for i in range(_TIMES):
            engine.check(plugin, position, shots[i % 2])

    # Without the smoke the shot is legal: as most checks are, of what somebody may choose.
    clear = replace(start, phase="play", state="")
    seen = engine.view(plugin, clear, "german")
    assert all(plugin.check(seen, shot).legal for shot in shots)

    def legal_checks() -> None:
        for i in range(_TIMES):
            engine.check(plugin, clear, shots[i % 2])

    def own_checks() -> None:
        for i in range(_TIMES):
            plugin.check(seen, shots[i % 2])

    yield compare(
        "a legal shot by the engine / the plugin's own check", legal_checks, own_checks, 1.2
    )

    def asked_lines() -> None:
        for _ in range(_TIMES):
            engine.ask(plugin, position, "sight", line, "german")

    yield compare(
        "a fire check / its line of sight, by the engine", asked_checks, asked_lines, 2, rounds=9
    )


def _forget_routes() -> None:
    forget = getattr(centre_route, "cache_clear", None)
    if forget is not None:
        forget()
