"""Screenplays as they are found: one text laid out in every way that scripts in text and PDF have, with its truth.

Nothing here uses the readers of laid-out text. A layout is drawn from a seed, each of its dimensions on its own, so
that hundreds of them cover the pairs of dimensions too.
"""

from __future__ import annotations

import random
import re
import textwrap
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

from screenplay_pages import Printed, as_pdf

from adstudio.screenplay.parsed_screenplay import Action, Screenplay, Transition


class Kind(Enum):
    """What a piece of a screenplay is."""

    HEADING = "heading"
    ACTION = "action"
    SPEECH = "speech"
    TRANSITION = "transition"


class Blanks(Enum):
    """Where empty rows are."""

    USUAL = "between paragraphs"
    NONE = "nowhere"
    DOUBLE = "after each row"
    BELOW_NAMES = "below names too"
    HEADINGS = "around headings only"
    BEFORE_NAMES = "before names and headings, none after speeches"


class Furniture(Enum):
    """What each page carries besides the script."""

    NONE = "none"
    RIGHT = "number at the right"
    LEFT = "number at the left"
    CENTRED = "number in the middle"
    FOOT = "number below"
    HEADER = "title, draft and number"
    FOOTER = "date and number below"


class Title(Enum):
    """How a title page without keys is set."""

    NONE = "none"
    CENTRED = "centred"
    LEFT = "at the left"


class Names(Enum):
    """How a speaker's name is written."""

    CAPITALS = "ANNA"
    COLON = "ANNA:"
    INLINE = "ANNA: Hello"


@dataclass(frozen=True, slots=True)
class Item:
    """A piece of the truth; a speech has a speaker and may have a direction."""

    kind: Kind
    text: str
    speaker: str = ""
    aside: str = ""


@dataclass(frozen=True, slots=True)
class Layout:
    """Columns count from that of the action; a width of 0 means that nothing is broken into rows."""

    seed: int
    margin: int = 0
    speech: int = 10
    name: int | None = 22
    action_width: int = 60
    speech_width: int = 35
    tabs: bool = False
    blanks: Blanks = Blanks.USUAL
    furniture: Furniture = Furniture.NONE
    feeds: bool = False
    more: bool = False
    title: Title = Title.NONE
    names: Names = Names.CAPITALS
    capitals: bool = False
    dirt: bool = False
    numbered: bool = False
    pdf: bool = False

    @property
    def hopeless(self) -> bool:
        """Whether nothing but the words tells a speech from the action below it."""
        same_width = self.speech_width >= self.action_width - 5 or not self.speech_width
        bare = self.blanks in (Blanks.NONE, Blanks.HEADINGS, Blanks.BEFORE_NAMES, Blanks.DOUBLE)
        return self.speech == 0 and same_width and bare


@dataclass(frozen=True, slots=True)
class Found:
    """A laid-out file and what it holds."""

    layout: Layout
    data: bytes
    items: tuple[Item, ...]


def layout_of(seed: int) -> Layout:
    """The layout of a seed."""
    draw = random.Random(seed)
    speech = draw.choice((0, 0, 1, 2, 3, 4, 6, 8, 10, 10, 15))
    narrow = draw.choice((25, 30, 35, 35, 45, 60, 0))
    furniture = draw.choice((Furniture.NONE, *Furniture))
    return Layout(
        seed,
        margin=draw.choice((0, 0, 4, 8, 15, 20)),
        speech=speech,
        name=draw.choice((speech, speech + 4, speech + 8, speech + 12, 22, 30, None, None, 0 if speech == 0 else 22)),
        action_width=draw.choice((0, 52, 60, 60, 72)) if narrow else 0,
        speech_width=narrow,
        tabs=draw.random() < 0.15,
        blanks=draw.choices(list(Blanks), (8, 3, 2, 2, 2, 2))[0],
        furniture=furniture,
        feeds=furniture is not Furniture.NONE and draw.random() < 0.4,
        more=furniture is not Furniture.NONE and draw.random() < 0.5,
        title=draw.choice(list(Title)),
        names=draw.choices(list(Names), (8, 1, 1))[0],
        capitals=draw.random() < 0.5,
        dirt=draw.random() < 0.25,
        numbered=draw.random() < 0.25,
        pdf=draw.random() < 0.2,
    )


def items_of(screenplay: Screenplay) -> list[Item]:
    """The pieces of a screenplay that was read, in order, speeches without words left out."""
    items: list[Item] = []
    for scene in screenplay.scenes:
        items += [Item(Kind.HEADING, scene.heading)] if scene.heading else []
        for part in scene.parts:
            if isinstance(part, Action):
                items.append(Item(Kind.ACTION, part.text))
            elif isinstance(part, Transition):
                items.append(Item(Kind.TRANSITION, part.text))
            elif part.text and part.speaker:
                name = part.speaker + (f" ({part.extension})" if part.extension else "")
                aside = part.parentheticals[0] if part.parentheticals else ""
                items.append(Item(Kind.SPEECH, part.text, name, aside))
    return items


SHOUTS = (
    "The clock strikes TWELVE.",
    "A GUN lies on the table. NOBODY MOVES.",
    "BANG! THE DOOR FLIES OPEN.",
    "Far below, A TRAIN CROSSES THE BRIDGE AND STOPS AT THE OLD STATION, where nobody waits.",
    "DARKNESS.",
    "The sign reads CLOSED UNTIL MONDAY.",
    "SILENCE. Then a SCREAM from the cellar.",
)


def laid_out(items: Sequence[Item], layout: Layout) -> Found:
    """The items as a file of this layout; capitals and shouts of the layout are among the items of the answer."""
    draw = random.Random(layout.seed * 7919 + 1)
    given = list(_with_capitals(items, draw)) if layout.capitals else list(items)
    setter = _Setter(layout, draw)
    pages = setter.pages(given)
    data = as_pdf(pages) if layout.pdf else _as_text(pages, layout, draw)
    return Found(layout, data, tuple(given))


def _with_capitals(items: Sequence[Item], draw: random.Random) -> list[Item]:
    given: list[Item] = []
    for item in items:
        if item.kind is Kind.ACTION and draw.random() < 0.3:
            words = item.text.split()
            length = draw.choice((1, 2, 2, 3, 6, 14))
            at = draw.randrange(len(words))
            words[at : at + length] = [word.upper() for word in words[at : at + length]]
            given.append(Item(Kind.ACTION, " ".join(words)))
        elif item.kind is Kind.SPEECH and draw.random() < 0.04:
            given.append(Item(Kind.SPEECH, item.text.upper(), item.speaker, item.aside))
        else:
            given.append(item)
        if item.kind is Kind.ACTION and draw.random() < 0.06:
            given.append(Item(Kind.ACTION, draw.choice(SHOUTS)))
    return given


@dataclass
class _Setter:
    layout: Layout
    draw: random.Random
    done: list[list[Printed]] = field(default_factory=list)
    page: list[Printed] = field(default_factory=list)

    def pages(self, items: Sequence[Item]) -> list[list[Printed]]:
        self._title()
        number = 0
        before: Item | None = None
        for item in items:
            number += item.kind is Kind.HEADING
            rows = self._rows(item, number)
            self._space(before, item)
            self._set(item, rows)
            before = item
        self._turn()
        return self.done

    @property
    def room(self) -> int:
        return 54 if self.layout.furniture is not Furniture.NONE or self.layout.pdf else 10**9

    def _title(self) -> None:
        texts = ("THE LONG WAY HOME", "", "by", "", "Mara Quill", "", "Third Draft", "12 May 1999")
        if self.layout.title is Title.NONE:
            return
        for text in texts:
            column = max(0, 30 - len(text) // 2) if self.layout.title is Title.CENTRED else 0
            self.page.append(Printed(((column, text),)) if text else Printed())
        if self.layout.furniture is Furniture.NONE:
            self.page += [Printed()] * 4
        else:
            self.done.append(self.page)
            self.page = []

    def _space(self, before: Item | None, item: Item) -> None:
        if before is None or not self.page:
            return
        blanks = self.layout.blanks
        heading = Kind.HEADING in (before.kind, item.kind)
        wanted = {
            Blanks.USUAL: True,
            Blanks.BELOW_NAMES: True,
            Blanks.DOUBLE: self.draw.random() < 2,
            Blanks.NONE: False,
            Blanks.HEADINGS: heading,
            Blanks.BEFORE_NAMES: heading or item.kind is Kind.SPEECH,
        }[blanks]
        if wanted:
            self.page += [Printed()]

    def _set(self, item: Item, rows: list[Printed]) -> None:
        if self.page and len(self.page) + min(len(rows), 3) > self.room:
            self._turn()
        for at, row in enumerate(rows):
            if len(self.page) >= self.room and at >= 2:
                goes_on = item.kind is Kind.SPEECH and self.layout.more and self.layout.names is not Names.INLINE
                if goes_on:
                    self.page.append(Printed(((self._name_column("(MORE)"), "(MORE)"),)))
                self._turn()
                if goes_on:
                    name = f"{item.speaker} (CONT'D)"
                    self.page.append(Printed(((self._name_column(name), name),)))
            self.page.append(row)
            if self.layout.blanks is Blanks.DOUBLE:
                self.page.append(Printed())

    def _turn(self) -> None:
        number = len(self.done) + 1
        furniture = self.layout.furniture
        above = {
            Furniture.RIGHT: [((58, f"{number}."),)],
            Furniture.LEFT: [((0, f"{number}"),)],
            Furniture.CENTRED: [((29, f"- {number} -"),)],
            Furniture.HEADER: [((0, "LONG WAY HOME  Rev. 5/12/99"), (57, f"{number}."))],
        }.get(furniture, [])
        below = {
            Furniture.FOOT: [((29, f"{number}"),)],
            Furniture.FOOTER: [((0, "Third Draft 12 May 1999"), (52, f"Page {number}"))],
        }.get(furniture, [])
        self.done.append(
            [
                *[printed for cells in above for printed in (Printed(cells), Printed())],
                *self.page,
                *[printed for cells in below for printed in (Printed(), Printed(cells))],
            ]
        )
        self.page = []

    def _name_column(self, name: str) -> int:
        return max(0, 30 - len(name) // 2) if self.layout.name is None else self.layout.name

    def _rows(self, item: Item, number: int) -> list[Printed]:
        layout = self.layout
        if item.kind is Kind.HEADING:
            if not layout.numbered:
                return [Printed(((0, item.text),))]
            return [
                Printed(
                    ((0, f"{number}  {item.text}"), (58, str(number))) if len(item.text) < 50 else ((0, item.text),)
                )
            ]
        if item.kind is Kind.TRANSITION:
            return [Printed(((max(0, 60 - len(item.text)), item.text),))]
        if item.kind is Kind.ACTION:
            return [Printed(((0, row),)) for row in _wrapped(item.text, layout.action_width)]
        if layout.names is Names.INLINE:
            aside = f"({item.aside}) " if item.aside else ""
            rows = _wrapped(f"{item.speaker}: {aside}{item.text}", layout.speech_width)
            return [Printed(((layout.speech, row),)) for row in rows]
        name = item.speaker + (":" if layout.names is Names.COLON else "")
        rows = [Printed(((self._name_column(name), name),))]
        if layout.blanks is Blanks.BELOW_NAMES:
            rows.append(Printed())
        if item.aside:
            between = layout.speech if layout.name is None else (layout.speech + layout.name) // 2
            rows += [Printed(((between, row),)) for row in _wrapped(f"({item.aside})", 24)]
        return rows + [Printed(((layout.speech, row),)) for row in _wrapped(item.text, layout.speech_width)]


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, break_on_hyphens=False) if width else [text]


def _as_text(pages: list[list[Printed]], layout: Layout, draw: random.Random) -> bytes:
    texts: list[str] = []
    for page in pages:
        lines: list[str] = []
        for row in page:
            line = ""
            for column, text in row.cells:
                jitter = draw.choice((0, 0, 0, 0, 1, -1)) if layout.dirt and column else 0
                line = line.ljust(max(0, layout.margin + column + jitter)) + (
                    _dirty(text, draw) if layout.dirt else text
                )
            if layout.tabs:
                lead = len(line) - len(line.lstrip(" "))
                line = "\t" * (lead // 8) + " " * (lead % 8) + line.lstrip(" ")
            lines.append(line)
        texts.append("\n".join(lines) + "\n")
    return (("\f" if layout.feeds else "\n") if len(texts) > 1 else "").join(texts).encode()


def _dirty(text: str, draw: random.Random) -> str:
    """A row as text recognition leaves it: letters taken for others, a speck at an edge, a space too many."""
    for clean, dirty in (("l", "1"), ("O", "0"), ("I", "l"), ("m", "rn")):
        at = [found.start() for found in re.finditer(clean, text)]
        if at and draw.random() < 0.03:
            place = draw.choice(at)
            text = text[:place] + dirty + text[place + 1 :]
    if draw.random() < 0.01:
        text += draw.choice((" .", " |", "'"))
    if " " in text and draw.random() < 0.02:
        text = text.replace(" ", "  ", 1)
    return text


_SAME_SIGNS = str.maketrans({"1": "l", "0": "o", "i": "l"})


def plain(text: str) -> str:
    """A text's letters and digits alone, those that text recognition confuses being one."""
    folded = "".join(char for char in text.casefold().translate(_SAME_SIGNS) if char.isalnum())
    return folded.replace("rn", "m")


@dataclass(frozen=True, slots=True)
class Score:
    """Counts over one file. `narrated` are words of speech, names or page headers that were read as action."""

    speeches: int = 0
    speeches_right: int = 0
    names_right: int = 0
    actions: int = 0
    actions_right: int = 0
    actions_found: int = 0
    words_of_speech: int = 0
    narrated: int = 0
    refused: int = 0

    def __add__(self, other: Score) -> Score:
        """Both together."""
        return Score(*(getattr(self, name) + getattr(other, name) for name in Score.__slots__))


RUN = 4


def score(found: Sequence[Item] | None, truth: Sequence[Item]) -> Score:
    """How a reading compares with the truth; None is a file that was refused."""
    true_speech = [item for item in truth if item.kind is Kind.SPEECH]
    true_action = [item for item in truth if item.kind is Kind.ACTION]
    words = sum(len(item.text.split()) for item in true_speech)
    if found is None:
        return Score(len(true_speech), 0, 0, len(true_action), 0, 0, words, 0, 1)
    speech = [item for item in found if item.kind is Kind.SPEECH]
    action = [item for item in found if item.kind is Kind.ACTION]
    return Score(
        len(true_speech),
        _shared((plain(item.text) for item in speech), (plain(item.text) for item in true_speech)),
        _shared(map(_named, speech), map(_named, true_speech)),
        len(true_action),
        _shared((plain(item.text) for item in action), (plain(item.text) for item in true_action)),
        len(action),
        words,
        _narrated(action, true_speech, true_action),
    )


def _named(item: Item) -> str:
    return f"{plain(item.speaker)}:{plain(item.text)}"


def _shared(found, truth) -> int:
    return (Counter(found) & Counter(truth)).total()


def _narrated(action: Sequence[Item], true_speech: Sequence[Item], true_action: Sequence[Item]) -> int:
    spoken = {run for item in true_speech for run in _runs(item.text)} - {
        run for item in true_action for run in _runs(item.text)
    }
    whole = {plain(item.text) for item in true_speech} | {plain(item.speaker) for item in true_speech}
    whole |= {plain(text) for text in ("LONG WAY HOME Rev. 5/12/99", "Third Draft 12 May 1999", "Mara Quill")}
    whole -= {plain(item.text) for item in true_action}
    count = 0
    for item in action:
        tokens = item.text.split()
        if plain(item.text) in whole:
            count += len(tokens)
            continue
        words = [plain(token) for token in tokens]
        hit = [False] * len(words)
        for at in range(len(words) - RUN + 1):
            if tuple(words[at : at + RUN]) in spoken:
                hit[at : at + RUN] = [True] * RUN
        count += sum(hit)
    return count


def _runs(text: str) -> list[tuple[str, ...]]:
    words = [plain(token) for token in text.split()]
    return [tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1)]


def subtitles_of(items: Sequence[Item], seed: int, *, lost: float = 0.2) -> list[str]:
    """What the film's subtitles say of it: speeches in pieces of up to eight words, some lost, some changed."""
    draw = random.Random(seed)
    texts: list[str] = []
    for item in items:
        if item.kind is not Kind.SPEECH or draw.random() < lost:
            continue
        words = [word for word in item.text.split() if draw.random() > 0.05]
        texts += [" ".join(words[at : at + 8]) for at in range(0, len(words), 8)]
    return texts
