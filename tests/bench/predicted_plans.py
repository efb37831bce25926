"""How far plans made on predicted lengths differ from plans made on measured ones; and what a batch of lengths costs.

    python tests/bench/predicted_plans.py [--data ../shared/data] [--engine espeak-ng] [--voice en-gb] [--rates 160 200]

The sample film with its candidates, and the trailer with its descriptions (each also shortened to half), with their own
dialogue. The model is fitted to the calibration sentences alone, as it is when a voice has just been chosen. “Worth” is
the share of the best plan's objective that the predicted choice of lines and wordings brings at their real lengths, as
far as they still fit; a line moved where its start differs by 0.2 s or more. The rate is what lines are timed by
without a voice. Then the live times, in the process’s own time: a two-hour film with some 17,000 wordings; each batch
makes 50 of them known.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from time import process_time

from films import film
from rich.console import Console
from rich.table import Table

from adstudio.core.document import Document
from adstudio.core.film import Film
from adstudio.core.narration import LineVoice, Narrator, VoiceSettings
from adstudio.core.plan import Plan
from adstudio.core.script import Cue, Eventuality, Script, Variant
from adstudio.core.settings import Settings
from adstudio.core.timebase import Span
from adstudio.core.words import words
from adstudio.gaps.gaps import gaps_of
from adstudio.planning.film.film_plan import plan_film
from adstudio.planning.film.live_plan import FilmPlanner
from adstudio.planning.film.plan_changes import compare
from adstudio.speech.cache import SpeechCache
from adstudio.speech.engines import find_engine
from adstudio.speech.length_model import calibration_sentences, fit
from adstudio.speech.speaker import Speaker
from adstudio.speech.style import resolved_voice
from adstudio.speech.voice_lengths import VoiceLengths, manner_of, spoken
from adstudio.subtitles.reading import read_subtitles
from adstudio.system.locations import resource

console = Console(width=120)


def seconds(value: float) -> int:
    return round(value * 1000)


def sample(voice: VoiceSettings, rate: int) -> Script:
    """The sample film, its lines as they are prepared."""
    lines: list[Eventuality] = []
    scenes = json.loads(resource("sample", "candidates.json").read_text("utf-8"))["scenes"]
    for scene in scenes:
        for element in scene["elements"]:
            shorter = element["compressed_audio_descriptions"].items()
            variants = [Variant(element["audio_description"]), *(Variant(t, Fraction(r)) for r, t in shorter)]
            found = (element.get("occurrence_start"), element.get("occurrence_end"))
            action = None if None in found else Span(seconds(found[0]), seconds(found[1]))
            salience = round((element.get("salience") or 0) * 1_000_000)
            lines.append(Eventuality(f"e{len(lines)}", tuple(variants), action, salience))
    cues = _cues(resource("sample", "dialogue.srt"))
    programme = Film("sample", seconds(scenes[-1]["end"]))
    return Script(programme, Settings(rate), cues=cues, eventualities=tuple(lines), voice=voice)


def trailer(data: Path, voice: VoiceSettings, rate: int) -> Script | None:
    """The trailer, with its descriptions at the times at which they were written, and each in half of its words."""
    folder = data / "film" / "plan9-trailer"
    if not folder.is_dir():
        return None
    lines: list[Eventuality] = []
    for cue in _cues(folder / "descriptions.en.vtt"):
        found = words(cue.text)
        short = " ".join(found[: max(1, len(found) // 2)])
        action = Span(cue.start, max(cue.start + 1, cue.end))
        salience = 400_000 + 50_000 * (len(lines) % 9)
        variants = (Variant(cue.text), Variant(short, Fraction(1, 2)))
        lines.append(Eventuality(f"e{len(lines)}", variants, action, salience))
    end = max(line.occurrence.end for line in lines if line.occurrence) + 15_000
    cues = _cues(folder / "captions.en.vtt")
    return Script(Film("trailer", end), Settings(rate), cues=cues, eventualities=tuple(lines), voice=voice)


def _cues(path: Path) -> tuple[Cue, ...]:
    found = read_subtitles(path).cues
    return tuple(Cue(f"c{number}", cue.start, cue.end, cue.text) for number, cue in enumerate(found))


@dataclass(frozen=True)
class Fixed:
    """Lengths as they are given, measured."""

    by_text: Mapping[str, int]

    def measured(self, text: str, narrator: Narrator, voice: LineVoice | None) -> int | None:
        return self.by_text.get(text)

    def predicted(self, text: str, narrator: Narrator, voice: LineVoice | None) -> int | None:
        return None

    def changed_from(self, before: object, narrator: Narrator) -> None:
        return None


def planned(script: Script) -> Plan:
    return plan_film(script, gaps_of(script).gaps)


def worth(script: Script, guessed: Plan, best: Plan) -> float:
    """What the guessed choice brings at real lengths, lines that no longer fit left out by the planner."""
    chosen = {delivery.element: delivery.variant for delivery in guessed.deliveries}
    lines = tuple(
        replace(line, pin=replace(line.pin, variant=chosen[line.id]))
        if line.id in chosen
        else replace(line, pin=replace(line.pin, selected=False))
        for line in script.eventualities
    )
    kept = planned(script.with_changes(eventualities=lines))
    return (kept.objective or 0) / (best.objective or 1)


def compared(table: Table, name: str, script: Script, speaker: Speaker) -> None:
    narrator = script.narrator
    _, style = resolved_voice(narrator.voice, narrator.rate)
    known = {text: speaker.say(text, style).sound.ms for text in calibration_sentences("en")}
    model = fit({said: ms for text, ms in known.items() if (said := spoken(text, narrator)) is not None})
    texts = {variant.text for line in script.eventualities for variant in line.variants}
    real = {text: speaker.say(text, style).sound.ms for text in texts}
    assert model is not None
    best = planned(script.with_changes(lengths=Fixed(real)))
    measured = script.with_changes(lengths=Fixed(real))
    predicted = VoiceLengths().with_model(manner_of(narrator), model)
    for how, guess in (("predicted", script.with_changes(lengths=predicted)), ("speaking rate", script)):
        plan = planned(guess)
        changes = compare(plan, best)
        moved = [abs(shift.by) for shift in changes.moved] if changes.moved else []
        overrun = sum(
            real[script.eventuality(each.element).variants[each.variant].text] > each.end - each.start
            for each in plan.deliveries
        )
        table.add_row(
            name,
            how,
            f"{(plan.objective or 0) / 1e9:.2f} / {(best.objective or 0) / 1e9:.2f}",
            f"{100 * worth(measured, plan, best):.1f} %",
            f"{len(plan.deliveries)} / {len(best.deliveries)}",
            f"{len(changes.added)} + {len(changes.dropped)}",
            str(len(changes.reworded)),
            f"{len(moved)} ({statistics.median(moved) / 1000:.1f} s)" if moved else "0",
            str(overrun),
        )


def live() -> None:
    """What a batch of measured lengths costs in a two-hour film."""
    problem = film(measured=True)
    real: dict[str, int] = {}
    lines: list[Eventuality] = []
    for element in problem.elements:
        texts = tuple(f"{element.id} in wording {number}" for number in range(len(element.durations)))
        real |= dict(zip(texts, element.durations, strict=True))
        lines.append(Eventuality(element.id, tuple(map(Variant, texts)), element.occurrence, element.salience))
    script = Script(Film("f", 7_200_000), eventualities=tuple(lines), voice=VoiceSettings("espeak-ng", "en-gb"))
    manner, rng = manner_of(script.narrator), random.Random(3)
    guessed = {text: round(ms * rng.uniform(0.96, 1.04)) for text, ms in real.items()}
    lengths = VoiceLengths().with_measured(manner, "1", guessed)
    document = Document(script)
    document.refresh_lengths(lengths)
    planner = FilmPlanner(document.script, problem.gaps)
    planner.settle()
    refreshed, settled = [], []
    # As they are measured: in the order of the script, the wordings in full first.
    order = [text for text in real if text.endswith(" 0")]
    for first in range(0, 50 * 40, 50):
        batch = {text: real[text] for text in order[first : first + 50]}
        began = process_time()
        lengths = lengths.with_measured(manner, "1", batch)
        document.refresh_lengths(lengths)
        planner.replan(document.script, problem.gaps)
        refreshed.append(process_time() - began)
        began = process_time()
        planner.settle()
        settled.append(process_time() - began)
    console.print(
        f"\nA batch of 50 lengths in a film of {len(lines):,} lines with {len(real):,} wordings: "
        f"re-planned in {1000 * statistics.median(refreshed):.0f} ms (95 %: "
        f"{1000 * sorted(refreshed)[len(refreshed) * 95 // 100]:.0f} ms), settled at rest in "
        f"{1000 * statistics.median(settled):.0f} ms; as kept: {len(lengths.to_bytes()) / 1024:,.0f} kB"
    )


def main(arguments: Sequence[str] = sys.argv[1:]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(__file__).resolve().parents[3] / "shared" / "data")
    parser.add_argument("--engine", default="espeak-ng")
    parser.add_argument("--voice", default="en-gb")
    parser.add_argument("--rates", type=int, nargs="*", default=[160, 200])
    parser.add_argument("--cache", type=Path)
    options = parser.parse_args(arguments)
    table = Table(title=f"Plans on expected lengths beside plans on measured ones ({options.engine} {options.voice})")
    figures = ("objective", "worth", "lines", "in + out", "reworded", "moved (median)", "too long")
    for column in ("film", "lengths", *figures):
        table.add_column(column, justify="right")
    voice = VoiceSettings(options.engine, options.voice)
    with tempfile.TemporaryDirectory() as temporary:
        speaker = Speaker(find_engine(options.engine), SpeechCache(options.cache or Path(temporary)))
        for rate in options.rates:
            for script in (sample(voice, rate), trailer(options.data, voice, rate)):
                if script is not None:
                    compared(table, f"{script.film.title}, {rate}", script, speaker)
        speaker.close()
    console.print(table)
    live()
    return 0


if __name__ == "__main__":
    sys.exit(main())
