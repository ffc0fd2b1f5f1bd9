"""Presets, files, settings, dictionaries, canonical JSON and digests."""

from __future__ import annotations

import hashlib
import json
import tomllib
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

import mpsim.rules.load as load
from mpsim.errors import RulesError
from mpsim.rules import (
    SECTION_OF,
    SECTIONS,
    Rules,
    canonical_rules,
    diff_rules,
    load_rules,
    presets,
    rules_dict,
    rules_digest,
    rules_from_dict,
)


def test_preset_list_and_default() -> None:
    assert "mpourloto" in presets()
    assert load_rules() == load_rules("mpourloto")


def test_preset_writes_out_every_key() -> None:
    data = tomllib.loads((Path(load.__file__).parent / "presets" / "mpourloto.toml").read_text("utf-8"))
    written = {(section, name) for section in SECTIONS for name in data[section]}
    assert written == {(section, f.name) for section, record in SECTIONS.items() for f in fields(record)}
    assert set(data) == {"name", "title", *SECTIONS}


def test_preset_says_what_the_rules_page_says() -> None:
    """The defaults of docs/rules.md, copied by hand."""
    rules = load_rules("mpourloto")
    assert rules.deck.plain_order == "ATKQJ987"
    assert rules.deck.plain_values == (11, 10, 4, 3, 2, 0, 0, 0)
    assert rules.deck.trump_order == "J9ATKQ87"
    assert rules.deck.trump_values == (20, 14, 11, 10, 4, 3, 0, 0)
    assert (rules.deal.packets, rules.deal.packets_after, rules.deal.turn_up) == ((1,) * 5, (1,) * 3, True)
    assert (rules.deal.upcard_to, rules.deal.shuffle) == ("dealer", "uniform")
    assert (rules.exchange.exchange_suit, rules.exchange.exchange_window) == ("upcard", "first5")
    assert (rules.auction.round2_any_suit, rules.auction.allpass_rotates, rules.auction.aponta) == (True, True, False)
    assert (rules.melds.run_points, rules.melds.long_run, rules.melds.trump_pair) == ((20, 50, 100), "split", 20)
    assert (rules.melds.overlap, rules.melds.meld_compare) == ("cross_type", "none")
    assert rules.melds.fours_table == (100,) * 8
    play = rules.play
    duties = (play.head_plain, play.head_trump, play.must_ruff, play.must_overruff, play.must_underruff)
    assert (duties, play.partner_relief) == ((True,) * 5, "none")
    assert (rules.score.last_trick, rules.score.all_tricks, rules.score.capo_mode) == (10, 90, "replace")
    assert (rules.score.mp_totals, rules.score.tie_rule, rules.match.target) == ("computed", "fail", 1000)
    assert (rules.match.tie_extra_deals, rules.match.tie_early_stop) == (2, False)


@pytest.mark.parametrize(
    ("setting", "key", "value"),
    [
        ("play.head_plain=false", "head_plain", False),
        ("head_plain=false", "head_plain", False),
        (" head_plain = false ", "head_plain", False),
        ("tie_rule=hang", "tie_rule", "hang"),
        ('tie_rule="hang"', "tie_rule", "hang"),
        ("target=1_551", "target", 1551),
        ("run_points=[20, 50, 100]", "run_points", (20, 50, 100)),
        ("fours_table=[0, 0, 150, 100, 200, 100, 100, 100]", "fours_table", (0, 0, 150, 100, 200, 100, 100, 100)),
        ("partner_winning_relief=true", "partner_relief", "full"),
        ("play.partner_winning_relief=false", "partner_relief", "none"),
    ],
)
def test_settings(setting: str, key: str, value: object) -> None:
    changed = load_rules(settings=[setting])
    assert getattr(getattr(changed, SECTION_OF[key]), key) == value


def test_where_text_is_wanted_digits_are_text() -> None:
    assert load_rules(settings=["title=2024"]).title == "2024"


def test_later_setting_stands() -> None:
    assert load_rules(settings=["target=500", "target=700"]).match.target == 700


def test_a_setting_does_not_touch_other_keys() -> None:
    changed = load_rules(settings=["head_plain=false"])
    assert diff_rules(load_rules(), changed) == [("play.head_plain", True, False)]


def test_a_record_may_be_the_source() -> None:
    own = replace(load_rules(), name="own")
    assert load_rules(own, ["target=500"]) == replace(own, match=replace(own.match, target=500))


def test_alias_and_key_may_agree_but_not_conflict() -> None:
    assert load_rules(settings=["partner_relief=full", "partner_winning_relief=true"]).play.partner_relief == "full"
    with pytest.raises(RulesError, match=r"partner_winning_relief.*\"full\".*partner_relief.*\"ruff\".*keep one"):
        load_rules(settings=["partner_relief=ruff", "partner_winning_relief=true"])
    with pytest.raises(RulesError, match="write true or false"):
        load_rules(settings=["partner_winning_relief=full"])


def test_file_on_a_base(tmp_path: Path) -> None:
    path = tmp_path / "house rules.toml"
    own = ['base = "mpourloto"', "head_trump = false", "[play]", "head_plain = false", "[match]", "target = 1551"]
    path.write_text("\n".join(own), "utf-8")
    rules = load_rules(path)
    assert rules.name == "house_rules"
    changed = [key for key, *_ in diff_rules(load_rules(), rules)]
    assert changed == ["play.head_plain", "play.head_trump", "match.target"]
    assert load_rules(str(path)) == rules
    assert load_rules(path, ["target=1000"]).match.target == 1000


def test_file_may_name_itself_and_omit_the_base(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text('name = "server"\ntitle = "Online server"\n[score]\ntie_rule = "hang"\n', "utf-8")
    rules = load_rules(path)
    assert (rules.name, rules.title, rules.score.tie_rule) == ("server", "Online server", "hang")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("head_plain = maybe", "is not TOML"),
        ('base = "mpourlotto"', r"did you mean mpourloto\?"),
        ("base = 3", "is no preset"),
        ("[plays]\nhead_plain = false", r"unknown section 'plays' \(did you mean play\?\)"),
        ("[score]\nhead_plain = false", "not in section score: write play.head_plain"),
        ("play = 3", r"write its keys below a line \[play\]"),
        ("[play]\nhead_plain = 0", "write true or false"),
        ('[play]\npartner_winning_relief = true\npartner_relief = "none"', "keep one of the two"),
        ("head_plain = false\n[play]\nhead_plain = true", "head_plain and play.head_plain are one rule, given twice"),
        ('target = 9\n"match.target" = 9', "target and match.target are one rule"),
        ("partner_winning_relief = true\n[play]\npartner_winning_relief = false",
         "partner_winning_relief and play.partner_winning_relief are one rule"),
        ('name = "a b"', "cannot name a game"),
        ('title = ""', "cannot be printed"),
        ("target = " + "9" * 5000, r"is not TOML \(a number has too many digits\)"),
        ("target = 0x" + "f" * 9000, r"^\S+ match\.target = 0xf{98}\.\.\. is out of range: .* 1000000$"),
        ("target = " + "[" * 5000 + "]" * 5000, r"is not TOML \(brackets stand too deep in one another\)"),
        ("target = " + "[" * 90 + "]" * 90, r"match\.target = \[\[\[\[\.\.\.\]\]\]\] is not a whole number"),
        ("[play]\nhead_plain" + ".a" * 5000 + " = 1", r"play\.head_plain = \{\.\.\.\} is not a truth value"),
        ('tie_rule = "' + "x" * 5000 + '"', r'score\.tie_rule = "x{99}\.\.\. is not a choice'),
    ],
    ids=lambda text: text[:30],
)
def test_file_errors(tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "own.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(RulesError, match=sentence):
        load_rules(path)


def test_a_byte_order_mark_is_no_part_of_the_rules(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text("target = 900", "utf-8-sig")
    assert load_rules(path).match.target == 900


@pytest.mark.parametrize("value", ["9" * 5000, "[" * 5000, "0x" + "f" * 9000], ids=lambda text: text[:3])
def test_settings_too_large_to_read(value: str) -> None:
    with pytest.raises(RulesError, match=r"^match\.target = .{103} is .*: write .* from? .* 1000000$"):
        load_rules(settings=[f"target={value}"])


def test_unreadable_files(tmp_path: Path) -> None:
    (tmp_path / "latin.toml").write_bytes(b"title = '\xe9'")
    with pytest.raises(RulesError, match="not UTF-8"):
        load_rules(tmp_path / "latin.toml")
    with pytest.raises(RulesError, match=r"cannot be read \(No such file"):
        load_rules(tmp_path / "none.toml")
    with pytest.raises(RulesError, match="cannot be read"):
        load_rules(tmp_path)
    with pytest.raises(RulesError, match="cannot be read"):
        load_rules("nul\0.toml")


@pytest.mark.parametrize("source", ["mpourlotto", "", ".", "x" * 5000])
def test_unknown_source(source: str) -> None:
    with pytest.raises(RulesError, match=r"there are no rules .*name a preset \(.*mpourloto.*\) or a TOML file"):
        load_rules(source)


def test_arguments_of_a_wrong_type() -> None:
    source: Any
    for source in (None, 3, ["mpourloto"]):
        with pytest.raises(RulesError, match="names no rules: give a preset, a TOML file or a Rules record"):
            load_rules(source)
    settings: Any = [3]
    with pytest.raises(RulesError, match="the setting 3 is not text: write it like head_plain=false"):
        load_rules(settings=settings)


def test_dictionary_and_back() -> None:
    rules = load_rules(settings=["tie_rule=hang", "run_points=[1, 2, 3, 4]"])
    data = rules_dict(rules)
    assert data["melds"]["run_points"] == [1, 2, 3, 4]
    assert rules_from_dict(json.loads(json.dumps(data))) == rules


def test_dictionary_must_be_whole_and_known() -> None:
    lacking = rules_dict(load_rules())
    del lacking["score"]["tie_rule"]
    with pytest.raises(RulesError, match=r"lack score\.tie_rule"):
        rules_from_dict(lacking)
    with pytest.raises(RulesError, match=r"unknown rule key 'play\.head'"):
        rules_from_dict({**rules_dict(load_rules()), "play": {"head": True}})
    data: Any = [1]
    with pytest.raises(RulesError, match=r"^\[1\] is no record of rules"):
        rules_from_dict(data)


def test_canonical_json_and_digest() -> None:
    rules = load_rules()
    text = canonical_rules(rules)
    parsed = json.loads(text)
    assert list(parsed) == sorted(SECTIONS)
    assert " " not in text
    assert "name" not in parsed
    assert parsed == {key: value for key, value in rules_dict(rules).items() if key in SECTIONS}
    assert rules_digest(rules) == hashlib.sha256(text.encode("ascii")).hexdigest()


def test_digest_ignores_names_and_sees_every_key() -> None:
    rules = load_rules()
    assert rules_digest(replace(rules, name="other", title="Other")) == rules_digest(rules)
    digests = {rules_digest(rules)}
    for section, record in SECTIONS.items():
        for f in fields(record):
            value = getattr(getattr(rules, section), f.name)
            other = not value if isinstance(value, bool) else value + value if isinstance(value, str) else _more(value)
            digests.add(rules_digest(replace(rules, **{section: replace(getattr(rules, section), **{f.name: other})})))
    assert len(digests) == 1 + sum(len(fields(record)) for record in SECTIONS.values())


def _more(value: int | tuple[int, ...]) -> int | tuple[int, ...]:
    return (*value, 1) if isinstance(value, tuple) else value + 1


def test_key_names_are_unique() -> None:
    assert len(SECTION_OF) == sum(len(fields(record)) for record in SECTIONS.values())
    assert {f.name for f in fields(Rules)} == {"name", "title", *SECTIONS}
