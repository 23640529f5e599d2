"""What a rules call is about, and its actions and dice, read from a request."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hexmarshal.errors import NotFoundError, RulesError
from hexmarshal.rules.action import Action
from hexmarshal.rules.dice import Dice, Given
from hexmarshal.rules.state.validate import problems
from hexmarshal.rules.values import FieldError
from hexmarshal.service.calls import statuses
from hexmarshal.service.calls.statuses import refusal_of
from hexmarshal.wire.values import decode_value
from hexmarshal.wire.verdicts import decode_given

if TYPE_CHECKING:
    from collections.abc import Callable

    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.plugins.registry import Registry
    from hexmarshal.rules.state.position import Position
    from hexmarshal.service.calls.paging import PageTokens
    from hexmarshal.v1 import verdict_pb2

__all__ = [
    "Case",
    "action_field",
    "admitted",
    "declared_action",
    "given_dice",
    "judged",
    "named_dice_field",
    "params_field",
    "plugin_of",
    "read_action",
]


@dataclass(frozen=True, slots=True)
class Case:
    """What a rules call is about.

    `side` is the seat from which a match is seen; then the position is that side's view already.
    It is empty for a position that the client sent.
    """

    plugin: GamePlugin
    position: Position
    side: str
    deadline: float
    max_actions: int
    tokens: PageTokens

    def in_time(self) -> None:
        """Refuse to go on after the deadline."""
        if time.monotonic() > self.deadline:
            raise statuses.expired()


def plugin_of(registry: Registry, game: str, field: str = "position.game") -> GamePlugin:
    """The plugin of a game, or a refusal."""
    if not game:
        raise statuses.invalid(field, "is missing")
    try:
        return registry.get(game)
    except NotFoundError as error:
        raise statuses.not_found("game", game, f"{error.message} ({error.hint})") from None
    except RulesError:
        raise statuses.unavailable(
            f"the rules of {game!r} cannot be loaded", reason="PLUGIN_BROKEN"
        ) from None


def admitted(plugin: GamePlugin, position: Position) -> Position:
    """A client's position, once nothing is wrong with it."""
    found = position.remember("problems", lambda: problems(plugin, position))
    if found:
        raise statuses.invalid_fields(
            (f"position.{v.field}" if v.field else "position", f"{v.text}") for v in found[:100]
        )
    return position


def action_field(field: str) -> str:
    """Where in a request stands what the kernel names."""
    first = field.partition(".")[0].partition("[")[0]
    if first in {"game", "viewer"}:
        return f"position.{field}"
    if first in {"kind", "side"}:
        return f"action.{field}"
    if first in {"dice", "picks"}:
        return f"dice.{field.replace('[', '.values[', 1)}"
    return f"action.params.{field}" if field else "action"


def params_field(field: str) -> str:
    """The same for a query."""
    first = field.partition(".")[0].partition("[")[0]
    if first in {"game", "viewer"}:
        return f"position.{field}"
    return f"params.{field}" if field else "params"


def read_action(plugin: GamePlugin, message: verdict_pb2.Action) -> Action:
    """The action of a request, its parameters checked against what the game declares."""
    kind = plugin.game.actions.get(message.kind)
    if kind is None:
        known = ", ".join(plugin.game.actions)
        raise FieldError(f"{message.kind!r} is not one of {known}", "kind")
    if not message.side:
        raise FieldError("is missing", "side")
    given = {name: decode_value(value) for name, value in message.params.fields.items()}
    return Action(kind.name, message.side, kind.decode(given))


def given_dice(position: Position, message: verdict_pb2.GivenDice) -> Dice:
    """The dice of a request, or the position's own."""
    has = message.HasField
    if message.rolls:
        if has("dice") or has("picks"):
            raise statuses.invalid("dice.rolls", "in place of dice and picks, not beside them")
        named: dict[bool, list[int | Given]] = {False: [], True: []}
        for i, roll in enumerate(message.rolls):
            try:
                named[roll.pick] += decode_given(roll)
            except FieldError as error:
                raise statuses.invalid(f"dice.rolls[{i}].{error.path[0]}", error.message) from None
        # Of a kind that none was given of, the generator of the position draws, if there is one.
        keep = position.generator is None
        return Dice(
            position.generator,
            given=named[False] if named[False] or keep else None,
            picks=named[True] if named[True] or keep else None,
        )
    return Dice(
        position.generator,
        given=list(message.dice.values) if has("dice") else None,
        picks=list(message.picks.values) if has("picks") else None,
    )


def judged(work: Callable[[], Any], field: Callable[[str], str]) -> Any:  # noqa: ANN401
    """Do it; what the kernel refuses becomes a status that names the field of the request."""
    try:
        return work()
    except Exception as error:
        refusal = refusal_of(error, field)
        if refusal is None:
            raise
        raise refusal from None


def named_dice_field(dice: verdict_pb2.GivenDice, field: str) -> str:
    """Where in a request stands a die that the kernel names by its number, given by name."""
    kind, _, number = field.rstrip("]").partition("[")
    if kind not in {"dice", "picks"}:
        return action_field(field)
    values = [
        (i, j)
        for i, roll in enumerate(dice.rolls)
        if roll.pick is (kind == "picks")
        for j in range(len(roll.values))
    ]
    if not number or int(number) >= len(values):
        return "dice.rolls"
    i, j = values[int(number)]
    return f"dice.rolls[{i}].values[{j}]"


def declared_action(plugin: GamePlugin, message: verdict_pb2.Action) -> Action:
    """The action of a request, or a refusal that names its field."""
    return judged(lambda: read_action(plugin, message), action_field)  # type: ignore[no-any-return]
