"""Fountain (https://fountain.io/syntax/), and plain text without indentation, which follows the same rules.

Beyond the syntax: a heading in capitals such as `INT. HOUSE - DAY` inside a paragraph counts as a heading (reported as
an oddity); headings and transitions of other languages and with numbers are recognised, and so are credits above the
first heading without keys; `!!` begins a shot, as in Beat; hashtags at line ends are removed if headings
have them too; a parenthetical may follow another.
"""

from __future__ import annotations

import re

from adstudio.screenplay.builder import Builder, Place
from adstudio.screenplay.comments import Line, lines_without_comments
from adstudio.screenplay.line_kinds import (
    Cue,
    credits_end,
    cue,
    heading,
    is_capitals,
    is_heading,
    is_mini_heading,
    is_transition,
    names_act,
    names_transition,
    numbered_heading,
    parenthetical,
)
from adstudio.screenplay.not_action import heads_cast, is_of_cast
from adstudio.screenplay.terms import TITLE_PAGE_KEYS

_TOKEN = re.compile(r"\\[*_\\!@.>#=~^\[\]/+&-]|\*{1,3}|_")


def plain(line: str) -> str:
    """A line without markup.

    A mark opens before a non-space and closes after one, on the same line (so "dialed *69 and *23" keeps its stars);
    an underscore neither opens nor closes inside a word. Takes one pass.
    """
    if "*" not in line and "_" not in line and "\\" not in line:
        return line
    pieces: list[str] = []
    opened: dict[str, int] = {}
    at = 0
    for token in _TOKEN.finditer(line):
        mark, start, end = token[0], token.start(), token.end()
        pieces.append(line[at:start])
        at = end
        if mark[0] == "\\":
            pieces.append(mark[1:])
            continue
        before, after = line[start - 1 : start], line[end : end + 1]
        closes = bool(before.strip()) and not (mark == "_" and after.isalnum())
        if closes and mark in opened:
            pieces[opened.pop(mark)] = ""
            continue
        if after.strip() and not (mark == "_" and before.isalnum()):
            opened[mark] = len(pieces)
        pieces.append(mark)
    pieces.append(line[at:])
    return "".join(pieces)


_PAGE_BREAK = re.compile(r"\s*={3,}\s*")
_SECTION = re.compile(r"\s{0,3}#{1,6}(?=[^#]|$)")
_SECTION_INSIDE = re.compile(r"#{1,6}\s")
_SYNOPSIS = re.compile(r"=(?!=)|!!")
_TITLE_ENTRY = re.compile(r"([^\s:：][^:：]{0,40})[:：](.*)")
_WORD = re.compile(r"\S+")
_TAG = re.compile(r"#[^\s#\d][^\s#]*+")
_WHOLLY_BLANK_AT_LEAST = 3
_PARENTHETICAL_LINES = 5
_NAMELESS_ENDS = (".", "!", "?", "…", ":")


def read_fountain(text: str, builder: Builder) -> None:
    """Read a Fountain text into a builder; line ends must be newlines only."""
    lines, unclosed, open_notes, long_notes = lines_without_comments(text)
    body = _without_title_page(lines, builder)
    as_text = bool(unclosed) and not any(line.text.strip() for line in body)
    if as_text:
        # A film of nothing helps nobody.
        builder.title_page.clear()
        lines, unclosed, open_notes, long_notes = lines_without_comments(text, unclosed_as_text=True)
        body = _without_title_page(lines, builder)
    for number in unclosed:
        what = "read as text" if as_text else f"not read: {text.count(chr(10)) + 1 - number:,} lines"
        builder.report_oddity(f"“/*” has no closing “*/”, so what follows is {what}", Place(number))
    for number in open_notes:
        builder.report_oddity("a note “[[” has no closing “]]”: not read up to the next empty line", Place(number))
    for number in long_notes:
        builder.report_oddity("a note “[[” contains an empty line: not read up to its “]]”", Place(number))
    _Reader(_without_tags(body), builder).read()


def _without_title_page(lines: list[Line], builder: Builder) -> list[Line]:
    """The lines after the title page: blocks of keys with values at the start of the file, and credits without keys.

    At least one key of each block must be a known one.
    """
    rest = _without_title_entries(lines, builder)
    while len(rest) < len(lines):
        lines, rest = rest, _without_title_entries(rest, builder)
    return _without_credits(lines, builder)


def _without_credits(lines: list[Line], builder: Builder) -> list[Line]:
    """The lines after the credits above the first heading, if there are any."""
    begins = next((at for at, line in enumerate(lines) if numbered_heading(line.text) is not None), 0)
    written = [at for at, line in enumerate(lines[:begins]) if line.text.strip()]
    texts = [plain(lines[at].text.strip()).strip("<> ") for at in written]
    count = credits_end(texts, [not at or not lines[at - 1].text.strip() for at in written])
    if not count:
        return lines
    builder.credits(texts[:count], Place(lines[written[0]].number))
    return lines[written[count - 1] + 1 :]


def _without_title_entries(lines: list[Line], builder: Builder) -> list[Line]:
    start = next((at for at, line in enumerate(lines) if line.text.strip()), len(lines))
    entries: list[tuple[str, list[str]]] = []
    at = start
    while at < len(lines) and lines[at].text.strip():
        text = lines[at].text
        found = None if text[:1].isspace() else _TITLE_ENTRY.fullmatch(text)
        if found is not None and not is_heading(text) and not names_transition(text, alone=False):
            entries.append((found[1].strip(), [found[2].strip()]))
        elif entries and text[:1].isspace():
            entries[-1][1].append(text.strip())
        else:
            break
        at += 1
    if not any(key.lower() in TITLE_PAGE_KEYS for key, _ in entries):
        return lines
    builder.title_page += [(key, "\n".join(plain(value) for value in values if value)) for key, values in entries]
    return lines[at:]


def _without_tags(lines: list[Line]) -> list[Line]:
    """Lines without hashtags at their ends, if the file's headings have such hashtags, which are not part of them."""
    if not any(is_heading(line.text.strip()) and _untagged(line.text) != line.text for line in lines):
        return lines
    return [Line(_untagged(line.text), line.number) for line in lines]


def _untagged(text: str) -> str:
    if " #" not in text:
        return text
    end = len(text)
    for word in reversed(list(_WORD.finditer(text))):
        if _TAG.fullmatch(word[0]) is None:
            break
        end = word.start()
    return text if end == len(text) else text[:end].rstrip()


class _Reader:
    """Reads the lines; `at` is the next one."""

    def __init__(self, lines: list[Line], builder: Builder) -> None:
        self.lines = lines
        self.builder = builder
        self.at = 0
        blank = [line.text for line in lines if not line.text.strip()]
        # If every blank line has spaces, a program put them there, and two spaces do not continue a speech.
        self.spaces_join = not (len(blank) >= _WHOLLY_BLANK_AT_LEAST and all(len(text) > 1 for text in blank))
        if not self.spaces_join:
            builder.report_oddity("all blank lines contain spaces: they are read as empty", Place(1))

    def read(self) -> None:
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if not line.text.strip():
                self.builder.end_speech()
                self.at += 1
            elif _is_forced_action(line.text.strip()) or not (self._single(line) or self._speech(line)):
                self._action()

    def _alone(self, at: int) -> bool:
        return self._blank(at + 1) and (not at or self._blank(at - 1))

    def _blank(self, at: int) -> bool:
        return at >= len(self.lines) or not self.lines[at].text.strip()

    def _single(self, line: Line) -> bool:
        """A line on its own: a page break, section, synopsis, heading, transition, centred or sung line."""
        text, place = line.text.strip(), Place(line.number)
        if _PAGE_BREAK.fullmatch(text) or text.startswith("=") or _SECTION.match(line.text):
            self.builder.end_speech()
        elif text.startswith(">"):
            if text.endswith("<"):
                self._centred()
                return True
            self.builder.transition(plain(text[1:].strip()), place)
        elif text.startswith("~"):
            self.builder.add_speech(plain(text[1:]), place, lyrics=True)
            if self._blank(self.at + 1) or not self.lines[self.at + 1].text.strip().startswith("~"):
                self.builder.end_speech()
        elif _is_forced_heading(text):
            self.builder.heading(*_plain_heading(text[1:]), place)
        elif text.startswith("!!"):
            self.builder.aside(plain(text[2:]), place)
        elif (found := numbered_heading(plain(text))) is not None:
            self.builder.heading(*found, place)
        elif names_act(text, alone=False):
            self.builder.aside(text, place)
        elif is_mini_heading(text) and self._alone(self.at):
            self.builder.heading(*_plain_heading(text), place)
        elif (is_transition(text) and self._blank(self.at + 1)) or names_transition(text, alone=False):
            self.builder.transition(text, place)
        else:
            return False
        self.at += 1
        return True

    def _centred(self) -> None:
        first = self.lines[self.at].number
        lines: list[str] = []
        while not self._blank(self.at):
            text = self.lines[self.at].text.strip()
            if not (text.startswith(">") and text.endswith("<")):
                break
            lines.append(plain(text[1:-1].strip()))
            self.at += 1
        self.builder.action(lines, Place(first), centred=True)

    def _speech(self, line: Line) -> bool:
        found = self._cue_at(self.at)
        if found is None:
            return False
        place = Place(line.number)
        if found.speaker.endswith(_NAMELESS_ENDS) and not line.text.strip().startswith("@"):
            what = f"“{found.speaker[:60]}” is read as a character name: if it is action, put “!” before it"
            self.builder.report_oddity(what, place)
        self.builder.cue(found, place)
        self.at += 1
        while not self._ends_speech():
            self._spoken()
        self.builder.end_speech()
        return True

    def _cue_at(self, at: int) -> Cue | None:
        """The character name in a line, if the next line can be its speech."""
        if self._blank(at + 1):
            return None
        text = self.lines[at].text.strip()
        if text.startswith("@"):
            return cue(plain(text[1:]), forced=True)
        of_cast = heads_cast(plain(text)) and is_of_cast(plain(self.lines[at + 1].text), below_heading=True)
        return None if of_cast or text.startswith("!") else cue(plain(text))

    def _ends_speech(self) -> bool:
        if self.at >= len(self.lines):
            return True
        text = self.lines[self.at].text
        if text.strip():
            return self._heading_inside(self.lines[self.at], "a speech")
        if not self.spaces_join or len(text) < 2:
            return True
        # Two spaces continue the speech, unless a heading or another name follows.
        following = self.at + 1
        if self._blank(following):
            return True
        next_text = self.lines[following].text.strip()
        return (
            numbered_heading(next_text) is not None
            or names_transition(next_text, alone=False)
            or self._cue_at(following) is not None
        )

    def _spoken(self) -> None:
        line = self.lines[self.at]
        text, place = line.text.strip(), Place(line.number)
        self.at += 1
        if text.startswith(("(", "（")):
            whole = self._whole_parenthetical(text)
            if whole is not None:
                self.builder.parenthetical(plain(whole))
                return
        if text.startswith("~"):
            self.builder.add_speech(plain(text[1:]), place, lyrics=True)
        elif text and not _SYNOPSIS.match(text):
            self.builder.add_speech(plain(text), place)

    def _whole_parenthetical(self, text: str) -> str | None:
        inside = parenthetical(text)
        if inside is not None or ")" in text or "）" in text:
            return inside
        gathered = [text]
        for at in range(self.at, min(self.at + _PARENTHETICAL_LINES, len(self.lines))):
            more = self.lines[at].text.strip()
            if not more:
                return None
            gathered.append(more)
            if more.endswith((")", "）")):
                self.at = at + 1
                return parenthetical(" ".join(gathered))
        return None

    def _action(self) -> None:
        first = self.lines[self.at]
        lines = [_unforced(first.text)]
        self.at += 1
        while not self._blank(self.at) and not self._breaks_action(self.lines[self.at]):
            lines.append(_unforced(self.lines[self.at].text))
            self.at += 1
        self.builder.action(lines, Place(first.number), forced=_is_forced_action(first.text.strip()))

    def _breaks_action(self, line: Line) -> bool:
        text = line.text.strip()
        if _is_forced_action(text):
            return False
        if text.startswith(("~", ">", "=", "!!")) or _PAGE_BREAK.fullmatch(text) or _SECTION_INSIDE.match(text):
            return True
        return (
            names_transition(text, alone=False)
            or names_act(text, alone=False)
            or self._heading_inside(line, "a paragraph")
        )

    def _heading_inside(self, line: Line, what: str) -> bool:
        text = line.text.strip()
        if numbered_heading(text) is None or not is_capitals(text):
            return False
        self.builder.report_oddity(f"a scene heading inside {what}: read as a heading", Place(line.number))
        return True


def _is_forced_heading(text: str) -> bool:
    return len(text) > 1 and text[0] == "." and text[1] != "." and not text[1].isspace()


def _is_forced_action(text: str) -> bool:
    return text.startswith("!") and not text.startswith("!!")


def _plain_heading(text: str) -> tuple[str, str]:
    found = heading(plain(text))
    return found.text, found.number


def _unforced(text: str) -> str:
    return plain(text.strip().removeprefix("!"))
