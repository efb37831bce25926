"""A speech process that answers line after line, ended and started again when it hangs or dies."""

from __future__ import annotations

from collections.abc import Sequence

from adstudio.speech.engine_process import speech_error
from adstudio.system.child_process import LineProcess, ProcessError


class EngineServer:
    """One process that answers a line by a line, as `LineProcess`; `what` names the engine in messages."""

    def __init__(self, command: Sequence[str], what: str, start_limit: float) -> None:
        """`start_limit`: seconds that a new process may take for its first answer beyond the request's own limit."""
        self._what = what
        self._process = LineProcess(command, start_limit)

    def ask(self, request: bytes, limit: float) -> bytes:
        """The line that answers a line, within `limit` seconds.

        Raises:
            SpeechError: when it cannot be started, dies, or does not answer in time.
        """
        try:
            return self._process.ask(request, limit)[0]
        except ProcessError as error:
            raise speech_error(error, self._what) from error

    def close(self) -> None:
        """End the process; the next request starts another."""
        self._process.close()
