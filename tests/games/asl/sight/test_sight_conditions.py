"""What a scenario adds to a board: where it fills hexes, who sees it, how far it reaches."""

from __future__ import annotations

import random

import numpy as np
import pytest
from asl_canvas import Canvas

from hexmarshal.errors import NotFoundError
from hexmarshal.games.asl.plugin import AdvancedSquadLeader
from hexmarshal.games.asl.sight.conditions import Conditions, Fog, Smoke
from hexmarshal.games.asl.sight.explain import explain
from hexmarshal.games.asl.sight.rules.citations import Cause
from hexmarshal.games.asl.sight.rules.night import Lights, Wheels
from hexmarshal.games.asl.sight.view import Answer, Spot


def under(conditions: Conditions, a: Spot, b: Spot, canvas: Canvas | None = None) -> Answer:
    """The answer for a line that is the same from the other end and in the whole story."""
    sight = (canvas or Canvas()).sight().under(conditions)
    answer = sight.answer(a, b)
    assert sight.answer(b, a) == answer
    story = explain(sight, a, b)
    assert story.answer == answer
    if not answer.blocked:
        assert sum(item.hindrance for item in story.items) == answer.hindrance
    return answer


# D3 to F3 runs along the hexside between E3 and E4; D2 to E4 along the one of D3 and E3.
ALONG = [("D3", "F3", "E3"), ("D3", "F3", "E4"), ("D2", "E4", "D3"), ("D2", "E4", "E3")]


@pytest.mark.parametrize(("a", "b", "beside"), ALONG)
def test_smoke_and_vehicles_fill_their_hexes_to_the_hexsides(a, b, beside):  # ASL-LOS-4
    line = Spot(a), Spot(b)
    assert under(Conditions(smoke={beside: Smoke(2)}), *line).hindrance == 2
    assert under(Conditions(vehicles=frozenset({beside})), *line).hindrance == 1


def test_of_smoke_on_either_hand_of_a_line_the_thicker_counts():  # ASL-LOS-4 ASL-SMOKE-1
    both = Conditions(smoke={"E3": Smoke(1), "E4": Smoke(3)})
    answer = under(both, Spot("B3"), Spot("H3"))
    assert (answer.hindrance, answer.cause) == (3, Cause.SMOKE)


# Vehicles


def test_a_wreck_that_one_end_does_not_see_hinders_nothing():  # ASL-COV-02
    # The line from A4 to G2 crosses E3, whose middle woods in D3 hide from A4.
    line, wreck = (Spot("A4"), Spot("G2")), Conditions(vehicles=frozenset({"E3"}))
    woods = Canvas().spot("Woods", "D3", 20)
    assert "E3" in explain(woods.sight(), *line).way
    assert woods.sight().answer(Spot("A4"), Spot("E3")).blocked
    assert under(wreck, *line).hindrance == 1
    assert under(wreck, *line, woods).hindrance == 0


def test_a_vehicle_in_the_water_hinders_nothing():  # ASL-COV-02
    canvas = Canvas().fill("Water", "E3")
    assert under(Conditions(vehicles=frozenset({"E3"})), Spot("E1"), Spot("E5"), canvas) == under(
        Conditions(), Spot("E1"), Spot("E5")
    )


# Artillery, mist, fog


def test_shelling_hinders_once_however_many_hexes_are_under_fire():  # ASL-FFE-1 ASL-OBA-19
    line = Spot("E1"), Spot("E6")
    for hexes in (("E3",), ("E2", "E3", "E4"), ("E1", "E6"), ("E1", "E3", "E5")):
        assert under(Conditions(shelling=dict.fromkeys(hexes, 1)), *line).hindrance == 1
    assert under(Conditions(shelling={"E3": 1, "E4": 2}), *line).hindrance == 2
    assert under(Conditions(shelling={"D4": 1}), *line).hindrance == 0
    high = Canvas().raise_to(2, "E1", "E6")
    assert under(Conditions(shelling={"E3": 1}), *line, high).hindrance == 0


@pytest.mark.parametrize(
    ("away", "mist", "heavy"), [(1, 0, 1), (6, 0, 1), (7, 1, 2), (12, 1, 2), (13, 2, 3), (19, 3, 4)]
)
def test_mist_thickens_with_every_six_hexes(away, mist, heavy):  # ASL-LV-1 ASL-MIST-1
    line = Spot("B1"), Spot(f"B{1 + away}")
    canvas = Canvas(3, 21)
    assert under(Conditions(mist=1), *line, canvas).hindrance == mist
    assert under(Conditions(mist=2), *line, canvas).hindrance == heavy
    assert under(Conditions(mist=1, weather=1), *line, canvas).hindrance == mist + 1


def test_inside_of_a_building_the_weather_is_clear():  # ASL-LV-1
    house = Canvas().band("Stone Building, 2 Level", 0, "E3", "E4", wide=22)
    stormy = Conditions(mist=2, weather=1, fog=Fog(3, 1))
    assert under(stormy, Spot("E3"), Spot("E4"), house).hindrance == 0
    assert under(stormy, Spot("E3", 3), Spot("E4", 3), house).hindrance == 3
    assert under(stormy, Spot("E4"), Spot("E6"), house).hindrance == 3


@pytest.mark.parametrize(("top", "hindrance"), [(-1, 0), (0, 1), (1, 2), (2, 3), (4, 3)])
def test_every_level_of_fog_on_the_line_hinders(top, hindrance):  # ASL-FOG-1
    # From two levels up, the ends included: fog on the two lower levels hinders by two.
    line = Spot("E1"), Spot("E4")
    canvas = Canvas().raise_to(2, "E1")
    assert under(Conditions(fog=Fog(top, 1)), *line, canvas).hindrance == hindrance
    assert under(Conditions(fog=Fog(top, 2)), *line).hindrance == (0 if top < 0 else 2)


# Night


def seen_at_night(lights: Lights, reach: int, a: str, b: str) -> tuple[bool, bool]:
    """Whether a sees b, and whether b sees a."""
    sight = Canvas(3, 12).sight().under(Conditions(night_range=reach, lights=lights))
    there, back = sight.answer(Spot(a), Spot(b)), sight.answer(Spot(b), Spot(a))
    assert sight.field(Spot(a)).blocked[sight.board.hex(b)] == there.blocked
    assert not there.blocked or (there.cause, there.rule) == (Cause.NIGHT, "E1.1")
    return not there.blocked, not back.blocked


def test_at_night_light_is_seen_from_afar_and_blinds():  # ASL-NVR-1 ASL-NVR-2
    assert seen_at_night(Lights(), 3, "B1", "B4") == (True, True)
    assert seen_at_night(Lights(), 3, "B1", "B5") == (False, False)
    assert seen_at_night(Lights(flashes=frozenset({"B8"})), 3, "B1", "B8") == (True, False)
    assert seen_at_night(Lights(lit=frozenset({"B8"})), 3, "B1", "B8") == (True, False)
    # Who is lit sees the lit and the flashes alone, even close by.
    assert seen_at_night(Lights(lit=frozenset({"B2"})), 3, "B1", "B2") == (True, False)
    assert seen_at_night(Lights(lit=frozenset({"B1", "B8"})), 3, "B1", "B8") == (True, True)
    both = Lights(lit=frozenset({"B1"}), flashes=frozenset({"B8"}))
    assert seen_at_night(both, 3, "B1", "B8") == (True, True)


@pytest.mark.parametrize(
    ("wheels", "reach", "far"),
    [
        (Wheels.WHEELS, 3, 5),
        (Wheels.TRACKS, 3, 6),
        (Wheels.WHEELS, 4, 6),
        (Wheels.WHEELS, 0, 1),
        (Wheels.TRACKS, 0, 2),
    ],
)
def test_moving_vehicles_are_seen_from_farther_away(wheels, reach, far):  # ASL-NVR-2 ASL-NVR-8
    for away in range(1, 9):
        lights = Lights(moving={f"B{1 + away}": wheels})
        sees, seen = seen_at_night(lights, reach, "B1", f"B{1 + away}")
        assert (sees, seen) == (away <= far, away <= reach)


@pytest.mark.parametrize(
    "conditions",
    [
        Conditions(lights=Lights(lit=frozenset({"Z9"}))),
        Conditions(lights=Lights(moving={"Z9": Wheels.TRACKS})),
        Conditions(night_range=2, lights=Lights(flashes=frozenset({"Z9"}))),
        Conditions(shelling={"Z9": 1}),
        Conditions(entrenched=frozenset({"Z9"})),
        Conditions(crest=frozenset({"Z9"})),
    ],
)
def test_conditions_in_hexes_off_the_board_are_refused(conditions):
    with pytest.raises(NotFoundError, match="Z9"):
        Canvas().sight().under(conditions).answer(Spot("E1"), Spot("E5"))


# Entrenchments and alpine hills


def test_who_is_entrenched_does_not_see_over_the_wall_before_it():  # ASL-FOX-6
    def hidden(canvas: Canvas, target: str, *trench: str) -> bool:
        return under(
            Conditions(entrenched=frozenset(trench)), Spot("E3"), Spot(target), canvas
        ).blocked

    canvas = Canvas().side("Wall", "E3", 3)
    assert not hidden(canvas, "E5")
    assert hidden(canvas, "E5", "E3")
    assert not hidden(canvas, "E4", "E3")
    assert not hidden(canvas, "E1", "E3")
    assert not hidden(canvas, "E5", "E5")
    assert not hidden(Canvas().side("Hedge", "E3", 3).raise_to(1, "E5"), "E5", "E3")
    # From above down to it too; what matters is the entrenched end.
    assert hidden(Canvas().raise_to(1, "E3").side("Hedge", "E3", 3, thick=8), "E5", "E3")
    assert hidden(Canvas().side("Hedge", "E5", 0), "E5", "E5")


def test_alpine_hills_stop_level_lines_across_them_and_no_others():  # ASL-HILL-5
    alpine = Conditions(alpine=True)
    canvas = Canvas().raise_to(1, "E1", "E3", "E5", "E6")
    assert not canvas.sight().answer(Spot("E1"), Spot("E5")).blocked
    answer = under(alpine, Spot("E1"), Spot("E5"), canvas)
    assert (answer.cause, answer.at) == (Cause.ALPINE, "E3")
    assert not under(alpine, Spot("E3"), Spot("E5"), canvas).blocked
    # Hills below both ends, and the plain, stay as they are.
    valley = Canvas().raise_to(2, "E1", "E5").raise_to(1, "E3")
    assert not under(alpine, Spot("E1"), Spot("E5"), valley).blocked
    assert not under(alpine, Spot("E1"), Spot("E5")).blocked


# Crest status


def test_at_the_edge_of_a_gully_one_sees_like_on_the_ground():  # ASL-CREST-2
    canvas = Canvas().band("Gully", -1, "B3", "C3", "D3", "E4", "F4", wide=10)
    crest = Conditions(crest=frozenset({"E4"}))
    assert canvas.sight().answer(Spot("E1"), Spot("E4")).cause is Cause.DEPRESSION
    assert not under(crest, Spot("E1"), Spot("E4"), canvas).blocked
    assert not under(crest, Spot("E4"), Spot("F4"), canvas).blocked
    woods = canvas.spot("Woods", "E2")
    assert under(crest, Spot("E1"), Spot("E4"), woods).cause is Cause.HIGHER


def test_one_board_is_asked_about_units_in_and_above_a_gully():  # ASL-CREST-2
    sight = Canvas().band("Gully", -1, "D3", "E4", "F4", wide=10).sight()
    line = Spot("E1"), Spot("E4")
    crest = sight.under(Conditions(crest=frozenset({"E4"})))
    assert [s.answer(*line).blocked for s in (sight, crest, sight)] == [True, False, True]
    assert crest.under(Conditions(weather=1)).answer(*line).blocked


@pytest.mark.parametrize(("a", "b"), [("D5", "D2"), ("D2", "D5"), ("H4", "B4")])
def test_a_wreck_hinders_before_and_after_all_lines_are_decided(a, b):  # ASL-COV-02
    canvas = Canvas().spot("Woods", "A1")
    sight = canvas.sight()
    way = explain(sight, Spot(a), Spot(b)).way[1:-1]
    before = [
        sight.under(Conditions(vehicles=frozenset({at}))).answer(Spot(a), Spot(b)) for at in way
    ]
    sight.decide_all()
    after = [
        sight.under(Conditions(vehicles=frozenset({at}))).answer(Spot(a), Spot(b)) for at in way
    ]
    assert after == before
    assert {answer.hindrance for answer in after} == {1}


def test_single_lines_are_those_of_arrays_whatever_fills_hexes_beside_them():
    """A single line that stays clear of smoke and the like is looked up; arrays decide all anew."""
    sight = AdvancedSquadLeader().atlas.sight("proving")
    names, rng = sight.board.grid.names, random.Random(5)
    clear = 0
    for _ in range(12):
        filled = rng.sample(names, 6)
        seen = sight.under(
            Conditions(
                smoke={name: Smoke(rng.randint(1, 3)) for name in filled[:3]},
                vehicles=frozenset(filled[3:4]),
                shelling={filled[4]: 1},
                entrenched=frozenset(filled[5:]),
            )
        )
        ends = [rng.sample(range(len(names)), 2) for _ in range(60)]
        one, two = (np.array(part) for part in zip(*ends, strict=True))
        levels = np.zeros(len(ends), np.int64)
        many = seen.answers(one, levels, two, levels)
        for i, (a, b) in enumerate(ends):
            single = seen.between(a, 0, b, 0)
            assert (single.blocked, single.hindrance) == (many.blocked[i], many.hindrance[i])
            clear += single == sight.between(a, 0, b, 0)
    assert 300 < clear < 720
