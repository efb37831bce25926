"""A desktop session of its own for a screen reader: D-Bus, the accessibility bus, and Orca with a silent voice."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from display import ENDING, of_this_process
from speech_server import Speech, SpeechServer

LAUNCHER = Path("/usr/libexec/at-spi-bus-launcher")
SYSTEM_PYTHON = Path("/usr/bin/python3")
PATIENCE = 40.0
NEEDED = "it is not installed: apt-get install orca at-spi2-core dbus gir1.2-atspi-2.0 python3-gi xdotool xvfb"


def need(*programs: str | Path) -> None:
    """Skip the test where one of these is missing; says which, and what to install."""
    for program in programs:
        if shutil.which(program) is None:
            pytest.skip(f"{program}: {NEEDED}")


@dataclass(frozen=True)
class Seat:
    """The environment of a program in the session, and what its screen reader says."""

    environment: dict[str, str]
    speech: Speech


@contextmanager
def session(display: str, folder: Path) -> Iterator[dict[str, str]]:
    """A session bus with an accessibility bus; the environment of its programs."""
    need("dbus-daemon", LAUNCHER)
    for name in ("run", "home"):
        (folder / name).mkdir(mode=0o700, parents=True)
    own = {
        "DISPLAY": display,
        "HOME": str(folder / "home"),
        "XDG_RUNTIME_DIR": str(folder / "run"),
        "XDG_CONFIG_HOME": str(folder / "home/config"),
        "XDG_DATA_HOME": str(folder / "home/data"),
        "GSETTINGS_BACKEND": "memory",
        "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
        "DBUS_SESSION_BUS_ADDRESS": f"unix:path={folder}/run/bus",
    }
    with ExitStack() as ending:
        address = own["DBUS_SESSION_BUS_ADDRESS"]
        ending.enter_context(running(own, folder, "dbus-daemon", "--session", "--nofork", f"--address={address}"))
        wait_until((folder / "run/bus").exists, "the session bus")
        ending.enter_context(running(own, folder, LAUNCHER, "--launch-immediately"))
        wait_until(lambda: any((folder / "run").glob("at-spi/bus*")), "the accessibility bus")
        yield own


@contextmanager
def orca(display: str, folder: Path) -> Iterator[Seat]:
    """A session in which Orca runs and is ready."""
    need("orca")
    with (
        alone(),
        session(display, folder) as environment,
        SpeechServer(folder / "run/speech") as server,
        running({**environment, "SPEECHD_ADDRESS": server.address}, folder, "orca"),
    ):
        wait_until(lambda: bool(server.speech.utterances), "Orca’s first word")
        yield Seat(environment, server.speech)


@contextmanager
def alone() -> Iterator[None]:
    """Wait until no other test of this user has Orca, which runs once for a user, whatever display it has."""
    with (Path(tempfile.gettempdir()) / f"adstudio-orca-{os.getuid()}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if subprocess.run(["pgrep", "-u", str(os.getuid()), "-x", "orca"], capture_output=True, check=False).stdout:
            pytest.skip("Orca is running for this user: there cannot be a second one")
        yield


@contextmanager
def running(environment: dict[str, str], folder: Path, *command: str | Path) -> Iterator[subprocess.Popen[bytes]]:
    """A program that runs meanwhile."""
    with (folder / f"{Path(command[0]).name}.log").open("wb") as log:
        process = subprocess.Popen(
            of_this_process(*command),
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(ENDING)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def wait_until(is_so: Callable[[], bool], what: str) -> None:
    """Wait for a condition."""
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        if time.monotonic() > deadline:
            pytest.fail(f"it did not come: {what}", pytrace=False)
        time.sleep(0.05)
