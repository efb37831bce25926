"""Processes that work for the editor: the protocol that both sides share, and the main function that each process runs.

A request is one line of JSON on the process's standard input; what it says in return are lines of JSON, its events, on
its standard output. There are two kinds of process. A job does what one request asks, says how far it is, ends with an
answer, and is stopped as soon as its input closes (`run_job`). A companion answers request after request, one event for
each and in order, until its input closes (`answer_requests`).

A worker is a module of its own that is run by name, and a light module beside it that says what is exchanged:

    # counting/messages.py, imported by both sides
    @dataclass(frozen=True)
    class Count:
        path: Path

    @dataclass(frozen=True)
    class Counted:
        lines: int

    Event = Counted | Failed
    PROTOCOL = WorkerProtocol[Count, Event]("adstudio.counting.worker", Count, Event)

    # counting/worker.py
    def count(request: Count, send: Callable[[Event], None]) -> None:
        send(Counted(len(read_bounded(request.path, 1_000_000, "text").splitlines())))

    def main() -> int:
        return run_job(PROTOCOL, count)

    if __name__ == "__main__":
        sys.exit(main())

The asking side starts `PROTOCOL.command()`, writes `PROTOCOL.request_line(Count(path))`, leaves the input open, and
reads each line with `PROTOCOL.read_event`. In the window, `adstudio.ui.background` does all that. Failures that the
user can do something about arrive as `Failed`; of any other the detail goes to standard error, and so into the log.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import stat
import sys
import traceback
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from types import FrameType
from typing import Any, BinaryIO, Generic, Protocol, TypeVar, cast, runtime_checkable

from adstudio.core.errors import AdstudioError, BadInputError, OutsideFailureError
from adstudio.system.background_priority import lower_priority
from adstudio.system.codec import Codec, Limits
from adstudio.system.swallowed_signals import raised_again

LARGEST_REQUEST = 500_000_000
"""Bytes of a request; those that carry a film's script and pictures of its people are the largest."""
LARGEST_EVENT = 64_000_000
"""Bytes of an event."""
CODEC = Codec(limits=Limits(number=10**30, data=48_000_000))
"""Writes requests and events; texts are as long as a project's may be, unless a field says otherwise."""
STOPPED = 130
"""The exit code of a process that was asked to stop."""
FAULT = 1
"""The exit code of a process that failed through a fault of ours, as Python's own."""
OUT_OF_MEMORY = "there is not enough memory for this: close other programs and try again"
POLL_S = 0.1
"""Seconds between looks at standard input."""
AGAIN_S = 5.0
"""Seconds between stops of a job whose editor is gone: a library may swallow the first before a loop can be stopped."""
_INPUT, _OUTPUT, _ERRORS = 0, 1, 2

Stop = Callable[[], None]
"""What happens when a process is asked to stop, such as a `stop_request.StopRequest`."""
Request = TypeVar("Request")
Event = TypeVar("Event")


@runtime_checkable
class _RaisesOnce(Protocol):
    """A stop that raises an exception, and not again until it is told that nobody got that one."""

    def forget(self) -> None: ...


@dataclass(frozen=True)
class Failed:
    """The work failed, and why, in one sentence for the user."""

    message: str


class WorkerProtocol(Generic[Request, Event]):
    """What is asked of a worker process and what it says: `requests` and `events` are classes or unions of them."""

    def __init__(self, module: str, requests: object, events: object, *, codec: Codec = CODEC) -> None:
        self.module = module
        self._requests, self._events, self._codec = requests, events, codec

    def command(self) -> list[str]:
        """The command that starts the process: with the same packages in reach, and nothing from the current folder."""
        return [sys.executable, "-P", "-m", self.module]

    def request_line(self, request: Request) -> bytes:
        """A request as the process reads it, the line's end included.

        Raises:
            CodecError: where it exceeds a limit.
        """
        return self._codec.encode(request, self._requests) + b"\n"

    def read_request(self, line: bytes) -> Request:
        """The request in a line.

        Raises:
            CodecError: for anything else.
        """
        return cast("Request", self._codec.decode_any(line, self._requests))

    def event_line(self, event: Event) -> bytes:
        """An event as the asking side reads it, the line's end included; raises as `request_line`."""
        return self._codec.encode(event, self._events) + b"\n"

    def read_event(self, line: bytes) -> Event:
        """The event in a line.

        Raises:
            CodecError: for anything else: a library may have written into the stream.
        """
        return cast("Event", self._codec.decode_any(line, self._events))

    def starts(self, kind: type[Any]) -> bytes:
        """How the line of an event of this class starts, to recognise it unread."""
        return b'{"type":"%s",' % self._codec.tag(kind).encode()


def _failed(error: AdstudioError) -> Any:  # noqa: ANN401 - an event of those protocols that have it
    return Failed(str(error))


def run_job(
    protocol: WorkerProtocol[Request, Event],
    work: Callable[[Request, Callable[[Event], None]], int | None],
    *,
    stop: Stop | None = None,
    failure: Callable[[AdstudioError], Event] = _failed,
    out_of_memory: str = OUT_OF_MEMORY,
    redact: Callable[[str], str] = str,
    background: bool = False,
    line: bytes | None = None,
) -> int:
    """Do what the one request on standard input asks, and return the exit code.

    `work` is given the request and a function that sends an event; it may return an exit code. That of a failure is the
    error's own, and `STOPPED` where the process was stopped. `failure` turns an error into the event that reports it;
    `redact` removes secrets from what goes to the log.

    Without a `stop` the process ends at once, wherever it is, which is for work that leaves nothing half-written.
    With `background`, other processes go before this one. `line` is the request where it does not come from standard
    input.
    """
    _prepare(stop, background=background)
    try:
        # Before the leash, which consumes whatever else arrives.
        line = sys.stdin.buffer.readline(LARGEST_REQUEST + 1) if line is None else line
        if not line:
            return STOPPED
        # The leash goes first: once the output has ended, the other side may close the input of a job that is done.
        with _output() as write, _leash(stop or _exit_at_once), _sure_to_stop(stop):

            def send(event: Event) -> None:
                write(protocol.event_line(event))

            try:
                return work(_read(protocol, line), send) or 0
            except (Exception, BaseExceptionGroup) as error:  # noqa: BLE001 - sorted by `_explained`
                explained = _explained(error, out_of_memory)
            if isinstance(explained, AdstudioError):
                send(failure(explained))
                return explained.exit_code
            if explained is not None:
                sys.stderr.write(redact("".join(traceback.format_exception(explained))))
                return FAULT
            return STOPPED
    except (KeyboardInterrupt, BrokenPipeError):
        return STOPPED


def answer_requests(
    protocol: WorkerProtocol[Request, Event],
    answer: Callable[[Request], Event],
    *,
    stop: Stop | None = None,
) -> int:
    """Answer requests until standard input ends, and return the exit code.

    A request that fails, or cannot be read, is answered by `Failed`: it must not take the ones after it along. The
    process ends with its input, so also when the editor is gone, once the request at hand is answered.
    """
    _prepare(stop)
    try:
        with _output() as write:
            for line in _lines(sys.stdin.buffer):
                try:
                    event = answer(_read(protocol, line))
                except Exception as error:  # noqa: BLE001 - sorted by `_explained`
                    explained = _explained(error, OUT_OF_MEMORY)
                    if explained is None:
                        return STOPPED
                    if not isinstance(explained, AdstudioError):
                        traceback.print_exception(explained)
                        explained = OutsideFailureError("this failed because of a fault in adstudio: see the log")
                    event = _failed(explained)
                write(protocol.event_line(event))
    except (KeyboardInterrupt, BrokenPipeError):
        return STOPPED
    return 0


def _prepare(stop: Stop | None, *, background: bool = False) -> None:
    if background:
        lower_priority()
    if stop is None:
        return

    def terminated(_signal: int, _frame: FrameType | None) -> None:
        stop()

    signal.signal(signal.SIGTERM, terminated)


def _read(protocol: WorkerProtocol[Request, Event], line: bytes) -> Request:
    if len(line) > LARGEST_REQUEST:
        raise BadInputError(f"a request is larger than {LARGEST_REQUEST // 1_000_000} MB")
    return protocol.read_request(line)


def _explained(error: BaseException, out_of_memory: str) -> BaseException | None:
    """The error to report: for the user where it is an `AdstudioError`, else for the log; None where nobody listens."""
    if isinstance(error, MemoryError):
        return OutsideFailureError(out_of_memory)
    if isinstance(error, ImportError):
        return OutsideFailureError(f"a part of the program is missing ({error.name}): install the program again")
    # What runs at the same time finds out together that the other side is gone. A stop may come as the cause of another
    # error: Python 3.11 makes a RuntimeError of whatever `__set_name__` raises.
    return None if _is_only(error, BrokenPipeError) or _is_stop(error) else error


def _is_stop(error: BaseException | None) -> bool:
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def _is_only(error: BaseException, kind: type[BaseException]) -> bool:
    if isinstance(error, BaseExceptionGroup):
        return all(_is_only(each, kind) for each in cast("BaseExceptionGroup[BaseException]", error).exceptions)
    return isinstance(error, kind)


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """The lines of a stream; of one that is too long only the start, and it is never held in memory as a whole."""
    while line := stream.readline(LARGEST_REQUEST + 1):
        start = line
        while not line.endswith(b"\n") and (line := stream.readline(LARGEST_REQUEST)):
            pass
        if start.strip():
            yield start


@contextlib.contextmanager
def _output() -> Generator[Callable[[bytes], None]]:
    """The way to the asking side; whatever else is printed to standard output goes to standard error meanwhile."""
    sys.stdout.flush()
    with os.fdopen(os.dup(_OUTPUT), "wb") as stream:
        os.dup2(_ERRORS, _OUTPUT)

        def write(line: bytes) -> None:
            stream.write(line)
            stream.flush()

        yield write


@contextlib.contextmanager
def _leash(stop: Callable[[], None]) -> Generator[None]:
    """Call `stop`, whatever is going on, when the pipe at standard input closes: the editor is gone.

    A file or terminal there means nothing. Where the system has no interval timer, the process ends when it next writes
    to an editor that is gone.
    """
    if not hasattr(signal, "setitimer") or not _is_pipe(_INPUT):
        yield
        return

    def look(_signal: int, _frame: FrameType | None) -> None:
        try:
            gone = bool(select.select([_INPUT], [], [], 0)[0]) and not os.read(_INPUT, 65_536)
        except OSError:
            gone = True
        if gone:
            # Not again at once: should this interrupt the end of the leash, the timer would outlast Python's handler.
            signal.setitimer(signal.ITIMER_REAL, AGAIN_S, AGAIN_S)
            stop()

    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, POLL_S, POLL_S)
    try:
        yield
    finally:
        # Python takes its handlers away before it ends; the timer would kill it then.
        signal.setitimer(signal.ITIMER_REAL, 0)


def _sure_to_stop(stop: Stop | None) -> contextlib.AbstractContextManager[None]:
    """While active, a stop that was swallowed on its way comes once more."""
    if not isinstance(stop, _RaisesOnce):
        return contextlib.nullcontext()
    return raised_again(KeyboardInterrupt, lambda _: signal.SIGTERM, stop.forget)


def _is_pipe(descriptor: int) -> bool:
    try:
        kind = os.fstat(descriptor).st_mode
    except OSError:
        return False
    return stat.S_ISFIFO(kind) or stat.S_ISSOCK(kind)


def _exit_at_once() -> None:
    # No exception, which could be swallowed on its way; temporary files are removed another time.
    os._exit(STOPPED)
