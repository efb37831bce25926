"""Run as a program: `draft_sockets.py OUT ARGUMENTS…` runs the command and writes down what it asked of the network.

An audit hook hears of every socket, look-up, connection and datagram, whichever library asks; it cannot be taken away
again, which is why this is a process of its own.
"""

from __future__ import annotations

import json
import socket
import sys
from pathlib import Path

heard: list[list[str]] = []
INET = (socket.AF_INET, socket.AF_INET6)


def hook(event: str, given: tuple) -> None:
    if event == "socket.__new__" and given[1] in INET:
        heard.append([event, ""])
    elif event.startswith("socket.") and event != "socket.__new__":
        named = given[1] if isinstance(given[0], socket.socket) else given
        if not (isinstance(given[0], socket.socket) and given[0].family not in INET):
            heard.append([event, ":".join(str(part) for part in named[:2])])


sys.addaudithook(hook)

from adstudio.cli.main import main  # noqa: E402 - what is loaded from here on is heard too

try:
    main(sys.argv[2:])
finally:
    Path(sys.argv[1]).write_text(json.dumps(heard))
