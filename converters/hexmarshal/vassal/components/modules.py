"""Components at the top of a build file: the module or extension itself, its options and texts."""

from __future__ import annotations

from lxml import etree

from hexmarshal.errors import UsageError
from hexmarshal.vassal.components.attributes import (
    Choice,
    FileName,
    Flag,
    Format,
    Image,
    Integer,
    Key,
    Names,
    Text,
)
from hexmarshal.vassal.components.base import Component

_MODULE = "VASSAL.build.module"
_DOCS = f"{_MODULE}.documentation"
_PREFERENCES = "VASSAL.preferences"

_NEVER = ("Always", "Use Preferences Setting")
_ALWAYS = ("Never", "Use Preferences Setting")


class GameModule(
    Component,
    tag="VASSAL.build.GameModule",
    naming="name",
    contains=(
        "ModuleSubFolder",
        "Map",
        "PieceWindow",
        "ToolbarMenu",
        "MultiActionButton",
        "DoActionButton",
        "DiceButton",
        "GlobalKeyCommand",
        "StartupGlobalKeyCommand",
        "Inventory",
        "RandomTextButton",
        "SpecialDiceButton",
        "PredefinedSetup",
        "ChartWindow",
        "PrivateMap",
        "PlayerHand",
        "NotesWindow",
        "TurnTracker",
        "ChessClockControl",
    ),
):
    """A module: the root of its build file."""

    __slots__ = ()
    version = Text("version", "0.0")
    description = Text("description")
    other_1 = Text("ModuleOther1")
    other_2 = Text("ModuleOther2")
    vassal_version = Text("VassalVersion")
    next_piece_slot_id = Integer("nextPieceSlotId", 0)


class BasicModule(GameModule, tag="VASSAL.launch.BasicModule"):
    """The root of modules written before 3.5; still read."""

    __slots__ = ()


class ModuleExtension(Component, tag=f"{_MODULE}.ModuleExtension", contains=("ExtensionElement",)):
    """An extension: the root of its build file."""

    __slots__ = ()
    any_module = Flag("anyModule")
    version = Text("version", "0.0")
    description = Text("description")
    module = Text("module")
    module_version = Text("moduleVersion")
    vassal_version = Text("vassalVersion")
    next_piece_slot_id = Integer("nextPieceSlotId", 0)
    extension_id = Text("extensionId")


class ExtensionElement(Component, tag=f"{_MODULE}.ExtensionElement"):
    """One component of an extension, and the path of the component that it goes into."""

    __slots__ = ()
    target = Text("target")


class BasicCommandEncoder(Component, tag=f"{_MODULE}.BasicCommandEncoder"):
    """Writes and reads piece commands; modules with traits of their own subclass it."""

    __slots__ = ()


class BasicLogger(Component, tag=f"{_MODULE}.BasicLogger"):
    """Writes and replays logs."""

    __slots__ = ()


class Chatter(Component, tag=f"{_MODULE}.Chatter"):
    """The chat window."""

    __slots__ = ()


class KeyNamer(Component, tag=f"{_MODULE}.KeyNamer"):
    """Shows the names of keys."""

    __slots__ = ()


class ConnectionWindow(Component, tag=f"{_MODULE}.ConnectionWindow"):
    """A leftover of old modules."""

    __slots__ = ()


class ServerConnection(Component, tag=f"{_MODULE}.ServerConnection"):
    """A leftover of old modules."""

    __slots__ = ()


class EventLog(Component, tag=f"{_MODULE}.EventLog"):
    """A leftover of old modules."""

    __slots__ = ()


class Plugin(Component, tag=f"{_MODULE}.Plugin"):
    """A leftover of old modules."""

    __slots__ = ()


class Documentation(
    Component,
    tag=f"{_MODULE}.Documentation",
    contains=("BrowserPDFFile", "BrowserHelpFile", "HelpFile", "AboutScreen", "Tutorial"),
):
    """The help menu."""

    __slots__ = ()


class AboutScreen(Component, tag=f"{_DOCS}.AboutScreen", naming="title"):
    """The picture shown on start."""

    __slots__ = ()
    file_name = Image("fileName")


class HelpFile(Component, tag=f"{_DOCS}.HelpFile", naming="title"):
    """A page of help: an entry of the archive, a resource of the engine, or a file."""

    __slots__ = ()
    file_name = FileName("fileName")
    file_type = Choice("fileType", "archive", "resource", "file")
    audience = Choice("vassalDoc", "user", "vassal")
    image = Image("image")


class BrowserHelpFile(Component, tag=f"{_DOCS}.BrowserHelpFile", naming="title"):
    """Pages of help for a web browser, kept as one zipped folder."""

    __slots__ = ()
    starting_page = FileName("startingPage")
    contents = FileName("contents")


class BrowserPDFFile(Component, tag=f"{_DOCS}.BrowserPDFFile", naming="title"):
    """A PDF file."""

    __slots__ = ()
    pdf_file = FileName("pdfFile")


class Tutorial(Component, tag=f"{_DOCS}.Tutorial", naming="name"):
    """A log that plays on first start."""

    __slots__ = ()
    log_file = FileName("logfile")
    launch_on_startup = Flag("launchOnStartup")
    prompt_message = Text("promptMessage")
    welcome_message = Text("welcomeMessage")


class PlayerRoster(Component, tag=f"{_MODULE}.PlayerRoster"):
    """The sides, and the button to change them."""

    __slots__ = ()
    description = Text("description")
    button_text = Text("buttonText")
    icon = Image("buttonIcon")
    tooltip = Text("buttonToolTip")
    hotkey = Key("buttonKeyStroke")

    @property
    def sides(self) -> tuple[str, ...]:
        """The names of the sides."""
        return tuple(entry.text or "" for entry in self.asides("entry"))

    @sides.setter
    def sides(self, names: tuple[str, ...]) -> None:
        if names == self.sides:
            return
        for entry in list(self.asides("entry")):
            self.element.remove(entry)
        for index, name in enumerate(names):
            entry = etree.Element("entry")
            try:
                entry.text = name
            except ValueError as why:
                raise UsageError("XML cannot hold this name", place=self.place) from why
            self.element.insert(index, entry)


class GlobalOptions(
    Component,
    tag=f"{_MODULE}.GlobalOptions",
    contains=(
        "StringPreference",
        "TextPreference",
        "EnumPreference",
        "IntegerPreference",
        "DoublePreference",
        "BooleanPreference",
    ),
):
    """Options of the whole module; unlike others it keeps attributes that it does not know."""

    __slots__ = ()
    description = Text("description")
    non_owner_unmaskable = Choice("nonOwnerUnmaskable", "Never", *_NEVER)
    prompt_string = Text("promptString")
    auto_report = Choice("autoReport", "Always", *_ALWAYS)
    player_id_format = Format("playerIdFormat", "$PlayerName$")
    chatter_html_support = Choice("chatterHTMLSupport", "Never", *_NEVER)
    hotkeys_on_closed_windows = Choice("hotKeysOnClosedWindows", "Never", *_NEVER)
    inventory_for_all = Choice("inventoryForAll", "Always", *_ALWAYS)
    send_to_location_move_trails = Choice("sendToLocationMoveTrails", "Never", *_NEVER)
    leading_zeros_are_text = Flag("storeLeadingZeroIntegersAsStrings")
    purge_blank_property_prompts = Flag("purgeBlankPropertyPrompts", True)
    disable_piece_indexing = Flag("disablePieceIndexing")
    min_max_heap = Integer("minMaxHeap", 0)

    @property
    def options(self) -> dict[str, str]:
        """The `<option>` elements: icons and keys of the main toolbar, and others."""
        return {option.get("name", ""): option.text or "" for option in self.asides("option")}


class Preference(Component, naming="desc"):
    """A preference that the module adds to the engine's own."""

    __slots__ = ()
    note = Text("note")
    tab = Text("tab")
    property = Text("name")
    default = Text("default")


class StringPreference(Preference, tag=f"{_PREFERENCES}.StringPreference"):
    """A line of text."""

    __slots__ = ()


class TextPreference(Preference, tag=f"{_PREFERENCES}.TextPreference"):
    """Several lines of text."""

    __slots__ = ()


class IntegerPreference(Preference, tag=f"{_PREFERENCES}.IntegerPreference"):
    """A whole number."""

    __slots__ = ()


class DoublePreference(Preference, tag=f"{_PREFERENCES}.DoublePreference"):
    """A decimal number."""

    __slots__ = ()


class BooleanPreference(Preference, tag=f"{_PREFERENCES}.BooleanPreference"):
    """Yes or no."""

    __slots__ = ()


class EnumPreference(Preference, tag=f"{_PREFERENCES}.EnumPreference"):
    """One of a list."""

    __slots__ = ()
    options = Names("list")


class PredefinedSetup(
    Component, tag=f"{_MODULE}.PredefinedSetup", naming="name", contains=("PredefinedSetup",)
):
    """A scenario in the file menu, or a menu of them."""

    __slots__ = ()
    description = Text("description")
    is_menu = Flag("isMenu")
    use_file = Flag("useFile", True)
    file = FileName("file")


class Language(Component, tag="VASSAL.i18n.Language", contains=("Translation",)):
    """The translations of the module."""

    __slots__ = ()


class Translation(Component, tag="VASSAL.i18n.Translation"):
    """One translation, kept in a properties file of the archive."""

    __slots__ = ()
    locale = Text("locale")
