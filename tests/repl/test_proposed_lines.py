"""What a refused line is answered with can be done: each line that a hint proposes, in every system, at the prompt and
in the shell, is neither unknown nor, where it is to be tried, refused."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator

import pytest
from conftest import Player

from crisis_cli import cli
from crisis_cli.errors import CrisisError, Refused, Usage
from crisis_cli.play.advice import SPOKEN
from crisis_cli.systems import load
from crisis_cli.verbs import VERBS

from .test_wrong_lines import FIGHTS

ENGLISH = (
    "sheet talk best cast sneak jump climb sing open pray yes no hello rest camp buy trade search loot "
    "score turn round foe gun sword armor luck start new dead die yield team tip test repeat reset clear "
    "pause fast none north table odd odss stat nex und red lgo halp rul get put give drop grenade bite "
    "grapple trip feint snipe delay dodge"
)
"""Words that a player may type who has read nothing, and slips."""
LINES = (
    "a | attack | throw | OWN | ALLY | FOE | STEM | STEM odds | ALLY odds | odds FOE | odds STEM | odds "
    "attack | odds draw | talk to FOE | attack STEM 9 | attack nobody | attack FOE --weapon xyzzy | "
    "attack FOE --bogus | attack OWN | attack ALLY | ALLY attack FOE | FOE attack OWN | heal FOE | heal "
    "xyzzy | check | check xyzzy | draw | draw xyzzy | use xyzzy | move | move there | move FOE | move "
    "toward nobody | move --to x | walk | run | reload xyzzy | rewind 99 | redo | undo 99 | explain 99 | "
    "help xyzzy | rules xyzzy | set | set OWN | set OWN xyzzy 3 | set nobody ap 1 | set STEM ap 1 | auto "
    "nobody | auto OWN onn | auto on | join --vs STEM | join OWN | leave nobody | act | act xyzzy | act "
    "ALLY | 5 | 99 | attack 9 | odds --by nobody | odds 3d | roll 3x6 | status xyzzy | next FOE | end "
    "turn | init OWN --vs STEM --open | rest --days 3 | log --rond 2"
)
"""OWN stands for the fighter who acts, ALLY for another of its side, FOE for an opponent, STEM for a sheet."""
OPEN = re.compile(r"[A-Z]{2}|\b[XN]\b|\||…|\.\.\.")
"""What the player is to fill in."""
FOR_TERMINALS = ("play",)


def wrong_lines(system: str) -> list[str]:
    """Lines that are mostly refused."""
    strange = [name for other in FIGHTS for name in load(other).actions if name not in load(system).actions]
    known = [f"{name}{tail}" for name in load(system).actions for tail in ("", " nobody")]
    spoken = [f"{word}{tail}" for word in " ".join(SPOKEN).split() for tail in ("", " FOE")]
    return [*ENGLISH.split(), *LINES.split(" | "), *dict.fromkeys(strange), *known, *spoken]


def proposed(hint: str) -> Iterator[tuple[str, bool]]:
    """The lines in a hint, and whether each is to be tried as it stands."""
    for part in hint.split("; "):
        if part.startswith("try: "):
            yield part.removeprefix("try: "), True
        else:
            for found in re.finditer(r"\bcrisis ((?:(?!, or |, | or crisis | \().)+)", part):
                yield found[1], False


@pytest.fixture
def errors(monkeypatch: pytest.MonkeyPatch) -> list[CrisisError]:
    """All errors that are reported from now on."""
    reported: list[CrisisError] = []
    report = cli.report_error

    def keep(error: CrisisError, *where: object, **how: object) -> int:
        reported.append(error)
        return report(error, *where, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(cli, "report_error", keep)
    return reported


def open_fight(crisis: Player, system: str) -> dict[str, str]:
    """Open a fight in the turn of a fighter of the player; the words that lines are filled with."""
    ours, foes, seed = FIGHTS[system]
    crisis.ok(f"init {ours} --vs {foes} --open --seed {seed}")
    names = [one["name"] for one in crisis.ok("status --json").record["fighters"] if one["side"] == "players"]
    while (actor := crisis.ok("status --json").record["actor"]) not in names:
        crisis.ok("next")
    stem = foes.partition(":")[0]
    own, ally = (name.lower().replace(" ", "-") for name in sorted(names, key=lambda name: name != actor))
    return {"OWN": own, "ALLY": ally, "FOE": f"{stem}-1", "STEM": stem}


def filled(line: str, words: dict[str, str]) -> str:
    return re.sub("|".join(words), lambda found: words[found[0]], line)


def all_proposals(
    lines: list[str], run: Callable[[str], object], errors: list[CrisisError], crisis: Player
) -> dict[tuple[str, bool], str]:
    """Each proposed line, with the wrong line that it answers; nothing that the wrong lines do is kept."""
    found: dict[tuple[str, bool], str] = {}
    before = crisis.journal.read_bytes()
    for line in lines:
        errors.clear()
        run(line)
        crisis.journal.write_bytes(before)
        for error in errors:
            for proposal in proposed(error.hint):
                if not OPEN.search(proposal[0]):
                    found.setdefault(proposal, line)
    return found


def faults(
    found: dict[tuple[str, bool], str],
    run: Callable[[str], object],
    errors: list[CrisisError],
    crisis: Player,
) -> list[str]:
    """The proposals that are refused, though they should be done."""
    wrong, before = [], crisis.journal.read_bytes()
    for (line, is_tried), answered in found.items():
        errors.clear()
        run(line)
        crisis.journal.write_bytes(before)
        bad = Refused if is_tried or line.startswith(("act ", "attack ", "heal ", "throw ")) else Usage
        wrong += [
            f"{answered} → {line}: {error.message}" for error in errors if isinstance(error, (Usage, bad))
        ]
    return wrong


@pytest.mark.slow
@pytest.mark.parametrize(
    "system",
    [pytest.param(name, marks=pytest.mark.long) if name in ("step", "d6pool") else name for name in FIGHTS],
)
def test_at_the_prompt(
    system: str, crisis: Player, errors: list[CrisisError], request: pytest.FixtureRequest
) -> None:
    words = open_fight(crisis, system)
    run = request.getfixturevalue("line_by_line")  # needs an open crisis
    found = all_proposals([filled(line, words) for line in wrong_lines(system)], run, errors, crisis)
    assert len(found) > 15
    assert faults(found, run, errors, crisis) == []


@pytest.mark.parametrize(
    "system", [name if name == "3d6" else pytest.param(name, marks=pytest.mark.slow) for name in FIGHTS]
)
def test_in_the_shell(system: str, crisis: Player, errors: list[CrisisError]) -> None:
    words = open_fight(crisis, system)

    def run(line: str) -> None:
        first, *rest = shlex.split(line)
        is_action = first in load(system).actions and first not in VERBS
        crisis(*(["act"] if is_action else []), first, *rest)

    found = all_proposals([filled(line, words) for line in wrong_lines(system)], run, errors, crisis)
    found = {one: line for one, line in found.items() if one[0] not in FOR_TERMINALS}
    assert len(found) > 5
    assert faults(found, run, errors, crisis) == []


@pytest.mark.parametrize(
    ("line", "words", "not_said"),
    [
        ("talk to drone-1", "neither an action", "try: attack"),
        ("hide", "go where no foe sees you", "set "),
        ("attack drone 9", "no fighter here is called 'drone 9'", "could be"),
        ("oops", "neither an action", "undo"),
        ("join --vs drone-1", "Drone 1 is here already", "a name of its own"),
    ],
)
def test_no_hint_is_better_than_a_wrong_one(
    crisis: Player, sheets: object, request: pytest.FixtureRequest, line: str, words: str, not_said: str
) -> None:
    crisis.ok("init ada --vs drone:2 --open --dice 6,6,6,1,1,1,1,2,1")
    crisis.ok("character copy drone 'Drone 1'")
    err = request.getfixturevalue("line_by_line")(line)
    assert words in err and not_said not in err.replace("drone", "")


@pytest.mark.parametrize("line", ["odds jack", "jack odds", "odds drone", "drone odds"])
def test_a_fighter_alone_is_ranked(fight: Player, line_by_line: Callable[[str], str], line: str) -> None:
    assert line_by_line(line) == ""


def test_a_copy_that_is_named_as_a_hint_says(crisis: Player, sheets: object) -> None:
    crisis.ok("character copy drone 'Drone 2'")
    hint = crisis.refused(2, "init jack --vs drone:2 drone-2 --open").err
    assert "name one of them drone-2:1" in hint
    crisis.ok("init jack --vs drone:2 drone-2:1 --open")
    assert "to add another with a number: jack:1" in crisis.refused(3, "join jack").err
    crisis.ok("join jack:1")
