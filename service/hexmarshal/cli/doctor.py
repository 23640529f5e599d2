"""`hexmarshal doctor`: what this installation can do."""

from __future__ import annotations

import importlib.util
import platform
import sys
from importlib.metadata import PackageNotFoundError, version

from hexmarshal.cli.options import Json, command_app, examples
from hexmarshal.cli.output import print_fields, print_json, print_table
from hexmarshal.errors import ExitCode

app = command_app("Show what is installed, what is missing and what it is for.")

# distribution, module, what works only with it, extra that brings it ("" = core)
PARTS = (
    ("lxml", "lxml", "VASSAL files", ""),
    ("shapely", "shapely", "geometry", ""),
    ("grpcio", "grpc", "the rules service", ""),
    ("protobuf", "google.protobuf", "the rules service", ""),
    ("pillow", "PIL", "pictures of modules and saves", "render"),
    ("resvg-py", "resvg_py", "SVG pictures as PNG", "render"),
    ("openpyxl", "openpyxl", "workbooks of Excel (.xlsx)", "sheets"),
    ("odfpy", "odf", "new workbooks of LibreOffice (.ods)", "sheets"),
    ("psycopg", "psycopg", "matches in PostgreSQL", "postgres"),
    ("prometheus-client", "prometheus_client", "metrics", "metrics"),
    ("starlette", "starlette", "pages for browsers", "web"),
    ("uvicorn", "uvicorn", "pages for browsers", "web"),
    ("distributed", "distributed", "check by a cluster", "cluster"),
)


def _installed(distribution: str, module: str) -> str:
    if importlib.util.find_spec(module.partition(".")[0]) is None:
        return ""
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "?"


@app.command(epilog=examples("hexmarshal doctor", "hexmarshal doctor --json"))
def doctor(*, json: Json = False) -> int:
    """Show what is installed, what is missing and what it is for."""
    about = {
        "hexmarshal": version("hexmarshal"),
        "python": platform.python_version(),
        "platform": sys.platform,
    }
    parts = [
        {"part": dist, "version": _installed(dist, module), "for": use, "extra": extra}
        for dist, module, use, extra in PARTS
    ]
    broken = any(not p["version"] and not p["extra"] for p in parts)
    if json:
        print_json({**about, "parts": parts})
    else:
        print_fields(about)
        rows = (
            (
                p["part"],
                p["version"] or f"missing: pip install 'hexmarshal[{p['extra']}]'",
                p["for"],
            )
            for p in parts
        )
        print_table("", ("part", "version", "for"), rows)
    return ExitCode.UNAVAILABLE if broken else ExitCode.OK
