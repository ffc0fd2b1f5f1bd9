"""Every game that comes with mpsim, from the run to the rows: written, cut, resumed, verified, read by others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import mpsim
from mpsim.engine.verify import verify
from mpsim.errors import PolicyError
from mpsim.policies import LadderCount, PointCount
from mpsim.rules import presets

PART = 1 << 20
FIRST, DEALS, SEED = PART - 300, 700, 9
"""A small range that crosses a part's border, so that the run has two files."""

LADDER = ("bulgarian", "belote", "belote-bg")


def make(game: str, out: Path | None = None, **options: Any) -> mpsim.Run:
    chosen = {"deals": DEALS, "first": FIRST, "seed": SEED, "record_plays": True, **options}
    return mpsim.simulate(rules=game, out=out, **chosen)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((folder / "deals").iterdir())}


@pytest.fixture(scope="module", params=presets())
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> mpsim.Run:
    return make(request.param, tmp_path_factory.mktemp(request.param) / "run")


def folder_of(run: mpsim.Run) -> Path:
    assert run.path is not None
    return run.path


def test_every_row_is_without_fault_and_the_referees(made: mpsim.Run) -> None:
    report = verify(folder_of(made), sample=40)
    assert (report.rows, report.replayed, report.problems) == (DEALS, 40, [])
    row = made.table().slice(3, 1).to_pylist()[0]
    assert made.play_deal(FIRST + 3).row() == row


@pytest.mark.parametrize("threads", [1, 3])
def test_files_do_not_depend_on_threads(made: mpsim.Run, tmp_path: Path, threads: int) -> None:
    make(made.rules.name, tmp_path / "r", threads=threads)
    assert contents(tmp_path / "r") == contents(folder_of(made))


def test_files_do_not_depend_on_the_cut(made: mpsim.Run, tmp_path: Path) -> None:
    files: dict[str, bytes] = {}
    for shard in ("1/2", "2/2"):
        make(made.rules.name, tmp_path / shard[0], shard=shard)
        files |= contents(tmp_path / shard[0])
    assert files == contents(folder_of(made))
    pieces = [make(made.rules.name, first=FIRST + at, deals=count) for at, count in ((0, 1), (1, 450), (451, 249))]
    assert pa.concat_tables([piece.table() for piece in pieces]).equals(made.table())
    assert pieces[0].tally + pieces[1].tally + pieces[2].tally == made.tally


def test_a_run_is_completed_and_opened_again(made: mpsim.Run, tmp_path: Path) -> None:
    make(made.rules.name, tmp_path / "r")
    record = json.loads((tmp_path / "r" / "run.json").read_text())
    record |= {"status": "running", "parts": record["parts"][:1]}
    (tmp_path / "r" / "run.json").write_text(json.dumps(record))
    (tmp_path / "r" / "deals" / "part-000001.parquet").unlink()
    resumed = mpsim.simulate(out=tmp_path / "r", resume=True)
    assert contents(tmp_path / "r") == contents(folder_of(made))
    again = mpsim.open_run(tmp_path / "r")
    assert again.rules == made.rules
    assert again.policies == made.policies
    assert again.summary["score"] == made.summary["score"] == resumed.summary["score"]


def test_a_part_that_run_json_does_not_know_is_counted_again(made: mpsim.Run, tmp_path: Path) -> None:
    make(made.rules.name, tmp_path / "r")
    record = json.loads((tmp_path / "r" / "run.json").read_text())
    (tmp_path / "r" / "run.json").write_text(json.dumps({**record, "status": "running", "parts": []}))
    assert mpsim.simulate(out=tmp_path / "r", resume=True).tally == made.tally


def test_rows_as_other_programs_read_them(made: mpsim.Run) -> None:
    path = folder_of(made) / "deals" / "part-000001.parquet"
    frame, table = pd.read_parquet(path), pq.read_table(path)
    assert table.equals(made.table().slice(300))
    size, wide = (40, "uint64") if made.rules.name == "madrasso" else (32, "uint32")
    assert {str(frame[f"hand_{seat}"].dtype) for seat in range(4)} == {wide}
    assert {len(plays) for plays in frame["plays"]} == {size}
    cards = sum(int(frame[f"hand_{seat}"].iloc[0]) for seat in range(4))
    assert cards.bit_count() == size
    played = frame[frame["outcome"] != "thrown_in"]
    suits = set(made.rules.deck.suits)
    assert set(played["contract"]) == suits | ({"NT", "AT"} if made.rules.name in LADDER else set())
    if made.rules.name == "madrasso":
        assert set(frame["taker"]) == {-1}
        assert set(frame["outcome"]) == {"scored"}
        assert (frame["score_0"] + frame["score_1"] == 130).all()
    else:
        assert set(played["taker"]) == {0, 1, 2, 3}
        assert set(played["outcome"]) <= {"made", "failed", "hung"}
    assert (frame["upcard"] == -1).all() == (made.rules.name in (*LADDER, "contree"))


def test_a_deal_is_told(made: mpsim.Run) -> None:
    """Every deal of a few ends with what the row says."""
    for row in made.table().slice(0, 5).to_pylist():
        told = made.narrate(row["deal"])
        assert told.startswith(f"Deal {row['deal']}, seed {SEED}, {made.rules.title}")
        if row["outcome"] != "thrown_in":
            assert f"Written down: team 0 {row['score_0']}, team 1 {row['score_1']}." in told


def test_points_are_the_count_for_the_auction(made: mpsim.Run) -> None:
    kind = LadderCount if made.rules.name in LADDER else PointCount
    assert {type(bidder) for bidder in made.policies.bid} == {kind}
    assert made.policies.describe() == "play greedy, bid points"


def test_a_count_for_another_auction_is_refused(tmp_path: Path) -> None:
    """Before anything is written."""
    source = Path(mpsim.__file__).parent / "policies" / "presets"
    for game, count, needs in (("mpourloto", "ladder", "[accept]"), ("bulgarian", "points", "[call]")):
        with pytest.raises(PolicyError) as caught:
            make(game, tmp_path / "r", bid=f"points:{source / count}.toml")
        assert str(caught.value).endswith(f"give a point count with {needs}")
    assert not (tmp_path / "r").exists()


def test_the_default_folder_of_a_preset_needs_no_hash() -> None:
    from mpsim.engine.plan import Request, make_plan

    for name in presets():
        plan = make_plan(Request(deals=1000, rules=name, seed=3, named=True))
        assert plan.folder == Path("runs") / f"{name}-1e3-seed3"
        assert plan.estimated_bytes == 1000 * (40 if name == "madrasso" else 32)


def test_a_deck_that_is_only_cut_is_verified_too(tmp_path: Path) -> None:
    settings = ["shuffle=cut_only", "chain=8"]
    mpsim.simulate(200, rules="belote", settings=settings, seed=1, first=3, record_plays=True, out=tmp_path / "r")
    assert verify(tmp_path / "r", sample=20).problems == []


@pytest.mark.parametrize("game", [*LADDER, "contree", "mpourloto-greek"])
def test_a_number_deals_the_same_32_cards_in_every_game(game: str) -> None:
    """And the same first cards, whether a card is turned or not."""
    cards = [f"{kind}_{seat}" for kind in ("first", "hand") for seat in range(4)]
    one, other = (
        mpsim.simulate(500, rules=name, seed=2, settings=["exchange_policy=never"]) for name in ("mpourloto", game)
    )
    assert one.table(cards).equals(other.table(cards))
