"""The referee against bare decoding and checks, without a word against with words, two workers."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType

from ratio import Ratio, compare

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "service" / "referee"))

import coh_table as coh
import kharkov_table as kharkov
from muted_log import muted

from hexmarshal.referee.batch.one_file import Checked, FileCheck
from hexmarshal.referee.batch.worker_pool import work_through
from hexmarshal.referee.check.log_check import check_file
from hexmarshal.referee.dice.dice_words import dice_patterns
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.rules.action import Action
from hexmarshal.rules.playing.selfplay import play_game
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import thaw
from hexmarshal.table.module_finder import Means
from hexmarshal.vassal.container.archive import Archive
from hexmarshal.vassal.saves.log import GameLog
from hexmarshal.vassal.saves.savegame import SavedGame

STEPS = 2000
ROUNDS = 2
FILES = 28
EXPLAINED = 1000


def recorded(scenario: str, steps: int) -> tuple[bytes, list[tuple[Position, Action]]]:
    """A log of about so many steps, and every action with the position before it."""
    plugin = kharkov.PLUGIN
    record = play_game(
        plugin,
        "bench",
        scenario=scenario,
        max_actions=steps // 4,
        check_replay=False,
        whole_paths=True,
    ).record
    log = Recorder(
        kharkov.module(),
        kharkov.binding(),
        plugin,
        engine.start(plugin, scenario, seed=record.opening.seed),
    )
    actions = []
    for number, event in enumerate(record.events):
        action = plugin.game.actions.decode(thaw(event.action))
        actions.append((log.position, action))
        log.perform(action)
        if number % 10 == 0 and log.steps >= steps:
            break
    return log.finish().to_bytes(), actions


def opened(data: bytes) -> SavedGame:
    return SavedGame.from_archive(Archive.from_bytes(data))


def measure() -> Iterable[Ratio]:
    data, actions = recorded("campaign", STEPS)
    module, binding, plugin = kharkov.module(), kharkov.binding(), kharkov.PLUGIN
    patterns = dice_patterns(binding, module)

    def check() -> None:
        report = check_file(opened(data), module, binding, plugin)
        assert report.certain == 0

    def bare() -> None:
        for _ in GameLog(opened(data), patterns=patterns).steps():
            pass
        for position, action in actions:
            # Nothing is remembered from when the action was performed.
            engine.check(plugin, replace(position), action)

    steps = sum(1 for _ in GameLog(opened(data)).steps())
    name = f"referee: a log of {steps} steps / decoding it and checking each action"
    yield compare(name, check, bare, 4, rounds=4)
    yield explaining("Kharkov", kharkov, "campaign")
    yield explaining("Conflict of Heroes", coh, "first_steps")
    yield workers()


def explaining(title: str, table: ModuleType, scenario: str) -> Ratio:
    """What games cost whose players say nothing, in logs that are 1,000 steps long together."""
    spoken, steps = list[SavedGame](), 0
    while steps < EXPLAINED:
        spoken.append(random_game(table, scenario, f"bench {len(spoken)}", EXPLAINED - steps))
        steps += sum(1 for _ in spoken[-1].log_part())
    silent = [muted(log) for log in spoken]

    def check(logs: list[SavedGame]) -> None:
        assert sum(table.checked(log).certain for log in logs) == 0

    name = f"referee: {title}, {steps} steps of {len(spoken)} logs, explained / with announcements"
    return compare(name, lambda: check(silent), lambda: check(spoken), 3, rounds=2)


def random_game(table: ModuleType, scenario: str, seed: str, steps: int) -> SavedGame:
    plugin = table.PLUGIN
    record = play_game(
        plugin,
        seed,
        scenario=scenario,
        max_actions=steps,
        check_replay=False,
        whole_paths=True,
    ).record
    start = engine.start(plugin, scenario, seed=record.opening.seed)
    log = Recorder(table.module(), table.binding(), plugin, start)
    for event in record.events:
        log.perform(plugin.game.actions.decode(thaw(event.action)))
    return log.finish()


def workers() -> Ratio:
    """How much faster two workers are than one, were they alone on two cores."""
    data, _ = recorded("training", 600)
    with TemporaryDirectory() as place:
        folder = Path(place)
        module = kharkov.builder().save(folder / "kharkov.vmod")
        files = [folder / f"{number}.vlog" for number in range(FILES)]
        for file in files:
            file.write_bytes(data)
        work = FileCheck(Means(module=module))
        # Turn by turn, so that a noisy neighbour hits both.
        spans = [[_span(files, work, jobs) for jobs in (1, 2)] for _ in range(ROUNDS)]
        one, two = (min(times) for times in zip(*spans, strict=True))
    return Ratio("referee: two workers on a folder / one", one, two, 1.7, at_least=True)


def _span(files: list[Path], work: FileCheck, jobs: int) -> float:
    """The time that a folder takes: what the parent does, and the workers' share of the rest."""
    parent = time.process_time()
    before = _of_children()
    results = [result for _, result in work_through(files, work, jobs)]
    assert all(isinstance(one, Checked) and not one.result.get("error") for one in results)
    return time.process_time() - parent + (_of_children() - before) / jobs


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
