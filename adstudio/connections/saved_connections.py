"""The models that this workplace knows, by name: servers of the house, and providers. Their keys are in the keyring."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from adstudio.connections.model_access import KINDS, Connection, Kind
from adstudio.core.errors import BadInputError, OutsideFailureError
from adstudio.core.json_reading import json_bytes
from adstudio.core.policy import OFFLINE, Host, Policy
from adstudio.llm.policy_enforcement import host_of
from adstudio.system.files import read_bounded, reason, write_atomically
from adstudio.system.private_files import FILE, private_file

if TYPE_CHECKING:
    from adstudio.llm.capabilities import Capabilities

FORMAT = "adstudio-connections/1"
LARGEST = 1_000_000
"""Bytes of the file."""
MOST = 100
LONGEST_NAME = 60
_LONGEST = 2_000
_PATIENCE_S = 5.0
"""For another program that is just changing them, which takes it a moment."""
_KEYS = frozenset({"name", "kind", "model", "url", "keyed", "authority"})


@dataclass(frozen=True)
class Named:
    """A model under the name that its people gave it, and where it is asked.

    `url` ends in `/v1`, and is empty for Gemini's own. `keyed`: it wants a key (Gemini always does). `authority` is a
    file of certificates in place of the system's.
    """

    name: str
    kind: Kind
    model: str
    url: str = ""
    keyed: bool = False
    authority: Path | None = None

    def require_sound(self) -> None:
        """Check that it can be kept.

        Raises:
            BadInputError: for a name, kind, model or address that is none.
        """
        if not self.name.strip() or len(self.name) > LONGEST_NAME or not self.name.isprintable():
            raise BadInputError(
                f"a connection has a name of 1 to {LONGEST_NAME} letters, on one line: “{seen(self.name)}” is none"
            )
        if self.kind not in KINDS:
            raise BadInputError(f"{self.name}: a connection is one of {', '.join(KINDS)}, not “{self.kind}”")
        if not self.model.strip() or len(self.model) > _LONGEST or not self.model.isprintable():
            raise BadInputError(f"{self.name}: name the model that the server is to use")
        if self.url:
            host_of(self.url)
        elif self.kind != "gemini":
            raise BadInputError(f"{self.name}: give the server’s address, like https://gpu.example:8000/v1")

    @property
    def host(self) -> Host:
        """The machine that it leads to."""
        return self.connection(OFFLINE).host

    @property
    def cloud(self) -> str | None:
        """The cloud provider whose machine that is, None for one of the house."""
        return self.connection(OFFLINE).cloud

    @property
    def capabilities(self) -> Capabilities:
        """What the model can do and costs, as far as the table knows; raises as `host`."""
        from adstudio.llm.capabilities import capabilities_of

        return capabilities_of(self.kind, self.model, cloud=self.cloud is not None)

    def connection(
        self, policy: Policy, *, project: str = "", salt: str = "", log: Path | None = None, identity: str = ""
    ) -> Connection:
        """The connection for a project with this policy; nothing is opened."""
        return Connection(
            kind=self.kind,
            model=self.model,
            url=self.url,
            policy=policy,
            log=log,
            project=project,
            authority=self.authority,
            salt=salt,
            keyed=self.keyed or self.kind == "gemini",
            identity=identity,
        )


def seen(name: str) -> str:
    """A name as it was given, with what cannot be seen in it, such as a line's end, made visible."""
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in name[: LONGEST_NAME + 20])


def default_place() -> Path:
    """Where they are kept: beside the program's other settings, the same for all projects."""
    from platformdirs import user_config_path

    return user_config_path("adstudio", appauthor=False) / "connections.json"


def read_connections(place: Path | None = None) -> tuple[Named, ...]:
    """All that are known, in their order; none where there is no file.

    Raises:
        BadInputError: for a file that is not ours, or damaged.
        OutsideFailureError: where it cannot be read.
    """
    place = place or default_place()
    if not place.exists():
        return ()
    data = read_bounded(place, LARGEST, "list of connections")
    try:
        connections = _connections(json.loads(data))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadInputError(
            f"{place} does not hold connections as adstudio writes them ({error}): mend it, or remove it and enter them"
            " again"
        ) from None
    for each in connections:
        each.require_sound()
    return connections


def write_connections(connections: Iterable[Named], place: Path | None = None) -> None:
    """Keep these, in place of those before.

    Raises:
        BadInputError: for one that is not sound, or two of a name.
        OutsideFailureError: where the file cannot be written.
    """
    place = place or default_place()
    kept = tuple(connections)
    for each in kept:
        each.require_sound()
    names = [each.name for each in kept]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise BadInputError(f"there is a connection “{twice}” already: choose another name")
    if len(kept) > MOST:
        raise BadInputError(f"no more than {MOST} connections are kept: remove some")
    _make_folder(place)
    rows = [
        {
            "name": each.name,
            "kind": each.kind,
            "model": each.model,
            "url": each.url,
            "keyed": each.keyed,
            "authority": None if each.authority is None else str(each.authority),
        }
        for each in kept
    ]
    write_atomically(place, json_bytes({"format": FORMAT, "connections": rows}), mode=FILE)


def change_connections(
    change: Callable[[tuple[Named, ...]], Iterable[Named]], place: Path | None = None
) -> tuple[Named, ...]:
    """Keep what `change` makes of those that are kept now, and give that.

    The editor and the command line may both be at it: what one has kept is not lost by the other.

    Raises:
        BadInputError: as reading and writing do.
        OutsideFailureError: as those do, and where another program does not come to an end with it.
    """
    place = place or default_place()
    with _alone(place):
        wanted = tuple(change(read_connections(place)))
        write_connections(wanted, place)
    return wanted


def with_one(known: Iterable[Named], named: Named, before: str | None) -> tuple[Named, ...]:
    """Those that are known, with this one in the place of the one called `before`, or else behind them."""
    kept = tuple(known)
    if all(each.name != before for each in kept):
        return (*kept, named)
    return tuple(named if each.name == before else each for each in kept)


@contextlib.contextmanager
def _alone(place: Path) -> Generator[None]:
    """Holds the lock of their file; it ends with the process, killed or not."""
    import sqlite3

    _make_folder(place)
    own = place.with_name(f".{place.name}.lock")
    with contextlib.suppress(OSError):
        private_file(own)
    try:
        lock = sqlite3.connect(own, isolation_level=None, timeout=_PATIENCE_S)
        with contextlib.closing(lock):
            lock.execute("BEGIN EXCLUSIVE")
            yield
    except sqlite3.Error as error:
        raise OutsideFailureError(f"{place} cannot be changed just now ({error}): try again") from error


def _make_folder(place: Path) -> None:
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutsideFailureError(f"{place.parent} cannot be made: {reason(error)}") from error


def connection_named(name: str, place: Path | None = None) -> Named:
    """The one of that name, whatever blanks stand around it.

    Raises:
        BadInputError: where there is none; it names those that there are.
        OutsideFailureError: as `read_connections`.
    """
    known, name = read_connections(place), name.strip()
    found = next((each for each in known if each.name.strip() == name), None)
    if found is None:
        names = ", ".join(each.name for each in known) or "none yet"
        raise BadInputError(f"there is no connection “{seen(name)}” (known: {names}): make it with adstudio connect")
    return found


def _connections(found: Any) -> tuple[Named, ...]:  # noqa: ANN401 - what a file says
    if not isinstance(found, dict) or cast("dict[str, Any]", found).get("format") != FORMAT:
        raise ValueError("its format")
    rows = cast("dict[str, list[Any]]", found)["connections"]
    if len(rows) > MOST:
        raise ValueError(f"more than {MOST}")
    return tuple(map(_named, rows))


def _named(row: Any) -> Named:  # noqa: ANN401 - what a file says
    fields = cast("dict[str, Any]", row)
    if unknown := set(fields) - _KEYS:
        raise ValueError(f"unknown key {min(unknown)}")
    strings = {key: fields.get(key, "") for key in ("name", "kind", "model", "url")}
    authority, keyed = fields.get("authority"), fields.get("keyed", False)
    if not all(isinstance(value, str) for value in strings.values()) or not isinstance(keyed, bool):
        raise TypeError("a value of the wrong kind")
    if authority is not None and not isinstance(authority, str):
        raise TypeError("authority")
    kind = cast("Kind", strings.pop("kind"))
    return Named(kind=kind, keyed=keyed, authority=None if authority is None else Path(authority), **strings)
