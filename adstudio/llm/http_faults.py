"""HTTP errors as faults: the status, and the server's own message, as a sentence that says how to fix it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, cast

from adstudio.llm import faults
from adstudio.llm.faults import FaultError
from adstudio.llm.json_fields import number, parsed, part, quotable, rows, seconds, text
from adstudio.llm.keys import Secret, masked

if TYPE_CHECKING:
    import httpx2

_TOO_LONG = re.compile(
    r"(?i)maximum context length|context[_ ]length|max_model_len|input token count|too many (input )?tokens|"
    r"maximum number of tokens|encoder cache|prompt is too long|longer than the maximum model length"
)
_BAD_KEY = re.compile(r"(?i)api[_ ]key[_ ](not valid|invalid|expired)|(invalid|incorrect)[_ ]api[_ ]key")
_ASKS = re.compile(rb"(?i)no required ssl certificate|client certificate (is )?(required|missing|not (sent|provided))")
"""In nginx's page for a request without the client certificate that it requires, and in other gateways'."""
_NO_CERTIFICATE = 496
"""nginx's status for that."""
_SAID = 200
_MOST_READ = 4000
_LONGEST_TIME = 100
_LONGEST_NAME = 80
LONGEST_WAIT = 3600.0
"""Seconds; longer waits that servers ask for are cut to this."""


_BUSY = (faults.OverloadedError, "{place} is too busy or still starting{quoted}: try again later")
_KEY = (faults.KeyRefusedError, "{place} rejected the key{quoted}: enter it again")
_NO_KEY = (
    faults.KeyRefusedError,
    "{place} requires a key{quoted}: set one (adstudio connect NAME --key, or under Connections)",
)
_LONG = (
    faults.TooLongError,
    "the scene is too long for {model}{quoted}: split the scene, or send fewer or smaller images",
)
_SPENT = (faults.QuotaError, "the quota at {place} is used up{quoted}: continue tomorrow, or raise it there")
_WITHHELD = (
    faults.BlockedError,
    "{place} blocked the response{quoted}: describe this scene by hand, or use an on-premises model",
)
_SERVER = (
    faults.ServerError,
    "{place} failed with error {status}{quoted}: try again, and check the server’s log",
)
_REQUEST = (
    faults.BadRequestError,
    "{place} rejected the request (error {status}){quoted}: check that the model accepts clips and images",
)
_MEANINGS: dict[int, tuple[type[FaultError], str]] = {
    401: _KEY,
    403: (
        faults.KeyRefusedError,
        "{place} does not allow this with this key{quoted}: ask its administrator",
    ),
    404: (
        faults.ModelMissingError,
        "{place} has no model “{model}”{quoted}: choose one that it has, and check its address",
    ),
    408: _BUSY,
    413: (
        faults.TooLargeError,
        "the scene’s images are too large for {place}{quoted}: send smaller ones, or split the scene",
    ),
    429: (faults.RateError, "{place} received too many requests{quoted}: wait a little and try again"),
    502: _BUSY,
    503: _BUSY,
    504: _BUSY,
    529: _BUSY,
}
_NAMES: dict[str, int] = {
    name: status
    for status, names in {
        400: "contextlengthexceeded stringabovemaxlength invalidrequesterror badrequesterror invalidargument "
        "contentfilter contentpolicyviolation",
        401: "invalidapikey authenticationerror unauthenticated unauthorized",
        403: "permissiondenied permissiondeniederror permissionerror forbidden",
        404: "modelnotfound notfound notfounderror",
        413: "requesttoolarge",
        422: "unprocessableentityerror",
        429: "ratelimitexceeded ratelimiterror toomanyrequests resourceexhausted insufficientquota "
        "billinghardlimitreached",
        500: "servererror internal internalerror internalservererror apierror",
        503: "overloaded overloadederror engineoverloaded serviceunavailable serviceunavailableerror unavailable",
        504: "deadlineexceeded timeout timeouterror",
    }.items()
    for name in names.split()
}
"""HTTP status by the error names of OpenAI, Anthropic, Google (google.rpc.Code) and vLLM, letters only."""
_WITHHELD_NAMES = ("contentfilter", "contentpolicyviolation")
_SPENT_NAMES = ("insufficientquota", "billinghardlimitreached")


@dataclass(frozen=True, slots=True)
class ErrorReport:
    """An error response: its server and model, HTTP status, message, and how long the server asks us to wait.

    `spent`: the server says that the day's quota is used up. `names`: what it calls the error.
    """

    place: str
    model: str
    status: int
    words: str = ""
    retry_after: float | None = None
    spent: bool = False
    names: tuple[str, ...] = ()


def fault_of(report: ErrorReport, *secrets: Secret | None) -> FaultError:
    """The fault for an error response. Keys are masked in the server's message."""
    words = masked(quotable(report.words, _MOST_READ), *secrets)
    kind, sentence = _meaning(report, words)
    if kind is faults.KeyRefusedError and secrets and not any(secrets):
        kind, sentence = _NO_KEY
    words = quotable(words, _SAID)
    quoted = f" (it says: {words.rstrip('.')})" if words else ""
    text_of_error = sentence.format(place=report.place, model=report.model, status=report.status, quoted=quoted)
    return kind(text_of_error, retry_after=report.retry_after)


def error_report(found: object, place: str, model: str, status: int, retry_after: float | None = None) -> ErrorReport:
    """An error body in OpenAI's, Google's or FastAPI's form, or in none of them.

    `status` is HTTP's, `retry_after` from the headers.
    """
    if isinstance(found, list):  # Google's, for requests without streaming
        found = next(iter(cast("list[object]", found)), None)
    error: object = part(found, "error") or found
    words = text(error, "message") or text(found, "detail") or text(found, "error")
    details = rows(error, "details")
    delays = [each.get("retryDelay") for each in _of_kind(details, "RetryInfo")]
    asked = [found for each in delays if (found := _delay(each)) is not None]
    violations = [violation for each in _of_kind(details, "QuotaFailure") for violation in rows(each, "violations")]
    spent = any("PerDay" in value for each in violations for value in _texts(each))
    names = _names(error)
    spent = spent or any(_plain(name) in _SPENT_NAMES for name in names)
    return ErrorReport(place, model, status, words, next(iter(asked), retry_after), spent, names)


def _names(error: object) -> tuple[str, ...]:
    return tuple(found[:_LONGEST_NAME] for key in ("code", "type", "status") if (found := text(error, key)))


def _plain(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalpha())


def _of_kind(details: list[Any], kind: str) -> list[Any]:
    """Google's error details of one type (google.rpc, error_details.proto)."""
    return [each for each in details if text(each, "@type").endswith(kind)]


def _delay(value: object) -> float | None:
    """A duration in protobuf's JSON form: seconds with the suffix s."""
    return seconds(value.removesuffix("s") if isinstance(value, str) else value, LONGEST_WAIT)


def _texts(of: object) -> list[str]:
    values = cast("dict[str, object]", of).values() if isinstance(of, dict) else [of]
    return [value for value in values if isinstance(value, str)]


def http_error(response: httpx2.Response, data: bytes, place: str, model: str, *secrets: Secret | None) -> FaultError:
    """The fault for an HTTP error, whatever its body."""
    if response.status_code == _NO_CERTIFICATE or (response.status_code in (400, 401, 403) and _ASKS.search(data)):
        return faults.ClientCertificateError.of(place)
    report = error_report(parsed(data), place, model, response.status_code, retry_after_seconds(response.headers))
    return fault_of(report, *secrets)


def stream_error(event: object, place: str, model: str, *secrets: Secret | None) -> FaultError:
    """The fault for an error event in a stream whose HTTP status was 200."""
    error = part(event, "error") or event
    numbers = [number(error, key) for key in ("code", "status", "status_code")]
    report = [each for each in numbers if each is not None and 400 <= each < 600]
    report += [_NAMES[plain] for name in _names(error) if (plain := _plain(name)) in _NAMES]
    if not report and _TOO_LONG.search(text(error, "message") or text(event, "error")):
        report = [400]
    status = next(iter(report), 500)
    return fault_of(error_report(event, place, model, status), *secrets)


def _meaning(report: ErrorReport, words: str) -> tuple[type[FaultError], str]:
    text_of_error = " ".join((*report.names, words))
    if report.status == 400 and _BAD_KEY.search(text_of_error):
        return _KEY
    if report.status == 400 and any(_plain(name) in _WITHHELD_NAMES for name in report.names):
        return _WITHHELD
    if report.status in (400, 422) and _TOO_LONG.search(text_of_error):
        return _LONG
    if report.status == 429 and report.spent:
        return _SPENT
    return _MEANINGS.get(report.status, _SERVER if report.status >= 500 else _REQUEST)


def retry_after_seconds(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Seconds that a Retry-After header asks for, given as a number or a date; at most an hour."""
    value = headers.get("retry-after", "").strip()
    if (asked := seconds(value, LONGEST_WAIT)) is not None or not 0 < len(value) <= _LONGEST_TIME:
        return asked
    try:
        then = parsedate_to_datetime(value)
        then = then if then.tzinfo else then.replace(tzinfo=UTC)
        left = (then - (now or datetime.now(UTC))).total_seconds()
    except (
        ValueError,
        TypeError,
        LookupError,
        ArithmeticError,
    ):  # what the reader of times raises for those that are none
        return None
    return seconds(left, LONGEST_WAIT)
