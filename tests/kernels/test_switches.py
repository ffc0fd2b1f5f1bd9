"""The list of switches is whole: every preset, every key, every choice of it."""

from __future__ import annotations

import pytest

from kernels.switches import SWITCHES, VALUES
from mpsim.rules import load_rules, presets
from mpsim.rules.check import FIELDS

AFTERWARDS = {"shuffle", "gather", "chain"}
"""Keys that say how one deal's deck becomes the next one's: tests/kernels/test_chains.py."""


def test_every_preset_is_played() -> None:
    assert sorted(VALUES) == presets()


@pytest.mark.parametrize("dotted", FIELDS)
def test_every_choice_is_listed(dotted: str) -> None:
    key, declared = dotted.split(".")[1], FIELDS[dotted]
    if key in AFTERWARDS:
        return
    values = {value for keys in VALUES.values() for value in keys.get(key, ())}
    for base in VALUES:
        section = getattr(load_rules(base), dotted.split(".")[0])
        preset = getattr(section, key)
        values.add(str(preset).lower() if isinstance(preset, bool) else str(preset))
    choices = declared.metadata["choices"] or (("true", "false") if isinstance(declared.default, bool) else ())
    assert set(choices) <= values, f"add to the values of {key}"
    assert len(values) > 1, f"add values of {key}"


def test_every_switch_changes_the_rules_or_the_table() -> None:
    names = [switch.name for switch in SWITCHES]
    assert len(set(names)) == len(names)
    for switch in SWITCHES:
        for setting in switch.settings:
            without = [other for other in switch.settings if other != setting]
            try:
                changed = load_rules(switch.base, switch.settings) != load_rules(switch.base, without)
            except ValueError:
                continue  # the others cannot stand without it
            assert changed, setting
