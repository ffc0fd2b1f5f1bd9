"""`python -m mpsim` is `mpsim`."""

from mpsim.cli import main

main()
