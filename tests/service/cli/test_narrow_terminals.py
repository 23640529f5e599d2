"""Where output goes to a stream that lacks letters, as on Windows into a file, nothing breaks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hexmarshal.vassal.builder import Counter, ModuleBuilder


@pytest.fixture(scope="module")
def module(tmp_path_factory) -> Path:
    made = ModuleBuilder("Zwölf 日本", version="1.0")
    made.map("Kärte", main=True).board("Feld", size=(100, 100))
    made.palette("Trüppen").list("Alle").counter(Counter("歩兵 Ω"))
    return Path(made.save(tmp_path_factory.mktemp("Ördner 日本") / "spiel ü.vmod"))


def said(encoding: str, *words: str) -> tuple[int, bytes, bytes]:
    env = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    env.pop("HEXMARSHAL_DEBUG", None)
    done = subprocess.run(
        [sys.executable, "-m", "hexmarshal", *words], capture_output=True, env=env, check=False
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_text_is_printed_with_the_missing_letters_as_numbers(encoding, module):
    code, out, err = said(encoding, "inspect", str(module))
    assert (code, err) == (0, b"")
    assert rb"\u65e5\u672c" in out


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-8"])
def test_json_is_the_same_document_in_every_encoding(encoding, module):
    code, out, _ = said(encoding, "inspect", str(module), "--json")
    assert code == 0
    assert json.loads(out.decode(encoding))["name"] == "Zwölf 日本"


def test_an_error_as_json_is_json_in_every_encoding(module):
    missing = str(module.with_name("fehlt é.vmod"))
    code, _, err = said("ascii", "inspect", missing, "--json")
    assert code == 4
    assert json.loads(err)["error"]["place"]["file"] == missing


@pytest.mark.skipif(sys.platform in {"win32", "darwin"}, reason="names there are always Unicode")
def test_a_name_that_is_no_text_at_all_can_be_spoken_of(tmp_path):
    code, _, err = said("utf-8", "inspect", os.fsdecode(os.fsencode(tmp_path) + b"/\xff.vmod"))
    assert code == 4
    assert b"\\udcff.vmod: no such file" in err
