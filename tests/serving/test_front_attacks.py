"""Who would starve, stall or overhear the front: silent connections, uploads that stop, cookies, kills and cores."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import resource
import signal
import socket
import ssl
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from fake_vllm import KEY, FakeVllm
from in_loop import House, comes, house
from serving import Bench, is_alive, until

CHAT = "/v1/chat/completions"
ASK = {"model": "tiny", "messages": [{"role": "user", "content": "x"}]}
LONG = ASK | {"stream": True, "min_tokens": 100_000}
HEAD = f"POST {CHAT} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {KEY}\r\n".encode()

pytestmark = [pytest.mark.flood, pytest.mark.attack(13)]


# Cookies


class Setting(FakeVllm):
    """Sets a cookie with every answer, and notes what comes with the requests."""

    def __init__(self, cookie: bytes) -> None:
        super().__init__()
        self.cookie = cookie
        self.sent: list[bytes] = []

    async def __call__(self, scope, receive, send) -> None:
        self.sent += [value for name, value in scope["headers"] if name == b"cookie"]

        async def setting(message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], (b"set-cookie", self.cookie)]
            await send(message)

        await super().__call__(scope, receive, setting)


@pytest.mark.parametrize(
    "cookie",
    [b"asker=first", b"asker=first; Path=/; Max-Age=9999", b"asker=first; Domain=vllm.local", b"a=1; Secure; HttpOnly"],
)
def test_what_one_asker_was_given_to_keep_goes_with_no_request_of_another(tmp_path: Path, cookie: bytes):
    async def go() -> None:
        fake = Setting(cookie)
        async with house(tmp_path, fake) as found:
            for path in (CHAT, CHAT, "/v1/embeddings"):
                async with found.client() as client:
                    said = await client.post(path, json=ASK)
                    assert said.status_code == 200
                    assert "set-cookie" not in said.headers
            async with found.client() as client:
                await client.get("/metrics")
        assert fake.sent == []

    asyncio.run(go())


# Connections without a key


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


@contextlib.contextmanager
def crowd(port: int, count: int, first: bytes, *, tls: bool = False) -> Iterator[list[socket.socket]]:
    """So many connections that each send some bytes and then nothing."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with contextlib.ExitStack() as stack:
        found: list[socket.socket] = []
        for _ in range(count):
            each = stack.enter_context(socket.socket())
            each.settimeout(1)
            try:
                each.connect(("127.0.0.1", port))
                if tls:
                    each = stack.enter_context(context.wrap_socket(each))
                each.sendall(first)
            except OSError:
                break  # it accepts no more
            found.append(each)
        yield found


SILENT = {
    "nothing": b"",
    "half a head": b"GET /health HTTP/1.1\r\nHost: x\r\n",
    "an answer, and then nothing": b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n",
    "an upload without a key": f"POST {CHAT} HTTP/1.1\r\nHost: x\r\nContent-Length: 90000\r\n\r\n".encode(),
}


@pytest.mark.parametrize(
    ("tls", "said"),
    [*[("", said) for said in SILENT], ("TLS", "nothing"), ("TLS", "half a head"), ("before TLS", "nothing")],
)
def test_silent_connections_do_not_keep_out_one_with_the_key(bench: Bench, certificate, tls: str, said: str):
    options = ("--tls-cert", str(certificate[0]), "--tls-key", str(certificate[1])) if tls else ()
    bench.start(*options, limits={resource.RLIMIT_NOFILE: 128})
    trust = {"verify": ssl.create_default_context(cafile=str(certificate[0]))} if tls else {}
    bench.up(**trust)
    with crowd(bench.port, 200, SILENT[said], tls=tls == "TLS"), bench.client(**trust, patience=5) as client:
        for _ in range(3):
            assert client.post(CHAT, json=ASK, headers={"Connection": "close"}).status_code == 200
    assert "Traceback" not in bench.log.read_text()


def test_a_thousand_silent_connections_do_not_either_where_descriptors_abound(bench: Bench):
    bench.start(limits={resource.RLIMIT_NOFILE: min(4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1])})
    bench.up()
    with crowd(bench.port, 1100, b""), bench.client(patience=5) as client:
        assert client.post(CHAT, json=ASK).status_code == 200


def test_an_answer_under_way_is_not_cut_for_those_who_come_without_a_key(bench: Bench):
    bench.start(limits={resource.RLIMIT_NOFILE: 128})
    bench.up()
    with bench.client() as client, client.stream("POST", CHAT, json=ASK | {"stream": True, "min_tokens": 300}) as said:
        blocks = said.iter_bytes()
        next(blocks)
        with crowd(bench.port, 200, b""):
            assert b"".join(blocks).endswith(b"data: [DONE]\n\n")


def test_more_with_the_key_than_there_are_descriptors_are_told_to_wait_without_a_traceback(bench: Bench):
    bench.start(limits={resource.RLIMIT_NOFILE: 100})
    bench.up()
    body = json.dumps(LONG).encode()
    ask = HEAD + f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body
    with crowd(bench.port, 150, ask) as many:
        said = []
        for each in many[:60]:
            with contextlib.suppress(OSError):
                said.append(each.recv(12))
        assert b"HTTP/1.1 200" in said
        assert bench.process.poll() is None
    bench.up()
    log = bench.log.read_text()
    assert "Traceback" not in log
    assert "Errno" not in log


def test_the_oldest_of_the_address_with_most_is_closed_not_anybody_elses():
    from adstudio.serving.admission import AdmissionSocket

    with AdmissionSocket(socket.AF_INET) as listener, contextlib.ExitStack() as stack:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        listener.most_without_key = 4

        def one(source: str) -> tuple[socket.socket, socket.socket]:
            client = stack.enter_context(socket.socket())
            client.bind((source, 0))
            client.connect(listener.getsockname())
            accepted, _ = listener.accept()
            return client, stack.enter_context(accepted)

        other, with_key = one("127.0.0.1"), one("127.0.0.2")
        listener.admit(with_key[0].getsockname())
        many = []
        for _ in range(10):
            many.append(one("127.0.0.2"))
            for _client, accepted in many:
                with contextlib.suppress(OSError):  # nothing to read, or closed before
                    accepted.setblocking(False)
                    if accepted.recv(1) == b"":
                        accepted.close()  # as its transport does
        still = [accepted.fileno() != -1 for _client, accepted in [other, with_key, *many]]
        assert still == [True, True, *[False] * 7, *[True] * 3]


# Uploads that stop, answers that are not read


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    from adstudio.serving import front
    from adstudio.serving.idle_timeout import IdleTimeoutProtocol

    monkeypatch.setattr(front, "STALL_S", 0.3)
    monkeypatch.setattr(IdleTimeoutProtocol, "read_s", 0.3)


async def opened(found: House, *pieces: bytes) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection("127.0.0.1", int(found.url.rsplit(":", 1)[1]))
    for piece in pieces:
        writer.write(piece)
        await writer.drain()
    return reader, writer


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    "start",
    [
        b"Content-Length: 1000000\r\n\r\n",
        b"Content-Length: 1000000\r\n\r\n{" + b" " * 1000,
        b"Content-Length: 1000000\r\n\r\n{" + b" " * 900_000,
        b"Transfer-Encoding: chunked\r\n\r\n5\r\n{    \r\n",
        b"Transfer-Encoding: chunked\r\n\r\nFFFFFF\r\n{",
        b"Content-Length: 10\r\nExpect: 100-continue\r\n\r\n",
    ],
    ids=["before the body", "early", "late", "between chunks", "in a chunk", "after the go-ahead"],
)
def test_an_upload_that_stops_is_ended(tmp_path: Path, start: bytes):
    async def go() -> None:
        async with house(tmp_path) as found:
            reader, writer = await opened(found, HEAD + start)
            async with asyncio.timeout(5):
                said = await reader.read()
            assert b"HTTP/1.1 408 " in said
            assert b"did not arrive in time" in said
            await comes(lambda: (found.replicas[0].in_flight, found.fakes[0].gone) == (0, 1))
            assert found.fakes[0].asked == []
            writer.close()

    asyncio.run(go())


@pytest.mark.usefixtures("impatient")
def test_an_upload_that_trickles_is_ended_too(tmp_path: Path):
    async def go() -> None:
        async with house(tmp_path) as found:
            reader, writer = await opened(found, HEAD + b"Content-Length: 1000000\r\n\r\n")

            async def trickle() -> None:
                while True:
                    writer.write(b" ")
                    await asyncio.sleep(0.02)

            trickling = asyncio.create_task(trickle())
            async with asyncio.timeout(5):
                assert (await reader.read(12)) == b"HTTP/1.1 408"
            trickling.cancel()
            await comes(lambda: found.replicas[0].in_flight == 0)
            writer.close()

    asyncio.run(go())


class Waiting(FakeVllm):
    """Takes nothing of a body for a while, as vLLM does that prepares the clips of others."""

    async def __call__(self, scope, receive, send) -> None:
        await asyncio.sleep(1.0)
        await super().__call__(scope, receive, send)


@pytest.mark.usefixtures("impatient")
def test_the_time_that_vllm_takes_is_not_held_against_the_asker(tmp_path: Path):
    async def go() -> None:
        async with house(tmp_path, Waiting()) as found, found.client() as client:
            body = json.dumps(ASK).encode()[:-1] + b" " * 8_000_000 + b"}"
            assert (await client.post(CHAT, content=body)).status_code == 200

    asyncio.run(go())


class Endless(FakeVllm):
    """Says more than any buffer takes, until nobody is there."""

    async def __call__(self, scope, receive, send) -> None:
        while (await receive()).get("more_body"):
            pass
        left = asyncio.create_task(receive())
        await send({"type": "http.response.start", "status": 200, "headers": []})
        self.running = 1
        while not left.done():
            await send({"type": "http.response.body", "body": b"x" * 65_536, "more_body": True})
            await asyncio.sleep(0)
        self.gone += 1


@pytest.mark.usefixtures("impatient")
def test_who_does_not_read_the_answer_is_not_written_to_for_ever(tmp_path: Path):
    async def go() -> None:
        async with house(tmp_path, Endless()) as found:
            body = json.dumps(LONG).encode()
            _reader, writer = await opened(found, HEAD + f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
            writer.transport.pause_reading()
            await comes(lambda: found.fakes[0].running == 1)
            await comes(lambda: (found.fakes[0].gone, found.replicas[0].in_flight) == (1, 0), patience=20)
            writer.transport.abort()

    asyncio.run(go())


# Kills, cores, and other users of the machine


@pytest.mark.parametrize("replicas", [1, 2])
def test_a_kill_leaves_no_socket_and_no_folder(bench: Bench, replicas: int):
    if replicas > 1:
        bench.gpus(replicas)
    bench.start("--weights", "27")
    bench.up(replicas=replicas)
    folder = Path(bench.noted("started")[0][1][-1]).parents[1]
    for pid, arguments, _surroundings in bench.noted("started"):
        (Path(arguments[-1]).parent / "left by vLLM").touch()
        assert f"TMPDIR={Path(arguments[-1]).parent}\0" in Path(f"/proc/{pid}/environ").read_text()
    assert all(stat.S_IMODE(each.stat().st_mode) == 0o700 for each in [folder, *folder.iterdir()])
    assert bench.ended(signal.SIGKILL) == -signal.SIGKILL
    until(lambda: not folder.exists())
    assert not any(is_alive(pid) for pid, *_ in bench.noted("started"))


@pytest.mark.skipif(not Path("/dev/shm").exists(), reason="shared memory is in no folder here")
@pytest.mark.parametrize("victim", ["server", "vLLM", "its watch"])
def test_a_kill_leaves_no_shared_memory(bench: Bench, victim: str):
    bench.faults("shares memory", "outlives")
    bench.start()
    bench.up()
    ((pid, *_),) = bench.noted("started")
    memory = Path("/dev/shm", bench.noted("memory")[0])
    assert memory.exists()
    watch = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    os.kill({"server": bench.process.pid, "vLLM": pid, "its watch": watch}[victim], signal.SIGKILL)
    until(lambda: not memory.exists())
    until(lambda: not is_alive(bench.noted("engine")[0]))


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGQUIT])
def test_a_crash_writes_the_key_nowhere(bench: Bench, number: signal.Signals):
    bench.start(limits={resource.RLIMIT_CORE: resource.RLIM_INFINITY})
    bench.up()
    ((vllm, *_),) = bench.noted("started")
    for pid in (bench.process.pid, vllm):
        (limit,) = [line for line in Path(f"/proc/{pid}/limits").read_text().splitlines() if "core" in line]
        assert limit.split()[4:6] == ["0", "0"]
    assert bench.ended(number) == -number
    cores = [file for file in bench.folder.iterdir() if file.name.startswith("core")]
    assert not [file for file in cores if KEY.encode() in file.read_bytes()]
    assert cores == []


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has prctl")
def test_the_memory_is_closed_to_programs_that_core_files_are_piped_to():
    code = (
        "import ctypes\nfrom adstudio.system.core_dumps import forbid_core_dumps\nforbid_core_dumps()\n"
        "print(ctypes.CDLL(None).prctl(3, 0, 0, 0, 0))"  # PR_GET_DUMPABLE
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "0\n"


def test_a_replica_that_cannot_be_started_is_reported_not_raised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    from adstudio.serving import replica as module

    async def no_more(*_: object, **__: object) -> None:
        raise OSError(24, "Too many open files")

    monkeypatch.setattr(asyncio, "create_subprocess_exec", no_more)
    said: list[str] = []
    replica = module.Replica(0, ("true",), {}, tmp_path / "0")
    with pytest.raises(module.StartFailedError):
        asyncio.run(module.keep_up(replica, said.append, asyncio.Event(), pause_s=0.001))
    assert "too many open files" in said[0].lower()
