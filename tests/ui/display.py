"""A display without a screen, and programs that run on it in processes of their own."""

from __future__ import annotations

import os
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

STARTING = 120.0  # seconds for a display to come up
ENDING = 5.0  # seconds for a process that was asked to end


def of_this_process(*command: str | Path) -> list[str | Path]:
    """The command, so that the kernel ends its process when this one dies, however it dies."""
    return ["setpriv", "--pdeathsig", "KILL", *command] if shutil.which("setpriv") else list(command)


@contextmanager
def display(folder: Path) -> Iterator[str]:
    """A display of 1920 × 1200 in true colour, with software GL and without a window manager: its name, as `:7`."""
    log = folder / "xvfb.log"
    answer, question = os.pipe()
    command = ["Xvfb", "-displayfd", str(question), "-screen", "0", "1920x1200x24", "-nolisten", "tcp", "-noreset"]
    command += ["+extension", "GLX", "+extension", "RANDR"]
    with log.open("wb") as said:
        process = subprocess.Popen(
            of_this_process(*command), pass_fds=[question], stdin=subprocess.DEVNULL, stdout=said, stderr=said
        )
    os.close(question)
    try:
        ready, _, _ = select.select([answer], [], [], STARTING)
        number = os.read(answer, 16).decode().strip() if ready else ""
        if not number:
            pytest.fail(f"Xvfb did not start: {log.read_text(errors='replace')}", pytrace=False)
        yield f":{number}"
    finally:
        os.close(answer)
        process.terminate()
        try:
            process.wait(ENDING)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@dataclass
class Program:
    """A process of its own on the display. It is stopped when the test ends, and whatever it has started with it."""

    process: subprocess.Popen[bytes]
    output: Path

    def said(self) -> str:
        """All that it has written, on either stream."""
        return self.output.read_text("utf-8", errors="replace")

    def wait(self, patience: float = 60.0) -> int:
        """Wait until it ends by itself: its exit code."""
        try:
            return self.process.wait(patience)
        except subprocess.TimeoutExpired:
            pytest.fail(f"it has not ended after {patience:.0f} s; it said: {self.said()}", pytrace=False)

    def wait_for(self, text: str, patience: float = 60.0) -> None:
        """Wait until it has written the text."""
        deadline = time.monotonic() + patience
        while text not in self.said():
            if self.process.poll() is not None or time.monotonic() > deadline:
                pytest.fail(
                    f"{text!r} did not come (code {self.process.poll()}); it said: {self.said()}", pytrace=False
                )
            time.sleep(0.02)

    def stop(self) -> None:
        """End it now, first with a request, then without."""
        if self.process.poll() is None:
            self.process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(ENDING)
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def start(display: str, output: Path, arguments: tuple[str | Path, ...], environment: dict[str, str]) -> Program:
    """Starts Python with these arguments on the display."""
    surroundings = {"DISPLAY": display, "QT_QPA_PLATFORM": "xcb", "LIBGL_ALWAYS_SOFTWARE": "1"}
    with output.open("wb") as stream:
        process = subprocess.Popen(
            of_this_process(sys.executable, "-X", "faulthandler", "-u", *arguments),
            env={**os.environ, **surroundings, **environment},
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    return Program(process, output)


class Screen:
    """What a hand can do on the display from outside."""

    def __init__(self, name: str) -> None:
        self._environment = {**os.environ, "DISPLAY": name}

    def window(self, title: str, editor: Program, patience: float = 40.0) -> str:
        until = time.monotonic() + patience
        while time.monotonic() < until:
            done = subprocess.run(
                ["xdotool", "search", "--onlyvisible", "--name", title],
                check=False, env=self._environment, capture_output=True, text=True,
            )  # fmt: skip
            if done.returncode == 0 and done.stdout.split():
                return done.stdout.split()[0]
            time.sleep(0.1)
        pytest.fail(f"no window is called {title!r} (code {editor.process.poll()}); it said: {editor.said()}")

    def press(self, window: str, *keys: str) -> None:
        for command in (["windowfocus", "--sync", window], ["key", "--clearmodifiers", *keys]):
            subprocess.run(["xdotool", *command], env=self._environment, check=True, capture_output=True)
