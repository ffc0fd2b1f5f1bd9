"""Rules as data: one frozen record a game, presets, files and settings, validated in sentences."""

from mpsim.rules.check import check_rules
from mpsim.rules.load import (
    canonical_rules,
    diff_rules,
    load_rules,
    presets,
    rules_dict,
    rules_digest,
    rules_from_dict,
    rules_name,
)
from mpsim.rules.model import SECTION_OF, SECTIONS, Rules, run_value

__all__ = [
    "SECTIONS",
    "SECTION_OF",
    "Rules",
    "canonical_rules",
    "check_rules",
    "diff_rules",
    "load_rules",
    "presets",
    "rules_dict",
    "rules_digest",
    "rules_from_dict",
    "rules_name",
    "run_value",
]
