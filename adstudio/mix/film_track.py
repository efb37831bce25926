"""The film with its narrated sound as a further track: picture and sound are copied as they are, not encoded again."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adstudio.core.errors import OutsideFailureError
from adstudio.media.cached_data import OnFraction, fraction_done
from adstudio.media.opening import film_length, film_start, opened
from adstudio.media.packets import MICROSECOND, packets
from adstudio.media.sound_tracks import Purpose, tracks_of
from adstudio.mix.film_files import (
    EDITABLE,
    FilmFile,
    FilmFormat,
    NewSound,
    SoundEncoder,
    about_film,
    film_file,
    format_of,
    is_rewritten,
    track_name,
)
from adstudio.mix.layout import RATE
from adstudio.mix.request import MixError, MixNote, MixNoteKind
from adstudio.system.files import written_atomically

if TYPE_CHECKING:
    from av.container import InputContainer
    from av.packet import Packet
    from av.stream import Stream

AHEAD = Fraction(1, 2)
"""Seconds that the new track is written ahead of the others."""
MOST_MISSING = Fraction(2)
"""Seconds that a film's file may say it lasts longer than its tracks do."""
MOST_UNTIMED = 100
"""Packets at a track's start that may lack the time at which they are decoded, as in Matroska."""


def add_sound_track(
    video: Path, target: Path, sound: NewSound, *, on_fraction: OnFraction | None = None
) -> tuple[MixNote, ...]:
    """Write the film with a further sound track, flagged for the visually impaired, at `target`; say what is not in it.

    The format is that of the target's name. `on_fraction` is called with the fraction done and may raise to stop the
    work; nothing is written then.

    Raises:
        MixError: where the format cannot be written or cannot hold the film's picture or sound.
        MediaError: where the film cannot be read.
        OutsideFailureError: where the disk does not take the film.
    """
    form = format_of(target)
    with opened(video) as film, written_atomically(target) as temporary:
        with film_file(temporary, form) as out:
            copy = _Copy(film, out, form)
            copy.add_tracks()
            tracks = len(out.streams.audio)
            start = copy.start
            new = SoundEncoder(out, form, sound, start=round(start * RATE), default=not tracks)
            copy.add_chapters()
            length = film_length(film)
            reached = Fraction(0)
            for packet in copy.packets():
                if packet.dts is not None:
                    reached = max(reached, packet.dts * packet.time_base - start)
                new.encode_to(round((reached + start + AHEAD) * RATE))
                out.mux(packet)
                if on_fraction is not None:
                    on_fraction(fraction_done(int(reached * 1000), length))
            new.encode_to(None)
            notes = copy.notes()
        _check(temporary, target, tracks)
    flagged = () if form.flags else (MixNote(MixNoteKind.NOT_FLAGGED, names=(form.name,)),)
    return (*notes, *flagged)


def _check(written: Path, target: Path, tracks_before: int) -> None:
    """Open what was written: its last sound track must be audio description by flag or title.

    Raises:
        OutsideFailureError: where it is not.
    """
    found = tracks_of(written)
    if len(found) != tracks_before + 1 or found[-1].purpose is not Purpose.DESCRIPTION:
        raise OutsideFailureError(
            f"{target} was not written: its new sound track would not be recognised as audio description; "
            "choose another format, such as .mkv"
        )


class _Copy:
    """Copies what a film's file holds into another."""

    def __init__(self, film: InputContainer, out: FilmFile, form: FilmFormat) -> None:
        self._film = film
        self._out = out
        self._form = form
        self._tracks: dict[int, _CopiedTrack] = {}
        self._left_out: list[str] = []
        self._damaged = False
        self._shift = film_start(film) if form.from_zero else Fraction(0)
        self.start = film_start(film) - self._shift
        """Seconds, in the new film's file, of film time 0."""
        self._end = Fraction(0)
        self._covers: list[Packet[Any]] = []
        self._packets = packets(film)

    def add_tracks(self) -> None:
        """Have all that the format can hold in the new film.

        Raises:
            MixError: where it cannot hold the picture or the sound.
        """
        from av.stream import Disposition

        self._out.metadata.update(about_film(self._film.metadata))
        same = self._form.muxer in self._film.format.name.split(",")
        for stream in self._film.streams:
            if stream.type == "video" and stream.disposition & Disposition.attached_pic:
                self._add_cover(stream)
            elif stream.type == "attachment" and self._form.attachments:
                attachment: Any = stream
                self._out.add_attachment(stream.name or "attachment", attachment.mimetype or "", attachment.data)
            elif _is_known(stream):
                self._add_track(stream, same_format=same)
            elif not is_rewritten(stream, self._film, self._form):
                self._left_out.append(track_name(stream))

    def add_chapters(self) -> None:
        """Have its chapters in the new film."""
        chapters = self._film.chapters()
        if chapters and self._form.chapters:
            self._out.set_chapters(chapters)
        elif chapters:
            self._left_out.append("chapters")

    def packets(self) -> Iterator[Packet[Any]]:
        """All that is to be written, with times, up to the film's end or to where it is damaged."""
        from av.error import FFmpegError

        yield from self._covers
        try:
            for packet in self._packets:
                time = packet.pts if packet.pts is not None else packet.dts
                # Of tracks that are left out too: the length that the film's file says counts them.
                if packet.size and time is not None:
                    end = (time + (packet.duration or 0)) * packet.time_base - film_start(self._film)
                    self._end = max(self._end, end)
                track = self._tracks.get(packet.stream.index)
                if track is not None and packet.size and not self._unheard(packet):
                    yield from track.timed(packet)
        except FFmpegError:
            self._damaged = True
        for track in self._tracks.values():
            yield from track.rest()

    def notes(self) -> list[MixNote]:
        """What is not in the new film."""
        found: list[MixNote] = []
        if self._left_out:
            found.append(MixNote(MixNoteKind.TRACKS_LEFT_OUT, names=tuple(self._left_out)))
        length = film_length(self._film)
        if self._damaged or (length is not None and length - self._end > MOST_MISSING):
            found.append(MixNote(MixNoteKind.FILM_DAMAGED, at=int(self._end * 1000)))
        return found

    def _unheard(self, packet: Packet[Any]) -> bool:
        """Whether it is what an encoder put ahead of the sound, where only the file that is read can say so."""
        if packet.stream.type != "audio" or packet.pts is None or self._form.muxer in EDITABLE:
            return False
        if self._form.from_zero and EDITABLE.isdisjoint(self._film.format.name.split(",")):
            return False
        return (packet.pts + (packet.duration or 0)) * packet.time_base <= film_start(self._film)

    def _add_track(self, stream: Stream, *, same_format: bool) -> None:
        try:
            # Opaque: what is only copied needs no encoder.
            copied = self._out.add_stream_from_template(stream, opaque=True)
        except ValueError as error:
            if stream.type == "subtitle":
                self._left_out.append(track_name(stream))
                return
            raise MixError(
                f"{self._form.name} cannot hold the film’s {track_name(stream)}: choose another format, such as .mkv"
            ) from error
        if same_format:
            # Which of a codec's forms it is, as hvc1 or hev1, and for ProRes its quality.
            copied.codec_context.codec_tag = stream.codec_context.codec_tag
        copied.metadata.update(about_film(stream.metadata))
        copied.disposition = stream.disposition
        self._tracks[stream.index] = _CopiedTrack(stream, copied, self._shift)

    def _add_cover(self, stream: Stream) -> None:
        # Its picture is the first that is read, even before the rest of the film.
        packet = next((each for each in self._packets if each.stream.index == stream.index and each.size), None)
        facts = {key.casefold(): value for key, value in stream.metadata.items()}
        if packet is not None and self._form.attachments:
            self._out.add_attachment(
                facts.get("filename", "cover.jpg"), facts.get("mimetype", "image/jpeg"), bytes(packet)
            )
        elif packet is not None and self._form.covers:
            copied = self._out.add_stream_from_template(stream, opaque=True)
            copied.disposition = stream.disposition
            packet.stream = copied
            self._covers.append(packet)
        else:
            self._left_out.append(track_name(stream))


class _CopiedTrack:
    """A track that is copied: gives each packet the time at which it is decoded."""

    def __init__(self, stream: Stream, copied: Stream, shift: Fraction) -> None:
        """`shift` is by how many seconds everything comes earlier than in the file that is read."""
        self._copied = copied
        self._shift = round(shift / (stream.time_base or MICROSECOND))
        rate = getattr(stream, "average_rate", None) if stream.type == "video" else None
        self._step = max(round(1 / rate / stream.time_base), 1) if rate and stream.time_base else 1
        self._untimed: list[Packet[Any]] = []
        self._last: int | None = None

    def timed(self, packet: Packet[Any]) -> Iterator[Packet[Any]]:
        """The packets that can be written with this one."""
        packet.stream = self._copied
        packet.pts = None if packet.pts is None else packet.pts - self._shift
        packet.dts = None if packet.dts is None else packet.dts - self._shift
        if packet.dts is None and self._last is None and len(self._untimed) < MOST_UNTIMED:
            self._untimed.append(packet)
            return
        yield from self._before(packet.dts)
        yield self._in_order(packet)

    def rest(self) -> Iterator[Packet[Any]]:
        """The packets that are left at the end."""
        yield from self._before(None)

    def _before(self, dts: int | None) -> Iterator[Packet[Any]]:
        """Those that came without such a time before the first that has one: as far ahead as pictures are apart."""
        waiting, self._untimed = self._untimed, []
        if dts is None:
            dts = min((each.pts for each in waiting if each.pts is not None), default=0)
        for place, packet in enumerate(waiting):
            packet.dts = dts - (len(waiting) - place) * self._step
            yield self._in_order(packet)

    def _in_order(self, packet: Packet[Any]) -> Packet[Any]:
        """The same, decoded after the one before it, as all formats demand, and not after it is shown."""
        dts = packet.dts if packet.dts is not None else packet.pts
        if self._last is not None and (dts is None or dts <= self._last):
            dts = self._last + 1
        packet.dts = self._last = dts
        if packet.pts is not None and dts is not None and packet.pts < dts:
            packet.pts = dts
        return packet


def _is_known(stream: Stream) -> bool:
    """Whether it is picture, sound or subtitles of which the file says, or shows, all that is needed to copy it."""
    context: Any = stream.codec_context
    if context is None:
        return False
    match stream.type:
        case "video":
            return context.width > 0
        case "audio":
            return context.sample_rate > 0
        case _:
            return stream.type == "subtitle"
