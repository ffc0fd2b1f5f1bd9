"""Which parts `run.json` truly lists: a damaged record may name one twice, or wrongly, or with impossible counts."""

from __future__ import annotations

from mpsim.stats.tally import Tally, tally_from_dict
from mpsim.store.provenance import Part, Record, RunSpec


def sound_entries(record: Record, spec: RunSpec) -> dict[int, Record]:
    """The entries of a valid `run.json` that are of a part of the run and add up, by number of the first deal."""
    return {entry["first"]: entry for entry in record["parts"] if _is_sound(entry, spec)}


def _is_sound(entry: Record, spec: RunSpec) -> bool:
    part = Part(entry["first"], entry["rows"])
    position = part.index - spec.part(0).index
    if not 0 <= position < spec.part_count or spec.part(position) != part or entry["file"] != part.file:
        return False
    return entry_tally(entry, spec).fits(part.rows)


def entry_tally(entry: Record, spec: RunSpec) -> Tally:
    """What was counted of a part's deals."""
    return tally_from_dict(spec.digest, entry["tally"])
