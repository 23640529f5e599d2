"""`hexmarshal call`: any method of the rules service from the shell, JSON in and JSON out."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hexmarshal.cli.options import command_app, examples
from hexmarshal.cli.output import print_json
from hexmarshal.errors import BadInputError, ExitCode, NotFoundError, UsageError
from hexmarshal.errors import Place as Where
from hexmarshal.errors.names import did_you_mean

if TYPE_CHECKING:
    from google.protobuf.descriptor import MethodDescriptor

app = command_app("Call a rules service: JSON in, JSON out.")


@app.command(
    epilog=examples(
        "hexmarshal call",
        "hexmarshal call ListGames",
        'hexmarshal call GetScenario \'{"game": "GAME", "scenario": "SCENARIO"}\'',
        'hexmarshal call CheckMove --position p.json \'{"units": ["UNIT"], "path": ["0101"]}\'',
        'hexmarshal call WatchMatch \'{"match": "..."}\'',
        "hexmarshal call CheckLog '{\"plan\": {}}' --module game.vmod --saved game.vlog",
    )
)
def call(
    method: Annotated[
        str, typer.Argument(metavar="METHOD", help="A method, such as CheckMove; none lists them.")
    ] = "",
    request: Annotated[
        str,
        typer.Argument(
            metavar="REQUEST", help="The request as JSON; @FILE reads a file, - standard input."
        ),
    ] = "{}",
    *,
    address: Annotated[
        str,
        typer.Option(
            "--address", metavar="HOST:PORT", envvar="HEXMARSHAL_ADDRESS", help="The server."
        ),
    ] = "127.0.0.1:50051",
    position: Annotated[
        Path | None,
        typer.Option(
            "--position", metavar="FILE", help="A position as JSON; also the answer of GetScenario."
        ),
    ] = None,
    module: Annotated[
        Path | None, typer.Option("--module", metavar="VMOD", help="A module to send along.")
    ] = None,
    saved: Annotated[
        Path | None, typer.Option("--saved", metavar="FILE", help="A .vlog or .vsav to send along.")
    ] = None,
    token: Annotated[
        str,
        typer.Option(
            "--token",
            metavar="TOKEN",
            envvar="HEXMARSHAL_TOKEN",
            help="A bearer token.",
            show_default=False,
        ),
    ] = "",
    tls: Annotated[bool, typer.Option("--tls", help="Use TLS with the system's roots.")] = False,
    ca: Annotated[
        Path | None, typer.Option("--ca", metavar="FILE", help="Trust this CA, PEM.")
    ] = None,
    cert: Annotated[
        Path | None, typer.Option("--cert", metavar="FILE", help="A certificate of ours, PEM.")
    ] = None,
    key: Annotated[Path | None, typer.Option("--key", metavar="FILE", help="Its key, PEM.")] = None,
    timeout: Annotated[
        float, typer.Option("--timeout", metavar="SECONDS", help="How long to wait.")
    ] = 30.0,
) -> int:
    """Call a method of a rules service; a stream gives one JSON document a line."""
    methods = _methods()
    if not method:
        for name, found in methods.items():
            print(f"{found.containing_service.name}/{name}")
        return ExitCode.OK
    found = _find(methods, method)
    message = _request(found, request, position)
    messages = _messages(found, message, {"module": module, "saved": saved})

    import grpc

    from hexmarshal.client.channel import Reach
    from hexmarshal.client.errors import error_of

    reach = Reach(address, token, ca, cert, key, tls)
    credentials = reach.credentials
    channel = (
        grpc.insecure_channel(address, options=reach.options)
        if credentials is None
        else grpc.secure_channel(address, credentials, options=reach.options)
    )
    with channel:
        try:
            _print_answers(channel, found, messages, reach.metadata, timeout)
        except grpc.RpcError as error:
            refused = error_of(error)
            names = dict.fromkeys(filter(None, (refused.status, refused.reason)))
            refused.hint = refused.hint or f"status {' '.join(names)}"
            raise refused from None
    return ExitCode.OK


def _methods() -> dict[str, MethodDescriptor]:
    from hexmarshal.v1 import (
        conversion_service_pb2,
        game_service_pb2,
        match_service_pb2,
        rules_service_pb2,
        sight_service_pb2,
    )

    files = (
        game_service_pb2,
        rules_service_pb2,
        sight_service_pb2,
        match_service_pb2,
        conversion_service_pb2,
    )
    return {
        method.name: method
        for file in files
        for service in file.DESCRIPTOR.services_by_name.values()
        for method in service.methods
    }


def _find(methods: dict[str, MethodDescriptor], name: str) -> MethodDescriptor:
    wanted = name.rpartition("/")[2]
    by_lower = {known.lower(): known for known in methods}
    known = by_lower.get(wanted.lower())
    if known is None:
        hint = did_you_mean(wanted, methods, "'hexmarshal call' lists them")
        raise UsageError(f"no such method: {name!r}", hint=hint)
    return methods[known]


def _text(request: str) -> str:
    if request == "-":
        return sys.stdin.read()
    if request.startswith("@"):
        return _file(Path(request[1:]))
    return request


def _file(path: Path) -> str:
    from hexmarshal.geometry.values_with_lines import text_of

    try:
        return text_of(path.read_bytes(), str(path))
    except FileNotFoundError:
        raise NotFoundError("no such file", place=Where(file=str(path))) from None
    except OSError as error:
        why = error.strerror or error
        raise BadInputError(f"cannot be read: {why}", place=Where(file=str(path))) from None


def _request(method: MethodDescriptor, text: str, position: Path | None) -> Any:  # noqa: ANN401
    from google.protobuf import json_format, message_factory

    message: Any = message_factory.GetMessageClass(method.input_type)()
    try:
        json_format.Parse(_text(text), message)
    except json_format.ParseError as error:
        text = " ".join(str(error).split())
        raise BadInputError(f"not a {method.input_type.name}: {text}") from None
    if position is not None:
        if "position" not in method.input_type.fields_by_name:
            raise UsageError(f"{method.name} takes no position")
        from hexmarshal.scenario.source import read_source
        from hexmarshal.table.scenarios.reading import position_in
        from hexmarshal.wire import encode_position

        source = read_source(_file(position).encode(), str(position))
        message.position.CopyFrom(encode_position(position_in(source.value, source)))
    return message


def _messages(
    method: MethodDescriptor,
    message: Any,  # noqa: ANN401 - the request
    files: dict[str, Path | None],
) -> list[Any]:
    """The request, and the files that follow it in pieces."""
    from hexmarshal.client.conversions import Upload

    sent = tuple((name, path) for name, path in files.items() if path is not None)
    for name, path in sent:
        if not path.is_file():
            raise NotFoundError("no such file", place=Where(file=str(path)))
        if not method.client_streaming or name not in method.input_type.fields_by_name:
            raise UsageError(f"{method.name} takes no {name}")
    pieces = Upload("", type(message), type(message), {}, sent).messages()
    # The first of an upload says what is wanted, which the request does here.
    return [message, *list(pieces)[1:]]


def _print_answers(
    channel: Any,  # noqa: ANN401 - grpc's channel
    method: MethodDescriptor,
    messages: list[Any],
    metadata: tuple[tuple[str, str], ...],
    timeout: float,
) -> None:
    from google.protobuf import json_format, message_factory

    answer: Any = message_factory.GetMessageClass(method.output_type)
    path = f"/{method.containing_service.full_name}/{method.name}"
    message = messages[0]
    kinds = {"request_serializer": type(message).SerializeToString}
    kinds["response_deserializer"] = answer.FromString

    def document(found: Any) -> dict[str, Any]:  # noqa: ANN401
        shown: dict[str, Any] = json_format.MessageToDict(found, preserving_proto_field_name=True)
        return shown

    if method.client_streaming and not method.server_streaming:
        call = channel.stream_unary(path, **kinds)
        print_json(document(call(iter(messages), timeout=timeout, metadata=metadata)))
        return
    if not method.server_streaming:
        found = channel.unary_unary(path, **kinds)(message, timeout=timeout, metadata=metadata)
        print_json(document(found))
        return
    if method.client_streaming:
        answers = channel.stream_stream(path, **kinds)(
            iter(messages), timeout=timeout, metadata=metadata
        )
    else:
        answers = channel.unary_stream(path, **kinds)(message, metadata=metadata)
    for found in answers:
        if method.name == "ExportMatch":
            sys.stdout.buffer.write(found.chunk)
        elif method.name == "WriteSave":
            sys.stdout.buffer.write(found.saved)
            for note in found.notes.notes:
                print(f"not shown: {note.text}", file=sys.stderr)
        else:
            print_json(document(found), lines=True)
    sys.stdout.flush()
