"""`hexmarshal completion`: a static completion script, so that the Tab key starts no Python."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

import typer

from hexmarshal.cli.contributed import contributed
from hexmarshal.cli.main import load
from hexmarshal.cli.options import command_app, examples
from hexmarshal.cli.table import COMMANDS
from hexmarshal.errors import RulesError

app = command_app("Print a shell completion script.")


class Shell(StrEnum):
    """Shells that we write for."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


def _words(command: Any) -> list[str]:  # noqa: ANN401 - typer hands out its own command class
    subcommands = sorted(getattr(command, "commands", {}))
    options = [
        o for p in command.params for o in (*p.opts, *p.secondary_opts) if o.startswith("--")
    ]
    return [*subcommands, *sorted({*options, "--help"})]


def words() -> dict[str, list[str]]:
    """What may follow each command: its subcommands and options; `a b` for subcommand b of a."""
    table: dict[str, list[str]] = {}
    for name in [*COMMANDS, *sorted(contributed())]:
        try:
            command = load(name)
        except RulesError:  # a game's own, broken: calling it says so
            continue
        table[name] = _words(command)
        for sub, inner in getattr(command, "commands", {}).items():
            table[f"{name} {sub}"] = _words(inner)
    return table


def _commands(table: dict[str, list[str]]) -> list[str]:
    return [path for path in table if " " not in path]


def bash(table: dict[str, list[str]]) -> str:
    """Also what zsh uses, through its bash compatibility."""
    cases = "\n".join(f'    "{path}") words="{" ".join(w)}" ;;' for path, w in table.items())
    names = " ".join([*_commands(table), "--help", "--version"])
    return f"""_hexmarshal() {{
  local cur="${{COMP_WORDS[COMP_CWORD]}}" words="" one="${{COMP_WORDS[1]}}"
  local two="$one ${{COMP_WORDS[2]}}"
  if [ "$COMP_CWORD" -le 1 ]; then words="{names}"; else
    [ "$COMP_CWORD" -le 2 ] && two="$one"
    case "$two" in
{cases}
    esac
    [ -n "$words" ] || case "$one" in
{cases}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}}
complete -o default -F _hexmarshal hexmarshal"""


def fish(table: dict[str, list[str]]) -> str:
    """One line a word."""
    lines = [
        "complete -c hexmarshal -n __fish_use_subcommand -a '" + " ".join(_commands(table)) + "'"
    ]
    for path, following in table.items():
        seen = " ; and ".join(f"__fish_seen_subcommand_from {word}" for word in path.split())
        for word in following:
            what = f"-l {word[2:]}" if word.startswith("--") else f"-a {word}"
            lines.append(f"complete -c hexmarshal -n '{seen}' {what}")
    return "\n".join(lines)


@app.command(
    epilog=examples(
        'eval "$(hexmarshal completion bash)"',
        "hexmarshal completion fish > ~/.config/fish/completions/hexmarshal.fish",
    )
)
def completion(
    shell: Annotated[
        Shell, typer.Argument(metavar="SHELL", help="The shell to write for.")
    ] = Shell.BASH,
) -> None:
    """Print a shell completion script."""
    table = words()
    if shell is Shell.FISH:
        print(fish(table))
        return
    if shell is Shell.ZSH:
        print("autoload -U +X bashcompinit && bashcompinit")
    print(bash(table))
