"""A report as people read it: in sentences, and without what nobody should read."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.referee.interpret.words import in_words, phase_title, side_title
from hexmarshal.vassal.privacy.secrets import Redactor, find_user_ids

if TYPE_CHECKING:
    from hexmarshal.referee.check.findings import CheckReport
    from hexmarshal.rules.game import Game
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.verdict import Violation
    from hexmarshal.vassal.saves.savegame import SavedGame

__all__ = ["told_in_words", "without_passwords"]


def told_in_words(report: CheckReport, plugin: GamePlugin) -> CheckReport:
    """With what was done in sentences, announcements beside them, and who did it."""
    game = plugin.game
    titled = _Titles(game)
    by_phase = {phase.key: phase.rule for phase in game.phases if phase.rule}

    def ruled(violation: Violation, phase: str) -> Violation:
        """By the rule that says what is done in a phase."""
        rule = by_phase.get(phase, "") if violation.rule == game.turn_rule else ""
        if rule:
            section = plugin.rulebook.section(rule)
            violation = replace(violation, rule=rule, section=section)
        return replace(violation, text=titled(violation.text))

    told = ((entry, *in_words(game, entry.what)) for entry in report.entries)
    entries = (
        replace(
            entry,
            told=titled(what),
            violations=tuple(ruled(one, entry.phase) for one in entry.violations),
            right=titled(entry.right),
            result=titled(entry.result),
            at=phase_title(game, entry.phase),
            announcement=line,
            who=entry.player or (entry.side and f"player of {side_title(game, entry.side)}"),
        )
        for entry, what, line in told
    )
    return replace(report, entries=tuple(entries))


class _Titles:
    """Puts the titles of sides where the rules have their keys."""

    def __init__(self, game: Game) -> None:
        self._titles = {one.key: one.title for one in game.sides if one.title}
        keys = "|".join(map(re.escape, self._titles))
        self._keys = re.compile(rf"(?<![\w-])(?:{keys})(?![\w-])") if keys else None

    def __call__(self, text: str) -> str:
        if self._keys is None:
            return text
        return self._keys.sub(lambda key: self._titles[key[0]], text)


def without_passwords(report: CheckReport, saved: SavedGame) -> CheckReport:
    """What players typed is quoted, but not the password that one of them may have typed."""
    shown = {word for player in report.players for word in player}
    hide = Redactor(user for user in find_user_ids(saved.root) if user not in shown)
    entries = (
        replace(
            entry,
            what=hide(entry.what),
            told=hide(entry.told),
            announcement=hide(entry.announcement),
            hint=hide(entry.hint),
        )
        for entry in report.entries
    )
    notes = (replace(n, note=replace(n.note, text=hide(n.note.text))) for n in report.notes)
    return replace(report, entries=tuple(entries), notes=tuple(notes))
