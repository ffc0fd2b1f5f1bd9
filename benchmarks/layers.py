"""Kernels by layer on one core.  Goals: deal, random play and points 25 M deals/s; whole greedy deal 12 M deals/s.

    python benchmarks/layers.py [bulgarian]

In other games the goal for a whole greedy deal is 6 M deals/s (Bulgarian Belot) and 4 M deals/s (Madrasso).
"""

import sys

from mpsim.commands.bench import print_rates
from mpsim.rules import load_rules
from mpsim.studies.speed import layer_benchmarks, measure

if __name__ == "__main__":
    print_rates(measure(benchmark, repeats=9) for benchmark in layer_benchmarks(load_rules(*sys.argv[1:])))
