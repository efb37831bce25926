"""Servers in the test's own event loop: fake vLLMs behind sockets and ports, and the front before them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx2
import uvicorn
from fake_vllm import KEY, FakeVllm

from adstudio.llm.keys import Secret
from adstudio.serving.front import Front
from adstudio.serving.idle_timeout import IdleTimeoutProtocol
from adstudio.serving.keys import Keys
from adstudio.serving.replica import Replica
from adstudio.serving.status_page import StatusPages


class _Server(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@contextlib.asynccontextmanager
async def listening(app: Any, socket: Path | None = None, http: Any = "h11") -> AsyncIterator[str]:
    """The application served; its address where it has a port."""
    where: dict[str, Any] = {"port": 0} if socket is None else {"uds": str(socket)}
    config = uvicorn.Config(
        app, http=http, ws="none", lifespan="off", log_config=None, timeout_graceful_shutdown=1, **where
    )
    server = _Server(config)
    task = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.005)
        assert not task.done()
    port = server.servers[0].sockets[0].getsockname()[1] if socket is None else 0
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        await task


class House:
    """Replicas and the front before them. `fakes[k]` is the vLLM of replica k."""

    def __init__(self, folder: Path, fakes: tuple[FakeVllm, ...], body_bytes: int) -> None:
        self.fakes = fakes
        self.replicas = tuple(
            Replica(k, (), {}, folder / str(k), (k,), "up", version="0.32.0") for k in range(len(fakes))
        )
        pages = StatusPages(self.replicas, "tiny", gpus=False)
        self.front = Front(self.replicas, Keys((Secret(KEY),)), pages, body_bytes=body_bytes)
        self.url = ""

    def client(self, key: str = KEY) -> httpx2.AsyncClient:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        return httpx2.AsyncClient(base_url=self.url, headers=headers, trust_env=False, timeout=20)


@contextlib.asynccontextmanager
async def house(folder: Path, *fakes: FakeVllm, body_bytes: int = 96_000_000) -> AsyncIterator[House]:
    found = House(folder, fakes or (FakeVllm(),), body_bytes)
    async with contextlib.AsyncExitStack() as stack:
        for replica, fake in zip(found.replicas, found.fakes, strict=True):
            replica.folder.mkdir()
            await stack.enter_async_context(listening(fake, replica.socket))
        found.url = await stack.enter_async_context(listening(found.front, http=IdleTimeoutProtocol))
        stack.push_async_callback(found.front.aclose)
        yield found


async def comes(what: Any, patience: float = 5.0) -> None:
    """Wait until `what()` is true."""
    async with asyncio.timeout(patience):
        while not what():  # noqa: ASYNC110 - of what happens in servers there is no event
            await asyncio.sleep(0.01)
