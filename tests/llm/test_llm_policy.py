"""Where things may go: the rules, the proof that nothing else is opened, the log of what went, and TLS."""

from __future__ import annotations

import asyncio
import json
import os
import ssl
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

pytest.importorskip("httpx2", reason="httpx2 is not installed")

import httpcore2
from asking import ask_of, run
from fake_openai import answers
from fake_server import Act, FakeServer, refusal

from adstudio.connections.egress_log import read_back
from adstudio.core.errors import BadInputError
from adstudio.core.policy import Consent, Host, Policy
from adstudio.llm import faults, traffic_log
from adstudio.llm.gemini import Account, GeminiProvider
from adstudio.llm.keys import Secret
from adstudio.llm.messages import Image, Request, State, user
from adstudio.llm.network_backend import Exchange, PolicyBackend
from adstudio.llm.openai_protocol import OpenAIProvider, Server
from adstudio.llm.policy_enforcement import cloud_of, host_of, is_public, permit, permit_request
from adstudio.llm.transport import Transport, TransportLimits, transport_faults

HERE = Path(__file__).parent
HOUSE = Policy("on premises", (Host("gpu.house", 8000), Host("old.house", 80, plain=True)))
CONSENT = Consent("gemini", frozenset(("text",)), "2026-11-28T06:00:00Z")
CLOUD = Policy("cloud", HOUSE.hosts, CONSENT)
GOOGLE = ("https", "generativelanguage.googleapis.com", 443)


@pytest.mark.parametrize(
    ("policy", "scheme", "name", "port"),
    [
        (HOUSE, "https", "gpu.house", 8000),
        (HOUSE, "https", "GPU.House.", 8000),
        (HOUSE, "http", "old.house", 80),
        (Policy("on premises", (Host("127.0.0.1", 8000),)), "http", "127.0.0.1", 8000),
        (Policy("on premises", (Host("::1", 8000),)), "http", "[::1]", 8000),
        (CLOUD, *GOOGLE),
        (CLOUD, "https", "gpu.house", 8000),
    ],
)
def test_what_is_named_is_allowed(policy, scheme, name, port):
    permit(policy, scheme, name, port)


OPENAI = Policy("cloud", (), Consent("openai", frozenset({"text"}), ""))


def test_any_machine_of_a_confirmed_provider_is_asked():
    permit(OPENAI, "https", "eu.api.openai.com", 443)
    permit_request(OPENAI, "openai", Host("gpu.house", 443), Request((user("What?", Image(b"face")),)))
    with pytest.raises(faults.NotAllowedError, match="to openai was not confirmed"):
        permit_request(OPENAI, "openai", Host("eu.api.openai.com", 443), Request((user("What?", Image(b"face")),)))


@pytest.mark.parametrize(
    ("name", "provider"),
    [
        ("generativelanguage.googleapis.com", "gemini"),
        ("europe-west4-aiplatform.googleapis.com.", "google"),
        ("API.OpenAI.com", "openai"),
        ("studio.openai.azure.com", "azure"),
        ("api.x.ai", "xai"),
        ("max.ai", None),
        ("gpu.house", None),
        ("10.0.0.7", None),
    ],
)
def test_providers_are_known_by_the_ends_of_names(name, provider):
    assert cloud_of(name) == provider


@pytest.mark.parametrize(
    ("name", "public"),
    [
        *((name, True) for name in ("gpu.studio.tv", "8.8.8.8", "[2606:4700::1111]", "::ffff:8.8.8.8", "134744072")),
        *((name, True) for name in ("0x08080808", "local.studio.tv", "bücher.tv")),
        ("a.test", False),
        *(
            (name, False)
            for name in ("gpu", "localhost", "gpu.local", "gpu.studio.internal", "gpu.home.arpa", "a.test")
        ),
        *((name, False) for name in ("127.0.0.1", "::1", "10.1.2.3", "192.168.0.9", "172.16.0.1", "169.254.1.1")),
        *((name, False) for name in ("100.64.0.1", "[fd00::1]", "fe80::1", "GPU.Lan.")),
    ],
)
def test_what_may_be_anybodys_machine(name, public):
    assert is_public(name) is public


@pytest.mark.parametrize(
    ("policy", "scheme", "name", "port"),
    [
        (Policy(), "https", "gpu.house", 8000),
        (Policy("offline", HOUSE.hosts, CONSENT), "https", "gpu.house", 8000),
        (HOUSE, "https", "gpu.house", 8001),
        (HOUSE, "https", "gpu.house.evil.example", 8000),
        (HOUSE, "https", "evil.gpu.house", 8000),
        (HOUSE, "http", "gpu.house", 8000),
        (HOUSE, *GOOGLE),
        (Policy("on premises", (Host(GOOGLE[1], 443),)), *GOOGLE),
        (Policy("cloud", (Host(GOOGLE[1].upper() + ".", 443),)), *GOOGLE),
        (Policy("on premises", HOUSE.hosts, CONSENT), *GOOGLE),
        (Policy("cloud"), *GOOGLE),
        (Policy("cloud", (), Consent("other", frozenset(), "")), *GOOGLE),
        (CLOUD, "http", GOOGLE[1], 443),
        (CLOUD, "https", GOOGLE[1], 444),
        (CLOUD, "https", "api.openai.com", 443),
        (Policy("on premises", (Host("api.openai.com", 443),)), "https", "api.openai.com", 443),
        (Policy("cloud", (Host("api.openai.com", 443),), CONSENT), "https", "api.openai.com", 443),
        (OPENAI, "https", "openai.com.evil.example", 443),
        (OPENAI, "https", "evilopenai.com", 443),
        (OPENAI, *GOOGLE),
        (OPENAI, "http", "api.openai.com", 443),
    ],
)
def test_what_is_not_named_is_refused(policy, scheme, name, port):
    with pytest.raises(faults.NotAllowedError, match=r"offline|may not send|unencrypted"):
        permit(policy, scheme, name, port)


def test_what_was_not_confirmed_goes_to_no_machine_of_the_provider_in_whatever_protocol():
    shown = Request((user("What happens?", Image(b"face")),))
    google = host_of(f"https://{GOOGLE[1]}/v1beta/openai")
    for provider, host in (("openai", google), ("gemini", google), ("gemini", HOUSE.hosts[0])):
        permit_request(CLOUD, provider, host, Request((user("What happens?"),)))
        with pytest.raises(faults.NotAllowedError, match="sending this project’s photos of people with their names to"):
            permit_request(CLOUD, provider, host, shown)
    permit_request(CLOUD, "openai", HOUSE.hosts[0], shown)


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://GPU.house/v1", Host("gpu.house", 443)),
        (" http://10.0.0.7:8000/v1 ", Host("10.0.0.7", 8000, plain=True)),
        ("https://[::1]:8000", Host("::1", 8000)),
        ("https://bücher.example", Host("xn--bcher-kva.example", 443)),
    ],
)
def test_addresses(url, host):
    assert host_of(url) == host


@pytest.mark.parametrize(
    "url",
    [
        *(
            "gpu.house:8000",
            "ftp://x",
            "https://",
            "https://me:pw@x",
            "https://x?a=b",
            "https://x:99999",
            "https://x:0",
        ),
        *("https://gpu house/v1", "https://gpu.\n.house/v1", "https://gpu/v 1", "https://x\x00", "https://...:80"),
        *(f"https://{'a' * 254}", f"https://gpu/{'v' * 2000}", f"https://{'ä' * 80}.de"),
    ],
)
def test_what_is_no_address(url):
    with pytest.raises(BadInputError, match=r"not (the address of a server|a valid host name)"):
        host_of(url)


@pytest.mark.parametrize(
    ("url", "seen"),
    [
        (
            "http://user:secretpw@host/v1",
            "“http://…@host/v1” is not the address of a server: it contains a user",
        ),
        ("user:secretpw@host", "“…@host”"),
        (
            "https://host/v1?key=secretpw",
            "“https://host/v1?…” is not the address of a server: it contains a quest",
        ),
        ("https://host/v1#secretpw", "“https://host/v1#…” is not the address of a server: it contains a #"),
        ("https://user:a/secretpw@host:1/v1", "“https://…@host:1/v1”"),
        ("https://user:a@secretpw@host:1/v1", "“https://…@host:1/v1”"),
        ("https://user:a?secretpw@host", "“https://…”"),
        ("https://user:a#secretpw@host?secretpw", "“https://…”"),
        ("https://host/?a=b@secretpw", "“https://…”"),
        ("http://user:secretpw@", "“http://…@”"),
        ("http://user:secretpw@ho st/v1", "“http://…@ho st/v1”"),
    ],
)
def test_an_address_that_is_refused_is_shown_without_what_may_be_secret(url, seen):
    with pytest.raises(BadInputError) as refused:
        host_of(url)
    assert seen in str(refused.value)
    assert "secretpw" not in str(refused.value)


def proof(rule, port):
    """What the audit hook heard in a process of its own, and what came of each ask."""
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    # Of no effect, any of them:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "GOOGLE_GEMINI_BASE_URL", "GOOGLE_VERTEX_BASE_URL"):
        environment[name] = "http://127.0.0.1:9"
    environment |= {"GOOGLE_GENAI_USE_VERTEXAI": "true", "GOOGLE_CLOUD_PROJECT": "p", "GEMINI_API_KEY": "another"}
    script = Path(__file__).parents[1] / "fakes" / "sockets_proof.py"
    done = subprocess.run(
        [sys.executable, str(script), rule, str(port)],
        check=False,
        capture_output=True,
        text=True,
        env=environment,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_offline_opens_no_socket_and_looks_nothing_up():
    found = proof("offline", 8000)
    assert found["answers"] == [["NotAllowedError", ""]] * 12
    assert found["heard"] == []
    assert not found["google"], "its client is loaded only where something may be sent"


def test_on_premises_talks_to_the_named_host_only():
    pytest.importorskip("google.genai", reason="google-genai is not installed")

    async def work():
        async with FakeServer(refusal(404, {}), answers("He parks.")) as server:
            return await asyncio.to_thread(proof, "on premises", server.port), server

    found, server = run(work)
    google, not_google, named, *others = found["answers"]
    assert (google, named) == (["ModelMissingError", ""], ["NoneType", "He parks."])
    assert [not_google, *others] == [["NotAllowedError", ""]] * 7
    assert len(server.requests) == 2
    connected = {place for event, place in found["heard"] if event == "socket.connect"}
    assert connected == {f"127.0.0.1:{server.port}"}
    asked = {place.split(":")[0] for event, place in found["heard"] if event in ("socket.getaddrinfo", "socket.sendto")}
    assert asked <= {"127.0.0.1"}


def test_whoever_opens_it_the_door_asks_the_policy_itself():
    async def work():
        async with FakeServer(answers("x")) as server:
            door = PolicyBackend(partial(permit, Policy()), "http", Exchange("here", 1.0))
            with pytest.raises(faults.NotAllowedError, match="offline"):
                await door.connect_tcp("127.0.0.1", server.port)
            with pytest.raises(faults.NotAllowedError, match="socket"):
                await door.connect_unix_socket("/run/x")
            return server

    assert run(work).most_open == 0


def test_a_redirect_to_another_place_is_not_followed():
    async def work():
        async with FakeServer(answers("x")) as other:
            act = refusal(307, {}, Location=f"{other.url}/v1/chat/completions")
            async with FakeServer(act) as server:
                both = Policy("on premises", (host_of(server.url), host_of(other.url)))
                answer = await ask_of(OpenAIProvider(Server(f"{server.url}/v1", "m"), both, quiet(both)))
                return answer, other.requests

    answer, requests = run(work)
    assert (type(answer.fault), requests) == (faults.GarbledError, [])


def quiet(policy, tell=lambda _: None, **how):
    return Transport(policy, tell, **how)


def logged(tmp_path, *acts, policy=None, asks=1):
    path = tmp_path / "log" / "traffic.jsonl"

    async def work():
        async with FakeServer(*acts) as server:
            rule = policy or Policy("on premises", (host_of(server.url),))
            transport = quiet(rule, traffic_log.TrafficLog(path, "film-7"))
            provider = OpenAIProvider(Server(f"{server.url}/v1", "m"), rule, transport)
            return [await ask_of(provider) for _ in range(asks)], server

    answers_, server = run(work)
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return answers_, server, lines


def test_every_request_is_logged_with_its_bytes_and_none_of_its_words(tmp_path):
    _, server, lines = logged(tmp_path, answers("He parks."), refusal(429, {"error": "slow"}), asks=2)
    assert [(line["event"], line["status"]) for line in lines] == [
        ("begun", 0),
        ("sent", 0),
        ("answered", 200),
        ("begun", 0),
        ("sent", 0),
        ("answered", 429),
    ]
    assert {(line["project"], line["place"], line["path"], line["method"]) for line in lines} == {
        ("film-7", f"127.0.0.1:{server.port}", "/v1/chat/completions", "POST")
    }
    ends = [line for line in lines if line["event"] == "answered"]
    assert sum(line["sent"] for line in ends) == server.received  # to the byte
    assert [line["sent"] for line in lines if line["event"] == "sent"] == [line["sent"] for line in ends]
    assert ends[0]["received"] + ends[1]["received"] <= server.sent  # the last bytes may stay unread
    assert ends[0]["received"] > 0
    text = json.dumps(lines)
    assert "parks" not in text
    assert "ANNA" not in text


KILLED = """
import asyncio, sys
from asking import ask_of
from adstudio.llm.openai_protocol import OpenAIProvider, Server
from adstudio.llm.policy_enforcement import host_of
from adstudio.llm.traffic_log import TrafficLog
from adstudio.llm.transport import Transport
from adstudio.core.policy import Policy
from pathlib import Path
url, log = sys.argv[1:]
rule = Policy("on premises", (host_of(url),))
asyncio.run(ask_of(OpenAIProvider(Server(f"{url}/v1", "m"), rule, Transport(rule, TrafficLog(Path(log))))))
"""


def test_what_a_killed_process_had_sent_is_in_the_log(tmp_path):
    log = tmp_path / "sent.jsonl"

    async def work():
        async with FakeServer(Act(then="hang")) as server:
            child = await asyncio.create_subprocess_exec(
                *(sys.executable, "-c", KILLED, server.url, str(log)),
                env={**os.environ, "PYTHONPATH": os.pathsep.join((str(HERE.parent / "fakes"), str(HERE.parents[1])))},
            )
            await server.asked.wait()
            for _ in range(1000):
                if '"sent", ' not in log.read_text("utf-8"):
                    await asyncio.sleep(0.01)
            child.kill()
            await child.wait()
            return server.received

    received = run(work)
    (looked,) = read_back(log)
    ((outcome, sent),) = [(each.outcome, each.sent) for each in looked.requests]
    assert (outcome, sent) == ("sent", received)
    assert received > 100_000


def test_how_far_a_long_request_is_stands_in_the_log_before_its_end():
    noted = []
    exchange = Exchange("gpu:1", 1.0, lambda: noted.append(exchange.sent))
    for _ in range(40):
        exchange.went_out(65_536)
    exchange.note()
    exchange.note()  # nothing more is out
    assert noted == [16 * 65_536, 32 * 65_536, 40 * 65_536]


def test_what_is_refused_is_logged_too(tmp_path):
    (answer,), server, lines = logged(tmp_path, answers("x"), policy=Policy())
    assert type(answer.fault) is faults.NotAllowedError
    assert [(line["event"], line["sent"], line["received"]) for line in lines] == [("refused", 0, 0)]
    assert server.requests == []


def test_where_the_log_cannot_be_written_nothing_is_sent(tmp_path):
    (tmp_path / "log").write_text("a file in the way")

    async def work():
        async with FakeServer(answers("x")) as server:
            rule = Policy("on premises", (host_of(server.url),))
            transport = quiet(rule, traffic_log.TrafficLog(tmp_path / "log" / "traffic.jsonl"))
            return await ask_of(OpenAIProvider(Server(f"{server.url}/v1", "m"), rule, transport)), server

    answer, server = run(work)
    assert (type(answer.fault), server.requests) == (faults.NotAllowedError, [])
    assert "traffic log cannot be written" in answer.why


def test_a_project_whose_name_is_no_text_is_logged_too(tmp_path):
    name = os.fsdecode(b"caf\xe9") + "n" * 300
    traffic_log.TrafficLog(tmp_path / "sent.jsonl", name)(
        traffic_log.TrafficRecord(1, "refused", traffic_log.now(), "POST", "gpu:1", "")
    )
    (looked,) = read_back(tmp_path / "sent.jsonl", frozenset({name}))
    assert [request.outcome for request in looked.requests] == ["refused"]


def test_a_large_log_goes_on_in_a_new_file_and_nothing_is_lost(tmp_path, monkeypatch):
    monkeypatch.setattr(traffic_log, "LARGEST", 100)
    log = traffic_log.TrafficLog(tmp_path / "traffic.jsonl")
    for number in range(4):
        log(traffic_log.TrafficRecord(number, "begun", traffic_log.now(), "POST", "gpu:1", "/v1"))
    assert [len(path.read_text().splitlines()) for path in tmp_path.iterdir()] == [1, 1, 1, 1]


def over_tls(certificate, authority, url=None):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate / "certificate.pem", certificate / "key.pem")

    async def work():
        async with FakeServer(answers("He parks."), tls=context) as server:
            address = (url or "{}").format(server.url)
            policy = Policy("on premises", (host_of(address),))
            transport = quiet(policy, authority=authority)
            return await ask_of(OpenAIProvider(Server(f"{address}/v1", "m"), policy, transport)), server

    return run(work)


def test_a_certificate_that_nobody_vouches_for_is_not_trusted(certificate):
    answer, server = over_tls(certificate, None)
    assert type(answer.fault) is faults.UntrustedError
    assert "cannot be trusted" in answer.why
    assert server.requests == []


def test_gemini_at_a_gateway_that_nobody_vouches_for_is_not_trusted_either(certificate):
    pytest.importorskip("google.genai", reason="google-genai is not installed")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate / "certificate.pem", certificate / "key.pem")

    async def work():
        async with FakeServer(answers("x"), tls=context) as server:
            policy = Policy("on premises", (host_of(server.url),))
            account = Account("gemini-3.1-flash-lite", Secret("AIza-test-0123456789abcdefghij"), server.url)
            return await ask_of(GeminiProvider(account, policy, quiet(policy))), server

    answer, server = run(work)
    assert type(answer.fault) is faults.UntrustedError
    assert server.requests == []


def test_models_are_not_asked_for_offline():
    secret = Secret("AIza-test-0123456789abcdefghij")
    for provider in (
        GeminiProvider(Account("gemini-3.1-flash-lite", secret), Policy(), quiet(Policy())),
        OpenAIProvider(Server("https://gpu.house/v1", "m"), Policy(), quiet(Policy())),
    ):
        with pytest.raises(faults.NotAllowedError, match="this project is offline"):
            run(provider.models)


def test_the_houses_own_authority_is_trusted(certificate):
    answer, _ = over_tls(certificate, certificate / "certificate.pem")
    assert (answer.state, answer.text) == (State.COMPLETE, "He parks.")


def test_a_file_that_holds_no_certificate(certificate, tmp_path):
    (tmp_path / "x.pem").write_text("nothing")
    answer, _ = over_tls(certificate, tmp_path / "x.pem")
    assert type(answer.fault) is faults.UntrustedError
    assert "not a certificate file" in answer.why


def test_what_was_never_begun_is_not_logged_as_begun(tmp_path):
    (tmp_path / "x.pem").write_text("nothing")
    policy, told = Policy("on premises", (Host("gpu.house", 443),)), []
    transport = quiet(policy, told.append, authority=tmp_path / "x.pem")
    answer = run(lambda: ask_of(OpenAIProvider(Server("https://gpu.house/v1", "m"), policy, transport)))
    assert (type(answer.fault), told) == (faults.UntrustedError, [])


async def _hangs_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read(100)
    writer.close()


async def _resets(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read(100)
    writer.transport.abort()


async def _says_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read()
    writer.close()


@pytest.mark.parametrize(
    ("serve", "why"),
    [(_says_nothing, "it timed out"), (_hangs_up, "it closed the connection"), (_resets, "it closed the connection")],
)
def test_a_handshake_that_is_not_gone_through_with_says_nothing_of_trust_and_is_tried_again(serve, why):
    async def work():
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        policy = Policy("on premises", (Host("127.0.0.1", port),))
        transport = quiet(policy, limits=TransportLimits(connect=0.5))
        answer = await ask_of(OpenAIProvider(Server(f"https://127.0.0.1:{port}/v1", "m"), policy, transport))
        server.close()
        await server.wait_closed()
        return answer

    fault = run(work).fault
    assert type(fault) is faults.UnreachableError
    assert why in str(fault)
    assert fault.retryable
    assert not fault.affects_all


def test_tls_that_breaks_in_the_middle_is_a_lost_connection_and_ends_no_other_ask():
    broken = ssl.SSLError(1, "[SSL] bad record mac")
    broken.reason = "BAD_RECORD_MAC"
    with (
        pytest.raises(faults.LostError, match=r"the connection to gpu:1 was lost \(bad record mac\)") as told,
        transport_faults(Exchange("gpu:1", 1.0)),
    ):
        raise broken
    assert told.value.retryable
    assert not told.value.affects_all
    refused = httpcore2.ConnectError()
    refused.__cause__ = broken
    with pytest.raises(faults.UntrustedError, match="nothing was sent"), transport_faults(Exchange("gpu:1", 1.0)):
        raise refused


def test_tls_to_a_server_without_it():
    async def serve(reader, writer):
        await reader.read(10)
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        await writer.drain()
        writer.close()

    async def work():
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        policy = Policy("on premises", (Host("127.0.0.1", port),))
        answer = await ask_of(OpenAIProvider(Server(f"https://127.0.0.1:{port}/v1", "m"), policy, quiet(policy)))
        server.close()
        return answer

    assert type(run(work).fault) is faults.UntrustedError
