"""A real PostgreSQL server of our own, where its binaries are on this machine."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path


def binaries() -> Path | None:
    """The folder with `initdb`, `postgres` and the other programs."""
    found = sorted(map(str, Path("/usr/lib/postgresql").glob("*/bin/postgres")))
    named = shutil.which("postgres")
    if named and shutil.which("initdb"):
        found.append(named)
    return Path(found[-1]).resolve().parent if found else None


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


class Database:
    """A server that listens on a socket in a folder of its own; `address` is where."""

    def __init__(self, bin: Path, folder: Path) -> None:
        self._bin, self._folder = bin, folder
        self._prefix = _as_nobody(folder)
        self._data = folder / "data"
        self.address = f"postgresql://hm@/postgres?host={folder}"
        self._run("initdb", "-U", "hm", "-A", "trust", "--no-sync")

    def _run(self, program: str, *arguments: object) -> None:
        command = [*self._prefix, self._bin / program, "-D", self._data, *arguments]
        subprocess.run(command, stdout=subprocess.DEVNULL, cwd=self._folder, check=True)

    def start(self) -> None:
        # A process that is killed loses nothing of what the system has; only a power cut would.
        options = f"-k {self._folder} -c listen_addresses= -c max_connections=60 -c fsync=off"
        self._run("pg_ctl", "-l", self._folder / "log", "-o", options, "-w", "-t", "60", "start")

    def stop(self, how: str = "fast") -> None:
        self._run("pg_ctl", "-m", how, "-w", "stop")

    def _pids(self) -> list[int]:
        pid = int((self._data / "postmaster.pid").read_text().splitlines()[0])
        children = (
            int(child)
            for listed in Path(f"/proc/{pid}/task").glob("*/children")
            for child in listed.read_text().split()
        )
        return [pid, *children]

    def freeze(self) -> None:
        """Let it answer nothing, and not be gone either."""
        for pid in self._pids():
            os.kill(pid, signal.SIGSTOP)

    def thaw(self) -> None:
        for pid in self._pids():
            os.kill(pid, signal.SIGCONT)


@contextmanager
def database(bin: Path):
    """A server that is running, and can be stopped, frozen and started again."""
    with tempfile.TemporaryDirectory(prefix="hm-pg-") as scratch:
        folder = Path(scratch)
        folder.chmod(0o755)
        found = Database(bin, folder)
        found.start()
        try:
            yield found
        finally:
            found.thaw()
            found.stop("immediate")


@contextmanager
def running(bin: Path):
    """The address of a server."""
    with database(bin) as found:
        yield found.address
