"""`run.json`: written whole, validated, and refused in one sentence when it is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mpsim.errors import RunError
from mpsim.policies import load_policies
from mpsim.rules import load_rules
from mpsim.store.provenance import (
    RunSpec,
    canonical_json,
    differences,
    new_record,
    read_record,
    record_schema,
    spec_of,
    write_record,
)


def spec(**changes: Any) -> RunSpec:
    game = {"rules": load_rules("mpourloto"), "policies": load_policies("greedy", "points")}
    return RunSpec(**{**game, "seed": 7, "first": 0, "deals": 10, **changes})


def test_a_new_record_is_valid_and_says_what_the_run_is(tmp_path: Path) -> None:
    made = spec(policies=load_policies("greedy,random,greedy,random", "chance:0.25"), record_plays=True)
    write_record(tmp_path, new_record(made))
    assert spec_of(read_record(tmp_path), tmp_path) == made
    assert [path.name for path in tmp_path.iterdir()] == ["run.json"]


def test_the_schema_is_a_schema() -> None:
    from jsonschema import Draft202012Validator

    Draft202012Validator.check_schema(record_schema())


def test_no_host_name_in_the_record() -> None:
    import platform

    node = platform.node()
    assert not node or node not in json.dumps(new_record(spec()))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seed": -1}, "seed"),
        ({"seed": 2**64}, "seed"),
        ({"status": "perhaps"}, "status"),
        ({"deals": 1.5}, "deals"),
        ({"deals": 5.0}, "deals"),
        ({"deals": 2**40 + 1}, "deals"),
        ({"first": 2**64}, "first"),
        ({"first": 2**64 - 5}, "leave 64 bits"),
        ({"times": {"started": "2020-01-01T00:00:00Z", "finished": None, "seconds": 1e300, "deals": 1}}, "seconds"),
        ({"schema": 99}, "update mpsim"),
        ({"parts": [{}]}, r"parts\.0"),
        ({"rules_sha256": "0" * 64}, "contradicts itself: rules_sha256"),
        ({"identity": "0" * 64}, "contradicts itself: identity"),
        ({"plays": True}, "contradicts itself: identity"),
    ],
)
def test_records_that_are_refused(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    write_record(tmp_path, {**new_record(spec()), **change})
    with pytest.raises(RunError, match=message) as caught:
        spec_of(read_record(tmp_path), tmp_path)
    assert "\n" not in str(caught.value)
    assert str(tmp_path / "run.json") in str(caught.value)


@pytest.mark.parametrize(
    ("name", "change", "word"),
    [
        ("rules", {"play": {"head_plain": 7}}, "head_plain"),
        ("rules", {"surprise": 1}, "surprise"),
        ("policies", {"play": ["clever"] * 4}, "clever"),
        ("policies", {"bid": [5] * 4}, "5"),
    ],
)
def test_a_bad_value_in_the_record_names_the_file(
    tmp_path: Path, name: str, change: dict[str, Any], word: str
) -> None:
    record = new_record(spec())
    for key, value in change.items():
        record[name][key] = {**record[name][key], **value} if isinstance(value, dict) else value
    write_record(tmp_path, record)
    with pytest.raises(RunError, match=r"run\.json describes no run: .*write the run again with --force") as caught:
        spec_of(read_record(tmp_path), tmp_path)
    assert word in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [("{", "no JSON"), ("[]", "not written by mpsim"), ("\xff", "JSON"),
     ("[" * 100_000, "JSON"), ('{"seed": ' + "9" * 5000 + "}", "JSON"), ('{"seed": NaN}', "NaN is no number")],
)  # fmt: skip
def test_files_that_are_no_record(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "run.json").write_text(text, encoding="utf-8")
    with pytest.raises(RunError, match=message):
        read_record(tmp_path)


def test_folders_that_are_no_run(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"it has no run\.json"):
        read_record(tmp_path)
    with pytest.raises(RunError, match="there is no such folder"):
        read_record(tmp_path / "nowhere")


def test_differences_are_named() -> None:
    assert differences(spec(), spec()) == []
    assert differences(spec(), spec(seed=8, deals=11)) == ["seed 7, not 8", "deals 10, not 11"]
    hanging = load_rules("mpourloto", ["tie_rule=hang"])
    assert differences(spec(), spec(rules=hanging)) == ["score.tie_rule fail, not hang"]
    (policies,) = differences(spec(), spec(policies=load_policies("random", "points")))
    assert policies.startswith("play greedy, bid points (")
    assert "not play random" in policies


def test_names_for_people_are_no_part_of_the_identity(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('name = "mine"\ntitle = "My game"\n')
    assert spec(rules=load_rules(tmp_path / "mine.toml")).digest == spec().digest


def test_canonical_json_is_one_text() -> None:
    assert canonical_json({"b": 1, "a": [True, None]}) == '{"a":[true,null],"b":1}'
