"""A chart: what to say with every hand of five and every turned card, by seat and round."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, ClassVar
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from mpsim.errors import PolicyError
from mpsim.policies.counts import Bid
from mpsim.rules.check import shown

Actions = npt.NDArray[np.uint8]

PASS, TURNED, SIDE = 0, 1, 2
"""Actions; SIDE + i names the i-th side suit, by its holding (as a byte, ascending), of equals the next one after the
turned suit first."""

CLASSES = 255_304
"""Classes of a hand and a turned card (policies/classes.py)."""

SHIPPED = "mpourloto"
"""The chart that comes with mpsim, `--bid chart`, by the rules that it is for (docs/acceptance.md)."""


@dataclass(frozen=True, slots=True)
class Chart(Bid):
    """Takes what the chart says.

    `actions`, uint8 [8, 255304], has a row for each seat in round 1 and then in round 2 and a column for each class:
    PASS, TURNED (in round 1 nothing else) or SIDE + 0, 1, 2.  Where a rule bars the turned suit from round 2, TURNED is
    a pass there.  Two charts are equal when their actions are.  PolicyError for actions that are none.
    """

    kind: ClassVar[str] = "chart"

    actions: Actions = field(repr=False, compare=False)
    name: str = field(compare=False)
    file: str = field(compare=False, default="")
    provenance: dict[str, Any] = field(compare=False, repr=False, default_factory=dict)
    sha256: str = field(init=False)

    def __post_init__(self) -> None:
        actions = np.ascontiguousarray(self.actions, np.uint8)
        if actions.shape != (8, CLASSES) or actions[:4].max() > TURNED or actions[4:].max() > SIDE + 2:
            raise PolicyError(
                f"the chart {self.name} has actions that are none: it takes 8 rows of {CLASSES}, of 0 and 1 in round 1 "
                "and of 0 to 4 in round 2"
            )
        actions = actions.copy()
        actions.flags.writeable = False
        object.__setattr__(self, "actions", actions)
        object.__setattr__(self, "sha256", hashlib.sha256(actions.tobytes()).hexdigest())

    @property
    def label(self) -> str:
        """`chart:NAME`; of the chart that comes with mpsim `chart`."""
        return "chart" if self.name == SHIPPED and not self.file else f"chart:{self.name}"

    def as_dict(self) -> dict[str, Any]:
        """Kind, name, file and digest: the actions themselves are in the file."""
        return {"kind": self.kind, "name": self.name, "file": self.file, "sha256": self.sha256}


def write_chart(chart: Chart, path: Path) -> None:
    """A chart as a file of some hundred kilobytes, a NumPy archive: both rounds packed, and where they come from."""
    np.savez_compressed(
        path, round1=np.packbits(chart.actions[:4], axis=1), round2=chart.actions[4:],
        provenance=np.frombuffer(json.dumps(chart.provenance, sort_keys=True).encode(), np.uint8),
    )


def read_chart(path: str | Path) -> Chart:
    """The chart of a file; PolicyError for what is none."""
    path = Path(path)
    try:
        with np.load(path, allow_pickle=False) as file:
            first = np.unpackbits(file["round1"], axis=1, count=CLASSES)
            actions = np.concatenate([first, file["round2"]])
            provenance = json.loads(file["provenance"].tobytes())
    except OSError as error:
        reason = error.strerror or error
        raise PolicyError(f"the chart {path} cannot be read ({reason}): check its name and rights") from None
    except (ValueError, KeyError, EOFError, TypeError, BadZipFile):
        raise PolicyError(f"{path} is no chart: give a file that mpsim acceptance wrote") from None
    return Chart(actions, path.stem, str(path.resolve()), provenance)


@cache
def shipped_chart() -> Chart:
    """The chart that comes with mpsim."""
    found = read_chart(Path(__file__).parent / "presets" / f"{SHIPPED}.npz")
    return Chart(found.actions, SHIPPED, "", found.provenance)


def chart_from_dict(data: Mapping[str, Any]) -> Chart:
    """The chart that `as_dict` speaks of, read from its file; PolicyError where that is gone or another."""
    file, digest = data.get("file"), data.get("sha256")
    if not isinstance(file, str) or not isinstance(digest, str):
        raise PolicyError(f"{shown(data)} names no chart: it must hold the chart's file and its sha256")
    chart = read_chart(file) if file else shipped_chart()
    if chart.sha256 != digest and not file:
        raise PolicyError(f"this mpsim comes with another chart than the one of sha256 {digest}: take that version")
    if chart.sha256 != digest:
        raise PolicyError(f"{file} is not the chart it was (its actions have another sha256): put the old file back")
    return chart
