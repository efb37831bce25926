"""What servers say in the middle of a stream, in their own words, and streams as the standard allows them."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("httpx2", reason="httpx2 is not installed")

import httpx2
from asking import ask_of, run

from adstudio.core.policy import Host, Policy
from adstudio.llm import faults
from adstudio.llm.gemini import Account, GeminiProvider
from adstudio.llm.keys import Secret
from adstudio.llm.messages import State
from adstudio.llm.openai_protocol import OpenAIProvider, Server

POLICY = Policy("on premises", (Host("gpu.house", 443),))
KEY = Secret("AIza-test-0123456789abcdefghij")


class Cut(httpx2.AsyncBaseTransport, httpx2.AsyncByteStream):
    """Answers with a body that comes in blocks of so many bytes."""

    def __init__(self, body, status=200, kind="text/event-stream", size=1_000_000):
        self._blocks = [body[at : at + size] for at in range(0, len(body), size)]
        self._status, self._kind = status, kind

    async def handle_async_request(self, request):
        return httpx2.Response(self._status, headers={"Content-Type": self._kind}, stream=self)

    async def __aiter__(self):
        for block in self._blocks:
            yield block

    async def aclose(self):
        pass


def openai(transport):
    return OpenAIProvider(Server("https://gpu.house/v1", "m", key=KEY), POLICY, transport)


def gemini(transport):
    pytest.importorskip("google.genai", reason="google-genai is not installed")
    return GeminiProvider(Account("gemini-3.1-flash-lite", KEY, "https://gpu.house"), POLICY, transport)


def event(said):
    return f"data: {json.dumps(said, ensure_ascii=False)}\n\n".encode()


BOTH = pytest.mark.parametrize("provider", [openai, gemini])


@BOTH
@pytest.mark.parametrize(
    ("error", "fault"),
    [
        ({"code": "400", "message": "This model's maximum context length is 10 tokens"}, faults.TooLongError),
        ({"message": "This model's maximum context length is 10 tokens"}, faults.TooLongError),
        ("the prompt is too long", faults.TooLongError),
        ({"code": "context_length_exceeded", "type": "invalid_request_error", "message": "no"}, faults.TooLongError),
        ({"code": 400, "type": "BadRequestError", "message": "no"}, faults.BadRequestError),
        ({"code": "invalid_api_key", "message": "no"}, faults.KeyRefusedError),
        ({"code": "401", "message": "no"}, faults.KeyRefusedError),
        ({"type": "permission_error", "message": "no"}, faults.KeyRefusedError),
        ({"code": None, "type": "NotFoundError", "message": "no"}, faults.ModelMissingError),
        ({"code": "rate_limit_exceeded", "type": "tokens", "message": "slow"}, faults.RateError),
        ({"code": "429"}, faults.RateError),
        ({"code": 429.0}, faults.RateError),
        ({"status": "RESOURCE_EXHAUSTED", "message": "slow"}, faults.RateError),
        ({"code": "insufficient_quota", "type": "insufficient_quota", "message": "no"}, faults.QuotaError),
        ({"type": "overloaded_error", "message": "busy"}, faults.OverloadedError),
        ({"code": "503", "status": "UNAVAILABLE"}, faults.OverloadedError),
        ({"code": "content_filter", "message": "no"}, faults.BlockedError),
        ({"code": "99999", "message": "no"}, faults.ServerError),
        ({"code": "server_error"}, faults.ServerError),
        ({"code": True}, faults.ServerError),
        ("no", faults.ServerError),
        ([], faults.ServerError),
    ],
    ids=str,
)
def test_an_error_in_the_middle_is_what_its_number_or_its_name_says(provider, error, fault):
    answer = run(lambda: ask_of(provider(Cut(event({"error": error})))))
    assert type(answer.fault) is fault
    assert answer.state is (State.BLOCKED if fault is faults.BlockedError else State.FAILED)


@BOTH
@pytest.mark.parametrize(
    ("status", "error", "fault"),
    [
        (400, {"code": "context_length_exceeded", "message": "no"}, faults.TooLongError),
        (400, {"code": "invalid_api_key", "message": "no"}, faults.KeyRefusedError),
        (429, {"code": "insufficient_quota", "message": "no"}, faults.QuotaError),
        (400, {"code": "content_filter", "message": "no"}, faults.BlockedError),
        (503, {"code": "rate_limit_exceeded", "message": "no"}, faults.OverloadedError),  # HTTP has said it
    ],
    ids=str,
)
def test_a_refusal_is_what_http_and_its_name_say(provider, status, error, fault):
    body = json.dumps({"error": error}).encode()
    assert type(run(lambda: ask_of(provider(Cut(body, status, "application/json")))).fault) is fault


@BOTH
def test_google_tells_how_long_to_wait_in_a_stream_too(provider):
    details = [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "7.5s"}]
    answer = run(lambda: ask_of(provider(Cut(event({"error": {"code": 429, "details": details}})))))
    assert (type(answer.fault), answer.fault.retry_after) == (faults.RateError, 7.5)


SAID = {
    openai: [
        {"choices": [{"delta": {"content": "He "}}]},
        {"choices": [{"delta": {"content": "p\u2028ärks."}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 9}},
    ],
    gemini: [
        {"candidates": [{"content": {"parts": [{"text": "He "}]}}]},
        {
            "candidates": [{"content": {"parts": [{"text": "p\u2028ärks."}]}, "finishReason": "STOP"}],
            "usageMetadata": {"promptTokenCount": 9, "promptTokensDetails": [{"modality": "VIDEO", "tokenCount": 9}]},
        },
    ],
}


def in_lines(said):
    """An event's JSON over many lines of data."""
    return b"".join(b"data: %s\n" % line for line in json.dumps(said, indent=1).encode().split(b"\n")) + b"\n"


FORMS = {
    "plain": b"".join,
    "CRLF": lambda found: b"".join(found).replace(b"\n", b"\r\n"),
    "CR": lambda found: b"".join(found).replace(b"\n", b"\r"),
    "a mark of the byte order": lambda found: b"\xef\xbb\xbf" + b"".join(found),
    "no blank behind the colon": lambda found: b"".join(found).replace(b"data: ", b"data:"),
    "no blank lines": lambda found: b"".join(found).replace(b"\n\n", b"\n"),
    "no end": lambda found: b"".join(found).rstrip(),
    "named and numbered": lambda found: b"".join(b"event: x\nid: 7\nretry: 9\n: hm\n" + each for each in found),
    "events of nothing": lambda found: b"data:\n\ndata\n\n\n".join([b"", *found]),
}


@BOTH
@pytest.mark.parametrize("size", [1_000_000, 7, 1])
@pytest.mark.parametrize("lay_out", [event, in_lines])
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_streams_in_every_form_that_the_standard_allows(provider, form, lay_out, size):
    if lay_out is in_lines and form is FORMS["no blank lines"]:
        return  # nothing says where an event ends
    body = form([lay_out(each) for each in SAID[provider]])
    answer = run(lambda: ask_of(provider(Cut(body, size=size))))
    assert (answer.state, answer.text, answer.usage.tokens_in) == (State.COMPLETE, "He p\u2028ärks.", 9)


@BOTH
def test_a_broken_character_is_one_and_the_answer_is_kept(provider):
    body = b"".join(map(event, SAID[provider])).replace("ä".encode(), b"\xc3")
    assert run(lambda: ask_of(provider(Cut(body)))).text == "He p\u2028\ufffdrks."


@BOTH
def test_an_event_of_lines_without_end_is_not_gathered(provider):
    answer = run(lambda: ask_of(provider(Cut(b"data: {\n" + b"data: \n" * 1_500_000, size=65_536))))
    assert type(answer.fault) is faults.RunawayError


def test_the_end_is_the_end_though_its_event_is_not_ended():
    body = b"".join(map(event, SAID[openai])) + b"data: [DONE]\n"
    assert run(lambda: ask_of(openai(Cut(body)))).state is State.COMPLETE


def test_a_second_answer_that_nobody_asked_for_is_left():
    other = event({"choices": [{"index": 1, "delta": {"content": "OTHER"}, "finish_reason": "length"}]})
    first, last = map(event, SAID[openai])
    answer = run(lambda: ask_of(openai(Cut(first + other + last + other))))
    assert (answer.state, answer.text) == (State.COMPLETE, "He p\u2028ärks.")


def test_what_the_server_says_of_who_answers_is_kept():
    first, last = SAID[openai]
    said = event(first | {"id": "chatcmpl-7", "model": "m-1", "system_fingerprint": "vllm-0.32.0-tp1-4f2a"})
    answer = run(lambda: ask_of(openai(Cut(said + event(last | {"system_fingerprint": None, "id": 7})))))
    assert (answer.model, answer.fingerprint, answer.response_id) == ("m-1", "vllm-0.32.0-tp1-4f2a", "chatcmpl-7")
    first, last = SAID[gemini]
    said = event(first | {"modelVersion": "gemini-x-001", "responseId": "aB3"})
    answer = run(lambda: ask_of(gemini(Cut(said + event(last)))))
    assert (answer.model, answer.fingerprint, answer.response_id) == ("gemini-x-001", "", "aB3")


def test_what_it_says_of_itself_is_bounded():
    first, last = SAID[openai]
    said = event(first | {"id": "\x1b[2J" + "x" * 9_000, "system_fingerprint": {"a": 1}})
    answer = run(lambda: ask_of(openai(Cut(said + event(last)))))
    assert (answer.fingerprint, len(answer.response_id), answer.response_id[:4]) == ("", 200, "[2Jx")
