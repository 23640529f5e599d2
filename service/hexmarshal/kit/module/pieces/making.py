"""The pieces that declared units and markers become, and what they tell the binding."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.kit.drawing.counters import SIZE, arrow_svg
from hexmarshal.kit.drawing.markers import moved
from hexmarshal.kit.module.binding_facts import kind
from hexmarshal.kit.module.pieces.announcement_menus import says
from hexmarshal.kit.module.pieces.declared import MarkerPiece, UnitPiece
from hexmarshal.kit.module.pieces.following import follows
from hexmarshal.kit.module.pieces.reports import (
    tells_facing,
    tells_level,
    tells_name,
    tells_sight,
    tells_sign,
    tells_value,
    title_of,
)
from hexmarshal.kit.module.pieces.tiles import GROUND, LAYER, UNITS
from hexmarshal.kit.module.pieces.traits import (
    GOES,
    LISTED,
    LOST,
    MOVED,
    TRAIL,
    asked,
    ends,
    hides,
    left_out,
    more,
    named,
    noted,
    sends,
    sign,
    steps,
    taken_off,
    titles,
    told,
    trail,
)
from hexmarshal.kit.module.solitaire import NOT_MINE
from hexmarshal.vassal.builder import (
    Counter,
    can_delete,
    does_not_stack,
    facings,
    label,
    layer,
    markers,
    marks_moved,
    mask,
    number,
    outlined,
    prototype,
)
from hexmarshal.vassal.builder.counters import Equipped
from hexmarshal.vassal.traits import Delete, Layer, MaskState
from hexmarshal.vassal.values import PropertyChange, ctrl

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.kit.module.pieces.declared import State
    from hexmarshal.kit.module.workbench import Bench

__all__ = ["add_marker", "add_unit"]

_ARROW: Final = 1.62  # an arrow under a counter shows in every direction
_BELOW: Final = 10
_NAME, _NAMES = "Name...", "N"


def add_unit(bench: Bench, piece: UnitPiece) -> None:
    """Put a unit into its palette, and what it shows into the binding."""
    known: dict[str, str] = {"UnitType": piece.type}
    own: tuple[Equipped, ...] = ()
    if piece.id:
        known = {"UnitId": piece.id, **known}
    else:
        name_of = asked("UnitId", _NAME, _NAMES, PropertyChange("R", "Its name"))
        own = (name_of, named(piece.size + _BELOW))
    if bench.layered:
        known[LAYER] = UNITS
    known |= {"UnitSide": piece.side, **piece.known, **titles(bench.seat(piece.side), piece.kind)}
    image, face = _faces(bench, piece, "Step")
    box = bench.losses.get(piece.side, "")
    seldom = (TRAIL, MOVED, *(text.menu for text in piece.texts), *(_NAME for _ in own[:1]))
    # A mask keeps from others what is inside of it: a unit with one can still be eliminated.
    gone = (sends(bench.sheet_map, box),) if box else ()
    traits = (
        can_delete(),  # what comes first is last in the menu
        more(*seldom),
        *(() if piece.back else gone),
        *face,
        *_sides(bench, piece),
        markers(known),
        *own,
        *_written(bench, piece),
        *_back(bench, piece, {"property": {"UnitType": ".+"}}),
        *((*gone, markers(_own_group(bench, piece))) if piece.back else ()),
    )
    shared = prototype(_unit_prototype(bench, piece))
    # Over the mask, where there is one: who it is nobody keeps from the others.
    plate = (named(piece.size + _BELOW, known=True),) if piece.id else ()
    panel = piece.panel or bench.seat(piece.side)
    size = piece.size
    name = f"{piece.id} {piece.name}" if piece.id and piece.id not in piece.name else piece.name
    counter = Counter(name, image, (*traits, *plate, shared, *_reports(piece)), size, size)
    bench.slots[piece.id or f"{piece.side}/{piece.type}"] = bench.panel(panel).counter(counter)
    if len(piece.faces) > 1:
        bench.facts.sign({"property": "Step_Level", "steps": "down"})
    if piece.facings:
        bench.facts.sign({"property": "Facing_Facing", "facing": 1, "on_map": True})


def _own_group(bench: Bench, piece: UnitPiece) -> dict[str, str]:
    """Whose it is, for the inventory: who must not look at its face knows that by its back."""
    return {LISTED[0]: bench.seat(piece.side)}


def _faces(
    bench: Bench, piece: UnitPiece | MarkerPiece, name: str
) -> tuple[str, tuple[Equipped, ...]]:
    """The image of the basic piece, and the traits that show the faces over it."""
    zoom = piece.size / SIZE
    images = [
        bench.pictures.add(piece.image + (f"-{i}" if i else ""), svg, zoom=zoom)
        for i, svg in enumerate(piece.faces)
    ]
    ladder: tuple[Equipped, ...] = ()
    if isinstance(piece, UnitPiece):
        limits = ends("Step_Level", 1, len(images), "K", "L")
        ladder = (steps(images, menu=piece.turning), *limits)
    if isinstance(piece, MarkerPiece) and piece.offset != (0, 0):
        x, y = piece.offset
        return "", (layer(name, images, x=x, y=y),)
    if name != "Step" and len(images) > 1:
        ladder = (layer(name, images, next_command="Turn over", key="F"),)
    if not piece.facings:
        return images[0], ladder if len(images) > 1 else ()
    wide = round(piece.size * _ARROW)
    if isinstance(piece, UnitPiece) and piece.turns:
        # Its picture is empty ahead of it: there it must not be picked.
        box = outlined(piece.size, piece.size, below=piece.behind, stacked=wide)
        return images[0], (*(ladder if len(images) > 1 else ()), box, facings(piece.facings))
    arrow = bench.pictures.add(f"arrow-{wide}", arrow_svg(wide))
    return arrow, (facings(piece.facings), *(ladder or (layer("Face", images),)))


def _sides(bench: Bench, piece: UnitPiece) -> Iterator[Equipped]:
    for sides in piece.sides:
        low = sides.name.lower()
        images = [
            bench.pictures.share(f"{piece.image}-{low}-{i}", svg, zoom=piece.size / SIZE)
            if svg
            else ""
            for i, svg in enumerate(sides.svgs, 1)
        ]
        bench.key(sides.key, sides.menu or low)
        cases = {
            str(i): dict(mean) if isinstance(mean, Mapping) else [dict(one) for one in mean]
            for i, mean in enumerate(sides.means, 1)
        }
        bench.tell_sides(f"{sides.name}_Level", cases, piece.type)
        before, back = sides.back
        made = layer(
            sides.name, images, next_command=sides.menu or sides.name, key=sides.key,
            previous_command=before, previous_key=back,
        )  # fmt: skip
        assert isinstance(made.trait, Layer)
        if back:
            bench.key(back, before)
            made = replace(made, trait=replace(made.trait, loop=False))
        yield made
        if back:
            yield from ends(f"{sides.name}_Level", 1, len(images), back, sides.key)


def _written(bench: Bench, piece: UnitPiece | MarkerPiece) -> Iterator[Equipped]:
    """The numbers and words on a piece that players change."""
    of = {} if isinstance(piece, UnitPiece) else {"of": kind(piece.kind)["match"]}
    for count in piece.counts:
        bench.facts.sign({"property": count.name, "value": count.value, **of})
        yield number(
            count.name, count.start, least=count.least, most=count.most, up=count.up,
            down=count.down, title=title_of(count.name),
        )  # fmt: skip
    for text in piece.texts:
        bench.facts.sign({"property": text.name, "value": text.value, **of})
        yield asked(text.name, text.menu, text.key, PropertyChange("R", text.menu.rstrip(".")))


def _back(
    bench: Bench, piece: UnitPiece | MarkerPiece, of: Mapping[str, Any]
) -> Iterator[Equipped]:
    if piece.back:
        name = f"{piece.image}-back"
        image = bench.pictures.share(name, piece.back, zoom=piece.size / SIZE)
        # A game may know what others would see of a piece even while it lies open.
        cases = {
            "true": {"known_to": "own", "face": piece.unknown},
            "false": [{}, {"face": piece.unknown}],
        }
        bench.facts.sign({"property": "Obscured", "of": dict(of), "cases": cases})
        made = mask(image, masked_name=_covered_name(bench, piece), command="Show or hide")
        covered = isinstance(piece, MarkerPiece) and piece.covered
        yield replace(made, state=MaskState(owner=bench.seat(piece.side))) if covered else made
        yield told("$location$: $oldPieceName$ is now $newPieceName$ *", "P")
        # Nothing is told of the trying of who must not turn it.
        yield left_out(NOT_MINE, ctrl("P"))


def _covered_name(bench: Bench, piece: UnitPiece | MarkerPiece) -> str:
    """What a piece is called while its face is hidden: its back tells whose it is.

    A lone `?` would be taken for a colour where it begins a line of the chat.
    """
    thing = "unit" if isinstance(piece, UnitPiece) else piece.covered_name
    return " ".join(filter(None, ("a hidden", bench.seat(piece.side), thing)))


def _reports(piece: UnitPiece) -> Iterator[Equipped]:
    """What the chat tells of a unit."""
    if len(piece.faces) > 1:
        for key, words in zip("LK", piece.turned, strict=True):
            yield told(f"$location$: $newPieceName$ {words} *", key)
    for sides in piece.sides:
        keys = filter(None, (sides.key, sides.back[1]))
        yield from tells_level(sides.name, sides.told, *keys)
    if piece.facings:
        yield from tells_facing(piece.facings, covered=bool(piece.back))
    if not piece.id:
        yield tells_name(_NAMES)
    yield from _told_written(piece)
    yield told(LOST.format("is eliminated"), "E")
    yield taken_off()


def _told_written(piece: UnitPiece | MarkerPiece) -> Iterator[Equipped]:
    covered = bool(piece.back)
    for count in piece.counts:
        keys = filter(None, (count.up, count.down))
        yield tells_value(count.name, title_of(count.name), *keys, covered=covered)
    for text in piece.texts:
        yield tells_value(text.name, text.menu.rstrip("."), text.key, covered=covered)


def _unit_prototype(bench: Bench, piece: UnitPiece) -> str:
    """The prototype of all units with the same states and the same box of losses."""
    box = bench.losses.get(piece.side, "")
    key = (piece.states, box, piece.side if piece.hides else None, piece.size)
    if key not in bench.prototypes:
        alike = sum(1 for other in bench.prototypes if isinstance(other, tuple) and other[1] == box)
        name = f"{bench.seat(piece.side)} unit" + (f" {alike + 1}" if alike else "")
        traits = [*_states(bench, piece.states, piece.size)]
        half, zoom = piece.size // 2, piece.size / SIZE
        sign_of_move = bench.pictures.add(f"moved-{piece.size}", moved(), zoom=zoom)
        traits.append(marks_moved(sign_of_move, x=-half, y=-half))
        bench.facts.sign(
            {"property": "Moved", "cases": {"true": {"flags": ["moved"]}}, "aid": True}
        )
        traits.append(trail())
        traits += says(bench.pictures, bench.announced, piece.size, bench.speech, bench.tones)
        traits += bench.leads
        if piece.hides:
            traits += [hides(bench.seat(piece.side)), *tells_sight()]
            bench.facts.sign({"property": "Invisible", "cases": {"true": {"seen_by": "own"}}})
        bench.prototypes[key] = bench.module.prototype(Counter(name, traits=tuple(traits)))
    return bench.prototypes[key]


def _states(bench: Bench, states: tuple[State, ...], size: int) -> Iterator[Equipped]:
    for state in states:
        low = state.name.lower()
        picture = bench.pictures.add(f"state-{low}-{size}", state.svg, zoom=size / SIZE)
        yield sign(state.name, picture, state.key, menu=state.menu, suffix=f"+ ({low})")
        yield from tells_sign(state.name, state.menu or state.name, state.key)
        if state.at:
            yield left_out(f"!({state.at})", ctrl(state.key))
        level = f"{state.name}_Level"
        bench.key(state.key, state.menu or low)
        if state.carrier:
            tie = {"of": {"property": {level: "2"}}, "carrier": "below"}
            if tie not in bench.facts.ties:
                bench.facts.ties.append(tie)
        elif state.flag:
            row: dict[str, Any] = {"property": level, "cases": {"2": {"flags": [state.flag]}}}
            bench.facts.sign({**row, "aid": True} if state.aid else row)


def add_marker(bench: Bench, piece: MarkerPiece) -> None:
    """Put a marker into its palette, and what it means into the binding."""
    known = {"MarkerKind": piece.kind}
    if piece.side:
        known["MarkerSide"] = piece.side
    if piece.own is not None:
        known[_own(piece)] = piece.own[1]
    if piece.lies == "under":
        known[LAYER] = GROUND
    elif bench.layered and piece.stacks and not piece.lies:
        known[LAYER] = UNITS
    image, face = _faces(bench, piece, "Side")
    traits = [*face, markers(known)]
    is_marker = not (piece.nothing or piece.cell)
    if is_marker and not piece.on_unit:
        traits.append(noted("MarkerId"))
    traits += [*_states(bench, piece.states, piece.size), *_written(bench, piece)]
    if piece.shows:
        traits.append(label(piece.shows, size=10, prop="", editable=False))
    if piece.hides:
        traits += [hides(*filter(None, (bench.seat(piece.side),))), *tells_sight()]
        bench.facts.sign({"property": "Invisible", "cases": {"true": {"seen_by": "own"}}})
    traits += _back(bench, piece, kind(piece.kind)["match"])
    if not piece.stacks or piece.lies:
        traits.append(does_not_stack())
    traits += _marker_reports(piece)
    if piece.on_unit:
        traits += follows()
    if piece.back:  # outside of the mask, which would keep the key from it
        traits.append(Equipped(Delete(key=GOES)))
    traits.append(taken_off())
    counter = Counter(piece.name, image, (can_delete(), *traits), piece.size, piece.size)
    bench.slots[piece.image] = bench.panel(piece.panel).counter(counter)
    _tell_marker(bench, piece)


def _marker_reports(piece: MarkerPiece) -> Iterator[Equipped]:
    """What the chat tells of a marker that was changed."""
    if len(piece.faces) > 1 and piece.values and not piece.back:
        words = [", ".join(f"{name} {v}" for name, v in one.items()) for one in piece.values]
        yield from tells_level("Side", words, "F")
    elif len(piece.faces) > 1:
        yield told("$location$: $newPieceName$: $menuCommand$ *", "F")
    if piece.facings:
        yield from tells_facing(piece.facings, covered=bool(piece.back))
    yield from _told_written(piece)


def _own(piece: MarkerPiece) -> str:
    """The property that tells markers of one kind apart."""
    assert piece.own is not None
    return f"Marker{piece.own[0].capitalize()}"


def _tell_own(bench: Bench, piece: MarkerPiece) -> None:
    """One sign for all markers of the kind; each adds the text that it has."""
    of = kind(piece.kind)["match"]
    name, text = piece.own or ("", "")
    row = {"property": _own(piece), "of": of}
    found = next((s for s in bench.facts.signs if row.items() <= s.items()), None)
    if found is None:
        found = {**row, "cases": {}}
        bench.facts.sign(found)
    found["cases"][text] = {"values": {name: text}}


def _tell_marker(bench: Bench, piece: MarkerPiece) -> None:
    facts, match = bench.facts, kind(piece.kind)
    aid = {"aid": True} if piece.aid else {}
    if piece.side:
        match["match"]["property"]["MarkerSide"] = piece.side
    if piece.nothing:
        facts.markers.append({**match, "nothing": True})
    elif piece.cell:
        facts.markers.append({**match, "cell": dict(piece.cell)})
    elif piece.on_unit:
        side = piece.side or "{unit side}"
        owner = {"on": "unit", "id": f"{piece.kind}-{{unit}}", "side": side}
        facts.marker({**match, "kind": piece.kind, **owner, **aid})
    else:
        own = {"side": piece.side} if piece.side else {}
        facts.marker({**match, "kind": piece.kind, "id": "{MarkerId}", **own, **aid})
    if piece.own is not None:
        _tell_own(bench, piece)
    if piece.values:
        cases = {str(i): {"values": dict(v)} for i, v in enumerate(piece.values, 1)}
        facts.sign({"property": "Side_Level", "of": match["match"], "cases": cases})
    if piece.facings:
        facts.sign({"property": "Facing_Facing", "facing": 1, "of": match["match"]})
