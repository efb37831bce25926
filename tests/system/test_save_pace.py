"""How often results are kept: soon, then each tenth of the time, and more rarely where keeping is slow."""

from itertools import pairwise

from adstudio.system.save_pace import SavePace


def saved_at(seconds: int, took: float = 0.0) -> list[int]:
    """At which seconds results are kept, if that takes so long each time."""
    now = [0.0]
    pace, found = SavePace(lambda: now[0]), []
    while now[0] < seconds:
        now[0] += 1
        if pace.is_due:
            found.append(round(now[0]))
            with pace.saving():
                now[0] += took
    return found


def test_results_are_kept_soon_and_then_each_tenth_of_the_time() -> None:
    assert saved_at(10) == [2, 4, 6, 8, 10]
    late = saved_at(1000)
    assert all(after - before <= max(2, 0.1 * before + 1) for before, after in pairwise(late))
    assert len(late) < 60


def test_no_more_than_a_minute_is_lost() -> None:
    late = saved_at(7200)
    assert late[-1] - late[-2] == 60


def test_where_keeping_is_slow_it_takes_a_small_share_of_the_time() -> None:
    assert saved_at(110, took=2.0) == [2, 54, 106]
