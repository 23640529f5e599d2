"""Generates the Python of proto/hexmarshal/v1, the reference in docs/service/api.md and a client.

`make proto` writes; `make proto-check` compares, lints the style and refuses breaking changes
against proto/released.binpb, the API as last released (`--release` renews it).
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PROTO = Path(__file__).resolve().parent
SOURCES = sorted(p.relative_to(PROTO).as_posix() for p in PROTO.glob("hexmarshal/v1/*.proto"))
RELEASED = PROTO / "released.binpb"
GENERATED = re.compile(r"_pb2(_grpc)?\.pyi?$")


def generate(target: Path) -> None:
    """Write message classes, stubs and types for every .proto file below `target`."""
    import grpc_tools

    google = Path(grpc_tools.__file__).parent / "_proto"
    binaries = Path(sys.executable).parent
    plugins = [
        f"--plugin=protoc-gen-{name}={binaries / f'protoc-gen-{name}'}"
        for name in ("mypy", "mypy_grpc")
    ]
    outs = [f"--{kind}_out={target}" for kind in ("python", "grpc_python")]
    outs += [f"--{kind}_out=quiet:{target}" for kind in ("mypy", "mypy_grpc")]
    command = [sys.executable, "-m", "grpc_tools.protoc", f"-I{PROTO}", f"-I{google}"]
    subprocess.run([*command, *plugins, *outs, *SOURCES], check=True, cwd=PROTO)


def tree(folder: Path) -> dict[str, bytes]:
    """Generated files below a folder, by relative name."""
    found = (p for p in folder.glob("hexmarshal/v1/*") if GENERATED.search(p.name))
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in found}


def drift() -> list[str]:
    """Names of generated files that differ from what the .proto files give now."""
    with tempfile.TemporaryDirectory() as scratch:
        generate(Path(scratch))
        fresh, kept = tree(Path(scratch)), tree(PROTO)
    return sorted(name for name in fresh.keys() | kept.keys() if fresh.get(name) != kept.get(name))


def buf(*args: str) -> int:
    """Run buf on this folder; it needs no network for a module without dependencies."""
    return subprocess.run(
        [Path(sys.executable).parent / "buf", *args], cwd=PROTO, check=False
    ).returncode


def main() -> int:
    """Generate, or check."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    parser.add_argument("--release", action="store_true", help="renew released.binpb")
    options = parser.parse_args()
    import reference
    import threaded

    written = {reference.PAGE: reference.page(reference.reference()), **dict(threaded.threaded())}
    if not options.check:
        generate(PROTO)
        for path, text in written.items():
            path.write_text(text, "utf-8")
        return buf("build", "-o", RELEASED.name) if options.release else 0
    stale = drift()
    for name in stale:
        print(f"proto/{name} does not match its .proto file: run `make proto`", file=sys.stderr)
    for path, text in written.items():
        if path.read_text("utf-8") != text:
            stale.append(path.name)
            print(f"{path.name} is not as it is generated: run `make proto`", file=sys.stderr)
    style = buf("lint")
    breaking = buf("breaking", "--against", RELEASED.name)
    return 1 if stale or style or breaking else 0


if __name__ == "__main__":
    sys.exit(main())
