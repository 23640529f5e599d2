"""`hexmarshal serve`: the rules service in one command."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hexmarshal.cli.options import command_app, examples
from hexmarshal.cli.rules.plugins import Data, Plugins, games

app = command_app("Serve the rules of all installed games over gRPC.")


def _option(flag: str, help: str, metavar: str = "") -> typer.models.OptionInfo:
    found: typer.models.OptionInfo = typer.Option(
        flag, help=help, metavar=metavar or None, show_default=False
    )
    return found


@app.command(
    epilog=examples(
        "hexmarshal serve",
        "hexmarshal serve --ephemeral --listen 127.0.0.1:0",
        "hexmarshal serve --web 127.0.0.1:8080",
        "hexmarshal serve --ephemeral --plugin ./mygame:MyGame",
        "hexmarshal serve --listen 0.0.0.0:50051 --auth tokens --tls-cert c.pem --tls-key k.pem",
        "hexmarshal serve --store postgresql://user@host/hexmarshal --metrics 127.0.0.1:9100",
    )
)
def serve(
    *,
    config: Annotated[Path | None, _option("--config", "A TOML file.", "FILE")] = None,
    listen: Annotated[
        str | None, _option("--listen", "Where to listen [127.0.0.1:50051].", "HOST:PORT")
    ] = None,
    web: Annotated[
        str | None, _option("--web", "Where to serve the pages for browsers.", "HOST:PORT")
    ] = None,
    store: Annotated[
        str | None,
        _option("--store", "A SQLite file, or postgresql://... [hexmarshal.sqlite3].", "PLACE"),
    ] = None,
    ephemeral: Annotated[
        bool | None, _option("--ephemeral/--durable", "Keep matches in memory only.")
    ] = None,
    auth: Annotated[str | None, _option("--auth", "'none' or 'tokens' [none].", "KIND")] = None,
    tls_cert: Annotated[
        str | None, _option("--tls-cert", "The server's certificate, PEM.", "FILE")
    ] = None,
    tls_key: Annotated[str | None, _option("--tls-key", "Its key, PEM.", "FILE")] = None,
    client_ca: Annotated[
        str | None, _option("--client-ca", "Let in only clients that this CA vouches for.", "FILE")
    ] = None,
    plaintext: Annotated[
        bool | None, _option("--plaintext/--no-plaintext", "Allow tokens without TLS off loopback.")
    ] = None,
    workers: Annotated[
        int | None, _option("--workers", "Worker processes [one a core]; 0 for none.", "N")
    ] = None,
    metrics: Annotated[
        str | None, _option("--metrics", "Where to answer Prometheus.", "HOST:PORT")
    ] = None,
    traces: Annotated[
        str | None, _option("--traces", "Where to send OpenTelemetry traces.", "ADDRESS")
    ] = None,
    oidc_issuer: Annotated[
        str | None, _option("--oidc-issuer", "Also let in who this issuer vouches for.", "ADDRESS")
    ] = None,
    oidc_audience: Annotated[
        str | None, _option("--oidc-audience", "For whom its tokens have to be.", "NAME")
    ] = None,
    oidc_claim: Annotated[
        str | None,
        _option("--oidc-claim", "What of a token names the player [preferred_username].", "NAME"),
    ] = None,
    log_level: Annotated[
        str | None, _option("--log-level", "debug, info, warning or error [info].", "LEVEL")
    ] = None,
    log_calls: Annotated[
        str | None,
        _option("--log-calls", "Log 'all' calls, only 'errors', 'none' [errors].", "WHICH"),
    ] = None,
    max_worker_bytes: Annotated[
        int | None, _option("--max-worker-bytes", "Memory of one worker [2147483648].", "N")
    ] = None,
    max_message_bytes: Annotated[
        int | None, _option("--max-message-bytes", "The largest request [4194304].", "N")
    ] = None,
    max_units: Annotated[
        int | None, _option("--max-units", "The most units in a position [5000].", "N")
    ] = None,
    max_actions: Annotated[
        int | None, _option("--max-actions", "The most actions in one message [10000].", "N")
    ] = None,
    max_stream_messages: Annotated[
        int | None, _option("--max-stream-messages", "The longest stream [100000].", "N")
    ] = None,
    max_upload_bytes: Annotated[
        int | None, _option("--max-upload-bytes", "All files of one call [134217728].", "N")
    ] = None,
    max_uploads: Annotated[
        int | None, _option("--max-uploads", "Calls with files at once, of all callers [8].", "N")
    ] = None,
    max_concurrent_calls: Annotated[
        int | None, _option("--max-concurrent-calls", "Calls at once, of all callers [512].", "N")
    ] = None,
    max_calls_per_caller: Annotated[
        int | None, _option("--max-calls-per-caller", "Calls at once, of one caller [128].", "N")
    ] = None,
    max_matches_per_player: Annotated[
        int | None, _option("--max-matches-per-player", "Kept for one player [1000].", "N")
    ] = None,
    max_bytes_per_player: Annotated[
        int | None, _option("--max-bytes-per-player", "Stored for one player [1073741824].", "N")
    ] = None,
    max_match_bytes: Annotated[
        int | None, _option("--max-match-bytes", "Stored for one match [67108864].", "N")
    ] = None,
    max_held_bytes: Annotated[
        int | None, _option("--max-held-bytes", "Memory for matches in use [536870912].", "N")
    ] = None,
    max_watchers: Annotated[
        int | None, _option("--max-watchers", "Open watch streams [10000].", "N")
    ] = None,
    max_watchers_per_caller: Annotated[
        int | None, _option("--max-watchers-per-caller", "Those of one caller [1000].", "N")
    ] = None,
    max_watch_seconds: Annotated[
        float | None, _option("--max-watch-seconds", "The longest watch [21600].", "SECONDS")
    ] = None,
    rate: Annotated[
        float | None, _option("--rate", "Calls a second of one caller [5000]; 0: no limit.", "N")
    ] = None,
    burst: Annotated[
        int | None, _option("--burst", "Calls that may come at once after a pause [10000].", "N")
    ] = None,
    max_seconds: Annotated[
        float | None, _option("--max-seconds", "The longest that a call may take [30].", "N")
    ] = None,
    drain_seconds: Annotated[
        float | None, _option("--drain-seconds", "For running calls when stopped [10].", "N")
    ] = None,
    plugin: Plugins = None,
    data: Data = None,
) -> None:
    """Serve the rules of all installed games over gRPC.

    Each option can also be set as HEXMARSHAL_OPTION in the environment, or in the TOML file.
    An option given here goes before the environment, the environment before the file.
    """
    flags = {name: v for name, v in locals().items() if name not in {"config", "plugin", "data"}}
    import asyncio
    import os

    if plugin or data:
        _plug_in(plugin or [], data)

    # The log is one JSON document a line; gRPC's own lines would be neither that nor for people.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")

    from hexmarshal.service.log import setup_logging
    from hexmarshal.service.server import run
    from hexmarshal.service.settings import gather

    settings = gather(flags, file=config).check()
    setup_logging(settings.log_level)
    beside = None
    if settings.web:
        from hexmarshal.web.matches.serving import pages_beside

        beside = pages_beside
    asyncio.run(run(settings, beside))


def _plug_in(plugins: list[str], data: list[str] | None) -> None:
    """Refuse what cannot be loaded, and let the worker processes find the rest."""
    import os

    from hexmarshal.rules.plugins.registry import ENVIRONMENT

    games(plugins, data)
    named = (os.environ.get(ENVIRONMENT, ""), *plugins)
    os.environ[ENVIRONMENT] = ",".join(spec for spec in named if spec)
