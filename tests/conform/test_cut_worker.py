"""What is exchanged with the process that compares cuts is written and read again."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from conform_scripts import cut_of, dialogue, dialogue_in

from adstudio.conform.events import PROTOCOL, CompareCuts, CutCompared, CutProgress
from adstudio.conform.evidence import SoundMatch
from adstudio.conform.matching import Cut, match_cuts
from adstudio.conform.new_cut import FormerCut, NewCut, NewCutRequest
from adstudio.core.errors import Oddity
from adstudio.core.film import Film
from adstudio.core.timebase import RATES, Span

LENGTH = 200_000


def test_requests_and_events_are_read_as_they_were():
    cues = dialogue(LENGTH)
    true = cut_of(LENGTH, 7000, (0, 80_000), (100_000, LENGTH), ratio=Fraction(24, 25))
    new = dialogue_in(cues, true)
    film = Film("Film", LENGTH, frame_rate=RATES["24"])
    request = CompareCuts(
        FormerCut(film, cues, (0, 80_000)),
        Path("/p/film.adproj"),
        NewCutRequest(Path("/n/film.mp4"), None, "cp1252", RATES["25"], "10:00:00:00"),
    )
    assert PROTOCOL.read_request(PROTOCOL.request_line(request)) == request
    match = match_cuts(Cut(cues, LENGTH), Cut(new, true.new_end))
    sound = SoundMatch(true.pieces, true.ratio, 170_000, LENGTH, true.new_end, (Span(3, 5),))
    match = replace(match, sound=sound)
    for event in (
        CutProgress("comparing the cuts", 0.25),
        CutCompared(NewCut(film, new, match, (("film.mp4", Oddity("odd", 3)),))),
    ):
        assert PROTOCOL.read_event(PROTOCOL.event_line(event)) == event
