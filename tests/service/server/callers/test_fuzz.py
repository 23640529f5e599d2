"""Whatever a client sends, it gets a proper status, and the server stays up.

Messages are built from the descriptors of the API: the right shape with any content, huge, empty
and deeply nested values, and bytes that are no message at all.
"""

from __future__ import annotations

import os
from dataclasses import replace

import grpc
import pytest
from google.protobuf import message_factory
from google.protobuf.descriptor import FieldDescriptor
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hexmarshal.rules.action import Action
from hexmarshal.rules.plugins.registry import Registry
from hexmarshal.rules.values import FrozenMap
from hexmarshal.service.server import SERVICES
from hexmarshal.wire.positions import encode_position
from hexmarshal.wire.values import encode_record
from hexmarshal.wire.verdicts import encode_action
from server.conftest import serving
from server.frontier import ACTIONS, QUERIES, Frontier

METHODS = [method for service in SERVICES for method in service.methods]
UNARY = [m for m in METHODS if not m.client_streaming and not m.server_streaming]
PROPER = {
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.NOT_FOUND,
    grpc.StatusCode.FAILED_PRECONDITION,
    grpc.StatusCode.ABORTED,
    grpc.StatusCode.PERMISSION_DENIED,
    grpc.StatusCode.RESOURCE_EXHAUSTED,
    grpc.StatusCode.UNIMPLEMENTED,
}
START = encode_position(Frontier().setup("duel", {}, None))
# Words that mean something to the game, so that nonsense gets past the first check.
WORDS = ["frontier", "duel", "blue", "red", "b00", "r28", "r29", "0006", "1018", "foot", "play"]
WORDS += ["unit", "path", "target", "from", "to", "cell", "deck", "points", "?", "*", "m0"]
WORDS += [name for name in (*ACTIONS, *QUERIES) if name not in {"crash", "slow"}]

text = st.sampled_from(WORDS) | st.text(st.characters(exclude_categories=("Cs",)), max_size=12)
MATCH = "0" * 32
# By the name of a field, what makes sense there.
LIKELY = {
    "game": ["frontier"],
    "scenario": ["duel", "ruse"],
    "side": ["blue", "red"],
    "match": [MATCH],
    "name": list(QUERIES)[:-2],
    "kind": [name for name in ACTIONS if name != "crash"],
    "page_token": [""],
    "rule": ["F-1"],
}
SCALARS = {
    FieldDescriptor.TYPE_STRING: text,
    FieldDescriptor.TYPE_BOOL: st.booleans(),
    FieldDescriptor.TYPE_BYTES: st.binary(max_size=20),
    FieldDescriptor.TYPE_DOUBLE: st.floats(),
    FieldDescriptor.TYPE_INT64: st.integers(-3, 9) | st.integers(-(2**63), 2**63 - 1),
    FieldDescriptor.TYPE_INT32: st.integers(-3, 9) | st.integers(-(2**31), 2**31 - 1),
    FieldDescriptor.TYPE_ENUM: st.integers(0, 5) | st.integers(0, 2**31 - 1),
}


@st.composite
def messages(draw, descriptor, depth=0):
    """A message of this type with any content."""
    made = message_factory.GetMessageClass(descriptor)()
    fields = list(descriptor.fields)
    if descriptor.full_name == "hexmarshal.v1.Position" and draw(st.integers(0, 3)):
        made.CopyFrom(START)  # mostly one that makes sense, spoilt in one place
        fields = draw(st.lists(st.sampled_from(fields), max_size=1))
    elif descriptor.full_name == "hexmarshal.v1.Action" and draw(st.integers(0, 3)):
        return draw(actions)
    elif descriptor.full_name == "hexmarshal.v1.Record" and draw(st.integers(0, 2)):
        return encode_record(draw(parameters))
    for field in fields:
        if depth > 5 or draw(st.integers(0, 2 + depth)) > 1:
            continue
        fill(draw, made, field, depth)
    return made


parameters = st.fixed_dictionaries(
    {},
    optional={
        "unit": st.sampled_from(["b00", "r00", "r28", "r29", "x"]),
        "target": st.sampled_from(["r00", "r28", "b01"]),
        "path": st.lists(st.sampled_from(["0006", "0007", "1018", "9999"]), max_size=3).map(tuple),
        "cell": st.sampled_from(["0006", "zz"]),
        "from": st.just("0005"),
        "to": st.just("0030"),
    },
).map(FrozenMap)


@st.composite
def sensible(draw):
    """An action whose parameters are those of its kind, or nearly."""
    kind = draw(st.sampled_from(LIKELY["kind"]))
    wanted = [param.name for param in ACTIONS[kind].params]
    given = dict(draw(parameters))
    if draw(st.booleans()):
        given = {name: given.get(name, "b00") for name in wanted}
    return encode_action(
        Action(kind, draw(st.sampled_from(["blue", "red", "x"])), FrozenMap(given))
    )


actions = sensible()


def scalar(draw, field):
    if field.name in LIKELY and draw(st.integers(0, 3)):
        return draw(st.sampled_from(LIKELY[field.name]))
    return draw(SCALARS[field.type])


def fill(draw, made, field, depth) -> None:
    kind = field.message_type
    if kind is not None and kind.GetOptions().map_entry:
        key, value = kind.fields
        for _ in range(draw(st.integers(0, 3))):
            name = draw(SCALARS[key.type])
            if value.message_type is not None:
                getattr(made, field.name)[name].CopyFrom(
                    draw(messages(value.message_type, depth + 1))
                )
            else:
                getattr(made, field.name)[name] = draw(SCALARS[value.type])
    elif field.is_repeated:
        for _ in range(draw(st.integers(0, 3))):
            if kind is not None:
                getattr(made, field.name).append(draw(messages(kind, depth + 1)))
            else:
                getattr(made, field.name).append(scalar(draw, field))
    elif kind is not None:
        getattr(made, field.name).CopyFrom(draw(messages(kind, depth + 1)))
    else:
        setattr(made, field.name, scalar(draw, field))


@pytest.fixture(scope="module")
def channel():
    games = Registry()
    games.add(Frontier())
    with serving(games, rate=0.0) as live, grpc.insecure_channel(live.address) as channel:
        with live.client() as client:
            made = client.create_match("frontier", "duel").id
            row = replace(live.do(live.server.store.match(made)), id=MATCH)
            live.do(live.server.store.create_match(row))
        yield channel


COUNT = {"messages": 0, "accepted": 0}


def send(channel, method, data: bytes) -> None:
    path = f"/{method.containing_service.full_name}/{method.name}"
    COUNT["messages"] += 1
    try:
        if method.client_streaming:
            list(channel.stream_stream(path)(iter([data, data]), timeout=20))
        elif method.server_streaming:
            call = channel.unary_stream(path)(data, timeout=20)
            next(iter(call), None)
            call.cancel()
        else:
            channel.unary_unary(path)(data, timeout=20)
        COUNT["accepted"] += 1
    except grpc.RpcError as error:
        if error.code() not in PROPER or "Traceback" in (error.details() or ""):
            pytest.fail(f"{path}: {error.code()}: {error.details()}")


# HEXMARSHAL_FUZZ sets how many messages each method gets; many by hand.
FUZZ = settings(
    max_examples=int(os.environ.get("HEXMARSHAL_FUZZ", "30")),
    suppress_health_check=list(HealthCheck),
)


@pytest.mark.parametrize("method", UNARY, ids=lambda m: m.name)
@FUZZ
@given(data=st.data())
def test_any_message_gets_a_proper_answer(channel, method, data):
    send(channel, method, data.draw(messages(method.input_type)).SerializeToString())


@FUZZ
@given(st.sampled_from(METHODS), st.binary(max_size=300))
def test_any_bytes_get_a_proper_answer(channel, method, data):
    if method.name == "WatchMatch":
        return  # with luck it names a match, and waits for it
    send(channel, method, data)


@FUZZ
@given(st.sampled_from([m for m in METHODS if m.client_streaming]), st.data())
def test_any_stream_gets_a_proper_answer(channel, method, data):
    send(channel, method, data.draw(messages(method.input_type)).SerializeToString())


UPLOADS = [m for m in METHODS if m.containing_service.name == "ConversionService"]


@FUZZ
@given(st.sampled_from(UPLOADS), st.data())
def test_any_upload_gets_a_proper_answer(channel, method, data):
    """What is wanted first, as it should be, and then anything."""
    kind = message_factory.GetMessageClass(method.input_type)
    plan, *files = method.input_type.oneofs_by_name["part"].fields
    first = kind()
    getattr(first, plan.name).CopyFrom(data.draw(messages(plan.message_type)))
    names = data.draw(st.lists(st.sampled_from([f.name for f in files]), max_size=3))
    sent = [first, *(kind(**{name: data.draw(st.binary(max_size=60))}) for name in names)]
    path = f"/{method.containing_service.full_name}/{method.name}"
    COUNT["messages"] += len(sent)
    try:
        parts = (message.SerializeToString() for message in sent)
        list(channel.stream_stream(path)(parts, timeout=60))
    except grpc.RpcError as error:
        if error.code() not in PROPER or "Traceback" in (error.details() or ""):
            pytest.fail(f"{path}: {error.code()}: {error.details()}")


def field(number: int, body: bytes) -> bytes:
    """One field of a message, as bytes."""
    size, head = len(body), b""
    while size > 127:
        head += bytes([size & 127 | 128])
        size >>= 7
    return bytes([number << 3 | 2]) + head + bytes([size]) + body


@pytest.mark.parametrize("levels", [10, 40, 60, 3000])
def test_values_nested_without_end_get_a_proper_answer(channel, levels):
    """A value inside a value inside a value: no library would build it for us."""
    body = b""
    for _ in range(levels):
        body = field(4, field(1, body))  # Value.list_value, ValueList.values
    for method in UNARY:
        for number in (1, 3):
            send(channel, method, field(number, body))
            send(channel, method, field(number, field(17, field(1, field(2, body)))))


def test_a_huge_message_gets_a_proper_answer(channel):
    for method in UNARY[::6]:
        send(channel, method, field(1, b"x" * (5 << 20)))


def test_the_server_is_still_there(channel, capsys):
    method = next(m for m in UNARY if m.name == "ListGames")
    path = f"/{method.containing_service.full_name}/{method.name}"
    assert channel.unary_unary(path)(b"")
    with capsys.disabled():
        print(f"\n{COUNT['messages']} arbitrary messages, {COUNT['accepted']} made sense")
    assert COUNT["messages"] > 500
