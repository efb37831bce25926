"""The GPU server: opens the port, runs the replicas, and shuts down in order."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import shutil
import signal
import socket
import ssl
import tempfile
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from adstudio.core.errors import BadInputError, OutsideFailureError
from adstudio.core.optional_parts import install_part
from adstudio.llm.keys import masked
from adstudio.llm.policy_enforcement import is_this_machine
from adstudio.serving.admission import OUT_OF_DESCRIPTORS, AdmissionSocket, raise_descriptor_limit
from adstudio.serving.keys import Keys
from adstudio.serving.launch import Fleet
from adstudio.serving.model_config import ServedModel
from adstudio.serving.replica import FIRST_PAUSE_S, Replica, Report, StartFailedError, keep_up
from adstudio.serving.vllm_program import Program
from adstudio.system.environment import without_keys
from adstudio.system.files import reason

if TYPE_CHECKING:
    from adstudio.serving.front import Front

DRAIN_S = 10
"""Seconds that running requests get to finish when the server ends."""
_LONGEST_PLACE = 40
_MOST_FAULTS = 20
_NOT_PASSED = frozenset({"VLLM_API_KEY", "VLLM_USE_RUST_FRONTEND", "VLLM_RPC_BASE_PATH", "PYTHONPATH"})
"""Environment variables not passed on: keys, a vLLM front end that rejects large requests, a place for sockets, our
package path."""


@dataclass(frozen=True, slots=True)
class Listener:
    """Where and how the front listens. `body_bytes` is the largest request accepted."""

    host: str = "127.0.0.1"
    port: int = 8000
    certificate: Path | None = None
    certificate_key: Path | None = None
    body_bytes: int = 96_000_000

    @property
    def url(self) -> str:
        """Its address for clients."""
        name = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'http' if self.certificate is None else 'https'}://{name}:{self.port}/v1"

    def validate(self, *, plain: bool) -> None:
        """Check the settings before anything is opened.

        Raises:
            BadInputError: for an incomplete or mismatched certificate and key, or for plain HTTP on a network interface
                without `plain`.
        """
        if (self.certificate is None) != (self.certificate_key is None):
            raise BadInputError("--tls-cert and --tls-key belong together: give both, or neither")
        if self.certificate is not None and self.certificate_key is not None:
            _require_pair(self.certificate, self.certificate_key)
        elif not plain and not is_this_machine(self.host):
            raise BadInputError(
                f"--host {self.host}: films and keys would cross the network unencrypted; give --tls-cert and"
                " --tls-key, or --plain if a tunnel or proxy in front of the server encrypts"
            )


def open_socket(listener: Listener) -> AdmissionSocket:
    """The listening socket, opened before the model takes minutes to load.

    Raises:
        OutsideFailureError: for a port that is in use or not permitted, or an address that is not this machine's.
    """
    try:
        family = socket.getaddrinfo(listener.host, listener.port, type=socket.SOCK_STREAM)[0][0]
        found = AdmissionSocket(family)
    except OSError:
        raise OutsideFailureError(
            f"--host {listener.host}: this machine has no such address: try 127.0.0.1 or 0.0.0.0"
        ) from None
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((listener.host, listener.port))
        found.listen(socket.SOMAXCONN)
    except OSError as error:
        found.close()
        raise OutsideFailureError(
            f"port {listener.port} of {listener.host} cannot be opened ({reason(error)}): stop the program that uses"
            " it, or give another --port"
        ) from None
    found.settimeout(0.0)
    return found


def commands(fleet: Fleet, program: Program, model: ServedModel, folder: Path) -> tuple[Replica, ...]:
    """The replicas to start; their sockets are in folders of `folder`, which must be private."""
    found: list[Replica] = []
    for number, planned in enumerate(fleet.replicas):
        replica = Replica(number, (), {}, folder / str(number), planned.gpus)
        replica.command = (*program.command, model.source, *planned.arguments, "--uds", str(replica.socket))
        inherited = {name: value for name, value in without_keys().items() if name not in _NOT_PASSED}
        # Otherwise the sockets of its processes would lie among everybody's files, and stay there when it is killed.
        replica.environment = (
            inherited
            | dict(planned.environment)
            | {
                "PATH": program.path,
                "TMPDIR": str(replica.folder),
            }
        )
        found.append(replica)
    return tuple(found)


def serve(
    fleet: Fleet,
    program: Program,
    model: ServedModel,
    listener: Listener,
    keys: Keys,
    report: Report,
    *,
    pause_s: float = FIRST_PAUSE_S,
) -> int:
    """Serve until a signal ends it; returns 128 plus the signal's number, in the shell's convention.

    Raises:
        OutsideFailureError: if the port is in use, a package is missing, or vLLM does not start.
    """
    if find_spec("uvicorn") is None:
        raise OutsideFailureError(f"the packages for the server are not installed: {install_part('server')}")
    listening = open_socket(listener)
    listening.limit_to(raise_descriptor_limit())
    # Private to its owner. A socket's path is limited to about 100 characters, and vLLM's names have 36.
    place = tempfile.gettempdir() if len(tempfile.gettempdir()) < _LONGEST_PLACE else "/tmp"  # noqa: S108 - a new folder
    folder = Path(tempfile.mkdtemp(prefix="adstudio-serve-", dir=place))
    try:
        replicas = commands(fleet, program, model, folder)
        return asyncio.run(_serve(replicas, model, listener, keys, listening, report, pause_s))
    finally:
        listening.close()
        shutil.rmtree(folder, ignore_errors=True)


async def _serve(
    replicas: Sequence[Replica],
    model: ServedModel,
    listener: Listener,
    keys: Keys,
    listening: AdmissionSocket,
    report: Report,
    pause_s: float,
) -> int:
    from adstudio.serving.front import Front
    from adstudio.serving.status_page import StatusPages

    pages = StatusPages(replicas, model.name, gpus=any(replica.gpus for replica in replicas))
    front = Front(replicas, keys, pages, body_bytes=listener.body_bytes, admit=listening.admit)
    server = _server(front, listener, listening.most_connections)
    asyncio.get_running_loop().set_exception_handler(partial(_report_fault, report, set()))
    stop, signals = asyncio.Event(), list[int]()

    def end(number: int) -> None:
        if signals:  # a second time: at once
            server.force_exit = True
            for task in tending:
                task.cancel()
            return
        signals.append(number)
        front.ending = True
        report("stopping: no new requests are accepted; running ones get a moment. Press again to stop at once")
        server.should_exit = True

    tending = [asyncio.create_task(keep_up(replica, report, stop, pause_s=pause_s)) for replica in replicas]
    with _listening_to_signals(end):
        opening = asyncio.create_task(server.serve(sockets=[listening]))
        report(f"listening on {listener.url}; starting {len(replicas)} × {model.name}, which takes minutes")
        try:
            # The server only ends when the last replica has been given up.
            while not opening.done() and any(not task.done() for task in tending):
                await asyncio.wait(
                    [opening, *(task for task in tending if not task.done())], return_when="FIRST_COMPLETED"
                )
            server.should_exit = True
            await opening
        finally:
            stop.set()
            ends = await asyncio.gather(*tending, return_exceptions=True)
            await front.aclose()
    failed = [end for end in ends if isinstance(end, Exception)]
    if failed and not signals:
        if isinstance(failed[0], StartFailedError):
            raise OutsideFailureError(str(failed[0]))
        raise failed[0]
    report("stopped")
    return 128 + signals[0] if signals else 3


def _report_fault(report: Report, reported: set[str], _loop: asyncio.AbstractEventLoop, fault: dict[str, Any]) -> None:
    """Report what went wrong in the event loop: one line for each kind, the first time."""
    error = fault.get("exception")
    if isinstance(error, OSError) and error.errno in OUT_OF_DESCRIPTORS:
        line = "no more connections can be accepted: raise the limit of open files (ulimit -n, or LimitNOFILE)"
    else:
        line = masked(f"{fault['message']}: {error!r}"[:400])
    if line not in reported and len(reported) < _MOST_FAULTS:
        reported.add(line)
        report(line)


def _server(front: Front, listener: Listener, most_connections: int) -> Any:  # noqa: ANN401 - uvicorn is imported late
    import uvicorn

    from adstudio.serving.idle_timeout import IdleTimeoutProtocol

    class Server(uvicorn.Server):
        """A server that leaves signals to us."""

        @contextlib.contextmanager
        def capture_signals(self) -> Generator[None]:
            """Capture no signals."""
            yield

    config = uvicorn.Config(
        front,
        http=IdleTimeoutProtocol,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=most_connections,
        timeout_graceful_shutdown=DRAIN_S,
        ssl_certfile=None if listener.certificate is None else str(listener.certificate),
        ssl_keyfile=None if listener.certificate_key is None else str(listener.certificate_key),
    )
    # Errors such as a broken connection are reported to the client; addresses and paths are not logged.
    logging.getLogger("uvicorn").setLevel(logging.CRITICAL + 1)
    return Server(config)


@contextlib.contextmanager
def _listening_to_signals(end: Callable[[int], None]) -> Generator[None]:
    loop = asyncio.get_running_loop()
    before: dict[signal.Signals, Any] = {}

    def signals(number: int, _frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(end, number)

    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number: signal.Signals | None = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            before[number] = signal.signal(number, signals)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _require_pair(certificate: Path, key: Path) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    for file, option in ((certificate, "--tls-cert"), (key, "--tls-key")):
        try:
            file.read_bytes()
        except OSError as error:
            raise BadInputError(f"{option} {file} could not be read: {reason(error)}") from None
    try:
        context.load_cert_chain(certificate, key, password=_no_password)
    except (ssl.SSLError, ValueError) as error:
        raise BadInputError(
            f"{certificate} and {key} are not a matching certificate and key in PEM format without a password"
            f" ({getattr(error, 'reason', None) or error})"
        ) from None


def _no_password() -> bytes:
    raise ValueError("the key has a password")
