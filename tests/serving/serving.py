"""What the tests of the GPU server share: a server run as a command, with fake vLLMs, and clients of it."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import httpx2
from fake_vllm import KEY

PATIENCE_S = 20.0


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def until(what: Any, patience: float = PATIENCE_S) -> Any:
    """What `what()` gives as soon as it is true of anything."""
    deadline = monotonic() + patience
    while not (found := what()):
        assert monotonic() < deadline, "it did not come to pass"
        sleep(0.02)
    return found


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


class Bench:
    """A folder with a `vllm` and, where wanted, an `nvidia-smi`, both fake; and the server run in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.notes = folder / "notes"
        self.notes.mkdir()
        self.bin = folder / "bin"
        self.bin.mkdir()
        self.port = free_port()
        self.key_file = folder / "keys"
        self.key_file.write_text(f"# the house\n{KEY}\n")
        self.key_file.chmod(0o600)
        fake = Path(__file__).with_name("fake_vllm.py")
        # Not by its own line alone: the shell in between is a wrapper as people have them.
        self.program("vllm", f'#!/bin/sh\nexec {sys.executable} {fake} "$@"\n')
        self.program("nvidia-smi", "#!/bin/sh\nexit 9\n")
        self.model = folder / "tiny"
        self.model.mkdir()
        (self.model / "config.json").write_text('{"model_type": "qwen3_vl", "text_config": {}}')
        self.process: subprocess.Popen[str] | None = None
        self.log = folder / "log"

    def program(self, name: str, text: str) -> None:
        place = self.bin / name
        place.write_text(text)
        place.chmod(place.stat().st_mode | stat.S_IXUSR)

    def gpus(self, count: int, memory_mib: int = 81_559) -> None:
        rows = "\n".join(f"{k}, {memory_mib}, 3, NVIDIA H100" for k in range(count))
        self.program("nvidia-smi", f"#!/bin/sh\ncat << 'END'\n{rows}\nEND\n")

    def faults(self, *faults: str) -> None:
        (self.notes / "faults").write_text(",".join(faults))

    @property
    def surroundings(self) -> dict[str, str]:
        return {**os.environ, "PATH": f"{self.bin}:{os.environ['PATH']}", "FAKE_VLLM": str(self.notes)} | {
            "VLLM_API_KEY": KEY,
            "ADSTUDIO_KEY_X": KEY,
        }

    def command(self, *options: str) -> list[str]:
        return [sys.executable, "-m", "adstudio.cli.main", "serve", *options]

    def start(self, *options: str, limits: dict[int, int] | None = None) -> subprocess.Popen[str]:
        """Start the server; `limits` are of `resource`."""

        def limit() -> None:
            for name, most in (limits or {}).items():
                resource.setrlimit(name, (most, most))

        given = ("--model", str(self.model), "--port", str(self.port), "--key-file", str(self.key_file), *options)
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                self.command(*given),
                env=self.surroundings,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
                text=True,
                cwd=self.folder if limits else None,
                preexec_fn=limit if limits else None,  # noqa: PLW1509 - no threads run yet
            )
        return self.process

    def run(self, *options: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.command(*options), env=self.surroundings, capture_output=True, text=True, timeout=300, check=False
        )

    def noted(self, name: str) -> list[Any]:
        file = self.notes / name
        return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []

    def up(self, replicas: int = 1, **more: Any) -> Bench:
        def health() -> bool:
            assert self.process is not None
            assert self.process.poll() is None, self.log.read_text()
            with contextlib.suppress(httpx2.HTTPError, ValueError), self.client(**more) as client:
                return client.get("/health").json()["replicas"]["up"] == replicas
            return False

        until(health)
        return self

    def client(self, key: str = KEY, patience: float = 20, **more: Any) -> httpx2.Client:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        scheme = "https" if "verify" in more else "http"
        url = f"{scheme}://127.0.0.1:{self.port}"
        return httpx2.Client(base_url=url, headers=headers, trust_env=False, timeout=patience, **more)

    def ended(self, number: int | None = signal.SIGTERM) -> int:
        assert self.process is not None
        if number is not None:
            self.process.send_signal(number)
        return self.process.wait(timeout=300)

    def close(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(timeout=30)
            self.process.kill()
        left = [pid for pid, *_ in self.noted("started") if is_alive(pid)]
        until(lambda: not [pid for pid in left if is_alive(pid)])


@contextlib.contextmanager
def bench_in(folder: Path) -> Iterator[Bench]:
    bench = Bench(folder)
    try:
        yield bench
    finally:
        bench.close()
