"""CA certificate files to trust instead of the system's, for organisations that run their own authority."""

from __future__ import annotations

import ssl
from pathlib import Path

from adstudio.core.errors import BadInputError, OutsideFailureError
from adstudio.system.files import reason, size_of

LARGEST = 10_000_000
"""Bytes; all the certificates that browsers trust take about 250,000."""


def require_certificates(file: Path) -> None:
    """Check that a file holds at least one certificate in PEM form.

    Raises:
        BadInputError: if it does not exist or holds none.
        OutsideFailureError: if it cannot be read.
    """
    invalid = BadInputError(f"{file}: not a certificate file: give one in PEM format")
    if size_of(file, "certificate file") > LARGEST:
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
