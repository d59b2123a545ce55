"""A player in a box: the whole program in this process, on a folder, a clock and a seed of its own."""

from __future__ import annotations

import gc
import importlib
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

os.environ["CRISIS_NO_PLUGINS"] = "1"  # what happens to be installed is not what is tested

import crisis_cli
from crisis_cli import systems
from crisis_cli.ai import evaluation
from crisis_cli.cli import run
from crisis_cli.conformance import casebook
from crisis_cli.engine.journal import line
from crisis_cli.engine.system import System
from crisis_cli.environment import Environment
from crisis_cli.fast_path import GC_THRESHOLD
from crisis_cli.questions import BARE

ROOT = Path(crisis_cli.__file__).parent.parent
casebook.FILES.update({path.stem: path for path in (Path(__file__).parent / "systems").glob("*.toml")})
NOW = "2026-11-20T19:07:02Z"
JOURNAL_OF_NOW = "crisis-20261120T190702Z.jsonl"
PAIRS = {
    "3d6": ("jack", "drone"),
    "step": ("vera", "raider"),
    "d100": ("marshal", "looter"),
    "2d20": ("cass", "ghoul"),
    "d6pool": ("hagen", "bandit"),
}
"""A shipped sheet of each side, by system."""
FRESH_SEED = 20_261_120
STATUSES = {0, 1, 2, 3, 4, 130}

JACK = """\
# Jack, who fights with what he finds.
name = "Jack"
system = "3d6"

[abilities]   # the body
might = 1     # hits harder

[skills]
melee = 2

[weapons.baton]
kind = "melee"
damage = 6
crit = 4

[armour]
defence = 3
dr = 2
durability = 3

# what he carries
[items.bandage]
heals = { endurance = "2d6" }  # clean ones
uses = 2
"""
DRONE = """\
name = "Drone"   # a machine
system = "3d6"
player = false
[skills]
melee = 3
[weapons.claw]
kind = "melee"
damage = 5
crit = 3
[armour]
defence = 3
dr = 2
durability = 3
"""
ADA = """\
name = "Ada"
system = "3d6"
[abilities]
speed = 2
[skills]
light-weapons = 3
stealth = 1
[weapons.pistol]
kind = "ranged"
damage = "d6+4"
crit = 5
range = 5
capacity = 2
reload = 2
[weapons.knife]
kind = "thrown"
damage = 4
range = 5
[items.stimulant]
heals = { endurance = 10 }
uses = 1
ap = 3
"""
JOURNAL_NAME = re.compile(r"^  journal: .*\n", re.M)
"""The line that says where an ended crisis was archived."""
SHEETS = {"jack": JACK, "drone": DRONE, "ada": ADA}


MEMORY, ROOM = "/dev/shm", 4_000_000_000
"""A folder in memory, and how many bytes must be free there for the files of tests; else they are on a disk."""


def folder_in_memory() -> str | None:
    """The folder in memory where there is one with room, and whose programs can be run."""
    if not hasattr(os, "statvfs") or not os.path.ismount(MEMORY) or not os.access(MEMORY, os.W_OK | os.X_OK):
        return None
    found = os.statvfs(MEMORY)
    has_room = found.f_bavail * found.f_frsize > ROOM
    return MEMORY if has_room and not found.f_flag & os.ST_NOEXEC else None


if "TMPDIR" not in os.environ:
    tempfile.tempdir = folder_in_memory()
evaluation.LAWS.most_kept = 40_000  # the fights of the next tests ask for the same distributions


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes long is slow, too: `-m "not slow"` stands in place of the `-m "not long"` of pyproject.toml."""
    for item in items:
        if item.get_closest_marker("long"):
            item.add_marker("slow")


def pytest_collection_finish() -> None:
    """Tests stay until the end and are not searched for garbage, and hardly what tests remember for each other; other
    things as seldom as in the program. All stay frozen when processes that simulated fights have ended."""
    gc.collect()
    gc.freeze()
    gc.unfreeze = lambda: None
    gc.set_threshold(GC_THRESHOLD, 50, 100)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """What gives the tests to processes: a stretch to each, as neighbours share fights; who is done early steals."""
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log) if config.getvalue("dist") == "load" else None


def slow_but(values: Iterable[Any], *quick: Any) -> list[Any]:
    """Parameters of a test, all of which but the quick ones are left out of the fast lane."""
    return [one if one in quick else pytest.param(one, marks=pytest.mark.slow) for one in values]


class Shown(NamedTuple):
    """What one command line came to."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        """What was printed, line by line."""
        return self.out.splitlines()

    @property
    def records(self) -> list[dict[str, Any]]:
        """What was printed, one JSON object a line and nothing else."""
        return [json.loads(line) for line in self.lines]

    @property
    def record(self) -> dict[str, Any]:
        """The only object printed."""
        (only,) = self.records
        return only

    @property
    def error(self) -> dict[str, Any]:
        """The refusal as an object, from stderr."""
        (only,) = self.err.splitlines()
        report: dict[str, Any] = json.loads(only)["error"]
        return report

    @property
    def faces(self) -> list[int]:
        """Every face that fell, from the objects printed."""
        return [face for record in self.records for roll in record["rolls"] for face in roll["faces"]]


class Player:
    """Someone who types commands in a folder; `player("attack jack drone")`."""

    def __init__(self, here: Path):
        self.here = here
        self.env: dict[str, str] = {
            "CRISIS_DATA": str(here / "no-data"),
            "CRISIS_CONFIG": str(here / "no-config"),
            "TERM": "xterm",
            "EDITOR": "true",
        }
        self.seed = FRESH_SEED
        self.now = NOW
        self.prompts: list[str] = []

    @property
    def journal(self) -> Path:
        """Where the open crisis is written."""
        return self.here / "crisis.jsonl"

    def __call__(
        self,
        *words: str,
        answers: Iterable[str] | Callable[[str], str] | None = None,
        terminal: bool = False,
        width: int = 80,
        encoding: str = "",
        env: Mapping[str, str] | None = None,
    ) -> Shown:
        """Run a command line: one string is split as a shell would, several are taken as they are.

        With `answers` there is a player at a terminal who gives them, and then no more; a function is
        asked with each prompt.
        """
        arguments = shlex.split(words[0]) if len(words) == 1 else list(words)
        left = iter(() if answers is None or callable(answers) else answers)

        def ask(prompt: str) -> str:
            if prompt == BARE:
                # The line above says what is asked.
                prompt = f"{_written(err).splitlines()[-1]} {prompt}"
            self.prompts.append(prompt)
            said = answers(prompt) if callable(answers) else next(left, None)
            if said is None:
                raise EOFError
            if said == "^C":
                raise KeyboardInterrupt
            return said

        out, err = (
            io.TextIOWrapper(io.BytesIO(), encoding=encoding, newline="") if encoding else io.StringIO()
            for _ in range(2)
        )
        environment = self.environment(
            out=out,
            err=err,
            ask=ask,
            is_interactive=answers is not None,
            is_terminal=terminal,
            width=width,
            env={**self.env, **(env or {})},
        )
        status = run(arguments, environment)
        return Shown(status, _written(out), _written(err))

    def environment(self, **how: Any) -> Environment:
        """The world of this player."""
        return Environment(
            **{
                "cwd": str(self.here),
                "env": self.env,
                "out": io.StringIO(),
                "err": io.StringIO(),
                "ask": input,
                "is_interactive": True,
                "is_terminal": False,
                "width": 80,
                "clock": lambda: self.now,
                "fresh_seed": lambda: self.seed,
                **how,
            }
        )

    def ok(self, *words: str, **how: Any) -> Shown:
        """Run a command line that must be done, without a word on stderr."""
        shown = self(*words, **how)
        # Where an ended crisis was archived is said on stderr: its name has the time in it.
        assert (shown.status, JOURNAL_NAME.sub("", shown.err)) == (0, ""), shown
        return shown

    def refused(self, status: int, *words: str, **how: Any) -> Shown:
        """Run a command line that must be refused: with that status, a reason, and nothing changed."""
        before = self.files()
        shown = self(*words, **how)
        assert shown.status == status, shown
        assert shown.err.strip(), "a refusal says why"
        assert shown.out == "", "a refusal prints nothing on stdout"
        assert "Traceback" not in shown.err
        assert self.files() == before, "a refusal changes nothing"
        return shown

    def files(self) -> dict[str, bytes]:
        """Everything in the folder: path and content."""
        return {
            path.relative_to(self.here).as_posix(): path.read_bytes()
            for path in sorted(self.here.rglob("*"))
            if path.is_file()
        }

    def fighter(self, name: str) -> dict[str, Any]:
        """How a fighter of the open crisis is."""
        fighters = self.ok("status --json").record["fighters"]
        found: dict[str, Any] = next(one for one in fighters if one["name"] == name)
        return found


def _written(stream: Any) -> str:
    stream.flush()
    if isinstance(stream, io.StringIO):
        return stream.getvalue()
    text: str = stream.buffer.getvalue().decode(stream.encoding)
    return text


class Sheets:
    """The sheets of a player: a folder of small TOML files."""

    def __init__(self, folder: Path):
        self.folder = folder

    def write(self, stem: str, text: str | bytes) -> Path:
        """Put a sheet there."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{stem}.toml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
        return path

    def text(self, stem: str) -> str:
        """A sheet as it stands."""
        return (self.folder / f"{stem}.toml").read_bytes().decode("utf-8")

    def state(self, stem: str) -> dict[str, Any]:
        """What fights have changed on a sheet."""
        import tomllib

        found: dict[str, Any] = tomllib.loads(self.text(stem)).get("state", {})
        return found


@pytest.fixture
def crisis(tmp_path: Path) -> Player:
    """A player in an empty folder."""
    return Player(tmp_path)


@pytest.fixture
def sheets(tmp_path: Path) -> Sheets:
    """Jack, Drone and Ada in ./characters."""
    own = Sheets(tmp_path / "characters")
    for stem, text in SHEETS.items():
        own.write(stem, text)
    return own


def moved(journal: bytes, old: Path, new: Path) -> bytes:
    """A journal as it would be had its fight been in another folder: the paths of its sheets are those there."""
    lines = []
    was, now = (json.dumps(str(folder), ensure_ascii=False)[1:-1] for folder in (old, new))
    for text in journal.decode("utf-8").replace(was, now).splitlines():
        record = json.loads(text)
        if record.pop("seal", None) is not None:
            text = line(record).removesuffix("\n")
        lines.append(f"{text}\n")
    return "".join(lines).encode("utf-8")


OPENED: list[tuple[bytes, Path]] = []
"""The journal of the first fight of Jack against the drone, and its folder; later ones are copies of it."""


@pytest.fixture
def fight(crisis: Player, sheets: Sheets) -> Player:
    """A player with an open crisis: Jack before the drone, both with 4 AP."""
    if not OPENED:
        sheets_alone = crisis.files()
        crisis.ok("init jack --vs drone --open --seed 7 --dice 6,6,6,1,1,1")
        OPENED.append((crisis.journal.read_bytes(), crisis.here))
        assert crisis.files() == {**sheets_alone, crisis.journal.name: OPENED[0][0]}
    journal, folder = OPENED[0]
    crisis.journal.write_bytes(moved(journal, folder, crisis.here))
    return crisis


@pytest.fixture(autouse=True)
def one_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fights are simulated by one process where no number of them is given: to fork all of pytest takes long."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0}, raising=False)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """No waiting for the disk in this process; the real program, in processes of its own, does wait."""
    monkeypatch.setattr(os, "fsync", lambda file: None)


Program = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """The real program, in a process of its own."""

    def started(*words: str, **how: Any) -> subprocess.CompletedProcess[str]:
        env = {**program_env(tmp_path), **how.pop("env", {})}
        kept: dict[str, Any] = {"capture_output": True, "timeout": 120, **how}
        if "input" not in kept:
            kept["stdin"] = subprocess.DEVNULL
        if "stdout" in kept:
            del kept["capture_output"]
            kept.setdefault("stderr", subprocess.PIPE)
        return subprocess.run(
            [*PROGRAM, *words], cwd=tmp_path, env=env, check=False, **{"encoding": "utf-8", **kept}
        )

    return started


NO_SKIPS = "CRISIS_NO_SKIPS"
"""Set where every program that tests run is meant to be installed."""
GAMES = "/usr/games"
"""Where Debian puts programs such as rolldice, which is not on the path of root."""


def needs_program(*names: str) -> str:
    """The path of the first of these programs that is installed; without any the test is skipped, or fails where
    NO_SKIPS is set."""
    path = f"{os.environ.get('PATH', '')}{os.pathsep}{GAMES}"
    program = next((place for name in names if (place := shutil.which(name, path=path))), "")
    if not program:
        (pytest.fail if os.environ.get(NO_SKIPS) else pytest.skip)(f"not installed: {' or '.join(names)}")
    return program


PROGRAM = (sys.executable, "-m", "crisis_cli")


def program_env(here: Path) -> dict[str, str]:
    """The environment of the real program: no colour, no data folder, none of the caller's own settings."""
    return {
        "PATH": os.environ.get("PATH", ""),
        "PYTHONPATH": str(ROOT),
        "PYTHONUTF8": "1",
        "HOME": str(here),
        "CRISIS_DATA": str(here / "no-data"),
        "CRISIS_NO_PLUGINS": "1",
        "TERM": "dumb",
    }


TINY = Path(__file__).parent / "systems" / "tiny"


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> Iterator[System]:
    """The smallest system: one folder, one line in the registry."""
    monkeypatch.setattr(systems, "__path__", [*systems.__path__, str(TINY)])
    monkeypatch.setitem(systems.SYSTEMS, "tiny", "tiny")
    importlib.invalidate_caches()
    yield systems.load("tiny")
    for name in [one for one in sys.modules if one.startswith("crisis_cli.systems.tiny")]:
        del sys.modules[name]
    vars(systems).pop("tiny", None)


def replace(system: System, **changes: Any) -> System:
    """The rulebook with some of its parts changed."""
    return system._replace(**changes)
