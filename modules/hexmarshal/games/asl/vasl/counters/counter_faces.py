"""What a counter of VASL is and shows: known by its pictures and names, not by its number.

VASL draws a squad as layers: the squad, its half-squad, their broken sides. The outermost layer
that is on and has a known picture is what lies on the table.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from hexmarshal.games.asl.vasl.counters.counter_names import Men
from hexmarshal.vassal.pieces.piece_names import full_name
from hexmarshal.vassal.traits import BasicPiece, Layer, LayerState

if TYPE_CHECKING:
    import re as regex

    from hexmarshal.games.asl.vasl.counters.counter_names import Mark, Names, Weapon
    from hexmarshal.vassal.pieces.piece import Piece

__all__ = ["MEN", "UNKNOWN", "CounterFace", "face_of"]

SQUAD, HALF_SQUAD, CREW = "squad", "half_squad", "crew"
LEADER, HERO, ARMOR_LEADER, BLANK = "leader", "hero", "armor_leader", "blank"
WEAPON, GUN, VEHICLE, WRECK = "weapon", "gun", "vehicle", "wreck"
EQUIPMENT: Final = "equipment"
CONCEALMENT, SNIPER, MARKER, INFORMATION = "concealment", "sniper", "marker", "information"
UNKNOWN: Final = "unknown"
MEN: Final = frozenset({SQUAD, HALF_SQUAD, CREW})
PERSONNEL: Final = MEN | {LEADER, HERO}

_RANK: Final = re.compile(r"(?P<morale>\d{1,2})(?P<sign>[+-])(?P<drm>\d)")
_ARMOR: Final = frozenset({"AL"})
"""Ends the names of armour leaders."""
_SUFFIXES: Final = frozenset({".svg", ".gif", ".png", ".jpg", ".jpeg"})
_BROKEN: Final = "BRK"
_STATES: Final = {"BER": "berserk", "FAN": "fanatic", "HRO": "heroic"}
_STRENGTH: Final = re.compile(
    r"(?:str )?(?P<fp>\d)-?\(?(?P<range>\d)\)?-?(?P<morale>\d{1,2})"
    r"\s+(?:\w+ )?\w*?(?P<kind>sq|hs|cr)\w?\b.*"
)
_KINDS: Final = {"sq": SQUAD, "hs": HALF_SQUAD, "cr": CREW}
_EQUIPMENT: Final = frozenset({"skis", "ahkio"})
_CARRIERS: Final = re.compile(
    r".*\b(Bicycle|Cycle|Motorcycle|Sidecar|Horses?|Wagon|Sledge|Dozer|Skis|Ahkio|Red Banner)\b.*"
)
_BLANK: Final = re.compile(r"\b0-?0-?0\b")
_ARC: Final = re.compile(r"\bv?ca([1-6])\b")
_TURRET: Final = re.compile(r"\btca([1-6])\b")
_HERO_NAME: Final = re.compile(r".*\bHero\b.*")


@dataclass(frozen=True)
class CounterFace:
    """One counter as it shows itself."""

    name: str
    """As VASL shows it, layers and labels included."""
    gpid: str
    cls: str
    """squad, half_squad, crew, leader, hero, weapon, gun, vehicle, wreck, concealment, ..."""
    nation: str = ""
    men: Men | None = None
    weapon: Weapon | None = None
    rank: str = ""
    """Of a leader: 9-1."""
    mark: Mark | None = None
    found: regex.Match[str] | None = None
    flags: frozenset[str] = frozenset()
    facing: int | None = None
    """The vertex or hexside of a vehicle's or gun's covered arc, 1 to 6 as VASL counts."""
    turret: int | None = None
    """The same of a turret."""
    hidden: bool = False
    """Hidden from the other player: HIP."""
    concealed: bool = False
    """Covered by concealment, to the other player."""
    label: str = ""
    commissar: bool = False
    images: tuple[str, ...] = field(default=(), repr=False)

    @cached_property
    def text(self) -> str:
        """As players say it."""
        if self.men is not None:
            return f"{self.men.text} {self.cls.replace('_', '-')}"
        if self.rank:
            return f"{self.rank} {self.cls}"
        return self.name

    @property
    def counter(self) -> str:
        """The counter of the rules; empty if they have none."""
        if self.men is not None:
            return self.men.counter
        if self.weapon is not None:
            return self.weapon.counter
        if self.cls == LEADER:
            return f"{'commissar' if self.commissar else 'leader'}_{self.rank}"
        return "hero_1-4-9" if self.cls == HERO else ""

    @property
    def is_personnel(self) -> bool:
        """Squads, crews and single men."""
        return self.cls in PERSONNEL

    @property
    def is_unit(self) -> bool:
        """What fights, or is fought with."""
        return self.is_personnel or self.cls in {WEAPON, GUN, VEHICLE}


def stem_of(image: str) -> str:
    """A picture's name without what ends it: `ru/ru458S` of `ru/ru458S.svg`."""
    path = PurePosixPath(image.strip())
    return str(path.with_suffix("")) if path.suffix.lower() in _SUFFIXES else str(path)


def face_of(piece: Piece, names: Names, gpid: str = "") -> CounterFace:
    """What a counter is and shows."""
    shown, switched = _layers(piece)
    basic = piece.basic
    base = stem_of(basic.image) if isinstance(basic, BasicPiece) else ""
    images = tuple(stem for stem, _, _ in shown) + ((base,) if base not in ("", ".") else ())
    raw = _own_traits(piece)
    name = full_name(piece).strip()
    common = {
        "name": name,
        "gpid": gpid or piece.gpid,
        "images": images,
        "facing": _number(_ARC, name),
        "turret": _number(_TURRET, name),
        "hidden": _is_owned(raw.get("hide;")),
        "concealed": _is_owned(raw.get("conceal;")),
        "label": _label(piece),
        "commissar": piece.name.endswith("COM"),
    }
    flags = {flag for layer, flag in _STATES.items() if layer in switched}
    flags |= {"moved"} if raw.get("moved;", "").startswith("true") else set()
    nation = _nation(images, names)
    men, stem = _men(shown, base, name, names)
    if men is not None:
        flags |= {"broken"} if _BROKEN in switched or _any_broken(shown) else set()
        own = names.nations.get(stem.split("/")[0], nation)
        of_ss = "ss" if men.counter.startswith("ss_") else own
        return CounterFace(cls=men.kind, nation=of_ss, men=men, flags=frozenset(flags), **common)  # type: ignore[arg-type]
    rank = _rank(shown, base, name)
    if rank and nation:
        flags |= {"broken"} if _BROKEN in switched or _any_broken(shown) else set()
        flags |= {"wounded"} if name.startswith("Wnd") or " Wnd " in name else set()
        cls = ARMOR_LEADER if name.split()[-1:] == ["AL"] else LEADER
        return CounterFace(cls=cls, nation=nation, rank=rank, flags=frozenset(flags), **common)  # type: ignore[arg-type]
    weapon = _weapon(images, names)
    if weapon is not None:
        found, stem = weapon
        flags |= {"malfunctioned"} if _BROKEN in switched or name.startswith("malf") else set()
        faces = [names.weapons[image] for image in images if image in names.weapons]
        flags |= {"dismantled"} if any(one.dismantled for one in faces) else set()
        own = names.nations.get(stem.split("/")[0], nation)
        cls = EQUIPMENT if found.kind in _EQUIPMENT else WEAPON
        return CounterFace(cls=cls, nation=own, weapon=found, flags=frozenset(flags), **common)  # type: ignore[arg-type]
    cls, mark, match = _other(name, images, names, nation)
    return CounterFace(
        cls=cls,
        nation=nation,
        mark=mark,
        found=match,
        flags=frozenset(flags),
        **common,  # type: ignore[arg-type]
    )


def _layers(piece: Piece) -> tuple[list[tuple[str, str, str]], set[str]]:
    """Pictures shown by layers, outermost first, with level and layer names; and layers on."""
    shown: list[tuple[str, str, str]] = []
    switched: set[str] = set()
    for at in piece.each(Layer):
        state = at.state
        if not isinstance(state, LayerState) or not state.is_active:
            continue
        switched.add(at.trait.name)
        if state.level <= len(at.trait.images):
            label = (
                at.trait.level_names[state.level - 1]
                if state.level <= len(at.trait.level_names)
                else ""
            )
            image = stem_of(at.trait.images[state.level - 1])
            if image not in ("", "."):
                shown.append((image, label, at.trait.name))
    return shown, switched


def _men(
    shown: list[tuple[str, str, str]], base: str, name: str, names: Names
) -> tuple[Men | None, str]:
    """The men that a counter shows: by its picture or, where no table has that, by its name."""
    for stem, label in (*((stem, label) for stem, label, _ in shown), (base, name)):
        if stem in names.men:
            return names.men[stem], stem
        found = _STRENGTH.match(label.strip())
        if found is not None and found["morale"] != "0":
            fp, reach, morale = (int(found[part]) for part in ("fp", "range", "morale"))
            return Men(_KINDS[found["kind"]], fp, morale, reach), stem
    return None, ""


def _any_broken(shown: list[tuple[str, str, str]]) -> bool:
    return any(label.startswith("broken") for _, label, _ in shown)


def _own_traits(piece: Piece) -> dict[str, str]:
    """The states of traits that VASL has of its own, and of some stock ones, by their sign."""
    wanted = ("hide;", "conceal;", "moved;")
    found: dict[str, str] = {}
    for trait, state in zip(piece.traits, piece.state_texts, strict=True):
        text = trait.encode() if hasattr(trait, "encode") else ""
        for sign in wanted:
            if text.startswith(sign):
                found.setdefault(sign, state)
    return found


def _is_owned(state: str | None) -> bool:
    return state is not None and state.partition(";")[0].strip() not in ("", "null", "\\")


def _number(arc: regex.Pattern[str], name: str) -> int | None:
    """Where a vehicle, gun or turret looks: VASL puts arcs into the name, `vca4 tca5`, `ca1`."""
    found = arc.search(name)
    return int(found[1]) if found is not None else None


def _label(piece: Piece) -> str:
    from hexmarshal.vassal.traits import Labeler, LabelState

    words = [
        at.state.text
        for at in piece.each(Labeler)
        if isinstance(at.state, LabelState) and at.state.text
    ]
    return " ".join(words)


def _nation(images: tuple[str, ...], names: Names) -> str:
    for stem in images:
        folder = stem.split("/")[0]
        if "/" in stem and folder in names.nations:
            return names.nations[folder]
    return ""


def _rank(shown: list[tuple[str, str, str]], base: str, name: str) -> str:
    """The rank of a leader, from the layer that shows it."""
    for image, label, _ in shown:
        found = _RANK.fullmatch(label.replace("\\", "").strip())
        if found is not None and "/" in image:
            return found[0]
    words = name.replace("\\", "").split()
    if "/" in base or (words and words[-1] in _ARMOR):
        return next((w for w in words if _RANK.fullmatch(w)), "")
    return ""


def _weapon(images: tuple[str, ...], names: Names) -> tuple[Weapon, str] | None:
    """The weapon by its own picture: the one of its reverse may be another weapon's front."""
    for stem in reversed(images):
        found = names.weapons.get(stem)
        if found is not None:
            return found, stem
    return None


def _other(
    name: str, images: tuple[str, ...], names: Names, nation: str
) -> tuple[str, Mark | None, regex.Match[str] | None]:
    """What is neither men nor a known weapon."""
    if any(stem.split("/")[-1].lower().endswith(("qmark", "qmark58")) for stem in images):
        return CONCEALMENT, None, None
    parts = {part for stem in images for part in stem.split("/")[:-1]}
    known = names.mark(name)
    if known is not None:
        mark, found = known
        return (WRECK if mark.marker == "wreck" else MARKER), mark, found
    if "veh" in parts:
        return (WRECK if "wreck" in name.lower() else VEHICLE), None, None
    if "gun" in parts:
        return GUN, None, None
    arc = _ARC.search(name)
    if arc is not None and not nation:
        # Counters of extensions keep their pictures in no folder; what has an arc is one of these.
        return (VEHICLE if arc[0].startswith("v") else GUN), None, None
    if _CARRIERS.fullmatch(name):
        return EQUIPMENT, None, None
    if nation:
        if _HERO_NAME.fullmatch(name) or "T-H" in name:
            return HERO, None, None
        if "niper" in name:
            return SNIPER, None, None
        if _BLANK.search(name):
            return BLANK, None, None
    for stem in images:
        folder = stem.split("/")[0] if "/" in stem else ""
        if folder in names.folders:
            kind = names.folders[folder]
            return (MARKER if kind == "marker" else INFORMATION), None, None
    if nation and images:
        return MARKER, None, None
    plain = not images or "CVP" in name
    return (INFORMATION if plain else UNKNOWN), None, None
