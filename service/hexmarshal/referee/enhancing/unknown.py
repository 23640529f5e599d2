"""What a module can be given although nobody has written the rules of its game."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import escape
from itertools import chain
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import BadInputError, Place, UsageError
from hexmarshal.referee.enhancing.additions import (
    FOLDER,
    Addition,
    Enhancement,
    Outcome,
    Part,
    Shelf,
)
from hexmarshal.referee.enhancing.charts import chart_tabs
from hexmarshal.referee.enhancing.sight_tables import sight_table
from hexmarshal.vassal.builder import counts, lists
from hexmarshal.vassal.builder.grids import numbered
from hexmarshal.vassal.builder.maps import los_thread
from hexmarshal.vassal.builder.turns import turn_tracker
from hexmarshal.vassal.builder.windows import help_file, html_chart
from hexmarshal.vassal.components import (
    Chart,
    Documentation,
    HelpFile,
    HexGrid,
    HtmlChart,
    LosThread,
    PredefinedSetup,
    SquareGrid,
    TurnTracker,
)
from hexmarshal.vassal.tabletop import lay_table
from hexmarshal.vassal.tabletop.table_sheet import read_table_sheet
from hexmarshal.vassal.tabletop.table_text import read_table_text
from hexmarshal.workbook import read_workbook

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from hexmarshal.geometry.terrain.terrain_map import TerrainMap
    from hexmarshal.vassal.module import Module
    from hexmarshal.workbook import Sheet

__all__ = ["Wishes", "enhance_unknown"]

_KEY: Final = "76,715"
_PAGE: Final = "<html><head><title>{0}</title></head><body><h1>{0}</h1>\n{1}</body></html>\n"
_HEADING: Final = re.compile(r"(#{1,4})\s+(.*)")
_UNSAFE: Final = re.compile(r"[^a-zA-Z0-9]+")


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a user gives for a game whose rules are not known: files by name, phases, numbering."""

    charts: Mapping[str, bytes] = field(default_factory=dict)
    rules: Mapping[str, bytes] = field(default_factory=dict)
    setups: Mapping[str, bytes] = field(default_factory=dict)
    phases: tuple[str, ...] = ()
    numbering: Mapping[str, str] = field(default_factory=dict)
    terrain: TerrainMap | None = None
    sight_range: int = 6


def enhance_unknown(
    module: Module, wishes: Wishes, *, without: Collection[Part] = ()
) -> Enhancement:
    """Add to a module, in place, what it lacks and needs no rules; twice adds nothing more."""
    if module.archive is None or module.is_extension:
        raise UsageError("only a module (.vmod) can be enhanced", hint="not a bare build file")
    shelf = Shelf(module)
    steps: dict[Part, Callable[[], Iterator[Addition]]] = {
        Part.NUMBERING: lambda: _number(shelf, wishes.numbering),
        Part.LOS: lambda: chain(_threads(shelf), _sight(shelf, wishes)),
        Part.TURNS: lambda: _turns(shelf, wishes.phases),
        Part.CHARTS: lambda: _charts(shelf, wishes.charts),
        Part.RULES: lambda: _rules(shelf, wishes.rules),
        Part.SETUPS: lambda: _setups(shelf, wishes.setups),
    }
    found = [one for part, add in steps.items() if part not in without for one in add()]
    return Enhancement(tuple(found))


def _number(shelf: Shelf, style: Mapping[str, str]) -> Iterator[Addition]:
    """Number the grids of the first map that have no numbering, as the user says."""
    for of_map in shelf.module.maps()[:1]:
        for board in of_map.boards:
            grids: list[HexGrid | SquareGrid] = [*board.each(HexGrid), *board.each(SquareGrid)]
            for grid in grids:
                what = f"numbering of board {board.name!r}"
                if grid.numbering is not None:
                    yield Addition(Part.NUMBERING, Outcome.THERE, what)
                elif not style:
                    why = "say how: --numbering hType=N --numbering vType=N and so on"
                    yield Addition(Part.NUMBERING, Outcome.LEFT_OUT, what, why)
                else:
                    numbered(grid, dict(style))
                    yield Addition(Part.NUMBERING, Outcome.ADDED, what)


def _threads(shelf: Shelf) -> Iterator[Addition]:
    """A thread on the first map, which is the one to play on."""
    maps = shelf.module.maps()
    if not maps:
        yield Addition(Part.LOS, Outcome.LEFT_OUT, "line of sight thread", "there is no map")
        return
    what = f"line of sight thread on {maps[0].name!r}"
    if next(maps[0].each(LosThread), None) is not None:
        yield Addition(Part.LOS, Outcome.THERE, what)
        return
    los_thread(maps[0], hotkey=shelf.free_key(_KEY))
    yield Addition(Part.LOS, Outcome.ADDED, what)


def _sight(shelf: Shelf, wishes: Wishes) -> Iterator[Addition]:
    """What terrain hides, as a chart: a thread of VASSAL's is drawn, and knows no terrain."""
    if wishes.terrain is None:
        return
    title, entry = "Lines of sight", f"{FOLDER}lines-of-sight.html"
    known = [one for one in shelf.module.each(HtmlChart) if one.get("fileName") == entry]
    table = sight_table(wishes.terrain, wishes.sight_range)
    outcome = shelf.put(entry, _PAGE.format(title, table).encode())
    if not known:
        html_chart(chart_tabs(shelf), title, entry)
        outcome = Outcome.ADDED
    yield Addition(Part.LOS, outcome, f"chart {title!r} by the terrain")


def _turns(shelf: Shelf, phases: tuple[str, ...]) -> Iterator[Addition]:
    known = next((one.name for one in shelf.module.each(TurnTracker)), None)
    what = "turn tracker"
    if known is not None:
        yield Addition(Part.TURNS, Outcome.THERE, f"{what} {known!r}")
    elif not phases:
        why = "say which phases there are: --phase Movement --phase Combat"
        yield Addition(Part.TURNS, Outcome.LEFT_OUT, what, why)
    else:
        levels = (counts("Turn"), lists("Phase", *phases))
        made = turn_tracker(shelf.module.root, "Turn", *levels, show="$level1$: $level2$")
        for key in ("hotkey", "nexthotkey"):
            chosen = made.get(key)
            made.set(key, "")
            made.set(key, shelf.free_key(chosen))
        yield Addition(Part.TURNS, Outcome.ADDED, f"{what} with {len(phases)} phases")


def _charts(shelf: Shelf, files: Mapping[str, bytes]) -> Iterator[Addition]:
    """A chart of each sheet of the user's workbooks."""
    known = {
        one.name.casefold(): one.get("fileName")
        for cls in (Chart, HtmlChart)
        for one in shelf.module.each(cls)
    }
    for file, data in files.items():
        for page in read_workbook(data, file).sheets:
            if page.hidden or page.title.startswith("#") or not page.rows:
                continue
            title = page.title or _title(file)
            entry = f"{FOLDER}chart-{_key(title)}.html"
            what = f"chart {title!r}"
            if known.get(title.casefold(), entry) != entry:
                yield Addition(Part.CHARTS, Outcome.THERE, what)
                continue
            outcome = shelf.put(entry, _PAGE.format(escape(title), _table(page)).encode())
            if title.casefold() not in known:
                html_chart(chart_tabs(shelf), title, entry)
                outcome = Outcome.ADDED
            yield Addition(Part.CHARTS, outcome, what)


def _table(page: Sheet) -> str:
    """The cells as a table of HTML; the first row is the header."""
    wide = max(len(row.cells) for row in page.rows)
    lines = []
    for i, row in enumerate(page.rows):
        tag = "th" if i == 0 else "td"
        texts = [*row.texts, *[""] * (wide - len(row.texts))]
        cells = "".join(f"<{tag}>{escape(text) or '&nbsp;'}</{tag}>" for text in texts)
        lines.append(f"<tr>{cells}</tr>")
    return '<table border="1" cellpadding="3">\n' + "\n".join(lines) + "\n</table>\n"


def _rules(shelf: Shelf, files: Mapping[str, bytes]) -> Iterator[Addition]:
    """A page in the help menu of each text; lines that begin with # are headings to look up."""
    for file, data in files.items():
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise BadInputError("not UTF-8 text", place=Place(file=file)) from None
        title = _title(file)
        entry = f"{FOLDER}text-{_key(title)}.html"
        own = [one for one in shelf.module.each(HelpFile) if one.get("fileName") == entry]
        outcome = shelf.put(entry, _PAGE.format(escape(title), _body(text)).encode())
        if not own:
            menu = shelf.module.root.child(Documentation) or shelf.module.root.add(Documentation)
            help_file(menu, title, entry)
            outcome = Outcome.ADDED
        yield Addition(Part.RULES, outcome, f"help page {title!r}")


def _body(text: str) -> str:
    """Headings with a list of them at the top, and paragraphs."""
    contents: list[str] = []
    body: list[str] = []
    for block in re.split(r"\n\s*\n", text.replace("\r\n", "\n")):
        for number, line in enumerate(block.strip().split("\n")):
            heading = _HEADING.fullmatch(line.strip())
            if heading is None:
                body.append(f"{'<p>' if number == 0 else '<br>'}{escape(line)}")
                continue
            name, words = f"s{len(contents) + 1}", escape(heading[2])
            contents.append(f'<li><a href="#{name}">{words}</a></li>')
            level = len(heading[1]) + 1
            body.append(f'<h{level}><a name="{name}">{words}</a></h{level}>')
    listed = f"<ul>{''.join(contents)}</ul>\n" if contents else ""
    return listed + "\n".join(body) + "\n"


def _setups(shelf: Shelf, files: Mapping[str, bytes]) -> Iterator[Addition]:
    """A set-up in the file menu of each written set-up."""
    known = {one.name.casefold(): one.get("file") for one in shelf.module.each(PredefinedSetup)}
    for file, data in files.items():
        title = _title(file)
        what = f"set-up {title!r}"
        entry = f"hexmarshal-{_key(title)}.vsav"
        if known.get(title.casefold(), entry) != entry:
            yield Addition(Part.SETUPS, Outcome.THERE, what)
            continue
        yaml = PurePath(file).suffix.lower() in (".yaml", ".yml")
        table, places = (read_table_text if yaml else read_table_sheet)(data, file)
        laid = lay_table(shelf.module, table, places)
        if laid.problems:
            first, more = laid.problems[0], len(laid.problems) - 1
            also = f" (and {more} more)" if more else ""
            yield Addition(
                Part.SETUPS, Outcome.LEFT_OUT, what, f"{first.place}: {first.message}{also}"
            )
            continue
        outcome = shelf.put(entry, laid.save(shelf.module).to_bytes())
        if title.casefold() not in known:
            values = {"file": entry, "isMenu": "false", "name": title, "useFile": "true"}
            shelf.module.root.add(PredefinedSetup, {"description": "", **values})
            outcome = Outcome.ADDED
        yield Addition(Part.SETUPS, outcome, what)


def _title(file: str) -> str:
    return PurePath(file).stem.replace("_", " ").replace("-", " ")


def _key(title: str) -> str:
    return _UNSAFE.sub("-", title).strip("-").lower() or "page"
