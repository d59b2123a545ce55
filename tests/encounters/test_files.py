"""Files of encounters: every key with ten wrong values, every misspelt key, and what stands in the way of playing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import pytest
from conftest import Player

from crisis_cli.context import context_of
from crisis_cli.engine.encounter_schema import schema
from crisis_cli.errors import FileError
from crisis_cli.systems import load

WRONG = (
    *('""', '"\\u001b"', "-7", "0.5", "true", "[]", "[[]]", "{}", "{ x = 1 }", "2026-11-20", "99999999"),
    *('"no such thing"', f'"{"x" * 3000}"', '[1, "a", 3]', "nan", "[true]", '["\\u001b"]', "false"),
)
"""Values that are wrong nearly everywhere."""
SECTIONS: Mapping[str, Mapping[str, str]] = {
    "": {
        "name": '"The yard"',
        "system": '"3d6"',
        "about": '"a place"',
        "open": '"It is dark."',
        "won": '"Quiet."',
        "lost": '"Noise."',
        "reward": '["a key"]',
        "last_stand": "true",
        "map": '"A..#\\nAA.B"',
        "scale": "2",
        "origin": "[0, 0]",
    },
    "[legend.A]": {"place": '"near"'},
    "[legend.B]": {"place": '"far"'},
    '[legend."#"]': {
        "name": '"wall"',
        "stops": '["move", "sight"]',
        "cover": '"heavy"',
        "slow": "true",
        "place": '"walls"',
        "penetrable": "true",
    },
    "[party]": {"sheets": '["jack"]', "at": '"near"', "fixed": "true"},
    "[[fighter]]": {
        "sheet": '"drone"',
        "name": '"Guard"',
        "count": '"d2"',
        "side": '"opponents"',
        "at": '"near"',
        "fixed": "true",
        "doctrine": '"guard"',
        "conditions": '["prone"]',
        "pools": "{ health = 9 }",
        "loot": "false",
    },
    "[[circumstance]]": {
        "name": '"rain"',
        "rolls": '["attack"]',
        "value": "-1",
        "who": '"players"',
        "range": "5",
    },
    "[[event]]": {
        "round": "2",
        "after": "1",
        "down": '"Guard"',
        "left": "1",
        "hurt": '"Guard"',
        "below": "40",
        "reach": '"far"',
        "who": '"players"',
        "count": "1",
        "odds": '"likely"',
        "again": "true",
        "text": '"Boots."',
        "remove": '["Guard"]',
        "doctrine": '{ opponents = "coward" }',
        "tension": "1",
        "wins": '"players"',
        "secret": "true",
        "conditions": '{ Guard = ["prone"] }',
    },
    "[[event.add]]": {"sheet": '"drone"', "name": '"Runner"', "at": '"far"'},
    "[[event.terrain]]": {"at": "[2, 0]", "to": '"wall"'},
    "[[event.circumstance]]": {"name": '"rain"', "rolls": '["attack"]', "value": "0"},
    "[[event]] # all": {"reach": '"far"', "all": "true", "text": '"All."'},
}
"""A whole file: every key of the format, each on a line of its own."""
SAYS = ("must be", "must have", "unknown", "is missing", "goes with", "is called", "is not", "has no meaning")
"""What a message says of a wrong value."""
ALSO_RIGHT = {
    "name": {'"no such thing"'},
    "about": {'"no such thing"'},
    "open": {'"no such thing"'},
    "won": {'"no such thing"'},
    "lost": {'"no such thing"'},
    "text": {'"no such thing"'},
    "reward": {"[]"},
    "sheets": {"[]"},
    "stops": {"[]"},
    "side": {'"no such thing"'},
    "value": {"-7"},
    "conditions": {"[]", "{}"},
    "pools": {"{}"},
    "remove": {"[]"},
    "doctrine": {"{}"},
    "last_stand": {"true", "false"},
    "slow": {"true", "false"},
    "fixed": {"true", "false"},
    "penetrable": {"true", "false"},
    "again": {"true", "false"},
    "secret": {"true", "false"},
    "loot": {"true", "false"},
    "all": {"true", "false"},
}
"""Those of the values above that a key may have, too."""


def written(section: str = "", key: str = "", value: str = "") -> tuple[str, int]:
    """The whole file with one key changed, and the line of that key."""
    lines: list[str] = []
    line = 0
    for name, keys in SECTIONS.items():
        if name:
            lines.append(name)
        for own, usual in keys.items():
            changed = name == section and own == key
            lines.append(f"{own} = {value if changed else usual}")
            line = len(lines) if changed else line
    return "\n".join(lines) + "\n", line


def faults(player: Player, text: str) -> list[dict[str, Any]]:
    """What `encounter check` says of a file with this text, as objects; nothing where it is right."""
    folder = player.here / "encounters"
    folder.mkdir(exist_ok=True)
    (folder / "yard.toml").write_text(text, encoding="utf-8")
    shown = player("encounter check yard --json")
    record = shown.record
    assert shown.status == (0 if record["ok"] else 4) and record["ok"] == (not record["faults"])
    found: list[dict[str, Any]] = record["faults"]
    return found


@pytest.fixture
def yard(crisis: Player, sheets: object) -> Player:
    """A player with the sheets of Jack, Ada and a drone."""
    return crisis


KEYS = [(section, key) for section, keys in SECTIONS.items() for key in keys]


def test_the_file_has_every_key_of_the_format(yard: Player) -> None:
    assert faults(yard, written()[0]) == []
    known = schema(load("3d6")).schema()["properties"]
    here = {key for section, keys in SECTIONS.items() for key in keys if not section}
    assert set(known) == here | {"legend", "party", "fighter", "circumstance", "event"}
    for name, path in (
        ("[party]", "party"),
        ("[[fighter]]", "fighter"),
        ("[[circumstance]]", "circumstance"),
    ):
        part = known[path].get("items", known[path])
        assert set(part["properties"]) == set(SECTIONS[name])
    event = set(SECTIONS["[[event]]"]) | {"all", "add", "terrain", "circumstance"}
    assert set(known["event"]["items"]["properties"]) == event
    legend = known["legend"]["additionalProperties"]["properties"]
    assert set(legend) == set(SECTIONS['[legend."#"]'])


@pytest.mark.parametrize(
    ("section", "key"),
    [pytest.param(*one, marks=pytest.mark.slow if at % 3 else ()) for at, one in enumerate(KEYS)],
    ids=lambda part: part,
)
def test_a_wrong_value_is_found_with_its_line_and_its_key(yard: Player, section: str, key: str) -> None:
    wrong = [value for value in WRONG if value not in ALSO_RIGHT.get(key, ())]
    assert len(wrong) >= 10
    for value in wrong:
        text, line = written(section, key, value)
        found = faults(yard, text)
        if section.startswith("[legend") and key in ("name", "place") and value == '"no such thing"':
            continue
        there = [one for one in found if one["line"] == line]
        assert there, (value, found)
        for one in there:
            assert one["file"] == "encounters/yard.toml" and key in one["key"], (value, one)
            assert one["message"].startswith(SAYS) or any(word in one["message"] for word in SAYS), one


OF_SYSTEM: Mapping[str, Mapping[str, str]] = {
    "step": {"jack": "vera", "drone": "raider"},
    "d100": {"jack": "ines", "drone": "looter", "prone": "sneaking"},
    "2d20": {"jack": "cass", "drone": "ghoul", "health": "hp", '"heavy"': "2", "range = 5": "range = 1"},
    "d6pool": {
        "jack": "hagen",
        "drone": "bandit",
        "prone": "hunkered",
        "health": "wounds",
        '"heavy"': '"5+"',
    },
}
"""What stands in the file of another system, in place of what stands in that of 3d6."""
SOME, TEN = 4, 10
"""Wrong values of each key, in the suite and with -m long; with 3d6 all are tried."""
NOT_IN = {
    "d100": ("cover", "penetrable"),
    "2d20": ("scale", "penetrable"),
    "d6pool": ("penetrable",),
    "step": (),
}
"""Keys of a map that mean nothing in a system."""


def of_system(text: str, system: str, kept: int) -> tuple[str, int]:
    """A whole file as one of another system, and the number of a line of it; only that line stays as it is."""
    lines = text.splitlines()
    found, number = [], 0
    for at, line in enumerate(lines, start=1):
        if line.partition(" = ")[0] in NOT_IN[system]:
            continue
        if at != kept:
            line = line.replace('"3d6"', f'"{system}"')
            for was, now in OF_SYSTEM[system].items():
                line = line.replace(was, now)
        found.append(line)
        number = len(found) if at == kept else number
    return "\n".join(found) + "\n", number


@pytest.mark.slow
@pytest.mark.parametrize("some", [SOME, pytest.param(TEN, marks=pytest.mark.long)])
@pytest.mark.parametrize("system", OF_SYSTEM)
def test_a_wrong_value_is_found_in_every_system(system: str, some: int, tmp_path: Path) -> None:
    path = tmp_path / "encounters/yard.toml"
    path.parent.mkdir()
    context = context_of(Player(tmp_path).environment())

    def faults_of(text: str) -> list[dict[str, Any]]:
        path.write_text(text, encoding="utf-8")
        try:
            context.desk.shelves.encounters().of_file(path)
        except FileError as error:
            return cast("list[dict[str, Any]]", error.about["faults"])
        return []

    assert faults_of(of_system(written()[0], system, 0)[0]) == []
    for section, key in KEYS:
        if key in NOT_IN[system]:
            continue
        wrong = [value for value in WRONG if value not in ALSO_RIGHT.get(key, ())][:some]
        named = section.startswith("[legend") and key in ("name", "place")
        for value in wrong:
            if named and value == '"no such thing"':
                continue
            text, line = written(section, key, value)
            text, line = of_system(text, system, line)
            there = [one for one in faults_of(text) if one["line"] == line]
            assert there and all(key in one["key"] for one in there), (section, key, value)


@pytest.mark.parametrize(("section", "key"), KEYS, ids=lambda part: part)
def test_a_misspelt_key_gets_a_suggestion(yard: Player, section: str, key: str) -> None:
    text, line = written(section, key, SECTIONS[section][key])
    lines = text.splitlines()
    wrong = key + "s" if len(key) < 6 else key[0] + key[2] + key[1] + key[3:]
    lines[line - 1] = lines[line - 1].replace(key, wrong, 1)
    found = faults(yard, "\n".join(lines))
    if (section, key) == ("", "system"):
        assert "is missing; there are: 3d6, step" in found[0]["message"]
        return
    assert any(one["line"] == line and f"did you mean {key}?" in one["message"] for one in found), found


@pytest.mark.parametrize(
    ("old", "new", "key", "says"),
    [
        ('system = "3d6"', 'system = "3d7"', "system", "did you mean 3d6?"),
        ('system = "3d6"', "", "system", "is missing"),
        ('sheet = "drone"', 'sheet = "drnoe"', "fighter[0].sheet", "did you mean drone?"),
        ('sheet = "drone"', 'sheet = "ghoul"', "fighter[0].sheet", "is a sheet of 2d20"),
        ('sheets = ["jack"]', 'sheets = ["jcak"]', "party.sheets[0]", "did you mean jack?"),
        ('doctrine = "guard"', 'doctrine = "gaurd"', "fighter[0].doctrine", "did you mean guard?"),
        (
            'opponents = "coward"',
            'opponents = "cowrad"',
            "event[0].doctrine.opponents",
            "did you mean coward?",
        ),
        (
            'conditions = ["prone"]',
            'conditions = ["prnoe"]',
            "fighter[0].conditions[0]",
            "did you mean prone?",
        ),
        ("{ health = 9 }", "{ helath = 9 }", "fighter[0].pools.helath", "did you mean health?"),
        ('rolls = ["attack"]', 'rolls = ["atack"]', "circumstance[0].rolls[0]", "did you mean attack?"),
        ('down = "Guard"', 'down = "Gaurd"', "event[0].down", "did you mean Guard?"),
        ('down = "Guard"', 'down = "gaurd"', "event[0].down", "did you mean Guard?"),
        ('sheets = ["jack"]', 'sheets = ["jack", "Jack"]', "party.sheets[1]", "Jack is named more than once"),
        ('down = "Guard"', 'down = "side:oponents"', "event[0].down", "did you mean opponents?"),
        ('reach = "far"', 'reach = "fra"', "event[0].reach", "did you mean far?"),
        ('wins = "players"', 'wins = "player"', "event[0].wins", "did you mean players?"),
        ('odds = "likely"', 'odds = "likly"', "event[0].odds", "did you mean likely?"),
        ('to = "wall"', 'to = "wal"', "event[0].terrain[0].to", "did you mean wall?"),
        ("at = [2, 0]", "at = [99, 0]", "event[0].terrain[0].at", "not on the map"),
        ('count = "d2"', 'count = "d8"', "fighter[0].at", "near has 2 free cells for 8"),
        ('at = "near"\nfixed = true\ndoc', "at = [6, 2]\ndoc", "fighter[0].at", "is wall"),
        ('at = "near"\nfixed = true\ndoc', "at = [[2, 0]]\ndoc", "fighter[0].at", "a place for each of 2"),
        ("round = 2", "round = 1", "event[0].round", "beside `after = 1`"),
        ("left = 1", "", "", ""),
        ('down = "Guard"\nleft', "left", "event[0].left", "goes with `down`"),
        ('map = "A..#\\\\nAA.B"', "", "scale", "goes with a `map`"),
        ('text = "All."', "", "event[1]", "must say what happens"),
        ('reach = "far"\nall = true', "", "event[1]", "must say when it happens"),
        ("all = true", "all = true\ncount = 2", "event[1].count", "does not go with `all`"),
        ('["a key"]', '["a key", { give = "bandage", ammo = "x" }]', "reward[1]", "not give and ammo"),
        ('["a key"]', "[{ count = 3 }]", "reward[0]", "must say one of give, ammo, award"),
        ('["a key"]', '[{ give = "bandage", to = "each" }]', "reward[0].to", "goes with `award`"),
        ('["a key"]', '[{ award = "2 xp", count = 2 }]', "reward[0].count", "goes with `give` or `ammo`"),
        ('["a key"]', '[{ award = "xp" }]', "reward[0].award", "must be a number and perhaps a unit"),
        (
            '["a key"]',
            '[{ award = "2 \\u202exp" }]',
            "reward[0].award",
            "must be a number and perhaps a unit",
        ),
        ('["a key"]', '[{ ammo = "x", item = {} }]', "reward[0].item", "goes with `give`"),
        (
            '["a key"]',
            '[{ give = "axe", weapon = { kind = "mele", damage = 3 } }]',
            "reward[0].weapon.kind",
            "did you mean melee?",
        ),
        ('["a key"]', '[{ award = "2  xp", to = "each" }, { give = "bandage", count = 2 }]', "", ""),
    ],
)
def test_what_does_not_fit_together_is_found(yard: Player, old: str, new: str, key: str, says: str) -> None:
    text = written()[0]
    old = old.replace("\\\\", "\\")
    assert old in text
    found = faults(yard, text.replace(old, new, 1))
    if not key:
        assert not found
        return
    assert any(one["key"] == key and says in one["message"] for one in found), found


def test_a_fault_of_the_map_names_its_line(yard: Player) -> None:
    text = 'system = "3d6"\nmap = """\n..\n.x\n..."""\n[[fighter]]\nsheet = "drone"\n'
    found = [(one["line"], one["message"]) for one in faults(yard, text)]
    assert [line for line, _ in found] == [4, 5]
    assert "'x' at column 2 is not in the legend" in found[0][1] and "has 3 characters" in found[1][1]
    one = faults(yard, text.replace('"""\n..', '"""..'))
    assert [fault["line"] for fault in one] == [3, 4]


def test_no_fighter_at_all_is_a_fault(yard: Player) -> None:
    assert any(
        "must have at least one" in one["message"] for one in faults(yard, 'system = "3d6"\nfighter = []\n')
    )
    assert any(one["key"] == "fighter" for one in faults(yard, 'system = "3d6"\n'))


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("[1]", "must be a place, [x, y], not [1]"),
        ('[1, "a"]', "must be a whole number from -100000 to 100000, not 'a'"),
        ("[1, 2, 3]", "must be a place, [x, y], not [1, 2, 3]"),
        ("[[1, 2]]", "must be a place, [x, y], not a list"),
        ("[1, 2, 3, 4, 5]", "must be a place, [x, y], not a list"),
    ],
)
def test_a_short_list_is_shown_whole(yard: Player, value: str, says: str) -> None:
    assert says in [one["message"] for one in faults(yard, written("", "origin", value)[0])]


def test_a_whole_sheet_may_stand_in_the_file(yard: Player) -> None:
    text = 'system = "3d6"\n[[fighter]]\n[fighter.sheet]\nname = "Rat"\nabilities = { might = -1 }\n'
    assert not faults(yard, text)
    (one,) = faults(yard, text.replace("might", "mihgt"))
    assert (one["line"], one["key"]) == (5, "fighter[0].sheet.abilities.mihgt") and "might" in one["message"]
    assert not faults(yard, text)
    yard.ok("init --encounter yard jack")
    assert [one["name"] for one in yard.ok("status --json").record["fighters"]] == ["Jack", "Rat"]


NO_TOML = {
    'system = "3d6\n': (1, "system", "the quote of system is not closed"),
    "system = '3d6\n": (1, "system", "the quote of system is not closed"),
    'open = """\na\nb\n': (1, "open", "the text of open is not closed: add its three quotes"),
    'name = "a"\nopen = "b"\n\nname = """\nc\n"""\n': (4, "name", "name stands twice, in line 1 too"),
    '[party]\nat = "a"\n[party]\n': (3, "party", "[party] stands twice, in line 1 too"),
    "[[event]]\nround = 1\n[event]\nround = 2\n": (3, "event", "write [[event]] each time"),
    "[event]\nround = 1\n[[event]]\nround = 2\n": (3, "event", "write [[event]] each time"),
    "event = 1\n[event]\n": (2, "event", "event is there already, as `event = …`"),
    "name = Cb\n": (1, "name", 'text stands between quotes, "Cb"'),
    "last_stand = True\n": (1, "last_stand", "must be written true"),
    "name =\n": (1, "name", "name has no value"),
    "name == 3\n": (1, "name", "= stands twice behind name"),
    'reward = ["a", "b"\n': (1, "reward", "the list of reward is not closed: add ]"),
    'reward = [\n"a"\n"b"]\n': (3, None, "a comma or ] is missing in the list reward (line 1)"),
    'party = { sheets = ["a"]\n': (1, "party", "add }"),
    'party = { at = "a", at = "b" }\n': (1, "at", "at stands twice between { and }"),
    "[party\n": (1, None, "the brackets of a header are not closed"),
    "the name = 3\n": (1, None, "= is missing, or a key with spaces has no quotes"),
    "?\n": (1, None, "no [table] and no # comment"),
    'name = "a" about = "b"\n': (1, "name", "one key a line"),
    'name = "a\\d"\n': (1, "name", "\\ has a meaning of its own"),
    'name = "a\0"\n': (1, "name", "a character that no text may hold"),
    "name = 2026-02-30\n": (1, "name", "the date of name is on no calendar"),
}
"""Texts that are not TOML: the line and the key of the fault, and what is said of it."""


@pytest.mark.parametrize("text", NO_TOML)
def test_what_is_no_toml_is_said_in_plain_words_with_its_line_and_its_key(yard: Player, text: str) -> None:
    line, key, says = NO_TOML[text]
    (one,) = faults(yard, text)
    assert (one["line"], one.get("key")) == (line, key) and says in one["message"], one
    report = yard.refused(4, "init --encounter yard").err
    assert f"encounters/yard.toml, line {line}: this is not TOML: " in report and says in report


PUMP = '''\
system = "3d6"
map = """
..#.
p...
"""
[legend]
"#" = { name = "wall", stops = ["move"] }
"p" = { name = "pump", place = "pump" }
[party]
sheets = ["jack"]
at = [1, 0]
[[fighter]]
sheet = "drone"
count = 2
at = [[2, 0], [3, 0]]
'''
"""A small file that is right, but for events."""


@pytest.mark.parametrize(
    ("event", "key", "says"),
    [
        # Never
        ('reach = "pump"\ncount = 2', "event[0].count", "must be 1 at most: there are never more of players"),
        ('reach = "pump"\ncount = 3\nwho = "Drone"', "event[0].count", "must be 2 at most"),
        ('reach = "pump"\ncount = 3\nwho = "Drone"\nadd = [{ sheet = "drone" }]', "", ""),
        ('down = "Drone"\nleft = 2', "event[0].left", "must be below 2: there are never more of Drone"),
        ('down = "Drone"\nleft = 2\nround = 3', "event[0].left", "must be below 2"),
        ('down = "Drone"\nleft = 1', "", ""),
        ('down = "Drone 2"', "", ""),
        (
            'down = "Boss"\nadd = [{ sheet = "drone", name = "Boss" }]',
            "event[0]",
            "can never happen: Boss comes only with it",
        ),
        ("after = 4\nwins = 'players'\n[[event]]\nround = 5", "event[1].round", "event[0] ends the fight as"),
        ("after = 4\nwins = 'players'\n[[event]]\nround = 7", "event[1].round", "can never happen: event[0]"),
        ('down = "Drone"\nreach = "pump"\nwho = "Drone 2"', "event[0].who", "must stand to reach a place"),
        ('down = "Drone 2"\nreach = "pump"\nwho = "Drone"', "", ""),
        ("round = 9\n[[event]]\nround = 9\nwins = 'nobody'", "", ""),
        ("after = 4\nodds = 50\nwins = 'players'\n[[event]]\nround = 7", "", ""),
        ('reach = "pump"\nwho = "Drone"', "", ""),
        ('down = "side:opponents"\nleft = 1', "", ""),
    ],
)
def test_events_that_can_never_happen_are_found(yard: Player, event: str, key: str, says: str) -> None:
    more = "".join(f"[[event]]\n{one}\ntext = 'x'\n" for one in event.split("[[event]]\n"))
    found = faults(yard, PUMP + more)
    assert [one["key"] for one in found] == ([key] if key else []), found
    assert not key or says in found[0]["message"]


@pytest.mark.parametrize(
    ("old", "new", "event", "key", "says"),
    [
        (
            "count = 2",
            'count = "d2"',
            'down = "side:opponents"\nleft = 1',
            "left",
            "may be only 1 of opponents",
        ),
        ("count = 2", 'count = "d2"', 'down = "side:opponents"\nleft = 1\nround = 2', "", ""),
        ("count = 2", 'count = "d2"', 'down = "side:opponents"', "", ""),
        ('"jack"]\nat = [1, 0]', '"jack", "ada"]', 'down = "Ada"\nleft = 1', "left", "must be below 1"),
        (
            '"jack"]\nat = [1, 0]',
            '"jack", "ada"]\nat = [[1, 0], [0, 0]]',
            'reach = "pump"\nwho = "Ada"',
            "reach",
            "Ada begins there",
        ),
        ("at = [1, 0]", 'at = "pump"', 'reach = "pump"', "reach", "players begin there"),
        ("at = [1, 0]", "at = [0, 0]", 'reach = "pump"\nall = true', "reach", "write `round = 1`"),
        ("at = [1, 0]", 'at = "pump"', 'reach = "pump"\nafter = 3', "", ""),
        ("at = [1, 0]", 'at = "pump"', 'reach = "pump"\nwho = "Drone"', "", ""),
        ("[2, 0]", "[0, 0]", 'reach = "pump"\nwho = "opponents"\nall = true', "", ""),
        (
            "count = 2",
            "count = 2\npools = { health = 3 }",
            'hurt = "Drone"',
            "hurt",
            "begins with 12 % of its life",
        ),
        ("count = 2", "count = 2\npools = { health = 3 }", 'hurt = "Drone"\nbelow = 10', "", ""),
        ("count = 2", "count = 2\npools = { health = 3 }", 'hurt = "Jack"\nbelow = 90', "", ""),
    ],
)
def test_events_before_anybody_acts_are_found(
    yard: Player, old: str, new: str, event: str, key: str, says: str
) -> None:
    assert old in PUMP
    found = faults(yard, f"{PUMP.replace(old, new, 1)}[[event]]\n{event}\ntext = 'x'\n")
    assert [one["key"] for one in found] == ([f"event[0].{key}"] if key else []), found
    assert not key or says in found[0]["message"]


@pytest.mark.parametrize(
    ("old", "new", "key", "says"),
    [
        ("[3, 0]", "[2, 0]", "fighter[0].at", "2,0 is taken twice"),
        ("at = [1, 0]", "at = [2, 0]", "fighter[0].at", "2,0 is taken: party.at has it"),
        ("at = [1, 0]", "at = [2.4, 0]", "fighter[0].at", "2,0 is taken: party.at has it"),
        ("count = 2\nat = [[2, 0], [3, 0]]", 'at = "pump"', "", ""),
        ("count = 2\nat = [[2, 0], [3, 0]]", 'count = 2\nat = "pump"', "fighter[0].at", "1 free cell for 2"),
        ("[[2, 0], [3, 0]]", "[[2, 0], [3, 0], [2, 0]]", "", ""),
    ],
)
def test_two_fighters_on_one_cell_are_found(yard: Player, old: str, new: str, key: str, says: str) -> None:
    assert old in PUMP
    found = faults(yard, PUMP.replace(old, new, 1))
    assert [one["key"] for one in found] == ([key] if key else []), found
    assert not key or says in found[0]["message"]


def test_several_fighters_may_share_a_zone(yard: Player) -> None:
    text = PUMP.replace("3d6", "2d20").replace("jack", "cass").replace("drone", "ghoul")
    assert not faults(yard, text.replace("[3, 0]", "[2, 0]").replace("at = [1, 0]", "at = [2, 0]"))


def test_all_that_is_wrong_is_reported_at_once(yard: Player) -> None:
    """Nothing wrong hides anything else that is wrong."""
    text = PUMP.replace("jack", "jakc").replace("[1, 0]", "[2, 1]").replace("[3, 0]", "[9, 3]")
    text = text.replace('place = "pump"', 'place = "pump", cover = 3')
    text += """\
[[circumstance]]
name = "dark"
rolls = ["shooting"]
value = -1
[[event]]
reach = "pmup"
all = "y"
who = "Dorne"
wins = "player"
[[event]]
down = "Drone"
left = 2
text = "x"
[[event]]
round = 2
add = [{ sheet = "drone", at = [2, 1] }, { sheet = "drnoe" }]
"""
    found = {one["key"]: one["message"] for one in faults(yard, text)}
    assert set(found) == {
        "legend.p.cover",
        "party.sheets[0]",
        "party.at",
        "fighter[0].at",
        "circumstance[0].rolls[0]",
        "event[0].reach",
        "event[0].all",
        "event[0].who",
        "event[0].wins",
        "event[2].add[0].at",
        "event[2].add[1].sheet",
    }
    assert "must be none, light, heavy or total, not 3" in found["legend.p.cover"]
    right = text.replace('{ sheet = "drnoe" }', '{ sheet = "ada" }')
    assert "event[1].left" in {one["key"] for one in faults(yard, right)}


def test_places_are_counted_in_the_unit_of_the_system(yard: Player) -> None:
    (one,) = faults(yard, PUMP.replace("[legend]", "scale = 2\n[legend]").replace("[3, 0]", "[4, 2]"))
    assert "4,2 is wall (with scale = 2: column 2, row 1 from below, both counted from 0)" in one["message"]


FIRST = 'system = "3d6"'
SECRET = 'event = [{ after = 3, wins = "players", secret = true }]'


@pytest.mark.parametrize(
    ("old", "new", "key", "says"),
    [
        ("count = 2", 'count = 2\nside = "opponent"', "fighter[0].side", "did you mean opponents?"),
        ("count = 2", 'count = 2\nside = "player"', "fighter[0].side", "did you mean players?"),
        ("count = 2", 'count = 2\nside = "police"', "", ""),
        ('system = "3d6"', 'system = "d100"', "", ""),
        ('place = "pump"', 'place = "pump", cover = "light"', "", ""),
        (
            'place = "pump"',
            'place = "pump", cover = "bogus"',
            "legend.p.cover",
            "does nothing: d100 has no cover",
        ),
        (
            "count = 2",
            "count = 2\npools = { health = 9999 }",
            "fighter[0].pools.health",
            "becomes 25, as the sheet bounds it",
        ),
        ("count = 2", "count = 2\npools = { health = 0 }", "fighter[0].pools.health", "Drone begins dead"),
        ("count = 2", "count = 2\npools = { health = 1 }", "", ""),
        ("at = [1, 0]\n", "", "party", "has no `at`: where do they stand on the map?"),
        (FIRST, f"last_stand = false\n{SECRET}\n{FIRST}", "event[0].secret", "hides the last way to win"),
        (FIRST, f"{SECRET}\n{FIRST}", "", ""),
        (FIRST, f'reward = [{{ give = "rope" }}]\n{FIRST}', "reward[0].give", "no sheet here has a rope"),
        (FIRST, f'reward = [{{ ammo = "pistol" }}]\n{FIRST}', "reward[0].ammo", "a pistol"),
        (FIRST, f'reward = [{{ give = "bandage", count = 2 }}]\n{FIRST}', "", ""),
        (
            FIRST,
            f'reward = [{{ give = "baton", count = 2 }}]\n{FIRST}',
            "reward[0].count",
            "baton is not counted on a sheet: one is taken, not 2",
        ),
    ],
)
def test_what_may_be_a_slip_is_a_warning(yard: Player, old: str, new: str, key: str, says: str) -> None:
    text = PUMP
    if "d100" in f"{new}{says}":
        text = text.replace("3d6", "d100").replace("jack", "ines").replace("drone", "looter")
    assert not faults(yard, text.replace(old, new, 1))
    record = yard.ok("encounter check yard --json").record
    shown = yard.ok("encounter check yard").out
    if not key:
        assert "warnings" not in record and "warning" not in shown
        return
    (one,) = record["warnings"]
    assert one["key"] == key and says in one["message"] and one["file"] == "encounters/yard.toml"
    assert f"line {one['line']}, {key}: warning: {one['message']}\n" in shown and "all right" in shown
    assert yard.ok("encounter check yard --quiet").out == ""
    assert faults(yard, text.replace(old, new, 1) + "x = 1\n")
    both = yard("encounter check yard").out
    assert f"{key}: warning: " in both and "x: unknown" in both


# Commands


def test_encounters_are_listed_with_their_system_and_their_folder(yard: Player) -> None:
    faults(yard, written()[0])
    records = yard.ok("encounter list --json").records
    assert (records[0]["file"], records[0]["system"], records[0]["own"]) == ("yard", "3d6", True)
    assert {"bridge", "station"} <= {one["file"] for one in records[1:]}
    assert all(one["name"] and one["about"] and not one["own"] for one in records[1:])
    assert "yard" in yard.ok("encounter list").out


def test_what_happens_is_shown_only_to_those_who_ask(yard: Player) -> None:
    shown = yard.ok("encounter show bridge").out
    assert "Rain on iron plates" in shown and "Boots" not in shown and "toll box" not in shown
    assert "events: 3" in shown
    spoilt = yard.ok("encounter show bridge --spoilers --map").out
    assert (
        "Boots on the far road." in spoilt
        and "toll box" in spoilt
        and "party: jack and ada · at near bank" in spoilt
    )
    assert "Guard (2) · at 16,4 and 16,8 · doctrine guard" in spoilt
    record = yard.ok("encounter show bridge --json").record
    assert "event" not in record["values"] and record["events"] == 3
    assert record["cells"]["10,2"] == "pillar"
    assert len(yard.ok("encounter show bridge --json --spoilers").record["values"]["event"]) == 3


@pytest.mark.parametrize("system", ["3d6", "2d20", "step", "d100", "d6pool"])
def test_the_map_is_drawn_as_in_play(crisis: Player, system: str) -> None:
    found = crisis.ok("encounter list --json").records
    name = [one["file"] for one in found if one["system"] == system][-1]
    shown = crisis.ok(f"encounter show {name} --map").out
    crisis.ok(f"init --encounter {name} --seed 1")
    for one in crisis.ok("status --json").record["fighters"]:
        crisis(f"leave '{one['name']}'")  # refused for those that an event has removed
    in_play = crisis.ok("map").out
    drawn = shown[shown.index("spoilers\n") + len("spoilers\n") :].strip("\n")
    assert len(drawn.splitlines()) > 2 and drawn in in_play


@pytest.mark.slow
@pytest.mark.parametrize("system", ["3d6", "2d20", "step", "d100", "d6pool"])
def test_a_new_encounter_can_be_played_at_once(crisis: Player, system: str) -> None:
    record = crisis.ok(f"encounter new 'Old Cellar' --system {system} --json").record
    assert record["file"] == "encounters/old-cellar.toml"
    assert "all right" in crisis.ok("encounter check old-cellar").out
    crisis.ok("play old-cellar --auto --seed 3 --rounds 4")
    assert "exists already" in crisis.refused(4, f"encounter new 'Old Cellar' --system {system}").err


def test_a_copy_keeps_every_line(crisis: Player) -> None:
    assert crisis.ok("encounter copy bridge night").out == "copied to encounters/night.toml\n"
    from crisis_cli.sheets.encounter_store import SHIPPED

    text = (Path(SHIPPED) / "bridge.toml").read_text("utf-8")
    assert (crisis.here / "encounters/night.toml").read_text("utf-8") == text


def test_a_file_that_hides_a_shipped_one_says_so(crisis: Player) -> None:
    said = "warning: bridge is encounters/bridge.toml from now on; it hides that of the shipped encounters\n"
    assert crisis("encounter new bridge --system 3d6").err == said
    warning = json.loads(crisis("tables new spoils --json").err)["warning"]
    assert warning["code"] == "shadowed" and "tables/spoils.toml" in warning["message"]
    crisis.ok("encounter copy mill")


@pytest.mark.parametrize("name", ["''", "'  '", "!?"])
def test_a_new_file_needs_a_name_of_its_own(crisis: Player, name: str) -> None:
    for line in (f"encounter new {name} --system 3d6", f"tables new {name}"):
        refused = crisis.refused(2, line)
        assert "it has no letter and no digit" in refused.err
    assert not (crisis.here / "encounters").exists() and not (crisis.here / "tables").exists()


def test_an_unknown_key_names_those_there_are(yard: Player) -> None:
    assert faults(yard, 'system = "3d6"\n[party]\nqqq = 1\n[[fighter]]\nsheet = "drone"\n')[0] == {
        "file": "encounters/yard.toml",
        "line": 3,
        "key": "party.qqq",
        "message": "unknown; there are: sheets, at, fixed",
    }


@pytest.mark.parametrize(
    ("what", "says"),
    [
        (b"", "encounters/yard.toml, line 1, system: is missing; there are: 3d6"),
        (
            b'system = "3d6"\nname = "\xe9"\n',
            "encounters/yard.toml, line 2: this is not UTF-8: byte 24 of the file is 0xe9",
        ),
    ],
)
def test_a_file_without_keys_or_not_in_utf_8_is_named_with_a_line(
    yard: Player, what: bytes, says: str
) -> None:
    (yard.here / "encounters").mkdir(exist_ok=True)
    (yard.here / "encounters/yard.toml").write_bytes(what)
    assert says in yard("encounter check yard").out


def test_an_unknown_encounter_gets_a_suggestion(crisis: Player) -> None:
    assert "did you mean bridge?" in crisis.refused(4, "encounter show brigde").err
    assert "did you mean bridge?" in crisis.refused(4, "init --encounter brigde").err


def test_a_folder_of_ones_own_comes_first(crisis: Player) -> None:
    for name, title in (("mine", "Mine"), ("env", "Env")):
        (crisis.here / name).mkdir()
        text = f'name = "{title}"\nsystem = "3d6"\n[[fighter]]\nsheet = "drone"\n'
        (crisis.here / name / "bridge.toml").write_text(text, encoding="utf-8")
    env = {"CRISIS_ENCOUNTERS": "env"}
    assert crisis.ok("encounter show bridge", env=env).out.startswith("Env, 3d6")
    assert crisis.ok("encounter show bridge --encounters mine", env=env).out.startswith("Mine, 3d6")
    assert crisis.refused(4, "encounter list", env={"CRISIS_ENCOUNTERS": "nowhere"})


def test_the_schema_is_that_of_the_check(crisis: Player) -> None:
    whole = json.loads(crisis.ok("encounter schema 3d6").out)
    assert set(whole["properties"]) >= {"fighter", "event", "map"} and not whole["additionalProperties"]
    assert whole["required"] == ["system", "fighter"]


def test_the_manual_has_every_key() -> None:
    import crisis_cli

    page = (Path(crisis_cli.__file__).parent / "manual/text/encounter.md").read_text("utf-8")
    keys = {key for keys in SECTIONS.values() for key in keys}
    assert not [key for key in keys if f"`{key}`" not in page and f"{key} =" not in page]


def test_a_bad_file_is_named_before_a_missing_terminal(crisis: Player) -> None:
    folder = crisis.here / "encounters"
    folder.mkdir()
    (folder / "bad.toml").write_text('name = "Bad"\nsystem = "3d6"\nmap = ".."\n', "utf-8")
    assert "bad.toml, line" in crisis.refused(4, "play bad").err
    assert "there is no terminal to play at" in crisis.refused(2, "play bridge").err


def test_an_event_that_waits_for_the_last_one_says_so(crisis: Player) -> None:
    shown = " ".join(crisis.ok("encounter show clinic --spoilers").out.split())
    assert "event 2: only one of them is left: " in shown
