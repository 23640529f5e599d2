"""The description of bindings: its examples are one valid binding, and it leaves no field out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from hexmarshal.table.binding import Binding, schema

TEXT = (Path(__file__).parents[4] / "docs" / "referee" / "binding.md").read_text(encoding="utf-8")
BLOCKS = [yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", TEXT, re.DOTALL)]


def test_the_examples_are_one_valid_binding() -> None:
    merged: dict[str, Any] = {}
    for block in BLOCKS:
        assert merged.keys().isdisjoint(block)
        merged |= block
    bound = Binding.load(merged)
    assert merged.keys() == schema()["properties"].keys()
    assert bound.map.cell("Hex 0304") == "0304"
    assert bound.map.location("0304") == "Hex 0304"


def fields(part: dict[str, Any]) -> Iterator[str]:
    """Every key that the schema knows, at any depth."""
    for name, inner in part.get("properties", {}).items():
        yield name
        yield from fields(inner)
    for key in ("items", "additionalProperties"):
        if isinstance(part.get(key), dict):
            yield from fields(part[key])
    for inner in (*part.get("oneOf", ()), *part.get("$defs", {}).values()):
        yield from fields(inner)


@pytest.mark.parametrize("name", sorted(set(fields(schema()))))
def test_every_field_is_described(name: str) -> None:
    assert re.search(rf'(^|[\s{{`"]){re.escape(name)}["`]?[:`]', TEXT)
