"""Keys of servers: kept in the system's keyring and nowhere else, and never shown.

Where there is no keyring, a key may come in the environment: of a machine without anybody at it, or of one session.
"""

from __future__ import annotations

import json
import logging
import os
import re
from typing import Any
from urllib.parse import quote

from adstudio.llm.faults import ClientMissingError, KeyMissingError, KeyringLockedError, NoKeyringError
from adstudio.system.environment import KEYS

SERVICE = "adstudio"
MASK = "•••"
MOST_CHARACTERS = 4096

LEAST_CHARACTERS = 6
"""Of a key that is masked wherever it stands; a shorter one is a part of words."""

_CARRIES = (
    r"(?:proxy-)?authorization|(?:x-)?(?:goog-)?api[-_]?key|ocp-apim-subscription-key|x-auth-token|x-amz-security-token"
    rf"|{KEYS}\w+"
)
"""What headers, fields and variables are called that carry a key."""
_NAMED = re.compile(
    # In a dict's or list's repr, in JSON, in JSON inside JSON: as far as the quote that began it, or the line's end.
    rf"""(?im)((?:{_CARRIES})\\*["']\s*[:,=]\s*b?(\\*["']))(?:\\.|.)*?(?=\2|$)"""
    # As a header is written, in curl's words too.
    rf"""|(\bauthorization\s*[:=]\s*)[^\s"']+(?:[ \t]+[^\s"']+)?|(\b(?:{_CARRIES})\s*[:=]\s*)[^\s"'&,;]+"""
)
_LOOK_LIKE_KEYS = re.compile(
    r"(?i)(?<=bearer )[\w.~+/=-]{6,}|(?<=\bkey=)[^&\s\"']+|(?<=://)[^/\s@:]+:[^/\s@]+(?=@)"
    r"|\bAIza[\w-]{20,}|\bAQ\.[\w-]{20,}|\b(?:sk|xai)-[\w-]{12,}|\b(?:hf|gsk)_\w{16,}"
    r"|(?<=;base64,)[A-Za-z0-9+/=]{32,}"
)
_IN_USE: set[str] = set()
"""Keys that this process has read: a log masks them in whatever form and wherever, so that it has to know them all."""


class Secret:
    """A key that shows itself to nobody by accident: not printed, not logged, not pickled."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """The key itself, for the header that carries it and for nothing else."""
        return self._value

    @property
    def hint(self) -> str:
        """Its last four letters, by which its owner knows it; nothing of a short one."""
        return f"{MASK}{self._value[-4:]}" if len(self._value) >= 16 else MASK

    def __repr__(self) -> str:
        return f"Secret({MASK})"

    __str__ = __repr__

    def __format__(self, _: str) -> str:
        return repr(self)

    def __reduce__(self) -> Any:  # noqa: ANN401 - pickle's own
        raise TypeError("a key is not written down")


def masked(text: str, *secrets: Secret | None) -> str:
    """The text without these keys, those that this process has read, and what is called or looks like one."""
    known = {secret.reveal() for secret in secrets if secret is not None}
    known |= _IN_USE | {value.strip() for name, value in os.environ.items() if name.startswith(KEYS)}
    for value in sorted(known, key=len, reverse=True):
        # As it is, as an address has it, as a string is written in code and in JSON.
        for form in {value, quote(value, safe=""), repr(value)[1:-1], json.dumps(value)[1:-1]}:
            if form and (len(form) >= LEAST_CHARACTERS or any(value == each.reveal() for each in secrets if each)):
                text = text.replace(form, MASK)
    text = _NAMED.sub(lambda found: f"{found[1] or found[3] or found[4]}{MASK}", text)
    return _LOOK_LIKE_KEYS.sub(MASK, text)


class Masking(logging.Filter):
    """For a log's handlers: keys and what looks like them are masked in messages and in errors told with them."""

    def __init__(self, *secrets: Secret) -> None:
        super().__init__()
        self._secrets = secrets

    def filter(self, record: logging.LogRecord) -> bool:
        """Lets every record through, masked."""
        record.msg, record.args = masked(record.getMessage(), *self._secrets), None
        if record.exc_info and not record.exc_text:
            record.exc_text = logging.Formatter().formatException(record.exc_info)
        if record.exc_text:
            record.exc_text = masked(record.exc_text, *self._secrets)
        if record.stack_info:
            record.stack_info = masked(record.stack_info, *self._secrets)
        return True


def variable_of(server: str) -> str:
    """The environment variable that a server's key may come in; no two servers share one.

    `gemini` is ADSTUDIO_KEY_GEMINI, `gpu.example:8000` is ADSTUDIO_KEY_GPU_2EEXAMPLE_3A8000.
    """
    return KEYS + re.sub("[^A-Z0-9]", lambda found: f"_{ord(found[0]):02X}", server.upper())


def session_key(server: str) -> Secret | None:
    """The key that this process was given for a server, or keeps until it ends; null where there is none."""
    value = os.environ.get(variable_of(server), "").strip()
    return Secret(value) if value else None


def key_of(server: str) -> Secret | None:
    """The key of a server (`gemini`, or a machine and port); null where none is kept.

    Raises:
        KeyMissingError: where what is there cannot be one.
        NoKeyringError: where the keyring is locked or there is none that keeps secrets.
        ClientMissingError: where the keyring's library is not installed.
    """
    if (given := session_key(server)) is not None:
        if not _is_key(given.reveal()):
            raise KeyMissingError(f"what {variable_of(server)} holds is not a key: set it to the key alone")
        return register_secret(given)
    value = (_through_keyring("get_password", server) or "").strip()
    if value and not _is_key(value):
        raise KeyMissingError(f"what the keyring holds for {server} is not a key: enter it anew")
    return register_secret(Secret(value)) if value else None


def store_key(server: str, value: str) -> None:
    """Keep a key in the keyring, in the place of an earlier one.

    Raises:
        KeyMissingError: for what cannot be a key.
        NoKeyringError: as `key_of`.
        ClientMissingError: as `key_of`.
    """
    _through_keyring("set_password", server, register_secret(Secret(_validated(value))).reveal())
    os.environ.pop(variable_of(server), None)


def set_session_key(server: str, value: str) -> None:
    """Keep a key until this process ends, and nowhere on a disk: processes that it starts have it too.

    Raises:
        KeyMissingError: for what cannot be a key.
    """
    os.environ[variable_of(server)] = register_secret(Secret(_validated(value))).reveal()


def delete_key(server: str) -> None:
    """Remove a key, from the keyring and from this process's environment; nothing happens where there is none.

    Raises:
        NoKeyringError: as `key_of`; where there is none at all, and the environment's is gone, nothing is amiss.
        ClientMissingError: as `NoKeyringError`.
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
    """From now on it is masked wherever this process writes down what went wrong."""
    _IN_USE.add(secret.reveal())
    return secret


def _validated(value: str) -> str:
    value = value.strip()
    if not _is_key(value):
        raise KeyMissingError("this is not a key: paste it as the server’s keeper gave it, in one piece")
    return value


def _is_key(value: str) -> bool:
    """Whether a header could carry it."""
    return 0 < len(value) <= MOST_CHARACTERS and value.isascii() and value.isprintable() and " " not in value


def _through_keyring(call: str, *given: str) -> str | None:
    try:
        import keyring
        from keyring.backends import fail, null
        from keyring.errors import KeyringError, KeyringLocked
    except ImportError:
        raise ClientMissingError(
            "keys are kept in the system’s keyring, and the part that opens it is not installed: pip install keyring"
        ) from None
    sentence, fault = "", KeyringLockedError
    try:
        backend = keyring.get_keyring()
        kind = type(backend)
        if isinstance(backend, (fail.Keyring, null.Keyring)) or kind.__module__.startswith("keyrings.alt"):
            fault = NoKeyringError
            sentence = (
                "this system has no keyring that keeps secrets: set one up (GNOME Keyring, KWallet, Keychain or"
                " Credential Manager)"
            )
        else:
            return getattr(backend, call)(SERVICE, *given)
    except KeyringLocked:
        sentence = "the system’s keyring is locked: unlock it and try again"
    except KeyringError as error:
        sentence = f"the system’s keyring refused ({type(error).__name__}): look whether it works in other programs"
    except Exception as error:  # noqa: BLE001 - keyrings are others' code behind D-Bus, COM or a command
        sentence = f"the system’s keyring failed ({type(error).__name__}): look whether it works in other programs"
    # Raised out here, so that the keyring's own error, which may hold the key, is not carried along.
    raise fault(sentence)
