"""The command line as a person meets it: output, errors in one sentence, exit codes."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.main import get_command

import mpsim
from mpsim.cli import COMMANDS, app
from mpsim.commands.output import say_if_compiling

Result = tuple[int, str, str]
Cli = Callable[..., Result]


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """Kernels are compiled before any command runs: else the first would say on stderr that it does so."""
    mpsim.simulate(deals=1, seed=1)


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    """Run a command in this process: exit code, stdout, stderr."""

    def call(*args: object) -> Result:
        with pytest.raises(SystemExit) as left:
            get_command(app).main([str(arg) for arg in args], prog_name="mpsim")
        out, err = capsys.readouterr()
        return int(left.value.code or 0), out, err

    return call


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cli") / "run"
    mpsim.simulate(deals=500, seed=1, out=folder)
    return folder


def test_simulate_writes_and_tells(cli: Cli, tmp_path: Path) -> None:
    code, out, err = cli("simulate", "--deals", "1_000", "--seed", 3, "--out", tmp_path / "r")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "mpourloto, play greedy, bid points, seed 3, deals 0 .. 999"
    assert lines[-1].startswith(f"Written to {tmp_path / 'r'}: 1 part, ")
    for word in ("thrown in", "round 1 seat 3 (dealer)", "made", "capo by", "a non-dealer", "melds", "points", "score"):
        assert word in out
    assert mpsim.open_run(tmp_path / "r").complete


def test_simulate_alone_makes_a_folder_named_by_the_run(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, _ = cli("simulate", "--deals", "1e3", "--json")
    document = json.loads(out)
    assert code == 0
    assert document["folder"] == f"runs/mpourloto-1e3-seed{document['seed']}"
    assert mpsim.open_run(tmp_path / document["folder"]).seed == document["seed"]


def test_the_first_run_says_that_it_compiles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("numba.config.DISABLE_JIT", 0)
    monkeypatch.setattr("mpsim.kernels.cache_folder", lambda: tmp_path)
    say_if_compiling()
    assert capsys.readouterr() == ("", "compiling the kernels, once: a minute or so\n")
    say_if_compiling(quiet=True)
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "kernel.nbi").touch()
    say_if_compiling()
    assert capsys.readouterr() == ("", "")


def test_a_drawn_seed_is_printed(cli: Cli) -> None:
    _, out, _ = cli("simulate", "--deals", 100, "--summary-only")
    assert " (drawn), deals 0 .. 99" in out.splitlines()[0]
    assert "Written" not in out


def test_json_is_one_document_with_the_summary(cli: Cli) -> None:
    _, out, _ = cli("simulate", "--deals", 2000, "--seed", 1, "--summary-only", "--json", "--set", "tie_rule=hang")
    document = json.loads(out)
    assert document["folder"] is None
    assert document["summary"]["deals"] == 2000
    assert document["summary"]["outcome"]["hung"]["of"] == "played deals"
    expected = mpsim.simulate(2000, seed=1, settings=["tie_rule=hang"])
    assert document["summary"]["score"] == expected.summary["score"]
    assert document["identity"] == expected.tally.identity


def test_dry_run_writes_nothing(cli: Cli, tmp_path: Path) -> None:
    _, out, _ = cli("simulate", "--deals", "1e7", "--seed", 1, "--out", tmp_path / "r", "--dry-run")
    assert out.splitlines()[1] == f"10 parts, about 320 MB, would be written to {tmp_path / 'r'}"
    _, out, _ = cli("simulate", "--deals", "1e7", "--seed", 1, "--out", tmp_path / "r", "--dry-run", "--json")
    assert json.loads(out)["parts"] == 10
    assert list(tmp_path.iterdir()) == []


def test_resume_needs_no_other_option(cli: Cli, run: Path) -> None:
    code, out, _ = cli("simulate", "--resume", "--out", run)
    assert code == 0
    assert out.splitlines()[0] == "mpourloto, play greedy, bid points, seed 1, deals 0 .. 499"


@pytest.mark.parametrize(
    ("args", "code", "sentence"),
    [
        (["simulate", "--deals", "1.5"], 2, "--deals '1.5' is no whole number of at least 1"),
        (["simulate", "--deals=-1"], 2, "--deals '-1' is no whole number"),
        (["simulate", "--deals", "0"], 2, "--deals '0' is no whole number"),
        (["simulate", "--deals", "nan"], 2, "--deals 'nan' is no whole number"),
        (["simulate", "--deals", "1e30"], 2, "--deals '1e30' is too large"),
        (["simulate"], 2, "give --deals"),
        (["simulate", "--deals", "1", "--set", "head_plane=false"], 2, "head_plane"),
        (["simulate", "--deals", "1", "--set", "head_plain=7"], 2, "head_plain"),
        (["simulate", "--deals", "1", "--set", "mp_totals=text152", "--set", "capo_mode=add"], 2, "text152"),
        (["simulate", "--deals", "1", "--play", "clever"], 2, "clever"),
        (["simulate", "--deals", "1", "--record", "dreams"], 2, "'dreams'"),
        (["simulate", "--deals", "1", "--summary-only", "--force"], 2, "leave out"),
        (["simulate", "--deals", "1", "--threads", "0"], 2, "--threads '0' is no whole number of at least 1"),
        (["simulate", "--deals", "1", "--threads", "0", "--dry-run"], 2, "--threads '0' is no whole number"),
        (["simulate", "--deals", "1", "--threads", "2000"], 2, "too large: at most 1024"),
        (["simulate", "--deals", "1", "--seed", "abc"], 2, "--seed 'abc' is no whole number of at least 0: write it"),
        (["simulate", "--resume", "--out", "/nowhere", "--shard", "1/2"], 2, "give --deals too"),
        (["simulate", "--deals"], 2, "option '--deals' requires an argument: `mpsim --help` tells what there is"),
        (["simulate", "--zzz"], 2, "no such option: --zzz: `mpsim simulate --help` tells what there is"),
        (["--nonsense"], 2, "no such option: --nonsense: `mpsim --help` tells what there is"),
        (["nonsense"], 2, "no such command 'nonsense': `mpsim --help` tells what there is"),
        (["rules", "nonsense"], 2, "no such command 'nonsense': `mpsim rules --help` tells what there is"),
        (["show", "/nowhere"], 2, "missing option '--deal': `mpsim show --help` tells what there is"),
        (["bench", "--repeats", "0"], 2, "--repeats '0' is no whole number of at least 1"),
        (["verify", "/nowhere", "--sample", "-1"], 2, "--sample '-1' is no whole number of at least 0"),
        (["simulate", "--deals", "1", "--shard", "3/2"], 2, "'3/2'"),
        (["simulate", "--deals", "1", "--out", "/dev/null"], 1, "/dev/null is a file"),
        (["simulate", "--deals", "1", "--out", "/dev/null/run"], 1, "/dev/null/run is a file"),
        (["simulate", "--deals", "1", "--out", "/proc/run"], 1, "/proc/run cannot be made"),
        (["simulate", "--deals", "1", "--out", "/tmp/" + "x" * 300], 1, "File name too long"),
        (["info", "/nowhere"], 1, "/nowhere is no run"),
        (["verify", "/nowhere"], 1, "/nowhere is no run"),
        (["show", "/nowhere", "--deal", "1"], 1, "/nowhere is no run"),
        (["rules", "check", "whist"], 2, "whist"),
    ],
)
def test_known_errors_are_one_sentence(cli: Cli, args: list[str], code: int, sentence: str) -> None:
    got, out, err = cli(*args)
    assert (got, out) == (code, "")
    assert err.startswith("mpsim: ")
    assert sentence in err
    assert err.count("\n") == 1


def test_an_existing_folder_is_left_alone(cli: Cli, run: Path) -> None:
    before = (run / "run.json").read_bytes()
    code, _, err = cli("simulate", "--deals", 500, "--seed", 1, "--out", run)
    assert code == 1
    assert "already holds this very run, complete" in err
    assert (run / "run.json").read_bytes() == before


def test_info(cli: Cli, run: Path) -> None:
    _, out, _ = cli("info", run)
    for line in ("state      complete", "seed       1", "deals      0 .. 499 (500)"):
        assert line in out
    _, out, _ = cli("info", run, "--json")
    document = json.loads(out)
    assert (document["rows"], document["parts"], document["summary"]["deals"]) == (500, 1, 500)


def test_show(cli: Cli, run: Path) -> None:
    code, out, _ = cli("show", run, "--deal", "1e2")
    assert code == 0
    assert out == mpsim.open_run(run).narrate(100) + "\n"
    code, _, err = cli("show", run, "--deal", 500)
    assert code == 2
    assert "give a number from 0 to 499" in err


def test_verify(cli: Cli, tmp_path: Path) -> None:
    mpsim.simulate(deals=300, seed=1, out=tmp_path)
    code, out, _ = cli("verify", tmp_path, "--sample", "1e1")
    assert (code, out) == (0, "300 rows checked, 10 played again by the referee: no difference\n")
    path = tmp_path / "deals" / "part-000000.parquet"
    path.write_bytes(path.read_bytes()[:-5])
    code, out, _ = cli("verify", tmp_path, "--json")
    assert code == 3
    assert json.loads(out)["problems"][0]["deals"] == list(range(10))
    code, out, _ = cli("verify", tmp_path)
    assert code == 3
    assert "300 deals: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, ..." in out


def test_rules(cli: Cli) -> None:
    assert "mpourloto " in cli("rules", "list")[1]
    _, out, _ = cli("rules", "show", "mpourloto", "--set", "tie_rule=hang")
    assert 'tie_rule = "hang"' in out.splitlines()
    assert cli("rules", "diff", "mpourloto", "mpourloto")[1] == "no difference\n"
    _, out, _ = cli("rules", "diff", "mpourloto", "mpourloto", "--set", "head_plain=false")
    assert out.splitlines() == [
        "mpourloto -> mpourloto: 1 key",
        "",
        "play.head_plain: true -> false",
        "  Following a side suit, one must beat the best card if one can (M5).",
    ]
    assert cli("rules", "check", "mpourloto")[0] == 0


def test_rules_shown_can_be_read_again(cli: Cli, tmp_path: Path) -> None:
    _, out, _ = cli("rules", "show", "mpourloto", "--set", "fours_table=[0,0,150,100,200,100,100,100]")
    (tmp_path / "shown.toml").write_text(out)
    again = mpsim.load_rules(tmp_path / "shown.toml")
    assert again == mpsim.load_rules("mpourloto", ["fours_table=[0,0,150,100,200,100,100,100]"])


def test_version_and_help_without_a_command(cli: Cli) -> None:
    assert cli("rules")[:2] == cli("rules", "--help")[:2]
    assert cli("--version")[1] == f"mpsim {mpsim.__version__}\n"


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "bench"])
def test_help_of_every_command(cli: Cli, name: str) -> None:
    code, out, _ = cli(name, "--help")
    assert (code, out) == cli(name, "-h")[:2]
    assert code == 0
    assert out.startswith(f"Usage: mpsim {name}")


def shell(command: str) -> subprocess.CompletedProcess[str]:
    text = command.replace("mpsim", f"{sys.executable} -m mpsim")
    return subprocess.run(["bash", "-c", f"set -o pipefail; {text}"], check=False, capture_output=True, text=True)


def test_help_is_quick_and_imports_nothing_heavy() -> None:
    code = (
        "import sys; sys.argv = ['mpsim', '--help']\n"
        "from mpsim.cli import main\n"
        "try: main()\n"
        "finally: print([n for n in ('numpy', 'numba', 'pyarrow', 'pandas', 'rich', 'jsonschema') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "[]"
    assert all(f"  {name} " in done.stdout for name in COMMANDS)


@pytest.mark.parametrize(
    "command",
    ["mpsim simulate --deals 1e3 --seed 1 --summary-only", "mpsim rules show", "mpsim --help"],
)
def test_a_closed_pipe_is_silence(command: str) -> None:
    done = shell(f"{command} | head -1")
    assert done.stderr == ""
    assert len(done.stdout.splitlines()) == 1


def test_verify_says_by_its_code_what_a_closed_pipe_does_not_hear(run: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad"
    shutil.copytree(run, bad)
    next(bad.glob("deals/*")).unlink()
    for options in ("", " --json"):
        done = shell(f"mpsim verify {bad}{options} | true")
        assert (done.returncode, done.stderr) == (3, "")


def test_suits_are_letters_where_stdout_has_no_signs(run: Path) -> None:
    done = shell(f"PYTHONIOENCODING=ascii mpsim show {run} --deal 5")
    assert (done.returncode, "?" in done.stdout, done.stderr) == (0, False, "")
    assert "Turned up: " in done.stdout


@pytest.mark.parametrize("command", ["mpsim rules list", "mpsim --help", "mpsim --version", "mpsim verify {run}"])
def test_a_result_that_cannot_be_printed(command: str, run: Path) -> None:
    for unbuffered in ("", "1"):
        done = shell(f"PYTHONUNBUFFERED={unbuffered} {command.format(run=run)} >/dev/full")
        assert (done.returncode, done.stderr) == (
            1, "mpsim: the result cannot be printed: No space left on device; send stdout elsewhere\n",
        )  # fmt: skip
    done = shell(f"{command.format(run=run)} >&-")
    assert (done.returncode, done.stderr) == (1, "mpsim: stdout is closed: send it to a file, or to /dev/null\n")


def test_a_closed_stderr_sends_nothing_to_stdout() -> None:
    done = shell("mpsim info /nowhere 2>&-")
    assert (done.returncode, done.stdout) == (1, "")


def test_progress_and_colours_only_on_a_terminal() -> None:
    done = shell("mpsim simulate --deals 1e3 --seed 1 --summary-only")
    assert done.stderr == ""
    assert "\x1b" not in done.stdout


def test_killed_at_any_moment_and_resumed(tmp_path: Path) -> None:
    """kill -9 a while after each new part; --resume goes on each time, and the files are those of an unbroken run."""
    deals, cut, whole = 4 << 20, tmp_path / "cut", tmp_path / "whole"
    command = [sys.executable, "-m", "mpsim", "simulate", "--seed", "8", "--deals", str(deals), "--out", str(cut), "-q"]
    for parts, after in ((1, 0.1), (2, 0.25), (3, 0.0)):
        process = subprocess.Popen([*command, "--resume"], stdout=subprocess.DEVNULL)
        while len(list(cut.glob("deals/part-*"))) < parts and process.poll() is None:
            time.sleep(0.01)
        time.sleep(after)
        process.kill()
        process.wait()
    subprocess.run([*command, "--resume"], check=True, stdout=subprocess.DEVNULL)
    mpsim.simulate(deals=deals, seed=8, out=whole, threads=1)
    assert sorted(path.name for path in (cut / "deals").iterdir()) == [f"part-{i:06d}.parquet" for i in range(4)]
    for path in (whole / "deals").iterdir():
        assert (cut / "deals" / path.name).read_bytes() == path.read_bytes()
    assert mpsim.open_run(cut).tally == mpsim.open_run(whole).tally


def start(*args: object, **environment: str) -> subprocess.Popen[str]:
    """mpsim in a process that Ctrl-C reaches as from a terminal: where tests run in the background it is ignored."""
    code = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from mpsim.cli import main; main()"
    )
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, args)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, **environment},
    )  # fmt: skip


def test_ctrl_c_while_kernels_compile(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    process = start(
        "simulate", "--deals", 10, "--seed", 1, "--out", folder, MPSIM_CACHE_DIR=str(tmp_path), NUMBA_DISABLE_JIT="0"
    )
    assert process.stderr is not None
    assert process.stderr.readline().startswith("compiling")
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=10)
    assert (process.returncode, err) == (130, "mpsim: interrupted\n")
    assert not folder.exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_leaves_a_run_that_can_be_resumed(tmp_path: Path, number: signal.Signals) -> None:
    process = start("simulate", "--deals", "1e9", "--seed", 1, "--out", tmp_path)
    deadline = time.monotonic() + 120
    while not list(tmp_path.glob("deals/part-*")) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(number)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.count("\n") == 1
    assert f"go on with: mpsim simulate --resume --out {tmp_path}" in err
    assert list(tmp_path.glob("deals/.*")) == []
    run = mpsim.open_run(tmp_path)
    assert run.tally.count("deals") == len(list(tmp_path.glob("deals/part-*"))) << 20
