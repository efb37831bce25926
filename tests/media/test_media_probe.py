from __future__ import annotations

import os
import shutil
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from media_clips import make_clip

from adstudio.core.errors import BadInputError, OutsideFailureError
from adstudio.media.probe import MediaError, probe

DATA = Path(__file__).parents[2] / "../shared/data"


def make(path, times, *, tick=Fraction(1, 90_000), rate=25, codec="libx264", sound=0.0, form=None, options=None):
    """A clip whose pictures are shown at `times`, in ticks, with `sound` seconds of sound."""
    with av.open(str(path), "w", format=form, container_options=options or {}) as out:
        video = out.add_stream(codec, rate=rate)
        video.width, video.height, video.pix_fmt = 64, 48, "yuv420p"
        video.codec_context.time_base = tick
        audio = out.add_stream("aac", rate=48_000) if sound else None
        for number, time in enumerate(times):
            grey = np.full((48, 64, 3), number * 5 % 256, np.uint8)
            frame = av.VideoFrame.from_ndarray(grey, format="rgb24")
            frame.pts, frame.time_base = time, tick
            out.mux(video.encode(frame))
        out.mux(video.encode())
        if audio is not None:
            for number in range(int(sound * 48_000) // 1024):
                heard = av.AudioFrame.from_ndarray(np.zeros((2, 1024), np.float32), format="fltp", layout="stereo")
                heard.sample_rate, heard.pts, heard.time_base = 48_000, number * 1024, Fraction(1, 48_000)
                out.mux(audio.encode(heard))
            out.mux(audio.encode())
    return path


def even(rate, count, tick=Fraction(1, 90_000)):
    return [round(Fraction(n) / (Fraction(rate) * tick)) for n in range(count)]


def said(found):
    return [oddity.what for oddity in found.oddities]


@pytest.mark.parametrize("rate", [Fraction(25), Fraction(24_000, 1001), Fraction(30_000, 1001), Fraction(50)])
@pytest.mark.parametrize(
    ("ending", "codec"), [("mp4", "libx264"), ("mkv", "libx264"), ("ts", "libx264"), ("webm", "libvpx")]
)
def test_a_constant_rate_is_recognised_and_the_length_is_that_of_the_pictures(tmp_path, rate, ending, codec):
    found = probe(make(tmp_path / f"a.{ending}", even(rate, 200), rate=rate, codec=codec))
    assert found.rate == rate
    assert not found.variable_rate
    assert abs(found.duration - 200_000 / rate) <= 1
    assert (found.has_video, found.has_audio, found.width, found.height) == (True, False, 64, 48)
    assert said(found) == ["the video has no sound"]


def test_sound_is_found(tmp_path):
    found = probe(make(tmp_path / "a.mp4", even(25, 100), sound=4.0))
    assert found.has_audio
    assert said(found) == []
    assert 4000 <= found.duration <= 4000 + 2 * 1024 / 48


def test_the_length_of_a_varying_rate_is_measured_and_not_counted(tmp_path):
    times = [*range(0, 90_000, 3750), *range(90_000, 270_000, 1500)]  # 24 a second for 1 s, then 60 for 2 s
    found = probe(make(tmp_path / "a.mkv", times, rate=24))
    assert found.variable_rate
    assert abs(found.duration - 3000) <= 42  # how long the last picture stays is the file’s own guess
    assert "the frame rate varies: timecodes use the average" in said(found)


def test_a_still_in_the_middle_varies_the_rate(tmp_path):
    times = [n * 3600 for n in range(50)] + [540_000 + n * 3600 for n in range(50)]
    found = probe(make(tmp_path / "a.mp4", times))
    assert found.variable_rate
    assert abs(found.duration - 8000) <= 1


def test_a_live_recording_without_a_length_is_measured(tmp_path):
    path = make(tmp_path / "a.webm", even(30, 90), rate=30, codec="libvpx", form="webm", options={"live": "1"})
    with av.open(str(path)) as container:
        assert container.duration is None
    found = probe(path)
    assert abs(found.duration - 3000) <= 1
    assert found.rate == 30
    assert "the file does not state its length, so it was measured" in said(found)


@pytest.mark.parametrize(("times", "tick"), [(range(100), Fraction(1, 25)), (even(25, 100), Fraction(1, 90_000))])
def test_a_raw_stream_has_no_duration_and_is_refused(tmp_path, times, tick):
    with pytest.raises(MediaError, match="no duration"):
        probe(make(tmp_path / "a.h264", times, tick=tick, form="h264"))


def test_film_time_starts_where_the_file_does(tmp_path):
    found = probe(make(tmp_path / "a.ts", [900_000 + t for t in even(25, 100)], form="mpegts"))
    assert abs(found.duration - 4000) <= 1
    assert found.start > 9000
    assert found.first_picture == 0


def test_times_of_an_mpeg_stream_that_begin_again_make_no_film_of_a_day(tmp_path):
    """The encoder’s lead-in lies before the start of the clock, where the file has it 26½ hours later."""
    path = make_clip(tmp_path / "a.ts", even(25, 500), sound=np.zeros((2, 20 * 48_000), np.float32))
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    assert 5000 < probe(path).duration < 15_000


def test_only_sound(tmp_path):
    path = tmp_path / "a.wav"
    with av.open(str(path), "w") as out:
        audio = out.add_stream("pcm_s16le", rate=48_000, layout="mono")
        heard = av.AudioFrame.from_ndarray(np.zeros((1, 96_000), np.int16), format="s16", layout="mono")
        heard.sample_rate = 48_000
        out.mux(audio.encode(heard))
        out.mux(audio.encode())
    found = probe(path)
    assert (found.has_video, found.has_audio, found.duration, found.rate) == (False, True, 2000, None)
    assert said(found) == ["there is no video, only sound"]


@pytest.mark.parametrize("rate", [Fraction(25), Fraction(24_000, 1001)])
@pytest.mark.parametrize("ending", ["mp4", "mkv", "ts"])
def test_samples_of_a_large_file_say_the_same_as_the_whole(tmp_path, rate, ending):
    path = make(tmp_path / f"a.{ending}", even(rate, 1500), rate=rate, sound=10.0)
    whole, sampled = probe(path), probe(path, read_whole=1)
    assert (sampled.rate, sampled.variable_rate) == (whole.rate, whole.variable_rate) == (rate, False)
    assert sampled.duration == whole.duration


def test_samples_see_a_varying_rate(tmp_path):
    times = [*range(0, 60 * 90_000, 3750), *range(60 * 90_000, 90 * 90_000, 3000)]
    path = make(tmp_path / "a.mp4", times, rate=24)
    assert probe(path, read_whole=1).variable_rate
    assert probe(path).duration == probe(path, read_whole=1).duration


@pytest.mark.parametrize("kept", [0.02, 0.5, 0.95])
def test_an_mp4_cut_short_before_its_index_is_refused(tmp_path, kept):
    path = make(tmp_path / "a.mp4", even(25, 100))
    data = path.read_bytes()
    path.write_bytes(data[: int(data.rindex(b"moov") * kept)])
    with pytest.raises(MediaError, match="cannot be read as a film"):
        probe(path)


def test_a_file_cut_short_behind_its_index_has_the_length_of_what_is_there(tmp_path):
    path = make(tmp_path / "a.mp4", even(25, 1000), options={"movflags": "faststart"})
    data = path.read_bytes()
    path.write_bytes(data[: data.index(b"mdat") + (len(data) - data.index(b"mdat")) // 2])
    found = probe(path)
    assert 10_000 < found.duration < 30_000
    assert any(what.startswith("the file states a length of 00:00:40.0") for what in said(found))


@pytest.mark.parametrize(
    "content", [b"", b"hello", b"\x00" * 100_000, b"\xff" * 5000, b"1\n00:00:01,000 --> 00:00:02,000\nHi\n"]
)
@pytest.mark.parametrize("name", ["a.mp4", "a.srt", "a"])
def test_what_is_no_film_is_refused_in_one_sentence(tmp_path, content, name):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(MediaError) as caught:
        probe(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_missing_folder_and_pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe.mp4")
    for path, message in (
        (tmp_path / "none.mp4", "no such film"),
        (tmp_path, "is a folder"),
        (tmp_path / "pipe.mp4", "device or pipe"),
        (Path("http://example.com/film.mp4"), "no such film"),
        (Path("concat:a.mp4|b.mp4"), "no such film"),
        (Path("a\x00b.mp4"), "is not a path"),
    ):
        with pytest.raises(BadInputError, match=message):
            probe(path)


@pytest.mark.parametrize(
    "name", ["-v.mp4", "concat:a.mp4", "a%20b#c?d&e.mp4", "Gün ter – ä 日本.mp4", "pipe:0", "file:x.mp4", "%d.mp4"]
)
def test_names_are_only_names(tmp_path, monkeypatch, name):
    make(tmp_path / "plain.mp4", even(25, 25))
    monkeypatch.chdir(tmp_path)
    shutil.copy("plain.mp4", tmp_path / name)
    assert probe(Path(name)).duration == 1000


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n{other}\n#EXT-X-ENDLIST\n"),
        ("a.ffconcat", "ffconcat version 1.0\nfile '{other}'\n"),
        ("a.mpd", '<?xml version="1.0"?><MPD><Period><BaseURL>{other}</BaseURL></Period></MPD>'),
        ("a.sdp", "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nm=video 5004 RTP/AVP 96\n"),
        ("a.mp4", "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n{other}\n#EXT-X-ENDLIST\n"),
    ],
)
def test_lists_that_point_elsewhere_open_nothing(tmp_path, name, content):
    other = make(tmp_path / "other.ts", even(25, 100), form="mpegts")
    path = tmp_path / name
    path.write_text(content.format(other=other))
    with pytest.raises(MediaError):
        probe(path)


def test_pictures_in_an_unknown_code_still_have_times(tmp_path):
    path = make(tmp_path / "a.mp4", even(25, 100))
    path.write_bytes(path.read_bytes().replace(b"avc1", b"zzzz"))
    found = probe(path)
    assert (found.duration, found.rate, found.width) == (4000, 25, 0)
    assert "the video codec is unknown" in said(found)


def test_a_picture_is_no_film(tmp_path):
    from PIL import Image

    path = tmp_path / "a.png"
    Image.new("RGB", (64, 48)).save(path)
    with pytest.raises(MediaError):
        probe(path)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(tmp_path):
    path = make(tmp_path / "a.mp4", even(25, 25))
    path.chmod(0)
    with pytest.raises(OutsideFailureError):
        probe(path)


@pytest.mark.parametrize(
    ("name", "rate", "duration", "size"),
    [
        ("film/plan9-trailer/plan9.av1.mp4", Fraction(30), 35_306, (1280, 720)),
        ("film/chrome-ad/chrome.webm", Fraction(30_000, 1001), 30_000, (480, 270)),
        ("media/nasa_13013.mp4", Fraction(25), 13_056, (320, 180)),
    ],
)
def test_real_films(name, rate, duration, size):
    """Durations: what ffprobe gives, and for the WebM the end of its sound."""
    path = DATA / name
    if not path.exists():
        pytest.skip(f"{name} is not there")
    found = probe(path)
    assert (found.rate, found.variable_rate) == (rate, False)
    assert abs(found.duration - duration) <= 5
    assert (found.width, found.height) == size
    assert found.has_audio


def test_a_cover_picture_is_not_the_film(tmp_path):
    path = DATA / "media/shadow-radio.mp3"
    if not path.exists():
        pytest.skip("shadow-radio.mp3 is not there")
    found = probe(path)
    assert (found.has_video, found.has_audio) == (False, True)
    assert abs(found.duration - 173_978) <= 30
