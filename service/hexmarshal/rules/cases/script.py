"""Scripts: cases of several steps, each with what must hold after it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hexmarshal.errors import HexMarshalError
from hexmarshal.rules import engine
from hexmarshal.rules.cases import doing
from hexmarshal.rules.cases.matching import differences, fits
from hexmarshal.rules.values import thaw

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.state.position import Position

__all__ = ["Played", "play", "told"]


@dataclass(slots=True)
class Played:
    """How far a script went: what differed in the step that failed, if one did."""

    differences: tuple[str, ...] = ()
    got: Mapping[str, object] = field(default_factory=dict)
    lines: tuple[str, ...] = ()


def play(plugin: GamePlugin, position: Position, steps: Sequence[Mapping[str, Any]]) -> Played:
    """One step after the other, up to the first that does not come out as expected."""
    for number, step in enumerate(steps, start=1):
        done = _does(plugin, position, step)
        position = done.position
        wrong = [*_wrong(plugin, position, step, done.got)]
        if wrong:
            note = f" ({step['note']})" if "note" in step else ""
            told = tuple(f"step {number}{note}: {line}" for line in wrong)
            return Played(told, {"step": number, **done.got}, done.lines)
    return Played()


def told(error: HexMarshalError) -> dict[str, object]:
    """An error as a case may expect it."""
    field = error.place.field or ""
    return {"error": {"code": error.code, "field": field, "message": error.message}}


def _does(plugin: GamePlugin, position: Position, step: Mapping[str, Any]) -> doing.Done:
    """Carry out what the step says; what is refused leaves the position as it was."""
    try:
        if "action" in step:
            return doing.act(plugin, position, step)
        if "query" in step:
            return doing.ask(plugin, position, step)
    except engine.IllegalActionError as error:
        verdict = error.verdict
        return doing.Done(verdict.to_json(), doing.verdict_lines(verdict), position)
    except HexMarshalError as error:
        return doing.Done(told(error), (error.message,), position)
    return doing.Done({}, (), position)


def _wrong(
    plugin: GamePlugin, position: Position, step: Mapping[str, Any], got: Mapping[str, object]
) -> Iterator[str]:
    """Each way in which what holds after a step is not what it says."""
    if "refuse" in step:
        if got.get("legal") is not False:
            yield f"refuse: expected a refusal by {step['refuse']}, and the action was done"
        yield from differences({"violations": step["refuse"]}, got)
    else:
        expected = step.get("expect", {})
        wants = {"error", "legal", "violations"} & set(expected)
        if "action" in step and got.get("legal") is not True and not wants:
            yield f"action: expected to be done, got {_why(got)}"
        yield from differences(expected, got)
    yield from _facts(plugin, position, step)
    for side, wanted in step.get("offers", {}).items():
        yield from _listing(plugin, position, side, wanted)
    for asked in step.get("next", ()):
        yield from _choosing(plugin, position, asked)


def _why(got: Mapping[str, object]) -> str:
    error = got.get("error")
    return str(error if error is not None else got.get("violations"))


def _facts(plugin: GamePlugin, position: Position, step: Mapping[str, Any]) -> Iterator[str]:
    if "position" in step:
        yield from differences({"position": step["position"]}, {"position": doing.facts(position)})
    for side, seen in step.get("views", {}).items():
        view = doing.facts(engine.view(plugin, position, side))
        yield from (f"views.{line}" for line in differences({side: seen}, {side: view}))
    if "frames" in step:
        yield from differences({"frames": step["frames"]}, position.to_json())
    if "outcome" in step:
        ended = plugin.outcome(position)
        document = None if ended is None else ended.to_json()
        yield from differences({"outcome": step["outcome"]}, {"outcome": document})


def _listing(
    plugin: GamePlugin, position: Position, side: str, wanted: Mapping[str, Any]
) -> Iterator[str]:
    """Whether the list of legal actions holds what it should, and nothing that it should not."""
    for word in ("contain", "lack"):
        for action in wanted.get(word, ()):
            kinds = [action["kind"]]
            plugin.game.actions.require(action["kind"])
            found = [o for o in doing.offered(plugin, position, side, kinds) if fits(action, o)]
            if bool(found) is (word == "lack"):
                yield f"offers.{side}.{word}: {action}, and it is {'' if found else 'not '}there"
    if "count" in wanted:
        there = len(doing.offered(plugin, position, side))
        if there != wanted["count"]:
            yield f"offers.{side}.count: expected {wanted['count']}, got {there}"


def _choosing(plugin: GamePlugin, position: Position, asked: Mapping[str, Any]) -> Iterator[str]:
    """Whether the next choice is among what it should be."""
    where = f"next of {asked['of']}"
    try:
        found = doing.chosen(plugin, position, asked["of"])
    except HexMarshalError as error:
        yield f"{where}: {error}"
        return
    values = [thaw(choice.value) for choice in found.choices]
    for word in ("contain", "lack"):
        for value in asked.get(word, ()):
            if (value in values) is (word == "lack"):
                yield f"{where}: {word} {value!r}, got {values}"
    if "exactly" in asked and sorted(map(str, asked["exactly"])) != sorted(map(str, values)):
        yield f"{where}: exactly {asked['exactly']}, got {values}"
    for word, got in (("slot", found.slot), ("complete", found.complete), ("ready", found.ready)):
        if word in asked and asked[word] != got:
            yield f"{where}: {word} is {got}, expected {asked[word]}"
