"""The GPU server from its start to its end: the door first, then the replicas, and all of it gone in order at last."""

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
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from adstudio.core.errors import BadInputError, OutsideFailureError
from adstudio.serving.keys import Keys
from adstudio.serving.launch import Fleet
from adstudio.serving.model_config import ServedModel
from adstudio.serving.replica import FIRST_PAUSE_S, Hopeless, Replica, Tell, keep_up
from adstudio.serving.vllm_program import Program
from adstudio.system.environment import without_keys
from adstudio.system.files import reason

if TYPE_CHECKING:
    from adstudio.serving.front import Front

DRAIN_S = 10
"""How long answers that are under way may still take when the server ends."""
MOST_CONNECTIONS = 1_000
_LONGEST_PLACE = 60
_NOT_PASSED = frozenset({"VLLM_API_KEY", "VLLM_USE_RUST_FRONTEND", "PYTHONPATH"})
"""Of our own surroundings: keys, a front of vLLM's that takes no large requests, and where our packages lie."""


@dataclass(frozen=True, slots=True)
class Door:
    """Where the front listens, and how. `body_bytes` is the largest request taken."""

    host: str = "127.0.0.1"
    port: int = 8000
    certificate: Path | None = None
    certificate_key: Path | None = None
    body_bytes: int = 96_000_000

    @property
    def url(self) -> str:
        """Its address as clients write it."""
        name = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'http' if self.certificate is None else 'https'}://{name}:{self.port}/v1"

    def require_sound(self, *, plain: bool) -> None:
        """Check what can be checked before anything is opened.

        Raises:
            BadInputError: for half a certificate, one that does not fit its key, or plain HTTP into the network unless
                `plain` allows it.
        """
        if (self.certificate is None) != (self.certificate_key is None):
            raise BadInputError("--tls-cert and --tls-key belong together: give both, or neither")
        if self.certificate is not None and self.certificate_key is not None:
            _require_pair(self.certificate, self.certificate_key)
        elif not plain and not _is_loopback(self.host):
            raise BadInputError(
                f"--host {self.host}: films and the key would cross the network unencrypted; give --tls-cert and"
                " --tls-key, or --plain if a tunnel or a proxy of the house in front of it encrypts"
            )


def open_socket(door: Door) -> socket.socket:
    """The listening socket, before the model takes its minutes to load.

    Raises:
        OutsideFailureError: for a port that is taken or may not be opened, or an address that is not of this machine.
    """
    try:
        family = socket.getaddrinfo(door.host, door.port, type=socket.SOCK_STREAM)[0][0]
        found = socket.socket(family, socket.SOCK_STREAM)
    except OSError:
        raise OutsideFailureError(
            f"--host {door.host}: there is no such address here: try 127.0.0.1 or 0.0.0.0"
        ) from None
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((door.host, door.port))
        found.listen(socket.SOMAXCONN)
    except OSError as error:
        found.close()
        raise OutsideFailureError(
            f"port {door.port} of {door.host} could not be opened ({reason(error)}): end what holds it, or give another"
            " --port"
        ) from None
    found.settimeout(0.0)
    return found


def commands(fleet: Fleet, program: Program, model: ServedModel, folder: Path) -> tuple[Replica, ...]:
    """The replicas as they are started; their sockets lie in `folder`, which nobody else may enter."""
    found: list[Replica] = []
    for number, planned in enumerate(fleet.replicas):
        place = folder / f"{number}.sock"
        command = (*program.command, model.source, *planned.arguments, "--uds", str(place))
        kept = {name: value for name, value in without_keys().items() if name not in _NOT_PASSED}
        surroundings = kept | dict(planned.environment)
        found.append(Replica(number, command, surroundings, place, planned.gpus))
    return tuple(found)


def serve(
    fleet: Fleet,
    program: Program,
    model: ServedModel,
    door: Door,
    keys: Keys,
    tell: Tell,
    *,
    pause_s: float = FIRST_PAUSE_S,
) -> int:
    """Serve until a signal ends it; 128 and the signal's number, as shells count.

    Raises:
        OutsideFailureError: where the port is taken, a part is not installed, or vLLM never comes up.
    """
    if find_spec("uvicorn") is None:
        raise OutsideFailureError("what the server’s front is run by is not installed: pip install 'adstudio[server]'")
    listening = open_socket(door)
    # Only its owner may enter it. A socket's whole path has no more than a hundred letters or so.
    place = tempfile.gettempdir() if len(tempfile.gettempdir()) < _LONGEST_PLACE else "/tmp"  # noqa: S108 - a new folder
    folder = Path(tempfile.mkdtemp(prefix="adstudio-serve-", dir=place))
    try:
        replicas = commands(fleet, program, model, folder)
        return asyncio.run(_serve(replicas, model, door, keys, listening, tell, pause_s))
    finally:
        listening.close()
        shutil.rmtree(folder, ignore_errors=True)


async def _serve(
    replicas: Sequence[Replica],
    model: ServedModel,
    door: Door,
    keys: Keys,
    listening: socket.socket,
    tell: Tell,
    pause_s: float,
) -> int:
    from adstudio.serving.front import Front
    from adstudio.serving.status_page import Pages

    pages = Pages(replicas, model.name, gpus=any(replica.gpus for replica in replicas))
    front = Front(replicas, keys, pages, body_bytes=door.body_bytes)
    server = _server(front, door)
    stop, heard = asyncio.Event(), list[int]()

    def end(number: int) -> None:
        if heard:  # a second time: at once
            server.force_exit = True
            for task in tending:
                task.cancel()
            return
        heard.append(number)
        front.ending = True
        tell("ending: nothing new is taken; answers under way have a moment. Again: at once")
        server.should_exit = True

    tending = [asyncio.create_task(keep_up(replica, tell, stop, pause_s=pause_s)) for replica in replicas]
    with _listening_to_signals(end):
        opening = asyncio.create_task(server.serve(sockets=[listening]))
        tell(f"listening on {door.url}; {len(replicas)} × {model.name} being started, which takes minutes")
        try:
            # Replicas that give up one by one do not end the server; the last one does.
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
    if failed and not heard:
        if isinstance(failed[0], Hopeless):
            raise OutsideFailureError(str(failed[0]))
        raise failed[0]
    tell("ended")
    return 128 + heard[0] if heard else 3


def _server(front: Front, door: Door) -> Any:  # noqa: ANN401 - uvicorn is imported late
    import uvicorn

    from adstudio.serving.idle_timeout import PatientProtocol

    class Server(uvicorn.Server):
        """One that leaves signals to us."""

        @contextlib.contextmanager
        def capture_signals(self) -> Generator[None]:
            """None."""
            yield

    config = uvicorn.Config(
        front,
        http=PatientProtocol,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=DRAIN_S,
        ssl_certfile=None if door.certificate is None else str(door.certificate),
        ssl_keyfile=None if door.certificate_key is None else str(door.certificate_key),
    )
    # What it has to say, such as a connection that broke, is told to who asked; addresses and paths are not logged.
    logging.getLogger("uvicorn").setLevel(logging.CRITICAL + 1)
    return Server(config)


@contextlib.contextmanager
def _listening_to_signals(end: Callable[[int], None]) -> Generator[None]:
    loop = asyncio.get_running_loop()
    before: dict[signal.Signals, Any] = {}

    def heard(number: int, _frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(end, number)

    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number: signal.Signals | None = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            before[number] = signal.signal(number, heard)
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
            f"{certificate} and {key} are no certificate and its key in PEM form without a password"
            f" ({getattr(error, 'reason', None) or error}): give the pair that belongs together"
        ) from None


def _no_password() -> bytes:
    raise ValueError("the key has a password")


def _is_loopback(host: str) -> bool:
    from adstudio.llm.policy_enforcement import is_this_machine

    return is_this_machine(host)
