"""The report of a folder: players, games, rules, dice and files, as tables that can be sorted."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hexmarshal.errors.counts import counted
from hexmarshal.kit.pages.markup import Html, element
from hexmarshal.referee.check.dice_fairness import DiceStatistics, fairness
from hexmarshal.referee.report.page import page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from hexmarshal.referee.batch.results_store import FileOutcome, Results

__all__ = ["folder_page"]

_STATUSES: Final = {
    "violations": "against the rules",
    "clean": "clean",
    "unbound": "not judged",
    "failed": "could not be read",
}
_TINTS: Final = {
    "violations": "violation",
    "clean": "legal",
    "unbound": "unknown",
    "failed": "likely",
}
_LEVEL: Final = 0.05


def folder_page(
    results: Results,
    title: str,
    link: Callable[[str], str],
    rule_title: Callable[[str, str], str] | None = None,
) -> Iterator[str]:
    """The page piece by piece: there may be many files."""
    body = _Page(results, title, link, rule_title or (lambda _game, _rule: ""))
    styles = ("report.css", "folder.css")
    return page(title, body.parts(), styles=styles, scripts=("folder.js",))


@dataclass(frozen=True, slots=True)
class _Column:
    """A head that sorts the table by its column; numbers begin with the highest."""

    title: str
    number: bool = False


class _Page:
    """The parts of a page about a folder."""

    def __init__(
        self,
        results: Results,
        title: str,
        link: Callable[[str], str],
        rule_title: Callable[[str, str], str],
    ) -> None:
        self._results, self._title = results, title
        self._link, self._rule_title = link, rule_title
        self._counts = results.counts()

    def parts(self) -> Iterator[str]:
        total = sum(self._counts.values())
        yield element("h1", self._title)
        yield element("p", counted(total, "file"), class_="facts")
        yield self._outcome()
        yield from self._section("players", "Players", _PLAYERS, self._players())
        yield from self._section("games", "Games", _GAMES, self._games())
        yield from self._section("rules", "Rules broken most", _RULES, self._rules())
        yield from self._dice()
        yield from self._section("failed", "Files that could not be read", _FAILED, self._failed())
        yield element("h2", "Files")
        yield self._form()
        yield from _table("files", _FILES, self._files())

    def _outcome(self) -> Html:
        certain = self._results.certain()
        told = [f"{n} {_STATUSES[s]}" for s in _STATUSES if (n := self._counts.get(s, 0))]
        head = counted(certain, "certain violation")
        look = "outcome bad" if certain else "outcome"
        if not certain:
            head = "No certain violation"
        return element("div", element("b", head), element("span", ", ".join(told)), class_=look)

    def _section(
        self, name: str, title: str, columns: Sequence[_Column], rows: Iterable[Html]
    ) -> Iterator[str]:
        """A table with its title; nothing where there is nothing to tell."""
        listed = list(rows)
        if listed:
            yield element("h2", title)
            yield from _table(name, columns, listed)

    # Rows

    def _players(self) -> Iterator[Html]:
        rows = self._results.rows(
            "SELECT player, count(DISTINCT file), sum(number),"
            " sum(number * (judged = 'certain')), sum(number * (judged = 'likely')),"
            " sum(number * (judged = 'unknown'))"
            " FROM players GROUP BY player ORDER BY 4 DESC, 5 DESC, player"
        )
        for player, *numbers in rows:
            yield _row(player, *numbers)

    def _games(self) -> Iterator[Html]:
        rows = self._results.rows(
            "SELECT coalesce(game, ''), coalesce(scenario, ''), count(*), sum(certain),"
            " sum(likely), sum(status = 'clean') FROM files"
            " WHERE status IN ('clean', 'violations') GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2"
        )
        yield from (_row(*row) for row in rows)

    def _rules(self) -> Iterator[Html]:
        rows = self._results.rows(
            "SELECT findings.rule, coalesce(files.game, ''), count(*),"
            " sum(findings.certainty = 'certain'), count(DISTINCT findings.file)"
            " FROM findings JOIN files USING (file) WHERE findings.status = 'violation'"
            " GROUP BY 1, 2 ORDER BY 4 DESC, 3 DESC, 1"
        )
        for rule, game, broken, certain, files in rows:
            yield _row(rule, self._rule_title(game, rule), game, certain, broken - certain, files)

    def _dice(self) -> Iterator[str]:
        faces: dict[tuple[str, int], Counter[int]] = {}
        for player, sides, listed in self._results.rows(
            "SELECT player, sides, faces FROM dice ORDER BY player, sides"
        ):
            counts = faces.setdefault((player or "?", sides), Counter())
            counts.update(dict(enumerate(json.loads(listed))))
        if not faces:
            return
        found = []
        for (player, sides), counts in faces.items():
            fell = tuple(counts[face] for face in range(sides))
            found.append(DiceStatistics(player, sides, fell, *fairness(fell)))
        yield element("h2", "Dice")
        yield from _table("dice", _DICE, map(_die, found))
        small = min(one.p for one in found)
        below = sum(one.p < _LEVEL for one in found)
        yield element(
            "p",
            f"{counted(len(found), 'test')}: {below} below {_LEVEL}, and fair dice give about"
            f" {_LEVEL * len(found):.1f}; corrected for their number the smallest is"
            f" {min(1.0, small * len(found)):.3f}.",
            class_="dim",
        )

    def _failed(self) -> Iterator[Html]:
        yield from (_row(file, why) for file, why in self._results.failed())

    def _files(self) -> Iterator[Html]:
        facts = self._results.rows(
            "SELECT coalesce(game, ''), coalesce(scenario, ''), coalesce(steps, 0)"
            " FROM files ORDER BY file"
        )
        for one, (game, scenario, steps) in zip(self._results.outcomes(), facts, strict=True):
            yield self._file(one, game, scenario, steps)

    def _file(self, one: FileOutcome, game: str, scenario: str, steps: int) -> Html:
        way = self._link(one.file)
        name = element("a", one.file, href=way) if way else one.file
        badge = element("span", _STATUSES[one.status], class_=f"badge {_TINTS[one.status]}")
        cells = (name, badge, game, scenario, steps, one.certain, one.likely, one.why)
        return element("tr", *map(_cell, cells), data_status=one.status)

    def _form(self) -> Html:
        chips = [
            element(
                "label",
                element("input", type="checkbox", name="status", value=status, checked=True),
                element("i"),
                f"{self._counts[status]} {told}",
                class_=f"chip {_TINTS[status]}",
            )
            for status, told in _STATUSES.items()
            if self._counts.get(status)
        ]
        words = element(
            "input", type="search", name="words", placeholder="words", aria_label="words"
        )
        told = element("span", id="told", aria_live="polite")
        return element("form", *chips, words, told, autocomplete="off")


_PLAYERS: Final = (
    _Column("player"),
    *(_Column(t, number=True) for t in ("files", "things done", "certain", "likely")),
    _Column("cannot tell", number=True),
)
_GAMES: Final = (
    _Column("game"),
    _Column("scenario"),
    *(_Column(t, number=True) for t in ("files", "certain", "likely", "clean files")),
)
_RULES: Final = (
    _Column("rule"),
    _Column("title"),
    _Column("game"),
    *(_Column(t, number=True) for t in ("certain", "likely", "files")),
)
_DICE: Final = (
    _Column("player"),
    *(_Column(t, number=True) for t in ("sides", "rolled", "mean")),
    _Column("each face"),
    _Column("chance if fair", number=True),
)
_FAILED: Final = (_Column("file"), _Column("why"))
_FILES: Final = (
    _Column("file"),
    _Column("outcome"),
    _Column("game"),
    _Column("scenario"),
    *(_Column(t, number=True) for t in ("steps", "certain", "likely")),
    _Column("why"),
)


def _die(dice: DiceStatistics) -> Html:
    about = "" if dice.exact else "about "
    fell = " ".join(map(str, dice.faces))
    told = "below 0.001" if dice.p < 0.001 else f"{about}{dice.p:.3f}"
    chance = element("td", told, class_="n", data_by=f"{dice.p:.6f}")
    known = (dice.player, dice.sides, dice.count, round(float(dice.mean), 2), fell)
    return element("tr", *map(_cell, known), chance)


def _table(name: str, columns: Sequence[_Column], rows: Iterable[Html]) -> Iterator[str]:
    heads = (
        element(
            "th",
            element("button", column.title, type="button"),
            scope="col",
            class_="n" if column.number else None,
            aria_sort="none",
        )
        for column in columns
    )
    yield f'<div class="wide"><table id="{name}">{element("thead", element("tr", *heads))}<tbody>\n'
    for row in rows:
        yield f"{row}\n"
    yield "</tbody></table></div>\n"


def _row(*cells: object) -> Html:
    return element("tr", *map(_cell, cells))


def _cell(value: object) -> Html:
    if isinstance(value, int | float):
        return element("td", f"{value:g}" if isinstance(value, float) else value, class_="n")
    return element("td", value)
