"""`hexmarshal asl`: lines of sight, questions on saves of VASL, pictures of positions."""

from __future__ import annotations

import typer

from hexmarshal.games.asl.commands.draw import draw
from hexmarshal.games.asl.commands.sight_commands import field, los, terrain
from hexmarshal.games.asl.commands.vasl_fire import fire
from hexmarshal.games.asl.commands.vasl_setup import setup
from hexmarshal.games.asl.commands.vasl_show import show

app = typer.Typer(
    help="Lines of sight of Advanced Squad Leader on VASL boards.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

_EXAMPLES = "\b\nExamples:\n"


@app.callback()
def asl() -> None:
    """Lines of sight of Advanced Squad Leader on VASL boards, and pictures of positions."""


app.command(
    epilog=_EXAMPLES
    + "  hexmarshal asl draw meeting -o meeting.svg\n"
    + "  hexmarshal asl draw hill -o attack.svg --at H9 --firers gm1,g1 --leaders gl1"
)(draw)
app.command(
    epilog=_EXAMPLES
    + "  hexmarshal asl show game.vsav --board-dir boards\n"
    + "  hexmarshal asl show game.vsav --position now.json --svg now.png\n"
    + "  hexmarshal asl show game.vlog --step 12 --reveal --json"
)(show)
app.command(
    epilog=_EXAMPLES
    + "  hexmarshal asl fire game.vsav 57G3 57H8\n"
    + "  hexmarshal asl fire game.vsav K5 M7 --phase defensive_fire --json\n"
    + "  hexmarshal asl fire game.vsav K5 M7 --to-level 1 --svg shot.png"
)(fire)
app.command(
    epilog=_EXAMPLES
    + "  hexmarshal asl setup mine -o mine.vsav --module VASL.vmod --board-dir boards\n"
    + "  hexmarshal asl setup now.json -o now.vsav --module VASL.vmod"
)(setup)
app.command(
    epilog=_EXAMPLES
    + "  hexmarshal asl los boards/bd01 K5 M7\n"
    + "  hexmarshal asl los boards/bd01 K5 M7 --from-level 2 --svg line.svg\n"
    + "  hexmarshal asl los boards/bd01 boards/bd02@flip bd01:K5 bd02:C3\n"
    + "  hexmarshal asl los boards/bd01@A-P boards/bd02 / boards/bd03 bd01:K5 bd03:C3\n"
    + "  hexmarshal asl los boards/bd02 H5 P5 --smoke L5=2 --weather 1 --json\n"
    + "  hexmarshal asl los --board-dir boards 01 K5 M7\n"
    + "  hexmarshal asl los --board-dir boards --lines lines.csv -o answers.csv\n"
    + "  hexmarshal asl los --board-dir boards --lines lines.csv --keep-going"
)(los)
app.command(
    epilog=_EXAMPLES
    + "  hexmarshal asl field boards/bd02 K5 --svg view.svg\n"
    + "  hexmarshal asl field boards/bd01 F5 --level 2 --json\n"
    + "  hexmarshal asl field boards/bd01 boards/bd02@flip bd01:K5 --svg both.png"
)(field)
app.command(epilog=_EXAMPLES + "  hexmarshal asl terrain boards/bd02 --svg terrain.svg")(terrain)
