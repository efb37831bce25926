"""A speech process that answers line after line, ended and started again when it hangs or dies."""

from __future__ import annotations

import subprocess
import tempfile
import threading
from collections.abc import Sequence
from typing import IO

from adstudio.speech.engine import SpeechError
from adstudio.speech.engine_process import end, failure, hung, kill
from adstudio.system.environment import without_keys
from adstudio.system.files import reason

_LONGEST_ANSWER = 1 << 20


class EngineServer:
    """One process, started with the first request; `what` names the engine in messages.

    Several threads may ask; they take turns. The process is to end by itself when its input does.
    """

    def __init__(self, command: Sequence[str], what: str, start_limit: float) -> None:
        """`start_limit`: seconds that a new process may take for its first answer beyond the request's own limit."""
        self._command = tuple(command)
        self._what = what
        self._start_limit = start_limit
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._complaints: IO[bytes] | None = None

    def ask(self, request: bytes, limit: float) -> bytes:
        """The line that answers a line, within `limit` seconds.

        A process that died while nothing was asked of it, or that dies at this request after it has answered others, is
        started again, once. When anything is raised here it is ended, so that no answer can come to another question.

        Raises:
            SpeechError: when it cannot be started, dies, or does not answer in time.
        """
        with self._lock:
            answer = self._asked(request, limit) if self._process is not None else b""
            return answer or self._asked(request, limit)

    def close(self) -> None:
        """End the process; the next request starts another."""
        with self._lock:
            self._end()

    def _asked(self, request: bytes, limit: float) -> bytes:
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
        timer.start()
        try:
            answer = self._exchange(process, request)
        except BaseException:
            self._end()
            raise
        finally:
            timer.cancel()
            timer.join()
        if answer.endswith(b"\n"):
            return answer
        complaints = self._end()
        if late:
            raise SpeechError(hung(self._what, limit))
        if fresh or answer:
            raise failure(self._what, complaints, process.returncode)
        return b""

    @staticmethod
    def _exchange(process: subprocess.Popen[bytes], request: bytes) -> bytes:
        if process.stdin is None or process.stdout is None:
            return b""
        try:
            process.stdin.write(request)
            process.stdin.flush()
            return process.stdout.readline(_LONGEST_ANSWER)
        except (OSError, ValueError):
            # Its pipes are gone, or were closed when it was ended.
            return b""

    def _started(self) -> subprocess.Popen[bytes]:
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 - closed in `_end`; a pipe could fill up
        try:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._complaints,
                env=without_keys(),
                start_new_session=True,
            )
        except OSError as error:
            self._end()
            raise SpeechError(f"{self._what} could not be started: {reason(error)}") from error
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
