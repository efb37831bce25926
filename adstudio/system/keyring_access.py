"""The system's keyring, and the one secret of ours that may lie in a private file where there is none."""

from __future__ import annotations

import base64
import contextlib
import functools
import secrets

from adstudio.core.errors import BadInputError, OutsideFailureError
from adstudio.core.optional_parts import install_packages
from adstudio.system.files import reason, write_atomically
from adstudio.system.locations import user_data
from adstudio.system.private_files import FILE, private_folder

SERVICE = "adstudio"
_ENTRY = "permissions"
_SECRET_BYTES = 32
_FILE = "permissions.key"


class KeyringUnavailableError(OutsideFailureError):
    """The keyring is locked or fails."""


class NoKeyringError(KeyringUnavailableError):
    """There is no keyring that can store secrets."""


class KeyringLibraryMissingError(NoKeyringError):
    """The library that leads to it is not installed."""


def call_keyring(call: str, *given: str) -> str | None:
    """What the keyring's method of this name returns for our service.

    Raises:
        KeyringUnavailableError: if it is locked or fails, or there is none; the error never holds a secret.
    """
    try:
        import keyring
        from keyring.backends import fail, null
        from keyring.errors import KeyringError, KeyringLocked
    except ImportError:
        raise KeyringLibraryMissingError(
            f"keys are stored in the system’s keyring, and its library is not installed: {install_packages('keyring')}"
        ) from None
    sentence, fault = "", KeyringUnavailableError
    try:
        backend = keyring.get_keyring()
        kind = type(backend)
        if isinstance(backend, (fail.Keyring, null.Keyring)) or kind.__module__.startswith("keyrings.alt"):
            fault = NoKeyringError
            sentence = (
                "this system has no keyring that can store secrets: set one up (GNOME Keyring, KWallet, Keychain or"
                " Credential Manager)"
            )
        else:
            return getattr(backend, call)(SERVICE, *given)
    except KeyringLocked:
        sentence = "the system’s keyring is locked: unlock it and try again"
    except KeyringError as error:
        sentence = f"the system’s keyring refused ({type(error).__name__}): check whether it works in other programs"
    except Exception as error:  # noqa: BLE001 - keyring backends are third-party code behind D-Bus, COM or a command
        sentence = f"the system’s keyring failed ({type(error).__name__}): check whether it works in other programs"
    # Raised outside the handlers, so that the keyring's own error, which may hold the key, is not chained.
    raise fault(sentence)


@functools.cache
def user_secret() -> bytes:
    """A random secret of this user on this computer, created when it is first needed.

    It proves that permissions in project files were given by this user. It is in the keyring, or where there is none in
    a private file: who can read that could also use this user's programs.

    Raises:
        KeyringUnavailableError: if the keyring is locked or fails.
        OutsideFailureError: if the file cannot be written or read.
    """
    path = user_data(_FILE)
    try:
        with contextlib.suppress(FileNotFoundError):
            return _secret_of(path.read_text(encoding="ascii", errors="replace"))
        with contextlib.suppress(NoKeyringError):
            if call_keyring("get_password", _ENTRY) is None:
                call_keyring("set_password", _ENTRY, _new_secret())
            # Read back: another process may have come first.
            return _secret_of(call_keyring("get_password", _ENTRY) or "")
        private_folder(path.parent, below=False)
        # Never replaced: of two processes that come here together, both use the file of the first.
        with contextlib.suppress(BadInputError):
            write_atomically(path, _new_secret().encode(), mode=FILE, replacing=False)
        return _secret_of(path.read_text(encoding="ascii", errors="replace"))
    except OSError as error:
        raise OutsideFailureError(f"{path}: {reason(error)}") from error


def _new_secret() -> str:
    return base64.b64encode(secrets.token_bytes(_SECRET_BYTES)).decode()


def _secret_of(text: str) -> bytes:
    with contextlib.suppress(ValueError):
        found = base64.b64decode(text.strip(), validate=True)
        if len(found) == _SECRET_BYTES:
            return found
    raise OutsideFailureError(
        f"the secret that confirms permissions is damaged: delete {user_data(_FILE)} or the entry “{_ENTRY}” of"
        f" “{SERVICE}” in the keyring, and give permissions again"
    )
