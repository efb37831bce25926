"""One vLLM process: started, watched until it answers, started again with growing pauses when it dies, and ended."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any, Literal, cast

import httpx2

from adstudio.llm.keys import masked
from adstudio.serving.parent_watch import GRACE_S

State = Literal["starting", "up", "down"]
Tell = Callable[[str], None]

FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 60.0
"""Before a dead replica is started again: doubled each time, and short again once it has been up for a while."""
STEADY_S = 600.0
LOOK_S, LOOK_UP_S = 0.5, 10.0
"""From one look at a starting replica to the next, and at one that is up."""
SILENT_S = 300.0
"""A replica that has not answered for so long is ended and started anew: preparing clips takes a minute at most."""
HOPELESS = 3
"""So many ends in a row without ever having been up mean that it never will be."""
LINES_KEPT = 60
SHOWN_LINES = 3
"""Of them, so many are told where none says what went wrong."""
_LONGEST_LINE = 4_000
_ENDED_LOOK_S = 0.1


@dataclass
class Replica:
    """A vLLM and how it is: what the front and the page read. `number` counts from 0.

    `code` is what it ended with the last time, as shells count; null where it did not end by itself.
    """

    number: int
    command: tuple[str, ...]
    environment: dict[str, str]
    socket: Path
    gpus: tuple[int, ...] = ()
    state: State = "starting"
    since: float = field(default_factory=monotonic)
    restarts: int = 0
    failed_starts: int = 0
    code: int | None = None
    in_flight: int = 0
    version: str = ""
    last_lines: deque[str] = field(default_factory=lambda: deque(maxlen=LINES_KEPT))

    @property
    def name(self) -> str:
        """What people call it."""
        return f"replica {self.number}"

    @property
    def why(self) -> str:
        """The last line of its log that says what went wrong; its last lines where none does; empty without any."""
        bad = [line for line in self.last_lines if "rror" in line and "Traceback" not in line]
        return (bad[-1] if bad else " / ".join(list(self.last_lines)[-SHOWN_LINES:]))[-400:]

    @property
    def with_code(self) -> str:
        """The code that it ended with, to be said behind that it has ended."""
        return "" if self.code is None else f" with exit code {self.code}"

    def client(self) -> httpx2.AsyncClient:
        """A client that can reach this replica and nothing else: no port, no proxy, no connection kept for later."""
        # vLLM closes idle connections after 5 s, as clients forget them: a new one each time is never stale.
        transport = httpx2.AsyncHTTPTransport(
            uds=str(self.socket), limits=httpx2.Limits(max_connections=None, max_keepalive_connections=0)
        )
        waits = httpx2.Timeout(None, connect=10.0)
        return httpx2.AsyncClient(transport=transport, base_url="http://vllm", trust_env=False, timeout=waits)

    def become(self, state: State) -> None:
        """From now on it is so."""
        self.state, self.since = state, monotonic()


class Hopeless(Exception):  # noqa: N818 - told on as one sentence
    """A replica does not start, however often."""


async def keep_up(replica: Replica, tell: Tell, stop: asyncio.Event, *, pause_s: float = FIRST_PAUSE_S) -> None:
    """Run a replica until `stop` is set; its process is gone when this returns or is cancelled.

    Raises:
        Hopeless: when it ended `HOPELESS` times in a row without having been up.
    """
    pause = pause_s
    while not stop.is_set():
        was_up_s = await _run_once(replica, tell, stop)
        if stop.is_set():
            return
        replica.restarts += 1
        replica.failed_starts = 0 if was_up_s is not None else replica.failed_starts + 1
        if was_up_s is not None and was_up_s >= STEADY_S:
            pause = pause_s
        if replica.failed_starts >= HOPELESS:
            last = f", the last time{replica.with_code}" if replica.with_code else ""
            ended = f"ended {HOPELESS} times before it could answer{last}: {replica.why or 'it said nothing'}"
            # Others may go on without it, and then nobody else says so.
            tell(f"{replica.name} is given up, as it {ended}")
            raise Hopeless(f"vLLM {ended}")
        said = f" ({replica.why})" if replica.why else ""
        tell(f"{replica.name} ended{replica.with_code}{said}; it is started again in {pause:.0f} s")
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), pause)
        pause = min(pause * 2, LONGEST_PAUSE_S)


async def _run_once(replica: Replica, tell: Tell, stop: asyncio.Event) -> float | None:
    """One life of its process; for how many seconds it was up, null for never."""
    replica.become("starting")
    replica.last_lines.clear()
    replica.socket.unlink(missing_ok=True)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "adstudio.serving.parent_watch", *replica.command),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env=replica.environment,
        start_new_session=True,  # Ctrl-C in the terminal is ours to pass on, in order
    )
    work: list[asyncio.Task[Any]] = [
        asyncio.create_task(each)
        for each in (_listen(process, replica, tell), _watch(replica, tell), stop.wait(), _ended(process))
    ]
    up_since: float | None = None
    at_once = False
    try:
        await asyncio.wait(work[1:], return_when=asyncio.FIRST_COMPLETED)
        if work[1].done() and process.returncode is None and not stop.is_set():
            tell(f"{replica.name} has not answered for {SILENT_S:.0f} s: it is ended")
        replica.code = process.returncode
        if replica.state == "up":
            up_since = replica.since
    except asyncio.CancelledError:
        at_once = True
        raise
    finally:
        replica.become("down")
        await _end(process, work, at_once=at_once)
    return None if up_since is None else monotonic() - up_since


async def _end(process: asyncio.subprocess.Process, work: Sequence[asyncio.Task[Any]], *, at_once: bool) -> None:
    if process.stdin is not None:
        process.stdin.close()
    if at_once:
        await asyncio.sleep(0.3)  # the tether sees that it was let go; then a signal means that there is no more grace
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(_ended(process), GRACE_S + 10)
    _kill_session(process)  # its tether has done so, unless it was killed itself
    await process.wait()
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(asyncio.shield(work[0]), 2.0)  # its last words
    for task in work:
        task.cancel()
    await asyncio.gather(*work, return_exceptions=True)


async def _ended(process: asyncio.subprocess.Process) -> None:
    # asyncio's own `wait` also waits for whatever else still holds the process's output open.
    while process.returncode is None:  # noqa: ASYNC110 - see above
        await asyncio.sleep(_ENDED_LOOK_S)


def _kill_session(leader: asyncio.subprocess.Process) -> None:
    """Kill what is left of the session that a process of ours leads."""
    left = [leader.pid] if leader.returncode is None else []
    for file in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            state, _parent, _group, session = file.read_text(errors="replace").rpartition(")")[2].split()[:4]
            if int(session) == leader.pid and state not in "ZX":
                left.append(int(file.parent.name))
    for pid in left:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)


async def _listen(process: asyncio.subprocess.Process, replica: Replica, tell: Tell) -> None:
    """Pass its log on, line by line, however long or torn the lines are, without what looks like a key in it."""
    left = b""
    while process.stdout is not None and (data := await process.stdout.read(65_536)):
        *lines, left = (left + data).split(b"\n")
        if len(left) > _LONGEST_LINE:
            lines, left = [*lines, left], b""
        for line in lines:
            if text := masked(line[:_LONGEST_LINE].decode("utf-8", "replace").rstrip()):
                replica.last_lines.append(text)
                tell(f"[{replica.number}] {text}")


async def _watch(replica: Replica, tell: Tell) -> None:
    """Look after it; returns only when it has not answered for too long after it was up."""
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
                replica.become("up")
                tell(f"{replica.name} is up, after {took:.0f} s")


async def _answers(ask: Callable[[], Awaitable[httpx2.Response]]) -> bool:
    try:
        return (await ask()).status_code == 200
    except (httpx2.HTTPError, OSError):
        return False
