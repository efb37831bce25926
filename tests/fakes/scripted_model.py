"""A model that answers by a script: well by default, and with whatever fault a test wants, where it wants it."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from question_model import make_questions, read_answers
from speaker_model import name_speakers

from adstudio.core.words import count_words
from adstudio.drafting.model.checks import target
from adstudio.drafting.model.response_schema import SHORTER
from adstudio.llm.capabilities import Capabilities
from adstudio.llm.messages import Chunk, Clip, Request, Response, State, Text, Usage

PROSE = (
    "A woman in a red coat crosses the empty platform with a heavy suitcase. She stops under the clock. "
    "The clock shows ten past nine. A guard in a blue cap watches her from the gate."
)
PIECE = 7  # characters at a time

Script = Callable[[Request], Response | str | None]
"""What a test wants said to an ask: a text that comes whole, an answer as it is, or None for the usual."""


def kind_of(ask: Request) -> str:
    """Which of the product's questions it is; `direct` is where the model writes the lines itself."""
    if ask.schema is None:
        return "describe"
    own = (("weights", "weigh"), ("deliveries", "plan"), ("questions", "questions"), ("answers", "answer"))
    own = (*own, ("speakers", "speakers"))
    for name, kind in own:
        if name in ask.schema["properties"]:
            return kind
    if "[[[ HEARD" in said(ask):
        return "polish"
    if any("items" in listed for listed in ask.schema["properties"].values()):
        return "direct"
    return "elements" if "elements" in ask.schema["properties"] else "repair"


def ids_of(ask: Request) -> list[str]:
    (listed,) = ask.schema["properties"].values()
    return [item["properties"]["id"]["enum"][0] for item in listed["prefixItems"]]


def said(ask: Request) -> str:
    """All texts of an ask."""
    return "\n".join(part.text for message in ask.messages for part in message.parts if isinstance(part, Text))


BROKEN_OFF = frozenset(
    "the a an and but into onto toward towards at of for with from almost nearly directly".split()  # noqa: SIM905
)
"""What a line does not end with."""


def shortened(text: str, count: int) -> str:
    """The first words of a sentence, that many; “there” is the last where the sentence would break off."""
    kept = text.rstrip(".").split()
    while kept and count_words(" ".join(kept)) > count:
        kept.pop()
    if kept and kept[-1].lower() in BROKEN_OFF:
        kept[-1] = "there"
    return " ".join(kept).rstrip(",;:") + "."


def element(identity: str, text: str, **changed: object) -> dict[str, object]:
    """A sound answer about an element."""
    place = int(identity.strip("e"))
    answer: dict[str, object] = {
        "id": identity,
        "start": 10 * place,
        "end": 10 * place + 15,
        "salience": 100 * place % 900 + 50,
    }
    answer["full"] = text
    answer |= {key: shortened(text, target(key, count_words(text))) for key in SHORTER}
    return answer | changed


def listed(ask: Request) -> dict[str, str]:
    """The elements, or bad wordings, that an ask lists, by id."""
    inside = re.findall(r"\[\[\[ (?:ELEMENTS|LINES)\n(.*?)\n(?:ELEMENTS|LINES) \]\]\]", said(ask), re.DOTALL)[-1]
    found = (
        re.match(r"(\S+) \([^)]*\): (.*)", line) or re.match(r"(\S+) \(.*?\): (.*)", line)
        for line in inside.split("\n")
    )
    return {match[1]: match[2] for match in found if match}


def gaps_told(ask: Request) -> list[tuple[int, int]]:
    """The gaps that an ask lists, in tenths of a second."""
    (inside,) = re.findall(r"\[\[\[ GAPS[^\n]*\n(.*?)\nGAPS", said(ask), re.DOTALL) or [""]
    return [
        (round(float(start) * 10), round(float(end) * 10)) for start, end in re.findall(r"([\d.]+)–([\d.]+)", inside)
    ]


MOST_SPOKEN = 40
"""Words of a line; a longer one than a line may be is left out."""


def spoken_in(gaps: list[tuple[int, int]], prose: str) -> list[dict[str, object]]:
    """A line for each gap, of as many words of the prose as can be said there at three a second."""
    words = prose.split()
    return [
        {
            "start": start,
            "end": end,
            "text": shortened(" ".join(words[place % 5 :]), min(max((end - start) * 3 // 10, 1), MOST_SPOKEN)),
        }
        for place, (start, end) in enumerate(gaps)
    ]


_POLISHED = re.compile(
    r"^(p\d+) \(at most (\d+) words?, (\d+) words? now(; goes on)?\): (.*?)(?: — its full wording: (.*?))?"
    r"(?: — you wrote: .*)?$"
)


def asked_lines(ask: Request) -> dict[str, re.Match[str]]:
    """The lines that an ask to polish lists, by id: groups are id, most words, words now, goes on, text, full one."""
    inside = re.findall(r"\[\[\[ LINES\n(.*?)\nLINES \]\]\]", said(ask), re.DOTALL)[-1]
    found = (_POLISHED.match(line) for line in inside.split("\n"))
    return {match[1]: match for match in found if match}


DANGLING = frozenset(
    ("a", "an", "the", "with", "in", "on", "of", "at", "to", "under", "up", "by", "and", "from", "her")
)
PLACING = frozenset(("from", "in", "on", "at", "to", "into", "under"))


def fluent(text: str, most: int, *, owned: bool = False) -> str:
    """A line with a subject and a full stop that does not break off, in no more words than that."""
    words = text.rstrip(".").split()
    while len(words) > 2 and words[-1].lower() in DANGLING:
        words.pop()
    bare = " ".join(words).rstrip(",;:")
    begins = words[0] in ("She", "He", "It", "They", "A", "An", "The", "In", "On", "At", "Outside", "Inside")
    if begins or len(words) >= most or not words[0].endswith("s"):
        return f"{bare}."
    rest = words[1:]
    if owned and len(rest) > 1 and rest[-2] in PLACING and len(words) + 1 < most:
        rest.insert(-1, "her")
    return f"She {words[0].lower()} {' '.join(rest)}".strip() + "."


def within_reach(told: str, gaps: list[dict[str, int]], first: int, last: int) -> range:
    """The places of the gaps that the conditions allow for an occurrence."""
    limits = [int(each) for each in re.findall(r"A delivery lies at most (\d+) gaps? away", told)]
    limits += [0] * told.count("A delivery lies in a gap that its occurrence overlaps")
    own = [n for n, gap in enumerate(gaps) if gap["start"] < last and first < gap["end"]]
    own = (
        own
        or [n for n, gap in enumerate(gaps) if gap["end"] <= first][-1:]
        + [n for n, gap in enumerate(gaps) if gap["start"] >= last][:1]
    )
    most = min(limits, default=len(gaps))
    return range(min(own) - most, max(own) + most + 1)


def greedy(told: str) -> list[dict[str, object]]:
    """What a plain reader would plan: each element in turn, in the longest wording that has a place behind the last.

    It keeps to the distances, limits, pause, share of each gap and reach that the conditions name.
    """
    blocks = dict(re.findall(r"\[\[\[ (CANDIDATES|GAPS)[^\n]*\n(.*?)\n\1[^\n]* \]\]\]", told, re.DOTALL))
    candidates, gaps = ([json.loads(row) for row in blocks[name].split("\n")] for name in ("CANDIDATES", "GAPS"))
    ((early, late),) = re.findall(r"lies at most (\d+)(?: before and (\d+) after| from) the middle", told)
    early, late = int(early), int(late or early)
    pause = sum(map(int, re.findall(r"At least (\d+) lies between", told)))
    share = min([1.0, *(float(each) / 100 for each in re.findall(r"At most ([\d.]+) per cent of each gap", told))])
    within = {name: (int(a), int(b)) for name, a, b in re.findall(r"(e\d+) is spoken between (\d+) and (\d+)", told)}
    planned: dict[str, dict[str, object]] = {}
    free_from = gaps[0]["start"]
    left = [int(share * (gap["end"] - gap["start"])) for gap in gaps]
    for each in candidates:
        element = each["id"].partition("v")[0]
        if element in planned or each["occurrence_start"] is None:
            continue
        seen, length = each["occurrence_start"] + each["occurrence_end"], each["duration"]
        for place, gap in enumerate(gaps):
            # Doubled, so that middles stay whole.
            begin, end = within.get(element, (gap["start"], gap["end"]))
            start = max(gap["start"], begin, free_from, -(-(seen - length - 2 * early) // 2))
            fits = start + length <= min(gap["end"], end) and length <= left[place]
            if (
                fits
                and 2 * start + length <= seen + 2 * late
                and place in within_reach(told, gaps, each["occurrence_start"], each["occurrence_end"])
            ):
                planned[element] = {"id": each["id"], "start": start}
                free_from = start + length + pause
                left[place] -= length
                break
    return list(planned.values())


def usual(ask: Request, prose: str) -> str:
    match kind_of(ask):
        case "describe":
            return prose
        case "elements":
            texts = listed(ask)
            return json.dumps({"elements": [element(each, texts[each]) for each in ids_of(ask)]})
        case "polish":
            lines = asked_lines(ask)
            found = [
                {"id": each, "text": fluent(lines[each][5], int(lines[each][2]), owned=True)} for each in ids_of(ask)
            ]
            return json.dumps({"lines": found})
        case "weigh":
            return json.dumps(
                {"weights": [{"id": each, "salience": 900 - 7 * i} for i, each in enumerate(ids_of(ask))]}
            )
        case "plan":
            return json.dumps({"deliveries": greedy(said(ask))})
        case "questions":
            return make_questions(said(ask))
        case "answer":
            return read_answers(said(ask))
        case "speakers":
            return name_speakers(said(ask), ids_of(ask))
        case "direct":
            return json.dumps({"lines": spoken_in(gaps_told(ask), prose)})
        case _:
            lines = said(ask)
            found = []
            for each in ids_of(ask):
                match = re.search(rf"^{re.escape(each)} \((\d+) words;.*of the full line: (.*)$", lines, re.MULTILINE)
                found.append({"id": each, "text": shortened(match[2], int(match[1]))})
            return json.dumps({"lines": found})


@dataclass
class ScriptedModel:
    """See above. `asks` are all that were sent; `most` is how many were in hand at a time."""

    script: Script = lambda _ask: None
    prose: Callable[[Request], str] = lambda _ask: PROSE
    name: str = "scripted/model-1"
    capabilities: Capabilities = field(default_factory=lambda: Capabilities(known=True, images=4))
    concurrency: int = 256
    pause: float = 0.0
    asks: list[Request] = field(default_factory=list)
    now: int = 0
    most: int = 0
    closed: int = 0

    async def send(self, ask: Request, on_chunk: Callable[[Chunk], None], stop: asyncio.Event) -> Response:
        self.asks.append(ask)
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            made = self.script(ask)
            if isinstance(made, Response):
                on_chunk(Chunk(made.text))
                return made
            text = usual(ask, self.prose(ask)) if made is None else made
            come = ""
            for piece in _pieces(text):
                if stop.is_set():
                    return Response(come, State.CANCELLED, "it was stopped")
                await asyncio.sleep(self.pause)
                come += piece
                on_chunk(Chunk(piece))
            return Response(text, State.COMPLETE, usage=Usage(1000, 0, len(text) // 4, 0, 25), model="model-1.2")
        except asyncio.CancelledError:
            self.closed += 1
            raise
        finally:
            self.now -= 1

    async def busy(self, asks: int) -> None:
        """Until so many are in hand."""
        for _ in range(10_000):
            if self.now >= asks:
                return
            await asyncio.sleep(0.001)
        raise AssertionError(f"only {self.now} asks came")

    async def aclose(self) -> None:
        pass

    @property
    def kinds(self) -> Counter[str]:
        return Counter(kind_of(ask) for ask in self.asks)

    @property
    def keys(self) -> list[str]:
        return [ask.content_hash(self.name) for ask in self.asks]


def clip_of(ask: Request) -> bytes:
    (clip,) = [part for part in ask.messages[0].parts if isinstance(part, Clip)]
    return clip.data


def _pieces(text: str) -> Iterator[str]:
    for start in range(0, len(text), PIECE):
        yield text[start : start + PIECE]
