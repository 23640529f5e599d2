"""The service in `hexmarshal demo`: a server of its own, asked a few things, then stopped."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.client import Client

__all__ = ["ask_about", "running_server"]

_WAIT = 60


@contextlib.contextmanager
def running_server() -> Iterator[str]:
    """The address of a server on loopback that keeps its matches in memory."""
    command = [sys.executable, "-m", "hexmarshal.cli", "serve", "--ephemeral"]
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
    """A legal action, the same out of turn, and the first actions of a match."""
    from itertools import islice

    from hexmarshal.client import InMatch
    from hexmarshal.rules import Action, registry

    key = registry.default().get(game).scenarios()[0].key
    position = client.scenario(game, key)
    print(f"  {game}, scenario {key!r}: {len(position.units)} units, phase {position.phase!r}")
    chosen = list(islice(client.actions(position), 8))[-1].action
    verdict = client.check(position, chosen)
    print(f"  {chosen}: {'legal' if verdict.legal else 'illegal'}, cost {verdict.cost.total}")
    other = next(side for side in position.sides if side != chosen.side)
    refused = client.check(position, Action(chosen.kind, other, chosen.params))
    for violation in refused.violations:
        print(f"  the same by {other}: illegal, {violation.rule}: {violation.text}")
    match = client.create_match(game, key, seed="demo")
    version = match.version
    for _ in range(3):
        action = list(islice(client.actions(InMatch(match.id)), 5))[-1].action
        version = client.submit(match.id, version, action).version
        print(f"  match at version {version}: {action}")
