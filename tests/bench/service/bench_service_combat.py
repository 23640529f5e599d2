"""Checks and combats of a real game against bare RPCs, with one client and with many at once."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack

import bench_service as service
from ratio import Ratio

CHECK = "/hexmarshal.v1.RulesService/CheckAction"
COMBAT = "/hexmarshal.v1.RulesService/ResolveCombat"


def _requests() -> tuple[bytes, bytes]:
    """CheckAction and ResolveCombat of the same attack, in the first position that has one."""
    from hexmarshal.rules import engine
    from hexmarshal.rules.dice import NeedsDiceError
    from hexmarshal.rules.plugins.registry import default
    from hexmarshal.v1 import rules_service_pb2 as pb
    from hexmarshal.wire import encode_action, encode_position

    plugin = default().get("kharkov")
    position = engine.start(plugin, "training", {}, "bench")
    for _ in range(400):
        offers = engine.offers(plugin, position, position.active[0])
        listed = [offer.action for _, offer in zip(range(150), offers, strict=False)]
        for action in listed:
            try:
                applied = engine.perform(plugin, position, action)
            except NeedsDiceError:
                continue
            if any(r.strengths for r in applied.resolutions):
                asked = {"position": encode_position(position), "action": encode_action(action)}
                check, combat = pb.CheckActionRequest(**asked), pb.ResolveCombatRequest(**asked)
                return check.SerializeToString(), combat.SerializeToString()
        position = engine.perform(plugin, position, listed[0]).position
    raise LookupError("no attack was found")


def measure() -> Iterator[Ratio]:
    check, combat = _requests()
    with ExitStack() as stack:
        address, server = stack.enter_context(service._service("--ephemeral"))
        targets = {}
        for name, path, data in (("check", CHECK, check), ("combat", COMBAT, combat)):
            answer = asyncio.run(service._one(address, path, data))
            bare, echo = stack.enter_context(service._echo(len(answer)))
            targets[f"{name} echo"] = (bare, echo, "/bare/Echo", lambda data=data: data)
            targets[name] = (address, server, path, lambda data=data: data)
        for callers in (1, 64):
            service.CALLERS = callers
            found = asyncio.run(service._drive(targets, rounds=8, seconds=0.4))
            for name, title, goal in (
                ("check", "CheckAction", 0.5),
                ("combat", "ResolveCombat", 0.3),
            ):
                yield Ratio(
                    f"{title}, Kharkov, {callers} clients, calls/s, against echo",
                    found[name][0],
                    found[f"{name} echo"][0],
                    goal,
                    at_least=True,
                )
