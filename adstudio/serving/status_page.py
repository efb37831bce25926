"""The front's own pages: `/health` for programs, `/` for people, `/metrics` of all replicas."""

from __future__ import annotations

import asyncio
import html
import json
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from time import monotonic
from typing import Any

import httpx2

from adstudio.serving.front import FrontReply, refusal
from adstudio.serving.gpus import Gpu, find_gpus
from adstudio.serving.metrics import Load, load_of, merged
from adstudio.serving.replica import Replica

ASK_S = 5.0
FRESH_S = 4.0
"""Seconds for which the state of the GPUs is cached, however many clients view the page."""

_PLAIN = b"default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; form-action 'none'; base-uri 'none'"
_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem}"
    "table{border-collapse:collapse}th,td{text-align:left;padding:.3rem 1.2rem .3rem 0}"
    "td{font-variant-numeric:tabular-nums}"
    "@media(prefers-color-scheme:dark){body{background:#16181c;color:#e6e6e6}}"
)


class StatusPages:
    """See the module; returns None for paths that are not its own."""

    def __init__(self, replicas: Sequence[Replica], model: str, *, gpus: bool) -> None:
        self._replicas = tuple(replicas)
        self._model = model
        self._gpus = gpus
        self._gpus_asked: tuple[float, tuple[Gpu, ...]] = (0.0, ())
        self._asking = asyncio.Lock()

    async def __call__(self, path: str, admitted: bool) -> FrontReply | None:
        """See `front.Page`."""
        if path == "/health":
            known = await self._known() if admitted else self._in_short()
            return FrontReply(200 if known["replicas"]["up"] else 503, json.dumps(known).encode())
        if path not in {"/", "/metrics"}:
            return None
        if not admitted:  # the browser asks for a password: any name, and the key
            return refusal(401, "the key is missing or wrong", (b"www-authenticate", b'Basic realm="adstudio"'))
        if path == "/metrics":
            metrics, _ = await self._ask()
            return FrontReply(200, merged(enumerate(metrics)).encode(), "text/plain; version=0.0.4; charset=utf-8")
        page = page_of(await self._known()).encode()
        return FrontReply(200, page, "text/html; charset=utf-8", ((b"content-security-policy", _PLAIN),))

    def _in_short(self) -> dict[str, Any]:
        up = sum(replica.state == "up" for replica in self._replicas)
        starting = any(replica.state == "starting" for replica in self._replicas)
        state = "up" if up == len(self._replicas) else "partly up" if up else "starting" if starting else "down"
        return {"status": state, "replicas": {"up": up, "of": len(self._replicas)}}

    async def _known(self) -> dict[str, Any]:
        metrics, gpus = await self._ask()
        loads = [load_of(text) for text in metrics]
        served = {replica.version for replica in self._replicas if replica.version}
        return self._in_short() | {
            "model": self._model,
            "versions": {"adstudio": own_version(), "vllm": ", ".join(sorted(served))},
            "each": [_replica_status(replica, load) for replica, load in zip(self._replicas, loads, strict=True)],
            "gpus": [
                {"gpu": gpu.index, "name": gpu.name, "memory_mib": gpu.memory_mib, "used_mib": gpu.used_mib}
                for gpu in gpus
            ],
        }

    async def _ask(self) -> tuple[list[str], tuple[Gpu, ...]]:
        async with self._asking:
            # Metrics are never cached: a check waits for one of the numbers to fall.
            metrics = await asyncio.gather(*map(_metrics_of, self._replicas))
            if self._gpus and monotonic() - self._gpus_asked[0] > FRESH_S:
                self._gpus_asked = monotonic(), await find_gpus(ASK_S)
            return metrics, self._gpus_asked[1]


def page_of(known: dict[str, Any]) -> str:
    """The page for people."""

    def row(kind: str, cells: Sequence[object]) -> str:
        return "<tr>" + "".join(f"<{kind}>{html.escape(_cell(cell))}</{kind}>" for cell in cells) + "</tr>"

    replicas = [
        row("td", (e["replica"], e["state"], e["gpus"], e["running"], e["waiting"], e["in_flight"], e["restarts"]))
        for e in known["each"]
    ]
    gpus = [row("td", (g["gpu"], g["name"], _gib(g["used_mib"]), _gib(g["memory_mib"]))) for g in known["gpus"]]
    heads = row("th", ("Replica", "State", "GPUs", "Running", "Waiting", "Passed on", "Restarts"))
    cards = row("th", ("GPU", "Name", "Used", "Memory"))
    versions = known["versions"]
    up = known["replicas"]
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="10">'
        f"<title>{html.escape(known['status'])} · {html.escape(known['model'])}</title><style>{_STYLE}</style></head>"
        f"<body><h1>{html.escape(known['model'])}: {html.escape(known['status'])}</h1>"
        f"<p>{up['up']} of {up['of']} replicas up · vLLM {html.escape(_cell(versions['vllm']))} · adstudio"
        f" {html.escape(_cell(versions['adstudio']))}</p><table>{heads}{''.join(replicas)}</table>"
        + (
            f"<h2>GPU memory</h2><table>{cards}{''.join(gpus)}</table>"
            if gpus
            else "<p>No GPU: running on the CPU.</p>"
        )
        + "</body></html>"
    )


def own_version() -> str:
    """The version of adstudio."""
    try:
        return version("adstudio")
    except PackageNotFoundError:
        return ""


def _replica_status(replica: Replica, load: Load) -> dict[str, Any]:
    return {
        "replica": replica.number,
        "state": replica.state,
        "seconds": round(monotonic() - replica.since),
        "gpus": list(replica.gpus),
        "running": load.running,
        "waiting": load.waiting,
        "in_flight": replica.in_flight,
        "restarts": replica.restarts,
    }


async def _metrics_of(replica: Replica) -> str:
    if replica.state != "up":
        return ""
    try:
        async with replica.client() as client:
            response = await client.get("/metrics", timeout=ASK_S)
            return response.text if response.status_code == 200 else ""
    except (httpx2.HTTPError, OSError):
        return ""


def _cell(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "–"  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    return "–" if value is None or value == "" else str(value)


def _gib(mib: int | None) -> str | None:
    return None if mib is None else f"{mib / 1024:.1f} GiB"
