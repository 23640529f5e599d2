"""The report of a check: one HTML file that needs nothing else, for a phone, a desk or paper."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import NotFoundError
from hexmarshal.kit.pages.markup import Html, element
from hexmarshal.referee.check.findings import Certainty, Status
from hexmarshal.referee.interpret.words import phase_title
from hexmarshal.referee.report.map_sketch import Excerpt, Sketcher
from hexmarshal.referee.report.page import page
from hexmarshal.referee.report.summary import KINDS, kind_of, summary
from hexmarshal.rules.action import ParamType
from hexmarshal.vassal.container.atomic import write_atomically
from hexmarshal.vassal.saves.savegame import SavedGame

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hexmarshal.referee.check.findings import CheckReport, Entry
    from hexmarshal.rules.action import ActionType
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.plugins.registry import Registry
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.verdict import Violation
    from hexmarshal.table.module_finder import Means

__all__ = ["render_report", "report_page", "write_report"]

_SHOWN: Final = ("violation", "likely", "unknown")
_UNITS: Final = (ParamType.UNIT, ParamType.UNITS)
_CELLS: Final = (ParamType.CELL, ParamType.CELLS)


def write_report(
    report: CheckReport, path: Path, means: Means, registry: Registry, *, force: bool = False
) -> None:
    """Write the report of one file."""
    text = report_page(report, means, registry)
    write_atomically(path, [text.encode("utf-8", "replace")], force=force)


def report_page(report: CheckReport, means: Means, registry: Registry) -> str:
    """The page about one file, with pictures where its module can be found."""
    file = Path(report.file)
    sketcher = plugin = None
    if report.bound:
        module = means.find_module(file, SavedGame.open(file), registry)
        binding = means.find_binding(module)
        plugin = registry.get(report.game)
        if module is not None and binding is not None and report.position is not None:
            sketcher = Sketcher(module, binding, plugin, report.position)
    return render_report(report, sketcher, plugin)


def render_report(
    report: CheckReport, sketcher: Sketcher | None = None, plugin: GamePlugin | None = None
) -> str:
    """The page; without a sketcher it has no pictures, without a plugin no words of the book."""
    title = f"{report.title or report.module or 'Check'}: {Path(report.file).name}"
    body = _Page(report, sketcher, plugin).body(title)
    return "".join(page(title, [body], styles=("report.css",), scripts=("report.js",)))


class _Page:
    """The parts of a page about one check."""

    def __init__(
        self, report: CheckReport, sketcher: Sketcher | None, plugin: GamePlugin | None
    ) -> None:
        self._report, self._sketcher, self._plugin = report, sketcher, plugin
        self._game = plugin.game if plugin is not None else None
        self._book = plugin.rulebook if plugin is not None else None

    def body(self, title: str) -> Html:
        report = self._report
        parts = [summary(report, title, self._plugin)]
        if report.entries:
            parts += (element("h2", "Timeline"), self._timeline(), self._form())
            # The drawings come first: what they share is known when they are done.
            parts += self._moments()
            if self._sketcher is not None:
                shared = element("defs", self._sketcher.definitions())
                parts.append(element("svg", shared, class_="shared", aria_hidden="true"))
        return Html("\n".join(parts))

    def _groups(self) -> Iterator[tuple[str, list[tuple[int, Entry]]]]:
        """The entries with their numbers, by turn and phase."""
        for (turn, phase), group in groupby(
            enumerate(self._report.entries), key=lambda pair: (pair[1].turn, pair[1].phase)
        ):
            yield f"Turn {turn}, {phase_title(self._game, phase)}", list(group)

    def _timeline(self) -> Html:
        rows = []
        for when, group in self._groups():
            deeds = []
            for number, entry in group:
                kind = kind_of(entry)
                told = f"{KINDS[kind]}, step {entry.first}: {entry.line}"
                link = {"href": f"#e{number}", "title": told, "aria_label": told}
                deeds.append(element("a", class_=kind, **link))
            rows += [
                element("div", when, class_="when"),
                element("div", *deeds, class_="deeds"),
            ]
        return element("div", *rows, class_="timeline")

    def _form(self) -> Html:
        kinds = [kind_of(entry) for entry in self._report.entries]
        chips = [
            element(
                "label",
                element(
                    "input", type="checkbox", name="status", value=kind, checked=kind in _SHOWN
                ),
                element("i"),
                f"{kinds.count(kind)} {name}",
                class_=f"chip {kind}",
            )
            for kind, name in KINDS.items()
            if kind in kinds
        ]
        return element(
            "form",
            *chips,
            _choice("player", "all players", sorted(self._report.by_player())),
            _choice("rule", "all rules", self._report.by_rule()),
            element("input", type="search", name="words", placeholder="words", aria_label="words"),
            element("button", "reset", type="reset", id="clear"),
            element("span", id="told", aria_live="polite"),
            autocomplete="off",
        )

    def _moments(self) -> Iterator[Html]:
        for when, group in self._groups():
            articles = (self._article(number, entry) for number, entry in group)
            yield element("section", element("h3", when), *articles, class_="moment")

    # One thing done

    def _article(self, number: int, entry: Entry) -> Html:
        kind = kind_of(entry)
        who = entry.doer
        steps = "at the start"
        if entry.first:
            last = f"-{entry.last}" if entry.last != entry.first else ""
            steps = f"step{'s' if last else ''} {entry.first}{last}"
        told = entry.status is Status.VIOLATION
        told = told or (entry.status is Status.LEGAL and entry.certainty is Certainty.LIKELY)
        sure = f"{entry.certainty.value} " if told else ""
        header = element(
            "header",
            element("span", sure, entry.status.value, class_="badge"),
            element("b", who),
            element("span", steps),
            element("a", "#", href=f"#e{number}", aria_label="link to this entry"),
        )
        return element(
            "article",
            header,
            element("p", *self._what(entry), class_="what"),
            *self._account(entry),
            id=f"e{number}",
            class_=kind,
            data_status=kind,
            data_player=who,
            data_rules=" ".join(dict.fromkeys(v.rule for v in entry.violations)),
        )

    def _what(self, entry: Entry) -> Iterator[object]:
        """What was done: a sentence, the dice, and how it was announced."""
        how = f"{entry.how}: " if entry.how else ""
        if how:
            yield element("span", how, class_="how")
        yield element("b", entry.line.removeprefix(how).replace(" -> ", " → "))
        if entry.dice:
            yield element("span", " · dice ", ", ".join(map(str, entry.dice)))
        if entry.announcement:
            yield element("code", entry.announcement)

    def _account(self, entry: Entry) -> Iterator[Html]:
        if entry.violations:
            yield element("ul", *map(self._violation, entry.violations), class_="broken")
        if entry.right:
            yield element("p", element("b", "By the rules: "), entry.right, class_="right")
        elif entry.result:
            yield element("p", entry.result, class_="dim")
        if entry.hint:
            yield element("p", entry.hint, class_="dim")
        if entry.status is Status.VIOLATION:
            pictures = list(self._pictures(entry))
            if pictures:
                yield element("div", *pictures, class_="pictures")

    def _violation(self, violation: Violation) -> Html:
        section = f" ({violation.section})" if violation.section else ""
        said = None
        if self._book is not None:
            try:
                rule = self._book.rule(violation.rule)
                said = element("span", f"{rule.title}: {rule.text}", class_="book")
            except NotFoundError:
                pass
        return element("li", element("b", violation.rule, section), " ", violation.text, said)

    # Pictures

    def _pictures(self, entry: Entry) -> Iterator[Html]:
        before, after = entry.before, entry.after
        if before is None or self._sketcher is None:
            return
        marked = tuple(cell for violation in entry.violations for cell in violation.cells)
        units = dict.fromkeys((*entry.units, *(u for v in entry.violations for u in v.units)))
        cells = [
            position.units[unit].cell
            for position in (before, after or before)
            for unit in units
            if unit in position.units
        ]
        path = self._path(entry, before)
        lines = () if path else tuple(self._lines(entry, before))
        focus = tuple(filter(None, (*cells, *marked, *path, *(c for line in lines for c in line))))
        excerpts = [("before", before, path, lines)]
        if after is not None and after is not before:
            excerpts.append(("after", after, (), ()))
        for caption, position, way, aims in excerpts:
            label = f"The map {caption}: {entry.line}"
            excerpt = Excerpt(position, focus, tuple(units), marked, way, aims, label)
            drawn = self._sketcher.draw(excerpt)
            if drawn:
                yield element("figure", drawn, element("figcaption", caption))

    def _kind(self, entry: Entry) -> ActionType | None:
        return self._game.actions.get(entry.kind) if self._game is not None else None

    def _path(self, entry: Entry, position: Position) -> tuple[str, ...]:
        """The way that was dragged, or announced, from where it begins."""
        way = entry.path
        kind = self._kind(entry)
        for param in kind.params if kind is not None and not way else ():
            named = entry.action.get(param.name)
            if param.type is ParamType.PATH and isinstance(named, tuple):
                way = tuple(map(str, named))
        start = [position.units[unit].cell for unit in entry.units if unit in position.units]
        return (*(cell for cell in start[:1] if way and cell != way[0]), *way)

    def _lines(self, entry: Entry, position: Position) -> Iterator[tuple[str, str]]:
        """From the units that act to what they act on: the first parameter does, the others are."""
        kind = self._kind(entry)
        if kind is None:
            return
        named = [p for p in kind.params if p.type in (*_UNITS, *_CELLS) and p.name in entry.action]
        if len(named) < 2 or named[0].type not in _UNITS:
            return
        ends = [_cells(entry.action[param.name], position) for param in named]
        for target in dict.fromkeys(cell for cells in ends[1:] for cell in cells):
            yield from ((start, target) for start in dict.fromkeys(ends[0]) if start != target)


def _cells(value: object, position: Position) -> Sequence[str]:
    """The cells that a parameter names, or that the units it names are in."""
    names = value if isinstance(value, tuple) else (value,)
    found = (
        position.units[name].cell if name in position.units else name
        for name in names
        if isinstance(name, str)
    )
    return [cell for cell in found if cell]


def _choice(name: str, every: str, values: Iterable[str]) -> Html:
    options = (element("option", value) for value in values)
    return element(
        "select", element("option", every, value=""), *options, name=name, aria_label=name
    )
