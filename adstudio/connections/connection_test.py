"""Testing a connection in a process of its own: `python -m adstudio.connections.connection_test`.

A request for its models asks the server that one thing: one connection to that one machine, noted in the log of what
was sent. A request for the key looks in the keyring and opens nothing. The process is never sent a key, and sends none.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from adstudio.connections.model_access import Connection, Kind
from adstudio.system.codec import Limits
from adstudio.system.worker import STOPPED, Failed, WorkerProtocol, run_job

if TYPE_CHECKING:
    from adstudio.core.errors import AdstudioError
    from adstudio.system.stop_request import StopRequest

MOST_MODELS = 500
LONGEST_NAME = 200
_LONGEST_HINT = 16


@dataclass(frozen=True)
class ConnectionTest:
    """What is tested: a connection as it stands in the fields. `plain` allows a key to go there unencrypted.

    Asked for `models`, the server is reached (`Reached`); asked for the `key`, it is looked for (`StoredKey`).
    """

    ask: Literal["models", "key"]
    kind: Kind
    url: str = ""
    keyed: bool = False
    authority: Path | None = None
    plain: bool = False
    log: Path | None = None

    @property
    def connection(self) -> Connection:
        """The connection, under a policy that names its one machine and confirms nothing of any film."""
        keyed = self.keyed or self.kind == "gemini"
        # The list is asked for whichever model it is.
        found = Connection(self.kind, "any", self.url, log=self.log, authority=self.authority, keyed=keyed)
        return found.for_test(plain=self.plain or not keyed)


@dataclass(frozen=True)
class Reached:
    """The server answered: the names of its models."""

    models: Annotated[tuple[str, ...], Limits(text=LONGEST_NAME, items=MOST_MODELS)]


@dataclass(frozen=True)
class StoredKey:
    """The keyring answered: the key's last letters, empty where it holds none."""

    hint: Annotated[str, Limits(text=_LONGEST_HINT)]


@dataclass(frozen=True)
class KeyringFailed:
    """The keyring failed, not the server; why, in one sentence."""

    message: str


Answer = Reached | StoredKey | KeyringFailed | Failed
PROTOCOL = WorkerProtocol[ConnectionTest, Answer]("adstudio.connections.connection_test", ConnectionTest, Answer)


def main() -> int:
    """Do what the request asks; the exit code is 0, that of the failure, or 130 where it was stopped."""
    from adstudio.llm.keys import masked
    from adstudio.system.stop_request import StopRequest

    stop = StopRequest()

    def work(request: ConnectionTest, send: Callable[[Answer], None]) -> int:
        return _work(request, stop, send)

    return run_job(PROTOCOL, work, stop=stop, failure=_failure, redact=masked)


def _work(request: ConnectionTest, stop: StopRequest, send: Callable[[Answer], None]) -> int:
    import asyncio

    if request.ask == "key":
        from adstudio.llm.keys import key_of

        key = key_of(request.connection.key_name)
        send(StoredKey("" if key is None else key.hint))
        return 0
    try:
        send(asyncio.run(_reach(request.connection, stop)))
    except asyncio.CancelledError:
        return STOPPED
    return 0


async def _reach(connection: Connection, stop: StopRequest) -> Reached:
    import asyncio

    from adstudio.connections.model_access import models_of

    task = asyncio.ensure_future(models_of(connection))
    with stop.call_in_loop(task.cancel):
        found, _ = await task
    return reached(found)


def reached(models: tuple[str, ...]) -> Reached:
    """The models' names as they may be shown, whatever the server calls them."""
    names = (name[:LONGEST_NAME] for name in models[:MOST_MODELS])
    return Reached(tuple("".join(each if each.isprintable() else "�" for each in name) for name in names))


def _failure(error: AdstudioError) -> Answer:
    from adstudio.llm.faults import ClientMissingError, KeyMissingError

    keyring = isinstance(error, KeyMissingError | ClientMissingError)
    return KeyringFailed(str(error)) if keyring else Failed(str(error))


if __name__ == "__main__":
    sys.exit(main())
