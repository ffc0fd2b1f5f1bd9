"""The list of switches is whole: every key that the engine plays, every choice of it."""

from __future__ import annotations

import pytest

from kernels.switches import SWITCHES, VALUES
from mpsim.errors import RulesError
from mpsim.rules import load_rules
from mpsim.rules.check import FIELDS

DEFAULT = load_rules()


def is_played(key: str, value: object) -> bool:
    try:
        load_rules("mpourloto", [f"{key}={value}"])
    except RulesError:
        return False
    return True


@pytest.mark.parametrize("dotted", FIELDS)
def test_every_value_that_is_played_is_listed(dotted: str) -> None:
    key, declared = dotted.split(".")[1], FIELDS[dotted]
    choices = declared.metadata["choices"] or (("true", "false") if isinstance(declared.default, bool) else ())
    default = str(declared.default).lower() if isinstance(declared.default, bool) else declared.default
    played = {value for value in choices if value != default and is_played(key, value)}
    assert played <= set(VALUES.get(key, ())), f"add to VALUES[{key!r}]"
    fixed = {"packets", "packets_after", "nt_multiplier"}  # one value only is played, see rules/check.py
    if not choices and key not in fixed:
        assert VALUES.get(key), f"add values of {key}"


def test_every_switch_changes_the_rules_or_the_table() -> None:
    names = [switch.name for switch in SWITCHES]
    assert len(set(names)) == len(names)
    for switch in SWITCHES[1:]:
        if not switch.settings:
            continue
        for setting in switch.settings:
            assert load_rules("mpourloto", switch.settings) != DEFAULT, setting
