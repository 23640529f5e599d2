"""What goes into a message comes out of it again, whatever it is."""

from __future__ import annotations

import pytest
from hypothesis import given

from hexmarshal.rules.state.pieces import Unit
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import MAX_DEPTH, FieldError, FrozenMap, freeze
from hexmarshal.v1 import position_pb2, rules_service_pb2, value_pb2
from hexmarshal.wire import effects, positions, values, verdicts
from server import strategies as s


def sent(message):
    """As the other end reads it."""
    return type(message).FromString(message.SerializeToString())


@given(s.positions)
def test_a_position_survives_the_wire(position):
    assert positions.decode_position(sent(positions.encode_position(position))) == position


@given(s.values)
def test_a_value_survives_the_wire_with_its_type(value):
    found = values.decode_value(sent(values.encode_value(value)))
    assert found == value
    assert type(found) is type(value)


@given(s.effects)
def test_an_effect_survives_the_wire(effect):
    assert effects.decode_effect(sent(effects.encode_effect(effect))) == effect


@given(s.verdicts)
def test_a_verdict_survives_the_wire(verdict):
    assert verdicts.decode_verdict(sent(verdicts.encode_verdict(verdict))) == verdict


@given(s.resolutions)
def test_a_resolution_survives_the_wire(resolution):
    found = verdicts.decode_resolution(sent(verdicts.encode_resolution(resolution)))
    assert found == resolution


@given(s.answers)
def test_an_answer_survives_the_wire_with_odds_of_any_size(answer):
    assert verdicts.decode_answer(sent(verdicts.encode_answer(answer))) == answer


@given(s.outcomes, s.actions)
def test_outcomes_and_actions_survive_the_wire(outcome, action):
    assert verdicts.decode_outcome(sent(verdicts.encode_outcome(outcome))) == outcome
    assert verdicts.decode_action(sent(verdicts.encode_action(action))) == action


def test_the_deepest_value_that_the_kernel_allows_passes_inside_a_request():
    document: object = 1
    for _ in range(MAX_DEPTH - 1):
        document = {"x": document}
    unit = Unit("u", "t", "s", values=FrozenMap({"deep": freeze(document, 1)}))
    request = rules_service_pb2.CheckActionRequest(
        position=positions.encode_position(Position("x", units=FrozenMap({unit.id: unit})))
    )
    assert positions.decode_unit(sent(request).position.units[0]) == unit


def test_an_id_that_is_there_twice_is_an_error_that_names_the_place():
    message = position_pb2.Position(units=[position_pb2.Unit(id="a"), position_pb2.Unit(id="a")])
    with pytest.raises(FieldError) as caught:
        positions.decode_position(message)
    assert caught.value.path == ["units", 1, "id"]


def test_what_cannot_be_sent_exactly_is_refused():
    with pytest.raises(FieldError):
        values.encode_value(2**63)
    with pytest.raises(FieldError):
        values.encode_value("\ud800")
    with pytest.raises(FieldError):
        values.decode_distribution(value_pb2.Distribution())
