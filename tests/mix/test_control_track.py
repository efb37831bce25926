"""The control track: messages by their bytes, the signal by its edges, and reading it again, whole and disturbed.

Right values are of ETSI TS 101 154 (the descriptor), of the catalogue of checksums (CRC-16/SPI-FUJITSU), and of BBC
WHP 198 as far as an open decoder shows it: 1280 bits a second, a 1 falls in its middle, checksum from 0x1D0F.
"""

from __future__ import annotations

import random
from collections import deque
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adstudio.core.timebase import Span
from adstudio.mix.control_decoder import ControlFault, read_control_track
from adstudio.mix.control_track import (
    ControlMessage,
    checksum,
    control_signal,
    fade_byte,
    fade_bytes,
    fade_depth,
)

FULL = 32_767


def signal_of(fades) -> np.ndarray:
    return np.concatenate(list(control_signal(fades)))


def signal_of_bytes(data: bytes) -> np.ndarray:
    """Any bytes as a plain square wave, by the definition: each half of a bit lasts 18.75 samples."""
    halves = [level for byte in data for bit in f"{byte:08b}" for level in ((1, -1) if bit == "1" else (-1, 1))]
    return np.array([halves[4 * at // 75] for at in range(len(halves) * 75 // 4)], np.int16) * 8000


def read(*pieces: np.ndarray):
    return read_control_track(pieces)


def fades_read(signal: np.ndarray) -> list[int]:
    return [each.message.fade for each in read(signal).messages]


# What a message is


def test_the_bytes_of_a_message_are_those_of_the_descriptor() -> None:
    written = ControlMessage(fade=0x28).encoded()
    assert written[:14] == bytes.fromhex("f8 44 54 47 41 44 31 28 00 ff ff ff ff ff")
    assert len(written) == 16


def test_the_checksum_is_that_of_the_catalogue() -> None:
    assert checksum(b"123456789") == 0xE5CC
    # By hand, for one byte 0x80: 0x1D0F XOR 0x8000 = 0x9D0F. Shifted eight times to the left, with 0x1021 subtracted
    # whenever a 1 falls out: 2A3F, 547E, A8FC, 41D9, 83B2, 1745, 2E8A, 5D14.
    assert checksum(b"\x80") == 0x5D14


def by_long_division(data: bytes) -> int:
    register = 0x1D0F
    for byte in data:
        for place in range(8):
            out = register >> 15 ^ byte >> (7 - place) & 1
            register = (register << 1 & 0xFFFF) ^ (0x1021 if out else 0)
    return register


@pytest.mark.parametrize("fade", range(256))
def test_nothing_is_left_when_a_message_is_divided(fade: int) -> None:
    written = ControlMessage(fade, pan=fade ^ 0x5A).encoded()
    assert by_long_division(written[:-2]) == int.from_bytes(written[-2:], "big")
    assert by_long_division(written) == 0


@pytest.mark.parametrize(
    ("tenths", "byte"),
    [(0, 0), (1, 0), (2, 1), (60, 0x14), (90, 0x1E), (120, 0x28), (150, 0x32), (762, 0xFE), (765, 0xFF), (9000, 0xFF)],
)
def test_depths_and_their_bytes(tenths: int, byte: int) -> None:
    assert fade_byte(tenths) == byte
    assert abs(min(tenths, 765) - fade_depth(byte)) <= 1


def test_a_level_above_that_of_the_programme_is_no_fade() -> None:
    assert fade_byte(-30) == 0


# The signal


def test_a_message_lasts_a_tenth_of_a_second_to_the_sample() -> None:
    assert [len(piece) for piece in control_signal(range(20))] == [4800] * 20


def test_edges_are_where_the_definition_has_them() -> None:
    signal = signal_of([0x14, 0xEB, 0x00])
    square = np.concatenate([signal_of_bytes(ControlMessage(fade).encoded()) for fade in (0x14, 0xEB, 0x00)])
    # Rounded edges are within four samples of theirs; everywhere else the level is the full one, of the same sign.
    edges = np.flatnonzero(np.diff(square)) + 1
    near = np.zeros(len(square), bool)
    near[-4:] = True  # towards the message that would follow
    for edge in edges:
        near[max(edge - 4, 0) : edge + 4] = True
    assert (np.abs(signal[~near]) == 8231).all()
    assert (np.sign(signal[~near]) == np.sign(square[~near])).all()
    assert (np.abs(np.diff(signal.astype(int))) < 8231).all()


def bits_by_a_receiver(signal: np.ndarray) -> list[int]:
    """A second decoder, after the description of the open one: it follows a clock of 37.5 samples from edge to edge."""
    found: list[int] = []
    expected: float | None = None
    synchronised = False
    high = signal >= 0
    for at in (np.flatnonzero(high[1:] != high[:-1]) + 1).tolist():
        if expected is None:
            expected = at + 37.5
            continue
        error = at - expected
        if abs(error + 18.75) < 5:
            continue
        if not synchronised and abs(error - 18.75) < 5:
            expected -= 18.75
        elif abs(error) < 5:
            if synchronised:
                found.append(int(signal[at] < 0))
            synchronised = True
            expected += 37.5
        else:
            expected, synchronised = None, False
    return found


def test_a_receiver_that_follows_a_clock_reads_it_too() -> None:
    fades = [0, 20, 40, 255, 85, 170, 1, 254]
    bits = "".join(map(str, bits_by_a_receiver(signal_of(fades))))
    sent = "".join(f"{byte:08b}" for fade in fades for byte in ControlMessage(fade).encoded())
    # It needs two edges to find its clock.
    assert bits == sent[-len(bits) :]
    assert len(sent) - len(bits) == 2


def test_two_hours_do_not_drift() -> None:
    rng = random.Random(17)
    fades = [rng.randrange(256) for _ in range(100)] * 720
    length = 0
    last: deque[np.ndarray] = deque(maxlen=100)
    for piece in control_signal(fades):
        length += len(piece)
        last.append(piece)
    assert length == 7200 * 48_000
    reading = read(*last)
    assert [each.start for each in reading.messages] == [4800 * number for number in range(100)]
    assert [each.message.fade for each in reading.messages] == fades[:100]


# Round trips


def test_every_fade_byte_is_read_back() -> None:
    reading = read(signal_of(range(256)))
    assert [each.message.fade for each in reading.messages] == list(range(256))
    assert [each.start for each in reading.messages] == [4800 * number for number in range(256)]
    assert reading.faults == ()


@pytest.mark.parametrize("fade", [0x00, 0xFF, 0x55, 0xAA])
def test_one_message_alone_is_read(fade: int) -> None:
    reading = read(signal_of([fade]))
    assert [(each.start, each.message.fade, each.message.pan) for each in reading.messages] == [(0, fade, 0)]
    assert reading.faults == ()


def ducks(rng: random.Random, length: int) -> list[tuple[int, int]]:
    points: list[tuple[int, int]] = []
    at = rng.randrange(0, 500)
    while at < length:
        depth = -rng.randrange(1, 400)
        down, stays, up = rng.randrange(20, 900), rng.randrange(0, 5000), rng.randrange(20, 1500)
        points += [(at, 0), (at + down, depth), (at + down + stays, depth), (at + down + stays + up, 0)]
        at += down + stays + up + rng.randrange(0, 3000)
    return points


def level_at(points: list[tuple[int, int]], at: int) -> float:
    for (start, one), (end, other) in pairwise(points):
        if start <= at <= end and end > start:
            return one + (other - one) * (at - start) / (end - start)
    return 0.0


@pytest.mark.parametrize("seed", range(5))
def test_fades_are_those_of_the_envelope_within_a_step(seed: int) -> None:
    envelope = ducks(random.Random(seed), 60_000)
    signal = signal_of(fade_bytes(envelope, 60 * 48_000))
    found = read(signal).messages
    assert len(found) == 600
    worst = max(abs(-level_at(envelope, each.start // 48) - fade_depth(each.message.fade)) for each in found)
    assert 0 < worst <= 1.5  # tenths of a dB: half a step


def test_a_programme_that_ends_within_a_message_has_it_begun() -> None:
    assert len(fade_bytes([], 4800 * 3 + 1)) == 4
    assert fade_bytes([], 0) == []
    signal = signal_of(fade_bytes([], 4800 * 3 + 2000))[: 4800 * 3 + 2000]
    reading = read(signal)
    assert len(reading.messages) == 3
    assert reading.faults == ()


def test_there_is_no_fade_before_and_after_the_envelope() -> None:
    assert fade_bytes([(200, -60), (300, -60)], 4800 * 6) == [0, 0, 20, 20, 0, 0]


@pytest.mark.parametrize(
    ("up", "start", "fades"),
    [
        (600, 600, [30, 30, 20, 10, 0]),
        (599, 599, [30, 30, 20, 0, 0]),
        (501, 501, [30, 30, 15, 0, 0]),
        (600, 450, [30, 30, 20, 10, 0]),  # meant to be down there
        (600, 900, [30, 30, 20, 10, 0]),  # past the end
    ],
)
def test_no_fade_is_held_into_dialogue(up: int, start: int, fades: list[int]) -> None:
    dialogue = [Span(0, 100), Span(start, start + 1000)]
    assert fade_bytes([(100, 0), (120, -90), (300, -90), (up, 0)], 4800 * 8, dialogue)[2:7] == fades


@given(st.lists(st.integers(1, 30_000), min_size=1, max_size=30), st.integers(0, 2**32))
@settings(max_examples=50)
def test_the_sizes_of_the_pieces_do_not_matter(sizes: list[int], seed: int) -> None:
    fades = [random.Random(seed + number).randrange(256) for number in range(12)]
    signal = signal_of(fades)
    cuts = [min(cut, len(signal)) for cut in np.cumsum(sizes).tolist()]
    reading = read_control_track(np.split(signal, cuts))
    assert [each.message.fade for each in reading.messages] == fades
    assert reading.faults == ()


# Disturbances


@pytest.mark.parametrize("flipped", range(128))
def test_a_flipped_bit_is_noticed_wherever_it_is(flipped: int) -> None:
    good = ControlMessage(40).encoded()
    bad = bytearray(good)
    bad[flipped // 8] ^= 0x80 >> flipped % 8
    reading = read(signal_of_bytes(good * 2 + bytes(bad) + good * 2))
    # The others are read, also the very next one.
    assert [each.start for each in reading.messages] == [0, 4800, 14400, 19200]
    assert [(each.start, each.end) for each in reading.faults] == [(9600, 14400)]
    in_tag = 8 <= flipped < 48
    short = flipped == 4  # length 8 becomes 0
    kind = ControlFault.MISSING if in_tag else ControlFault.SHORT if short else ControlFault.DAMAGED
    assert reading.faults[0].kind is kind


@pytest.mark.parametrize("place", [0, 4])
@pytest.mark.parametrize("flipped", [0, 7, 20, 60, 127])
def test_a_flipped_bit_is_noticed_in_the_first_and_the_last_message(place: int, flipped: int) -> None:
    good = ControlMessage(40).encoded()
    data = bytearray(good * 5)
    data[16 * place + flipped // 8] ^= 0x80 >> flipped % 8
    reading = read(signal_of_bytes(bytes(data)))
    assert len(reading.messages) == 4
    assert [(each.start, each.end) for each in reading.faults] == [(4800 * place, 4800 * (place + 1))]


@pytest.mark.parametrize("length", range(8))
def test_a_length_below_eight_is_refused_even_with_a_right_checksum(length: int) -> None:
    body = bytes((0xF0 | length, *b"DTGAD", 0x31, 20, 0))[: 1 + length].ljust(1 + 5 + 1, b"\x31") + b"\xff" * 5
    short = body[: 1 + length + 5]
    short += checksum(short).to_bytes(2, "big")
    good = ControlMessage(40).encoded()
    reading = read(signal_of_bytes(good + short.ljust(16, b"\x00") + good))
    assert [each.message.fade for each in reading.messages] == [40, 40]
    assert len(reading.faults) == 1


def test_a_longer_message_of_version_two_is_read() -> None:
    body = bytes((0xFB, *b"DTGAD", 0x32, 30, 0xEB, 1, 2, 3)) + b"\xff" * 5
    longer = body + checksum(body).to_bytes(2, "big")
    reading = read(signal_of_bytes(ControlMessage(40).encoded() + longer + ControlMessage(50).encoded()))
    assert [(each.message.fade, each.message.pan, each.message.version) for each in reading.messages] == [
        (40, 0, 0x31),
        (30, 0xEB, 0x32),
        (50, 0, 0x31),
    ]
    assert reading.faults == ()


@pytest.mark.parametrize("gain", [0.02, 0.1, 0.5, 2.0, 3.9])
def test_how_loud_it_is_does_not_matter(gain: float) -> None:
    assert fades_read(np.rint(signal_of(range(0, 256, 5)) * gain).astype(np.int16)) == list(range(0, 256, 5))


def test_a_level_that_changes_on_the_way_does_not_matter() -> None:
    signal = signal_of(range(40))
    rising = signal * np.linspace(0.05, 3.0, len(signal))
    assert fades_read(np.rint(rising).astype(np.int16)) == list(range(40))


def test_a_jump_of_20_db_costs_a_message_at_most() -> None:
    signal = signal_of(range(40)).astype(float)
    signal[4800 * 20 + 1234 :] *= 0.1
    found = fades_read(np.rint(signal).astype(np.int16))
    assert [fade for fade in found if fade != 20] == [fade for fade in range(40) if fade != 20]


@pytest.mark.parametrize("amount", [0.05, 0.15, 0.3])
@pytest.mark.parametrize("seed", [1, 2])
def test_noise_of_a_third_of_its_level_does_not_matter(amount: float, seed: int) -> None:
    signal = signal_of(range(0, 256, 3))
    noise = np.random.default_rng(seed).uniform(-amount, amount, len(signal)) * 8231
    assert fades_read(np.rint(signal + noise).astype(np.int16)) == list(range(0, 256, 3))


def test_a_constant_offset_does_not_matter() -> None:
    assert fades_read(signal_of(range(30)) + np.int16(3000)) == list(range(30))


def test_a_clock_that_is_off_by_two_per_cent_does_not_matter() -> None:
    signal = signal_of(range(30)).astype(float)
    for stretch in (0.98, 1.02):
        at = np.arange(int(len(signal) / stretch)) * stretch
        found = read(np.rint(np.interp(at, np.arange(len(signal)), signal)).astype(np.int16))
        assert [each.message.fade for each in found.messages] == list(range(30))


def test_inverted_polarity_is_read_and_reported() -> None:
    reading = read(-signal_of([10, 20, 30]))
    assert [(each.message.fade, each.inverted) for each in reading.messages] == [(10, True), (20, True), (30, True)]
    assert {each.kind for each in reading.faults} == {ControlFault.INVERTED}
    assert (reading.faults[0].start, reading.faults[-1].end) == (0, 14400)


@pytest.mark.parametrize("cut", [1, 18, 19, 37, 300, 2400, 4799])
def test_a_signal_that_begins_within_a_message_is_read_from_the_next(cut: int) -> None:
    reading = read(signal_of([1, 2, 3, 4])[cut:])
    assert [each.message.fade for each in reading.messages][-3:] == [2, 3, 4]
    assert abs(reading.messages[-1].start - (4800 * 3 - cut)) <= 1


@pytest.mark.parametrize("dropped", [1, 7, 19, 38, 1000])
def test_dropped_samples_cost_one_message(dropped: int) -> None:
    signal = signal_of(range(10))
    broken = np.delete(signal, slice(4800 * 4 + 700, 4800 * 4 + 700 + dropped))
    found = fades_read(broken)
    assert [fade for fade in found if fade != 4] == [0, 1, 2, 3, 5, 6, 7, 8, 9]


def test_a_hole_is_reported_with_its_times() -> None:
    signal = signal_of(range(20))
    signal[4800 * 5 + 100 : 4800 * 8] = 0
    reading = read(signal)
    assert [each.message.fade for each in reading.messages] == [0, 1, 2, 3, 4, *range(8, 20)]
    assert [(each.start, each.end) for each in reading.faults] == [(4800 * 5, 4800 * 8)]


@pytest.mark.parametrize(
    "signal",
    [
        np.zeros(48_000, np.int16),
        np.full(48_000, -32_768, np.int16),
        np.full(48_000, FULL, np.int16),
        np.resize(np.array([FULL, -FULL], np.int16), 48_000),
        np.rint(np.sin(np.arange(48_000) * 2 * np.pi * 1280 / 48_000) * 20_000).astype(np.int16),
        np.rint(np.sin(np.arange(48_000) * 2 * np.pi * 440 / 48_000) * 20_000).astype(np.int16),
        np.random.default_rng(3).integers(-32_768, 32_767, 48_000, np.int16),
    ],
    ids=["silence", "lowest", "highest", "alternating", "1280 Hz", "440 Hz", "noise"],
)
def test_what_is_no_control_track_has_no_message(signal: np.ndarray) -> None:
    reading = read(signal)
    assert reading.messages == ()
    assert [(each.kind, each.start, each.end) for each in reading.faults] == [(ControlFault.MISSING, 0, 48_000)]


def test_nothing_at_all_is_no_fault() -> None:
    assert read().messages == read(np.empty(0, np.int16)).messages == ()
    assert read().faults == ()


@given(st.data())
@settings(max_examples=150)
def test_a_damaged_signal_gives_only_fades_that_were_sent(data: st.DataObject) -> None:
    fades = data.draw(st.lists(st.integers(0, 255), min_size=1, max_size=8))
    signal = signal_of(fades)
    for _ in range(data.draw(st.integers(1, 6))):
        start = data.draw(st.integers(0, len(signal) - 1))
        end = min(start + data.draw(st.integers(1, 3000)), len(signal))
        part = signal[start:end]
        match data.draw(st.integers(0, 4)):
            case 0:
                signal = np.concatenate((signal[:start], signal[end:]))
            case 1:
                signal = np.concatenate((signal[:end], part, signal[end:]))
            case 2:
                signal[start:end] = -np.maximum(part, -FULL)
            case 3:
                noise = np.random.default_rng(start).integers(-32_768, 32_767, end - start, np.int16)
                signal[start:end] = noise
            case _:
                signal[start:end] = data.draw(st.integers(-32_768, 32_767))
        if not len(signal):
            break
    reading = read(signal)
    assert all(each.message.fade in fades for each in reading.messages)
    assert all(each.start < each.end <= reading.length for each in reading.faults)
    covered = sum(each.length for each in reading.messages)
    assert covered <= len(signal) + 4800


@given(st.lists(st.lists(st.integers(-32_768, 32_767), max_size=200), max_size=30))
@settings(max_examples=100)
def test_any_samples_are_survived(pieces: list[list[int]]) -> None:
    reading = read_control_track(np.array(piece, np.int16) for piece in pieces)
    assert reading.length == sum(map(len, pieces))
