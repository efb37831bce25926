"""The front: who is let in, to what, by which replica; and what happens when either side goes."""

from __future__ import annotations

import asyncio
import json
from base64 import b64encode
from pathlib import Path

import httpx2
import pytest
from fake_vllm import KEY, FakeVllm
from in_loop import House, comes, house

from adstudio.core.policy import Policy
from adstudio.llm.keys import Secret
from adstudio.llm.messages import Request, State, user
from adstudio.llm.openai_protocol import OpenAIProvider, Server
from adstudio.llm.policy_enforcement import host_of
from adstudio.llm.retry import Retrying
from adstudio.llm.transport import Transport
from adstudio.serving.front import chosen
from adstudio.serving.idle_timeout import IdleTimeoutProtocol
from adstudio.serving.replica import Replica

CHAT = "/v1/chat/completions"
ASK = {"model": "tiny", "messages": [{"role": "user", "content": "x"}]}
LONG = ASK | {"stream": True, "min_tokens": 100_000}


def test_answers_pass_whole_and_streamed(tmp_path: Path):
    async def go() -> None:
        async with house(tmp_path) as found, found.client() as client:
            assert (await client.get("/v1/models")).json()["data"][0]["id"] == "tiny"
            said = await client.post(CHAT, json=ASK)
            assert said.json()["choices"][0]["message"]["content"] == "yes"
            async with client.stream("POST", CHAT, json=ASK | {"stream": True}) as stream:
                assert stream.headers["content-type"] == "text/event-stream; charset=utf-8"
                assert (await stream.aread()).endswith(b"data: [DONE]\n\n")
            assert (await client.post("/v1/embeddings", json={})).json() == {"data": [{"embedding": [0.5]}]}

    asyncio.run(go())


def test_a_refusal_of_vllm_is_passed_on_as_it_is(tmp_path: Path):
    async def go() -> None:
        async with house(tmp_path, FakeVllm("chat fails")) as found, found.client() as client:
            said = await client.post(CHAT, json=ASK)
            assert (said.status_code, said.json()) == (500, {"error": {"message": "engine dead"}})

    asyncio.run(go())


def test_nothing_is_to_be_had_without_the_key(tmp_path: Path):
    async def go() -> None:
        async with house(tmp_path) as found:
            keys = ("wrong", KEY[:-1], f"{KEY}x", f"{KEY} ")
            headers = [
                {},
                {"Authorization": f"Basic {KEY}"},
                {"Authorization": KEY},
                {"Authorization": "Bearer é".encode()},
            ]
            headers += [{"Authorization": f"Bearer {key}"} for key in keys[:3]]
            async with found.client(key="") as client:
                for sent in headers:
                    for path in ("/", "/v1/models", "/metrics", "/version", "/docs", "/kill", "/v1/../metrics"):
                        assert (await client.get(path, headers=sent)).status_code == 401, (sent, path)
                    for path in (CHAT, "/tokenize", "/v1/embeddings", "/kill"):
                        assert (await client.post(path, json=ASK, headers=sent)).status_code == 401, (sent, path)
                health = await client.get("/health")
                assert health.json() == {"status": "up", "replicas": {"up": 1, "of": 1}}
            assert found.fakes[0].paths == []

    asyncio.run(go())


def test_with_the_key_only_what_is_named_is_to_be_had(tmp_path: Path):
    async def go() -> None:
        async with house(tmp_path) as found, found.client() as client:
            for path in ("/docs", "/kill", "/openapi.json", "/server_info", CHAT, "//v1/models", "/v1/models/"):
                assert (await client.get(path)).status_code == 404, path
            for path in ("/v1/completions", "/v1/load_lora_adapter", "/sleep", "/health", "/metrics", "/v1/models"):
                assert (await client.post(path, json={})).status_code == 404, path
            assert (await client.delete("/v1/models")).status_code == 404
            assert found.fakes[0].paths == []

    asyncio.run(go())


def test_vllm_never_sees_the_key(tmp_path: Path):
    class Heard(FakeVllm):
        heads: list[dict[bytes, bytes]] = []  # noqa: RUF012

        async def __call__(self, scope, receive, send) -> None:
            self.heads.append(dict(scope["headers"]))
            await super().__call__(scope, receive, send)

    async def go() -> None:
        async with house(tmp_path, Heard()) as found, found.client() as client:
            await client.post(CHAT, json=ASK, headers={"Cookie": "a=b", "X-Forwarded-For": "1.2.3.4"})
        (head,) = Heard.heads
        assert not {b"authorization", b"cookie", b"x-forwarded-for"} & set(head)
        assert head[b"content-type"] == b"application/json"

    asyncio.run(go())


def test_a_person_looks_at_the_page(tmp_path: Path):
    async def go() -> None:
        async with house(tmp_path, FakeVllm(), FakeVllm("stuck")) as found, found.client(key="") as client:
            asked = await client.get("/")
            assert asked.headers["www-authenticate"] == 'Basic realm="adstudio"'
            basic = b64encode(f"anybody:{KEY}".encode()).decode()
            page = await client.get("/", headers={"Authorization": f"Basic {basic}"})
            assert page.headers["content-security-policy"].startswith("default-src 'none'")
            said = await client.post(CHAT, json=ASK, headers={"Authorization": f"Basic {basic}"})
            assert said.status_code == 401  # another site could have made the browser ask
            found.replicas[0].set_state("down")
            later = await client.get("/", headers={"Authorization": f"Basic {basic}"})
        assert "tiny: up" in page.text
        assert "2 of 2 replicas up · vLLM 0.32.0" in page.text
        assert "<td>1</td><td>up</td><td>1</td><td>1</td><td>0</td>" in page.text
        assert "tiny: partly up" in later.text
        assert "<td>0</td><td>down</td><td>0</td><td>–</td><td>–</td>" in later.text

    asyncio.run(go())


def test_health_and_metrics_of_all(tmp_path: Path):
    async def go() -> None:
        async with house(tmp_path, FakeVllm(), FakeVllm("stuck")) as found, found.client() as client:
            known = (await client.get("/health")).json()
            metrics = (await client.get("/metrics")).text
            assert [(each["replica"], each["running"], each["waiting"]) for each in known["each"]] == [
                (0, 0, 0),
                (1, 1, 0),
            ]
            assert known["versions"]["vllm"] == "0.32.0"
            assert 'vllm:num_requests_running{replica="1",engine="0",model_name="tiny"} 1.0' in metrics
            assert metrics.count("# TYPE vllm:num_requests_running gauge") == 1
            for replica in found.replicas:
                replica.set_state("down")
            health = await client.get("/health")
            assert (health.status_code, health.json()["status"]) == (503, "down")

    asyncio.run(go())


# Replicas


def test_a_scene_stays_with_its_replica_and_moves_only_when_it_goes(tmp_path: Path):
    scenes = [f"scene{k}" for k in range(12)]

    async def go() -> None:
        async with house(tmp_path, *(FakeVllm() for _ in range(3))) as found, found.client() as client:

            async def places() -> list[int]:
                places: list[int] = []
                for scene in scenes:
                    before = [len(fake.asked) for fake in found.fakes]
                    await client.post(CHAT, json=ASK, headers={"X-Session-ID": scene})
                    places.append([len(f.asked) > b for f, b in zip(found.fakes, before, strict=True)].index(True))
                return places

            first = await places()
            assert set(first) == {0, 1, 2}
            assert await places() == first
            found.replicas[1].set_state("down")
            second = await places()
            assert [a for a, b in zip(first, second, strict=True) if a != b] == [1] * first.count(1)
            found.replicas[1].set_state("up")
            assert await places() == first

    asyncio.run(go())


def test_what_is_of_no_scene_goes_where_least_is_to_do(tmp_path: Path):
    replicas = [Replica(k, (), {}, tmp_path, state="up", in_flight=n) for k, n in enumerate((2, 1, 1))]
    assert chosen(replicas, b"") is replicas[1]
    replicas[1].set_state("starting")
    assert chosen(replicas, b"") is replicas[2]
    for replica in replicas:
        replica.set_state("down")
    assert chosen(replicas, b"") is chosen(replicas, b"x") is None


def test_while_none_is_up_who_asks_is_told_to_wait(tmp_path: Path):
    async def go() -> None:
        async with house(tmp_path) as found, found.client() as client:
            found.replicas[0].set_state("starting")
            said = await client.post(CHAT, json=ASK)
            assert (said.status_code, said.headers["retry-after"]) == (503, "5")
            assert "being loaded" in said.json()["error"]["message"]
            assert (await client.get("/health")).json()["status"] == "starting"

    asyncio.run(go())


def test_a_replica_that_is_gone_is_told_as_such(tmp_path: Path):
    async def go() -> None:
        async with house(tmp_path) as found, found.client() as client:
            found.replicas[0].socket.unlink()
            said = await client.post(CHAT, json=ASK)
            assert (said.status_code, said.headers["retry-after"]) == (502, "1")
            assert found.replicas[0].in_flight == 0

    asyncio.run(go())


# Either side goes


def test_who_leaves_ends_the_answer_behind_the_front(tmp_path: Path):
    async def go() -> None:
        async with house(tmp_path) as found, found.client() as client:
            fake, replica = found.fakes[0], found.replicas[0]
            async with client.stream("POST", CHAT, json=LONG) as stream:
                await anext(stream.aiter_bytes())
                assert (fake.running, replica.in_flight) == (1, 1)
            await comes(lambda: fake.gone == 1, patience=2)
            await comes(lambda: (fake.running, replica.in_flight) == (0, 0))

    asyncio.run(go())


def test_who_leaves_before_the_first_word_ends_it_too(tmp_path: Path):
    async def go() -> None:
        async with house(tmp_path, FakeVllm("slow")) as found, found.client() as client:
            fake, replica = found.fakes[0], found.replicas[0]
            asking = asyncio.create_task(client.post(CHAT, json=LONG | {"stream": False}))
            await comes(lambda: fake.paths == [CHAT])
            asking.cancel()
            await comes(lambda: (fake.gone, replica.in_flight) == (1, 0), patience=2)

    asyncio.run(go())


def test_who_leaves_while_sending_is_not_waited_for(tmp_path: Path):
    async def torn():
        yield b" " * 1_000_000
        raise RuntimeError

    async def go() -> None:
        async with house(tmp_path) as found, found.client() as client:
            with pytest.raises(RuntimeError):
                await client.post(CHAT, content=torn(), headers={"Content-Length": "50000000"})
            await comes(lambda: found.replicas[0].in_flight == 0, patience=2)
            await comes(lambda: found.fakes[0].gone == 1, patience=2)

    asyncio.run(go())


def test_an_answer_that_breaks_off_behind_the_front_breaks_off_before_it(tmp_path: Path):
    async def go() -> None:
        async with house(tmp_path, FakeVllm("breaks")) as found, found.client() as client:
            with pytest.raises(httpx2.RemoteProtocolError):
                await client.post(CHAT, json=ASK | {"stream": True})
            assert found.replicas[0].in_flight == 0

    asyncio.run(go())


# Size


@pytest.mark.parametrize("told", [True, False], ids=["length told", "length not told"])
def test_a_request_that_is_too_large_is_refused_so_that_it_is_heard(tmp_path: Path, told: bool):
    async def much():
        for _ in range(12):
            yield b" " * 1_000_000

    async def go() -> None:
        async with house(tmp_path, body_bytes=5_000_000) as found, found.client() as client:
            for _ in range(5):
                headers = {"Content-Length": "12000000"} if told else {}
                said = await client.post(CHAT, content=much(), headers=headers)
                assert said.status_code == 413
                assert "5 MB" in said.json()["error"]["message"]
            fits = json.dumps(ASK).encode()[:-1] + b" " * 4_500_000 + b"}"
            assert (await client.post(CHAT, content=fits)).status_code == 200
            await comes(lambda: found.replicas[0].in_flight == 0)

    asyncio.run(go())


def test_a_wrong_key_is_told_however_much_was_to_be_sent(tmp_path: Path):
    async def go() -> None:
        async with house(tmp_path) as found, found.client(key="wrong") as client:
            assert (await client.post(CHAT, content=b" " * 20_000_000)).status_code == 401
            assert found.fakes[0].paths == []

    asyncio.run(go())


def test_many_at_once(tmp_path: Path):
    async def go() -> None:
        async with house(tmp_path, FakeVllm(), FakeVllm()) as found, found.client() as client:

            async def one(number: int) -> str:
                said = await client.post(CHAT, json=ASK | {"stream": True}, headers={"X-Session-ID": str(number)})
                return said.text.split("data: ")[-1]

            assert set(await asyncio.gather(*map(one, range(64)))) == {"[DONE]\n\n"}
            assert sum(len(fake.asked) for fake in found.fakes) == 64

    asyncio.run(go())


class Echoing(FakeVllm):
    """Gives back the name of the request, as vLLM does where it is told to."""

    async def __call__(self, scope, receive, send) -> None:
        name = dict(scope["headers"]).get(b"x-request-id", b"")

        async def named(message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], (b"X-Request-ID", name), (b"X-Other", b"1")]
            await send(message)

        await super().__call__(scope, receive, named)


def test_headers_come_back_byte_by_byte_and_only_those_that_are_named(tmp_path: Path):
    async def go() -> None:
        async with house(tmp_path, Echoing()) as found, found.client() as client:
            said = await client.post(CHAT, json=ASK, headers={"X-Request-ID": "scene → 7".encode()})
            assert said.status_code == 200
            assert (b"x-request-id", "scene → 7".encode()) in said.headers.raw
            assert "x-other" not in said.headers

    asyncio.run(go())


async def said_to(found: House, *pieces: bytes) -> bytes:
    """All that comes back for these bytes until the front closes the connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", int(found.url.rsplit(":", 1)[1]))
    try:
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0.05 if pieces[1:] else 0)  # each in a packet of its own
        async with asyncio.timeout(10):
            return await reader.read()
    finally:
        writer.close()


@pytest.mark.parametrize(
    "lengths",
    [
        b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        b"Content-Length: 5\r\nContent-Length: 6\r\n",
        b"Content-Length: -5\r\n",
        b"Transfer-Encoding: xchunked\r\n",
        b"Transfer-Encoding: chunked, identity\r\n",
    ],
)
def test_a_request_whose_length_is_told_in_two_ways_is_refused_and_nothing_of_it_passed_on(tmp_path: Path, lengths):
    head = b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n" % KEY.encode()
    smuggled = b"GET /v1/models HTTP/1.1\r\nHost: x\r\n\r\n"

    async def go() -> None:
        async with house(tmp_path) as found:
            said = await said_to(found, head + lengths + b"\r\n0\r\n\r\n" + smuggled)
            assert said.startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 501 ")), said
            assert said.count(b"HTTP/1.1 ") == 1
            assert found.fakes[0].paths == []

    asyncio.run(go())


@pytest.mark.parametrize(
    ("before", "half"),
    [(b"", b""), (b"", b"GET /v1/mod"), (b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n", b"GET /v1/mod")],
    ids=["nothing", "half", "half a second"],
)
def test_who_does_not_come_to_the_point_is_not_waited_for(tmp_path: Path, monkeypatch, before: bytes, half: bytes):
    monkeypatch.setattr(IdleTimeoutProtocol, "head_s", 0.1)

    async def go() -> None:
        async with house(tmp_path) as found:
            answer = await said_to(found, before, half)
            assert answer.count(b"HTTP/1.1 200") == bool(before)

    asyncio.run(go())


def test_an_answer_takes_as_long_as_it_takes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(IdleTimeoutProtocol, "head_s", 0.05)

    async def go() -> None:
        async with (
            house(tmp_path) as found,
            found.client() as client,
            client.stream("POST", CHAT, json=ASK | {"stream": True, "min_tokens": 20}) as stream,
        ):
            assert (await stream.aread()).endswith(b"data: [DONE]\n\n")

    asyncio.run(go())


@pytest.mark.attack(18)
def test_the_front_says_what_all_replicas_that_are_up_bear(tmp_path: Path):
    async def go() -> None:
        async with house(tmp_path, FakeVllm(), FakeVllm()) as found, found.client() as client:
            one, two = found.replicas

            async def said() -> str | None:
                return (await client.post(CHAT, json=ASK)).headers.get("x-adstudio-load")

            assert await said() is None, "their options say nothing"
            one.command = ("vllm", "serve", "m", "--max-num-seqs", "8", "--max-num-seqs", "32")
            assert await said() is None, "one of them says nothing"
            two.command = ("vllm", "serve", "m", "--max-num-seqs=16")
            assert await said() == "1/48"
            two.in_flight = 7
            assert await said() == "8/48"
            two.set_state("down")
            assert await said() == "1/32"

    asyncio.run(go())


@pytest.mark.attack(18)
def test_a_client_begins_at_what_the_front_says(tmp_path: Path):
    async def go() -> int:
        async with house(tmp_path) as found:
            found.replicas[0].command = ("vllm", "serve", "m", "--max-num-seqs", "32")
            policy = Policy("on premises", (host_of(found.url),))
            server = Server(f"{found.url}/v1", "tiny", key=Secret(KEY))
            provider = Retrying(OpenAIProvider(server, policy, Transport(policy, lambda _: None)))
            answer = await provider.send(Request((user("x"),)), lambda _: None, asyncio.Event())
            assert answer.state is State.COMPLETE, answer.why
            await provider.aclose()
            return provider.concurrency

    assert asyncio.run(go()) == 32
