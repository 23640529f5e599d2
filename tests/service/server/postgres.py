"""A real PostgreSQL server of our own, where its binaries are on this machine."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path


def binaries() -> Path | None:
    """The folder with `initdb` and `postgres`."""
    found = sorted(map(str, Path("/usr/lib/postgresql").glob("*/bin/postgres")))
    named = shutil.which("postgres")
    if named and shutil.which("initdb"):
        found.append(named)
    return Path(found[-1]).parent if found else None


def _as_nobody(folder: Path) -> list[str]:
    """PostgreSQL refuses to run as root: then somebody else has to."""
    if os.geteuid() != 0:
        return []
    import pwd

    for name in ("postgres", "nobody"):
        try:
            user = pwd.getpwnam(name)
        except KeyError:
            continue
        os.chown(folder, user.pw_uid, user.pw_gid)
        return [
            "setpriv",
            f"--reuid={user.pw_uid}",
            f"--regid={user.pw_gid}",
            "--clear-groups",
        ]
    return []


@contextmanager
def running(bin: Path):
    """The address of a server that listens on a socket in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="hm-pg-") as scratch:
        folder = Path(scratch)
        folder.chmod(0o755)
        prefix = _as_nobody(folder)
        data, log = folder / "data", folder / "log"
        quiet = {"stdout": subprocess.DEVNULL, "cwd": folder, "check": True}
        subprocess.run(
            [*prefix, bin / "initdb", "-D", data, "-U", "hm", "-A", "trust", "--no-sync"], **quiet
        )
        options = f"-k {folder} -c listen_addresses= -c max_connections=60"
        start = [bin / "pg_ctl", "-D", data, "-l", log, "-o", options, "-w", "-t", "60", "start"]
        subprocess.run([*prefix, *start], **quiet)
        try:
            yield f"postgresql://hm@/postgres?host={folder}"
        finally:
            stop = [bin / "pg_ctl", "-D", data, "-m", "immediate", "-w", "stop"]
            subprocess.run([*prefix, *stop], **quiet)
