"""From what is asked to what is played: counts, ranges, shards, folders."""

from __future__ import annotations

from pathlib import Path

import pytest

from mpsim.engine.plan import Request, make_plan, parse_count, short_count, thread_count
from mpsim.errors import MpsimError, PolicyError, RulesError, RunError, UsageError
from mpsim.store.provenance import Part

PART = 1 << 20


@pytest.mark.parametrize(
    ("text", "value"),
    [("1e7", 10**7), ("10_000_000", 10**7), ("10000000", 10**7), ("1.5e6", 1_500_000), ("1E3", 1000), (" 5 ", 5),
     ("1e+2", 100), ("1099511627776", 2**40)],
)  # fmt: skip
def test_counts_that_are_read(text: str, value: int) -> None:
    assert parse_count(text, "--deals", 1) == value


@pytest.mark.parametrize(
    "text", ["1.5", "-1", "0", "nan", "inf", "", "1e", "e7", "1e-3", "1,000", "0x10", "１", "1__0", "_1", "12_", "1 0"]
)
def test_counts_that_are_refused_as_no_whole_number(text: str) -> None:
    with pytest.raises(UsageError, match=r"^--deals .* is no whole number of at least 1: write it like 1000, .* 1e3$"):
        parse_count(text, "--deals", 1)


@pytest.mark.parametrize("text", ["1e30", "1e999", "1e1000", "1e" + "9" * 30, "1099511627777", "9" * 400])
def test_counts_that_are_too_large(text: str) -> None:
    with pytest.raises(UsageError, match=r"is too large: at most 2\^40$"):
        parse_count(text, "--deals", 1)


def test_small_limits_are_said_as_they_are() -> None:
    with pytest.raises(UsageError, match=r"--threads '2000' is too large: at most 1024$"):
        parse_count("2000", "--threads", 1, 1024)


def test_long_nonsense_is_cut_short() -> None:
    with pytest.raises(UsageError) as caught:
        parse_count("x" * 10_000, "--deals", 1)
    assert len(str(caught.value)) < 200


def test_a_seed_may_be_any_word() -> None:
    assert parse_count(str(2**64 - 1), "--seed", 0, 2**64 - 1) == 2**64 - 1
    with pytest.raises(UsageError, match=r"at most 2\^64 - 1"):
        parse_count(str(2**64), "--seed", 0, 2**64 - 1)


@pytest.mark.parametrize(
    ("count", "text"), [(10**7, "1e7"), (25_000_000, "25e6"), (1000, "1e3"), (100, "100"), (PART, "1048576")]
)
def test_short_counts(count: int, text: str) -> None:
    assert short_count(count) == text


def parts(**request: object) -> list[Part]:
    return make_plan(Request(**request)).spec.parts()  # type: ignore[arg-type]


def test_parts_are_cut_at_fixed_deal_numbers() -> None:
    assert parts(deals=3 * PART, seed=1) == [Part(0, PART), Part(PART, PART), Part(2 * PART, PART)]
    assert parts(deals=1000, first=PART - 300, seed=1) == [Part(PART - 300, 300), Part(PART, 700)]
    assert [part.file for part in parts(deals=1000, first=PART - 300, seed=1)] == [
        "deals/part-000000.parquet", "deals/part-000001.parquet",
    ]  # fmt: skip


def test_the_last_deals_of_all() -> None:
    assert parts(deals=5, first=2**64 - 5, seed=2**64 - 1) == [Part(2**64 - 5, 5)]


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_shards_are_the_run(count: int) -> None:
    whole = {"deals": 5 * PART, "first": PART // 2, "seed": 1}
    shards = [parts(**whole, shard=f"{index}/{count}") for index in range(1, count + 1)]
    assert [part for shard in shards for part in shard] == parts(**whole)


@pytest.mark.parametrize("shard", ["0/2", "3/2", "1", "a/b", "1/0", "-1/2", "1/2/3", "١/٢", ""])
def test_shards_that_are_none(shard: str) -> None:
    with pytest.raises(UsageError, match="write i/n"):
        parts(deals=10, seed=1, shard=shard)


def test_more_shards_than_parts() -> None:
    with pytest.raises(UsageError, match="is empty: the run has 1 part of"):
        parts(deals=10, seed=1, shard="1/2")


@pytest.mark.parametrize(
    ("request_", "error", "message"),
    [
        (Request(), UsageError, "give --deals"),
        (Request(deals=0), UsageError, "0 deals cannot be played"),
        (Request(deals=1 << 41), UsageError, "cannot be played"),
        (Request(deals=1, seed=-1), UsageError, "seed -1 is outside"),
        (Request(deals=1, seed=1 << 64), UsageError, "is outside"),
        (Request(deals=2, first=2**64 - 1), UsageError, "leave 0"),
        (Request(deals=1, first=-1), UsageError, "leave 0"),
        (Request(deals=1, resume=True, force=True), UsageError, "give one of them"),
        (Request(deals=1, resume=True, named=True), UsageError, "needs --out"),
        (Request(deals=1, seed=1, resume=True), UsageError, "say in which with out"),
        (Request(deals=1, force=True), UsageError, "say in which with out"),
        (Request(shard="1/2", resume=True, out=Path("nowhere")), UsageError, "give --deals too"),
        (Request(deals=1, rules="whist"), RulesError, "whist"),
        (Request(deals=1, settings=("head_plain=3",)), RulesError, "head_plain"),
        (Request(deals=1, play="clever"), PolicyError, "clever"),
        (Request(deals=1, bid="chance:2"), PolicyError, "2"),
    ],
)
def test_what_cannot_be_planned(request_: Request, error: type[MpsimError], message: str) -> None:
    with pytest.raises(error, match=message) as caught:
        make_plan(request_)
    assert "\n" not in str(caught.value)


def test_a_seed_is_drawn_from_64_bits() -> None:
    seeds = {make_plan(Request(deals=1)).spec.seed for _ in range(8)}
    assert len(seeds) == 8
    assert max(seeds) >= 2**56


def folder(**request: object) -> str:
    plan = make_plan(Request(named=True, **request))  # type: ignore[arg-type]
    assert plan.folder is not None
    return plan.folder.as_posix()


def test_folders_tell_rules_size_and_seed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert folder(deals=10**7, seed=4) == "runs/mpourloto-1e7-seed4"
    assert folder(deals=10**7, seed=4, first=5) == "runs/mpourloto-1e7-seed4-first5"
    assert folder(deals=10**7, seed=4, shard="2/3") == "runs/mpourloto-1e7-seed4-shard2of3"
    changes = ({"settings": ("head_plain=false",)}, {"play": "random"}, {"bid": "always"}, {"record_plays": True})
    others = {folder(deals=1000, seed=4, **change) for change in changes}
    assert len(others) == 4
    assert all(name.startswith("runs/mpourloto-1e3-seed4-") for name in others)
    assert folder(deals=1000, seed=4, play="greedy", settings=("head_plain=true",)) == "runs/mpourloto-1e3-seed4"


def test_the_identity_is_what_changes_rows() -> None:
    def digest(**request: object) -> str:
        return make_plan(Request(**{"deals": 10, "seed": 1, **request})).spec.digest  # type: ignore[arg-type]

    assert digest() == digest(deals=20, first=7)
    assert len({digest(), digest(seed=2), digest(play="random"), digest(bid="never"), digest(record_plays=True),
                digest(settings=("tie_rule=hang",))}) == 6  # fmt: skip


def test_somebody_elses_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("mine")
    for force in (False, True):
        with pytest.raises(RunError, match="holds other files and no run"):
            make_plan(Request(deals=1, seed=1, out=tmp_path, force=force))
    with pytest.raises(RunError, match="is a file"):
        make_plan(Request(deals=1, seed=1, out=tmp_path / "letter.txt"))


@pytest.mark.parametrize("threads", [0, -1, 100_000])
def test_thread_counts_that_are_refused(threads: int) -> None:
    with pytest.raises(UsageError, match="threads cannot be run"):
        thread_count(threads)


def test_threads_default_to_processors() -> None:
    assert thread_count(None) >= 1
    assert thread_count(3) == 3
