"""`hexmarshal play GAME`: a random player looks for what should not happen."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hexmarshal.cli.options import Force, Jobs, Json, command_app, examples
from hexmarshal.cli.output import print_fields, print_json, progress
from hexmarshal.cli.rules.plugins import (
    Data,
    GameKey,
    Options,
    Plugins,
    Scenario,
    assignments,
    games,
)
from hexmarshal.errors import BadInputError, ExitCode, HexMarshalError, NotFoundError, Place
from hexmarshal.errors.counts import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hexmarshal.rules.playing.selfplay import PlayedGame
    from hexmarshal.rules.plugin import GamePlugin

app = command_app("Let a random player play legal actions to the end, and report what is wrong.")


@app.command(
    epilog=examples(
        "hexmarshal play mygame --games 200 --seed 1",
        "hexmarshal play mygame --perft 3",
        "hexmarshal play mygame --save games.jsonl; hexmarshal play mygame --replay games.jsonl",
    )
)
def play(
    game: GameKey,
    *,
    number: Annotated[
        int, typer.Option("--games", "-n", metavar="N", min=1, help="How many games to play.")
    ] = 10,
    seed: Annotated[
        int, typer.Option(metavar="N", help="Game i is played with this seed plus i.")
    ] = 1,
    scenario: Scenario = "",
    option: Options = None,
    max_actions: Annotated[
        int, typer.Option(metavar="N", min=1, help="A game longer than this has no end.")
    ] = 5000,
    jobs: Jobs = 1,
    perft: Annotated[
        int,
        typer.Option(metavar="N", min=0, help="Count sequences of so many legal actions instead."),
    ] = 0,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE.jsonl", help="Write the games down.")
    ] = None,
    replay: Annotated[
        Path | None, typer.Option(metavar="FILE.jsonl", help="Replay written games instead.")
    ] = None,
    force: Force = False,
    plugin: Plugins = None,
    data: Data = None,
    json: Json = False,
) -> int:
    """Play random games; report exceptions, dead ends, broken invariants, different replays."""
    from hexmarshal.vassal.container.atomic import refuse_existing, write_atomically

    one = games(plugin, data, game=game).get(game)
    switches = assignments(option or (), [o.param for o in one.game.options])
    if replay is not None:
        return _replay(one, replay, as_json=json)
    if perft:
        return _perft(one, scenario, switches, seed, perft, as_json=json)
    if save is not None:
        refuse_existing(save, force=force)
    seeds = [str(seed + i) for i in range(number)]
    played: list[PlayedGame] = []
    with progress("games", number) as advance:
        for each in _games(game, plugin, seeds, scenario, switches, max_actions, jobs):
            played.append(each)
            advance(1)
    if save is not None:
        lines = (line for each in played for line in each.record.to_lines())
        write_atomically(save, (f"{line}\n".encode() for line in lines), force=force)
    return _report(game, seed, played, as_json=json)


def _games(
    game: str,
    plugin: list[str] | None,
    seeds: Sequence[str],
    scenario: str,
    switches: Mapping[str, object],
    max_actions: int,
    jobs: int,
) -> Iterator[PlayedGame]:
    tasks = [(game, plugin, seed, scenario, switches, max_actions) for seed in seeds]
    if jobs == 1:
        yield from map(_one_game, tasks)
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    cores = os.cpu_count() or 1
    workers = min(jobs or cores, cores, len(tasks))
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        yield from pool.map(_one_game, tasks)


def _one_game(
    task: tuple[str, list[str] | None, str, str, Mapping[str, object], int],
) -> PlayedGame:
    from hexmarshal.rules.playing.selfplay import play_game

    game, plugin, seed, scenario, switches, max_actions = task
    one = games(plugin).get(game)
    return play_game(one, seed, scenario=scenario, options=switches, max_actions=max_actions)


def _report(game: str, seed: int, played: Sequence[PlayedGame], *, as_json: bool) -> int:
    findings = [(seed + i, finding) for i, one in enumerate(played) for finding in one.findings]
    wins = Counter(" and ".join(p.winners) or "nobody" for p in played if p.winners is not None)
    kinds: Counter[str] = Counter()
    for one in played:
        kinds.update(one.kinds)
    actions = sum(p.actions for p in played)
    checks = sum(p.checks for p in played)
    if as_json:
        print_json(
            {
                "game": game,
                "games": len(played),
                "actions": actions,
                "checks": checks,
                "kinds": dict(sorted(kinds.items())),
                "winners": dict(sorted(wins.items())),
                "digests": [p.record.events[-1].digest for p in played if p.record.events],
                "findings": [
                    {"seed": s, "kind": f.kind, "actions": f.actions, "text": f.text}
                    for s, f in findings
                ],
            }
        )
    else:
        print_fields(
            {
                "games": f"{len(played)}, {sum(wins.values())} played to their end",
                "actions": f"{actions}, chosen by {counted(checks, 'check')}",
                "kinds": ", ".join(f"{kind} {n}" for kind, n in sorted(kinds.items())),
                "winners": ", ".join(f"{who} {n}" for who, n in sorted(wins.items())) or "-",
                "replays": "identical"
                if not any(f.kind == "replay" for _, f in findings)
                else "DIFFERENT",
            }
        )
        for s, finding in findings:
            print(f"seed {s}, action {finding.actions}: {finding.kind}: {finding.text}")
    return ExitCode.FINDINGS if findings else ExitCode.OK


def _perft(
    one: GamePlugin,
    scenario: str,
    switches: Mapping[str, object],
    seed: int,
    depth: int,
    *,
    as_json: bool,
) -> int:
    from hexmarshal.rules import engine
    from hexmarshal.rules.playing.selfplay import perft

    start = engine.start(one, scenario, switches, seed)
    counts = {str(d): perft(one, start, d) for d in range(1, depth + 1)}
    if as_json:
        print_json({"game": one.game.key, "perft": counts})
    else:
        print_fields({f"depth {d}": n for d, n in counts.items()})
    return ExitCode.OK


def _replay(one: GamePlugin, file: Path, *, as_json: bool) -> int:
    from hexmarshal.rules.playing.record import read_games, replay

    try:
        text = file.read_text("utf-8-sig")
    except FileNotFoundError:
        raise NotFoundError("no such file", place=Place(file=str(file))) from None
    except (OSError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or "it is no text"
        raise BadInputError(f"cannot be read: {why}", place=Place(file=str(file))) from None
    records = read_games(text.splitlines(), str(file))
    if not records:
        raise BadInputError("no game is recorded in it", place=Place(file=str(file)))
    wrong: list[tuple[int, str]] = []
    actions = 0
    for number, record in enumerate(records, start=1):
        try:
            actions += sum(1 for _ in replay(one, record)) - 1
        except HexMarshalError as error:
            wrong.append((number, str(error)))
    if as_json:
        findings = [{"game": number, "text": text} for number, text in wrong]
        print_json({"games": len(records), "actions": actions, "findings": findings})
    else:
        print(f"{len(records) - len(wrong)} of {counted(len(records), 'game')} replay the same")
        for number, text in wrong:
            print(f"game {number}: {text}")
    return ExitCode.FINDINGS if wrong else ExitCode.OK
