"""What `adstudio serve` refuses before it starts anything, and what it only shows. No process but the fake tools."""

from __future__ import annotations

import pytest
from serving import Bench

from adstudio.cli.run import run
from adstudio.llm import keys as keyring_keys
from adstudio.llm.faults import KeyMissingError
from adstudio.llm.keys import Secret


@pytest.fixture
def serve(bench: Bench, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """The command, in this process; its code, output and words."""
    for name in ("PATH", "FAKE_VLLM"):
        monkeypatch.setenv(name, bench.surroundings[name])

    def run_it(*options: str, model: str | None = None) -> tuple[int, str, str]:
        code = run(["serve", "--model", model or str(bench.model), *options])
        said = capsys.readouterr()
        return code, said.out, said.err

    yield run_it
    assert bench.noted("started") == []


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (("--host", "0.0.0.0"), 2, "unencrypted"),
        (("--host", "203.0.113.7", "--plain"), 3, "cannot be opened"),
        (("--host", "no.such.invalid", "--plain"), 3, "no such address"),
        (("--port", "0"), 2, "--port"),
        (("--gpus", "3"), 2, "--gpus 3"),
        (("--weights", "-1"), 2, "--weights"),
        (("--vllm", "/nowhere/vllm"), 3, "install vLLM"),
        (("--tls-cert", "x"), 2, "belong together"),
        (("--", "--api-key", "x"), 2, "--key-file"),
        (("--", "8000"), 2, "start with --"),
        (("--json",), 2, "only apply to --check"),
        (("--authority", "x"), 2, "only apply to --check"),
        (("--check", "http://127.0.0.1:1"), 2, "leave out the options that start one"),
        (("--llm", "x"), 2, "leave out the options that start one"),
    ],
)
def test_what_cannot_be_served_is_refused(serve, bench: Bench, options, code, said):
    got, out, err = serve("--key-file", str(bench.key_file), *options)
    assert (got, out) == (code, ""), err
    assert said in err
    assert len([line for line in err.splitlines() if line.startswith("adstudio: ")]) == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "has 0 keys"),
        ("short\n", "line 1"),
        ("# a\nhas a space in it\n", "line 2"),
        ("ключ" * 9, "ASCII characters"),
    ],
)
def test_keys_that_are_none_are_refused(serve, bench: Bench, text, said):
    bench.key_file.write_text(text)
    code, _, err = serve("--key-file", str(bench.key_file))
    assert (code, said in err) == (2, True), err


@pytest.mark.parametrize(
    ("version", "code", "said"),
    [("0.29.1", 2, "too old"), ("0.31.0", 0, "CVE-2026-115911"), ("junk", 3, "version"), ("0.33.0+cu129", 0, "no GPU")],
)
def test_the_version_is_looked_at(serve, bench: Bench, version, code, said):
    bench.program("vllm", f"#!/bin/sh\necho {version}\n")
    got, _, err = serve("--print")
    assert (got, said in err) == (code, True), err


def test_what_would_be_started_is_printed(serve, bench: Bench):
    bench.gpus(8, memory_mib=46_068)
    code, out, err = serve("--gpus", "1,3,4,6", "--print", "--", "--kv-cache-dtype", "fp8", model="Qwen/Qwen3.5-27B")
    assert code == 0
    lines = out.splitlines()
    assert [line.split("CUDA_VISIBLE_DEVICES=")[1].split()[0] for line in lines] == ["1,3", "4,6"]
    assert all("--tensor-parallel-size 2" in line and "--kv-cache-dtype fp8" in line for line in lines)
    assert "needs 2 GPUs, 2 replicas" in err


def test_without_vllm_it_is_printed_all_the_same(serve):
    code, out, err = serve("--print", "--gpus", "none", "--vllm", "/nowhere/vllm")
    assert code == 0, err
    assert "/nowhere/vllm serve" in out
    assert "/nowhere/vllm is not installed on this machine" in err
    assert "on the CPU" in err


def test_options_that_are_about_gpus_are_told_of_where_none_is_used(serve):
    given = ("--", "--tensor-parallel-size=2", "--dtype", "float32", "--gpu_memory_utilization", "0.5")
    code, out, err = serve("--print", "--gpus", "none", *given)
    assert code == 0, err
    assert "--tensor-parallel-size=2" in out
    told = [line for line in err.splitlines() if "concerns GPUs" in line]
    assert [line.split()[0] for line in told] == ["--tensor-parallel-size", "--gpu-memory-utilization"]


@pytest.mark.parametrize("more", [(), ("--print",), ("--vllm", "/nowhere/vllm")])
def test_a_file_of_keys_that_holds_none_is_refused_first(serve, bench: Bench, more):
    bench.key_file.write_text("# none yet\n")
    code, out, err = serve("--key-file", str(bench.key_file), *more)
    assert (code, out) == (2, ""), err
    assert "has 0 keys" in err
    code, out, err = serve("--key-file", "", *more)
    assert (code, out) == (2, ""), err
    assert "--key-file is empty" in err


# The key that is made where none is given


@pytest.fixture
def keyring(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """A keyring in memory."""
    kept: dict[str, str] = {}
    from adstudio.serving import keys

    monkeypatch.setattr(keys, "key_of", lambda place: Secret(kept[place]) if place in kept else None)
    monkeypatch.setattr(keys, "store_key", kept.__setitem__)
    return kept


def test_a_key_is_made_once_and_kept(keyring):
    from adstudio.serving.keys import keys_of_keyring

    first = keys_of_keyring("127.0.0.1:8000")
    assert (first.generated, first.stored) == (True, True)
    assert len(keyring["127.0.0.1:8000"]) >= 48
    again = keys_of_keyring("127.0.0.1:8000")
    assert (again.generated, again.stored) == (False, True)
    assert again.admit(f"Bearer {keyring['127.0.0.1:8000']}")
    assert not keys_of_keyring("127.0.0.1:8001").admit(f"Bearer {keyring['127.0.0.1:8000']}")


def test_where_nobody_could_learn_the_key_a_file_is_asked_for(serve, monkeypatch: pytest.MonkeyPatch):
    def none(*_: str) -> None:
        raise KeyMissingError("no keyring")

    monkeypatch.setattr(keyring_keys, "_through_keyring", none)
    code, _, err = serve()
    assert (code, "--key-file" in err) == (2, True)
