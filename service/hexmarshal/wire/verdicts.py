"""Actions, verdicts, resolutions and answers as messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hexmarshal.rules.action import Action
from hexmarshal.rules.dice import Given, Roll, RollRequest
from hexmarshal.rules.values import EMPTY, FieldError
from hexmarshal.rules.verdict import (
    Answer,
    Cost,
    CostPart,
    Modifier,
    Outcome,
    Resolution,
    Step,
    Strength,
    Verdict,
    Violation,
)
from hexmarshal.v1 import verdict_pb2 as pb
from hexmarshal.wire.effects import decode_effect, fill_effect
from hexmarshal.wire.positions import decode_sides, fill_sides
from hexmarshal.wire.templates import templated
from hexmarshal.wire.values import (
    decode_amount,
    decode_distribution,
    decode_record,
    encode_distribution,
    encode_record,
    fill_amount,
    fill_record,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "decode_action",
    "decode_answer",
    "decode_cost",
    "decode_given",
    "decode_outcome",
    "decode_request",
    "decode_resolution",
    "decode_roll",
    "decode_verdict",
    "decode_violation",
    "encode_action",
    "encode_answer",
    "encode_cost",
    "encode_outcome",
    "encode_request",
    "encode_resolution",
    "encode_roll",
    "encode_verdict",
    "encode_violation",
    "fill_action",
    "fill_cost",
    "fill_resolution",
    "fill_verdict",
]


def encode_action(action: Action) -> pb.Action:
    """The message of an action."""
    message = pb.Action()
    fill_action(message, action)
    return message


def fill_action(message: pb.Action, action: Action) -> None:
    """Put the action into a message that exists already."""
    message.kind = action.kind
    message.side = action.side
    if action.params:
        fill_record(message.params, action.params)


def decode_action(message: pb.Action) -> Action:
    """The action of a message, not yet checked against what the game declares."""
    return Action(message.kind, message.side, decode_record(message.params))


def encode_violation(violation: Violation) -> pb.Violation:
    """The message of a violation."""
    template, arguments = templated(violation.text, (*violation.units, *violation.cells))
    return pb.Violation(
        rule=violation.rule,
        text=violation.text,
        section=violation.section,
        cells=violation.cells,
        units=violation.units,
        field=violation.field,
        template=template,
        arguments=arguments,
    )


def decode_violation(message: pb.Violation) -> Violation:
    """The violation of a message."""
    return Violation(
        message.rule,
        message.text,
        message.section,
        tuple(message.cells),
        tuple(message.units),
        message.field,
    )


def encode_cost(cost: Cost) -> pb.Cost:
    """The message of a cost."""
    message = pb.Cost()
    fill_cost(message, cost)
    return message


def fill_cost(message: pb.Cost, cost: Cost) -> None:
    """Put the cost into a message that exists already."""
    message.unit = cost.unit
    fill_amount(message.total, cost.total)
    add = message.parts.add
    for part in cost.parts:
        fill_amount(add(text=part.text, rule=part.rule, cell=part.cell).amount, part.amount)


def decode_cost(message: pb.Cost) -> Cost:
    """The cost of a message."""
    parts = (CostPart(decode_amount(p.amount), p.text, p.rule, p.cell) for p in message.parts)
    return Cost(tuple(parts), message.unit)


def encode_verdict(verdict: Verdict) -> pb.Verdict:
    """The message of a verdict."""
    message = pb.Verdict()
    fill_verdict(message, verdict)
    return message


def fill_verdict(message: pb.Verdict, verdict: Verdict) -> None:
    """Put the verdict into a message that exists already: building it apart costs a copy."""
    if verdict.violations:
        message.violations.extend([encode_violation(v) for v in verdict.violations])
        message.legal = False
    else:
        message.legal = True
    cost = verdict.cost
    if cost.parts or cost.unit:
        fill_cost(message.cost, cost)
    if verdict.notes:
        message.notes.extend([encode_violation(n) for n in verdict.notes])


def decode_verdict(message: pb.Verdict) -> Verdict:
    """The verdict of a message."""
    return Verdict(
        tuple(decode_violation(v) for v in message.violations),
        decode_cost(message.cost),
        tuple(decode_violation(n) for n in message.notes),
    )


def encode_roll(roll: Roll) -> pb.Roll:
    """The message of a roll."""
    return pb.Roll(
        sides=roll.sides,
        value=roll.value,
        label=roll.label,
        pick=roll.pick,
        side=roll.side,
        colour=roll.colour,
    )


def decode_roll(message: pb.Roll) -> Roll:
    """The roll of a message."""
    return Roll(
        message.sides,
        message.value,
        message.label,
        message.pick,
        message.side,
        message.colour,
    )


def encode_request(request: RollRequest) -> pb.RollRequest:
    """The message of a roll that is asked for."""
    return pb.RollRequest(
        kind=request.kind,
        dice=request.dice,
        colours=request.colours,
        side=request.side,
        pick=request.pick,
        known=request.known,
    )


def decode_request(message: pb.RollRequest) -> RollRequest:
    """The roll that a message asks for."""
    return RollRequest(
        message.kind,
        tuple(message.dice),
        tuple(message.colours),
        message.side,
        message.pick,
        tuple(message.known),
    )


def decode_given(message: pb.GivenRoll) -> tuple[Given, ...]:
    """The values of a roll at the table, each with what is said of it."""
    values, dice, colours = message.values, message.dice, message.colours
    for name, said in (("dice", dice), ("colours", colours)):
        if said and len(said) != len(values):
            raise FieldError(f"{len(said)}, and there are {len(values)} values", name)
    return tuple(
        Given(
            value,
            message.kind,
            dice[i] if dice else 0,
            message.side,
            colours[i] if colours else "",
        )
        for i, value in enumerate(values)
    )


def _fill_steps(messages: Any, steps: Iterable[Step]) -> None:  # noqa: ANN401
    """Put steps into a field of messages."""
    add = messages.add
    for step in steps:
        message = add(text=step.text, rule=step.rule)
        if step.known_to is not None:
            fill_sides(message.known_to, step.known_to)


def _step(message: pb.Step) -> Step:
    known_to = decode_sides(message.known_to) if message.HasField("known_to") else None
    return Step(message.text, message.rule, known_to)


def encode_resolution(resolution: Resolution) -> pb.Resolution:
    """The message of a resolution."""
    message = pb.Resolution()
    fill_resolution(message, resolution)
    return message


def fill_resolution(message: pb.Resolution, resolution: Resolution) -> None:
    """Put the resolution into a message that exists already: building it apart costs a copy."""
    message.kind = resolution.kind
    message.result = resolution.result
    message.base_column = resolution.base_column
    message.column = resolution.column
    if resolution.strengths:
        add = message.strengths.add
        for s in resolution.strengths:
            strength = add(label=s.label, rules=s.rules, units=s.units, role=s.role)
            fill_amount(strength.printed, s.printed)
            fill_amount(strength.counted, s.counted)
    for m in resolution.modifiers:
        modifier = message.modifiers.add(
            label=m.label, rule=m.rule, to=m.to, excludes=m.excludes, excluded_by=m.excluded_by
        )
        fill_amount(modifier.amount, m.amount)
    if resolution.dice:
        message.dice.extend([encode_roll(roll) for roll in resolution.dice])
    if resolution.steps:
        _fill_steps(message.steps, resolution.steps)
    for effect in resolution.effects:
        fill_effect(message.effects.add(), effect)
    if resolution.values:
        fill_record(message.values, resolution.values)
    if resolution.known_to is not None:
        fill_sides(message.known_to, resolution.known_to)


def decode_resolution(message: pb.Resolution) -> Resolution:
    """The resolution of a message."""
    return Resolution(
        kind=message.kind,
        result=message.result,
        strengths=tuple(
            Strength(
                s.label,
                decode_amount(s.printed),
                decode_amount(s.counted),
                tuple(s.rules),
                tuple(s.units),
                s.role,
            )
            for s in message.strengths
        ),
        base_column=message.base_column,
        column=message.column,
        modifiers=tuple(
            Modifier(
                m.label, decode_amount(m.amount), m.rule, m.to, tuple(m.excludes), m.excluded_by
            )
            for m in message.modifiers
        ),
        dice=tuple(decode_roll(roll) for roll in message.dice),
        steps=tuple(_step(step) for step in message.steps),
        effects=tuple(decode_effect(effect) for effect in message.effects),
        values=decode_record(message.values) if message.HasField("values") else EMPTY,
        known_to=decode_sides(message.known_to) if message.HasField("known_to") else None,
    )


def encode_answer(answer: Answer) -> pb.Answer:
    """The message of an answer."""
    message = pb.Answer()
    message.values.SetInParent()
    fill_record(message.values, answer.values)
    _fill_steps(message.steps, answer.steps)
    if answer.resolution is not None:
        message.resolution.SetInParent()
        fill_resolution(message.resolution, answer.resolution)
    if answer.distribution is not None:
        message.distribution.CopyFrom(encode_distribution(answer.distribution))
    return message


def decode_answer(message: pb.Answer) -> Answer:
    """The answer of a message."""
    return Answer(
        decode_record(message.values),
        tuple(_step(step) for step in message.steps),
        decode_resolution(message.resolution) if message.HasField("resolution") else None,
        decode_distribution(message.distribution) if message.HasField("distribution") else None,
    )


def encode_outcome(outcome: Outcome) -> pb.Outcome:
    """The message of an outcome."""
    return pb.Outcome(
        winners=outcome.winners,
        text=outcome.text,
        rule=outcome.rule,
        scores=encode_record(outcome.scores) if outcome.scores else None,
    )


def decode_outcome(message: pb.Outcome) -> Outcome:
    """The outcome of a message."""
    return Outcome(
        tuple(message.winners), message.text, message.rule, decode_record(message.scores)
    )
