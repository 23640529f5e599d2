"""Conditions as typed: smoke, vehicles, weather and night, and all that `--given` takes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.errors import UsageError
from hexmarshal.games.asl.sight.conditions import Conditions, Fog, Smoke
from hexmarshal.games.asl.sight.rules.night import Lights, Wheels

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["MOST", "typed_conditions"]

MOST = 1000
"""No number of a condition is higher."""

_HINT = (
    "one of mist=1, mist=2, fog=LEVEL:N, shelling=HEX[:N], lit=HEX, flash=HEX, moving=HEX:wheels,"
    " moving=HEX:tracks, entrenched=HEX, crest=HEX, alpine"
)


def typed_conditions(
    smoke: Sequence[str],
    vehicles: Sequence[str],
    weather: int,
    night: int | None,
    given: Sequence[str] = (),
) -> Conditions:
    """The conditions that these options name."""
    clouds: dict[str, Smoke] = {}
    for text in smoke:
        name, _, value = text.rpartition("=")
        if not name or not value.isdecimal() or not 1 <= int(value) <= MOST:
            raise UsageError(f"--smoke takes HEX=N with N from 1 on, not {text!r}")
        known = clouds.get(name.upper())
        clouds[name.upper()] = Smoke(int(value) + (known.hindrance if known else 0))
    conditions = Conditions(clouds, frozenset(vehicles), weather, night)
    for text in given:
        conditions = _with(conditions, text)
    return conditions


def _with(conditions: Conditions, text: str) -> Conditions:
    key, _, value = text.partition("=")
    lights, at = conditions.lights, frozenset({value.upper()})
    if key == "alpine" and not value:
        return replace(conditions, alpine=True)
    if key == "mist" and value in {"1", "2"}:
        return replace(conditions, mist=int(value))
    if key == "fog":
        level, _, thick = value.rpartition(":")
        return replace(conditions, fog=Fog(_number(text, level, -MOST), _number(text, thick, 1)))
    if key == "shelling" and value:
        # The name of a hex on a map has a colon of its own.
        name, _, number = value.rpartition(":")
        if not name or not number.isdecimal():
            name, number = value, "1"
        hindrance = _number(text, number, 1)
        return replace(conditions, shelling={**conditions.shelling, name.upper(): hindrance})
    if key == "lit" and value:
        return replace(conditions, lights=replace(lights, lit=lights.lit | at))
    if key == "flash" and value:
        return replace(conditions, lights=replace(lights, flashes=lights.flashes | at))
    if key == "moving":
        return replace(conditions, lights=_moving(lights, text, value))
    if key == "entrenched" and value:
        return replace(conditions, entrenched=conditions.entrenched | at)
    if key == "crest" and value:
        return replace(conditions, crest=conditions.crest | at)
    raise UsageError(f"--given does not know {text!r}", hint=_HINT)


def _moving(lights: Lights, text: str, value: str) -> Lights:
    name, _, kind = value.rpartition(":")
    known = {wheels.value: wheels for wheels in Wheels}
    if not name or kind not in known:
        raise UsageError(f"--given does not know {text!r}", hint=_HINT)
    return replace(lights, moving={**lights.moving, name.upper(): known[kind]})


def _number(text: str, value: str, least: int) -> int:
    digits = value.removeprefix("-")
    if not digits.isdecimal() or not least <= int(value) <= MOST:
        raise UsageError(f"--given does not know {text!r}", hint=_HINT)
    return int(value)
