"""Other programs as child processes: run once, or answering line after line, each within a time limit."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from adstudio.system.environment import without_keys
from adstudio.system.files import reason

_LONGEST_ANSWER = 1 << 20
_LAST_WORDS = 200
_ENDING = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name)]
_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG of prctl(2)


class ProcessError(Exception):
    """A child process did not do what it was to do; `str` of it says why, as part of a sentence."""


class NotStartedError(ProcessError):
    """It could not be started."""


class EndedError(ProcessError):
    """It ended by itself before it was done: the last line of its complaints, or its exit code."""

    def __init__(self, complaints: bytes, code: int) -> None:
        said = complaints.decode(errors="replace").strip().splitlines()
        super().__init__(said[-1].strip()[:_LAST_WORDS].rstrip(".") if said else f"exit code {code}")


class HungError(ProcessError):
    """It took longer than `limit` seconds and was ended."""

    def __init__(self, limit: float) -> None:
        super().__init__(f"it took longer than {limit:g} s")
        self.limit = limit


def run(
    command: Sequence[str],
    data: bytes,
    limit: float,
    folder: Path | None = None,
    variables: Mapping[str, str] | None = None,
) -> bytes:
    """Run a command, never through a shell, and return what it wrote to its output; `data` is its input.

    It runs in `folder`, else in the current one, with these environment variables besides those of this program.

    The command and whatever it started are ended after `limit` seconds, or when anything is raised here. Linux ends it
    too when this program is killed, if that has no other threads.

    Raises:
        ProcessError: when it cannot be started, fails or takes longer than the limit.
    """
    process: subprocess.Popen[bytes] | None = None
    try:
        with signals_deferred():
            process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=folder,
                env={**without_keys(), **(variables or {})},
                start_new_session=True,
                # Between fork and exec a function is safe only where there are no threads.
                preexec_fn=_death_signal() if threading.active_count() == 1 else None,  # noqa: PLW1509
            )
        out, complaints = process.communicate(data, timeout=limit)
        code = process.returncode
    except subprocess.TimeoutExpired as error:
        raise HungError(limit) from error
    except OSError as error:
        if process is not None:
            raise
        raise NotStartedError(reason(error)) from error
    finally:
        if process is not None and process.returncode is None:
            end(process)
    if code:
        raise EndedError(complaints, code)
    return out


class LineProcess:
    """One process that answers lines, started with the first request, ended and started again when it hangs or dies.

    Several threads may ask; they take turns. The process is to end by itself when its input does, so also when this
    program is killed.
    """

    def __init__(
        self,
        command: Sequence[str],
        start_limit: float,
        folder: Path | None = None,
        variables: Mapping[str, str] | None = None,
    ) -> None:
        """`start_limit`: seconds that a new process may take for its first answer beyond the request's own limit.

        `folder` and `variables` as of `run`.
        """
        self._command = tuple(command)
        self._folder = folder
        self._variables = dict(variables or {})
        self._start_limit = start_limit
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._complaints: IO[bytes] | None = None

    def ask(self, request: bytes, limit: float, lines: int = 1) -> list[bytes]:
        """The `lines` lines that answer a request, which is one line or several, within `limit` seconds.

        A process that died while nothing was asked of it, or that dies at this request after it has answered others, is
        started again, once. When anything is raised here it is ended, so that no answer can come to another question.

        Raises:
            ProcessError: when it cannot be started, dies, or does not answer in time.
        """
        with self._lock:
            answer = self._asked(request, limit, lines) if self._process is not None else []
            return answer or self._asked(request, limit, lines)

    def close(self) -> None:
        """End the process; the next request starts another."""
        with self._lock:
            self._end()

    def _asked(self, request: bytes, limit: float, lines: int) -> list[bytes]:
        """An answer; empty where a process that has answered before has died."""
        fresh = self._process is None
        process = self._process or self._started()
        limit += self._start_limit if fresh else 0.0
        late: list[bool] = []

        def stop() -> None:
            late.append(True)
            kill(process)

        # Reading takes no time limit; ending the process ends it.
        timer = threading.Timer(limit, stop)
        # A signal may raise while it starts: it must not hold up the end of the program until its time has come.
        timer.daemon = True
        try:
            timer.start()
            answer = self._exchange(process, request, lines)
        except BaseException:
            self._end()
            raise
        finally:
            timer.cancel()
            if timer.ident is not None:
                timer.join()
        if len(answer) == lines and answer[-1].endswith(b"\n"):
            return answer
        complaints = self._end()
        if late:
            raise HungError(limit)
        if fresh or answer:
            raise EndedError(complaints, process.returncode)
        return []

    @staticmethod
    def _exchange(process: subprocess.Popen[bytes], request: bytes, lines: int) -> list[bytes]:
        answer: list[bytes] = []
        if process.stdin is None or process.stdout is None:
            return answer
        # The answers to many lines may fill their pipe before the last of these is written.
        writer = threading.Thread(target=_write, args=(process.stdin, request)) if lines > 1 else None
        try:
            if writer is None:
                process.stdin.write(request)
                process.stdin.flush()
            else:
                writer.start()
            while len(answer) < lines and (line := process.stdout.readline(_LONGEST_ANSWER)):
                answer.append(line)
        except (OSError, ValueError):
            # Its pipes are gone, or were closed when it was ended.
            return []
        finally:
            if writer is not None:
                if len(answer) < lines:
                    kill(process)  # which ends the writing
                writer.join()
        return answer

    def _started(self) -> subprocess.Popen[bytes]:
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 - closed in `_end`; a pipe could fill up
        try:
            with signals_deferred():
                self._process = subprocess.Popen(
                    self._command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=self._complaints,
                    cwd=self._folder,
                    env={**without_keys(), **self._variables},
                    start_new_session=True,
                )
        except OSError as error:
            self._end()
            raise NotStartedError(reason(error)) from error
        return self._process

    def _end(self) -> bytes:
        """End the process, and return what it complained of last."""
        process, self._process = self._process, None
        if process is not None:
            end(process)
        complaints, self._complaints = self._complaints, None
        if complaints is None:
            return b""
        with complaints:
            complaints.seek(max(0, complaints.seek(0, 2) - 4_096))
            return complaints.read()


def dying_with_parent(command: Sequence[str]) -> tuple[str, ...]:
    """A command whose process the system ends with the thread that starts it, however that ends; as it is elsewhere.

    That is on Linux by setpriv of util-linux. It takes no code between fork and exec, which threads would make unsafe.
    """
    program = shutil.which("setpriv") if sys.platform == "linux" else None
    # That of BusyBox, a link to it, cannot do this.
    if program is None or Path(program).resolve().name != "setpriv":
        return tuple(command)
    return (program, "--pdeathsig", "KILL", "--", *command)


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process that was started in a session of its own, and whatever it started."""
    with contextlib.suppress(OSError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)


def end(process: subprocess.Popen[bytes]) -> None:
    """Kill a process in the same way, close its pipes, and wait for its end."""
    kill(process)
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream:
            with contextlib.suppress(OSError):
                stream.close()
    process.wait()


@contextlib.contextmanager
def signals_deferred() -> Generator[None]:
    """While active, signals that raise wait: one raised inside Popen would leave its process to nobody."""
    waiting: list[int] = []
    before: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():
        before = {number: signal.getsignal(number) for number in _ENDING}
    raising = {number: handler for number, handler in before.items() if callable(handler)}
    for number in raising:
        signal.signal(number, lambda number, _frame: waiting.append(number))
    try:
        yield
    finally:
        for number, handler in raising.items():
            signal.signal(number, handler)
        for number in waiting:
            signal.raise_signal(number)


def _write(stream: IO[bytes], data: bytes) -> None:
    with contextlib.suppress(OSError, ValueError):  # its reader is gone
        stream.write(data)
        stream.flush()


def _death_signal() -> Callable[[], None] | None:
    """On Linux, what makes the system end a process when the one that started it is killed."""
    if sys.platform != "linux":
        return None
    import ctypes

    prctl = ctypes.CDLL(None).prctl
    parent = os.getpid()

    def bind() -> None:
        prctl(_DIE_WITH_PARENT, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)

    return bind
