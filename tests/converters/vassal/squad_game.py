"""A small game with a set-up, a deck, masks and seats, in as many versions as a test wants."""

from hexmarshal.vassal.builder import (
    Counter,
    ModuleBuilder,
    can_delete,
    facings,
    hex_grid,
    label,
    layer,
    markers,
    marks_moved,
    mask,
    number,
    prototype,
)
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.state.game_state import Seat

PASSWORD = "s3cret pass/word"
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48"></svg>'
IMAGES = ("front.svg", "back.svg", "worn.svg", "mask.svg", "moved.svg")

SQUAD = (
    prototype("Unit"),
    layer("Steps", ["front.svg", "back.svg"], key="F", next_command="Flip"),
    markers({"Side": "Red", "Strength": "4"}),
    number("Ammo", 6),
    label("note"),
    marks_moved("moved.svg"),
    mask("mask.svg"),
)
UNIT = (can_delete(), facings(6))


def squad_game(*, squad=SQUAD, unit=UNIT, name="Squad", version="1.0", change=None, setup=True):
    """A module builder; `change` gives the placed squad another state."""
    module = ModuleBuilder("Squads", version=version)
    module.sides("Red", "Blue")
    for image in IMAGES:
        module.image(image, SVG)
    main = module.map("Main Map", main=True)
    board = main.board(
        "Field", size=(600, 480), grid=hex_grid(width=55.43, height=64, origin=(60, 64))
    )
    module.prototype(Counter("Unit", traits=unit))
    main.deck("Deck", board, (500, 400), (Counter("Ace", "front.svg"),))
    squads = module.palette("Counters").list("Units")
    slot = squads.counter(Counter(name, "front.svg", squad))
    other = squads.counter(Counter("Truck", "back.svg", (prototype("Unit"),)))
    if setup:
        start = module.setup("Start")
        start.state.seats[PASSWORD] = Seat(PASSWORD, "Ann", "Red")
        start.place(slot, main, (170, 128), change=change)
        start.place(other, main, (226, 352))
        start.place(other, main, (226, 352))
        start.save()
    return module


def game_of(module):
    """The set-up as a saved game."""
    return SavedGame.from_archive(module.archive().nested("Start.vsav"))


def piece_named(saved, name):
    """The first piece of a name in a saved game."""
    from hexmarshal.vassal.pieces.piece import Piece

    found = (Piece.parse(c.type, c.state, c.id) for c in saved.pieces())
    return next(piece for piece in found if piece.name == name)


def state_of(piece, cls):
    """The state of the first trait of a class."""
    found = piece.first(cls)
    return None if found is None else found.state
