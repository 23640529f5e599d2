"""The referee in `hexmarshal demo`: a log in which rules are broken on purpose, then found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError
from hexmarshal.errors.counts import counted
from hexmarshal.referee.check.check_inputs import check_path
from hexmarshal.referee.samples.faulty_samples import plant
from hexmarshal.rules.plugins import registry
from hexmarshal.table.binding import Binding
from hexmarshal.table.module_finder import Means
from hexmarshal.vassal.module import Module

if TYPE_CHECKING:
    from pathlib import Path

    from hexmarshal.referee.check.findings import CheckReport
    from hexmarshal.referee.samples.faulty_samples import Planted

__all__ = ["ACTIONS", "SEED", "WANTED", "compare", "compared", "write_sample_log"]

# The samples: by which seed, with how many violations and actions at the most.
SEED = "dawn"
WANTED = 6
ACTIONS = 80


def write_sample_log(game: str, module: Path, log: Path) -> tuple[Planted, ...]:
    """A log of the game's module by a player who breaks rules; what was broken, and where."""
    opened = Module.open(module)
    binding = Binding.inside(opened)
    if binding is None:
        raise HexMarshalError(f"the module {module.name} carries no binding")
    plugin = registry.default().get(game)
    scenario = plugin.scenarios()[0].key
    written, planted = plant(
        opened,
        binding,
        plugin,
        SEED,
        scenario=scenario,
        wanted=WANTED,
        most_actions=ACTIONS,
        in_words=False,
    )
    written.save(log, force=True)
    return planted


def compare(game: str, module: Path, log: Path, planted: tuple[Planted, ...]) -> str:
    """Whether the referee found what was planted, and nothing else."""
    report = check_path(log, Means(module=module, game=game), registry.default())
    return compared(report, planted)


def compared(report: CheckReport, planted: tuple[Planted, ...]) -> str:
    """How many of the violations planted were found; an error if one was not, or more were."""
    wanted = {broken.step: set(broken.rules) for broken in planted}
    found = {
        entry.first: {violation.rule for violation in entry.violations}
        for entry in report.violations
    }
    missed = [step for step, rules in wanted.items() if not rules & found.get(step, set())]
    alarms = sorted(found.keys() - wanted.keys())
    if missed or alarms:
        raise HexMarshalError(f"the referee missed steps {missed}, and false alarms at {alarms}")
    return f"{counted(len(wanted), 'violation')} planted, {len(found)} found, no false alarm"
