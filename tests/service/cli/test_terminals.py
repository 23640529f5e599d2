"""What a file says does not steer the terminal."""

from __future__ import annotations

import io
import sys

import pytest

from hexmarshal.cli.main import run
from hexmarshal.cli.terminal import Guarded, guard_terminals
from hexmarshal.errors import ExitCode
from tests.converters.vassal.small_modules import picture, sound_module


@pytest.mark.parametrize(
    ("text", "cursor", "shown"),
    [
        ("a\tb\nc\rd", False, "a\tb\nc\rd"),
        ("\x1b[1mbold\x1b[0m", False, "\x1b[1mbold\x1b[0m"),
        ("\x1b[2Jgone", False, "\\x1b[2Jgone"),
        ("\x1b[2K\x1b[1A", True, "\x1b[2K\x1b[1A"),
        ("\x1b]52;c;ZXZpbA==\x07", True, "\\x1b]52;c;ZXZpbA==\\x07"),
        ("\x9b31m, \u202egnp.exe, caf\u00e9", False, "\\x9b31m, \\u202egnp.exe, caf\u00e9"),
    ],
)
def test_only_colours_and_bars_reach_it(text, cursor, shown):
    stream = io.StringIO()
    assert Guarded(stream, cursor=cursor).write(text) == len(text)
    assert stream.getvalue() == shown


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_an_image_with_control_codes_in_its_name_is_listed_harmlessly(tmp_path, monkeypatch):
    module = sound_module()
    module.changes["images/\x1b]0;mine\x07.svg"] = picture(9)
    module.save(tmp_path / "a.vmod")
    screen = Terminal()
    monkeypatch.setattr(sys, "stdout", screen)
    monkeypatch.setattr(sys, "stderr", screen)
    guard_terminals()
    assert run(["images", str(tmp_path / "a.vmod")]) == ExitCode.OK
    assert "\x1b]" not in screen.getvalue()
    assert "\\x1b]0;mine" in screen.getvalue()
