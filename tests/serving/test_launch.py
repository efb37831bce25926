"""Which replicas are started on which GPUs, with which options; all without a GPU."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from adstudio.core.errors import BadInputError
from adstudio.serving.gpus import Gpu, chosen_gpus, gpus_here, parse_gpus
from adstudio.serving.launch import flags_for
from adstudio.serving.model_config import ServedModel, model_named, weights_by_name
from adstudio.serving.vllm_program import version_of, vllm_here

H100, L40S, RTX4090 = 81_559, 46_068, 24_564  # MiB, as nvidia-smi tells


def gpus(count: int, memory: int = H100) -> tuple[Gpu, ...]:
    return tuple(Gpu(index, memory) for index in range(count))


FP8 = model_named("Qwen/Qwen3.5-27B-FP8")
BF16 = model_named("Qwen/Qwen3.5-27B")
LARGE = model_named("Qwen/Qwen3-VL-235B-A22B-Instruct-FP8")


def test_no_tool_that_is_asked_is_given_a_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    noted = tmp_path / "noted"
    for name, said in (("nvidia-smi", "0, 81559, 3, H100"), ("vllm", "0.32.1")):
        tool = tmp_path / name
        tool.write_text(f'#!/bin/sh\nenv >> "{noted}"\necho "{said}"\n')
        tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setenv("ADSTUDIO_KEY_GEMINI", "not-for-others")
    assert gpus_here() == (Gpu(0, 81_559, 3, "H100"),)
    assert vllm_here().version == "0.32.1"
    assert "PATH=" in noted.read_text()
    assert "not-for-others" not in noted.read_text()


# 27 GB in FP8 need 27·1.1 + 6 = 35.7 GB, 54 GB in 16 bits 65.4 GB, 235 GB 264.5 GB: over two 135, over four 70.6 GB.
# Nine tenths of the cards are 77.0, 43.5 and 23.2 GB.
@pytest.mark.parametrize(
    ("cards", "model", "groups"),
    [
        (gpus(1), FP8, [(0,)]),
        (gpus(2), FP8, [(0,), (1,)]),
        (gpus(8), BF16, [(k,) for k in range(8)]),
        (gpus(1, L40S), FP8, [(0,)]),
        (gpus(2, L40S), BF16, [(0, 1)]),  # 54·1.1/2 + 6 = 35.7
        (gpus(8, L40S), BF16, [(0, 1), (2, 3), (4, 5), (6, 7)]),
        (gpus(2, RTX4090), FP8, [(0, 1)]),  # 27·1.1/2 + 6 = 20.9
        (gpus(3, RTX4090), FP8, [(0, 1)]),
        (gpus(8), LARGE, [(0, 1, 2, 3), (4, 5, 6, 7)]),
        ((Gpu(2, H100), Gpu(5, H100)), FP8, [(2,), (5,)]),
        (gpus(2), ServedModel("house/model", "house/model"), [(0,), (1,)]),
        ((*gpus(1), Gpu(1, RTX4090)), FP8, [(0, 1)]),  # the smallest card counts
    ],
)
def test_replicas_rather_than_one_spread_over_all(cards, model, groups):
    assert [replica.gpus for replica in flags_for(cards, model).replicas] == groups


def options(replica) -> dict[str, str]:
    given, found = list(replica.arguments), {}
    for place, each in enumerate(given):
        if each.startswith("--"):
            following = given[place + 1] if place + 1 < len(given) else "--"
            found[each] = "" if following.startswith("--") else following
    return found


def test_what_every_replica_is_given():
    first, second = flags_for(gpus(2), FP8).replicas
    assert first.arguments == second.arguments
    given = options(first)
    assert json.loads(given["--structured-outputs-config"]) == {"backend": "xgrammar", "disable_any_whitespace": True}
    assert json.loads(given["--limit-mm-per-prompt"]) == {"video": 1, "image": 24}
    assert json.loads(given["--default-chat-template-kwargs"]) == {"enable_thinking": False}
    assert given["--reasoning-parser"] == "qwen3"
    assert given["--allowed-media-domains"] == "none.invalid"
    assert given["--max-model-len"] == "49152"
    assert {"--no-enable-log-requests", "--disable-uvicorn-access-log", "--enable-prompt-tokens-details"} <= set(given)
    assert not {"--tensor-parallel-size", "--api-key", "--speculative-config", "--trust-request-mm-kwargs"} & set(given)
    surroundings = dict(second.environment)
    assert surroundings["CUDA_VISIBLE_DEVICES"] == "1"
    assert {surroundings[name] for name in ("VLLM_NO_USAGE_STATS", "DO_NOT_TRACK", "HF_HUB_DISABLE_TELEMETRY")} == {"1"}
    assert surroundings["VLLM_MEDIA_URL_ALLOW_REDIRECTS"] == "0"


def test_a_model_that_no_card_holds_is_spread():
    (replica,) = flags_for(gpus(2, L40S), BF16).replicas
    given = options(replica)
    assert (given["--tensor-parallel-size"], given["--mm-encoder-tp-mode"]) == ("2", "data")
    assert dict(replica.environment)["CUDA_VISIBLE_DEVICES"] == "0,1"


def test_without_a_gpu_the_processor_works_and_it_is_said():
    fleet = flags_for((), FP8)
    (replica,) = fleet.replicas
    assert replica.gpus == ()
    assert {"--enforce-eager", "--dtype"} <= set(options(replica))
    assert "--gpu-memory-utilization" not in options(replica)
    assert dict(replica.environment)["CUDA_VISIBLE_DEVICES"] == ""
    assert "no GPU" in fleet.notes[0]


# Bytes of the cache for a token: layers, key and value heads, their size, key and value, two bytes each; by the models'
# config.json.
@pytest.mark.attack(17)
@pytest.mark.parametrize(
    ("name", "layers", "heads", "size"),
    [
        ("Qwen/Qwen3-VL-2B-Instruct", 28, 8, 128),
        ("Qwen/Qwen3-VL-4B-Instruct", 36, 8, 128),
        ("Qwen/Qwen3-VL-8B-Instruct", 36, 8, 128),
    ],
)
def test_a_small_models_longest_request_fits_the_processors_cache(name: str, layers: int, heads: int, size: int):
    (replica,) = flags_for((), model_named(name)).replicas
    space = int(dict(replica.environment)["VLLM_CPU_KVCACHE_SPACE"]) * 2**30
    assert int(options(replica)["--max-model-len"]) * layers * heads * size * 2 * 2 <= space


def test_a_model_for_vectors_gets_what_it_needs_alone():
    (replica,) = flags_for(gpus(1), model_named("Qwen/Qwen3-VL-Embedding-8B")).replicas
    given = options(replica)
    assert given["--runner"] == "pooling"
    assert not {"--structured-outputs-config", "--reasoning-parser"} & set(given)


def test_a_model_that_the_cards_do_not_hold_is_refused():
    with pytest.raises(BadInputError, match=r"about 71 GB on each of 4 GPUs, and 43 GB is available"):
        flags_for(gpus(7, L40S), LARGE)


def test_what_the_keeper_should_know():
    notes = " ".join(flags_for((Gpu(0, H100, 30_000), *gpus(3)[1:]), BF16).notes)
    assert "3 replicas" in notes
    assert "29 of the 80 GiB of GPU 0 are in use" in notes
    assert "GPU 2 stays idle" in " ".join(flags_for(gpus(3, RTX4090), FP8).notes)
    assert "--weights" in " ".join(flags_for(gpus(1), ServedModel("x/y", "x/y")).notes)


def test_the_keepers_options_hold_before_ours():
    (replica,) = flags_for(gpus(1), FP8, ["--max-model-len=8192", "--kv-cache-dtype", "fp8"]).replicas
    assert "49152" not in replica.arguments
    assert replica.arguments[-3:] == ("--max-model-len=8192", "--kv-cache-dtype", "fp8")
    (replica,) = flags_for(gpus(1), FP8, ["--enable-log-outputs"]).replicas
    assert "--no-enable-log-requests" in replica.arguments


@pytest.mark.parametrize(
    "bad", [["--port", "1"], ["--api-key=x"], ["--uds", "x"], ["--enable_log_requests"], ["model"]]
)
def test_options_that_would_open_a_way_round_the_front_are_refused(bad):
    with pytest.raises(BadInputError):
        flags_for(gpus(1), FP8, bad)


def test_speculation_is_warned_of():
    assert "speculative" in " ".join(flags_for(gpus(1), FP8, ["--speculative-config", "{}"]).notes)


# GPUs


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("0, 81559, 3, NVIDIA H100 80GB HBM3\n1, 81559, 12, NVIDIA H100 80GB HBM3\n", [(0, 81559, 3), (1, 81559, 12)]),
        ("1, 24564 MiB, [N/A], RTX\n0, 24564 MiB, 8 MiB, RTX, with a comma\n", [(0, 24564, 8), (1, 24564, None)]),
        ("0, [Not Supported], 0, Grace\n", []),
        ("0, 16384\n", [(0, 16384, None)]),
        ("NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\n", []),
        ("\x00\xff, , ,\n,,,,\n-1, 5, 5, x\n0, 0, 0, x\n", []),
        ("0, 100, 1, a\n0, 200, 1, again\n", [(0, 100, 1)]),
        ("", []),
    ],
)
def test_what_the_driver_says_is_read_tolerantly(said, found):
    assert [(gpu.index, gpu.memory_mib, gpu.used_mib) for gpu in parse_gpus(said)] == found


def test_gpus_are_chosen_by_their_numbers():
    cards = gpus(4)
    assert [gpu.index for gpu in chosen_gpus(cards, "2, 0")] == [2, 0]
    assert chosen_gpus(cards, None) == chosen_gpus(cards, "all") == cards
    assert chosen_gpus(cards, "none") == ()


@pytest.mark.parametrize("bad", ["4", "0,0", "x", "", "0,", "-1", "0-2"])
def test_gpus_that_are_not_here_are_refused(bad):
    with pytest.raises(BadInputError, match="0, 1, 2, 3"):
        chosen_gpus(gpus(4), bad)


# Models


@pytest.mark.parametrize(
    ("name", "gb"),
    [
        ("Qwen/Qwen3.5-27B-FP8", 27),
        ("Qwen/Qwen3.5-27B", 54),
        ("Qwen/Qwen3-VL-30B-A3B-Instruct", 60),
        ("mistralai/Mixtral-8x7B-v0.1", 112),
        ("google/gemma-3-270m-it", 0.54),
        ("house/Qwen3.5-27B-AWQ", 16.2),
        ("house/qwen3_vl_2b", 4),
    ],
)
def test_how_large_a_model_is_as_its_name_tells(name, gb):
    assert weights_by_name(name) == round(gb * 1e9)


@pytest.mark.parametrize("name", ["house/secret", "house/a4b2", "house/v1.5bis", "x/27Bananas"])
def test_names_that_do_not_tell(name):
    assert weights_by_name(name) is None


def test_a_folder_tells_by_its_files(tmp_path: Path):
    folder = tmp_path / "Mine"
    folder.mkdir()
    (folder / "config.json").write_text(
        '{"model_type": "qwen3_5", "text_config": {"max_position_embeddings": 8192}, "max_position_embeddings": 9}'
    )
    (folder / "model-1.safetensors").write_bytes(b"x" * 700)
    (folder / "model-2.safetensors").write_bytes(b"x" * 300)
    (folder / "old.bin").write_bytes(b"x" * 5000)
    model = model_named(str(folder))
    assert model == ServedModel(str(folder), "Mine", 1000, 8192, thinks=True)
    (replica,) = flags_for(gpus(1), model).replicas
    assert options(replica)["--max-model-len"] == "8192"
    assert dict(replica.environment)["HF_HUB_OFFLINE"] == "1"
    assert model_named(str(folder), 12.5).weights == 12_500_000_000


@pytest.mark.parametrize("config", [None, "{", "[]", "[" * 100_000])
def test_a_folder_without_a_model_is_refused(tmp_path: Path, config):
    if config is not None:
        (tmp_path / "config.json").write_text(config)
    with pytest.raises(BadInputError):
        model_named(str(tmp_path))


@pytest.mark.parametrize("bad", ["", "/nowhere", "./x", "a b", "-x", "a/b/c", "x;y", "x" * 300, "--model"])
def test_what_is_no_model_is_refused(bad):
    with pytest.raises(BadInputError):
        model_named(bad)


@pytest.mark.parametrize("weights", [0, -1, 1e9])
def test_weights_that_cannot_be_are_refused(weights):
    with pytest.raises(BadInputError):
        model_named("x/y", weights)


@pytest.mark.parametrize(
    ("text", "version"), [("0.32.0", (0, 32)), ("vLLM 0.33.0+cu129", (0, 33)), ("0.30.0rc1", (0, 30)), ("dev", (0, 0))]
)
def test_versions_are_read(text, version):
    assert version_of(text) == version
