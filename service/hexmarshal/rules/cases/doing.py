"""What one case, or one step of a script, does: an action, a query, a list, the next choice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from hexmarshal.errors import Place, RulesError
from hexmarshal.rules import engine
from hexmarshal.rules.cases.matching import Usual
from hexmarshal.rules.choosing.choices import Begun
from hexmarshal.rules.dice import Dice

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from hexmarshal.rules.choosing.choices import Choices
    from hexmarshal.rules.plugin import GamePlugin, Offer
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.verdict import Applied, Resolution, Verdict

__all__ = [
    "MOST_OFFERS",
    "Done",
    "act",
    "ask",
    "chosen",
    "facts",
    "judge",
    "offered",
    "verdict_lines",
]

# A list of offers longer than this is not looked through.
MOST_OFFERS = 10_000


@dataclass(frozen=True, slots=True)
class Done:
    """What came out, the arithmetic for a person, and the position after it."""

    got: Mapping[str, object]
    lines: tuple[str, ...]
    position: Position


def act(plugin: GamePlugin, position: Position, body: Mapping[str, Any]) -> Done:
    """Carry out the action with the dice given; an illegal one raises."""
    action = plugin.game.actions.decode(body["action"])
    verdict = engine.check(plugin, position, action)
    dice = Dice(position.generator, given=body.get("dice"), picks=body.get("picks"))
    applied = engine.perform(plugin, position, action, dice)
    got = verdict.to_json() | _played(plugin, applied, body.get("resolution"))
    return Done(got, (*verdict_lines(verdict), *_lines(applied)), applied.position)


def judge(plugin: GamePlugin, position: Position, body: Mapping[str, Any]) -> Done:
    """Check the action and leave it at that."""
    verdict = engine.check(plugin, position, plugin.game.actions.decode(body["action"]))
    return Done(verdict.to_json(), verdict_lines(verdict), position)


def ask(plugin: GamePlugin, position: Position, body: Mapping[str, Any]) -> Done:
    """Put a query, for all or as one side."""
    name, params = plugin.game.queries.decode(body["query"])
    answer = engine.ask(plugin, position, name, params, body.get("as", ""))
    steps = [*answer.steps, *(answer.resolution.steps if answer.resolution else ())]
    return Done(answer.to_json(), tuple(_cited(s.rule, s.text) for s in steps), position)


def offered(
    plugin: GamePlugin, position: Position, side: str, kinds: Collection[str] = ()
) -> list[Mapping[str, object]]:
    """The legal actions of a side with their costs, as many as anybody looks through."""
    offers: Iterator[Offer] = engine.offers(plugin, position, side, kinds)
    return [
        {**offer.action.to_json(), "cost": offer.verdict.cost.to_json()}
        for offer in islice(offers, MOST_OFFERS)
    ]


def chosen(plugin: GamePlugin, position: Position, document: Mapping[str, Any]) -> Choices:
    """What may be chosen next for an action begun."""
    fields = dict(document)
    side, slot = fields.pop("side"), fields.pop("slot", "")
    if not isinstance(side, str) or not isinstance(slot, str):
        raise RulesError("side and slot are texts", place=Place(field="next"))
    begun = Begun.decode(plugin.game.actions, fields, slot)
    return engine.next_choices(plugin, position, side, begun)


def facts(position: Position) -> dict[str, object]:
    """The position as JSON, with the numbers that JSON leaves out because they are as usual."""
    document = position.to_json()
    shown: dict[str, object] = {}
    written = document.get("units")
    if isinstance(written, dict):
        shown["units"] = {
            name: {"steps": Usual(unit.steps), "level": Usual(unit.level), **written[name]}
            for name, unit in position.units.items()
        }
    return {"turn": Usual(position.turn), **document, **shown}


def _played(plugin: GamePlugin, applied: Applied, named: object) -> dict[str, object]:
    document = applied.to_json()
    if applied.resolutions:
        # A case about one combat need not dig for it: its fields stand at the top too.
        document = {**_meant(applied, named).to_json(), **document}
    elif named is not None:
        raise RulesError("nothing was resolved", place=Place(field="resolution"))
    ended = plugin.outcome(applied.position)
    document["position"] = facts(applied.position)
    document["outcome"] = None if ended is None else ended.to_json()
    return document


def _meant(applied: Applied, named: object) -> Resolution:
    """The resolution that a case speaks of: the first, or that of a kind."""
    if named is None:
        return applied.resolutions[0]
    kind, nth = (named["kind"], named.get("nth", 1)) if isinstance(named, Mapping) else (named, 1)
    of_kind = [r for r in applied.resolutions if r.kind == kind]
    if len(of_kind) < nth:
        there = ", ".join(r.kind for r in applied.resolutions)
        raise RulesError(
            f"there is no {kind!r} number {nth} among the resolutions: {there}",
            place=Place(field="resolution"),
        )
    return of_kind[nth - 1]


def _cited(rule: str, text: str) -> str:
    return f"{rule}: {text}" if rule else text


def verdict_lines(verdict: Verdict) -> tuple[str, ...]:
    """A verdict for a person: what is violated, and the bill."""
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
    if applied.rolls:
        asked = (
            f"{roll.value} ({roll.label})" if roll.label else f"{roll.value}"
            for roll in applied.rolls
        )
        yield f"rolled in this order: {', '.join(asked)}"
