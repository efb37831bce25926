"""Run as a program: asks providers under a policy and prints all that Python itself was asked of the network.

Usage: sockets_proof.py RULE PORT. An audit hook hears of every socket, look-up, connection and datagram, whichever
library asks; it cannot be taken away again, which is why this is a process of its own.
"""

from __future__ import annotations

import json
import socket
import sys

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

import asyncio  # noqa: E402 - what is loaded from here on is heard too
import contextlib  # noqa: E402

from adstudio.core.policy import Host, Policy  # noqa: E402
from adstudio.llm.faults import NotAllowedError  # noqa: E402
from adstudio.llm.gemini import (  # noqa: E402
    Account,
    GeminiEmbeddings,
    GeminiProvider,
)
from adstudio.llm.keys import Secret  # noqa: E402
from adstudio.llm.messages import Request, user  # noqa: E402
from adstudio.llm.openai_protocol import (  # noqa: E402
    OpenAIEmbeddings,
    OpenAIProvider,
    Server,
)
from adstudio.llm.retry import Retrying  # noqa: E402
from adstudio.llm.transport import Transport  # noqa: E402


async def main(rule: str, port: int) -> None:
    policy = Policy(rule, (Host("127.0.0.1", port),))  # type: ignore[arg-type]
    transport = Transport(policy, lambda _: None)
    key = Secret("AIza-test-0123456789abcdefghij")
    named = f"http://127.0.0.1:{port}"
    providers = [
        *[GeminiProvider(Account("gemini-3.1-flash-lite", key, url), policy, transport) for url in (named,)],
        GeminiProvider(Account("gemini-3.1-flash-lite", key), policy, transport),
        *[
            OpenAIProvider(Server(f"{url}/v1", "m", key=key), policy, transport)
            for url in (
                *(named, f"http://127.0.0.1:{port + 1}", f"http://localhost:{port}", "https://gpu.example"),
                *("https://api.openai.com", "http://[::1]:8000", f"https://127.0.0.1.:{port + 1}"),
            )
        ],
    ]
    if rule == "offline":  # those that embed, too
        providers += [
            GeminiEmbeddings(Account("gemini-embedding-001", key), policy, transport),
            *[
                OpenAIEmbeddings(Server(f"{url}/v1", "m", key=key), policy, transport)
                for url in (named, "https://gpu.example")
            ],
        ]
    answers = [await Retrying(each).send(Request((user("x"),)), lambda _: None, asyncio.Event()) for each in providers]
    if rule == "offline":
        for each in providers:
            with contextlib.suppress(NotAllowedError):
                await each.models()
    said = [[type(a.fault).__name__, a.text] for a in answers]
    print(json.dumps({"answers": said, "heard": heard, "google": "google.genai" in sys.modules}))


asyncio.run(main(sys.argv[1], int(sys.argv[2])))
