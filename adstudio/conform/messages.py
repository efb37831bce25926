"""What conforming did, in words and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from adstudio.conform.matching import CutMatch
from adstudio.conform.report import ConformReport, LineFate, LineReport
from adstudio.conform.time_map import Fate, Stretch, TimeMap
from adstudio.core.counts import counted, percent
from adstudio.core.film import Film
from adstudio.core.script import Opening, Scene, Silence
from adstudio.core.timebase import Span, seconds

FORMAT = "adstudio-conform/1"
SPEEDS: dict[Fraction, str] = {
    Fraction(24, 25): "24 to 25 fps",
    Fraction(25, 24): "25 to 24 fps",
    Fraction(1000, 1001): "23.976 to 24 fps, or 29.97 to 30",
    Fraction(1001, 1000): "24 to 23.976 fps, or 30 to 29.97",
    Fraction(24000, 25025): "23.976 to 25 fps",
    Fraction(25025, 24000): "25 to 23.976 fps",
}
"""What changes the speed of a film by each ratio of its times."""
SURE = 700
"""Thousandths; a lower confidence is mentioned."""
QUOTED = 60
"""Characters of a line that a message quotes."""
_FATES = {
    Fate.SAME: "unchanged",
    Fate.SHIFTED: "shifted",
    Fate.MOVED: "moved",
    Fate.REMOVED: "removed",
    Fate.INSERTED: "inserted",
}


def stretch_messages(report: ConformReport) -> Iterator[str]:
    """What became of the film, a stretch each: `shifted 00:49:06–01:44:05 to 00:16:10–01:11:09 (-32.8 s)`."""
    for stretch in report.time_map.stretches:
        yield _stretch(stretch, report)


def speed_message(time_map: TimeMap) -> str:
    """What was recognised of a change of speed; empty where there is none."""
    if time_map.ratio == 1:
        return ""
    return f"the new cut runs at another speed: {SPEEDS[time_map.ratio]} (times × {float(time_map.ratio):.4f})"


def evidence_message(match: CutMatch) -> str:
    """What the comparison rests on."""
    parts: list[str] = []
    if match.sound is not None:
        parts.append(f"{percent(min(match.sound.share, 1.0))} of the sound")
    if match.text is not None:
        parts.append(f"{percent(match.text.share)} of the dialogue")
    shared, whole = match.time_map.shared / 1000, match.time_map.old_end / 1000
    return f"{shared:.1f} s of {whole:.1f} s are in both cuts: {' and '.join(parts)} can be matched"


def report_rows(report: ConformReport) -> Iterator[tuple[str, str, str, str]]:
    """The stretches, then the lines to be looked at: what became of it, its former and new time, and which or why."""
    for stretch in report.time_map.stretches:
        spans = (
            "" if stretch.old is None else _span(report.before, stretch.old),
            "" if stretch.new is None else _span(report.after, stretch.new),
        )
        length = (stretch.old or stretch.new or Span(0, 0)).length
        sure = "" if stretch.confidence >= SURE else f", {percent(stretch.confidence / 1000)} sure"
        yield (f"Film {_FATES[stretch.fate]}", *spans, f"{length / 1000:.1f} s{sure}")
    for line in report.attention:
        times = (
            "" if line.old is None else report.before.timecode(line.old.start),
            "" if line.new is None else report.after.timecode(line.new.start),
        )
        what = "Line without film" if line.fate is LineFate.GONE else "Line to check"
        yield (what, *times, f"{_quoted(line)}: {'; '.join(_reasons(line))}")


def line_messages(report: ConformReport) -> Iterator[str]:
    """The lines to be looked at, with why."""
    for line in report.attention:
        yield f"{_quoted(line)} {_where(line, report)}: {'; '.join(_reasons(line))}"


def other_messages(report: ConformReport) -> Iterator[str]:
    """Scenes, silences, openings and rules that could not follow as they were."""
    for item in report.gone:
        yield f"{_kind(item)} at {report.before.timecode(item.span.start)}: its film was removed{_note(item)}"
    for scene in report.reopened:
        at = report.after.timecode(scene.span.start)
        yield f"scene {_title(scene)} at {at}: changed, so it is to be reviewed again"
    for scene in report.added:
        yield f"scene {_title(scene)} added: {_span(report.after, scene.span)}"
    rules = report.rules
    count = len(rules.alternatives) + len(rules.requires) + len(rules.together) + len(rules.penalties)
    if count:
        apply = "applies" if count == 1 else "apply"
        yield f"{counted(count, 'rule')} that named lines of removed film no longer {apply}"


def summary(report: ConformReport) -> str:
    """How many lines followed, and what became of the dialogue, in one line."""
    counts = {fate: len(report.of(fate)) for fate in LineFate}
    words = {
        LineFate.SAME: "unchanged",
        LineFate.SHIFTED: "shifted",
        LineFate.MOVED: "moved",
        LineFate.GONE: "without film",
        LineFate.UNPLACED: "without a time as before",
    }
    lines = ", ".join(f"{counts[fate]:,} {word}" for fate, word in words.items() if counts[fate])
    unsure = sum(line.unsure for line in report.lines)
    if unsure:
        lines += f" ({unsure:,} to be checked)"
    dialogue = report.dialogue
    cues = f"{dialogue.shared:,} in both cuts"
    for number, word in ((dialogue.reworded, "reworded"), (dialogue.added, "came"), (dialogue.removed, "went")):
        cues += f", {number:,} {word}" if number else ""
    return f"{counted(len(report.lines), 'line')}: {lines or 'none'}; {_count_of_cues(report)}: {cues}"


def report_json(report: ConformReport, match: CutMatch) -> dict[str, object]:
    """The whole report as `adstudio-conform/1`, times in seconds."""
    dialogue = report.dialogue
    return {
        "format": FORMAT,
        "ratio": str(report.time_map.ratio),
        "speed": SPEEDS.get(report.time_map.ratio, ""),
        "shared": seconds(report.time_map.shared),
        "end": {"former": seconds(report.before.end), "new": seconds(report.after.end)},
        "evidence": {
            "sound": None if match.sound is None else round(min(match.sound.share, 1.0), 3),
            "dialogue": None if match.text is None else round(match.text.share, 3),
        },
        "stretches": [
            {
                "fate": stretch.fate.value,
                "former": _seconds(stretch.old),
                "new": _seconds(stretch.new),
                "confidence": stretch.confidence / 1000,
            }
            for stretch in report.time_map.stretches
        ],
        "unsure": [_seconds(span) for span in report.time_map.unsure],
        "lines": [
            {
                "element": line.line.id,
                "text": line.line.variants[0].text,
                "fate": line.fate.value,
                "former": _seconds(line.old),
                "new": _seconds(line.new),
                "check": line.unsure,
                "why": _reasons(line),
            }
            for line in report.lines
        ],
        "dialogue": {
            "shared": dialogue.shared,
            "reworded": dialogue.reworded,
            "added": dialogue.added,
            "removed": dialogue.removed,
        },
        "others": list(other_messages(report)),
    }


def _stretch(stretch: Stretch, report: ConformReport) -> str:
    word = _FATES[stretch.fate]
    sure = "" if stretch.confidence >= SURE else f", {percent(stretch.confidence / 1000)} sure"
    if stretch.old is None or stretch.new is None:
        film, span = (report.before, stretch.old) if stretch.new is None else (report.after, stretch.new)
        return "" if span is None else f"{word} {_span(film, span)} ({span.length / 1000:.1f} s){sure}"
    by = (stretch.new.start - stretch.old.start) / 1000
    shift = "" if stretch.fate is Fate.SAME else f" to {_span(report.after, stretch.new)} ({by:+.1f} s)"
    return f"{word} {_span(report.before, stretch.old)}{shift}{sure}"


def _reasons(line: LineReport) -> list[str]:
    found: list[str] = []
    if line.fate is LineFate.GONE:
        found.append("removed: locked out, its former time is in its note")
    if line.unsure and line.fate is not LineFate.GONE:
        found.append("a cut may lie elsewhere here: check its time")
    return [*found, *(loss.value for loss in line.losses)]


def _where(line: LineReport, report: ConformReport) -> str:
    if line.new is not None:
        return f"at {report.after.timecode(line.new.start)}"
    return "" if line.old is None else f"(was at {report.before.timecode(line.old.start)})"


def _quoted(line: LineReport) -> str:
    text = " ".join(line.line.variants[0].text.split())
    return f"“{text if len(text) <= QUOTED else text[: QUOTED - 1].rstrip() + '…'}”"


def _kind(item: Scene | Silence | Opening) -> str:
    if isinstance(item, Scene):
        return f"scene {_title(item)}"
    return "silence" if isinstance(item, Silence) else "opening"


def _note(item: Scene | Silence | Opening) -> str:
    return "" if isinstance(item, Scene) or not item.note else f" (its note: {item.note})"


def _title(scene: Scene) -> str:
    return f"“{scene.title}”" if scene.title else "without a title"


def _span(film: Film, span: Span) -> str:
    return f"{film.timecode(span.start)}–{film.timecode(span.end)}"


def _seconds(span: Span | None) -> list[float] | None:
    return None if span is None else [seconds(span.start), seconds(span.end)]


def _count_of_cues(report: ConformReport) -> str:
    return counted(report.dialogue.shared + report.dialogue.added + report.dialogue.removed, "cue")
