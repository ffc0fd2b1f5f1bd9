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


@pytest.mark.parametrize(
    ("setting", "changed"),
    [
        ("ma_rank=6over7", {"deck.plain_order": "A3KHJ67542", "deck.trump_order": "A3KHJ67542"}),
        ("deck.ma_rank=6over7", {"deck.plain_order": "A3KHJ67542", "deck.trump_order": "A3KHJ67542"}),
        ("ma_rank=7over6", {}),
        ("ma_upcard_index=20", {"deal.upcard_index": 20}),
        ("ma_must_ruff=true", {"play.must_ruff": True, "play.must_underruff": True}),
        ("ma_min_deals=12", {"match.min_deals": 12}),
        ("ma_sweep_wins=false", {"score.capo_mode": "add"}),
        ("score.ma_sweep_wins=true", {}),
    ],
)
def test_other_names_of_rules(setting: str, changed: dict[str, object]) -> None:
    """Against Madrasso as it comes, which answers D1, D2, D4, D6 and D9 the other way or the same."""
    differences = diff_rules(load_rules("madrasso"), load_rules("madrasso", [setting]))
    assert {key: value for key, _, value in differences} == changed


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ("ma_rank=8over7", 'ma_rank = "8over7" is not a choice: write 7over6 or 6over7'),
        ("ma_upcard_index=21", "ma_upcard_index = 21 is not a choice: write 19 or 20"),
        ("ma_upcard_index=true", "ma_upcard_index = true is not a choice: write 19 or 20"),
        ("ma_must_ruff=1", "ma_must_ruff = 1 is not a truth value: write true or false"),
        ("ma_min_deals=1001", "ma_min_deals = 1001 is not a choice: write a whole number from 0 to 1000"),
        ("ma_min_deals=true", "ma_min_deals = true is not a choice: write a whole number from 0 to 1000"),
        ("ma_sweep_wins=yes", 'ma_sweep_wins = "yes" is not a truth value: write true or false'),
        ("match.ma_rank=6over7", "unknown rule key 'match.ma_rank'"),
        ("ma_rnk=6over7", "did you mean ma_rank?"),
    ],
)
def test_wrong_values_of_other_names(setting: str, sentence: str) -> None:
    with pytest.raises(RulesError) as caught:
        load_rules("madrasso", [setting])
    assert sentence in str(caught.value)


def test_an_alias_of_two_rules_may_contradict_one_of_them() -> None:
    settings = ["ma_rank=6over7", "plain_order=A3KHJ76542"]
    with pytest.raises(RulesError, match=r'ma_rank stands for plain_order = "A3KHJ67542", and plain_order = "A3KHJ7'):
        load_rules("madrasso", settings)
    assert load_rules("madrasso", ["ma_min_deals=7", "min_deals=7"]).match.min_deals == 7


GAMES = ["belote", "belote-bg", "bulgarian", "contree", "madrasso", "mpourloto", "mpourloto-greek"]


def test_every_game_is_there() -> None:
    assert presets() == GAMES
    assert len({rules_digest(load_rules(name)) for name in GAMES}) == len(GAMES)
    assert [load_rules(name).name for name in GAMES] == GAMES


def _values(name: str, *keys: str) -> list[object]:
    rules = load_rules(name)
    return [getattr(getattr(rules, SECTION_OF[key]), key) for key in keys]


def test_presets_say_what_their_texts_say() -> None:
    """Copied by hand: the table of keys by game, and the flags of legal cards."""
    main = ("target", "last_trick", "all_tricks", "capo_mode", "nt_multiplier", "tie_rule", "rounding", "capot_exit")
    melds = ("meld_compare", "overlap", "long_run", "fours_table")
    fours = {"bg": (0, 0, 150, 100, 200, 100, 100, 100), "b3": (0, 0, 150, 0, 200, 100, 100, 100)}
    assert _values("bulgarian", *main) == [151, 10, 90, "add", 2, "hang", "tens", "raise"]
    assert _values("belote", *main) == [152, 10, 90, "add", 1, "made", "tens", "allowed"]
    assert _values("belote-bg", *main) == [151, 10, 90, "add", 2, "hang", "tens", "raise"]
    assert _values("bulgarian", *melds) == ["by_category", "exclusive", "cap", fours["bg"]]
    assert _values("belote", *melds) == ["none", "cross_type", "cap", fours["b3"]]
    assert _values("belote-bg", *melds) == ["by_category", "exclusive", "cap", fours["bg"]]
    assert _values("madrasso", "target", "min_deals", "last_trick", "capo_mode") == [777, 10, 10, "wins_match"]
    for name in ("bulgarian", "belote", "belote-bg"):
        assert _values(name, "packets", "packets_after", "turn_up", "kind") == [(3, 2), (3,), False, "ladder"]
        assert _values(name, "limit_digits", "round_tie") == [(6, 4, 5), "fewer_up"]
    assert _values("madrasso", "packets", "packets_after", "upcard_index") == [(3, 2), (3, 2), 19]


@pytest.mark.parametrize(
    ("name", "flags"),
    [
        ("mpourloto", (True, True, True, True, True, "none")),
        ("mpourloto-greek", (False, True, True, True, True, "none")),
        ("bulgarian", (False, True, True, True, False, "ruff")),
        ("belote", (False, True, True, True, True, "ruff")),
        ("belote-bg", (False, True, True, True, True, "ruff")),
        ("madrasso", (False, False, False, False, False, "none")),
        ("contree", (False, True, True, True, False, "ruff")),
    ],
)
def test_flags_of_legal_cards(name: str, flags: tuple[object, ...]) -> None:
    keys = ("head_plain", "head_trump", "must_ruff", "must_overruff", "must_underruff", "partner_relief")
    assert tuple(_values(name, *keys)) == flags


def test_what_the_greek_server_does() -> None:
    """M1, M2, M5, M9, M13 to M15, M17, M19."""
    keys = ("capo_mode", "exchange_suit", "head_plain", "round2_any_suit", "overlap", "meld_compare", "tie_rule")
    assert _values("mpourloto-greek", *keys) == [
        "add", "upcard_if_trump", False, False, "exclusive", "strongest", "hang",
    ]
    assert _values("mpourloto-greek", "target", "aponta") == [1551, True]


def test_a_file_may_stand_on_any_game(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('base = "madrasso"\nma_must_ruff = true\n', "utf-8")
    assert diff_rules(load_rules("madrasso"), load_rules(path)) == [
        ("play.must_ruff", False, True), ("play.must_underruff", False, True),
    ]


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
