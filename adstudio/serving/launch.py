"""How vLLM is started for the GPUs there are: how many replicas, on which GPUs each, with which options.

A replica on one GPU beats one over several wherever it fits: no traffic between the cards, each fails alone, and each
prepares clips by itself (vLLM prepares them one after another in each server). Only a model that no single GPU holds is
spread, over as few as hold it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from adstudio.core.errors import BadInputError
from adstudio.serving.gpus import Gpu
from adstudio.serving.model_config import ServedModel

DEFAULT_MODEL = "Qwen/Qwen3.5-27B-FP8"
CONTEXT = 49_152
"""Tokens of a question and its answer together: a scene of three minutes, its faces, and ten eventualities."""
SHARE = 0.9
"""What vLLM may take of a GPU's memory."""
OVERHEAD = 1.1
"""Weights in memory against those on disk: tables, and what cannot be made small."""
WORKING_GB = 6.0
"""What a replica needs on each GPU beside its weights to be of use: activations, the clips' encoder, some cache."""
SPREADS = (1, 2, 4, 8)
"""Over how many GPUs a model is spread: its attention heads have to be divisible by it."""
NOWHERE = "none.invalid"
"""The only machine that media may be fetched from: the name is reserved never to exist (RFC 2606)."""
RUNNING, WAITING = 32, 96
"""Requests at work in a replica, and those that it holds in all before it answers 503."""

_NEVER = frozenset(
    {"--uds", "--host", "--port", "--api-key", "--ssl-keyfile", "--ssl-certfile", "--enable-log-requests"}
)
_OF_GPUS = frozenset(
    {"--gpu-memory-utilization", "--tensor-parallel-size", "-tp", "--pipeline-parallel-size", "-pp"}
    | {"--data-parallel-size", "-dp", "--mm-encoder-tp-mode", "--cpu-offload-gb"}
)
_SPECULATION = ("--speculative-config", "--speculative_config", "-sc")


@dataclass(frozen=True, slots=True)
class Replica:
    """One vLLM: the GPUs that it sees (none: the processor), what its command is given, and its surroundings."""

    gpus: tuple[int, ...]
    arguments: tuple[str, ...]
    environment: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Fleet:
    """All replicas of a model, and what its keeper should know of how they were laid out."""

    replicas: tuple[Replica, ...]
    words: tuple[str, ...]


def flags_for(gpus: Sequence[Gpu], model: ServedModel, extra: Sequence[str] = ()) -> Fleet:
    """The replicas of a model on these GPUs, all alike; on the processor where there is none.

    `extra` are options for vLLM that its keeper adds; where they say the same thing as ours, theirs hold.

    Raises:
        BadInputError: where the GPUs together do not hold the model, or `extra` would open a way round the front.
    """
    _require_harmless(extra)
    if not gpus:
        return Fleet(
            (Replica((), _kept(_common(model) + _on_processor(), extra), _surroundings(model, ())),),
            tuple(_slow(extra)),
        )
    spread = _spread(gpus, model)
    groups = [gpus[start : start + spread] for start in range(0, len(gpus) - spread + 1, spread)]
    replicas = tuple(
        Replica(
            numbers := tuple(gpu.index for gpu in group),
            _kept(_common(model) + _on_gpus(spread), extra),
            _surroundings(model, numbers),
        )
        for group in groups
    )
    return Fleet(replicas, tuple(_told(gpus, model, spread, len(groups), extra)))


def needs_gb(model: ServedModel, spread: int) -> float | None:
    """What a replica spread over so many GPUs needs on each of them, in GB (thousand million bytes)."""
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
        f" they have {smallest:.0f} GB to give: take a smaller model or one of fewer bits (FP8), more GPUs, or say with"
        " --weights how many GB it really has"
    )


def _told(gpus: Sequence[Gpu], model: ServedModel, spread: int, count: int, extra: Sequence[str]) -> list[str]:
    if model.weights is None:
        words = [f"how large {model.name} is cannot be told from its name, so it is taken to fit one GPU: --weights GB"]
    else:
        each = "one GPU holds it" if spread == 1 else f"{spread} GPUs together hold it"
        words = [
            f"{model.name}: about {model.weights / 1e9:.0f} GB of weights, {each}, {count} replica{'s' * (count > 1)}"
        ]
    used = count * spread
    if idle := [str(gpu.index) for gpu in gpus[used:]]:
        words.append(f"GPU {', '.join(idle)} stays idle: {len(gpus)} are no multiple of {spread}")
    words += [
        f"GPU {gpu.index} has {gpu.used_mib / 1024:.0f} of its {gpu.memory_mib / 1024:.0f} GiB taken by something else:"
        " vLLM will refuse to start if what is left is too little"
        for gpu in gpus[:used]
        if gpu.used_mib is not None and gpu.used_mib > (1 - SHARE) * gpu.memory_mib
    ]
    if any(each.split("=", 1)[0] in _SPECULATION for each in extra):
        words.append("speculative decoding has broken bound JSON answers: run adstudio serve --check before it is used")
    return words


def _slow(extra: Sequence[str]) -> Iterator[str]:
    yield "no GPU: vLLM runs on the processor, which is for trying things out, not for drafting a film"
    for each in dict.fromkeys(_plain(option) for option in extra if _plain(option) in _OF_GPUS):
        yield f"{each} is about GPUs, and none is used: leave it out, or leave out --gpus none"


def _common(model: ServedModel) -> list[str]:
    found = ["--served-model-name", model.name, "--allowed-media-domains", NOWHERE, "--no-enable-log-requests"]
    found += ["--disable-uvicorn-access-log", "--uvicorn-log-level", "warning", "--disable-fastapi-docs"]
    found += ["--max-num-queued-reqs", str(WAITING)]
    if model.pooling:
        return [*found, "--runner", "pooling"]
    found += ["--max-model-len", str(min(CONTEXT, model.positions or CONTEXT))]
    found += ["--limit-mm-per-prompt", _json({"video": 1, "image": 24})]
    # Models whose own loader does not take one picture a second would be shown 32 of a clip, without a word.
    found += ["--media-io-kwargs", _json({"video": {"num_frames": -1}})]
    found += ["--structured-outputs-config", _json({"backend": "xgrammar", "disable_any_whitespace": True})]
    found += ["--enable-prompt-tokens-details"]
    if model.thinks:
        found += ["--reasoning-parser", "qwen3", "--default-chat-template-kwargs", _json({"enable_thinking": False})]
    return found


def _on_gpus(spread: int) -> list[str]:
    found = ["--gpu-memory-utilization", f"{SHARE:g}", "--max-num-seqs", str(RUNNING)]
    found += ["--max-num-batched-tokens", "16384"]
    if spread > 1:
        found += ["--tensor-parallel-size", str(spread), "--distributed-executor-backend", "mp"]
        found += ["--mm-encoder-tp-mode", "data"]
    return found


def _on_processor() -> list[str]:
    return ["--dtype", "bfloat16", "--enforce-eager", "--max-num-seqs", "8"]


def _surroundings(model: ServedModel, gpus: tuple[int, ...]) -> tuple[tuple[str, str], ...]:
    found = {
        "VLLM_NO_USAGE_STATS": "1",
        "VLLM_DO_NOT_TRACK": "1",
        "DO_NOT_TRACK": "1",
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "VLLM_MEDIA_URL_ALLOW_REDIRECTS": "0",
        "VLLM_HOST_IP": "127.0.0.1",  # what its processes say to each other stays on this machine
    }
    if model.is_folder:
        found |= {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}
    if gpus:
        found |= {
            "CUDA_VISIBLE_DEVICES": ",".join(map(str, gpus)),
            "CUDA_DEVICE_ORDER": "PCI_BUS_ID",  # as nvidia-smi counts
            "OMP_NUM_THREADS": "1",
        }
    else:
        found |= {"CUDA_VISIBLE_DEVICES": "", "VLLM_CPU_KVCACHE_SPACE": "1"}
    return tuple(sorted(found.items()))


def _kept(ours: list[str], extra: Sequence[str]) -> tuple[str, ...]:
    """Ours without those that the keeper says otherwise, then theirs."""
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
        raise BadInputError(f"“{extra[0][:60]}”: what stands after -- are options of vLLM, which begin with --")
    if bad := next((each for each in extra if _plain(each) in _NEVER), None):
        raise BadInputError(
            f"{bad[:60]} is not for vLLM here: the front of adstudio serve listens, asks for the key and does TLS; give"
            " --host, --port, --key-file, --tls-cert and --tls-key before the --"
        )


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))
