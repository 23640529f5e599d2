"""The head of a report: the outcome, who broke what, the dice, and notes on the file."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import NotFoundError
from hexmarshal.errors.counts import counted
from hexmarshal.kit.pages.markup import Html, element, joined
from hexmarshal.referee.check.findings import Certainty, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.referee.check.dice_fairness import DiceStatistics
    from hexmarshal.referee.check.findings import CheckReport, Entry
    from hexmarshal.rules.plugin import GamePlugin

__all__ = ["KINDS", "kind_of", "summary"]

KINDS: Final = {
    "violation": "certainly wrong",
    "likely": "likely wrong",
    "unknown": "cannot tell",
    "legal": "legal",
    "taken": "taken back",
}
# More broken rules than this are folded away.
_FEW: Final = 8
# Fair dice stray so far in one log of a hundred.
_ODD: Final = 0.01
_BAR, _HIGH = 24.0, 44.0


def kind_of(entry: Entry) -> str:
    """Which of the kinds an entry is shown as."""
    if entry.status is Status.VIOLATION:
        return "violation" if entry.certainty is Certainty.CERTAIN else "likely"
    return "taken" if entry.status is Status.TAKEN_BACK else entry.status.value


def summary(report: CheckReport, title: str, plugin: GamePlugin | None) -> Html:
    """Everything above the timeline."""
    facts = (
        report.scenario and f"scenario {report.scenario}",
        report.module and f"module {report.module}",
        counted(report.steps, "step") if report.kind == "log" else "a saved position",
        report.undone and f"{report.undone} undone",
        ", ".join(f"{name} ({side})" if side != name else name for name, side in report.players),
    )
    panels = joined((_players(report), _dice(report), _rules(report, plugin), _notes(report)))
    return joined(
        (
            element("h1", title),
            element("p", " · ".join(str(fact) for fact in facts if fact), class_="facts"),
            _outcome(report),
            element("div", panels, class_="panels") if panels else None,
        )
    )


def _outcome(report: CheckReport) -> Html:
    if not report.bound:
        told = "The rules do not know this file: nothing was judged."
        return element("div", element("b", "Not bound"), told, class_="outcome open")
    kinds = Counter(map(kind_of, report.entries))
    certain, likely, open_ = kinds["violation"], kinds["likely"], kinds["unknown"]
    done = counted(len(report.entries), "thing done was", "things done were")
    more = [f"{done if report.kind == 'log' else 'the position was'} judged"]
    more += [f"{likely} likely against the rules"] if likely else []
    more += [f"{open_} cannot be told"] if open_ else []
    head = counted(certain, "certain violation")
    if not certain:
        head = "No certain violation"
    look = "outcome bad" if certain else "outcome doubtful" if likely else "outcome"
    return element("div", element("b", head), element("span", ", ".join(more)), class_=look)


def _panel(title: str, *children: object, wide: bool = False) -> Html:
    look = "panel wide" if wide else "panel"
    return element("section", element("h2", title), *children, class_=look)


def _players(report: CheckReport) -> Html | None:
    tallies: dict[str, Counter[str]] = {}
    for entry in report.entries:
        tallies.setdefault(entry.doer, Counter())[kind_of(entry)] += 1
    if not tallies:
        return None
    return _panel("Players", *(_player(name, tally) for name, tally in tallies.items()))


def _player(name: str, tally: Counter[str]) -> Html:
    total = tally.total()
    bars = []
    left = 0.0
    for kind in KINDS:
        wide = 100 * tally[kind] / total
        if wide:
            bars.append(element("rect", class_=kind, x=left, y=0, width=wide, height=10))
        left += wide
    told = " · ".join(f"{tally[kind]} {KINDS[kind]}" for kind in KINDS if tally[kind])
    share = {"viewBox": "0 0 100 10", "preserveAspectRatio": "none", "aria_hidden": "true"}
    head = element("div", element("b", name), element("span", told, class_="dim"))
    return element("div", head, element("svg", *bars, class_="share", **share), class_="player")


def _rules(report: CheckReport, plugin: GamePlugin | None) -> Html | None:
    rules = report.by_rule()
    if not rules:
        return None
    rows = [
        element(
            "li",
            element(
                "button",
                element("b", rule),
                element("span", _rule_title(rule, plugin)),
                element("span", count, class_="n"),
                type="button",
                data_rule=rule,
                aria_pressed="false",
            ),
        )
        for rule, count in rules.items()
    ]
    lists: list[Html] = [element("ul", *rows[:_FEW], class_="rules")]
    if len(rows) > _FEW:
        more = element("summary", f"{len(rows) - _FEW} more")
        lists.append(element("details", more, element("ul", *rows[_FEW:], class_="rules")))
    return _panel("Rules broken", *lists, wide=True)


def _rule_title(rule: str, plugin: GamePlugin | None) -> str:
    try:
        return plugin.rulebook.rule(rule).title if plugin is not None else ""
    except NotFoundError:
        return "what the table shows" if rule.startswith("HM-") else ""


def _dice(report: CheckReport) -> Html | None:
    return _panel("Dice", *map(_die, report.dice)) if report.dice else None


def _die(dice: DiceStatistics) -> Html:
    rolls = counted(dice.count, "roll")
    about = "" if dice.exact else "about "
    judged = "unusual" if dice.p < _ODD else "nothing unusual"
    told = joined(
        (
            element("b", dice.player or "?"),
            f", d{dice.sides}: {rolls}, mean {float(dice.mean):.2f}",
            element("br"),
            element(
                "span",
                f"fair dice stray so far with a chance of {about}{dice.p:.3f}: {judged}",
                class_="dim",
            ),
        )
    )
    return element("div", element("div", told), _faces(dice), class_="dice")


def _faces(dice: DiceStatistics) -> Html:
    """How often each face came, with a line where it would be by chance alone."""
    wide = _BAR * len(dice.faces)
    most = max(*dice.faces, 1)
    bars: list[Html] = []
    for i, count in enumerate(dice.faces):
        high = _HIGH * count / most
        x = i * _BAR
        bars += (
            element("rect", x=x + 3, y=_HIGH - high, width=_BAR - 6, height=high, rx=2),
            element("text", i + 1, x=x + _BAR / 2, y=_HIGH + 11),
        )
    mean = _HIGH - _HIGH * dice.count / len(dice.faces) / most
    bars.append(element("line", x1=0, x2=wide, y1=mean, y2=mean))
    told = ", ".join(f"{counted(count, 'time')} {face}" for face, count in enumerate(dice.faces, 1))
    view = f"0 0 {wide:.0f} {_HIGH + 14:.0f}"
    return element("svg", *bars, viewBox=view, role="img", aria_label=told)


def _notes(report: CheckReport) -> Html | None:
    return (
        _panel("Notes on the file", element("ul", *_lines(report)), wide=True)
        if (report.notes)
        else None
    )


def _lines(report: CheckReport) -> Iterator[Html]:
    for one in report.notes:
        where = element("b", f"step {one.step}: ") if one.step else None
        hint = element("span", " ", one.note.hint, class_="dim") if one.note.hint else None
        yield element("li", where, one.note.text, hint)
