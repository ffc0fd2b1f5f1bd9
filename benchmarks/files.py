"""Columns, Parquet and whole runs.  Goals: 10^7 deals in 6 s on two cores; two threads 1.9 times one.

    python benchmarks/files.py
"""

from mpsim.studies.speed import file_benchmarks, measure, two_threads_against_one

if __name__ == "__main__":
    for benchmark in file_benchmarks():
        rate = measure(benchmark, repeats=5)
        goal = f"   goal {rate.goal / 1e6:.2f}" if rate.goal else ""
        spread = f"({rate.low / 1e6:.2f} .. {rate.high / 1e6:.2f})"
        print(f"{rate.name:28}{rate.median / 1e6:8.2f} M deals/s   {spread}{goal}")
    ratio = two_threads_against_one(repeats=5)
    print(f"{ratio.name:28}{ratio.median:8.2f} x           ({ratio.low:.2f} .. {ratio.high:.2f})   goal {ratio.goal}")
