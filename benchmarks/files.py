"""Columns, Parquet and whole runs.  Goals: 10^7 deals in 6 s on two cores; two threads 1.9 times one.

    python benchmarks/files.py [bulgarian]
"""

import sys

from mpsim.commands.bench import print_rates
from mpsim.rules import load_rules
from mpsim.studies.speed import file_benchmarks, measure, two_threads_against_one

if __name__ == "__main__":
    game = load_rules(*sys.argv[1:])
    print_rates(measure(benchmark, repeats=5) for benchmark in file_benchmarks(game))
    print_rates([two_threads_against_one(5, game)])
