"""API keys: stored in the system's keyring and nowhere else, and never shown.

Without a keyring, a key may come from the environment: on unattended machines, or for one session.
"""

from __future__ import annotations

import json
import logging
import os
import re
from typing import Any
from urllib.parse import quote

from adstudio.llm.faults import ClientMissingError, KeyMissingError, KeyringLockedError, NoKeyringError
from adstudio.llm.key_echoes import MASK, mask_echoes
from adstudio.system import keyring_access
from adstudio.system.environment import KEYS
from adstudio.system.keyring_access import call_keyring

MOST_CHARACTERS = 4096

LEAST_CHARACTERS = 6
"""A shorter key is not masked everywhere, since it may be part of ordinary words."""

_CARRIES = (
    r"(?:proxy-)?authorization|(?:x-)?(?:goog-)?api[-_]?key|ocp-apim-subscription-key|x-auth-token|x-amz-security-token"
    rf"|{KEYS}\w+"
)
"""Names of headers, fields and variables that carry a key."""
_NAMED = re.compile(
    # In a repr, in JSON, in JSON inside JSON: up to the quote that opened it, or the end of the line.
    rf"""(?im)((?:{_CARRIES})\\*["']\s*[:,=]\s*b?(\\*["']))(?:\\.|.)*?(?=\2|$)"""
    # As a header, as in a curl command too.
    rf"""|(\bauthorization\s*[:=]\s*)[^\s"']+(?:[ \t]+[^\s"']+)?|(\b(?:{_CARRIES})\s*[:=]\s*)[^\s"'&,;]+"""
)
_LOOK_LIKE_KEYS = re.compile(
    r"(?i)(?<=bearer )[\w.~+/=-]{6,}|(?<=\bkey=)[^&\s\"']+|(?<=://)[^/\s@:]+:[^/\s@]+(?=@)"
    r"|\bAIza[\w-]{20,}|\bAQ\.[\w-]{20,}|\b(?:sk|xai)-[\w-]{12,}|\b(?:hf|gsk)_\w{16,}"
    r"|(?<=;base64,)[A-Za-z0-9+/=]{32,}"
)
_IN_USE: set[str] = set()
"""Keys that this process has read, so that they can be masked in its log, in any form."""


class Secret:
    """A key that cannot leak by accident: not printed, logged or pickled."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """The key itself, only for the header that carries it."""
        return self._value

    @property
    def hint(self) -> str:
        """Its last four characters, so that its owner recognises it; nothing of a short key."""
        return f"{MASK}{self._value[-4:]}" if len(self._value) >= 16 else MASK

    def __repr__(self) -> str:
        return f"Secret({MASK})"

    __str__ = __repr__

    def __format__(self, _: str) -> str:
        return repr(self)

    def __reduce__(self) -> Any:  # noqa: ANN401 - pickle's own
        raise TypeError("a key cannot be pickled")


def masked(text: str, *secrets: Secret | None) -> str:
    """The text with these keys, all keys that this process has read, and anything that looks like a key masked.

    Pieces of these keys, and keys in base64, are masked too.
    """
    known = {secret.reveal() for secret in secrets if secret is not None}
    known |= _IN_USE | {value.strip() for name, value in os.environ.items() if name.startswith(KEYS)}
    for value in sorted(known, key=len, reverse=True):
        # As it is, URL-encoded, and as a string literal in Python and in JSON.
        for form in {value, quote(value, safe=""), repr(value)[1:-1], json.dumps(value)[1:-1]}:
            if form and (len(form) >= LEAST_CHARACTERS or any(value == each.reveal() for each in secrets if each)):
                text = text.replace(form, MASK)
    text = _NAMED.sub(lambda found: f"{found[1] or found[3] or found[4]}{MASK}", text)
    return mask_echoes(_LOOK_LIKE_KEYS.sub(MASK, text), known)


class Masking(logging.Filter):
    """A filter for log handlers that masks keys in messages and tracebacks."""

    def __init__(self, *secrets: Secret) -> None:
        super().__init__()
        self._secrets = secrets

    def filter(self, record: logging.LogRecord) -> bool:
        """Mask the record; all records pass."""
        record.msg, record.args = masked(record.getMessage(), *self._secrets), None
        if record.exc_info and not record.exc_text:
            record.exc_text = logging.Formatter().formatException(record.exc_info)
        if record.exc_text:
            record.exc_text = masked(record.exc_text, *self._secrets)
        if record.stack_info:
            record.stack_info = masked(record.stack_info, *self._secrets)
        return True


def variable_of(server: str) -> str:
    """The environment variable for a server's key, different for each server.

    `gemini` is ADSTUDIO_KEY_GEMINI, `gpu.example:8000` is ADSTUDIO_KEY_GPU_2EEXAMPLE_3A8000.
    """
    return KEYS + re.sub("[^A-Z0-9]", lambda found: f"_{ord(found[0]):02X}", server.upper())


def session_key(server: str) -> Secret | None:
    """The key for a server in this process's environment, or None."""
    value = os.environ.get(variable_of(server), "").strip()
    return Secret(value) if value else None


def key_of(server: str) -> Secret | None:
    """The key for a server (`gemini`, or host and port); None if none is stored.

    Raises:
        KeyMissingError: if what is stored cannot be a key.
        NoKeyringError: if the keyring is locked, or none can store secrets.
        ClientMissingError: if the keyring library is not installed.
    """
    if (given := session_key(server)) is not None:
        if not _is_key(given.reveal()):
            raise KeyMissingError(f"{variable_of(server)} does not hold a key: set it to the key only")
        return register_secret(given)
    value = (_through_keyring("get_password", server) or "").strip()
    if value and not _is_key(value):
        raise KeyMissingError(f"the keyring’s entry for {server} is not a key: enter it again")
    return register_secret(Secret(value)) if value else None


def store_key(server: str, value: str) -> None:
    """Store a key in the keyring, replacing any earlier one.

    Raises:
        KeyMissingError: if it cannot be a key.
        NoKeyringError: as `key_of`.
        ClientMissingError: as `key_of`.
    """
    _through_keyring("set_password", server, register_secret(Secret(_validated(value))).reveal())
    os.environ.pop(variable_of(server), None)


def set_session_key(server: str, value: str) -> None:
    """Set a key for this process and its children only, nowhere on disk.

    Raises:
        KeyMissingError: if it cannot be a key.
    """
    os.environ[variable_of(server)] = register_secret(Secret(_validated(value))).reveal()


def delete_key(server: str) -> None:
    """Delete a key, if there is one, from the keyring and from this process's environment.

    Raises:
        NoKeyringError: as `key_of`, but not if there is no keyring at all and the environment held the key.
        ClientMissingError: likewise.
    """
    given = os.environ.pop(variable_of(server), None)
    try:
        if _through_keyring("get_password", server):
            _through_keyring("delete_password", server)
    except KeyringLockedError:
        raise
    except (NoKeyringError, ClientMissingError):
        if given is None:
            raise


def register_secret(secret: Secret) -> Secret:
    """Have the key masked in this process's log from now on; returns it."""
    _IN_USE.add(secret.reveal())
    return secret


def _validated(value: str) -> str:
    value = value.strip()
    if not _is_key(value):
        raise KeyMissingError("this is not a key: paste it exactly as you received it")
    return value


def _is_key(value: str) -> bool:
    """Whether a header can carry it."""
    return 0 < len(value) <= MOST_CHARACTERS and value.isascii() and value.isprintable() and " " not in value


def _through_keyring(call: str, *given: str) -> str | None:
    fault: type[KeyMissingError | ClientMissingError]
    try:
        return call_keyring(call, *given)
    except keyring_access.KeyringLibraryMissingError as error:
        fault, sentence = ClientMissingError, str(error)
    except keyring_access.NoKeyringError as error:
        fault, sentence = NoKeyringError, str(error)
    except keyring_access.KeyringUnavailableError as error:
        fault, sentence = KeyringLockedError, str(error)
    raise fault(sentence)
