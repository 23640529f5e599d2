"""Entry point: finds the command, runs it, and turns every error into one clear line.

The overview imports next to nothing, not even our errors: they come with the first command. And
nothing is imported before `run` looks after it, so that Ctrl-C is no traceback at any moment.
"""

from __future__ import annotations

import io
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from hexmarshal.errors import HexMarshalError, UsageError

__all__ = ["main", "run"]

_CTRL_C = 130  # ExitCode.INTERRUPTED
_made: dict[Any, Any] = {}


def overview() -> str:
    """What `hexmarshal --help` prints, without importing any command."""
    from hexmarshal.cli.contributed import contributed
    from hexmarshal.cli.table import COMMANDS, SECTIONS

    width = max(len(name) for name in COMMANDS) + 2
    lines = [
        "Usage: hexmarshal [--debug] COMMAND [ARGS]...",
        "",
        "VASSAL files, lines of sight and the rules of board wargames.",
    ]
    for section in SECTIONS:
        lines += ["", f"{section.title}:"]
        lines += [f"  {c.name:<{width}}{c.summary}" for c in section.commands]
    if extra := sorted(contributed()):
        lines += ["", "Commands of games:"]
        lines += [f"  {name:<{width}}'hexmarshal {name} --help' tells more" for name in extra]
    lines += [
        "",
        "Options:",
        f"  {'--version':<{width}}Print the version and exit",
        f"  {'--debug':<{width}}Show the traceback of an error (also HEXMARSHAL_DEBUG=1)",
        f"  {'--help':<{width}}This page; 'hexmarshal COMMAND --help' for one command",
        "",
        "Exit codes: 0 fine, 1 findings, 2 usage, 3 bad input, 4 not found, 5 cannot write,",
        "6 something optional is missing, 70 a bug of ours, 130 interrupted.",
    ]
    return "\n".join(lines)


def _unknown(name: str) -> UsageError:
    from hexmarshal.cli.contributed import contributed
    from hexmarshal.cli.table import COMMANDS
    from hexmarshal.errors import UsageError
    from hexmarshal.errors.names import did_you_mean

    known = (*COMMANDS, *contributed())
    hint = did_you_mean(name, known, "'hexmarshal --help' lists the commands")
    return UsageError(f"no such command: {name!r}", hint=hint)


def load(name: str) -> Any:  # noqa: ANN401 - typer hands out its own command class
    """The runnable command of that name."""
    import importlib

    from hexmarshal.cli.contributed import contributed
    from hexmarshal.cli.table import COMMANDS

    if name in COMMANDS:
        return _command(importlib.import_module(COMMANDS[name].module).app)
    module, _, attribute = contributed()[name].partition(":")
    try:
        app = getattr(importlib.import_module(module), attribute or "app")
    except Exception as error:
        from hexmarshal.errors import RulesError

        why = f"{type(error).__name__}: {error}"
        raise RulesError(f"the command {name!r} of a game cannot be loaded: {why}") from error
    return _command(app)


def _command(app: Any) -> Any:  # noqa: ANN401 - as above
    """What typer makes of an app, once: whoever runs many commands in one process gains by it."""
    import typer.main

    if app not in _made:
        _made[app] = typer.main.get_command(app)
    return _made[app]


def _dispatch(argv: Sequence[str]) -> int:
    if argv and (argv[0] in {"--help", "-h"} or argv == ["help"]):
        print(overview())
        return 0
    from hexmarshal.cli.contributed import contributed
    from hexmarshal.cli.table import COMMANDS
    from hexmarshal.errors import ExitCode, UsageError

    if not argv:
        print(overview())
        return ExitCode.USAGE
    name, *rest = argv
    if name == "help" and rest:
        name, rest = rest[0], [*rest[1:], "--help"]
    if name == "--version":
        from importlib.metadata import version

        print(f"hexmarshal {version('hexmarshal')}")
        return ExitCode.OK
    if name.startswith("-"):
        raise UsageError(f"no such option: {name}", hint="options of a command come after its name")
    if name not in COMMANDS and name not in contributed():
        raise _unknown(name)
    command = load(name)
    outcome = command.main(
        args=rest,
        prog_name=f"hexmarshal {name}",
        standalone_mode=False,
        help_option_names=["--help", "-h"],
    )
    return int(outcome) if isinstance(outcome, int) else ExitCode.OK


def _report(error: HexMarshalError, *, as_json: bool) -> int:
    if as_json:
        from hexmarshal.cli.output import print_json

        print_json({"error": error.as_dict()}, file=sys.stderr, lines=True)
    else:
        print(f"error: {error}", file=sys.stderr)
        if error.hint:
            print(f"hint: {error.hint}", file=sys.stderr)
    return error.exit_code


def _command_line_error(error: Exception) -> HexMarshalError | None:
    """The typer error classes differ between its versions; all of them can format themselves."""
    form: Callable[[], str] | None = getattr(error, "format_message", None)
    if form is None:
        return None
    import re

    from hexmarshal.errors import BadInputError, Place, UsageError

    # The command line is right; it is the file that is not.
    file = re.search(r"'([^']*)' is not readable", form())
    if file is not None:
        return BadInputError("cannot be read: Permission denied", place=Place(file=file[1]))
    context = getattr(error, "ctx", None)
    path = getattr(context, "command_path", "hexmarshal")
    return UsageError(form(), hint=f"try '{path} --help'")


def _plugin_fault(error: Exception) -> HexMarshalError | None:
    """What to tell of a plugin that failed; whether there are any must not cost an import."""
    registry = sys.modules.get("hexmarshal.rules.plugins.registry")
    if registry is None or not registry.default.cache_info().currsize:
        return None
    fault: HexMarshalError | None = registry.default().fault(error)
    return fault


def _unread() -> int:
    """The reader went away (`| head`): what is left to say interests nobody."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _interrupted() -> int:
    print("interrupted", file=sys.stderr)
    return _CTRL_C


def _explain(error: Exception, *, debug: bool, as_json: bool) -> int:
    """Tell of an error in one or two lines and return its exit code; raise it for `--debug`."""
    from hexmarshal.errors import ExitCode, HexMarshalError

    if isinstance(error, HexMarshalError):
        if debug:
            raise error
        return _report(error, as_json=as_json)
    if isinstance(error, BrokenPipeError):
        return _unread()
    if (usage := _command_line_error(error)) is not None:
        return _report(usage, as_json=as_json)
    if type(error).__name__ == "Abort":
        return _interrupted()
    if debug:
        raise error
    if (fault := _plugin_fault(error)) is not None:
        return _report(fault, as_json=as_json)
    print(f"error: a bug in hexmarshal: {type(error).__name__}: {error}", file=sys.stderr)
    print("hint: run again with --debug and report what it prints", file=sys.stderr)
    return ExitCode.BUG


def run(argv: Sequence[str]) -> int:
    """Run one command line and return its exit code; no exception leaves it unless `--debug`."""
    debug = "--debug" in argv or os.environ.get("HEXMARSHAL_DEBUG", "") not in {"", "0"}
    args = [a for a in argv if a != "--debug"]
    try:
        code = _dispatch(args)
        # typer makes Abort or this number of Ctrl-C, by its version.
        return _interrupted() if code == _CTRL_C else code
    except KeyboardInterrupt:
        return _interrupted()
    except SystemExit as stop:
        # typer takes a pipe that nobody reads for a failure.
        if isinstance(stop.__context__, BrokenPipeError):
            return _unread()
        raise
    except Exception as error:
        return _explain(error, debug=debug, as_json="--json" in args)


def expanded(argv: Sequence[str]) -> list[str]:
    """Patterns such as `saves/*.vsav` as the files that they match, for shells that leave that."""
    import glob

    found: list[str] = []
    for word in argv:
        matches = sorted(glob.glob(word)) if glob.has_magic(word) else []  # noqa: PTH207 - words
        found += matches or [word]
    return found


def main() -> None:
    """The console script; a letter that the terminal or the pipe lacks is written as its number."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if sys.stdout.isatty() or sys.stderr.isatty():
        from hexmarshal.cli.terminal import guard_terminals

        guard_terminals()
    argv = sys.argv[1:]
    sys.exit(run(expanded(argv) if sys.platform == "win32" else argv))


if __name__ == "__main__":
    main()
