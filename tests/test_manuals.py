"""The manuals are what the program makes them, they are sound, and they leave nothing out."""

import doctest
import inspect
import io
import json
import re
import shlex
import subprocess
import sys
import typing
from collections import Counter
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import pytest
from conftest import PROGRAM, SHEETS, Player, Sheets, moved, needs_program, program_env, slow_but
from importing.foundry import ADVENTURE
from maps import bridge, on_map
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

import crisis_cli
from crisis_cli import field_docs, rules
from crisis_cli.cli import cli, run
from crisis_cli.commands import odds_expression
from crisis_cli.engine.journal import FORMAT
from crisis_cli.manual import mdoc, rules_api
from crisis_cli.manual.pages import pages
from crisis_cli.manual.verbs import described
from crisis_cli.render.prose import prose
from crisis_cli.rulebooks import load, names
from crisis_cli.rules import importing
from crisis_cli.verbs import VERBS

ROOT = Path(__file__).parent.parent
MAN = ROOT / "man"
MADE = pages()
MAKE = "python -m crisis_cli.manual man/"
DASH = re.compile(r"\\-|-")


def commands():
    """Every verb and sub-verb: its words, its command, and the page it is on."""
    for verb in VERBS:
        command = cli.get_command(click.Context(cli), verb)
        yield verb, command, f"man1/crisis-{verb}.1"
        if isinstance(command, click.Group):
            for sub in command.list_commands(click.Context(command)):
                yield (
                    f"{verb} {sub}",
                    command.get_command(click.Context(command), sub),
                    f"man1/crisis-{verb}.1",
                )
    yield "odds 3d6", odds_expression.command, "man1/crisis-odds.1"


COMMANDS = {words: (command, page) for words, command, page in commands()}


def plain(page):
    """A page without the spellings of mdoc."""
    return (
        page.replace("\\-", "-")
        .replace("\\fB", "")
        .replace("\\fR", "")
        .replace("\\&", "")
        .replace("\\(dq", '"')
        .replace("\\e", "\\")
    )


def test_the_pages_are_what_the_program_makes():
    there = {path.relative_to(MAN).as_posix() for path in MAN.rglob("*") if path.is_file()}
    assert there == set(MADE), f"make them anew: {MAKE}"
    stale = [name for name, text in MADE.items() if (MAN / name).read_text(encoding="utf-8") != text]
    assert not stale, f"make them anew: {MAKE}"


def test_all_that_design_asks_for_is_there():
    wanted = {"man1/crisis.1", "man5/crisis-character.5", "man5/crisis-journal.5", "man5/crisis-json.5"}
    wanted |= {"man5/crisis-doctrine.5", "man5/crisis-protocol.5", "man5/crisis-tables.5"}
    wanted |= {"man5/crisis-encounter.5"}
    wanted |= {
        "man7/crisis-campaign.7",
        "man7/crisis-cookbook.7",
        "man7/crisis-import.7",
        "man7/crisis-tutorial.7",
        "man7/crisis-lonelog.7",
        "man7/crisis-notation.7",
        "man7/crisis-python.7",
        "man7/crisis-system.7",
        "man7/crisis-rules.7",
        "man7/crisis-rules-api.7",
        *(f"man1/crisis-{verb}.1" for verb in VERBS),
    }
    wanted |= {f"man7/crisis-rules-{name}.7" for name in names() if name != "shared"}
    assert wanted == set(MADE)


def test_they_can_be_made_by_the_command_that_is_named(tmp_path):
    (tmp_path / "man1").mkdir()
    (tmp_path / "man1" / "crisis-gone.1").write_text("an old page")
    done = subprocess.run(
        [sys.executable, *shlex.split(MAKE)[1:-1], str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    assert {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.?")} == set(MADE)


def test_the_wheel_puts_pages_and_scripts_where_they_are_looked_for():
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    shared = project["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]
    assert shared["man"] == "share/man"
    scripts = {
        "bash-completion/completions/crisis",
        "zsh/site-functions/_crisis",
        "fish/vendor_completions.d/crisis.fish",
    }
    assert {f"share/{script}" for script in scripts} <= set(shared.values())
    assert all((ROOT / path).exists() for path in shared)


def test_mandoc_and_groff_find_nothing_wrong():
    """Each page alone: several in one run would break tables where a page ends that nobody prints."""
    mandoc, groff = needs_program("mandoc"), needs_program("groff")
    paths = sorted(MAN.rglob("*.?"))
    lint = [(mandoc, "-T", "lint", "-W", "warning", *paths)]
    for command in (*lint, *((groff, "-t", "-mandoc", "-ww", "-Tutf8", path) for path in paths)):
        done = subprocess.run(command, capture_output=True, encoding="utf-8")
        faults = done.stderr + (done.stdout if command[0] == mandoc else "")
        assert (done.returncode, faults) == (0, ""), command[-1]


@pytest.fixture(scope="module")
def handed_over():
    """The texts that the program hands to the writer of pages, and the lines of examples: how often each."""
    texts, lines = Counter(), Counter()
    write = {name: getattr(mdoc, name) for name in ("words", "paragraph", "table", "example")}

    def words(text):
        texts[text] += 1
        return write["words"](text)

    def paragraph(text):
        texts[text] += 1
        yield from write["paragraph"](text)

    def table(rows):
        texts.update(cell for row in rows for cell in row)
        yield from write["table"](rows)

    def example(block):
        block = list(block)
        lines.update(line.strip() for line in block)
        yield from write["example"](block)

    with pytest.MonkeyPatch.context() as patch:
        for writer in (words, paragraph, table, example):
            patch.setattr(mdoc, writer.__name__, writer)
        pages()
    del lines[""]
    return texts, lines


RENDERERS = {
    "mandoc": ("mandoc", "-T", "utf8", "-O", "width=1000"),
    "groff": ("groff", "-t", "-mandoc", "-Tutf8", "-rLL=1000n", "-rcR=1", "-P-cbou"),
}


@pytest.fixture(scope="module", params=slow_but(RENDERERS, "mandoc"))
def rendered(request):
    """All pages as a reader sees them, without the overstriking that makes signs bold."""
    needs_program(request.param)
    command = [*RENDERERS[request.param], *sorted(MAN.rglob("*.?"))]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
    return re.sub(".\b", "", done.stdout)


def test_what_is_shown_is_what_the_source_says(rendered, handed_over):
    """Quotes, dashes and backslashes included; where lines are broken is the renderer's."""
    texts, lines = handed_over
    assert len(texts) > 2_000 and len(lines) > 100
    assert lines <= Counter(line.strip() for line in rendered.split("\n"))
    shown = "".join(rendered.split())
    for text, count in texts.items():
        assert shown.count("".join(text.replace("`", "").split())) >= count, text


def test_a_page_that_is_named_in_brackets_stands_right_behind_the_bracket(rendered):
    assert re.search(r"\(crisis-[a-z]+\(\d\)\)", rendered)
    assert not re.search(r"\([ \n]+crisis", rendered)


def test_every_json_example_parses(rendered):
    decoder, at, examples = json.JSONDecoder(), 0, []
    while (at := rendered.find('{"', at)) >= 0:
        if rendered[:at].endswith(" = "):  # an expression of Python
            at += 2
            continue
        example, at = decoder.raw_decode(rendered, at)
        examples.append(example)
    assert len(examples) > 15
    assert {"id": 12, "line": "attack jack --aim 1"} in examples and {"do": "note", "text": "…"} in examples


def test_the_page_of_journals_names_their_format(rendered):
    assert f"The version of the format, now {FORMAT}." in " ".join(rendered.split())
    assert f'{{"crisis":{FORMAT},' in rendered


def test_pages_are_ascii():
    assert [name for name, text in MADE.items() if not text.isascii()] == []


def test_the_manual_is_in_plain_words():
    """Help texts stand in the pages of their verbs; what a player is asked may begin with a verb: `attack whom?`."""
    stilted = re.compile(r"(?i)\b(?:whom|whoever|told|heed\w*|deeds?|the like|what there is|to and fro)\b")
    texts = {**MADE, "README.md": (ROOT / "README.md").read_text(encoding="utf-8")}
    found = [
        (name, line)
        for name, text in texts.items()
        for line in plain(text).splitlines()
        if stilted.search(re.sub(r"^\.It \w+:", "", line))  # the name of a field is no word of the text
    ]
    assert found == []


def test_pages_name_only_pages_there_are():
    missing = [
        f"{name} names {other}({number})"
        for name, text in MADE.items()
        for other, number in re.findall(r"^\.(?:Pf \( )?Xr (\S+) (\d)", text, flags=re.M)
        if f"man{number}/{other}.{number}" not in MADE
    ]
    assert not missing


def test_every_verb_and_option_is_documented():
    undocumented = []
    main = plain(MADE["man1/crisis.1"])
    for words, (command, page) in COMMANDS.items():
        text = plain(MADE[page])
        options = [one for one in command.get_params(click.Context(command)) if isinstance(one, click.Option)]
        assert options, words
        for option in (one for one in options if not one.hidden):
            undocumented += [
                f"{words} {name}"
                for name in (*option.opts, *option.secondary_opts)
                if not re.search(rf"Fl {name[1:]}(?![\w-])", text)
            ]
            if not option.help:
                undocumented.append(f"{words} {option.name} has no help")
        if not described(command)[0].endswith("."):
            undocumented.append(f"{words} does not say what it does in sentences")
        if f".Xr crisis-{words.split()[0]} 1" not in main:
            undocumented.append(f"{words} is not on the main page")
    assert not undocumented


def test_help_is_shown(program, crisis, capsys):
    for words, (command, _) in COMMANDS.items():
        if isinstance(command, click.Group):
            done = program(*words.split(), "--help")
            assert (done.returncode, done.stderr) == (0, ""), words
            shown = done.stdout
        else:
            shown = crisis.ok(f"{words} --help").out + capsys.readouterr().out
        assert "Usage:" in shown and "--help" in shown, words


def test_options_of_some_systems_say_which(monkeypatch):
    from crisis_cli.commands.system_options import SystemOption
    from crisis_cli.engine.command_option import CommandOption
    from crisis_cli.manual import options, verbs

    spare = CommandOption("spare", "flag", ("attack",), "Keep a shot back.", "STEP-9")
    brief = CommandOption("brief", "flag", ("heal",), "Treat in a hurry.", "STEP-9")
    monkeypatch.setattr(options, "command_options", lambda name: (spare, brief) if name == "step" else ())
    own = SystemOption(["--spare"], is_flag=True, help_by_system=[(("step",), "Keep a shot back.")])
    same_name = click.Option(["--brief"], is_flag=True, help="Say less.")
    command = click.Command("attack", params=[own, same_name])
    text = plain(verbs.page("attack", command, "Attack.", ["attack"], {}, verbs.statuses()).text())
    assert (
        ".Ss Of some systems\n.Bl -tag -width Ds\n.It Fl -spare\nKeep a shot back.\nOnly in step (STEP-9).\n"
        in text
    )
    assert "Say less.\n.El" in text


@pytest.mark.parametrize("system", names())
def test_every_rule_is_in_its_page(system):
    page = MADE["man7/crisis-rules.7" if system == "shared" else f"man7/crisis-rules-{system}.7"]
    heads = re.findall(r"^\.Ss ([A-Z0-9]+-\d+) ", plain(page), flags=re.M)
    assert heads == [rule.id for rule in load(system).rules()]
    readings = sum(len(rule.readings) for rule in load(system).rules())
    assert page.count(".Em Reading :") == readings


def test_every_key_of_a_sheet_is_documented():
    from crisis_cli.systems import every

    text = plain(MADE["man5/crisis-character.5"])
    for system in every():
        for key in keys(system.sheet.schema()):
            assert re.search(rf"(?<![\w-]){re.escape(key)}(?![\w-])", text), f"{system.name}: {key}"


def keys(schema):
    for key, part in schema.get("properties", {}).items():
        yield key
        yield from keys(part)
    for inner in (schema.get("additionalProperties"), *schema.get("anyOf", ())):
        if isinstance(inner, dict):
            yield from keys(inner)


# JSON and the journal

DOCUMENTED = {
    word
    for head in re.findall(r"^\.It (.*)$", plain(MADE["man5/crisis-json.5"]), flags=re.M)
    for word in re.split(r"[,\s]+", head)
}
RUNS = (
    "attack jack drone --dice 6,4,3",
    "attack jack drone --seed 3 --why 'a good reason'",
    "throw ada drone --weapon knife --range 12 --seed 4",
    "heal jack --seed 5",
    "check jack melee --difficulty 12 --seed 1",
    "check jack stealth --vs drone perception --seed 1",
    "odds attack jack drone",
    "odds check jack melee --difficulty 12",
    "odds 5d6!",
    "odds 2d6 --ge 7 --compare 3d6",
    "roll 2#3d6 --seed 1",
    "roll 10d10>=8cs=10f=1 12dC 4d6r1! --seed 3",
    "roll '4d6kh3 # strength' --dice 1,2,3,4",
    "roll 3d6 -n 20 --histogram --seed 1",
    "roll 4d6d1",
    "init jack --vs drone:2 --open --dice 6,6,6,1,1,1,2,2,1",
    "status",
    "attack drone-1 --seed 2",
    "act move --to 3,4",
    "set jack condition:prone on",
    "set jack cover:drone-1 heavy",
    "set drone-1 stunned 1 --dry-run",
    "act stand-up --force",
    "undo",
    "redo",
    "note the drone hums",
    "save",
    "map",
    "goal",
    "odds",
    "act --list",
    "explain 2",
    "rewind 6",
    "redo",
    "next",
    "join ada --seed 1",
    "leave ada",
    "log",
    "verify",
    "replay",
    "end",
    "character list",
    "character check",
    "character show jack",
    "character copy jack Bob",
    "character reset jack",
    "rules",
    "rules 3d6 cover",
    "completion fish",
    "oracle 'Is it locked?' --odds likely",
    "oracle morale jack --dice 99,6,1,1",
    "oracle --odds-table",
    "tables twists names",
    "tables shuffle twists",
    "tables list",
    "tables show spoils --odds",
    "tables check",
    "tables new mine",
    "tables import loot.md",
    "encounter list",
    "encounter show bridge --spoilers",
    "encounter check",
    "odds encounter bridge --seed 1",
    "encounter new mine --system 3d6",
    "encounter copy bridge",
    "help",
    "help cover",
    "help move",
    "auto jack on",
    "attack jack nobody",
    "rules 3d6 nonsense",
)


def test_every_key_of_the_json_is_documented(crisis, sheets):
    seen = set()
    for line in RUNS:
        shown = crisis(f"{line} --json")
        for record in shown.records:
            assert {"v", "action"} <= set(record), line
            seen |= {(key, line) for key in record}
            for effect in record.get("effects") if isinstance(record.get("effects"), list) else ():
                what = effect["what"].partition(":")
                seen |= {(key, line) for key in effect}
                seen.add((f"{what[0]}:NAME" if what[1] else what[0], line))
            for roll in record.get("rolls", ()):
                seen |= {(key, line) for key in roll}
        if shown.err:
            seen |= {(key, line) for key in ("error", *shown.error)}
    assert {(key, line) for key, line in seen if key not in DOCUMENTED | {"error"}} == set()
    assert len({key for key, _ in seen}) > 50


def test_the_journal_is_as_described(fight):
    fight.ok("attack drone --why 'so it goes'")
    fight.ok("undo")
    fight.ok("redo")
    fight.ok("set jack health 9")
    fight.ok("save")
    text = plain(MADE["man5/crisis-journal.5"])
    for line in fight.journal.read_text(encoding="utf-8").splitlines():
        for key in json.loads(line):
            assert re.search(rf"^\.It {key}$", text, flags=re.M) or f'{{"{key}":7' in text, key


# Examples


def takes_long(line):
    """Whether an example fights whole fights."""
    return bool(re.search(r"^crisis (foe|simulate|odds duel)\b|--auto\b", line))


EXAMPLES = [
    pytest.param(words, line, marks=pytest.mark.slow if takes_long(line) else ())
    for words, (command, _) in COMMANDS.items()
    for line in described(command)[1]
]


@pytest.mark.parametrize(("words", "line"), EXAMPLES, ids=lambda part: part[:60])
def test_examples_can_be_pasted(words, line, tmp_path):
    """Each does what it says in one situation at least."""
    statuses = {}
    for situation in SITUATIONS:
        here = tmp_path / situation.__name__
        here.mkdir()
        player = Player(here)
        player.now, before, files = made(situation)
        for path, content in files.items():
            (here / path).parent.mkdir(parents=True, exist_ok=True)
            (here / path).write_bytes(moved(content, before, here) if path.endswith(".jsonl") else content)
        statuses[situation.__name__] = attempt(player, line)
        if statuses[situation.__name__] in (0, 1):
            return
    pytest.fail(f"{line}: {statuses}")


@cache
def made(situation):
    """The time in a situation, the folder in which it was made and the files there, which each example gets anew."""
    with TemporaryDirectory() as folder:
        player = Player(Path(folder))
        situation(player)
        return player.now, player.here, player.files()


def with_nothing(player):
    """The sheets that come with the program."""


def with_sheets(player):
    """Jack with a pistol, Ada with a bandage, and the journal of an old crisis."""
    own = Sheets(player.here / "characters")
    pistol = '[weapons.pistol]\nkind = "ranged"\ndamage = "d6"\nrange = 10\ncapacity = 6\n'
    own.write("jack", SHEETS["jack"] + pistol)
    own.write("drone", SHEETS["drone"])
    own.write("ada", SHEETS["ada"] + "[items.bandage]\nheals = { endurance = 5 }\n")
    player.ok("init jack --vs drone --open --seed 1")
    player.ok("end --no-save")
    player.now = "2026-11-21T10:00:00Z"
    player.ok("encounter new cellar --system 3d6")
    (player.here / "tables").mkdir()
    (player.here / "tables" / "wounds.toml").write_text(
        'deck = true\nrows = ["a scar", "a limp"]\n', encoding="utf-8"
    )
    (player.here / "fight.txt").write_text("attack jack drone\n", encoding="utf-8")
    (player.here / "adventure.json").write_text(json.dumps(ADVENTURE), encoding="utf-8")
    (player.here / "loot.md").write_text(
        "| d2 | Loot |\n|--|--|\n| 1 | tin |\n| 2 | gold |\n", encoding="utf-8"
    )
    (player.here / "loot.csv").write_text("d4,text\n1-2,tin\n4,gold\n", encoding="utf-8")
    (player.here / "starforged.json").write_text('["hope", "fear"]', encoding="utf-8")


def in_a_fight(player):
    """Jack's turn against one drone, some way into it, the last action undone."""
    with_sheets(player)
    player.ok("init jack --vs drone --open --dice 6,6,6,1,1,1 --place jack=0,0 drone=1,0")
    for health in (24, 23, 22, 21, 20, 19, 18):
        player.ok(f"set drone health {health}")
    player.ok("undo")


def on_the_ground(player):
    """The same, but Jack is prone, and Ada is with him."""
    with_sheets(player)
    player.ok("init jack ada --vs drone --open --dice 6,6,6,1,1,1,1,1,2")
    player.ok("set jack condition:prone on")


def on_the_bridge(player):
    """The same on the map of a bridge, where doors may stand open."""
    in_a_fight(player)
    on_map(player, bridge(), jack=(3, 3), drone=(6, 3))


def in_a_campaign(player):
    """Jack and Ada between two fights of a campaign, with a thread open."""
    (player.here / "campaign.toml").write_text(
        'name = "Saltmarch"\nsystem = "3d6"\nparty = ["jack", "ada"]\n', encoding="utf-8"
    )
    with_sheets(player)
    player.ok("note --thread 'Who paid the warden?'")


def with_a_sheet_gone(player):
    """The same after a fight of both, and Ada's sheet is gone."""
    in_a_campaign(player)
    player.ok("init jack ada --vs drone --open --seed 1")
    player.ok("end --no-save")
    (player.here / "characters" / "ada.toml").unlink()


def with_somebody_dying(player):
    """A campaign in which Vera lies dying beside Moss."""
    player.ok("campaign new Saltmarch vera moss")
    sheet = player.here / "saltmarch" / "characters" / "vera.toml"
    sheet.write_text(sheet.read_text("utf-8") + "\n[state]\nhealth = -3\n", encoding="utf-8")
    player.here = player.here / "saltmarch"


def after_a_fight(player):
    """Jack and Ada between two fights of a campaign, and two drones have left what they held."""
    in_a_campaign(player)
    player.ok("init jack ada --vs drone:2 --open --seed 1")
    for drone in ("drone-1", "drone-2"):
        player.ok(f"set {drone} yielded on")
    player.ok("end")


FIGHTS = (with_nothing, with_sheets, in_a_fight, on_the_ground, on_the_bridge)
SITUATIONS = (*FIGHTS, in_a_campaign, with_a_sheet_gone, with_somebody_dying, after_a_fight)


def attempt(player, line):
    """The exit status of an example, by way of a shell where it needs one."""
    if re.search(r"[|><]|\$\(", re.sub(r"'[^']*'", "", line)):
        return attempt_in_shell(player, line)
    assert line.startswith("crisis "), line
    words = shlex.split(line, comments=True)[1:]
    if words[0] == "foe":
        # Which role the dice choose, and how many fights confirm it, is no matter here.
        words += ["-n", "20", *(() if "--seed" in words else ("--seed", "5"))]
    asked = ["Zed", *[""] * 9] if words == ["character", "new"] else None
    if words[0] == "mcp":
        # A client that leaves at once.
        return run(words, player.environment(is_interactive=False, stdin=io.StringIO()))
    if words[0] == "play" and "--auto" not in words:
        # At the prompt, which the player leaves at once.
        with create_pipe_input() as keyboard, create_app_session(keyboard, DummyOutput()):
            keyboard.send_text("\x04")
            shown = player(*words, answers=())
    else:
        shown = player(*words, answers=asked)
    assert "Traceback" not in shown.err
    return shown.status


def attempt_in_shell(player, line):
    if "zsh" in line:
        pytest.skip("for zsh: the script has a test of its own")
    needs_program("bash")
    # What fish calls `source` reads stdin; bash means something else by it.
    known = f'crisis() {{ {shlex.join(PROGRAM)} "$@"; }}\nsource() {{ cat >/dev/null; }}\nset -o pipefail\n'
    done = subprocess.run(
        ["bash", "-c", known + line],
        cwd=player.here,
        env=program_env(player.here),
        capture_output=True,
        timeout=60,
    )
    assert b"Traceback" not in done.stderr
    return done.returncode


def test_the_examples_in_python_print_what_they_show(tmp_path, monkeypatch):
    """All of the page in order, each with the names of those before it."""
    monkeypatch.chdir(tmp_path)
    examples = doctest.DocTestParser().get_doctest(prose("python"), {}, "crisis-python(7)", None, 0)
    assert len(examples.examples) > 50
    report = io.StringIO()
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(examples, out=report.write)
    assert not runner.failures, report.getvalue()


def test_every_public_name_of_python_is_documented():
    text = prose("python")
    missing = [
        name
        for name in crisis_cli.__all__
        if hasattr(crisis_cli, name) and not re.search(rf"`(crisis\.)?{name}\b|>>> .*crisis\.{name}\(", text)
    ]
    assert not missing


def api():
    """The page of the rules' interface: by name, the lines that say what it is."""
    parts = re.split(r"^\.Ss (\S+)\n", plain(MADE["man7/crisis-rules-api.7"]), flags=re.M)[1:]
    names = parts[::2]
    assert len(names) == len(set(names))
    return dict(zip(names, parts[1::2], strict=True))


def test_every_name_that_a_rulebook_imports_is_documented():
    shown = api()
    listed = [name for _, _, names in rules_api.groups() for name in names]
    assert set(listed) == set(rules.__all__)
    assert [*listed, *importing.__all__] == list(shown)
    assert not [name for name, text in shown.items() if not re.search(r"^[^.\n].*[.:)`]$", text, re.M)]


def test_every_field_and_method_of_those_names_has_a_sentence():
    missing = []
    for name, text in api().items():
        kind = getattr(importing if name in importing.__all__ else rules, name)
        if not isinstance(kind, type):
            continue
        said = [(field.name, field.text) for field in field_docs.fields(kind)]
        if not hasattr(kind, "read"):
            said += [
                (method, inspect.getdoc(value) or "")
                for method, value in vars(kind).items()
                if not method.startswith("_")
                and (isinstance(value, (property, classmethod, staticmethod)) or inspect.isfunction(value))
                and method not in dict(said)
            ]
        for field, words in said:
            is_listed = re.search(rf"^\.It {field}(?:[:(]|$)", text, re.M)
            if not is_listed or not words.rstrip('"`)').endswith((".", ":")):
                missing.append(f"{name}.{field}")
    assert not missing


def test_the_types_in_the_page_of_the_interface_are_names_of_it_or_explained():
    page = plain(MADE["man7/crisis-rules-api.7"]).replace("\\(aq", "'")
    first, body = page.split(".Sh THE RULEBOOK")
    code = re.findall(r"^\.It (.*)$", body, re.M) + re.findall(r"^\.Bd [^\n]*\n(.*?)^\.Ed", body, re.M | re.S)
    code = [re.sub(r"\"[^\"]*\"|'[^']*'", "", one) for one in code]
    types = {word for one in code for word in re.findall(r"(?<![\w.])[A-Z]\w*[a-z]\w*", one)}
    of_python = {"True", "False", "None", *vars(typing)}
    assert types - of_python - set(api()) == set(re.findall(r"^\.It (\w+)$", first, re.M))


def test_the_page_of_the_interface_says_what_a_field_needs():
    action = api()["Action"]
    assert ".It title: str\n" in action and ".It costs: tuple[Cost, ...] = ()\n" in action
    assert "lacks(condition: str, rule: str, message: str" in api()["lacks"]


@pytest.mark.parametrize("page", ["simulate", "odds"])
def test_the_most_fights_are_named(page):
    assert "From 1 to 1,000,000,000." in plain(MADE[f"man1/crisis-{page}.1"])


def test_a_duel_and_an_encounter_have_sections_in_the_page_of_odds():
    """With their options, how many states a duel may have, and what happens where it has more."""
    text = plain(MADE["man1/crisis-odds.1"])
    duel = text[text.index(".Sh ODDS OF A DUEL") :].partition("\n.Sh ")[0]
    assert all(f".It Fl {option}" in duel for option in ("-doctrine", "-seed", "-quiet"))
    assert "Fl n" in duel and "up to a million" in duel and "simulated" in duel
    encounter = text[text.index(".Sh ODDS OF AN ENCOUNTER") :].partition("\n.Sh ")[0]
    assert ".It Fl -seed" in encounter and "odds encounter" in encounter


def test_simulate_says_what_takes_long():
    text = " ".join(plain(MADE["man1/crisis-simulate.1"]).split())
    assert "starting can take seconds" in text and "take much longer than the other systems" in text
