"""How to start vLLM on the available GPUs: how many replicas, on which GPUs, with which options.

One replica per GPU beats one over several wherever the model fits: no traffic between cards, independent failures, and
each prepares clips by itself (vLLM prepares them sequentially in each server). Only a model that does not fit on one
GPU is spread, over as few as possible.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from adstudio.core.errors import BadInputError
from adstudio.serving.gpus import Gpu
from adstudio.serving.model_config import ServedModel

DEFAULT_MODEL = "Qwen/Qwen3.5-27B-FP8"
CONTEXT = 49_152
"""Tokens of prompt and response together: a three-minute scene with faces and ten eventualities."""
CONTEXT_ON_PROCESSOR = 16_384
"""The same without a GPU: a minute's scene. `CACHE_GB` must hold so many tokens: up to 144 kB each for models of 8B."""
CACHE_GB = 4
SHARE = 0.9
"""The share of a GPU's memory that vLLM may use."""
OVERHEAD = 1.1
"""Weights in memory relative to those on disk: tables, and layers that are not quantised."""
WORKING_GB = 6.0
"""GB that a replica needs on each GPU besides its weights: activations, the video encoder, some cache."""
SPREADS = (1, 2, 4, 8)
"""Tensor-parallel sizes: they must divide the number of attention heads."""
NOWHERE = "none.invalid"
"""The only host that media may be fetched from: a name reserved never to exist (RFC 2606)."""
RUNNING, WAITING = 32, 96
"""Running requests per replica, and the queue length after which it answers 503."""

_NEVER = frozenset(
    {"--uds", "--host", "--port", "--api-key", "--ssl-keyfile", "--ssl-certfile", "--enable-log-requests"}
)
_OF_GPUS = frozenset(
    {"--gpu-memory-utilization", "--tensor-parallel-size", "-tp", "--pipeline-parallel-size", "-pp"}
    | {"--data-parallel-size", "-dp", "--mm-encoder-tp-mode", "--cpu-offload-gb"}
)
_ON_PROCESSOR = ["--dtype", "bfloat16", "--enforce-eager", "--max-num-seqs", "8"]
_NO_FLASHINFER = (
    "FlashInfer is not used: its kernels (flashinfer-jit-cache) are not installed, and there is no nvcc with ninja to"
    " compile them; Triton's are used instead, which are slower"
)
"""vLLM would try to compile them, only log that it failed, look up, and fail at the first request."""
_SPECULATION = ("--speculative-config", "--speculative_config", "-sc")


@dataclass(frozen=True, slots=True)
class Replica:
    """One vLLM: its GPUs (none: runs on the CPU), command-line arguments and environment."""

    gpus: tuple[int, ...]
    arguments: tuple[str, ...]
    environment: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Fleet:
    """All replicas of a model, and notes for the administrator on how they were laid out."""

    replicas: tuple[Replica, ...]
    notes: tuple[str, ...]


def flags_for(gpus: Sequence[Gpu], model: ServedModel, extra: Sequence[str] = (), *, flashinfer: bool = True) -> Fleet:
    """The replicas of a model on these GPUs, all alike; on the CPU if there are none.

    `extra` are the administrator's options for vLLM, which override ours. Without `flashinfer`, FlashInfer is not used.

    Raises:
        BadInputError: if the model does not fit, or `extra` would bypass the front.
    """
    _require_harmless(extra)
    if not gpus:
        options = _merged_options(_common(model, CONTEXT_ON_PROCESSOR) + _ON_PROCESSOR, extra)
        return Fleet((Replica((), options, _environment(model, ())),), tuple(_slow(extra)))
    spread = _spread(gpus, model)
    groups = [gpus[start : start + spread] for start in range(0, len(gpus) - spread + 1, spread)]
    replicas = tuple(
        Replica(
            numbers := tuple(gpu.index for gpu in group),
            _merged_options(_common(model) + _on_gpus(spread, flashinfer), extra),
            _environment(model, numbers, flashinfer),
        )
        for group in groups
    )
    notes = _notes(gpus, model, spread, len(groups), extra)
    return Fleet(replicas, tuple(notes if flashinfer else [*notes, _NO_FLASHINFER]))


def needs_gb(model: ServedModel, spread: int) -> float | None:
    """What a replica spread over so many GPUs needs on each of them, in GB (10⁹ bytes)."""
    return None if model.weights is None else model.weights * OVERHEAD / spread / 1e9 + WORKING_GB


def _spread(gpus: Sequence[Gpu], model: ServedModel) -> int:
    smallest = min(gpu.memory for gpu in gpus) / 1e9 * SHARE
    for spread in SPREADS:
        needed = needs_gb(model, spread)
        if spread <= len(gpus) and (needed is None or needed <= smallest):
            return spread
    largest = max(spread for spread in SPREADS if spread <= len(gpus))
    raise BadInputError(
        f"{model.name} needs about {needs_gb(model, largest):.0f} GB on each of {largest} GPU{'s' * (largest > 1)}, and"
        f" {smallest:.0f} GB is available: choose a smaller or quantised model (FP8), add GPUs, or give the actual size"
        " in GB with --weights"
    )


def _notes(gpus: Sequence[Gpu], model: ServedModel, spread: int, count: int, extra: Sequence[str]) -> list[str]:
    if model.weights is None:
        notes = [f"the size of {model.name} is unknown, so one GPU is assumed to be enough: give it with --weights GB"]
    else:
        each = "fits on one GPU" if spread == 1 else f"needs {spread} GPUs"
        notes = [
            f"{model.name}: about {model.weights / 1e9:.0f} GB of weights, {each}, {count} replica{'s' * (count > 1)}"
        ]
    used = count * spread
    if idle := [str(gpu.index) for gpu in gpus[used:]]:
        notes.append(f"GPU {', '.join(idle)} stays idle: {len(gpus)} is not a multiple of {spread}")
    notes += [
        f"{gpu.used_mib / 1024:.0f} of the {gpu.memory_mib / 1024:.0f} GiB of GPU {gpu.index} are in use by something"
        " else: vLLM will not start if too little is left"
        for gpu in gpus[:used]
        if gpu.used_mib is not None and gpu.used_mib > (1 - SHARE) * gpu.memory_mib
    ]
    if any(each.split("=", 1)[0] in _SPECULATION for each in extra):
        notes.append("speculative decoding can break JSON output: run adstudio serve --check before using it")
    return notes


def _slow(extra: Sequence[str]) -> Iterator[str]:
    yield "no GPU: vLLM runs on the CPU, which is only good for trying things out, not for drafting a film"
    for each in dict.fromkeys(_plain(option) for option in extra if _plain(option) in _OF_GPUS):
        yield f"{each} concerns GPUs, and none is used: remove it, or remove --gpus none"


def _common(model: ServedModel, context: int = CONTEXT) -> list[str]:
    found = ["--served-model-name", model.name, "--allowed-media-domains", NOWHERE, "--no-enable-log-requests"]
    found += ["--disable-uvicorn-access-log", "--uvicorn-log-level", "warning", "--disable-fastapi-docs"]
    found += ["--max-num-queued-reqs", str(WAITING)]
    if model.pooling:
        return [*found, "--runner", "pooling"]
    found += ["--max-model-len", str(min(context, model.positions or context))]
    found += ["--limit-mm-per-prompt", _json({"video": 1, "image": 24})]
    # Otherwise models whose loader does not sample one frame per second would silently get 32 frames of a clip.
    found += ["--media-io-kwargs", _json({"video": {"num_frames": -1}})]
    found += ["--structured-outputs-config", _json({"backend": "xgrammar", "disable_any_whitespace": True})]
    found += ["--enable-prompt-tokens-details"]
    if model.thinks:
        found += ["--reasoning-parser", "qwen3", "--default-chat-template-kwargs", _json({"enable_thinking": False})]
    return found


def _on_gpus(spread: int, flashinfer: bool) -> list[str]:
    found = ["--gpu-memory-utilization", f"{SHARE:g}", "--max-num-seqs", str(RUNNING)]
    found += ["--max-num-batched-tokens", "16384"]
    if not flashinfer:
        found += ["--gdn-prefill-backend", "triton"]
    if spread > 1:
        found += ["--tensor-parallel-size", str(spread), "--distributed-executor-backend", "mp"]
        found += ["--mm-encoder-tp-mode", "data"]
    return found


def _environment(model: ServedModel, gpus: tuple[int, ...], flashinfer: bool = True) -> tuple[tuple[str, str], ...]:
    found = {
        "VLLM_NO_USAGE_STATS": "1",
        "VLLM_DO_NOT_TRACK": "1",
        "DO_NOT_TRACK": "1",
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "VLLM_MEDIA_URL_ALLOW_REDIRECTS": "0",
        "VLLM_HOST_IP": "127.0.0.1",  # keeps traffic between its processes on this machine
        "GLOO_SOCKET_IFNAME": "lo0" if sys.platform == "darwin" else "lo",  # otherwise the host name's address
    }
    if model.is_folder:
        found |= {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}
    if gpus:
        found |= {
            "CUDA_VISIBLE_DEVICES": ",".join(map(str, gpus)),
            "CUDA_DEVICE_ORDER": "PCI_BUS_ID",  # as nvidia-smi counts
            "OMP_NUM_THREADS": "1",
        }
        if not flashinfer:
            found["VLLM_USE_FLASHINFER_SAMPLER"] = "0"
    else:
        found |= {"CUDA_VISIBLE_DEVICES": "", "VLLM_CPU_KVCACHE_SPACE": str(CACHE_GB)}
    return tuple(sorted(found.items()))


def _merged_options(ours: list[str], extra: Sequence[str]) -> tuple[str, ...]:
    """Our options without those that `extra` overrides, then `extra`."""
    theirs = {_plain(each) for each in extra if each.startswith("-")}
    found: list[str] = []
    keep = True
    for each in ours:
        if each.startswith("--"):
            keep = _plain(each) not in theirs
        if keep:
            found.append(each)
    return (*found, *extra)


def _plain(option: str) -> str:
    return option.split("=", 1)[0].replace("_", "-").replace("--no-", "--", 1)


def _require_harmless(extra: Sequence[str]) -> None:
    if extra and not extra[0].startswith("-"):
        raise BadInputError(f"“{extra[0][:60]}”: only options for vLLM may follow --, and they start with --")
    if bad := next((each for each in extra if _plain(each) in _NEVER), None):
        raise BadInputError(
            f"{bad[:60]} cannot be passed to vLLM: adstudio serve itself listens, checks keys and does TLS; give"
            " --host, --port, --key-file, --tls-cert and --tls-key before the --"
        )


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))
