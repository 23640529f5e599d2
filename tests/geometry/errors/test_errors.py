"""Errors carry a code, a place and a hint, and outer layers complete the place."""

from __future__ import annotations

import importlib
import pkgutil

import hexmarshal
from hexmarshal.errors import ExitCode, HexMarshalError, Place, VassalFormatError


def _subclasses(cls):
    for sub in cls.__subclasses__():
        yield sub
        yield from _subclasses(sub)


def test_an_outer_layer_fills_in_only_what_is_not_known():
    error = VassalFormatError("cut short", place=Place(entry="savedGame", line=2))
    error.at(Place(file="x.vsav", entry="other"))
    assert str(error) == "x.vsav, entry savedGame, line 2: cut short"


def test_codes_are_stable_and_unique():
    for module in pkgutil.walk_packages(hexmarshal.__path__, "hexmarshal."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    codes = [cls.code for cls in (HexMarshalError, *_subclasses(HexMarshalError))]
    assert len(codes) == len(set(codes))
    assert {"usage", "bad-input", "not-found", "output", "unavailable"} <= set(codes)


def test_every_error_has_a_documented_exit_code(request):
    readme = (request.config.rootpath / "README.md").read_text("utf-8")
    for code in ExitCode:
        assert f"| {code.value} |" in readme
