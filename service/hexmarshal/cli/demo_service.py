"""The service in `hexmarshal demo`: a server of its own, asked a few things, then stopped."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from itertools import islice
from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError
from hexmarshal.errors.counts import counted
from hexmarshal.rules import Action
from hexmarshal.rules.dice import Generator
from hexmarshal.v1 import game_pb2 as pb

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.client import Client
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.verdict import Resolution

__all__ = ["ask_about", "running_server"]

_WAIT = 60
_OFFERS = 40
_PRELUDE = 20
_MOST_ACTIONS = 300


@contextlib.contextmanager
def running_server() -> Iterator[str]:
    """The address of a server on loopback that keeps its matches in memory."""
    command = [sys.executable, "-m", "hexmarshal", "serve", "--ephemeral"]
    command += ["--listen", "127.0.0.1:0", "--workers", "0"]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)  # noqa: S603
    try:
        assert server.stderr is not None
        said = server.stderr.readline()
        try:
            yield str(json.loads(said)["address"])
        except (ValueError, KeyError):
            raise HexMarshalError(f"the server did not start: {said.strip()}") from None
    finally:
        server.terminate()
        server.communicate(timeout=_WAIT)


def ask_about(client: Client, game: str) -> None:
    """A move, a combat and a line of sight in the first scenario of a game."""
    first = client.scenarios(game)[0]
    position = client.scenario(game, first.key, seed="demo")
    print(f"  {game}, scenario {position.scenario!r}: {counted(len(position.units), 'unit')}")
    _move(client, position)
    _combat(client, position)
    _sight(client, position)


def _move(client: Client, position: Position) -> None:
    """A move that is offered, and the same by the other side."""
    chosen = None
    for _ in range(_PRELUDE):  # set-up, initiative and the like come first
        side = next(iter(position.active), "")  # where both may act, the first goes first
        if moves := list(islice(client.actions(position, side, kinds=["move"]), 8)):
            chosen = moves[-1].action
            break
        forced = next(client.actions(position, side), None)
        if forced is None:
            return
        position = client.resolve(position, forced.action).position
    if chosen is None:
        return
    verdict = client.check(position, chosen)
    print(f"  {chosen}: {'legal' if verdict.legal else 'illegal'}, cost {verdict.cost.total}")
    other = next(side for side in position.sides if side != chosen.side)
    refused = client.check(position, Action(chosen.kind, other, chosen.params))
    for violation in refused.violations:
        print(f"  the same by {other}: illegal, {violation.rule}: {violation.text}")


def _combat(client: Client, position: Position) -> None:
    """Play at random until dice decide something; then show its arithmetic."""
    chance = Generator("a demonstration")
    for _ in range(_MOST_ACTIONS):
        side = next(iter(position.active), "")
        offers = list(islice(client.actions(position, side), _OFFERS))
        if not offers:
            return
        index, chance = chance.below(len(offers))
        applied = client.resolve(position, offers[index].action)
        position = applied.position
        for fought in applied.resolutions:
            if fought.dice and (fought.strengths or fought.modifiers):
                print(f"  {offers[index].action}")
                _show(fought)
                return


def _show(fought: Resolution) -> None:
    for strength in fought.strengths:
        print(f"    {strength.role or 'strength'}: {strength.label} {strength.counted}")
    for modifier in fought.modifiers:
        print(f"    {modifier.label}: {modifier.amount:+} to {modifier.to} ({modifier.rule})")
    dice = " ".join(str(roll.value) for roll in fought.dice)
    column = f"column {fought.column}, " if fought.column else ""
    print(f"    {column}dice {dice}: {fought.result}")


def _sight(client: Client, position: Position) -> None:
    """From a unit of one side to a unit of another, where the game knows sight."""
    queries = {query.name: query for query in client.game(position.game).queries}
    query = queries.get("sight")
    where = {unit.side: unit.cell for unit in position.units.values() if unit.cell}
    if query is None or len(where) < 2:
        return
    start, end, *_ = where.values()
    cells = (param.name for param in query.params if param.type == pb.PARAM_TYPE_CELL)
    ends = dict(zip(cells, (start, end), strict=False))
    answer = client.ask(position, "sight", **ends)
    print(
        f"  sight from {start} to {end}: {'clear' if answer.values.get('visible') else 'blocked'}"
    )
    for step in answer.steps:
        print(f"    {step.text}" + (f" ({step.rule})" if step.rule else ""))
