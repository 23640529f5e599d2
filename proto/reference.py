"""Writes the reference part of docs/service/api.md from the comments of the .proto files."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorSet

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.descriptor_pb2 import DescriptorProto, FileDescriptorProto

PROTO = Path(__file__).resolve().parent
PAGE = PROTO.parent / "docs" / "service" / "api.md"
BEGIN = "<!-- reference: written by `make proto` from the comments in proto/hexmarshal/v1 -->"
# The services first, then what they talk about.
ORDER = ("game_service", "rules_service", "sight_service", "match_service")
ORDER += ("position", "verdict", "effect", "game", "value")

_SCALARS = {
    FieldDescriptorProto.TYPE_DOUBLE: "double",
    FieldDescriptorProto.TYPE_INT64: "int64",
    FieldDescriptorProto.TYPE_INT32: "int32",
    FieldDescriptorProto.TYPE_BOOL: "bool",
    FieldDescriptorProto.TYPE_STRING: "string",
    FieldDescriptorProto.TYPE_BYTES: "bytes",
}
# Field numbers within descriptor.proto, of which paths to comments are made.
_MESSAGE, _ENUM, _SERVICE, _INNER = 4, 5, 6, 2


def described() -> dict[str, FileDescriptorProto]:
    """The files with their comments, by short name."""
    import grpc_tools

    google = Path(grpc_tools.__file__).parent / "_proto"
    sources = sorted(p.relative_to(PROTO).as_posix() for p in PROTO.glob("hexmarshal/v1/*.proto"))
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "api.binpb"
        command = [sys.executable, "-m", "grpc_tools.protoc", f"-I{PROTO}", f"-I{google}"]
        options = ["--include_source_info", f"--descriptor_set_out={out}"]
        subprocess.run([*command, *options, *sources], check=True, cwd=PROTO)
        files = FileDescriptorSet.FromString(out.read_bytes()).file
    return {Path(file.name).stem: file for file in files}


def _comments(file: FileDescriptorProto) -> dict[tuple[int, ...], str]:
    found = {}
    for place in file.source_code_info.location:
        lines = [line.strip() for line in place.leading_comments.strip().splitlines()]
        found[tuple(place.path)] = " ".join(line for line in lines if line)
    return found


def _link(name: str) -> str:
    short = name.rpartition(".")[2]
    if not name.startswith(".hexmarshal."):
        return f"`{short}`"
    return f"[{short}](#{short.lower()})"


def _type(field: FieldDescriptorProto, message: DescriptorProto) -> str:
    if field.type == FieldDescriptorProto.TYPE_MESSAGE:
        for nested in message.nested_type:
            if nested.options.map_entry and field.type_name.endswith(f".{nested.name}"):
                return f"map of `string` to {_type(nested.field[1], nested)}"
    kind = _SCALARS.get(field.type)
    shown = f"`{kind}`" if kind else _link(field.type_name)
    if field.label == FieldDescriptorProto.LABEL_REPEATED:
        return f"repeated {shown}"
    return f"optional {shown}" if field.proto3_optional else shown


def _message(
    file: FileDescriptorProto, index: int, notes: dict[tuple[int, ...], str]
) -> Iterator[str]:
    message = file.message_type[index]
    yield f"#### {message.name}\n"
    yield f"{notes.get((_MESSAGE, index), '')}\n"
    if not message.field:
        return
    yield "| field | type | |"
    yield "| --- | --- | --- |"
    for i, field in enumerate(message.field):
        text = notes.get((_MESSAGE, index, _INNER, i), "")
        if field.HasField("oneof_index") and not field.proto3_optional:
            text = f"*One of `{message.oneof_decl[field.oneof_index].name}`.* {text}"
        yield f"| `{field.name}` | {_type(field, message)} | {text} |"
    yield ""


def _file(file: FileDescriptorProto) -> Iterator[str]:
    notes = _comments(file)
    for s, service in enumerate(file.service):
        yield f"### {service.name}\n"
        yield f"{notes.get((_SERVICE, s), '')}\n"
        yield "| method | request | response | |"
        yield "| --- | --- | --- | --- |"
        for m, method in enumerate(service.method):
            asked = ("stream of " if method.client_streaming else "") + _link(method.input_type)
            given = ("stream of " if method.server_streaming else "") + _link(method.output_type)
            text = notes.get((_SERVICE, s, _INNER, m), "")
            yield f"| `{method.name}` | {asked} | {given} | {text} |"
        yield ""
    if not file.service:
        yield f"### {Path(file.name).name}\n"
    for i in range(len(file.message_type)):
        yield from _message(file, i, notes)
    for e, enum in enumerate(file.enum_type):
        yield f"#### {enum.name}\n"
        yield f"{notes.get((_ENUM, e), '')}\n"
        yield "| value | |"
        yield "| --- | --- |"
        for v, value in enumerate(enum.value):
            yield f"| `{value.name}` | {notes.get((_ENUM, e, _INNER, v), '')} |"
        yield ""


def reference() -> str:
    """The reference, from its marker to the end of the page."""
    files = described()
    lines = [BEGIN, "", "## Reference", ""]
    for name in (*ORDER, *sorted(set(files) - set(ORDER))):
        lines += _file(files[name])
    return "\n".join(lines).rstrip() + "\n"


def page(reference: str) -> str:
    """The page with this reference; what people wrote above the marker stays."""
    written = PAGE.read_text("utf-8").partition(BEGIN)[0]
    return written + reference
