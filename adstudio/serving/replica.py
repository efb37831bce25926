"""One vLLM process: starting it, watching it, restarting it with increasing pauses, and ending it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import sys
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from time import monotonic
from typing import Any, Literal, cast

import httpx2

from adstudio.llm.cookies import no_cookies
from adstudio.llm.keys import masked
from adstudio.serving.parent_watch import GRACE_S, members
from adstudio.system.files import reason
from adstudio.system.private_files import FOLDER

State = Literal["starting", "up", "down"]
Report = Callable[[str], None]

FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 60.0
"""Pause before a restart: doubled each time, and reset once the replica has been up for `STEADY_S`."""
STEADY_S = 600.0
LOOK_S, LOOK_UP_S = 0.5, 10.0
"""Seconds between health checks of a starting replica, and of one that is up."""
SILENT_S = 300.0
"""Seconds without an answer after which a replica is restarted; preparing clips takes a minute at most."""
MAX_FAILED_STARTS = 3
"""After this many failed starts in a row, a replica is given up."""
MAX_LOG_LINES = 60
SHOWN_LINES = 3
"""Log lines reported if none of them names an error."""
_LONGEST_LINE = 4_000
_ENDED_LOOK_S = 0.1


@dataclass
class Replica:
    """A vLLM process and its state, as the front and the status page read it. `number` counts from 0.

    `folder` is for the sockets of this vLLM only: it is created for it, and removed with it.
    `code` is its last exit code, in the shell's convention; None if it did not end by itself.
    """

    number: int
    command: tuple[str, ...]
    environment: dict[str, str]
    folder: Path
    gpus: tuple[int, ...] = ()
    state: State = "starting"
    since: float = field(default_factory=monotonic)
    restarts: int = 0
    failed_starts: int = 0
    code: int | None = None
    in_flight: int = 0
    version: str = ""
    last_lines: deque[str] = field(default_factory=lambda: deque(maxlen=MAX_LOG_LINES))

    @property
    def socket(self) -> Path:
        """The socket on which it answers."""
        return self.folder / "api"

    @property
    def name(self) -> str:
        """Its name for people."""
        return f"replica {self.number}"

    @property
    def why(self) -> str:
        """The last error line of its log, otherwise its last lines; "" if the log is empty."""
        bad = [line for line in self.last_lines if "rror" in line and "Traceback" not in line]
        return (bad[-1] if bad else " / ".join(list(self.last_lines)[-SHOWN_LINES:]))[-400:]

    @property
    def with_code(self) -> str:
        """Its exit code as an addition to “ended”, "" if there is none."""
        return "" if self.code is None else f" with exit code {self.code}"

    @property
    def slots(self) -> int | None:
        """How many requests it answers at a time, by its options; None if they do not say."""
        words = " ".join(self.command).replace("=", " ").split()
        found = [after for word, after in pairwise(words) if word == "--max-num-seqs" and after.isdecimal()]
        return int(found[-1]) if found else None

    def client(self) -> httpx2.AsyncClient:
        """A client for this replica's socket only: no port, no proxy, no cookies, no persistent connections."""
        # vLLM closes idle connections after 5 s: a new connection each time is never stale.
        transport = httpx2.AsyncHTTPTransport(
            uds=str(self.socket), limits=httpx2.Limits(max_connections=None, max_keepalive_connections=0)
        )
        waits = httpx2.Timeout(None, connect=10.0)
        # A cookie set in one client's answer would otherwise be sent with the requests of all others.
        return httpx2.AsyncClient(
            transport=transport, base_url="http://vllm", trust_env=False, timeout=waits, cookies=no_cookies()
        )

    def set_state(self, state: State) -> None:
        """Change the state, as of now."""
        self.state, self.since = state, monotonic()


class StartFailedError(Exception):
    """A replica failed to start `MAX_FAILED_STARTS` times in a row."""


async def keep_up(replica: Replica, report: Report, stop: asyncio.Event, *, pause_s: float = FIRST_PAUSE_S) -> None:
    """Keep a replica running until `stop` is set; its process has ended when this returns or is cancelled.

    Raises:
        Hopeless: when it ended `MAX_FAILED_STARTS` times in a row without having been up.
    """
    pause = pause_s
    while not stop.is_set():
        try:
            was_up_s = await _run_once(replica, report, stop)
        except OSError as error:  # nothing could be started: out of descriptors or processes, or a full disk
            was_up_s = None
            replica.last_lines.append(f"Error: {reason(error)}")
        if stop.is_set():
            return
        replica.restarts += 1
        replica.failed_starts = 0 if was_up_s is not None else replica.failed_starts + 1
        if was_up_s is not None and was_up_s >= STEADY_S:
            pause = pause_s
        if replica.failed_starts >= MAX_FAILED_STARTS:
            last = f", the last time{replica.with_code}" if replica.with_code else ""
            ended = f"ended {MAX_FAILED_STARTS} times before it was ready{last}: {replica.why or 'no output'}"
            # Other replicas may continue, and then this is the only report.
            report(f"giving up on {replica.name}: it {ended}")
            raise StartFailedError(f"vLLM {ended}")
        said = f" ({replica.why})" if replica.why else ""
        report(f"{replica.name} ended{replica.with_code}{said}; restarting in {pause:.0f} s")
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), pause)
        pause = min(pause * 2, LONGEST_PAUSE_S)


async def _run_once(replica: Replica, report: Report, stop: asyncio.Event) -> float | None:
    """Run its process once; returns for how many seconds it was up, None for never."""
    replica.set_state("starting")
    replica.last_lines.clear()
    shutil.rmtree(replica.folder, ignore_errors=True)
    replica.folder.mkdir(FOLDER)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "adstudio.serving.parent_watch", str(replica.folder), *replica.command),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env=replica.environment,
        start_new_session=True,  # so that we, not the terminal, pass on Ctrl-C
    )
    work: list[asyncio.Task[Any]] = [
        asyncio.create_task(each)
        for each in (_listen(process, replica, report), _watch(replica, report), stop.wait(), _ended(process))
    ]
    up_since: float | None = None
    at_once = False
    try:
        await asyncio.wait(work[1:], return_when=asyncio.FIRST_COMPLETED)
        if work[1].done() and process.returncode is None and not stop.is_set():
            report(f"{replica.name} has not responded for {SILENT_S:.0f} s and is being stopped")
        replica.code = process.returncode
        if replica.state == "up":
            up_since = replica.since
    except asyncio.CancelledError:
        at_once = True
        raise
    finally:
        replica.set_state("down")
        await _end(process, work, at_once=at_once)
    return None if up_since is None else monotonic() - up_since


async def _end(process: asyncio.subprocess.Process, work: Sequence[asyncio.Task[Any]], *, at_once: bool) -> None:
    if process.stdin is not None:
        process.stdin.close()
    if at_once:
        await asyncio.sleep(0.3)  # parent_watch notices the closed pipe; a signal then ends the grace period
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(_ended(process), GRACE_S + 10)
    _kill_session(process)  # parent_watch has done so, unless it was killed itself
    await process.wait()
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(asyncio.shield(work[0]), 2.0)  # the rest of its log
    for task in work:
        task.cancel()
    await asyncio.gather(*work, return_exceptions=True)


async def _ended(process: asyncio.subprocess.Process) -> None:
    # asyncio's own `wait` also waits for other processes that hold the output pipe open.
    while process.returncode is None:  # noqa: ASYNC110 - see above
        await asyncio.sleep(_ENDED_LOOK_S)


def _kill_session(leader: asyncio.subprocess.Process) -> None:
    """Kill what is left of a child process's session."""
    for pid in [*([leader.pid] if leader.returncode is None else []), *members(leader.pid)]:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)


async def _listen(process: asyncio.subprocess.Process, replica: Replica, report: Report) -> None:
    """Report its log line by line, with overlong lines split and keys masked."""
    left = b""
    while process.stdout is not None and (data := await process.stdout.read(65_536)):
        *lines, left = (left + data).split(b"\n")
        if len(left) > _LONGEST_LINE:
            lines, left = [*lines, left], b""
        for line in lines:
            if text := masked(line[:_LONGEST_LINE].decode("utf-8", "replace").rstrip()):
                replica.last_lines.append(text)
                report(f"[{replica.number}] {text}")


async def _watch(replica: Replica, report: Report) -> None:
    """Check its health; returns when it has stopped responding after having been up."""
    answered = monotonic()
    async with replica.client() as client:
        while replica.state != "up" or monotonic() - answered < SILENT_S:
            await asyncio.sleep(LOOK_S if replica.state != "up" else LOOK_UP_S)
            if not await _answers(lambda: client.get("/health", timeout=30.0)):
                continue
            answered = monotonic()
            if replica.state != "up":
                with contextlib.suppress(httpx2.HTTPError, ValueError):
                    said: Any = (await client.get("/version", timeout=30.0)).json()
                    known = cast("dict[str, Any]", said) if isinstance(said, dict) else {}
                    replica.version = str(known.get("version", ""))[:40]
                took = monotonic() - replica.since
                replica.set_state("up")
                report(f"{replica.name} is up, after {took:.0f} s")


async def _answers(ask: Callable[[], Awaitable[httpx2.Response]]) -> bool:
    try:
        return (await ask()).status_code == 200
    except (httpx2.HTTPError, OSError):
        return False
