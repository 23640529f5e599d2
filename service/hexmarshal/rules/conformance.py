"""Conformance cases: what a rulebook's examples say, as data, run against a plugin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from hexmarshal.errors import HexMarshalError, Place, RulesError
from hexmarshal.geometry.wording import worded
from hexmarshal.rules import engine, validate
from hexmarshal.rules.dice import Dice
from hexmarshal.rules.matching import differences
from hexmarshal.rules.position import Position
from hexmarshal.rules.rulebook import load_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.verdict import Applied, Verdict

__all__ = ["SCHEMA", "Case", "CaseFile", "CaseResult", "load_cases", "merge_patch", "run_case"]

DOES = ("action", "query", "offers", "validate", "view")
# What an expectation can be about without the action being carried out.
_OF_THE_CHECK = {"legal", "violations", "no_violations", "cost", "notes", "error"}
_OFFER_LIMIT = 10_000

_POSITION: dict[str, object] = {"type": "object"}
_SITUATION: dict[str, object] = {
    "position": {
        **_POSITION,
        "description": "The position; what it leaves out is as in an empty position of the game.",
    },
    "scenario": {"type": "string", "description": "Start from the set-up of this scenario."},
    "options": {"type": "object", "description": "Switches of the game."},
    "seed": {"type": ["string", "integer"], "description": "The seed of the game's generator."},
    "changes": {
        "type": "object",
        "description": "Changes to the position, as a JSON merge patch: null removes.",
    },
}
SCHEMA: dict[str, object] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "HexMarshal conformance cases",
    "type": "object",
    "required": ["game", "cases"],
    "additionalProperties": False,
    "properties": {
        "game": {"type": "string", "description": "The key of the game."},
        "title": {"type": "string"},
        "base": {
            "type": "object",
            "description": "What every case of the file starts from.",
            "additionalProperties": False,
            "properties": _SITUATION,
        },
        "cases": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["id", "rules", "expect"],
                "additionalProperties": False,
                "oneOf": [{"required": [name]} for name in DOES],
                "properties": {
                    "id": {"type": "string", "minLength": 1},
                    "rules": {
                        "type": "array",
                        "items": {"type": "string"},
                        "minItems": 1,
                        "description": "The ids of the rules that the case is about.",
                    },
                    "note": {"type": "string"},
                    **_SITUATION,
                    "action": {
                        "type": "object",
                        "required": ["kind", "side"],
                        "description": "Kind, side and parameters of an action.",
                    },
                    "query": {
                        "type": "object",
                        "required": ["name"],
                        "description": "Name and parameters of a query.",
                    },
                    "as": {"type": "string", "description": "The side that asks the query."},
                    "offers": {
                        "type": "string",
                        "description": "List the legal actions of this side.",
                    },
                    "validate": {"const": True, "description": "Check the position itself."},
                    "view": {"type": "string", "description": "What this side sees."},
                    "dice": {"type": "array", "items": {"type": "integer"}},
                    "picks": {"type": "array", "items": {"type": "integer"}},
                    "expect": {
                        "type": "object",
                        "minProperties": 1,
                        "description": "Matched as a subset of what comes out.",
                    },
                },
            },
        },
    },
}


@dataclass(frozen=True, slots=True)
class Case:
    """One case: `patches` make its position, those of the file's base first."""

    id: str
    rules: tuple[str, ...]
    body: Mapping[str, Any]
    file: str
    patches: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class CaseFile:
    """The cases of one file, all of one game."""

    game: str
    file: str
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What came out of a case: nothing but agreement, or the differences and the arithmetic."""

    case: Case
    differences: tuple[str, ...]
    got: Mapping[str, object]
    arithmetic: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether the case holds."""
        return not self.differences


def load_cases(file: Path) -> CaseFile:
    """A file of cases, checked against the schema; errors name the field."""
    import jsonschema

    document = load_yaml(file)
    validator = jsonschema.Draft202012Validator(SCHEMA)
    error = next(iter(sorted(validator.iter_errors(document), key=lambda e: list(e.path))), None)
    if error is not None:
        field = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in error.absolute_path)
        text = worded(error)
        if error.validator == "oneOf":
            text = f"a case has exactly one of: {', '.join(DOES)}"
        raise RulesError(text, place=Place(file=str(file), field=field.lstrip(".") or None))
    base = document.get("base", {})
    seen: set[str] = set()
    cases = []
    for body in document["cases"]:
        if body["id"] in seen:
            raise RulesError(f"case {body['id']} twice", place=Place(file=str(file)))
        seen.add(body["id"])
        layers = (layer.get(name) for layer in (base, body) for name in ("position", "changes"))
        patches = tuple(layer for layer in layers if layer is not None)
        whole = {**base, **body}
        cases.append(Case(body["id"], tuple(body["rules"]), whole, str(file), patches))
    return CaseFile(document["game"], str(file), tuple(cases))


def merge_patch(target: object, patch: object) -> Any:  # noqa: ANN401 - JSON
    """A JSON merge patch (RFC 7396): objects merge, null removes, all else replaces."""
    if not isinstance(patch, Mapping):
        return patch
    merged = dict(target) if isinstance(target, Mapping) else {}
    for name, value in patch.items():
        if value is None:
            merged.pop(name, None)
        else:
            merged[name] = merge_patch(merged.get(name), value)
    return merged


def run_case(plugin: GamePlugin, case: Case) -> CaseResult:
    """Run one case and compare."""
    unknown = [rule for rule in case.rules if rule not in plugin.rulebook]
    try:
        got, arithmetic = _run(plugin, case)
    except engine.IllegalActionError as error:
        got, arithmetic = error.verdict.to_json(), _verdict_lines(error.verdict)
    except HexMarshalError as error:
        field = error.place.field or ""
        got = {"error": {"code": error.code, "field": field, "message": error.message}}
        arithmetic = ()
    found = tuple(differences(case.body["expect"], got))
    strangers = tuple(f"rules: {rule} is not in the rulebook" for rule in unknown)
    return CaseResult(case, strangers + found, got, arithmetic)


def situation(plugin: GamePlugin, case: Case) -> Position:
    """The position that a case is about."""
    body = case.body
    if "scenario" in body:
        start = engine.start(plugin, body["scenario"], body.get("options"), body.get("seed"))
        document = start.to_json()
    else:
        document = plugin.blank().to_json()
        document["options"] = dict(engine.complete_options(plugin, body.get("options", {})))
        if "seed" in body:
            document["generator"] = {"seed": str(body["seed"])}
    for patch in case.patches:
        document = merge_patch(document, patch)
    return Position.from_json(document)


def _run(plugin: GamePlugin, case: Case) -> tuple[Mapping[str, object], tuple[str, ...]]:
    body = case.body
    position = situation(plugin, case)
    if "validate" in body:
        problems = validate.problems(plugin, position)
        return {"violations": [v.to_json() for v in problems], "legal": not problems}, ()
    validate.admit(plugin, position)
    if "view" in body:
        return engine.view(plugin, position, body["view"]).to_json(), ()
    if "offers" in body:
        side = body["offers"]
        offered = list(islice(engine.offers(plugin, position, side), _OFFER_LIMIT))
        actions = [{**o.action.to_json(), "cost": o.verdict.cost.to_json()} for o in offered]
        return {"count": len(actions), "actions": actions}, ()
    if "query" in body:
        name, params = plugin.game.queries.decode(body["query"])
        answer = engine.ask(plugin, position, name, params, body.get("as", ""))
        steps = [*answer.steps, *(answer.resolution.steps if answer.resolution else ())]
        return answer.to_json(), tuple(_cited(step.rule, step.text) for step in steps)
    action = plugin.game.actions.decode(body["action"])
    if set(body["expect"]) <= _OF_THE_CHECK and "dice" not in body and "picks" not in body:
        verdict = engine.check(plugin, position, action)
        return verdict.to_json(), _verdict_lines(verdict)
    verdict = engine.check(plugin, position, action)
    dice = Dice(position.generator, given=body.get("dice"), picks=body.get("picks"))
    applied = engine.perform(plugin, position, action, dice)
    got = verdict.to_json() | _played(plugin, applied)
    return got, (*_verdict_lines(verdict), *_lines(applied))


def _played(plugin: GamePlugin, applied: Applied) -> dict[str, object]:
    document = applied.to_json()
    if applied.resolutions:
        # A case about one combat need not dig for it: its fields stand at the top too.
        first = applied.resolutions[0].to_json()
        document = {**first, **document}
    ended = plugin.outcome(applied.position)
    document["position"] = applied.position.to_json()
    document["outcome"] = None if ended is None else ended.to_json()
    return document


def _cited(rule: str, text: str) -> str:
    return f"{rule}: {text}" if rule else text


def _verdict_lines(verdict: Verdict) -> tuple[str, ...]:
    broken = [_cited(v.rule, v.text) for v in verdict.violations]
    parts = [f"{_cited(p.rule, p.text)}: {p.amount}" for p in verdict.cost.parts]
    total = [f"cost: {verdict.cost.total} {verdict.cost.unit}".rstrip()] if parts else []
    return (*broken, *parts, *total)


def _lines(applied: Applied) -> Iterator[str]:
    for resolution in applied.resolutions:
        for strength in resolution.strengths:
            rules = " ".join(strength.rules)
            yield _cited(rules, f"{strength.label}: {strength.printed} counts {strength.counted}")
        for modifier in resolution.modifiers:
            yield _cited(modifier.rule, f"{modifier.label}: {modifier.amount} to {modifier.to}")
        for step in resolution.steps:
            yield _cited(step.rule, step.text)
        rolled = ", ".join(str(roll.value) for roll in resolution.dice)
        yield f"{resolution.kind}: {resolution.result}" + (f" (dice {rolled})" if rolled else "")
