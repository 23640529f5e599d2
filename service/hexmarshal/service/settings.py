"""How a server is set up: flags over environment over a TOML file over defaults."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass, fields
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hexmarshal.errors import BadInputError, NotFoundError, Place, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["PREFIX", "Settings", "gather", "is_local"]

PREFIX = "HEXMARSHAL_"
UNIX = ("unix:", "unix-abstract:")
LAST_PORT = 65_535
# The least that each number may be; -1 workers are one for each core.
LEAST: Mapping[str, float] = {
    "workers": -1,
    "max_message_bytes": 1024,
    "max_worker_bytes": 256 << 20,
    "max_units": 1,
    "max_actions": 1,
    "max_stream_messages": 1,
    "max_upload_bytes": 1024,
    "max_uploads": 1,
    "max_concurrent_calls": 1,
    "max_calls_per_caller": 1,
    "max_matches_per_player": 1,
    "max_bytes_per_player": 1 << 20,
    "max_match_bytes": 1 << 16,
    "max_held_bytes": 1 << 20,
    "max_watchers": 1,
    "max_watchers_per_caller": 1,
    "max_watch_seconds": 0.001,
    "rate": 0,
    "burst": 1,
    "max_seconds": 0.001,
    "drain_seconds": 0,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that can be set; the names are those of the flags, variables and TOML keys."""

    listen: str = "127.0.0.1:50051"
    web: str = ""
    store: str = "hexmarshal.sqlite3"
    ephemeral: bool = False
    auth: str = "none"
    tls_cert: str = ""
    tls_key: str = ""
    client_ca: str = ""
    plaintext: bool = False
    workers: int = -1
    max_worker_bytes: int = 2 << 30
    metrics: str = ""
    traces: str = ""
    oidc_issuer: str = ""
    oidc_audience: str = ""
    oidc_claim: str = "preferred_username"
    log_level: str = "info"
    log_calls: str = "errors"
    max_message_bytes: int = 1 << 20
    max_units: int = 5000
    max_actions: int = 10_000
    max_stream_messages: int = 100_000
    max_upload_bytes: int = 128 << 20
    max_uploads: int = 8
    max_concurrent_calls: int = 512
    max_calls_per_caller: int = 128
    max_matches_per_player: int = 1000
    max_bytes_per_player: int = 1 << 30
    max_match_bytes: int = 64 << 20
    max_held_bytes: int = 512 << 20
    max_watchers: int = 10_000
    max_watchers_per_caller: int = 1000
    max_watch_seconds: float = 21_600.0
    rate: float = 5000.0
    burst: int = 10_000
    max_seconds: float = 30.0
    drain_seconds: float = 10.0

    @property
    def worker_count(self) -> int:
        """How many worker processes; by default one for each core."""
        return self.workers if self.workers >= 0 else os.cpu_count() or 1

    def check(self) -> Settings:
        """Refuse what would be unsafe or cannot work."""
        self._check_numbers()
        if not _is_address(self.listen):
            raise UsageError(
                f"listen: not HOST:PORT: {self.listen!r}", hint="such as 127.0.0.1:50051"
            )
        if self.metrics and (self.metrics.startswith("unix") or not _is_address(self.metrics)):
            raise UsageError(f"metrics: not HOST:PORT: {self.metrics!r}")
        if self.web and (self.web.startswith(UNIX) or not _is_address(self.web)):
            raise UsageError(f"web: not HOST:PORT: {self.web!r}", hint="such as 127.0.0.1:8080")
        if self.auth not in {"none", "tokens"}:
            raise UsageError(f"auth is 'none' or 'tokens', not {self.auth!r}")
        if self.log_calls not in {"none", "errors", "all"}:
            raise UsageError(f"log_calls is 'none', 'errors' or 'all', not {self.log_calls!r}")
        if self.log_level not in {"debug", "info", "warning", "error"}:
            raise UsageError(f"no log level {self.log_level!r}")
        if bool(self.tls_cert) != bool(self.tls_key):
            raise UsageError("tls_cert and tls_key go together")
        if self.oidc_issuer and (self.auth != "tokens" or not self.oidc_audience):
            raise UsageError("oidc_issuer needs auth 'tokens' and oidc_audience")
        if self.client_ca and not self.tls_cert:
            raise UsageError("client_ca needs tls_cert and tls_key")
        for address in (self.listen, self.web):
            if address and not is_local(address):
                self._check_reachable(address)
        if self.web and not is_local(self.web) and self.auth != "tokens":
            # A browser's certificate does not tell the pages who holds it.
            raise UsageError(
                f"{self.web} can be reached by others, and pages know people by tokens alone",
                hint="add --auth tokens, or serve pages on 127.0.0.1",
            )
        return self

    def _check_reachable(self, address: str) -> None:
        """Refuse an address that others can reach without proof or in the clear."""
        if self.auth == "none" and not self.client_ca:
            raise UsageError(
                f"{address} can be reached by others, and anybody could do anything",
                hint="add --auth tokens, or --client-ca, or listen on 127.0.0.1",
            )
        if not self.tls_cert and not self.plaintext:
            raise UsageError(
                f"{address} can be reached by others, and tokens would travel in the clear",
                hint="add --tls-cert and --tls-key, or --plaintext behind a proxy that does TLS",
            )

    def _check_numbers(self) -> None:
        for name, least in LEAST.items():
            value = getattr(self, name)
            if not least <= value < float("inf"):  # which not-a-number is not either
                raise UsageError(f"{name}: {value} is not {least:g} or more")

    @property
    def local(self) -> bool:
        """Whether only this machine can reach the server."""
        return is_local(self.listen)


def is_local(address: str) -> bool:
    """Whether only this machine can reach an address."""
    if address.startswith(UNIX):
        return True
    host = address.rpartition(":")[0].strip("[]")
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:  # a name, which may stand for anything
        return False


def _is_address(text: str) -> bool:
    if text.startswith(UNIX):
        return True
    host, _, port = text.rpartition(":")
    return bool(host) and port.isascii() and port.isdigit() and int(port) <= LAST_PORT


def gather(
    flags: Mapping[str, object],
    environment: Mapping[str, str] | None = None,
    file: Path | None = None,
) -> Settings:
    """The settings from all sources, not checked; a flag that is None was not given."""
    env = os.environ if environment is None else environment
    if file is None and (named := env.get(f"{PREFIX}CONFIG")):
        file = Path(named)
    found: dict[str, Any] = {}
    kinds = {f.name: type(f.default) for f in fields(Settings)}
    if file is not None:
        for name, value in _toml(file).items():
            place = Place(file=str(file), field=name)
            if name not in kinds:
                raise BadInputError(f"no such setting; known: {', '.join(kinds)}", place=place)
            found[name] = _typed(name, value, kinds[name], place)
    for name, kind in kinds.items():
        variable = f"{PREFIX}{name.upper()}"
        if (text := env.get(variable)) is not None:
            found[name] = _parsed(text, kind, Place(field=variable))
    found |= {name: value for name, value in flags.items() if value is not None}
    return Settings(**found)


def _toml(file: Path) -> dict[str, object]:
    try:
        document = tomllib.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        raise NotFoundError("no such file", place=Place(file=str(file))) from None
    except OSError as error:
        raise BadInputError(f"{error.strerror}", place=Place(file=str(file))) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInputError(f"not TOML: {error}", place=Place(file=str(file))) from None
    return document


def _typed(name: str, value: object, kind: type, place: Place) -> object:
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if type(value) is not kind:
        raise BadInputError(f"{name} must be {_NAMES[kind]}", place=place)
    return value


_NAMES = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}
_WORDS = {"1": True, "true": True, "yes": True, "on": True}
_WORDS |= {"0": False, "false": False, "no": False, "off": False, "": False}


def _parsed(text: str, kind: type, place: Place) -> object:
    try:
        return _WORDS[text.lower()] if kind is bool else kind(text)
    except (KeyError, ValueError):
        raise BadInputError(f"{text!r} is not {_NAMES[kind]}", place=place) from None
