"""`hexmarshal rules GAME [ID]`: the rulebook in our words, and what became of each rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from hexmarshal.cli.options import Json, command_app, examples
from hexmarshal.cli.output import print_fields, print_json, print_table
from hexmarshal.cli.rules.plugins import Data, GameKey, Plugins, games
from hexmarshal.errors import UsageError
from hexmarshal.errors.counts import counted

if TYPE_CHECKING:
    from hexmarshal.rules.cases.coverage import Coverage
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.rulebook import Rule

app = command_app("Show a game's rules: our sentence, status, where implemented and tested.")


@app.command(
    "rules",
    epilog=examples(
        "hexmarshal rules mygame",
        "hexmarshal rules mygame MG-6.25",
        "hexmarshal rules mygame --status advisory",
        "hexmarshal rules mygame --announcements",
    ),
)
def show_rules(
    game: GameKey,
    id: Annotated[str, typer.Argument(metavar="ID", help="One rule, in full.")] = "",
    *,
    status: Annotated[
        str,
        typer.Option(
            metavar="STATUS", help="Only rules that are implemented, advisory or 'out of scope'."
        ),
    ] = "",
    announcements: Annotated[
        bool,
        typer.Option("--announcements", help="What players can announce in the chat of a game."),
    ] = False,
    plugin: Plugins = None,
    data: Data = None,
    json: Json = False,
) -> None:
    """Show a game's rules: our sentence, their place in the book, status, code and tests."""
    from hexmarshal.rules.cases.coverage import coverage_of
    from hexmarshal.rules.rulebook import Status

    one = games(plugin, data, game=game).get(game)
    book = one.rulebook
    if announcements:
        _announcements(one, as_json=json)
        return
    if id:
        rule = book.rule(id)
        _one(rule, coverage_of(one), as_json=json)
        return
    known = [s.value for s in Status]
    if status and status not in known:
        raise UsageError(f"no status {status!r}", hint=f"known: {', '.join(known)}")
    rules = [rule for rule in book.values() if not status or rule.status.value == status]
    if json:
        print_json({"game": game, "rules": [rule.to_json() for rule in rules]})
        return
    rows = ((r.id, r.section, r.title, r.status.value) for r in rules)
    print_table("", ("id", "section", "title", "status"), rows)
    counts = {s: len(book.with_status(s)) for s in Status}
    print(
        f"{counted(len(book), 'rule')}: "
        + ", ".join(f"{n} {s.value}" for s, n in counts.items() if n)
    )


def _announcements(plugin: GamePlugin, *, as_json: bool) -> None:
    from hexmarshal.kit.announcements import notation

    game = plugin.game
    lines = {action.title: notation(action) for action in game.actions.values()}
    if as_json:
        print_json({"game": game.key, "announcements": list(lines.values())})
        return
    print_table("", ("what", "in the chat"), lines.items())


def _one(rule: Rule, coverage: Coverage, *, as_json: bool) -> None:
    implemented = [str(place) for place in coverage.implemented.get(rule.id, ())]
    tested = [str(place) for place in coverage.tested.get(rule.id, ())]
    if as_json:
        print_json({**rule.to_json(), "implemented_in": implemented, "tested_in": tested})
        return
    shown = {
        "rule": rule.id,
        "section": rule.section,
        "title": rule.title,
        "text": rule.text,
        "status": rule.status.value,
        "why": rule.why,
        "reading": rule.reading,
        "switch": rule.switch,
        "code": ", ".join(implemented) or "-",
        "tests": ", ".join(tested) or "-",
    }
    print_fields({name: value for name, value in shown.items() if value})
