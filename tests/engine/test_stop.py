"""Ctrl-C and kill: the first one stops cleanly, and nothing but a sentence comes out."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import mpsim
from mpsim.engine import verify as engine_verify
from mpsim.engine.stop import Interrupted, stop_on_interrupt


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_first_signal_sets_the_event_and_a_second_acts_at_once(number: signal.Signals) -> None:
    interrupt = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with stop_on_interrupt() as stop:
            assert not stop.is_set()
            os.kill(os.getpid(), number)
            assert stop.wait(5)
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
    finally:
        signal.signal(signal.SIGINT, interrupt)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_second_signal_while_the_first_is_being_answered(number: signal.Signals) -> None:
    """It must not wait for the lock that the first one, below it on the stack, holds."""
    program = (
        "import os, signal\n"
        "from mpsim.engine.stop import stop_on_interrupt\n"
        "with stop_on_interrupt() as stop:\n"
        "    real = stop._cond.notify_all\n"
        f"    stop._cond.notify_all = lambda: (os.kill(os.getpid(), {int(number)}), real())\n"
        "    os.kill(os.getpid(), signal.SIGTERM)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode in (-number, 1, 130)
    assert ("KeyboardInterrupt" in done.stderr) == (number == signal.SIGINT)


def test_what_the_caller_ignores_or_handles_is_left_alone() -> None:
    def own(number: int, frame: object) -> None:
        """A caller's handler."""

    interrupt, kill = signal.signal(signal.SIGINT, signal.SIG_IGN), signal.signal(signal.SIGTERM, own)
    try:
        with stop_on_interrupt() as stop:
            os.kill(os.getpid(), signal.SIGINT)
            os.kill(os.getpid(), signal.SIGTERM)
            assert not stop.wait(0.05)
    finally:
        signal.signal(signal.SIGINT, interrupt)
        signal.signal(signal.SIGTERM, kill)


def test_verify_is_stopped_between_two_deals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mpsim.simulate(100_000, seed=1, out=tmp_path)
    real, played = engine_verify.play_deal, []

    def interrupting(*args: object) -> object:
        played.append(args)
        if len(played) == 3:
            os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(0.01)
        return real(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(engine_verify, "play_deal", interrupting)
    with pytest.raises(Interrupted, match="interrupted before all was checked"):
        engine_verify.verify(tmp_path, sample=100_000, threads=1)
    assert len(played) < 100
