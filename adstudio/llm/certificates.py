"""Files of certificates that are trusted in place of the system's: those of a house that issues its own."""

from __future__ import annotations

import ssl
from pathlib import Path

from adstudio.core.errors import BadInputError, OutsideFailureError
from adstudio.system.files import reason, size_of

LARGEST = 10_000_000
"""Bytes; all certificates that browsers trust take a quarter of a million."""


def require_certificates(file: Path) -> None:
    """Check that a file holds at least one certificate in PEM form.

    Raises:
        BadInputError: where it is not there, or holds none.
        OutsideFailureError: where it cannot be read.
    """
    odd = BadInputError(f"{file}: this is not a file of certificates: give one in PEM form")
    if size_of(file, "file of certificates") > LARGEST:
        raise odd
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    try:
        context.load_verify_locations(cafile=file)
    except (ssl.SSLError, ValueError):
        raise odd from None
    except OSError as error:
        raise OutsideFailureError(f"{file}: this file of certificates cannot be read: {reason(error)}") from error
    if not context.cert_store_stats()["x509"]:
        raise odd
