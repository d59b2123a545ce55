"""What the shells are shown while one types: by the answers themselves, and at the prompts of real shells."""

import os
import pty
import re
import select
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path

import pytest
from conftest import PROGRAM, ROOT, SHEETS, needs_program, program_env

from crisis_cli.completion.candidates import split
from crisis_cli.completion.shells import SHELLS, script
from crisis_cli.sheets.store import shipped
from crisis_cli.verbs import VERBS

SHIPPED = {path.stem for path in Path(shipped()).rglob("*.toml")} - set(SHEETS)
"""Sheets that come with the program, and are none of the tests' own."""
BREAKS = " \t\n\"'><=;|&(:"


@pytest.fixture
def words(crisis):
    """The words that a shell is offered after a line; bash by default."""

    def offered(line, shell="bash", kinds=("plain", "nospace"), **how):
        env = {
            "_CRISIS_COMPLETE": f"{shell}_complete",
            "_CRISIS_LINE": f"crisis {line}",
            "_CRISIS_BREAKS": BREAKS,
        }
        shown = crisis.ok("", env=env, **how)
        parts = [answer.split("\t") for answer in shown.lines]
        return [part[1] for part in parts if part[0] in kinds]

    return offered


def test_verbs_come_first_with_their_help(words, crisis):
    assert words("") == list(VERBS)
    assert words("at") == ["attack"]
    env = {"_CRISIS_COMPLETE": "zsh_complete", "_CRISIS_LINE": "crisis chec"}
    assert crisis.ok("", env=env).out == f"plain\tcheck\t{VERBS['check']}\n"


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("attack ", ["ada", "drone", "jack"]),
        ("attack j", ["jack"]),
        ("attack J", ["Jack"]),
        ("attack jack dr", ["drone"]),
        ("attack jack drone --we", ["--weapon"]),
        ("attack jack drone --weapon ", ["baton", "unarmed"]),
        ("attack ada drone --weapon=p", ["pistol"]),
        ("attack jack drone --weapon baton --weap", []),
        ("attack jack drone --cover h", ["heavy"]),
        ("attack jack drone --react n", ["none"]),
        ("attack jack drone --range ", []),
        ("heal jack --item ", ["bandage"]),
        ("check jack mel", ["melee"]),
        ("check jack medi", ["medicine"]),
        ("check jack melee ", []),
        ("check jack stealth --vs drone perc", ["perception"]),
        ("check jack stealth --vs dr", ["drone"]),
        ("act jack re", ["reload"]),
        ("act ada draw ", ["pistol", "knife"]),
        ("act ada use-item st", ["stimulant"]),
        ("act jack stand_", ["stand_up"]),
        ("init jack --vs dr", ["drone"]),
        ("character imp", ["import"]),
        ("character import x.json --from f", ["foundry-fallout"]),
        ("character import x.json --up", ["--update"]),
        ("init jack --vs drone --place ja", ["jack="]),
        ("odds at", ["attack"]),
        ("odds attack jack dr", ["drone"]),
        ("odds attack jack drone --cover li", ["light"]),
        ("odds 3d6 --g", ["--ge"]),
        ("odds 3d6 --as ja", ["jack"]),
        ("roll 3d6 --his", ["--histogram"]),
        ("roll @might --as ad", ["ada"]),
        ("character sh", ["show"]),
        ("character show ja", ["jack"]),
        ("character schema ", ["3d6", "step", "d100", "2d20", "d6pool"]),
        ("character list --system 3", ["3d6"]),
        ("character new --like ma", ["marksman"]),
        (
            "character new --system 3d6 --like ",
            ["brawler", "hound", "marksman", "medic", "ada", "drone", "jack"],
        ),
        ("character new --system step --like j", []),
        ("rules ", ["3d6", "step", "d100", "2d20", "d6pool", "shared"]),
        ("rules 3d6 crit", ["criticals"]),
        ("rules 3d6 3d6-2", [f"3d6-{at}" for at in (2, 20, 21, 22, 23, 24, 26, 27, 25, 28, 29)]),
        ("rules nonsense ", []),
        ("rules 3D6-2", [f"3D6-{at}" for at in (2, 20, 21, 22, 23, 24, 26, 27, 25, 28, 29)]),
        ("rules all-6", ["all-6"]),
        ("rules 3d6", ["3d6"]),
        ("help at", ["attack"]),
        ("help js", ["json"]),
        ("help character sh", ["show"]),
        ("help attack ", []),
        ("attack jack ", ["ada", "drone"]),
        ("init jack --vs ", ["ada", "drone"]),
        ("init jack --vs drone ", ["ada"]),
        ("play jack --vs a", ["ada"]),
        ("play br", ["bridge"]),
        ("play bridge j", ["jack"]),
        ("completion ", list(SHELLS)),
        ("--no-color attack ja", ["jack"]),
        ("nonsense ", []),
        ("attack nobody drone --weapon ", ["unarmed"]),
    ],
)
def test_what_is_offered(words, sheets, line, offered):
    own = [word for word in words(line) if word.casefold() not in SHIPPED]
    assert own == offered


def test_after_an_encounter_its_system_says_who_can_play(words):
    assert "ghoul" in words("play station ") and "jack" not in words("play station ")
    assert words("play --encounter station ca") == ["cass"]
    assert words("play station cass ca") == []
    assert {"station", "cass"} <= {*words("play ")}


def test_sheets_of_other_systems_are_left_out_once_a_fighter_is_named(words, sheets):
    assert {"moss", "ghoul", "hagen", "ines"} <= set(words("attack "))
    for line in ("attack jack ", "init jack ", "init jack --vs ", "heal jack ", "odds attack jack "):
        assert set(words(line)) <= {"ada", "drone", "warden"}, line
    assert "jack" not in words("attack jack ")


def test_every_source_that_a_command_names_is_there():
    named = {
        path
        for file in (ROOT / "crisis_cli").rglob("*.py")
        for path in re.findall(r'Source\("([\w.]+)"\)', file.read_text(encoding="utf-8"))
    }
    assert len(named) > 15
    for path in named:
        module, name = path.split(".")
        assert callable(getattr(import_module(f"crisis_cli.completion.{module}"), name)), path


def test_where_nothing_else_can_stand_options_are_offered(words, fight):
    assert {"--json", "--file"} <= set(words("next "))
    assert words("note ") == []


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("attack ", ["jack", "drone"]),
        ("attack drone --weapon ", ["baton", "unarmed"]),
        ("act dro", ["drone", "drop-prone"]),
        ("act stand", ["stand-up"]),
        ("check per", ["perception"]),
        ("set drone heal", ["health"]),
        ("set dro heal", ["health"]),
        ("set jack condition:pr", ["prone"]),
        ("set jack condition:prone ", ["on", "off"]),
        ("set jack cover:", ["drone"]),
        ("set jack cover:drone h", ["heavy"]),
        ("set jack uses:", ["bandage"]),
        ("set jack held b", ["baton", "bandage"]),
        ("leave dr", ["drone"]),
        ("join ad", ["ada"]),
        ("next --js", ["--json"]),
        ("explain ", ["1"]),
        ("rewind ", ["1"]),
        ("log ", ["1"]),
        ("log 1 ", []),
        ("note ", []),
        ("odds --t", ["--top"]),
        ("odds --by dr", ["drone"]),
        ("act --l", ["--list"]),
        ("save --js", ["--json"]),
        ("map --js", ["--json"]),
    ],
)
def test_what_is_offered_in_a_fight(words, fight, line, offered):
    assert words(line) == offered


def test_copies_answer_to_names_without_spaces(words, crisis, sheets):
    crisis.ok("init jack --vs drone:2 --open")
    assert words("attack dr") == ["drone-1", "drone-2"]
    assert words("attack 'Drone 1") == ["Drone 1"]
    assert words("attack Drone\\ 1") == ["Drone 1"]


def test_zsh_and_fish_get_whole_words(words, fight):
    assert words("set jack condition:pr", "zsh") == ["condition:prone"]
    assert words("attack jack --weapon=b", "fish") == ["--weapon=baton"]


def test_files_are_left_to_the_shell(words, sheets):
    assert words("replay ", kinds=("file",)) == [""]
    assert words("--file ", kinds=("file",)) == [""]
    assert words("attack --characters ", kinds=("dir",)) == [""]


def test_another_folder_and_another_journal_are_heeded(words, crisis, sheets):
    crisis.ok("init jack --vs drone:2 --open --file other.jsonl")
    assert words("attack --file other.jsonl dr") == ["drone-1", "drone-2"]
    (crisis.here / "mine").mkdir()
    (crisis.here / "mine" / "zoe.toml").write_text('name = "Zoe"\nsystem = "3d6"\n')
    assert words("attack --characters mine zo") == ["zoe"]


@pytest.mark.parametrize(
    "spoiled", [b"nonsense\n", b"\xff\xfe", b"", b'{"crisis": 99}\n', b'{"crisis":1}\n[]\n']
)
def test_a_broken_journal_is_passed_over_in_silence(words, crisis, sheets, spoiled):
    crisis.journal.write_bytes(spoiled)
    before = crisis.files()
    assert "jack" in words("attack ")
    assert crisis.files() == before


def test_a_broken_sheet_is_passed_over_in_silence(words, crisis, sheets):
    sheets.write("jack", b"\x00\xff = [")
    assert "jack" in words("attack ja")
    assert words("attack jack drone --weapon ") == ["unarmed"]


def test_a_torn_or_ended_journal_is_only_read(words, fight):
    with fight.journal.open("ab") as file:
        file.write(b'{"entry":2,"inte')
    before = fight.files()
    assert words("attack dr") == ["drone"]
    assert fight.files() == before


@pytest.mark.slow
def test_nothing_typed_by_anyone_makes_it_fail(words, fight):
    verbs = [*VERBS, "nonsense", "--file", ""]
    for verb in verbs:
        for rest in (
            "",
            " ",
            " -",
            " --",
            " 'x",
            " \\",
            " --vs ",
            " a b c d e ",
            " --weapon=",
            " --place x=",
            " ::",
        ):
            words(verb + rest)
            words(verb + rest, "fish")


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("crisis attack ", (["crisis", "attack"], "")),
        ("crisis at", (["crisis"], "at")),
        ("crisis a\\ b c", (["crisis", "a b"], "c")),
        ("crisis 'a b' \"c d", (["crisis", "a b"], "c d")),
        ("crisis ''", (["crisis"], "")),
        ("crisis '' ", (["crisis", ""], "")),
        ("crisis x\\", (["crisis"], "x")),
        ("", ([], "")),
        ("attack 'drone 1", (["attack"], "drone 1")),
        ("attack 'drone 1' ", (["attack", "drone 1"], "")),
    ],
)
def test_a_line_is_split_as_a_shell_does(line, parts):
    assert split(line) == parts


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_is_printed(crisis, shell):
    assert crisis.ok(f"completion {shell}").out == script(shell)
    assert crisis.ok("", env={"_CRISIS_COMPLETE": f"{shell}_source"}).out == script(shell)
    assert crisis.ok(f"completion {shell} --json").record == {
        "v": 1,
        "action": "completion",
        "shell": shell,
        "script": script(shell),
    }


def test_no_other_shell_is_known(crisis):
    crisis.refused(2, "completion tcsh")
    assert crisis("", env={"_CRISIS_COMPLETE": "tcsh_complete"}) == (2, "", "")


# The real shells


@pytest.fixture
def shell_env(tmp_path):
    """A folder with `crisis` on the path, and an environment for shells."""
    program = tmp_path / "bin" / "crisis"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {" ".join(PROGRAM)} "$@"\n')
    program.chmod(0o755)
    env = program_env(tmp_path)
    return {**env, "PATH": f"{program.parent}{os.pathsep}{env['PATH']}", "TERM": "xterm", "LC_ALL": "C.UTF-8"}


def asked(shell, script, here, env):
    done = subprocess.run(
        [shell, *script], cwd=here, env=env, capture_output=True, encoding="utf-8", timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_has_no_fault_in_it(shell, shell_env, tmp_path):
    needs_program(shell)
    path = tmp_path / "script"
    path.write_text(script(shell), encoding="utf-8")
    assert asked(shell, ["-n", str(path)], tmp_path, shell_env) == []


FISH_LINES = [
    ("crisis att", "attack"),
    ("crisis attack ja", "jack"),
    ("crisis attack jack drone --weapon ", "baton"),
    ("crisis attack jack drone --cov", "--cover"),
    ("crisis set jack condition:pr", "condition:prone"),
    ("crisis check jack mel", "melee"),
    ("crisis --no-color attack dr", "drone"),
    ("echo x; crisis rules 3d6 crit", "criticals"),
]


@pytest.mark.parametrize(
    ("line", "word"),
    [pytest.param(*one, marks=pytest.mark.slow if at % 3 else ()) for at, one in enumerate(FISH_LINES)],
)
def test_fish(line, word, fight, shell_env):
    needs_program("fish")
    report = asked(
        "fish", ["-c", f"crisis completion fish | source; complete -C '{line}'"], fight.here, shell_env
    )
    assert [one.split("\t")[0] for one in report if one.startswith(word)][:1] == [word], report


class Prompt:
    """A shell at a terminal, to type into."""

    def __init__(self, command, here, env):
        self.seen = ""
        pid, self.terminal = pty.fork()
        if not pid:
            os.chdir(here)
            os.execvpe(command[0], command, {**env, "PS1": "ready> ", "COLUMNS": "200", "LINES": "50"})
        self.pid = pid

    def type(self, text):
        os.write(self.terminal, text.encode())

    def until(self, wanted, seconds=20):
        """What has been shown, once it holds the wanted words."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            ready, _, _ = select.select([self.terminal], [], [], 0.1)
            if ready:
                try:
                    self.seen += os.read(self.terminal, 65536).decode("utf-8", "replace")
                except OSError:
                    break
            if wanted in self.plain():
                return self.plain()
        raise AssertionError(f"{wanted!r} is not in {self.plain()!r}")

    def plain(self):
        """What a terminal would show, as far as lines go."""
        shown, at = [], 0
        for sign in re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\r|\x07", "", self.seen):
            if sign == "\b":
                at -= 1
            else:
                shown[at : at + 1] = [sign]
                at += 1
        return "".join(shown)

    def forget(self):
        self.seen = ""

    def close(self):
        os.close(self.terminal)
        os.waitpid(self.pid, 0)


@pytest.fixture
def prompt(fight, shell_env, tmp_path):
    opened = []

    def start(shell, *arguments, ready):
        needs_program(shell)
        opened.append(Prompt([shell, *arguments], fight.here, shell_env))
        opened[-1].until("ready> ")
        for line in ready:
            opened[-1].type(line + "\n")
        opened[-1].type("echo all-$((40+2))\n")
        opened[-1].until("all-42")
        opened[-1].until("ready> ")
        opened[-1].forget()
        return opened[-1]

    yield start
    for one in opened:
        one.close()


AT_PROMPTS = [
    ("crisis att\t", "crisis attack "),
    ("crisis attack dr\t", "crisis attack drone "),
    ("crisis attack drone --wea\t", "crisis attack drone --weapon "),
    ("crisis set jack condition:pr\t", "crisis set jack condition:prone "),
    ("crisis set jack cover:dr\thea\t", "crisis set jack cover:drone heavy "),
    ("crisis --file crisis.js\t", "crisis --file crisis.jsonl "),
    ("crisis init jack --place ja\t1,2", "crisis init jack --place jack=1,2"),
    ("crisis attack --weapon=ba\tdr\t", "crisis attack --weapon=baton drone "),
]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals here")
@pytest.mark.parametrize(
    ("typed", "line"),
    [pytest.param(*one, marks=pytest.mark.slow if at % 3 else ()) for at, one in enumerate(AT_PROMPTS)],
)
def test_bash(typed, line, prompt):
    bash = prompt("bash", "--norc", "--noprofile", "-i", ready=['eval "$(crisis completion bash)"'])
    bash.type(typed)
    bash.until(line)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals here")
@pytest.mark.parametrize(
    ("typed", "line"),
    [
        AT_PROMPTS[0],
        *(pytest.param(*typed_and_line, marks=pytest.mark.slow) for typed_and_line in AT_PROMPTS[1:]),
    ],
)
def test_zsh(typed, line, prompt):
    zsh = prompt(
        "zsh",
        "-f",
        "-i",
        ready=[
            "unsetopt zle_bracketed_paste prompt_sp; autoload -Uz compinit; compinit -u -D",
            'eval "$(crisis completion zsh)"',
        ],
    )
    zsh.type(typed)
    zsh.until(line)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        pytest.param(script("zsh"), marks=pytest.mark.slow),
        (ROOT / "completions" / "_crisis").read_text(encoding="utf-8"),
    ],
)
def test_zsh_finds_the_script_as_a_file(text, prompt, tmp_path):
    functions = tmp_path / "functions"
    functions.mkdir()
    (functions / "_crisis").write_text(text, encoding="utf-8")
    zsh = prompt(
        "zsh", "-f", "-i", ready=[f"fpath=({functions} $fpath); autoload -Uz compinit; compinit -u -D"]
    )
    zsh.type("crisis att\t")
    zsh.until("crisis attack ")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals here")
def test_bash_loads_the_installed_file(prompt):
    bash = prompt("bash", "--norc", "--noprofile", "-i", ready=[f"source {ROOT}/completions/crisis.bash"])
    bash.type("crisis att\t")
    bash.until("crisis attack ")


def test_the_scripts_are_in_the_wheel_once():
    for shell, file in (("bash", "crisis.bash"), ("zsh", "_crisis"), ("fish", "crisis.fish")):
        installed = (ROOT / "completions" / file).read_text(encoding="utf-8")
        assert f"crisis completion {shell}" in installed and len(installed.splitlines()) < 5
