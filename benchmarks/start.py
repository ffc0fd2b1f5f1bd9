"""Start-up: help 0.2 s; first call on a new machine (all compiling) 25 s; then `simulate --deals 1e5` 1.5 s.

    python benchmarks/start.py
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time

SMALL = ("simulate", "--deals", "1e5", "--seed", "1", "--summary-only")


def seconds(arguments: tuple[str, ...], cache: str) -> float:
    """Wall time of one `mpsim` process with its kernels cached in the folder `cache`."""
    start = time.perf_counter()
    environment = {**os.environ, "MPSIM_CACHE_DIR": cache}
    subprocess.run([sys.executable, "-m", "mpsim", *arguments], check=True, env=environment, capture_output=True)
    return time.perf_counter() - start


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        print(f"first call, all compiling  {seconds(SMALL, folder):6.2f} s   goal 25")
        for name, arguments, goal in (("simulate --deals 1e5", SMALL, "1.5"), ("--help", ("--help",), "0.2")):
            times = [seconds(arguments, folder) for _ in range(5)]
            low, median = min(times), statistics.median(times)
            print(f"{name:26} {median:6.2f} s   ({low:.2f} .. {max(times):.2f})   goal {goal}")
