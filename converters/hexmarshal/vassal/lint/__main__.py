"""`python -m hexmarshal.vassal.lint` prints `docs/vassal/lint.md` from the declared checks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hexmarshal.vassal.lint.run import MODULE_CHECKS, SAVE_CHECKS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.vassal.lint.checks import Check

__all__ = ["page"]

_HEAD: Final = """\
# What `hexmarshal lint` finds

`hexmarshal lint FILE` looks at a module, an extension, a bare build file, a saved game or a log.
Each finding has an id, a severity, a place and a hint; the exit code is 1 if there is any.

- `--severity info|warning|error` tells of that and worse; warnings and errors unless said
  otherwise. An **error** is something players see as an error or lose; a **warning** is something
  that does less than its author meant; **info** is good to know.
- `--ignore ID` leaves a check out.
- `--module BASE.vmod` gives the module of an extension, a save or a log. Without it a name that an
  extension does not define itself is only info, for the module may well define it.
- `--fix -o OUT` (or `--fix --force` in place) mends what is marked **fix** below, and nothing else;
  with `--remove-unused` unused images go too. What the engine's own editor renumbers is renumbered
  in the same order.
- `--json` prints one document with every finding.
- `--advice` tells instead what modules of this size usually have and this one lacks: report traits,
  an inventory window, movement trails, a mouse-over, a turn tracker, notes. Each comes with the
  [recipe](recipes.md) that adds it to this very module; `--recipes DIR` writes them into a folder.
  Of six published modules looked at (82 to 5870 pieces), all have the mouse-over, five reports,
  five trails or marks of movement, three notes, two an inventory and two a tracker.

A module with Java code of its own is judged with care: what that code does cannot be seen, so
unknown traits and unused images are info there.

(This page is printed by `python -m hexmarshal.vassal.lint`; a test keeps it up to date.)
"""


def page() -> str:
    """The whole page."""
    lines = [_HEAD]
    lines += _table("Modules and extensions", MODULE_CHECKS)
    lines += _table("Saved games and logs", SAVE_CHECKS)
    return "\n".join(lines)


def _table(title: str, checks: Sequence[Check[Any]]) -> Iterator[str]:
    yield f"## {title}\n"
    yield "| id | severity | what it means | what to do |"
    yield "| --- | --- | --- | --- |"
    for check in checks:
        severity = check.severity.word + (", **fix**" if check.mend is not None else "")
        yield f"| `{check.id}` | {severity} | {check.title} | {check.advice} |"
    yield ""


if __name__ == "__main__":
    print(page(), end="")
