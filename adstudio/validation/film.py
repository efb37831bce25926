"""A script against the film that it is for: whether its lines can be spoken where they are."""

from __future__ import annotations

from adstudio.core.rule_findings import Findings, Rule, RuleFinding
from adstudio.core.script import Script
from adstudio.core.timebase import FrameRate
from adstudio.gaps.gaps import gaps_of
from adstudio.importing.findings import Problem, ScriptTimesError
from adstudio.importing.placing import Placing
from adstudio.importing.script_times import ScriptTimes, timed_script
from adstudio.script_files.reading import TimesRead, read_with_clock
from adstudio.script_files.script_clock import ScriptClock

TIMES = Rule("film:times", "the film, its start timecode and rate")
_LENGTH, _DIALOGUE, _LINES = "the film, its length", "the film, its dialogue and gaps", "the script, its other lines"
_RULES: dict[Problem, tuple[Rule, str]] = {
    Problem.OUT_OF_ORDER: (Rule("film:order", _LINES), "the line is spoken before one that is above it"),
    Problem.BEFORE_FILM: (Rule("film:before", _LENGTH), "the line is before the film’s first frame"),
    Problem.PAST_END: (Rule("film:past-end", _LENGTH), "the line begins after the film’s end"),
    Problem.NO_TIME: (Rule("film:no-time", _LENGTH), "the line has no time"),
    Problem.RUNS_PAST_END: (Rule("film:runs-past-end", _LENGTH), "the line ends after the film"),
    Problem.NO_LENGTH: (Rule("film:no-length", _LINES), "the line has no out time that leaves time to speak it"),
    Problem.CUT_SHORT: (Rule("film:overlap", _LINES), "the line has not ended when the next one begins"),
    Problem.OVERLAPS_LINE: (Rule("film:overlap", _LINES), "the line is spoken while another one is"),
    Problem.OVERLAPS_DIALOGUE: (Rule("film:dialogue", _DIALOGUE), "the line is over dialogue, or outside of the gaps"),
    Problem.FILLS_GAP: (Rule("film:fill", _DIALOGUE), "the line fills its gap further than the project allows"),
    Problem.TOO_LONG: (Rule("film:too-long", _LINES), "the text is longer than a line can be"),
    Problem.EXTENDED: (Rule("film:extended", _DIALOGUE), "the picture has to be held for the line"),
}
_ADVICE = frozenset({Problem.EXTENDED})


def film_findings(data: bytes, name: str, script: Script) -> tuple[RuleFinding, ...]:
    """What stands against the lines of a file in the film of a project, in the order of the file's lines.

    Raises:
        BadInputError: for a file that is no finished script.
    """

    def read(rate: FrameRate, start: str) -> TimesRead:
        return read_with_clock(data, name, ScriptClock(rate, start))

    findings = Findings()
    try:
        finished, _ = timed_script(read, name, script, ScriptTimes())
    except ScriptTimesError as error:
        findings.add(TIMES, error.fix.why, None)
        return findings.by_line()
    placing = Placing(script, gaps_of(script).gaps)
    placing.placed(finished)
    for found in placing.findings:
        rule, what = _RULES[found.problem]
        for line in found.lines:
            findings.add(rule, what, line.line, advice=found.problem in _ADVICE)
    return findings.by_line()
