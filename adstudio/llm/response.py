"""Collecting a streamed response, with a deadline, a stop event and a guard against runaway output."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import re
import time
import traceback
from collections import deque
from collections.abc import Awaitable, Callable, Generator
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING

from adstudio.core.errors import AdstudioError
from adstudio.llm import faults
from adstudio.llm.asides import Aside, aside_in
from adstudio.llm.finish_reasons import End, block_words, end_of
from adstudio.llm.json_fields import quotable
from adstudio.llm.key_echoes import EchoFilter, mask_echoes
from adstudio.llm.keys import Secret, masked
from adstudio.llm.messages import CHARACTERS_A_TOKEN, Chunk, Request, Response, State, Usage
from adstudio.llm.network_backend import closing_responses
from adstudio.llm.provider import OnChunk
from adstudio.llm.reasoning_markup import ReasoningMarkup
from adstudio.llm.runaway_guard import RunawayGuard, well_formed
from adstudio.llm.server_load import load_from

if TYPE_CHECKING:
    from adstudio.llm.capabilities import Capabilities

LONGEST_NAME = 200
MOST_TOKENS = 1_000_000_000
STOPPED = "it was stopped"
_FRAMES = 12
"""Of a traceback, that are logged."""
log = logging.getLogger(__name__)


class ResponseBuilder:
    """A response as it arrives. Protocols call `text` and `thought`, and set the other attributes.

    Reasoning that a server leaves in the text is taken for what it is.
    """

    def __init__(self, request: Request, thought_tokens: int, on_chunk: OnChunk, key: Secret | None = None) -> None:
        self.end: End | None = None
        self.why = ""
        self.usage = Usage()
        self.model = ""
        self.fingerprint = ""
        self.response_id = ""
        self.called_tool = False
        self.unseen = False
        """Whether the server reports that it did not process the clip."""
        self.callback_error: Exception | None = None
        """An error raised by `on_chunk`, which is not the server's fault."""
        self._ask = request
        self._on_chunk = on_chunk
        self._text_filter, self._thought_filter = (EchoFilter(key and key.reveal()) for _ in range(2))
        self._parts: list[str] = []
        self._markup = ReasoningMarkup(structured=request.schema is not None)
        self._spare = ""
        """The answer before a mark that may be one too many."""
        self._began = self._reasoned = False
        self._premature = False
        """Whether text came after an end: some servers send one with every chunk."""
        self._guard = RunawayGuard(request.limits.characters)
        self._thought_guard = RunawayGuard(max(thought_tokens + request.limits.tokens, 1) * CHARACTERS_A_TOKEN)

    def text(self, chunk: str) -> None:
        """Add response text; raises RunawayError for runaway output; the text before is kept."""
        if chunk := well_formed(chunk):
            if self.end == "stop":
                self.end, self._premature = None, True
            self._began = True
            for each in self._markup.feed(chunk):
                self._take(each)

    def lines(self, text: str) -> None:
        """Add text of the program's own line by line, so that no chunk is long."""
        for line in text.splitlines(keepends=True):
            self._began = True
            self._take(Chunk(text=line))

    def thought(self, chunk: str) -> None:
        """Add reasoning, which is passed on but not kept; raises RunawayError for runaway output."""
        if chunk := well_formed(chunk):
            self._take(Chunk(thought=chunk))

    def _take(self, chunk: Chunk) -> None:
        if chunk.restarted:
            taken = self.text_so_far
            self._parts, self._spare = [], taken if self._markup.is_surplus else ""
            self._guard = RunawayGuard(self._ask.limits.characters)
            self._thought_guard.feed(taken)
            self._text_filter.flush()
        if chunk.thought:
            self._thought_guard.feed(chunk.thought)
        self._reasoned = self._reasoned or chunk.restarted or bool(chunk.thought)
        if chunk.text:
            self._guard.feed(chunk.text)
            self._parts.append(chunk.text)
        self._emit(chunk)

    def note_end(self, reason: str) -> None:
        """Note the server's name for the end; a refusal stays one. To be called after the chunk's text was added."""
        if self.end != "refused" and (end := end_of(reason)) is not None:
            self.end = end
            self.why = block_words(reason) if end == "blocked" else self.why

    def note_done(self) -> None:
        """Note that the server said that it has ended, and not why."""
        self.end = self.end or "stop"

    @property
    def has_text(self) -> bool:
        """Whether any response text has arrived."""
        return self._began

    @property
    def ended(self) -> bool:
        """Whether the server named the end, so that what happens to the connection no longer matters."""
        return self.end is not None and not self._premature and (self.end != "stop" or self.has_text)

    @property
    def whole(self) -> bool:
        """Whether the response is complete JSON, and so complete however it ended."""
        text = self.text_so_far
        return self._ask.schema is not None and text.lstrip().startswith(("{", "[")) and _is_json(text)

    def finish(self) -> None:
        """Take what was held back because it might have been the beginning of a mark or of the key.

        Raises RunawayError as `text` does.
        """
        for each in self._markup.finish():
            self._take(each)
        if self._spare and not self.text_so_far.strip():
            self._take(Chunk(text=self._spare))
        self._pass_on(Chunk(text=self._text_filter.flush(), thought=self._thought_filter.flush()))

    def load(self, header: str) -> None:
        """Pass on what the server says of its load in a header, "" if it says nothing."""
        if (load := load_from(header)) is not None:
            self._pass_on(Chunk(load=load))

    def _emit(self, chunk: Chunk) -> None:
        text, thought = self._text_filter.feed(chunk.text), self._thought_filter.feed(chunk.thought)
        self._pass_on(replace(chunk, text=text, thought=thought))

    def _pass_on(self, chunk: Chunk) -> None:
        if chunk == Chunk():
            return
        try:
            self._on_chunk(chunk)
        except Exception as error:
            self.callback_error = error
            raise

    @property
    def text_so_far(self) -> str:
        """The response so far."""
        return "".join(self._parts)

    def fault(self, place: str) -> faults.FaultError | None:
        """What is wrong with a response whose stream ended normally; None if it is complete."""
        if self.end == "blocked":
            return faults.BlockedError(
                f"{place} blocked the response ({quotable(self.why, 80) or 'no reason given'}): describe this scene by"
                " hand, or use an on-premises model"
            )
        if self.end == "refused":
            return faults.RefusedError(f"the model declined: “{quotable(self.why or self.text_so_far, 200)}”")
        if self.unseen and self.end is not None:
            return faults.UnseenError(
                f"{place} did not process the scene’s clip, so its description is invented: make the scene longer"
                " than one second"
            )
        if self.whole:
            return None
        if self.called_tool or (self.end == "tool" and not self.has_text):
            return faults.ToolCallError(
                f"the model at {place} called a tool instead of responding: turn tools off on the server, or try"
                " another model"
            )
        return self._aside() or (self._unsound(place) if self.end in ("stop", "tool") else self._cut(place))

    def _aside(self) -> faults.FaultError | None:
        """What is wrong with text that is not for the film; a JSON answer's texts are checked one by one."""
        structured = self._ask.schema is not None and _OPENS.search(self.text_so_far)
        if structured or self.end not in ("stop", "tool", "limit"):
            return None
        match aside_in(self.text_so_far):
            case Aside.REFUSAL:
                return faults.RefusedError(f"the model declined: “{quotable(self.text_so_far, 200)}”")
            case Aside.REASONING:
                return faults.ThoughtError(
                    "the model wrote its reasoning in place of its answer: turn reasoning off on the server, or give it"
                    " the model’s reasoning parser"
                )
            case None:
                return None

    def _cut(self, place: str) -> faults.FaultError:
        limit = self._ask.limits.tokens
        if self.end is None or self.end == "lost":
            return faults.LostError(f"{place} broke off during its response: check that it is still running")
        if self.end == "overloaded":
            return faults.OverloadedError(f"{place} broke off because it is too busy: try again later")
        if self.end == "error":
            return faults.ServerError(f"{place} failed during its response: check the server’s log")
        if self.end == "repeated":
            return faults.RunawayError(
                f"{place} stopped the response because it kept repeating itself: try again, or try another model"
            )
        if not self.text_so_far.strip():
            return faults.ThoughtError(
                f"the model used its whole limit of {limit} tokens for reasoning and wrote nothing: let it reason less,"
                " or raise the limit"
            )
        return faults.CutShortError(
            f"the response reached its limit of {limit} tokens: ask for less at once, or raise the limit"
        )

    def _unsound(self, place: str) -> faults.FaultError | None:
        blank = not self.text_so_far.strip()
        if blank or (self._ask.schema is None and not any(map(str.isalnum, self.text_so_far))):
            if self._reasoned:
                return faults.ThoughtError(
                    f"{place} sent reasoning and no answer: turn reasoning off there, or check its reasoning parser"
                )
            if not blank:
                return faults.EmptyError(f"{place} sent no words: try again, or try another model")
            return faults.EmptyError(f"{place} sent an empty response: try again, or try another model")
        if self._ask.schema is not None and not _is_json(self.text_so_far):
            if _OPENS.search(self.text_so_far) is None:
                return faults.GarbledError(
                    f"{place} sent plain text instead of JSON: check that it supports JSON schemas (adstudio serve"
                    " --check)"
                )
            return faults.GarbledError(f"{place} sent incomplete JSON: what is complete in it is kept")
        return None


_OPENS = re.compile(r"[\[{]")


def _is_json(text: str) -> bool:
    try:
        json.loads(text, strict=False)  # some servers write line breaks into strings
    except (ValueError, RecursionError):
        return False
    return True


async def run_exchange(
    exchange: Callable[[ResponseBuilder], Awaitable[None]],
    request: Request,
    *,
    place: str,
    model: str,
    capabilities: Capabilities,
    on_chunk: OnChunk,
    stop: asyncio.Event,
    key: Secret | None = None,
) -> Response:
    """Run one exchange to its end, its deadline or `stop`, and return the response, with any echo of the key masked."""
    began = time.monotonic()
    builder = ResponseBuilder(request, capabilities.thought_tokens, on_chunk, key)
    fault: faults.FaultError | None = None
    stopped = stop.is_set()
    if not stopped:
        try:
            async with closing_responses(), asyncio.timeout(request.limits.deadline):
                stopped = await _unless_stopped(exchange(builder), stop)
        except TimeoutError:
            fault = faults.DeadlineError(
                f"{place} did not finish within {request.limits.deadline:.0f} s: ask for less, or allow more time"
            )
        except faults.FaultError as error:
            fault = error
        except AdstudioError:
            raise
        except Exception as error:
            if error is builder.callback_error:
                raise
            fault = unexpected_fault(error, place)
    try:
        builder.finish()
    except faults.FaultError as error:
        fault = fault or error
    if builder.ended or builder.whole:
        # What goes wrong after the end takes nothing from the response, which is paid for.
        fault, stopped = None, False
    if fault is None and not stopped:
        fault = builder.fault(place)
    fault = fault and _bare(fault, key)
    text = mask_echoes(builder.text_so_far, [key.reveal()] if key is not None else [])
    named = (builder.model, builder.fingerprint, builder.response_id)
    model_named, fingerprint, response_id = (quotable(masked(each, key), LONGEST_NAME) for each in named)
    return Response(
        text=text,
        state=_state(fault, stopped=stopped, text=text),
        why=STOPPED if stopped else str(fault or ""),
        usage=capabilities.priced(_bounded(builder.usage)),
        model=model_named or model,
        seconds=time.monotonic() - began,
        fault=None if stopped else fault,
        fingerprint=fingerprint,
        response_id=response_id,
    )


def _bounded(usage: Usage) -> Usage:
    """Usage with counts that fit a 64-bit column, whatever the server sent."""
    counts = (usage.tokens_in, usage.tokens_cached, usage.tokens_out, usage.tokens_thought)
    return Usage(*(min(max(count, 0), MOST_TOKENS) for count in counts))


def _bare(error: faults.FaultError, key: Secret | None) -> faults.FaultError:
    """The error without the key, and without traceback and causes, which would keep the key and images in memory."""
    error.args = (masked(str(error), key),)
    error.__cause__ = error.__context__ = None
    return error.with_traceback(None)


def _state(fault: faults.FaultError | None, *, stopped: bool, text: str) -> State:
    if stopped:
        return State.CANCELLED
    if fault is None:
        return State.COMPLETE
    if isinstance(fault, faults.BlockedError):
        return State.BLOCKED
    if isinstance(fault, faults.RefusedError):
        return State.REFUSED
    useless = not text.strip() or isinstance(
        fault, faults.UnseenError | faults.ToolCallError | faults.ThoughtError | faults.EmptyError
    )
    return State.FAILED if useless else State.TRUNCATED


async def _unless_stopped(work: Awaitable[None], stop: asyncio.Event) -> bool:
    """Await the work, or cancel it when `stop` is set first; returns whether it was stopped."""
    task = asyncio.ensure_future(work)
    waiting = asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait((task, waiting), return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            task.result()
            return False
        return True
    finally:
        for each in (task, waiting):
            each.cancel()
        await asyncio.gather(task, waiting, return_exceptions=True)


def unexpected_fault(error: Exception, place: str) -> faults.FaultError:
    """The fault for such an error; details go to the log.

    The log gives the place in the program but not the error's message, in which libraries may quote the response, and
    with it an unreleased film.
    """
    frames = deque(traceback.walk_tb(error.__traceback__), maxlen=_FRAMES)
    where = ", ".join(
        f"{PurePath(frame.f_code.co_filename).name}:{line} {frame.f_code.co_name}" for frame, line in frames
    )
    log.error("%s: an answer could not be read: %s in %s", place, type(error).__qualname__, where)
    if isinstance(error, ImportError):
        return faults.ClientMissingError(
            f"the client for {place} cannot be loaded ({error.name or 'a library'}): reinstall adstudio"
        )
    return faults.GarbledError(
        f"the response from {place} cannot be read: try again, or try another model; details are in adstudio’s log"
    )


@contextlib.contextmanager
def reading_response(place: str) -> Generator[None]:
    """Inside, a server's response is read: any error is raised as a `FaultError`."""
    try:
        yield
    except AdstudioError:
        raise
    except Exception as error:  # noqa: BLE001 - a library may raise anything on malformed bytes
        raise unexpected_fault(error, place) from None
