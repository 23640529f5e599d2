"""One map of a game as a picture: boards, then everything that lies on them in drawing order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.errors import NotFoundError, Place, UsageError
from hexmarshal.errors.names import did_you_mean
from hexmarshal.vassal.components import LayeredPieceCollection, StackMetrics
from hexmarshal.vassal.render.figure import Figure, figure, property_of
from hexmarshal.vassal.render.pictures import Pictures
from hexmarshal.vassal.state.game_properties import game_properties
from hexmarshal.vassal.state.locator import ModuleLocator
from hexmarshal.vassal.state.placed import PlacedDeck, PlacedPiece, PlacedStack

if TYPE_CHECKING:
    from collections.abc import Callable

    from PIL.Image import Image

    from hexmarshal.geometry.terrain.boards import PlacedBoard
    from hexmarshal.vassal.components import Board, Map
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.render.board_picture import BoardPicture
    from hexmarshal.vassal.state.game_state import GameState
    from hexmarshal.vassal.state.placed import Placed

__all__ = ["Rendered", "map_named", "render_map"]

_MOST_PIXELS = 400_000_000
# The engine lifts each card of a deck by two pixels.
_CARD = 2
_WHITE, _BLACK = (255, 255, 255, 255), (0, 0, 0, 255)
# What a game says of boards that lie outside of its module.
_VASL_BOARDS = "bd\t"


@dataclass(frozen=True, slots=True)
class Rendered:
    """A picture, how many pieces are on it, how many are hidden, and which images are missing."""

    image: Image
    drawn: int
    hidden: int
    missing: tuple[str, ...]


def map_named(module: Module, name: str | None) -> tuple[str, Map]:
    """A map by name or number (`Map0`); without a name the first."""
    maps = {m.name or f"Map{i}": m for i, m in enumerate(module.maps())}
    if not maps:
        raise NotFoundError("the module has no map", place=module.place)
    if name is None:
        return next(iter(maps.items()))
    if name not in maps:
        raise NotFoundError(
            f"there is no map {name!r}",
            place=module.place,
            hint=did_you_mean(name, maps, f"maps: {', '.join(maps)}"),
        )
    return name, maps[name]


def render_map(
    module: Module,
    state: GameState,
    name: str | None = None,
    *,
    reveal: bool = False,
    scale: float = 1.0,
    step: Callable[[int], None] = lambda _n: None,
    boards: BoardPicture | None = None,
) -> Rendered:
    """Draw a map with what lies on it; `reveal` shows masked and hidden pieces as they are.

    `boards` are those of a game that lie in files outside of its module.
    """
    import PIL.Image

    if not 0 < scale <= 4:
        raise UsageError(f"the scale must be above 0 and at most 4, not {scale:g}")
    identifier, of_map = map_named(module, name)
    pictures = Pictures(module, other_forms=boards is not None)
    if boards is not None and boards.names(identifier):
        canvas = boards.composed(of_map.background_color.rgba or _WHITE)
    else:
        canvas = _ground(module, state, identifier, of_map, pictures)
    also = boards.also if boards is not None and boards.names(identifier) else ()
    on = (identifier, *also)
    drawn, hidden = _draw_items(canvas, of_map, on, state, pictures, reveal, step)
    if scale != 1:
        size = max(1, round(canvas.width * scale)), max(1, round(canvas.height * scale))
        canvas = canvas.resize(size, PIL.Image.Resampling.LANCZOS)
    return Rendered(canvas.convert("RGB"), drawn, hidden, tuple(pictures.missing))


def _ground(
    module: Module, state: GameState, identifier: str, of_map: Map, pictures: Pictures
) -> Image:
    """The boards of the module that the game has on the map."""
    import PIL.Image

    laid = ModuleLocator.for_game(module, state).on(identifier)
    own = {board.name: board for board in of_map.boards}
    width, height = laid.size
    if not laid.boards and any(text.startswith(_VASL_BOARDS) for text in state.others):
        raise NotFoundError(
            "no boards were chosen in this game",
            place=Place(field=identifier).within(module.place),
            hint="boards are chosen in VASL; another map of the module is drawn with --map",
        )
    if not laid.boards or width * height > _MOST_PIXELS:
        raise NotFoundError(
            "no board of this map has a size that can be drawn",
            place=Place(field=identifier).within(module.place),
            hint="the picture of the board may be missing from the module",
        )
    canvas = PIL.Image.new("RGBA", (width, height), of_map.background_color.rgba or _WHITE)
    for placed in laid.boards:
        _draw_board(canvas, placed, own[placed.board.name], pictures)
    return canvas


def _draw_board(canvas: Image, placed: PlacedBoard, board: Board, pictures: Pictures) -> None:
    import PIL.Image

    picture = pictures.get(str(board.image)) if board.image else None
    if picture is None:
        colour = board.color.rgba or (255, 255, 255, 255)
        picture = PIL.Image.new("RGBA", placed.board.size, colour)
    if placed.board.reversed:
        picture = picture.transpose(PIL.Image.Transpose.ROTATE_180)
    canvas.alpha_composite(picture, (placed.x, placed.y))


def _draw_items(
    canvas: Image,
    of_map: Map,
    on: tuple[str, ...],
    state: GameState,
    pictures: Pictures,
    reveal: bool,
    step: Callable[[int], None],
) -> tuple[int, int]:
    metrics = of_map.child(StackMetrics)
    apart = (metrics.unexpanded_x, metrics.unexpanded_y) if metrics is not None else (2, 4)
    drawn = hidden = 0
    around = game_properties(state, on[0])
    for item in _in_layers(of_map, on, state):
        step(1)
        closed = False
        match item:
            case PlacedPiece():
                pieces = [(item, 0)]
            case PlacedStack():
                pieces = [(member, i) for i, member in enumerate(state.members(item.id))]
            case PlacedDeck():
                pieces = [(member, 0) for member in state.members(item.id)[-1:]]
                closed = item.face_down
                if not pieces:
                    _outline(canvas, item)
        for piece, above in pieces:
            # The engine counts from the top of a stack.
            lying = {**around, "StackPos": str(len(pieces) - above), "StackSize": str(len(pieces))}
            shown = figure(piece.piece, pictures, reveal=reveal, face_down=closed, around=lying.get)
            if shown is None:
                hidden += 1
                if isinstance(item, PlacedDeck):
                    _outline(canvas, item)
                continue
            drawn += 1
            if isinstance(item, PlacedDeck):
                height = _cards_below(canvas, item, shown)
                _paste(canvas, shown, item.x + height, item.y - height)
                continue
            _paste(canvas, shown, item.x + above * apart[0], item.y - above * apart[1])
    return drawn, hidden


def _in_layers(of_map: Map, on: tuple[str, ...], state: GameState) -> list[Placed]:
    """What lies on a map by itself, the lowest layer first; in a layer the drawing order holds."""
    items = [
        item
        for item in state.table.items.values()
        if item.map in on and item.id not in state.table.holders
    ]
    layers = next(of_map.each(LayeredPieceCollection), None)
    if layers is None:
        return items
    order = {name: rank for rank, name in enumerate(layers.layer_order)}

    def rank(item: Placed) -> int:
        members = (item,) if isinstance(item, PlacedPiece) else state.members(item.id)[:1]
        named = (property_of(m.piece, layers.property) for m in members)
        return next((order[name] for name in named if name in order), len(order))

    return sorted(items, key=rank)


def _paste(canvas: Image, shown: Figure, x: int, y: int) -> None:
    left, top = x - shown.x, y - shown.y
    image = shown.image
    crop = (max(0, -left), max(0, -top), image.width, image.height)
    if crop[0] >= image.width or crop[1] >= image.height:
        return
    at = max(0, left), max(0, top)
    if at[0] < canvas.width and at[1] < canvas.height:
        canvas.alpha_composite(image.crop(crop), at)


def _cards_below(canvas: Image, item: PlacedDeck, top: Figure) -> int:
    """Draw what is seen of the cards below the top one; how far they lift it."""
    from PIL import ImageDraw

    most = item.deck.max_stack
    below = max(0, min(len(item.members), most) - 1)
    left, upper = item.x - top.x, item.y - top.y
    for number in range(below):
        lift = _CARD * number
        corner = left + lift, upper - lift
        box = (*corner, corner[0] + top.image.width, corner[1] + top.image.height)
        ImageDraw.Draw(canvas).rectangle(box, fill=_WHITE, outline=_BLACK)
    return _CARD * below


def _outline(canvas: Image, item: PlacedDeck) -> None:
    from PIL import ImageDraw

    deck = item.deck
    if not deck.draw_outline:
        return
    left, top = item.x - deck.width // 2, item.y - deck.height // 2
    box = (left, top, left + deck.width, top + deck.height)
    ImageDraw.Draw(canvas).rectangle(box, outline=deck.outline.rgba or _BLACK)
