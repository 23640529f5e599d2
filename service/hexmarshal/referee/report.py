"""The report of a check: one HTML file that needs nothing else, for a phone, a desk or paper."""

from __future__ import annotations

from html import escape
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

from hexmarshal.errors import NotFoundError
from hexmarshal.referee.findings import Certainty, Status
from hexmarshal.referee.sketch import Sketcher
from hexmarshal.vassal.atomic import write_atomically
from hexmarshal.vassal.savegame import SavedGame

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hexmarshal.referee.findings import CheckReport, Entry
    from hexmarshal.referee.subject import Means
    from hexmarshal.rules.registry import Registry
    from hexmarshal.rules.rulebook import Rulebook
    from hexmarshal.rules.verdict import Violation

__all__ = ["render_report", "write_report"]

_NAMES = {
    "violation": "certain violations",
    "likely": "likely violations",
    "unknown": "cannot tell",
    "legal": "legal",
    "taken": "taken back",
}
# More broken rules than this are folded away.
_FEW = 8
_SHOWN = ("violation", "likely", "unknown")


def write_report(
    report: CheckReport, path: Path, means: Means, registry: Registry, *, force: bool = False
) -> None:
    """Write the report of one file."""
    file = Path(report.file)
    saved = SavedGame.open(file)
    sketcher = None
    book = None
    if report.bound:
        module = means.find_module(file, saved, registry)
        binding = means.find_binding(module)
        if module is not None and binding is not None:
            sketcher = Sketcher(module, binding)
        book = registry.get(report.game).rulebook
    text = render_report(report, sketcher, book)
    write_atomically(path, [text.encode("utf-8")], force=force)


def render_report(
    report: CheckReport, sketcher: Sketcher | None = None, book: Rulebook | None = None
) -> str:
    """The page."""
    template = Path(__file__).with_name("report.html").read_text(encoding="utf-8")
    title = f"{report.title or report.module or 'Check'}: {Path(report.file).name}"
    body = "\n".join(_body(report, title, sketcher, book))
    return Template(template).substitute(title=escape(title), body=body)


def _body(
    report: CheckReport, title: str, sketcher: Sketcher | None, book: Rulebook | None
) -> Iterator[str]:
    yield f"<h1>{escape(title)}</h1>"
    facts = [
        report.scenario and f"scenario {report.scenario}",
        report.module and f"module {report.module}",
        f"{report.steps} steps" if report.kind == "log" else "a saved position",
        report.undone and f"{report.undone} undone",
        ", ".join(f"{name} ({side})" for name, side in report.players),
    ]
    yield f'<p class="dim">{escape(" · ".join(str(f) for f in facts if f))}</p>'
    if not report.bound:
        yield "<p>This file is not bound to rules: nothing could be judged.</p>"
    yield from _tallies(report)
    yield from _notes(report)
    yield '<div class="tables">'
    yield from _tables(report, book)
    yield "</div>"
    if report.entries:
        yield "<h2>Timeline</h2>"
        yield from _strip(report.entries)
        yield from _form(report)
        for number, entry in enumerate(report.entries):
            yield from _article(number, entry, sketcher, book)


def _kind(entry: Entry) -> str:
    if entry.status is Status.VIOLATION:
        return "violation" if entry.certainty is Certainty.CERTAIN else "likely"
    return "taken" if entry.status is Status.TAKEN_BACK else entry.status.value


def _tallies(report: CheckReport) -> Iterator[str]:
    kinds = [_kind(entry) for entry in report.entries]
    yield '<div class="tallies">'
    for kind, name in _NAMES.items():
        count = kinds.count(kind)
        bad = " bad" if kind == "violation" and count else ""
        if report.entries:
            yield f'<div class="tally{bad}"><b>{count}</b> {name}</div>'
    yield "</div>"


def _notes(report: CheckReport) -> Iterator[str]:
    if report.notes:
        yield "<h2>Notes on the file</h2><ul>"
        for one in report.notes:
            where = f"step {one.step}: " if one.step else ""
            hint = f' <span class="dim">{escape(one.note.hint)}</span>' if one.note.hint else ""
            yield f"<li>{where}{escape(one.note.text)}{hint}</li>"
        yield "</ul>"


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    yield '<div class="scroll"><table><thead><tr>'
    yield "".join(f"<th>{escape(name)}</th>" for name in head)
    yield "</tr></thead><tbody>"
    for row in rows:
        cells = (
            f'<td class="n">{cell}</td>'
            if isinstance(cell, int | float)
            else f"<td>{cell if isinstance(cell, _Html) else escape(str(cell))}</td>"
            for cell in row
        )
        yield f"<tr>{''.join(cells)}</tr>"
    yield "</tbody></table></div>"


class _Html(str):
    """Text that is HTML already."""

    __slots__ = ()


def _tables(report: CheckReport, book: Rulebook | None) -> Iterator[str]:
    if report.entries:
        yield from _table(
            ("Player", *(status.value for status in Status)),
            (
                (name, *(counts.get(status.value, 0) for status in Status))
                for name, counts in report.by_player().items()
            ),
        )
    rules = report.by_rule()
    if rules:
        rows = ((rule, _rule_title(rule, book), count) for rule, count in rules.items())
        folded = " open" if len(rules) <= _FEW else ""
        yield f"<details{folded}><summary>{len(rules)} rules broken</summary>"
        yield from _table(("Rule", "", "broken"), rows)
        yield "</details>"
    if report.dice:
        yield from _table(
            ("Dice", "of", "rolls", "each face", "mean", "chance if fair"),
            (
                (
                    one.player,
                    f"d{one.sides}",
                    one.count,
                    _faces(one.faces),
                    f"{float(one.mean):.2f}",
                    f"{one.p:.3f}" + ("" if one.exact else " (about)"),
                )
                for one in report.dice
            ),
        )


def _faces(faces: Sequence[int]) -> _Html:
    most = max(faces, default=1) or 1
    bars = (
        f'{face}&nbsp;<span class="bar" style="width:{4 * count / most:.2f}rem"></span> {count}'
        for face, count in enumerate(faces, 1)
    )
    return _Html("<br>".join(bars))


def _rule_title(rule: str, book: Rulebook | None) -> str:
    try:
        return book.rule(rule).title if book is not None else ""
    except NotFoundError:
        return "what the table shows" if rule.startswith("HM-") else ""


def _strip(entries: Sequence[Entry]) -> Iterator[str]:
    yield '<div class="strip">'
    turn: tuple[int, str] | None = None
    for number, entry in enumerate(entries):
        if (entry.turn, entry.phase) != turn:
            turn = (entry.turn, entry.phase)
            yield f'<span class="turn">{entry.turn} {escape(entry.phase.replace("_", " "))}</span>'
        what = escape(f"step {entry.first}: {entry.what}", quote=True)
        yield f'<a href="#e{number}" class="{_kind(entry)}" title="{what}"></a>'
    yield "</div>"


def _form(report: CheckReport) -> Iterator[str]:
    yield "<form>"
    for kind, name in _NAMES.items():
        on = " checked" if kind in _SHOWN else ""
        yield f'<label><input type="checkbox" name="status" value="{kind}"{on}> {name}</label>'
    yield from _choice("player", "all players", sorted(report.by_player()))
    yield from _choice("rule", "all rules", report.by_rule())
    yield '<input type="search" name="words" placeholder="words">'
    yield '<span class="dim" id="told"></span></form>'


def _choice(name: str, every: str, values: Iterable[str]) -> Iterator[str]:
    yield f'<select name="{name}" aria-label="{name}"><option value="">{every}</option>'
    yield "".join(f"<option>{escape(value)}</option>" for value in values)
    yield "</select>"


def _article(
    number: int, entry: Entry, sketcher: Sketcher | None, book: Rulebook | None
) -> Iterator[str]:
    kind = _kind(entry)
    who = escape(entry.player or entry.side or "?", quote=True)
    rules = escape(" ".join(dict.fromkeys(v.rule for v in entry.violations)), quote=True)
    yield (
        f'<article id="e{number}" class="{kind}" data-status="{kind}" '
        f'data-player="{who}" data-rules="{rules}">'
    )
    steps = (
        f"step {entry.first}" if entry.first == entry.last else f"steps {entry.first}-{entry.last}"
    )
    certainty = "" if entry.status is Status.LEGAL else entry.certainty.value
    yield (
        f"<header><b>{who}</b><span>{steps if entry.first else 'at the start'}</span>"
        f"<span>turn {entry.turn}, {escape(entry.phase.replace('_', ' '))}</span>"
        f"<span>{entry.status.value}</span><span>{certainty}</span></header>"
    )
    dice = f' <span class="dim">dice {", ".join(map(str, entry.dice))}</span>' if entry.dice else ""
    yield f"<p>{escape(entry.what)}{dice}</p>"
    if entry.violations:
        yield "<ul>"
        yield from (_violation(violation, book) for violation in entry.violations)
        yield "</ul>"
    if entry.right:
        yield f'<p class="right">By the rules: {escape(entry.right)}</p>'
    elif entry.result:
        yield f'<p class="dim">{escape(entry.result)}</p>'
    if entry.hint:
        yield f'<p class="dim">{escape(entry.hint)}</p>'
    if entry.status is Status.VIOLATION and sketcher is not None:
        yield from _pictures(entry, sketcher)
    yield "</article>"


def _violation(violation: Violation, book: Rulebook | None) -> str:
    said = ""
    if book is not None:
        try:
            rule = book.rule(violation.rule)
            said = f'<br><span class="book">{escape(rule.title)}: {escape(rule.text)}</span>'
        except NotFoundError:
            pass
    section = f" ({escape(violation.section)})" if violation.section else ""
    return (
        f'<li><span class="rule">{escape(violation.rule)}{section}</span> '
        f"{escape(violation.text)}{said}</li>"
    )


def _pictures(entry: Entry, sketcher: Sketcher) -> Iterator[str]:
    before, after = entry.before, entry.after
    if before is None:
        return
    marked = [cell for violation in entry.violations for cell in violation.cells]
    concerned = [*entry.units, *(u for v in entry.violations for u in v.units)]
    cells = [
        position.units[unit].cell
        for position in (before, after or before)
        for unit in concerned
        if unit in position.units and position.units[unit].cell
    ]
    focus = [*cells, *marked]
    way: tuple[str, ...] = ()
    if entry.path:
        start = [before.units[u].cell for u in entry.units if u in before.units]
        way = (*[cell for cell in start[:1] if cell], *entry.path)
    pictures = [("before", before, way)]
    if after is not None and after is not before:
        pictures.append(("after", after, ()))
    for caption, position, path in pictures:
        drawn = sketcher.draw(position, [*focus, *way], path, marked, concerned)
        if drawn:
            yield f"<figure>{drawn}<figcaption>{caption}</figcaption></figure>"
