"""Systems of installed packages: found, remembered, left out with a line where they are broken."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import ROOT

pytestmark = pytest.mark.slow

TINY = (Path(__file__).parent / "tiny" / "tiny" / "rulebook.py").read_text(encoding="utf-8")
ANN = 'name = "Ann"\nsystem = "NAME"\n'
Run = Callable[..., "subprocess.CompletedProcess[str]"]


class Packages:
    """A folder that Python imports from, into which packages are put as an installer does."""

    def __init__(self, folder: Path):
        self.folder = folder

    def install(self, name: str, code: str, attribute: str = "SYSTEM", version: str = "0.3.1") -> Path:
        """A package with one system, `name`, in a module of its own."""
        package = self.folder / f"rules_{name.replace('-', '_')}"
        package.mkdir(parents=True)
        (package / "__init__.py").write_text(code, encoding="utf-8")
        about = self.folder / f"{package.name}-{version}.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: rules-{name}\nVersion: {version}\n", "utf-8"
        )
        entries = f"[crisis.systems]\n{name} = {package.name}:{attribute}\n"
        (about / "entry_points.txt").write_text(entries, encoding="utf-8")
        return package


def tiny(name: str, option: str = "") -> str:
    """A rulebook of that name: the smallest one, with an option of its own where one is given."""
    code = TINY.replace('"tiny"', f'"{name}"').replace("from ...rules", "from crisis_cli.rules")
    own = (
        f'    command_options=(CommandOption({option}, ("attack",), "Strike harder.", "TINY-1"),),\n'
        if option
        else ""
    )
    code = code.replace("    difficulty=Whole(1, 6),\n", f"    difficulty=Whole(1, 6),\n{own}")
    future = "from __future__ import annotations\n"
    notes = 'import sys\nfrom crisis_cli.rules import CommandOption\nprint("loaded", file=sys.stderr)\n'
    return code.replace(future, future + notes, 1)


@pytest.fixture
def packages(tmp_path: Path) -> Packages:
    """Nothing installed yet."""
    folder = tmp_path / "site"
    folder.mkdir()
    return Packages(folder)


@pytest.fixture
def crisis(tmp_path: Path, packages: Packages) -> Run:
    """The real program, which sees these packages and a cache folder of its own."""
    return program(tmp_path, packages)


def program(tmp_path: Path, packages: Packages) -> Run:
    """The real program, run in a folder with packages."""

    def run(*words: str, **env: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "crisis_cli", *words],
            cwd=tmp_path,
            env={
                "HOME": str(tmp_path),
                "PYTHONPATH": f"{ROOT}:{packages.folder}",
                "PYTHONUTF8": "1",
                "TERM": "dumb",
                "XDG_CACHE_HOME": str(tmp_path / "cache"),
                **env,
            },
            capture_output=True,
            encoding="utf-8",
            check=False,
            stdin=subprocess.DEVNULL,
            timeout=60,
        )

    return run


def sheet(folder: Path, name: str) -> None:
    """Ann, in that system."""
    (folder / "characters").mkdir(exist_ok=True)
    (folder / "characters" / "ann.toml").write_text(ANN.replace("NAME", name), encoding="utf-8")


def remembered(folder: Path) -> Path:
    """The only file of the cache."""
    (file,) = (folder / "cache" / "crisis").iterdir()
    return file


def test_a_plug_in_is_found_and_its_options_are_known_without_its_rulebook(
    crisis: Run, packages: Packages, tmp_path: Path
) -> None:
    packages.install("small", tiny("small", '"harder", "flag"'))
    first = crisis("attack", "--help")
    assert "Only in small" in first.stdout and "--harder" in first.stdout
    assert first.stderr == "loaded\n"
    again = crisis("attack", "--help")
    assert (again.stdout, again.stderr) == (first.stdout, "")
    sheet(tmp_path, "small")
    played = crisis("check", "ann", "luck", "--dice", "4")
    assert (played.returncode, played.stderr) == (0, "loaded\n")
    assert "success" in played.stdout


def test_nothing_is_looked_for_twice_while_nothing_is_installed(crisis: Run, tmp_path: Path) -> None:
    crisis("character", "list")
    before = remembered(tmp_path).read_text("utf-8")
    again = crisis("character", "list", PYTHONPROFILEIMPORTTIME="1")
    assert remembered(tmp_path).read_text("utf-8") == before
    assert "importlib.metadata" not in again.stderr and "crisis_cli.systems" in again.stderr


def test_what_is_installed_or_changed_later_is_found(crisis: Run, packages: Packages) -> None:
    assert "--harder" not in crisis("attack", "--help").stdout
    package = packages.install("small", tiny("small", '"harder", "flag"'))
    assert "--harder" in crisis("attack", "--help").stdout
    (package / "__init__.py").write_text(tiny("small", '"fiercer", "flag"'), encoding="utf-8")
    assert "--fiercer" in crisis("attack", "--help").stdout
    assert "small" not in crisis("attack", "--help", CRISIS_NO_PLUGINS="1").stdout


@pytest.mark.parametrize(
    "text", ["", "rubbish", "{stamp}\n[[1]]", "{stamp}\n[", '{stamp}\n[[0,{{"name":3,"options":[]}}]]']
)
def test_a_spoilt_cache_does_no_harm(crisis: Run, packages: Packages, tmp_path: Path, text: str) -> None:
    packages.install("small", tiny("small", '"harder", "flag"'))
    crisis("attack", "--help")
    stamp = remembered(tmp_path).read_text("utf-8").partition("\n")[0]
    remembered(tmp_path).write_text(text.format(stamp=stamp), encoding="utf-8")
    mended = crisis("attack", "--help")
    assert (mended.returncode, "--harder" in mended.stdout) == (0, True)
    assert len(remembered(tmp_path).read_text("utf-8").partition("\n")[2]) > 100


def test_where_the_cache_cannot_be_written_everything_works(
    crisis: Run, packages: Packages, tmp_path: Path
) -> None:
    packages.install("small", tiny("small", '"harder", "flag"'))
    (tmp_path / "cache").write_text("a file in its place", encoding="utf-8")
    shown = crisis("attack", "--help")
    assert (shown.returncode, shown.stderr) == (0, "loaded\n") and "--harder" in shown.stdout


BROKEN = {
    "import": ("import nonesuch_at_all\n", "No module named 'nonesuch_at_all'"),
    "exit": ("import sys; sys.exit('no')\n", "SystemExit"),
    "nothing": ("", "its rulebook has no SYSTEM"),
    "another": (tiny("other"), "its rulebook is called 'other'"),
    "invalid": (tiny("broken").replace('(Cost("go"),)', '(Cost("gone"),)'), "costs 'gone', which is no pool"),
    "option": (tiny("broken", '"aim", "whole"'), ""),
}


@pytest.mark.parametrize("how", [name for name in BROKEN if name != "option"])
def test_a_broken_plug_in_is_named_in_one_line_and_all_else_works(
    crisis: Run, packages: Packages, how: str
) -> None:
    code, why = BROKEN[how]
    packages.install("broken", code)
    packages.install("small", tiny("small"))
    for words in (("character", "list"), ("attack", "jack", "drone", "--dice", "6,6,6")):
        shown = crisis(*words)
        (line,) = (line for line in shown.stderr.splitlines() if line != "loaded")
        assert shown.returncode == 0
        assert line.startswith("warning: rules-broken 0.3.1 is left out: ") and why in line
    assert "small" in crisis("character", "schema", "small").stdout


@pytest.mark.parametrize(
    ("text", "why"), [("[[[", "Invalid"), ('name = "broken"\n', "topics is missing"), ("topics = 3\n", "int")]
)
def test_broken_rules_in_words_are_named_in_one_line_and_the_others_are_shown(
    crisis: Run, packages: Packages, text: str, why: str
) -> None:
    folder = packages.install("broken", tiny("broken"))
    (folder / "rules.toml").write_text(text, encoding="utf-8")
    shown = crisis("rules")
    (line,) = (line for line in shown.stderr.splitlines() if line != "loaded")
    assert shown.returncode == 0 and "d6pool" in shown.stdout
    assert line.startswith("warning: the rules of broken cannot be read, ") and why in line
    alone = crisis("rules", "broken")
    assert alone.returncode == 4 and "reinstall the package that provides broken" in alone.stderr


def test_a_plug_in_does_not_take_the_name_of_another_system(crisis: Run, packages: Packages) -> None:
    packages.install("3d6", tiny("3d6"))
    shown = crisis("attack", "jack", "drone", "--dice", "6,6,6")
    assert shown.returncode == 0
    assert "warning: rules-3d6 0.3.1 is left out: crisis has a system called 3d6 already" in shown.stderr


def test_a_plug_in_does_not_change_what_an_option_of_another_system_takes(
    crisis: Run, packages: Packages
) -> None:
    packages.install("broken", tiny("broken", '"penetrating", "flag"'))
    packages.install("small", tiny("small", '"penetrating", "whole"'))
    shown = crisis("attack", "--help")
    assert shown.returncode == 0
    assert "is left out: its option --penetrating has the kind whole, that of" in shown.stderr


def test_a_system_that_is_gone_is_one_line_of_error_with_its_package(
    crisis: Run, packages: Packages, tmp_path: Path
) -> None:
    packages.install("small", tiny("small"))
    sheet(tmp_path, "small")
    assert crisis("init", "ann", "--open").returncode == 0
    header = json.loads((tmp_path / "crisis.jsonl").read_text("utf-8").splitlines()[0])
    assert header["package"] == "rules-small 0.3.1"
    assert crisis("verify").returncode == 0
    gone = {"CRISIS_NO_PLUGINS": "1"}
    assert crisis("status", **gone).stderr.splitlines() == [
        "error: crisis.jsonl: line 1: its system 'small' is not installed (it was played with rules-small 0.3.1)",
        "hint: pip install rules-small==0.3.1",
    ]
    (tmp_path / "crisis.jsonl").unlink()
    shown = crisis("check", "ann", "luck", **gone)
    assert shown.returncode == 4
    assert shown.stderr.splitlines()[0].endswith(
        "line 2, system: unknown system 'small'; there are: 3d6, step, d100, 2d20, d6pool"
    )


def test_the_sheets_and_rules_of_a_plug_in_are_found_beside_its_module(
    crisis: Run, packages: Packages
) -> None:
    package = packages.install("small", tiny("small"))
    (package / "characters").mkdir()
    (package / "characters" / "zoe.toml").write_text('name = "Zoe"\nsystem = "small"\n', encoding="utf-8")
    words = (Path(__file__).parent / "tiny" / "tiny" / "rules.toml").read_text("utf-8")
    (package / "rules.toml").write_text(words.replace('name = "tiny"', 'name = "small"'), encoding="utf-8")
    listed = crisis("character", "list")
    assert "Zoe" in listed.stdout and "the sheets of rules-small" in listed.stdout
    assert "At or above" not in crisis("rules").stdout and "small" in crisis("rules").stdout
    assert "guard of the target" in crisis("rules", "small", "attack").stdout
    assert "success" in crisis("check", "zoe", "luck", "--dice", "4").stdout
    assert crisis("character", "reset", "zoe").returncode == 4


def test_an_exception_in_a_plug_in_is_one_line_that_names_it(
    crisis: Run, packages: Packages, tmp_path: Path
) -> None:
    label = '    table.label(what, roll.who, "d6")\n'
    code = tiny("faulty").replace(label, f"{label}    1 / 0\n")
    package = packages.install("faulty", code)
    sheet(tmp_path, "faulty")
    line = code.splitlines().index("    1 / 0") + 1
    shown = crisis("check", "ann", "luck", "--dice", "4")
    assert shown.returncode == 4 and "Traceback" not in shown.stderr
    *_, error, hint = shown.stderr.splitlines()
    where = f"{package / '__init__.py'}, line {line}"
    assert error == f"error: {where}: ZeroDivisionError: division by zero (rules-faulty 0.3.1)"
    assert "CRISIS_TRACEBACK=1" in hint
    record = json.loads(crisis("check", "ann", "luck", "--json").stderr.splitlines()[-1])
    assert record["error"]["code"] == "plug_in_failed"
    whole = crisis("check", "ann", "luck", CRISIS_TRACEBACK="1")
    assert whole.returncode == 1 and "Traceback (most recent call last)" in whole.stderr
    assert crisis("roll", "3d6").returncode == 0
