"""Kernels by layer on one core.  Goals: deal, random play and points 25 M deals/s; whole greedy deal 12 M deals/s.

    python benchmarks/layers.py
"""

from mpsim.studies.speed import layer_benchmarks, measure

if __name__ == "__main__":
    for benchmark in layer_benchmarks():
        rate = measure(benchmark, repeats=9)
        goal = f"   goal {rate.goal / 1e6:.0f}" if rate.goal else ""
        spread = f"({rate.low / 1e6:.2f} .. {rate.high / 1e6:.2f})"
        print(f"{rate.name:28}{rate.median / 1e6:8.2f} M deals/s   {spread}{goal}")
