"""Reasoning that a server leaves in the text of a response, taken out while the text arrives.

Servers with a reasoning parser send thoughts in a field of their own. Without one, or with the wrong one, they come in
the text, in the markup of the model's template: `<think>`, with names and brackets of many kinds; without the opening
mark, where the template has written that into the prompt; as Harmony's channels; with the answer in a wrapper of its
own. Whatever precedes a mark that ends reasoning, or one that begins the answer, is reasoning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from adstudio.llm.messages import Chunk

_NAME = (
    r"(?:[a-z]{1,12}[:_▁-]){0,3}(?:think(?:ing)?|thoughts?|reason(?:ing)?|reflect(?:ion)?|scratch_?pad|analysis"
    r"|monologue|rationale|cot)(?:[_▁-][a-z]{1,12}){0,2}"
)
_ANSWER = r"(?:final_?)?(?:answer|response|solution|output|box)|final"
_LEFT, _RIGHT = r"(?:<|&lt;)", r"(?:>|&gt;)"
_BAR = "[|｜]"
_OPENS = (
    rf"{_LEFT}(?:{_NAME}(?:\s[^<>]{{0,60}})?|{_BAR}(?:(?:start|begin)[_▁](?:of[_▁])?)?{_NAME}{_BAR}){_RIGHT}",
    r"<details(?:\s[^<>]{0,80})?>",
    r"<\|channel\|>\s*(?:analysis|commentary)",
    r"<\|channel>\s*(?:thought|analysis)?",
    r"(?-i:\[(?:THINK|THINKING|REASONING)\])",
    r"◁think▷",
    r"```(?:think(?:ing)?|thoughts?|reasoning)\b",
    r"here (?:is|are) my (?:thought process|thoughts|reasoning(?: steps)?):",
)
_CLOSES = (
    rf"{_LEFT}(?:/\s*{_NAME}\s*|{_BAR}(?:/|end[_▁](?:of[_▁])?){_NAME}{_BAR}){_RIGHT}",
    r"</details>",
    r"<channel\|>",
    r"(?-i:\[/(?:THINK|THINKING|REASONING)\])",
    r"◁/think▷",
    r"\.\.\.done thinking\.",
)
_BEGINS = (
    rf"{_LEFT}(?:(?:{_ANSWER})|{_BAR}(?:start|begin)[_▁](?:of[_▁])?(?:{_ANSWER}){_BAR}){_RIGHT}",
    r"<\|channel\|>\s*final[^<>]{0,40}(?:<\|constrain\|>[^<>]{0,20})?<\|message\|>",
    r"\[begin final response\]",
    r"here is my (?:final )?(?:response|answer):",
    r"(?-i:assistantfinal)",
)
_DROPPED = (
    rf"{_LEFT}(?:/(?:{_ANSWER})|{_BAR}end[_▁](?:of[_▁])?(?:{_ANSWER}){_BAR}|{_NAME}\s*/){_RIGHT}",
    r"\[end final response\]",
    rf"<{_BAR}(?:start{_BAR}>\s*(?:assistant)?|(?:message|end|return|call|im_end|eot_id){_BAR}>)",
)
_MARK = re.compile(
    "(?i)"
    + "|".join(
        f"(?P<{kind}>{'|'.join(patterns)})"
        for kind, patterns in (("opens", _OPENS), ("closes", _CLOSES), ("begins", _BEGINS), ("dropped", _DROPPED))
    )
)
_FENCE = "```"
_FIRST = re.compile(r"\s*(?:thought(?=\s*(?:\n|\[\]|\(\)|[A-Z]))|analysis(?=[A-Z])|Thinking\.\.\.\s)")
"""Names of channels whose own marks a server has left out, at the very beginning."""
_MAYBE_FIRST = re.compile(r"(?:thought|analysis)[\s\[\]()]{0,8}\Z")
_LONGEST = 100
"""Characters of a mark, at most."""
_PARTIAL = re.compile(
    rf"(?s:(?:<|&lt;|\[|◁)[^<>\[\]◁▷]{{0,{_LONGEST}}}|&l?t?|`{{1,3}}\w{{0,10}}|<\|(?:channel|start)\|?>.{{0,{_LONGEST}}})\Z"
)
_PHRASES = (
    *(f"here {verb} my {what}:" for verb in ("is", "are") for what in ("thought process", "thoughts")),
    *("here is my reasoning:", "here are my reasoning steps:", "here is my final response:", "here is my response:"),
    *("here is my final answer:", "here is my answer:"),
)
"""Marks in words, at the beginning of a line."""
_ENDINGS = ("...done thinking.", "assistantfinal")
"""Marks in words, anywhere in reasoning."""
_FIRST_WORDS = ("thought", "analysis", "Thinking...")
_JSON = re.compile(r"\s*\{")


class ReasoningMarkup:
    """Divides the text of one response into answer and reasoning.

    A JSON answer (`structured`) is left alone from its opening brace on: marks inside it are in its texts.
    """

    def __init__(self, *, structured: bool = False) -> None:
        self._structured = structured
        self._held = ""
        self._begun = False
        self._verbatim = False
        self._inside = ""
        """The mark that opened the reasoning that is arriving; "" in the answer."""
        self._opened = self._closed = 0
        self._answered = False
        self._at_line = True

    @property
    def is_surplus(self) -> bool:
        """Whether more reasoning was closed than opened, after some was both: the answer may have come before."""
        return 0 < self._opened < self._closed

    def feed(self, text: str) -> Iterator[Chunk]:
        """What can be told of more text; a chunk that is `restarted` turns all answer before it into reasoning."""
        if not self._begun and not self._held and text.isspace():
            yield Chunk(text=text)
            return
        self._held += text
        if not self._begun and self._is_beginning(self._held):
            return
        if not self._begun:
            self._begun = True
            if first := _FIRST.match(self._held):
                self._inside, self._held = first[0], self._held[first.end() :]
                self._opened += 1
        yield from self._divided(final=False)

    def finish(self) -> Iterator[Chunk]:
        """The rest, once the response has ended."""
        self._begun = True
        yield from self._divided(final=True)

    def _is_beginning(self, text: str) -> bool:
        """Whether a text may be the beginning of a word with which reasoning begins."""
        start = text.lstrip()
        return any(each.startswith(start) for each in _FIRST_WORDS) or _MAYBE_FIRST.match(start) is not None

    def _divided(self, *, final: bool) -> Iterator[Chunk]:
        while not self._verbatim:
            found = self._next_mark()
            before = self._held[: found.start()] if found else self._held
            if not self._inside and self._structured and not self._answered and _JSON.match(before):
                self._verbatim = True
                break
            if found is None:
                break
            yield from self._passed(before)
            self._held = self._held[found.end() :]
            yield from self._marked(found)
        cut = len(self._held) if final or self._verbatim else self._certain()
        text, self._held = self._held[:cut], self._held[cut:]
        yield from self._passed(text)

    def _next_mark(self) -> re.Match[str] | None:
        if self._inside.startswith(_FENCE):
            return re.search(f"(?P<closes>{_FENCE})", self._held)
        return _MARK.search(self._held)

    def _certain(self) -> int:
        """The length of the text that is no part of a mark that is still arriving."""
        found = _PARTIAL.search(self._held)
        cut = found.start() if found else len(self._held)
        line = self._held.rpartition("\n")[2]
        if (line != self._held or self._at_line) and any(each.startswith(line.lower()) for each in _PHRASES):
            cut = min(cut, len(self._held) - len(line))
        if self._inside:
            sizes = [size for each in _ENDINGS for size in range(1, len(each)) if self._held.endswith(each[:size])]
            cut = min(cut, len(self._held) - max(sizes, default=0))
        return cut

    def _passed(self, text: str) -> Iterator[Chunk]:
        if not text:
            return
        self._at_line = text.endswith("\n")
        if self._inside:
            yield Chunk(thought=text)
        else:
            self._answered = self._answered or not text.isspace()
            yield Chunk(text=text)

    def _marked(self, found: re.Match[str]) -> Iterator[Chunk]:
        match found.lastgroup:
            case "opens":
                self._opened += 1
                self._inside = found[0]
            case "closes" | "begins":
                self._closed += found.lastgroup == "closes"
                self._opened += found.lastgroup == "begins" and not self._inside
                unopened, self._inside = not self._inside, ""
                if unopened and self._answered:
                    self._answered = False
                    yield Chunk(restarted=True)
            case _:
                # Harmony ends each channel; only the final one is the answer.
                if self._inside.startswith("<|channel|>") and found[0].startswith("<|end"):
                    self._inside = ""
                    self._closed += 1


def has_reasoning_markup(text: str) -> bool:
    """Whether a text contains marks of reasoning or of an answer's beginning."""
    return _MARK.search(text) is not None


def without_reasoning(text: str) -> str:
    """The answer in a text that has arrived whole."""
    markup = ReasoningMarkup()
    parts: list[str] = []
    spare = ""
    for chunk in (*markup.feed(text), *markup.finish()):
        if chunk.restarted:
            spare = "".join(parts) if markup.is_surplus else ""
            parts.clear()
        parts.append(chunk.text)
    answer = "".join(parts)
    return answer if answer.strip() else spare
