"""A scripted server as a process, connections to it, and small films with dialogue."""

from __future__ import annotations

import contextlib
import importlib
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

FAKES = Path(__file__).parents[1] / "fakes"
PATIENCE = 300.0
MODEL = "Qwen3.5-27B-scripted"


@dataclass(frozen=True)
class Serving:
    address: str
    log: Path
    process: subprocess.Popen[str]

    @property
    def port(self) -> str:
        return self.address.rpartition(":")[2]

    @property
    def rows(self) -> list[dict]:
        return [json.loads(row) for row in self.log.read_text().splitlines()] if self.log.exists() else []

    @property
    def asked(self) -> list[dict]:
        """The requests that came, in their order."""
        return [row for row in self.rows if row.get("kind", "models") != "models"]

    @property
    def whole(self) -> list[str]:
        """What was answered whole, each as often as it was."""
        return [row["sha"] for row in self.rows if row.get("whole") and row["sha"]]

    @property
    def answered_twice(self) -> list[str]:
        """What was asked again although it had been answered whole."""
        return [sha for sha, count in Counter(self.whole).items() if count > 1]

    def until_answered(self, count: int) -> None:
        """Until so many answers have been sent whole."""
        deadline = time.monotonic() + PATIENCE
        while (come := len(self.whole)) < count:
            assert time.monotonic() < deadline, f"only {come} answers were sent"
            time.sleep(0.02)


@contextlib.contextmanager
def serving(folder: Path, *options: str) -> Generator[Serving]:
    """The scripted server of tests/fakes, until the test ends."""
    log = folder / f"asked{len(list(folder.glob('asked*')))}.jsonl"
    process = subprocess.Popen(
        [sys.executable, str(FAKES / "scripted_server.py"), "--log", str(log), *options],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    try:
        told = process.stdout.readline()
        address = told.split()[1].removesuffix("/v1")
        yield Serving(address, log, process)
    finally:
        process.terminate()
        process.wait(10)
        process.stdout.close()


def film_of(path: Path, seconds: int, *said: str) -> tuple[Path, Path]:
    """A film of shades and its subtitles: somebody speaks for two seconds in every twenty, from the third on."""
    sys.path.insert(0, str(FAKES))
    try:
        importlib.import_module("model_films").small_film(path, seconds)
    finally:
        sys.path.remove(str(FAKES))
    cues = []
    for number, start in enumerate(range(3, seconds - 2, 20)):
        text = said[number] if number < len(said) else f"This is what is said at {start} seconds."
        cues.append(f"{number + 1}\n{_stamp(start)},000 --> {_stamp(start + 2)},000\n{text}\n")
    srt = path.with_suffix(".srt")
    srt.write_text("\n".join(cues), encoding="utf-8")
    return path, srt


def _stamp(seconds: int) -> str:
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
