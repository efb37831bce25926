"""The keys that the front accepts: from a file, or one generated here and stored in the system's keyring."""

from __future__ import annotations

import hmac
import secrets
from base64 import b64decode
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from adstudio.core.errors import BadInputError
from adstudio.llm.faults import FaultError
from adstudio.llm.keys import MOST_CHARACTERS, Secret, key_of, register_secret, store_key
from adstudio.system.files import read_bounded

LARGEST = 100_000
LEAST_CHARACTERS = 16
MOST_KEYS = 100


@dataclass(frozen=True, slots=True)
class Keys:
    """The accepted keys. `generated`: the key is new. `stored`: it is in the keyring."""

    secrets: tuple[Secret, ...]
    generated: bool = False
    stored: bool = False

    def admit(self, authorization: str, *, browser: bool = False) -> bool:
        """Whether an Authorization header carries one of the keys, as `Bearer KEY` or, with `browser`, as a password.

        Browsers attach passwords to cross-site requests too, so passwords are only accepted for read-only pages.
        """
        kind, _, given = authorization.partition(" ")
        given = given.strip()
        if browser and kind.lower() == "basic":
            try:
                given = b64decode(given, validate=True).decode("utf-8").partition(":")[2]
            except ValueError:
                return False
        elif kind.lower() != "bearer":
            return False
        sent = given.encode()
        # Compares all keys in constant time, so that timing reveals nothing.
        return sum(hmac.compare_digest(sent, secret.reveal().encode()) for secret in self.secrets) > 0


def keys_of_file(file: Path) -> Keys:
    """The keys in a file, one per line; lines that start with # are comments.

    Raises:
        BadInputError: for a file without keys, or with an invalid one.
        OutsideFailureError: if it cannot be read.
    """
    try:
        lines = read_bounded(file, LARGEST, "file of keys").decode("ascii").splitlines()
    except UnicodeDecodeError:
        raise BadInputError(f"{file}: keys consist of ASCII characters, one key per line") from None
    numbered = [(number, line.strip()) for number, line in enumerate(lines, 1)]
    found = [(number, line) for number, line in numbered if line and not line.startswith("#")]
    for number, line in found:
        if not LEAST_CHARACTERS <= len(line) <= MOST_CHARACTERS or any(
            c.isspace() or not c.isprintable() for c in line
        ):
            raise BadInputError(
                f"{file}, line {number}: a key has at least {LEAST_CHARACTERS} characters and no spaces: generate one"
                " with openssl rand -hex 32"
            )
    if not found or len(found) > MOST_KEYS:
        raise BadInputError(f"{file} has {len(found)} keys: give 1 to {MOST_KEYS}, one per line")
    return Keys(tuple(register_secret(Secret(line)) for _, line in found))


def keys_of_keyring(place: str) -> Keys:
    """The stored key for a host and port; if there is none, a new one, stored if there is a keyring."""
    try:
        if (known := key_of(place)) is not None:
            return Keys((known,), stored=True)
    except FaultError:
        return Keys((register_secret(Secret(new_key())),), generated=True)
    generated = new_key()
    try:
        store_key(place, generated)
    except FaultError:
        return Keys((register_secret(Secret(generated)),), generated=True)
    return Keys((Secret(generated),), generated=True, stored=True)


def new_key() -> str:
    """A random key."""
    return f"sk-ad-{secrets.token_hex(24)}"


def readable_by_others(file: Path) -> bool:
    """Whether other users of this machine can read the file."""
    return bool(file.stat().st_mode & 0o044)


def hints(keys: Sequence[Secret]) -> str:
    """The keys' last characters, by which their owners recognise them."""
    return ", ".join(key.hint for key in keys)
