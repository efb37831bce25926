"""The keys that the front asks for: from a file, or one made here and kept in the system's keyring."""

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
    """Who has one of these may ask. `made` says that one was made now; `kept` that the keyring has it."""

    secrets: tuple[Secret, ...]
    made: bool = False
    kept: bool = False

    def admit(self, authorization: str, *, browser: bool = False) -> bool:
        """Whether a header's value holds one of the keys: as `Bearer KEY`, or, for `browser`, as a password.

        A browser sends a password along whichever page makes it ask, so it is taken only where there is just to look.
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
        # All are compared, each in the same time, so that an answer's delay tells nothing.
        return sum(hmac.compare_digest(sent, secret.reveal().encode()) for secret in self.secrets) > 0


def keys_of_file(file: Path) -> Keys:
    """The keys in a file, one a line; lines that begin with # are notes.

    Raises:
        BadInputError: for a file without keys, or with what cannot be one.
        OutsideFailureError: where it cannot be read.
    """
    try:
        lines = read_bounded(file, LARGEST, "file of keys").decode("ascii").splitlines()
    except UnicodeDecodeError:
        raise BadInputError(f"{file}: a key is of plain letters, digits and signs, one a line") from None
    numbered = [(number, line.strip()) for number, line in enumerate(lines, 1)]
    found = [(number, line) for number, line in numbered if line and not line.startswith("#")]
    for number, line in found:
        if not LEAST_CHARACTERS <= len(line) <= MOST_CHARACTERS or any(
            c.isspace() or not c.isprintable() for c in line
        ):
            raise BadInputError(
                f"{file}, line {number}: a key has {LEAST_CHARACTERS} letters or more and no space: make one with"
                " openssl rand -hex 32"
            )
    if not found or len(found) > MOST_KEYS:
        raise BadInputError(f"{file} holds {len(found)} keys: write 1 to {MOST_KEYS}, one a line")
    return Keys(tuple(register_secret(Secret(line)) for _, line in found))


def keys_of_keyring(place: str) -> Keys:
    """The key kept for a machine and port; where there is none, one is made, and kept if there is a keyring."""
    try:
        if (known := key_of(place)) is not None:
            return Keys((known,), kept=True)
    except FaultError:
        return Keys((register_secret(Secret(new_key())),), made=True)
    made = new_key()
    try:
        store_key(place, made)
    except FaultError:
        return Keys((register_secret(Secret(made)),), made=True)
    return Keys((Secret(made),), made=True, kept=True)


def new_key() -> str:
    """A key that nobody guesses."""
    return f"sk-ad-{secrets.token_hex(24)}"


def readable_by_others(file: Path) -> bool:
    """Whether others on this machine can read it."""
    return bool(file.stat().st_mode & 0o044)


def hints(keys: Sequence[Secret]) -> str:
    """By what their owners know them."""
    return ", ".join(key.hint for key in keys)
