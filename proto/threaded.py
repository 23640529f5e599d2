"""The client for threads, made from the client for asyncio: the same text without its waiting.

Calls are written once, in `client/asynchronous*.py`. `make proto` writes the other form beside it.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

CLIENT = Path(__file__).resolve().parents[1] / "service" / "hexmarshal" / "client"
SOURCES = sorted(CLIENT.glob("asynchronous*.py"))
MARK = "# Made from {} by `make proto`; change it there.\n"
WORDS = (
    (r"^import grpc\.aio\n", ""),
    (r"\bgrpc\.aio\b", "grpc"),
    (r"\bawait ", ""),
    (r"\basync ", ""),
    (r"\bAsync(?=[A-Z])", ""),
    (r"\basynchronous", "synchronous"),
    (r"\b__a(enter|exit)__", r"__\1__"),
    (r"for asyncio: every call is awaited", "for threads: every call waits for its answer"),
    (r"The rules service, for asyncio", "The rules service; safe to share between threads"),
    (r"the channel, for asyncio", "the channel, for threads"),
    # What a linter would write where nothing is awaited between two items.
    (r"for (\w+) in (.+):\n +yield \1\n", r"yield from \2\n"),
    (r"\[(\w+) for \1 in (.+)\]", r"list(\2)"),
)


def threaded() -> Iterator[tuple[Path, str]]:
    """The files of the client for threads, and what they should hold."""
    for source in SOURCES:
        text = source.read_text("utf-8")
        for pattern, to in WORDS:
            text = re.sub(pattern, to, text, flags=re.MULTILINE)
        target = source.with_name(source.name.removeprefix("a"))
        yield target, MARK.format(source.name) + tidy(text, target)


def tidy(text: str, target: Path) -> str:
    """With imports in order and lines as long as they need be."""
    for command in (("check", "--quiet", "--select", "I", "--fix"), ("format", "--quiet")):
        text = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--stdin-filename", str(target), "-"],
            input=text,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    return text
