"""`adstudio serve` as a process, with fake vLLMs on its path: their start and restart, and the end of everything."""

from __future__ import annotations

import os
import signal
import ssl
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest
from fake_vllm import KEY
from serving import Bench, is_alive, until

CHAT = "/v1/chat/completions"
ASK = {"model": "tiny", "messages": [{"role": "user", "content": "x"}]}
LONG = ASK | {"stream": True, "min_tokens": 100_000}


def asked(bench: Bench) -> list[int]:
    """Which process answered each of the asks."""
    return [pid for pid, _method, path, _headers in bench.noted("asked") if path == CHAT]


def test_one_is_started_answers_and_ends_in_order(bench: Bench):
    bench.start()
    bench.up()
    taken = bench.run("--model", str(bench.model), "--port", str(bench.port), "--key-file", str(bench.key_file))
    with bench.client() as client, client.stream("POST", CHAT, json=ASK | {"stream": True, "min_tokens": 50}) as stream:
        blocks = stream.iter_bytes()
        next(blocks)
        bench.process.send_signal(signal.SIGTERM)
        assert b"".join(blocks).endswith(b"data: [DONE]\n\n")
    assert bench.ended(None) == 128 + signal.SIGTERM
    ((pid, arguments, surroundings),) = bench.noted("started")
    assert bench.noted("ended") == [pid]
    assert arguments[:2] == ["serve", str(bench.model)]
    assert "--api-key" not in arguments
    assert list(surroundings.values()) == ["", "1", "1", None, None]
    assert taken.returncode == 3
    assert f"port {bench.port} of 127.0.0.1 cannot be opened" in taken.stderr
    log = bench.log.read_text()
    assert "no GPU" in log
    assert "replica 0 is up" in log
    assert KEY not in log
    assert not Path(arguments[-1]).parent.parent.exists()


def test_a_dead_replica_is_started_again_while_the_other_answers(bench: Bench):
    bench.gpus(2)
    bench.start("--weights", "27")
    bench.up(replicas=2)
    started = bench.noted("started")
    assert sorted(surroundings["CUDA_VISIBLE_DEVICES"] for _, _, surroundings in started) == ["0", "1"]
    with bench.client() as client:
        with client.stream("POST", CHAT, json=LONG) as stream:
            blocks = stream.iter_bytes()
            next(blocks)
            (dead,) = asked(bench)
            os.kill(dead, signal.SIGKILL)
            with pytest.raises(httpx2.RemoteProtocolError):
                b"".join(blocks)
        until(lambda: client.get("/health").json()["status"] == "partly up")
        for scene in range(6):
            assert client.post(CHAT, json=ASK, headers={"X-Session-ID": str(scene)}).status_code == 200
        assert set(asked(bench)[1:]) == {pid for pid, *_ in started} - {dead}
    bench.up(replicas=2)
    assert len(bench.noted("started")) == 3
    assert "restarting in 1 s" in bench.log.read_text()


def test_one_that_ends_without_a_reason_is_told_with_its_code_and_its_last_lines(bench: Bench):
    bench.program(
        "vllm",
        "#!/bin/sh\n[ $1 = --version ] && echo 0.33.0 && exit\necho token hf_0123456789abcdefghij\nseq 5\nexit 7\n",
    )
    bench.start()
    assert bench.ended(None) == 3
    said = bench.log.read_text()
    assert "[0] token •••\n" in said
    assert "replica 0 ended with exit code 7 (3 / 4 / 5); restarting in 1 s" in said
    assert said.endswith(
        "adstudio: vLLM ended 3 times before it was ready, the last time with exit code 7: 3 / 4 / 5\n"
    )


def test_one_that_never_comes_up_is_given_up_with_its_reason(bench: Bench):
    bench.faults("does not start")
    bench.start()
    assert bench.ended(None) == 3
    assert len(bench.noted("started")) == 3
    last = bench.log.read_text().splitlines()[-1]
    assert last.startswith("adstudio: vLLM ended 3 times before it was ready, the last time with exit code 1: ")
    assert last.endswith(": ValueError: no such model")


def test_a_second_signal_ends_it_at_once(bench: Bench):
    bench.faults("deaf to signals")
    bench.start()
    bench.up()
    with bench.client() as client, client.stream("POST", CHAT, json=LONG) as stream:
        next(stream.iter_bytes())
        bench.process.send_signal(signal.SIGINT)
        until(lambda: "stopping" in bench.log.read_text())
        bench.process.send_signal(signal.SIGINT)
        assert bench.ended(None) == 130
    assert not any(is_alive(pid) for pid, *_ in bench.noted("started"))


def test_nothing_is_left_when_it_is_killed_not_even_an_engine_that_outlives_its_vllm(bench: Bench):
    bench.faults("outlives")
    bench.start()
    bench.up()
    ((pid, *_),) = bench.noted("started")
    (engine,) = bench.noted("engine")
    assert bench.ended(signal.SIGKILL) == -signal.SIGKILL
    until(lambda: not is_alive(pid) and not is_alive(engine))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process of its parent's end")
def test_whichever_is_killed_nothing_of_it_is_left_and_it_is_started_anew(bench: Bench):
    bench.faults("outlives")
    bench.start()
    bench.up()
    ((pid, *_),) = bench.noted("started")
    (engine,) = bench.noted("engine")
    os.kill(pid, signal.SIGKILL)
    until(lambda: not is_alive(engine))
    second = until(lambda: bench.noted("started")[1:])[0][0]
    tether = int(Path(f"/proc/{second}/stat").read_text().rpartition(")")[2].split()[1])
    os.kill(tether, signal.SIGKILL)
    until(lambda: not is_alive(second))
    until(lambda: not is_alive(bench.noted("engine")[1]))
    until(lambda: len(bench.noted("started")) == 3)


# TLS


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("tls")
    pair = folder / "cert.pem", folder / "key.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    command += ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-out", str(pair[0]), "-keyout", str(pair[1])]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("openssl makes the certificate, and is not installed")
    return pair


def test_it_speaks_tls_and_nothing_else(bench: Bench, certificate):
    bench.start("--tls-cert", str(certificate[0]), "--tls-key", str(certificate[1]))
    context = ssl.create_default_context(cafile=str(certificate[0]))

    def up() -> bool:
        assert bench.process.poll() is None, bench.log.read_text()
        try:
            with bench.client(verify=context) as client:
                return client.post(CHAT, json=ASK).status_code == 200
        except httpx2.HTTPError:
            return False

    until(up)
    with bench.client() as client, pytest.raises(httpx2.HTTPError):
        client.get("/health")


def test_certificates_that_are_none_are_refused(certificate, tmp_path: Path):
    from adstudio.core.errors import BadInputError
    from adstudio.serving.serve import Listener

    other, locked = tmp_path / "other.pem", tmp_path / "locked.pem"
    subprocess.run(["openssl", "genrsa", "-out", str(other), "2048"], check=True, capture_output=True)
    command = ["openssl", "rsa", "-aes128", "-passout", "pass:abcd", "-in", str(other), "-out", str(locked)]
    subprocess.run(command, check=True, capture_output=True)
    Listener("0.0.0.0", certificate=certificate[0], certificate_key=certificate[1]).validate(plain=False)
    for cert, key, said in (
        (certificate[0], other, "not a matching certificate and key"),
        (certificate[0], locked, "not a matching certificate and key"),
        (certificate[1], certificate[1], "not a matching certificate and key"),
        (tmp_path / "nowhere", other, "could not be read"),
        (certificate[0], None, "belong together"),
        (None, None, "unencrypted"),
    ):
        with pytest.raises(BadInputError, match=said):
            Listener("0.0.0.0", certificate=cert, certificate_key=key).validate(plain=False)
