"""The front's listening socket: connections that show no key cannot use up what those with one need.

Whoever connects may stay silent, before or after the TLS handshake, and each connection takes a descriptor. So only so
many without a key are open at a time: for a new one, the oldest of the address that has most of them is closed.
"""

from __future__ import annotations

import errno
import socket
import sys
from collections import Counter
from contextlib import suppress
from typing import Any

MOST_CONNECTIONS = 1_000
_SPARE = 64
"""Descriptors for everything else: replicas, health checks, the event loop."""
OUT_OF_DESCRIPTORS = frozenset({errno.EMFILE, errno.ENFILE})
_WANTED = 2 * MOST_CONNECTIONS + _SPARE

Client = tuple[str, int]
"""A connection's remote address and port."""


class AdmissionSocket(socket.socket):
    """A TCP socket whose accepted connections are closed early unless they are admitted."""

    most_connections = MOST_CONNECTIONS
    most_without_key = MOST_CONNECTIONS // 4

    def __init__(self, family: int) -> None:
        super().__init__(family, socket.SOCK_STREAM)
        self._without_key: dict[Client, socket.socket] = {}  # oldest first
        self._closing: list[socket.socket] = []

    def limit_to(self, descriptors: int) -> None:
        """Set the limits for a process that may open so many descriptors: two for each request, in and out."""
        self.most_connections = max(8, min(MOST_CONNECTIONS, (descriptors - _SPARE) // 2))
        self.most_without_key = self.most_connections // 4

    def accept(self) -> tuple[socket.socket, Any]:
        """Accept a connection, and close another one where there are too many without a key.

        Raises:
            OSError: as usual; in particular BlockingIOError while closed connections still take descriptors.
        """
        if len(self._closing) >= self.most_without_key:
            self._closing = [each for each in self._closing if each.fileno() != -1]
            if len(self._closing) >= self.most_without_key:
                raise BlockingIOError
        try:
            accepted, address = super().accept()
        except OSError as error:
            if error.errno in OUT_OF_DESCRIPTORS and self._close_one():
                raise BlockingIOError from error
            raise
        self._without_key[address[:2]] = accepted
        if len(self._without_key) > self.most_without_key:
            self._close_one()
        return accepted, address

    def admit(self, client: Client | None) -> None:
        """The client has shown a key: its connection stays."""
        if client is not None:
            self._without_key.pop(client, None)

    def _close_one(self) -> bool:
        """Close the oldest connection of the address with most of them; returns whether there was one."""
        self._without_key = {client: each for client, each in self._without_key.items() if each.fileno() != -1}
        if not self._without_key:
            return False
        [(host, _count)] = Counter(host for host, _port in self._without_key).most_common(1)
        client = next(client for client in self._without_key if client[0] == host)
        closed = self._without_key.pop(client)
        self._closing.append(closed)
        with suppress(OSError):
            closed.shutdown(socket.SHUT_RDWR)  # its transport sees the end, and closes it
        return True


def raise_descriptor_limit() -> int:
    """Raise this process's limit of open descriptors to what the front needs, as far as permitted; returns it."""
    if sys.platform == "win32":
        return _WANTED
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return _WANTED
    wanted = max(soft, _WANTED if hard == resource.RLIM_INFINITY else min(hard, _WANTED))
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        return wanted
    return soft
