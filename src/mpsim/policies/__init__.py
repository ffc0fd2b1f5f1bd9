"""How the four seats bid and play: names, parameters, and what referee and kernels need of them."""

from mpsim.policies.bid import Always, BidPolicy, Chance, Never, PointCount, read_count, shipped_count
from mpsim.policies.ladder import LadderCount, read_ladder, shipped_ladder
from mpsim.policies.load import Policies, load_policies, policies_from_dict
from mpsim.policies.play import PLAY

__all__ = [
    "PLAY",
    "Always",
    "BidPolicy",
    "Chance",
    "LadderCount",
    "Never",
    "PointCount",
    "Policies",
    "load_policies",
    "policies_from_dict",
    "read_count",
    "read_ladder",
    "shipped_count",
    "shipped_ladder",
]
