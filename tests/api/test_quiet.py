"""The interface loads little, prints and asks nothing, reads no environment, and touches no files of others."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

LOADED = """
import sys
before = set(sys.modules)
import crisis_cli as crisis
{line}
print(*sorted(name for name in set(sys.modules) - before))
"""


def loaded(line: str, folder: Path) -> set[str]:
    """The modules that a line of a program loads, in a process of its own."""
    shown = subprocess.run(
        [sys.executable, "-c", LOADED.format(line=line)],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return set(shown.stdout.split())


def test_the_import_loads_nothing_else(tmp_path: Path) -> None:
    assert loaded("", tmp_path) == {"crisis_cli"}


@pytest.mark.parametrize(
    "line",
    [
        "crisis.roll('3d6')",
        "crisis.odds('3d6').to_dict()",
        "str(crisis.attack('jack', 'drone'))",
        "crisis.chances('attack', 'jack', 'drone').to_dict()",
        "crisis.ask('Is it?')",
        "crisis.begin('jack', vs='drone', plays='none').play_on(until='turn')",
    ],
)
def test_no_command_line_is_loaded(line: str, tmp_path: Path) -> None:
    modules = loaded(line, tmp_path)
    assert not {name for name in modules if name.partition(".")[0] in ("click", "prompt_toolkit", "dask")}
    assert not {name for name in modules if name.startswith(("crisis_cli.commands", "crisis_cli.repl"))}
    if "begin" not in line:
        assert "json" not in modules


QUIET = """
import builtins, os, signal, sys, threading
sys.path_importer_cache  # the import system is warm
os.environ["CRISIS_NO_PLUGINS"] = "1"
import crisis_cli as crisis
from crisis_cli import systems
for one in systems.every():
    pass
opened = []
def audit(event, arguments):
    if event == "open":
        path, mode, flags = arguments
        writes = isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
        if writes or (isinstance(mode, str) and set(mode) & set("wax+")):
            opened.append(str(path))
    elif event in (
        "os.mkdir", "os.remove", "os.rename", "os.link", "os.symlink", "os.rmdir", "os.fork", "socket.connect",
        "os.putenv", "os.unsetenv", "os.chdir", "subprocess.Popen",
    ):
        opened.append(f"{event} {arguments}")
sys.addaudithook(audit)
class Poisoned:
    def __getattr__(self, name):
        raise AssertionError(f"{name} is asked for")
    __getitem__ = __contains__ = __iter__ = __setitem__ = __getattr__
    def get(self, *name):
        raise AssertionError(f"{name} is read")
def no(*said, **how):
    raise AssertionError("asked")
class Environment(Poisoned):
    def get(self, name, default=None):
        if str(name) == "CRISIS_NO_PLUGINS":
            return "1"
        raise AssertionError(f"{name} is read")
real, streams = os.environ, (sys.stdin, sys.stdout, sys.stderr)
sys.stdin = sys.stdout = sys.stderr = Poisoned()
os.environ, builtins.input, builtins.print = Environment(), no, no
handlers = [signal.getsignal(number) for number in signal.valid_signals()]
switch = sys.getswitchinterval()
try:
    roll = crisis.roll("4d6kh3", seed=1)
    str(roll), crisis.odds("3d6")._repr_html_(), crisis.compare("2d6", "d12")
    library = crisis.Library(".", clock=lambda: "2026-11-20T19:07:02Z")
    library.attack("jack", "drone", seed=1).to_dict(explain=True)
    library.chances("attack", "jack", "drone").to_dict()
    library.ask("Is it?"), library.draw("twists")
    library.simulate("jack", vs="drone", fights=3, seed=1).to_dict()
    library.sheets.names(), library.encounters.names(), library.tables.read("twists")
    fight = library.begin("jack", vs="drone:2", seed=4)
    for _ in range(8):
        if fight.waiting is None:
            fight.play_on()
        if fight.waiting is None:
            break
        fight.ranking(top=2), fight.legal(), fight.barred()
        fight.answer(None)
    fight.note("It rains."), fight.undo(), fight.redo()
    str(fight.state), fight.state._repr_html_(), fight.explain().to_dict(), fight.recap().to_dict()
    [fight.export(form) for form in ("markdown", "lonelog", "html", "script")]
    fight.simulate(fights=2, seed=1)
    try:
        fight.do("attack", "nobody")
    except crisis.CrisisError:
        pass
    fight.end(save=False)
finally:
    os.environ = real
    sys.stdin, sys.stdout, sys.stderr = streams
assert handlers == [signal.getsignal(number) for number in signal.valid_signals()]
assert switch == sys.getswitchinterval()
assert threading.active_count() == 1
sys.stdout.write("\\n".join(path for path in opened if not path.endswith(".pyc") and "__pycache__" not in path))
"""


def test_nothing_is_printed_asked_read_or_written(tmp_path: Path) -> None:
    shown = subprocess.run(
        [sys.executable, "-B", "-c", QUIET], cwd=tmp_path, capture_output=True, encoding="utf-8", check=False
    )
    assert (shown.returncode, shown.stdout, shown.stderr) == (0, "", "")
    assert [*tmp_path.iterdir()] == []


ON_DISK = """
import os, sys
import crisis_cli as crisis
opened = []
def audit(event, arguments):
    if event == "open":
        path, mode, flags = arguments
        if isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            opened.append(os.path.abspath(path))
sys.addaudithook(audit)
library = crisis.Library("game")
fight = library.begin("jack", vs="drone", seed=4, file="fight.jsonl")
fight.play_on()
fight.note("It rains.")
assert library.resume("fight.jsonl").log[-1].to_dict() == fight.log[-1].to_dict()
fight.end()
print(*sorted({os.path.dirname(path) for path in opened if "__pycache__" not in path and os.path.isabs(path)}))
"""


def test_files_are_written_in_the_folder_of_the_library_alone(tmp_path: Path) -> None:
    (tmp_path / "game").mkdir()
    shown = subprocess.run(
        [sys.executable, "-B", "-c", ON_DISK],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (shown.returncode, shown.stderr) == (0, "")
    assert shown.stdout.split() == [str(tmp_path / "game")]
    assert [path.name for path in tmp_path.iterdir()] == ["game"]
