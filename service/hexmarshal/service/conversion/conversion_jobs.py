"""The work of the conversion calls, done where it holds up nobody: files in a folder, answers out.

The folder is the server's own, and so are the names in it, whatever a client sent.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeVar

from google.protobuf.message import DecodeError

from hexmarshal.errors import HexMarshalError, Place
from hexmarshal.referee.check.check_inputs import check_path
from hexmarshal.rules.values import FieldError, thaw
from hexmarshal.service.calls import statuses
from hexmarshal.service.calls.request_text import refuse_nul
from hexmarshal.service.calls.statuses import refusal_of
from hexmarshal.service.conversion import conversion_messages
from hexmarshal.service.conversion.uploads import BINDING, MODULE, PROGRESS, SAVED, leave
from hexmarshal.service.rulings import case_reading
from hexmarshal.service.rulings.methods import read_position as read_message
from hexmarshal.table.binding.coverage import coverage
from hexmarshal.table.module_finder import Means, own_module
from hexmarshal.table.placing import write_save as place_position
from hexmarshal.table.reading import TableReader, base_position
from hexmarshal.v1 import conversion_service_pb2 as pb
from hexmarshal.vassal.container.archive import Archive, Limits
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.saves.log import GameLog
from hexmarshal.vassal.saves.ownership import OtherModuleError
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.wire.positions import encode_position
from hexmarshal.wire.values import decode_record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from google.protobuf.message import Message

    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.plugins.registry import Registry
    from hexmarshal.service.calls.statuses import Refusal
    from hexmarshal.service.rulings.position_cache import PositionReader
    from hexmarshal.table.binding import Binding
    from hexmarshal.vassal.state.game_state import GameState

__all__ = ["TASKS", "convert"]

M = TypeVar("M", bound="Message")

# A stranger's archive gets less room than one that its owner opens at home.
_MIB: Final = 1 << 20
LIMITS: Final = Limits(
    entries=20_000,
    entry_size=256 * _MIB,
    total_size=2048 * _MIB,
    ratio=200,
    ratio_floor=8 * _MIB,
    markup=1_000_000,
)
# The entries that are read as XML.
_XML: Final = ("buildFile", "buildFile.xml", "moduledata", "savedata", "extensiondata")
_PIECE: Final = 1 << 20
# How often a long check says where it is.
_EVERY: Final = 0.2
_UPLOADS: Final = {MODULE: "module", SAVED: "saved", BINDING: "means.binding"}


def convert(
    name: str, folder: Path, plan: bytes, registry: Registry, reader: PositionReader
) -> bytes:
    """Do the work of a call; what is in the files is the client's, so nothing in them is a bug."""
    task = TASKS[name](folder, registry, reader)
    try:
        for upload in (MODULE, SAVED):
            if (folder / upload).exists():
                # Its whole table of contents is looked at before anything is unpacked, and how much
                # markup there is before a tree is built of it.
                archive = Archive.open(folder / upload, LIMITS)
                for entry in filter(archive.has, _XML):
                    place = Place(file=str(folder / upload), entry=entry)
                    LIMITS.check_markup(archive.read(entry), place)
        return task.run(plan)
    except FieldError as error:
        refusal = refusal_of(error)
        assert refusal is not None
        raise refusal from None
    except HexMarshalError as error:
        raise _refused(error, folder) from None


def _refused(error: HexMarshalError, folder: Path) -> Refusal:
    """A refusal that names the upload that it is about, and no file of ours."""
    file = (error.place.file or "").removeprefix(f"{folder}/")
    field = _UPLOADS.get(file, "means")
    where = ", ".join(
        f"{name} {value}"
        for name in ("entry", "line", "field", "cell", "unit")
        if (value := getattr(error.place, name)) is not None
    )
    hint = f" ({error.hint})" if error.hint else ""
    text = f"{where}: {error.message}{hint}" if where else f"{error.message}{hint}"
    return statuses.invalid(field, text.replace(str(folder), ""), reason="UNREADABLE")


def _read(kind: type[M], plan: bytes, field: str) -> M:
    """What is wanted; a large plan comes as it was sent."""
    try:
        found = kind.FromString(plan)
    except (DecodeError, RecursionError) as error:
        text = f"not a {kind.DESCRIPTOR.full_name}: {error}"
        raise statuses.invalid(field, text, reason="UNREADABLE") from None
    refuse_nul(found, plan, f"{field}.")
    return found


@lru_cache(maxsize=4)
def _built(plugin: GamePlugin) -> bytes | None:
    """The module of a game, built once."""
    made = own_module(plugin)
    return None if made is None else made.to_bytes()


class _Task:
    """What the calls have in common: a module, a binding, the rules."""

    def __init__(self, folder: Path, registry: Registry, reader: PositionReader) -> None:
        self._folder, self._registry, self._reader = folder, registry, reader

    def run(self, plan: bytes) -> bytes:
        """The answer, or the first message of it."""
        raise NotImplementedError

    def _understand(self, means: pb.Means) -> Means:
        """The files and names of a call as the referee takes them."""
        folder = self._folder
        if means.game:
            plugin = case_reading.plugin_of(self._registry, means.game, "means.game")
            built = None if (folder / MODULE).exists() else _built(plugin)
            if built is not None:
                (folder / MODULE).write_bytes(built)
        if not (folder / MODULE).exists():
            raise statuses.invalid("module", "no module was sent, and the game builds none")
        if means.binding:
            (folder / BINDING).write_bytes(means.binding)
        options: Mapping[str, object] | None = None
        if means.HasField("options"):
            record = decode_record(means.options)
            options = {name: thaw(value) for name, value in record.items()}
        return Means(
            folder / MODULE,
            folder / BINDING if means.binding else None,
            means.game,
            means.scenario,
            options,
            any_module=means.any_module,
        )

    def _bound(self, means: Means) -> tuple[Module, Binding, GamePlugin]:
        assert means.module is not None
        module = Module.open(means.module)
        binding = means.find_binding(module)
        if binding is None:
            raise statuses.precondition("UNBOUND", f"the module {module.name!r} has no binding")
        if means.game not in ("", binding.game):
            text = f"the binding is for {binding.game!r}"
            raise statuses.invalid("means.game", text)
        return module, binding, case_reading.plugin_of(self._registry, binding.game, "means.game")


class _InspectModule(_Task):
    def run(self, plan: bytes) -> bytes:
        means = self._understand(_read(pb.Means, plan, "means"))
        assert means.module is not None
        module = Module.open(means.module)
        binding = means.find_binding(module)
        covered = None
        if binding is not None:
            _, binding, plugin = self._bound(means)
            covered = binding.game, coverage(module, binding, plugin)
        return conversion_messages.module(module, covered).SerializeToString()


class _ReadPosition(_Task):
    def run(self, plan: bytes) -> bytes:
        means = self._understand(_read(pb.Means, plan, "means"))
        if not (self._folder / SAVED).exists():
            raise statuses.invalid("saved", "no save and no log was sent")
        module, binding, plugin = self._bound(means)
        saved = SavedGame.open(self._folder / SAVED)
        with _own():
            means.demand_own(saved, module, "reads")
        state = self._end(saved)
        base = base_position(plugin, saved, means.scenario, means.options)
        reading = TableReader(module, binding, plugin, state).read(state, base)
        return pb.ReadPositionResponse(
            position=encode_position(reading.position),
            notes=[conversion_messages.note(note) for note in reading.notes],
        ).SerializeToString()

    def _end(self, saved: SavedGame) -> GameState:
        """The state at the end of the file."""
        if not saved.is_log:
            return saved.state()
        log = GameLog(saved)
        end = log.start()
        told = _Ticker(self._folder)
        for _, state in log.replay():
            end = state
            told(1)
        return end


class _WriteSave(_Task):
    def run(self, plan: bytes) -> bytes:
        wanted = _read(pb.SavePlan, plan, "plan")
        if not wanted.HasField("position"):
            raise statuses.invalid("plan.position", "is missing")
        position = read_message(self._reader, wanted.position.SerializeToString())
        module, binding, plugin = self._bound(self._understand(wanted.means))
        if position.game != binding.game:
            raise statuses.invalid("plan.position.game", f"the module is bound to {binding.game!r}")
        case_reading.admitted(plugin, position)
        saved, notes = place_position(module, binding, plugin, position)
        leave(self._folder, self._pieces(saved.to_bytes()))
        told = pb.SaveNotes(notes=[conversion_messages.note(note) for note in notes])
        return pb.WriteSaveResponse(notes=told).SerializeToString()

    def _pieces(self, data: bytes) -> Iterator[Message]:
        for at in range(0, len(data), _PIECE):
            yield pb.WriteSaveResponse(saved=data[at : at + _PIECE])


class _CheckLog(_Task):
    def run(self, plan: bytes) -> bytes:
        wanted = _read(pb.CheckPlan, plan, "plan")
        means = self._understand(wanted.means)
        if not (self._folder / SAVED).exists():
            raise statuses.invalid("saved", "no log and no save was sent")
        self._bound(means)
        told = _Ticker(self._folder)
        with _own():
            report = check_path(self._folder / SAVED, means, self._registry, told)
        if not report.bound:
            why = "; ".join(step.note.text for step in report.notes) or "nothing could be judged"
            raise statuses.precondition("UNBOUND", why)
        leave(self._folder, conversion_messages.report(report, every=wanted.all))
        return b""


@contextmanager
def _own() -> Iterator[None]:
    """A file of another module is read only if the caller says so."""
    try:
        yield
    except OtherModuleError as error:
        text = f"{error.message}; means.any_module has it read all the same"
        raise statuses.precondition("OTHER_MODULE", text) from None


TASKS: Final[Mapping[str, type[_Task]]] = {
    "InspectModule": _InspectModule,
    "ReadPosition": _ReadPosition,
    "WriteSave": _WriteSave,
    "CheckLog": _CheckLog,
}


class _Ticker:
    """Says now and then how far a check is, and ends it when nobody waits for it any more."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._steps = 0
        self._at = time.monotonic()

    def __call__(self, steps: int) -> None:
        self._steps += steps
        now = time.monotonic()
        if now - self._at < _EVERY:
            return
        self._at = now
        try:
            (self._folder / PROGRESS).write_text(str(self._steps))
        except OSError:
            # The server has taken the folder away: the caller is gone, or the time is up.
            raise statuses.expired() from None
