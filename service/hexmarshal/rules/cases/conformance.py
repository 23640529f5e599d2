"""Conformance cases: what a rulebook's examples say, as data, run against a plugin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hexmarshal.errors import HexMarshalError, Place, RulesError
from hexmarshal.geometry.schema_errors import worded
from hexmarshal.rules import engine
from hexmarshal.rules.cases import doing, script
from hexmarshal.rules.cases.matching import differences
from hexmarshal.rules.cases.schema import DOES, SCHEMA
from hexmarshal.rules.plugins.faults import fault_of
from hexmarshal.rules.rulebook import load_yaml
from hexmarshal.rules.state import validate
from hexmarshal.rules.state.position import Position

if TYPE_CHECKING:
    from pathlib import Path

    from hexmarshal.rules.plugin import GamePlugin

__all__ = ["SCHEMA", "Case", "CaseFile", "CaseResult", "load_cases", "merge_patch", "run_case"]

# What an expectation can be about without the action being carried out.
_OF_THE_CHECK = {"legal", "violations", "no_violations", "cost", "notes", "error"}


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
    """Run one case and compare; a plugin that fails fails its case."""
    strangers = tuple(
        f"rules: {rule} is not in the rulebook"
        for rule in case.rules
        if rule not in plugin.rulebook
    )
    try:
        if "script" in case.body:
            position = situation(plugin, case)
            validate.admit(plugin, position)
            played = script.play(plugin, position, case.body["script"])
            return CaseResult(case, strangers + played.differences, played.got, played.lines)
        got, arithmetic = _run(plugin, case)
    except engine.IllegalActionError as error:
        got, arithmetic = error.verdict.to_json(), doing.verdict_lines(error.verdict)
    except HexMarshalError as error:
        got, arithmetic = script.told(error), ()
    except Exception as error:  # noqa: BLE001 - whatever it is, the other cases go on
        fault = fault_of(error, [plugin])
        text = str(fault) if fault else f"failed: {type(error).__name__}: {error}"
        return CaseResult(case, (*strangers, text), {})
    expected = case.body.get("expect")
    if expected is None:  # a script that could not begin
        text = f"the script does not begin: {got.get('error', got)}"
        return CaseResult(case, (*strangers, text), got)
    return CaseResult(case, strangers + tuple(differences(expected, got)), got, arithmetic)


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
        as_set_up = body["validate"] == "set_up"
        ask = validate.setup_problems if as_set_up else validate.problems
        problems = ask(plugin, position)
        return {"violations": [v.to_json() for v in problems], "legal": not problems}, ()
    validate.admit(plugin, position)
    if "view" in body:
        return doing.facts(engine.view(plugin, position, body["view"])), ()
    if "offers" in body:
        actions = doing.offered(plugin, position, body["offers"])
        return {"count": len(actions), "actions": actions}, ()
    if "next" in body:
        return doing.chosen(plugin, position, body["next"]).to_json(), ()
    if "query" in body:
        done = doing.ask(plugin, position, body)
    elif set(body["expect"]) <= _OF_THE_CHECK and "dice" not in body and "picks" not in body:
        done = doing.judge(plugin, position, body)
    else:
        done = doing.act(plugin, position, body)
    return done.got, done.lines
