"""Whatever the reader of journals lets through: each way to tell it gives output, or one clean error."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import Player

from crisis_cli.engine.journal import folded_lines, line
from crisis_cli.errors import CrisisError
from crisis_cli.systems import load
from story.fights import SIDES, fought, seeds

FORMS = (
    *("log", "log --explain", "log --json --explain", "log --recap", "log --recap --json", "log --markdown"),
    *("log --lonelog", "log --html --no-odds", "log --script", "log 2", "status", "status --json", "verify"),
    *("verify --json", "replay", "replay --json", "replay --at 1", "explain 2", "explain 3 --json", "undo 2"),
)
"""What is asked of each journal, without its name where it is the open one."""
WRONG = (
    None,
    True,
    -1,
    10**9,
    1.5,
    "",
    "x",
    "a\nb",
    "Jack",
    [],
    ["x"],
    [[1, 2]],
    [None],
    {},
    {"a": 1},
    {"x": "y"},
)
ACTIONS = (
    "nonsense",
    "event",
    "note",
    "end",
    "next",
    "set",
    "join",
    "yield",
    "auto",
    "oracle",
    "tables",
    "shuffle",
)
ACTIONS += (
    "tension",
    "init",
    "attack",
    "move",
    "heal",
    "throw",
    "play",
    "run",
    "fight",
    "downtime",
    "check",
    "care",
)
FREE = ("intent", "rolls", "outcome", "stake", "modifiers", "choices")
"""The parts of an entry that the reader checks least."""


def spots(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all that is in what JSON gave."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield (*path, key)
        yield from spots(part, (*path, key))


def changed(lines: list[dict[str, Any]], chance: random.Random) -> str:
    """A journal with up to three things in it changed or left out, without seals."""
    lines = copy.deepcopy(lines)
    for _ in range(chance.choice((1, 1, 2, 3))):
        entry = chance.choice(lines[1:])
        intent, what = entry.get("intent"), chance.random()
        if isinstance(intent, dict) and what < 0.3:
            key, value = chance.choice(
                (
                    ("action", chance.choice(ACTIONS)),
                    ("actor", chance.choice(("", "Nobody", "-x"))),
                    ("targets", chance.choice(([], ["Nobody"], ["", ""], ["-x"]))),
                )
            )
            intent[key] = value
            continue
        *path, key = chance.choice([one for one in spots(entry) if one[0] in FREE or what > 0.8])
        box: Any = entry
        for part in path:
            box = box[part]
        if chance.random() < 0.45:
            del box[key]
        else:
            box[key] = chance.choice(WRONG)
    bare = ({key: part for key, part in one.items() if key != "seal"} for one in lines)
    return "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in bare)


def journals(folder: Path, system: str) -> tuple[list[dict[str, Any]], ...]:
    """The lines of two crises: all that the table does, and a fight that was played automatically."""
    player, (ours, theirs) = Player(folder), SIDES[system]
    first = ours.split()[0]
    for words in (
        f"init {ours} --vs {theirs} --open --seed 3",
        "note it rains",
        "oracle 'does it rain?'",
        "tables roll names",
        f"set {first} at 1,1 --why 'to be fair'",
        f"leave {first}",
        f"join {first}",
        f"auto {first} on",
        "next",
    ):
        player(words)
    table = player.journal.read_text("utf-8")
    player.journal.unlink()
    _, name = fought(folder, system, 1)
    fight = (folder / name).read_text("utf-8")
    lines = ([json.loads(one) for one in text.splitlines()] for text in (table, fight))
    return tuple(
        [one for one in some if "ends" not in one and one.get("intent", {}).get("action") != "end"]
        for some in lines
    )


def is_read(text: str) -> bool:
    """Whether the reader lets a journal through."""
    try:
        folded_lines(text.removesuffix("\n").split("\n"), load)
    except CrisisError:
        return False
    return True


@pytest.mark.parametrize("seed", seeds(1, 120))
@pytest.mark.parametrize(
    "system", [name if name == "d100" else pytest.param(name, marks=pytest.mark.slow) for name in SIDES]
)
def test_each_way_to_tell_a_journal_gives_output_or_an_error(tmp_path: Path, system: str, seed: int) -> None:
    chance, player, both = random.Random(f"{system} {seed}"), Player(tmp_path), journals(tmp_path, system)
    told = refused = 0
    while told + refused < 2 * len(FORMS):
        text = changed(chance.choice(both), chance)
        if not is_read(text):
            continue
        for words in FORMS:
            player.journal.write_text(text, "utf-8", newline="")
            shown = player(words)
            if shown.status in (0, 1):
                assert shown.out, words
                told += 1
                continue
            assert shown.status in (2, 3, 4), (words, shown)
            faults = [
                one for one in shown.err.splitlines() if one.startswith(("error: ", '{"v": 1, "error"'))
            ]
            assert len(faults) == 1, (words, shown)
            refused += 1
    assert told > refused


def entry_with(player: Player, **changes: Any) -> None:
    """Append an entry to the open crisis that the program would not have written."""
    number = len(player.journal.read_text("utf-8").splitlines())
    intent = {"action": "note", "actor": "", "targets": [], "options": {}}
    record = {"entry": number, "intent": intent, "outcome": {}, "events": []}
    with player.journal.open("a", encoding="utf-8") as file:
        file.write(line({**record, **changes}))


@pytest.mark.parametrize(
    ("intent", "says"),
    [
        ({"action": "frobnicate"}, "3d6 has no action 'frobnicate'"),
        ({"action": "run"}, "3d6 has no action 'run'"),
        ({"action": "attack", "targets": ["Drone"]}, "'' does it, and is not in the crisis"),
        ({"action": "note", "options": {}}, "its text is not one line"),
        ({"action": "note", "options": {"text": "it closes", "closes": "a thread"}}, "it closes a thread"),
    ],
)
def test_an_entry_that_no_line_can_say_is_refused(fight: Player, intent: dict[str, Any], says: str) -> None:
    entry_with(fight, intent={"actor": "", "targets": [], "options": {}, **intent})
    shown = fight.refused(3, "log --script")
    assert f"entry 2 cannot be a line of a script: {says}" in shown.err


def test_a_roll_without_a_target_is_told(fight: Player) -> None:
    roll = {
        "what": "attack",
        "who": "Jack",
        "dice": "3d6",
        "faces": [[6, 1]],
        "about": {},
        "reckoning": {"success": True},
    }
    intent = {"action": "attack", "actor": "Jack", "targets": ["Drone"], "options": {}}
    entry_with(fight, intent=intent, rolls=[roll])
    for words in FORMS[:-1]:
        shown = fight(words)
        assert shown.status in (0, 1, 3, 4) and "Traceback" not in shown.err, words
