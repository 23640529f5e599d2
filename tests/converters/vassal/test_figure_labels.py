"""Labels on drawn counters: texts and properties are written, expressions are not spelt out."""

from __future__ import annotations

import pytest

from hexmarshal.vassal.builder import Counter, ModuleBuilder, label, markers
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.render.figure import figure
from hexmarshal.vassal.render.pictures import Pictures


def drawn(text: str) -> tuple[tuple[int, int], bytes]:
    module = Module.from_archive(ModuleBuilder("Labels").archive())
    counter = Counter("Tank", "", (markers({"Weapon": "gun"}), label(text)))
    found = figure(counter.piece(), Pictures(module))
    assert found is not None
    return found.image.size, found.image.tobytes()


@pytest.mark.parametrize("text", ["$Weapon$", "{Weapon}", "{ Weapon }", " gun "])
def test_a_property_is_written_out(text: str) -> None:
    assert drawn(text) == drawn("gun")
    assert drawn(text) != drawn("")


@pytest.mark.parametrize("text", ['{Weapon == "gun" ? "a" : "b"}', "{Nothing}", "{}", "<html>x"])
def test_what_would_have_to_be_worked_out_is_left_out(text: str) -> None:
    assert drawn(text) == drawn("")
