"""The saved connections to models: on-premises servers and cloud providers. Their keys are in the keyring."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Generator, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from adstudio.connections.model_access import KINDS, Connection, Kind
from adstudio.core.errors import BadInputError, OutsideFailureError
from adstudio.core.json_reading import json_bytes
from adstudio.core.policy import OFFLINE, Host, Policy
from adstudio.llm.policy_enforcement import host_of
from adstudio.system.files import read_bounded, reason, size_of, write_atomically
from adstudio.system.locations import user_config
from adstudio.system.private_files import FILE, private_file

if TYPE_CHECKING:
    from adstudio.llm.capabilities import Capabilities

FORMAT = "adstudio-connections/1"
LARGEST = 1_000_000
"""Bytes of the file."""
LARGEST_CERTIFICATES = 10_000_000
"""Bytes of a certificate file; all the certificates that browsers trust take about 250,000."""
MOST = 100
LONGEST_NAME = 60
_LONGEST = 2_000
_LOCK_TIMEOUT_S = 5.0
"""Seconds to wait for another process that is changing the file."""


@dataclass(frozen=True)
class SavedConnection:
    """A model and its server, under a name chosen by the user.

    `url` ends in `/v1` and is "" for Gemini's own. `keyed`: it needs a key (Gemini always does). `authority` is a
    certificate file in place of the system's.
    """

    name: str
    kind: Kind
    model: str
    url: str = ""
    keyed: bool = False
    authority: Path | None = None

    def validate(self) -> None:
        """Check that it can be saved; raises BadInputError for an invalid name, kind, model or address."""
        if not self.name.strip() or len(self.name) > LONGEST_NAME or not self.name.isprintable():
            raise BadInputError(
                f"“{printable(self.name)}” is not a valid connection name: use 1 to {LONGEST_NAME} characters, one line"
            )
        if self.kind not in KINDS:
            raise BadInputError(f"{self.name}: the kind must be one of {', '.join(KINDS)}, not “{self.kind}”")
        if not self.model.strip() or len(self.model) > _LONGEST or not self.model.isprintable():
            raise BadInputError(f"{self.name}: enter the name of a model on the server")
        if self.url:
            host_of(self.url)
        elif self.kind != "gemini":
            raise BadInputError(f"{self.name}: give the server’s address, like https://gpu.example:8000/v1")

    @property
    def host(self) -> Host:
        """The server's host."""
        return self.connection(OFFLINE).host

    @property
    def cloud(self) -> str | None:
        """The cloud provider that the host belongs to, None if on-premises."""
        return self.connection(OFFLINE).cloud

    @property
    def capabilities(self) -> Capabilities:
        """What the model supports and costs, as far as known; raises as `host`."""
        from adstudio.llm.capabilities import capabilities_of

        return capabilities_of(self.kind, self.model, cloud=self.cloud is not None)

    def connection(
        self, policy: Policy, *, project: str = "", salt: str = "", log: Path | None = None, identity: str = ""
    ) -> Connection:
        """The connection for a project with this policy; opens nothing."""
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


def printable(name: str) -> str:
    """A name with non-printing characters, such as line breaks, escaped."""
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in name[: LONGEST_NAME + 20])


def default_place() -> Path:
    """The default path, with the program's other settings: connections are shared by all projects."""
    return user_config("connections.json")


def require_certificates(file: Path) -> None:
    """Check that a file holds at least one certificate in PEM form.

    Raises:
        BadInputError: if it does not exist or holds none.
        OutsideFailureError: if it cannot be read.
    """
    import ssl

    invalid = BadInputError(f"{file}: not a certificate file: give one in PEM format")
    if size_of(file, "certificate file") > LARGEST_CERTIFICATES:
        raise invalid
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    try:
        context.load_verify_locations(cafile=file)
    except (ssl.SSLError, ValueError):
        raise invalid from None
    except OSError as error:
        raise OutsideFailureError(f"{file}: this certificate file cannot be read: {reason(error)}") from error
    if not context.cert_store_stats()["x509"]:
        raise invalid


def read_connections(place: Path | None = None) -> tuple[SavedConnection, ...]:
    """All saved connections in order; none if there is no file.

    Raises:
        BadInputError: for a file that is not ours, or is damaged.
        OutsideFailureError: if it cannot be read.
    """
    place = place or default_place()
    if not place.exists():
        return ()
    data = read_bounded(place, LARGEST, "list of connections")
    try:
        connections = _connections(json.loads(data))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadInputError(
            f"{place} is not a valid list of connections ({error}): repair it, or delete it and enter the connections"
            " again"
        ) from None
    for each in connections:
        each.validate()
    return connections


def write_connections(connections: Iterable[SavedConnection], place: Path | None = None) -> None:
    """Save these connections, replacing all earlier ones.

    Raises:
        BadInputError: for an invalid connection or a repeated name.
        OutsideFailureError: if the file cannot be written.
    """
    place = place or default_place()
    saved = tuple(connections)
    for each in saved:
        each.validate()
    names = [each.name for each in saved]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise BadInputError(f"there is a connection “{twice}” already: choose another name")
    if len(saved) > MOST:
        raise BadInputError(f"at most {MOST} connections can be saved: remove some")
    _make_folder(place)
    rows = [asdict(each) | {"authority": each.authority and str(each.authority)} for each in saved]
    write_atomically(place, json_bytes({"format": FORMAT, "connections": rows}), mode=FILE)


def change_connections(
    change: Callable[[tuple[SavedConnection, ...]], Iterable[SavedConnection]], place: Path | None = None
) -> tuple[SavedConnection, ...]:
    """Save and return what `change` makes of the saved connections.

    Locks the file, so that the editor and the command line do not overwrite each other's changes.

    Raises:
        BadInputError: as reading and writing do.
        OutsideFailureError: as those do, and if another process holds the lock for too long.
    """
    place = place or default_place()
    with _locked(place):
        wanted = tuple(change(read_connections(place)))
        write_connections(wanted, place)
    return wanted


def with_connection(
    known: Iterable[SavedConnection], named: SavedConnection, before: str | None
) -> tuple[SavedConnection, ...]:
    """The connections with this one in place of the one named `before`, or appended."""
    saved = tuple(known)
    if all(each.name != before for each in saved):
        return (*saved, named)
    return tuple(named if each.name == before else each for each in saved)


@contextlib.contextmanager
def _locked(place: Path) -> Generator[None]:
    """Hold the file's lock, which is released even if the process is killed."""
    import sqlite3

    _make_folder(place)
    own = place.with_name(f".{place.name}.lock")
    with contextlib.suppress(OSError):
        private_file(own)
    try:
        lock = sqlite3.connect(own, isolation_level=None, timeout=_LOCK_TIMEOUT_S)
        with contextlib.closing(lock):
            lock.execute("BEGIN EXCLUSIVE")
            yield
    except sqlite3.Error as error:
        raise OutsideFailureError(f"{place} cannot be changed at the moment ({error}): try again") from error


def _make_folder(place: Path) -> None:
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutsideFailureError(f"{place.parent} cannot be created: {reason(error)}") from error


def connection_named(name: str, place: Path | None = None) -> SavedConnection:
    """The connection of that name, ignoring surrounding spaces.

    Raises:
        BadInputError: if there is none; the message lists the known ones.
        OutsideFailureError: as `read_connections`.
    """
    known, name = read_connections(place), name.strip()
    found = next((each for each in known if each.name.strip() == name), None)
    if found is None:
        names = ", ".join(each.name for each in known) or "none yet"
        raise BadInputError(
            f"there is no connection “{printable(name)}” (known: {names}): create it with adstudio connect"
        )
    return found


def _connections(found: Any) -> tuple[SavedConnection, ...]:  # noqa: ANN401 - what a file says
    if not isinstance(found, dict) or cast("dict[str, Any]", found).get("format") != FORMAT:
        raise ValueError("its format")
    rows = cast("dict[str, list[Any]]", found)["connections"]
    if len(rows) > MOST:
        raise ValueError(f"more than {MOST}")
    return tuple(map(_named, rows))


def _named(row: Any) -> SavedConnection:  # noqa: ANN401 - what a file says
    fields = cast("dict[str, Any]", row)
    if unknown := set(fields) - SavedConnection.__dataclass_fields__.keys():
        raise ValueError(f"unknown key {min(unknown)}")
    strings = {key: fields.get(key, "") for key in ("name", "kind", "model", "url")}
    authority, keyed = fields.get("authority"), fields.get("keyed", False)
    if not all(isinstance(value, str) for value in strings.values()) or not isinstance(keyed, bool):
        raise TypeError("a value of the wrong kind")
    if authority is not None and not isinstance(authority, str):
        raise TypeError("authority")
    kind = cast("Kind", strings.pop("kind"))
    return SavedConnection(kind=kind, keyed=keyed, authority=None if authority is None else Path(authority), **strings)
