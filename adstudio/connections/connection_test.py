"""Tries a connection in a process of its own: `python -m adstudio.connections.connection_test`, one line of JSON in.

{"do": "models", "kind": "vllm", "url": "https://…/v1", "keyed": true, "authority": null, "plain": false, "log": null}
{"models": ["qwen3.5-27b"]}
{"do": "key", …}
{"key": "•••3f9a"}
{"error": "one sentence", "keyring": true}

The first asks the server which models it has: one connection to that one machine, noted in the log of what was sent.
The second looks for the key in the keyring and opens nothing. A key is in none of these lines.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

from adstudio.connections.model_access import KINDS, Connection, Kind

MODULE = "adstudio.connections.connection_test"
"""What the process runs."""
MOST_MODELS = 500
LONGEST_NAME = 200
LONGEST_HINT = 16
LONGEST_SENTENCE = 2_000
_LONGEST_LINE = 65_536
_STOPPED = 130

Do = Literal["models", "key"]


@dataclass(frozen=True)
class Trial:
    """What is tried: a connection as it stands in the fields. `plain` allows a key to go there unencrypted."""

    do: Do
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
        made = Connection(self.kind, "any", self.url, log=self.log, authority=self.authority, keyed=keyed)
        return made.alone(plain=self.plain or not keyed)


@dataclass(frozen=True)
class Reached:
    """The server answered: the names of its models."""

    models: tuple[str, ...]


@dataclass(frozen=True)
class Kept:
    """The keyring answered: the key's last letters, empty where none is kept."""

    hint: str


@dataclass(frozen=True)
class Failed:
    """Why not, in one sentence; `keyring`: it was the keyring that failed, not the server."""

    sentence: str
    keyring: bool = False


Said = Reached | Kept | Failed


def write_trial(trial: Trial) -> bytes:
    """What is asked, as a line with its end."""
    fields = {
        "do": trial.do,
        "kind": trial.kind,
        "url": trial.url,
        "keyed": trial.keyed,
        "authority": None if trial.authority is None else str(trial.authority),
        "plain": trial.plain,
        "log": None if trial.log is None else str(trial.log),
    }
    return json.dumps(fields).encode() + b"\n"


def read_trial(line: bytes) -> Trial:
    """What a line asks.

    Raises:
        ValueError: for anything else.
    """
    try:
        found = cast("dict[str, Any]", json.loads(line))
        do, kind = found["do"], found["kind"]
        if do not in ("models", "key") or kind not in KINDS:
            raise ValueError("no trial")
        return Trial(
            do,
            kind,
            str(found["url"]),
            found["keyed"] is True,
            _path(found["authority"]),
            found["plain"] is True,
            _path(found["log"]),
        )
    except (KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError("no trial") from error


def write_said(said: Said) -> str:
    """An answer as a line, without its end."""
    match said:
        case Reached(models):
            fields: dict[str, object] = {"models": list(models)}
        case Kept(hint):
            fields = {"key": hint}
        case Failed(sentence, keyring):
            fields = {"error": sentence, "keyring": keyring}
    return json.dumps(fields)


def read_said(line: bytes | str) -> Said | None:
    """The answer of a line, bounded; None for anything else."""
    try:
        found: Any = json.loads(line)
        if not isinstance(found, dict):
            return None
        fields = cast("dict[str, Any]", found)
        if "error" in fields:
            return Failed(_plain(fields["error"], LONGEST_SENTENCE), fields.get("keyring") is True)
        if "key" in fields:
            return Kept(_plain(fields["key"], LONGEST_HINT))
        return Reached(tuple(_plain(name, LONGEST_NAME) for name in fields["models"][:MOST_MODELS]))
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def main() -> int:
    """Do what the line on the input asks; the exit code is 0, 3 where it failed, or 130 where it was stopped."""
    from adstudio.system.child_process import leash, voice

    stopping = _Stopping()
    signal.signal(signal.SIGTERM, stopping)
    try:
        # Before the leash, which takes whatever else comes.
        line = _line()
        with leash(stopping), voice() as write:
            return _run(line, stopping, lambda said: write(write_said(said)))
    except (KeyboardInterrupt, BrokenPipeError):
        return _STOPPED


def _run(line: bytes, stopping: _Stopping, say: Callable[[Said], None]) -> int:
    from adstudio.core.errors import AdstudioError

    try:
        trial = read_trial(line)
        say(_hint(trial.connection) if trial.do == "key" else asyncio.run(_reach(trial.connection, stopping)))
    except AdstudioError as error:
        from adstudio.llm.faults import ClientMissingError, KeyMissingError

        about_key = isinstance(error, KeyMissingError | ClientMissingError)
        say(Failed(str(error), keyring=about_key))
        return error.exit_code
    except ValueError:
        say(Failed("this is nothing that can be tried: look at the fields of the connection"))
        return 2
    except ImportError as error:
        say(Failed(f"a part of the program is missing ({error.name}): install the program again"))
        return 3
    except asyncio.CancelledError:
        return _STOPPED
    return 0


def _hint(connection: Connection) -> Kept:
    from adstudio.llm.keys import key_of

    key = key_of(connection.key_name)
    return Kept("" if key is None else key.hint)


async def _reach(connection: Connection, stopping: _Stopping) -> Reached:
    from adstudio.connections.model_access import models_of

    stopping.cancels(asyncio.current_task())
    found, _ = await models_of(connection)
    return Reached(found[:MOST_MODELS])


class _Stopping:
    """Asked to end, by a signal or because the editor is gone: the connection is closed."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[Any] | None = None

    def cancels(self, task: asyncio.Task[Any] | None) -> None:
        """From now on it cancels this task of the running loop."""
        self._loop, self._task = asyncio.get_running_loop(), task

    def __call__(self, *_: object) -> None:
        if self._loop is None or self._task is None:
            raise KeyboardInterrupt
        # The loop may be asleep, and a signal alone does not wake it.
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._task.cancel)


def _line() -> bytes:
    data = b""
    while b"\n" not in data and len(data) < _LONGEST_LINE:
        more = os.read(sys.stdin.fileno(), 4096)
        if not more:
            break
        data += more
    return data.partition(b"\n")[0]


def _plain(value: object, longest: int) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return "".join(letter if letter.isprintable() else "�" for letter in value[:longest])


def _path(value: object) -> Path | None:
    return None if value is None else Path(str(value))


if __name__ == "__main__":
    sys.exit(main())
