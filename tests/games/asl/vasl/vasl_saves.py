"""Small saves that look as VASL's do: counters of layers, stacks, boards, no file of anybody's."""

from __future__ import annotations

from pathlib import Path

from hexmarshal.vassal.commands.piece import AddPiece
from hexmarshal.vassal.commands.tree import CommandNode
from hexmarshal.vassal.components import Map, PanelWidget, PieceSlot, PieceWindow
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.pieces.chain import encode_chain
from hexmarshal.vassal.pieces.piece import Piece, format_add
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.state.game_state import GameState
from hexmarshal.vassal.vasl.painting import Painting

MODULE = (
    b'<?xml version="1.0" encoding="UTF-8"?>\n<data version="1"><version>6.7.0</version>'
    b"<VassalVersion>3.7.15</VassalVersion><name>VASL</name></data>"
)


def layer(images: str, names: str, name: str = "", *, always: bool = False) -> str:
    on = "true" if always else "false"
    shown = f"{images};{names};false;{name}"
    return f"emb2;;128;A;;128;;;128;;;;0;false;0;0;{shown};;;false;;1;1;{on};;;;;1.0;;true"


class Counter:
    """A counter as traits, outermost first, each with its state."""

    def __init__(self, name: str, image: str = " ", gpid: str = "1") -> None:
        self.name, self.image, self.gpid = name, image, gpid
        self.traits: list[tuple[str, str]] = []

    def with_trait(self, kind: str, state: str) -> Counter:
        self.traits.append((kind, state))
        return self

    def texts(self, map: str, x: int, y: int) -> tuple[str, str]:
        kinds = [*(k for k, _ in self.traits), f"piece;K;D;{self.image};{self.name}"]
        states = [*(s for _, s in self.traits), f"{map};{x};{y};{self.gpid};0"]
        return encode_chain(kinds, "\t"), encode_chain(states, "\t")


def squad(
    nation: str = "ru",
    full: str = "458 447 426",
    halves: str = "248 237 226",
    *,
    level: int = 1,
    half: bool = False,
    broken: bool = False,
    hidden: str = "null",
) -> Counter:
    """A squad as VASL draws it: the squad, its broken side, its half-squad, its broken side."""

    def images(strengths: str, kind: str) -> str:
        return ",".join(f"{nation}/{nation}{s}{kind}.svg" for s in strengths.split())

    def names(strengths: str, kind: str) -> str:
        return ",".join(f"{'-'.join(s)} E{kind}" for s in strengths.split())

    count = len(full.split())
    reverse = ",".join(f"{nation}/{nation}s8b" for _ in range(count))
    said = ",".join(["broken +"] * count)
    one = Counter("-".join(full.split()[0]) + " Esq", gpid="433")
    one.with_trait("hide;72,130;HIP;;player:;0.3;;false", hidden)
    one.with_trait("moved;moved", "false")
    one.with_trait(layer(images(halves, "H"), names(halves, "hs")), str(level if half else -level))
    one.with_trait(layer(reverse, said, "BRK"), str(level if broken else -level))
    return one.with_trait(layer(images(full, "S"), names(full, "sq"), always=True), str(level))


def leader(nation: str = "ru", rank: int = 4, *, broken: bool = False) -> Counter:
    ranks = ["103", "102", "92", "91", "81", "80", "70", "61"]
    told = "10-3,10-2,9-2,9-1,8-1,8-0,7-0,6\\+1"
    one = Counter(f"{nation}LDR", gpid="459")
    backs = ",".join(f"{nation}/{nation}L{r}b" for r in ranks)
    one.with_trait(layer(backs, ",".join(["broken +"] * 8), "BRK"), str(rank if broken else -rank))
    fronts = ",".join(f"{nation}/{nation}L{r}" for r in ranks)
    return one.with_trait(layer(fronts, told, always=True), str(rank))


def weapon(kind: str = "MMG", nation: str = "ru", *, malfunctioned: bool = False) -> Counter:
    one = Counter(kind, f"{nation}/{nation}{kind}.svg", "483")
    on = "1" if malfunctioned else "-1"
    return one.with_trait(layer(f"{nation}/{nation}{kind}b", "malf +", "BRK"), on)


def marker(name: str, image: str = "MS/dm.svg") -> Counter:
    return Counter(name, image, "5705")


def level(number: int) -> Counter:
    one = Counter("Building", "ML/_white58", "163")
    names = "+ Cellar,+ Ground Level,+ Level 1,+ Level 2,+ Level 3,+ Roof Level"
    images = "ML/Lev-1,ML/Lev0,ML/Lev1,ML/Lev2,ML/Lev3,ML/LevRoof"
    return one.with_trait(layer(images, names, always=True), str(number + 2))


class Table:
    """A game of VASL: boards, then stacks at pixels of the map."""

    def __init__(self, boards: str = "", info: str = "Axis\tAxis\t1\t3\t3\t2\t4\t?\t?\t") -> None:
        self.state = GameState(others=(f"INFO\t{info}", f"bd\t{boards}"))
        self.number = 1000

    def stack(self, x: int, y: int, *counters: Counter, map: str = "Main Map") -> list[str]:
        ids = []
        for counter in counters:
            self.number += 1
            ids.append(str(self.number))
            self.state.apply(AddPiece(ids[-1], *counter.texts(map, x, y)))
        self.number += 1
        members = ";".join([map, str(x), str(y), *ids])
        self.state.apply(AddPiece(str(self.number), "stack", members))
        return ids

    def log(self, path: Path, *lines: str) -> Path:
        """A log that begins with this table: lines of chat, or commands as VASSAL writes them."""
        entries = {"moduledata": MODULE, "savedata": MODULE}
        saved = SavedGame.from_state(self.state, entries=entries)
        texts = [line if line.startswith(("M/", "D/")) else f"CHAT{line}" for line in lines]
        steps = tuple(CommandNode(f"LOG\t{text}") for text in texts)
        root = CommandNode(saved.root.text, (*saved.root.children, *steps))
        saved.with_root(root).save(path, force=True)
        return path

    def save(self, path: Path) -> Path:
        entries = {"moduledata": MODULE, "savedata": MODULE}
        SavedGame.from_state(self.state, entries=entries).save(path, force=True)
        return path


def module(*counters: Counter) -> Module:
    """A module called VASL that has these counters, and no others."""
    made = Module.create("VASL", version="6.7.0")
    made.root.add(Map, {"mapName": "Main Map"})
    panel = made.root.add(PieceWindow).add(PanelWidget, {"entryName": "Counters"})
    for number, counter in enumerate(counters):
        counter.gpid = str(number + 1)
        texts = counter.texts("null", 0, 0)
        slot = panel.add(PieceSlot, {"entryName": counter.name, "gpid": counter.gpid})
        slot.text = format_add(Piece.parse(*texts))
    return made


def board(folder: Path, name: str = "bdOne") -> Painting:
    """A board of ours, 9 columns of 6 rows, in a folder."""
    folder.mkdir(exist_ok=True)
    painting = Painting(9, 6, name).fill("Stone Building, 1 Level", "E3", "E4").stairway("E3")
    painting.fill("Woods", "C3").write(folder)
    return painting
