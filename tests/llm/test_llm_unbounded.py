"""What comes around a response: interim responses, trailers, and servers that ask for a client certificate."""

from __future__ import annotations

import asyncio
import contextlib
import json
import ssl

import pytest

pytest.importorskip("httpx2", reason="httpx2 is not installed")

import httpx2
from asking import an_ask, ask_of, run

from adstudio.core.policy import Policy
from adstudio.llm import faults, openai_protocol, server_sent_events
from adstudio.llm.keys import Secret
from adstudio.llm.messages import Clip, Limits, Request, State, user
from adstudio.llm.openai_protocol import OpenAIProvider, Server
from adstudio.llm.policy_enforcement import host_of
from adstudio.llm.transport import Transport, TransportLimits

pytestmark = [pytest.mark.flood, pytest.mark.attack(10)]


class RawServer:
    """Sends these bytes in answer to any request, then others again and again."""

    def __init__(self, answer, endless=b"", pause=0.0):
        self._answer, self._endless, self._pause = answer, endless, pause
        self.sent = 0
        self._tasks = set()

    async def __aenter__(self):
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        return self

    async def __aexit__(self, *_):
        self._server.close()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(self, reader, writer):
        self._tasks.add(asyncio.current_task())
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
            await reader.readexactly(int(head.split("content-length: ")[1].split("\r\n")[0]))
            writer.write(self._answer)
            while self._endless:
                writer.write(self._endless)
                self.sent += len(self._endless)
                await writer.drain()
                await asyncio.sleep(self._pause)
        writer.close()


def asked_of(server, *, authority=None, key=None, **limits):
    async def work():
        async with server:
            policy = Policy("on premises", (host_of(server.url),))
            transport = Transport(policy, lambda _: None, limits=TransportLimits(**limits), authority=authority)
            provider = OpenAIProvider(Server(f"{server.url}/v1", "m", key=key), policy, transport)
            answer = await ask_of(provider, an_ask(limits=Limits(deadline=8.0)))
            await provider.aclose()
            return answer

    return run(work)


EARLY = b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n"


@pytest.mark.parametrize("interim", [EARLY, b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 102 Processing\r\n\r\n"])
def test_interim_responses_without_end_are_stopped_by_their_bytes(interim):
    server = RawServer(b"", endless=interim * 500)
    answer = asked_of(server, received=500_000)
    assert type(answer.fault) is faults.RunawayError
    assert server.sent < 20_000_000  # what fits into the sockets' buffers besides


def test_interim_responses_without_end_are_stopped_by_the_wait_for_the_first_byte():
    answer = asked_of(RawServer(b"", endless=EARLY, pause=0.02), first=0.3)
    assert type(answer.fault) is faults.SilentError


def test_a_few_interim_responses_are_read_over():
    body = b'data: {"choices":[{"delta":{"content":"He parks."},"finish_reason":"stop"}]}\n\n'
    answer = asked_of(RawServer(EARLY * 3 + b"HTTP/1.0 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + body))
    assert (answer.state, answer.text) == (State.COMPLETE, "He parks.")


MESSAGE = json.dumps({"choices": [{"message": {"content": "He parks."}, "finish_reason": "stop"}]}).encode()
STREAM = b'data: {"choices":[{"delta":{"content":"He parks."},"finish_reason":"stop"}]}\n\n'


@pytest.mark.parametrize(
    ("kind", "body"), [(b"application/json", MESSAGE), (b"text/event-stream", STREAM)], ids=["message", "stream"]
)
@pytest.mark.parametrize("pause", [0.0, 0.02])
def test_trailers_without_end_are_bounded_and_take_nothing_from_the_response(kind, body, pause, monkeypatch):
    monkeypatch.setattr(openai_protocol, "GRACE_S", 0.05)
    monkeypatch.setattr(server_sent_events, "LEFT_S", 0.05)
    head = b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\nTransfer-Encoding: chunked\r\nTrailer: X-A\r\n\r\n" % kind
    whole = head + b"%x\r\n%s\r\n0\r\n" % (len(body), body)
    server = RawServer(whole, endless=b"X-A: b\r\n" * (2_000 if not pause else 1), pause=pause)
    answer = asked_of(server, received=1_000_000, between=0.5)
    assert (answer.state, answer.text) == (State.COMPLETE, "He parks.")
    assert server.sent < 20_000_000


class AsksForCertificate(RawServer):
    """Requires a client certificate, and says so in an alert, as servers do (asyncio's own only hang up)."""

    def __init__(self, certificate, version):
        super().__init__(b"")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate / "certificate.pem", certificate / "key.pem")
        context.load_verify_locations(certificate / "certificate.pem")
        context.verify_mode = ssl.CERT_REQUIRED
        context.minimum_version = context.maximum_version = version
        self._context = context

    async def __aenter__(self):
        await super().__aenter__()
        self.url = self.url.replace("http:", "https:")
        return self

    async def _serve(self, reader, writer):
        self._tasks.add(asyncio.current_task())
        given, answered = ssl.MemoryBIO(), ssl.MemoryBIO()
        tls = self._context.wrap_bio(given, answered, server_side=True)
        failed = False
        while not failed and (data := await reader.read(65_536)):
            given.write(data)
            try:
                tls.do_handshake()
            except ssl.SSLWantReadError:
                pass
            except ssl.SSLError:
                failed = True
            writer.write(answered.read())
        writer.close()


@pytest.mark.parametrize("sends", [0, 1_000, 5_000_000])
def test_a_client_certificate_that_is_asked_for_is_named(certificate, sends):
    """With TLS 1.3 by an alert behind the handshake, while the request is being sent."""

    async def work():
        async with AsksForCertificate(certificate, ssl.TLSVersion.TLSv1_3) as server:
            policy = Policy("on premises", (host_of(server.url),))
            transport = Transport(policy, lambda _: None, authority=certificate / "certificate.pem")
            provider = OpenAIProvider(Server(f"{server.url}/v1", "m"), policy, transport)
            try:
                await provider.models() if not sends else None
                return (await ask_of(provider, Request((user(Clip(bytes(sends))),)))).fault
            except faults.FaultError as error:
                return error
            finally:
                await provider.aclose()

    fault = run(work)
    assert type(fault) is faults.ClientCertificateError
    assert "requires a client certificate" in str(fault)
    assert (fault.retryable, fault.affects_all) == (False, True)


def test_a_client_certificate_that_is_asked_for_is_named_before_tls_1_3_as_what_it_may_be(certificate):
    """There the server only says that the handshake failed."""
    server = AsksForCertificate(certificate, ssl.TLSVersion.TLSv1_2)
    answer = asked_of(server, authority=certificate / "certificate.pem")
    assert isinstance(answer.fault, faults.UntrustedError)
    assert "client certificate" in answer.why


NGINX = b"<html><head><title>400 No required SSL certificate was sent</title></head></html>"


@pytest.mark.parametrize(
    ("status", "body"),
    [(400, NGINX), (496, b""), (403, b'{"error": {"message": "Client certificate required"}}')],
)
def test_a_client_certificate_that_a_gateway_asks_for_is_named(status, body):
    class Replays(httpx2.AsyncBaseTransport):
        async def handle_async_request(self, request):
            return httpx2.Response(status, content=body)

    policy = Policy("on premises", (host_of("https://gpu.house"),))
    provider = OpenAIProvider(Server("https://gpu.house/v1", "m", key=Secret("abc")), policy, Replays())
    answer = run(lambda: ask_of(provider))
    assert type(answer.fault) is faults.ClientCertificateError
