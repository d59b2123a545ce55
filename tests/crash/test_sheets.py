"""Every wrong thing that a player may write into a sheet: shown with its place, or shown harmless."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from conftest import JACK, Player, Sheets, slow_but

TOP = 'name = "Z"\nsystem = "3d6"\n'
WRONG: dict[str, tuple[str | bytes, tuple[str, ...]]] = {
    "unknown table": (TOP + "[skils]\nmelee = 1\n", ("line 3", "skils", "did you mean skills?")),
    "unknown key": (
        TOP + "\n# c\n[abilities]\nmigth = 1\n",
        ("line 6", "abilities.migth", "did you mean might?"),
    ),
    "unknown key of a weapon": (
        TOP + '[weapons.x]\nkind = "melee"\ndamge = 1\n',
        ("line 5", "weapons.x.damge", "damage?"),
    ),
    "unknown key inline": (
        TOP + "armour = { dr = 1, durabilty = 2 }\n",
        ("line 3", "armour.durabilty", "durability?"),
    ),
    "unknown dotted key": (
        TOP + "abilities.might = 1\nabilities.sped = 1\n",
        ("line 4", "abilities.sped", "speed?"),
    ),
    "unknown skill": (TOP + "[skills]\nmele = 1\n", ("line 4", "skills.mele", "melee?")),
    "unknown state": (TOP + "[state]\nhelth = 1\n", ("line 4", "state.helth", "health?")),
    "unknown condition": (
        TOP + '[state]\nconditions = ["prne"]\n',
        ("line 4", "state.conditions[0]", "prone?"),
    ),
    "unknown circumstance": (
        TOP + "[circumstance]\nattak = 1\n",
        ("line 4", "circumstance.attak", "attack?"),
    ),
    "unknown system": ('name = "Z"\nsystem = "3d7"\n', ("line 2", "3d7", "did you mean 3d6?")),
    "no system": ('name = "Z"\n', ("system", "missing", "3d6")),
    "no name": ('system = "3d6"\n', ("name", "missing")),
    "system a number": ('name = "Z"\nsystem = 3\n', ("line 2", "system")),
    "name a number": ('name = 3\nsystem = "3d6"\n', ("line 1", "name")),
    "name empty": ('name = " "\nsystem = "3d6"\n', ("line 1", "name")),
    "name long": (f'name = "{"x" * 500}"\nsystem = "3d6"\n', ("line 1", "name", "40")),
    "name with colon": ('name = "a:b"\nsystem = "3d6"\n', ("line 1", "name")),
    "might out of bounds": (TOP + "[abilities]\nmight = 4\n", ("line 4", "abilities.might", "-3 to 3")),
    "might a fraction": (TOP + "[abilities]\nmight = 1.5\n", ("line 4", "abilities.might")),
    "might a truth": (TOP + "[abilities]\nmight = true\n", ("line 4", "abilities.might")),
    "might a word": (TOP + '[abilities]\nmight = "mighty"\n', ("line 4", "abilities.might", "superb")),
    "health 0": (TOP + "health = 0\n", ("line 3", "health", "1 to")),
    "health infinite": (TOP + "health = inf\n", ("line 3", "health")),
    "health a date": (TOP + "health = 1979-05-27\n", ("line 3", "health")),
    "player a word": (TOP + 'player = "yes"\n', ("line 3", "player", "true or false")),
    "abilities a number": (TOP + "abilities = 3\n", ("line 3", "abilities", "table")),
    "weapons a list": (TOP + '[[weapons]]\nkind = "melee"\n', ("line 3", "weapons", "table")),
    "weapon without kind": (TOP + "[weapons.x]\ndamage = 1\n", ("line 3", "weapons.x.kind", "missing")),
    "weapon of a strange kind": (
        TOP + '[weapons.x]\nkind = "laser"\n',
        ("line 4", "weapons.x.kind", "melee"),
    ),
    "damage no dice": (
        TOP + '[weapons.x]\nkind = "melee"\ndamage = "2d"\n',
        ("line 5", "weapons.x.damage", "2d6+1"),
    ),
    "damage too many dice": (
        TOP + '[weapons.x]\nkind = "melee"\ndamage = "9999d6"\n',
        ("line 5", "weapons.x.damage"),
    ),
    "damage huge": (
        TOP + f'[weapons.x]\nkind = "melee"\ndamage = "{"9" * 5000}d6"\n',
        ("line 5", "weapons.x.damage"),
    ),
    "own skill without ability": (
        TOP + "[skills]\nswim = { rank = 1 }\n",
        ("line 4", "skills.swim.ability", "missing"),
    ),
    "weapon with no such skill": (
        TOP + '[weapons.x]\nkind = "melee"\nskill = "mele"\n',
        ("line 5", "weapons.x.skill", "melee?"),
    ),
    "a key twice in two spellings": (
        TOP + "[abilities]\nmight = 1\nMight = 2\n",
        ("line 5", "abilities.Might", "twice"),
    ),
    "a key twice": (TOP + 'name = "Y"\n', ("TOML", "line 3")),
    "ammo of nothing": (TOP + "[state]\nammo = { pistol = 1 }\n", ("line 4", "state.ammo.pistol")),
    "held nothing known": (TOP + '[state]\nheld = ["spoon"]\n', ("line 4", "state.held", "spoon")),
    "at half a place": (TOP + "[state]\nat = [1]\n", ("line 4", "state.at", "[x, y]")),
    "at nowhere": (TOP + "[state]\nat = [nan, inf]\n", ("line 4", "state.at")),
    "not TOML": ("name = \n", ("TOML", "line 1")),
    "not TOML either": ("{json: 1}\n", ("TOML", "line 1")),
    "empty": ("", ("system", "missing")),
    "5,000 digits": (TOP + f"health = {'9' * 5000}\n", ("bad.toml",)),
    "5,000 hexadecimal digits": (TOP + f"health = 0x{'f' * 5000}\n", ("line 3", "health")),
    "5,000 hexadecimal digits in a list": (
        TOP + f"[state]\nat = [0x{'f' * 5000}, 1]\n",
        ("line 4", "state.at"),
    ),
    "5,000 hexadecimal digits as the system": (
        f'name = "Z"\nsystem = 0x{"f" * 5000}\n',
        ("line 2", "system"),
    ),
    "5,000 hexadecimal digits in dice": (
        TOP + f'[weapons.x]\nkind = "melee"\ndamage = 0x{"f" * 5000}\n',
        ("line 5", "damage"),
    ),
    "a fraction of 5,000 digits": (TOP + f"health = 0.{'3' * 5000}\n", ("line 3", "health")),
    "deep lists": (TOP + "x = " + "[" * 5000 + "]" * 5000 + "\n", ("nested",)),
    "lists as deep as is read": (TOP + "x = " + "[" * 90 + "]" * 90 + "\n", ("line 3", "x")),
    "deep tables": (TOP + "x = " + "{a=" * 300 + "1" + "}" * 300 + "\n", ("bad.toml",)),
    "deep dotted key": (TOP + ".".join(["a"] * 2000) + " = 1\n", ("line 3",)),
    "NUL": (TOP + "[skills]\nmelee = 1\0\n", ("TOML", "line 4")),
    "NUL in a name": ('name = "Z\\u0000"\nsystem = "3d6"\n', ("line 1", "name", "printable")),
    "escape in a name": ('name = "\\u001b[31mZ"\nsystem = "3d6"\n', ("line 1", "name", "printable")),
    "bidi in a name": ('name = "Z\u202e"\nsystem = "3d6"\n', ("line 1", "name", "printable")),
    "zero width in a name": ('name = "Z\u200b"\nsystem = "3d6"\n', ("line 1", "name", "printable")),
    "escape in a key": (TOP + '"\\u001b[31mred" = 1\n', ("line 3", "unknown")),
    "escape in a weapon's name": (
        TOP + '[weapons."\\u001b[31m"]\nkind = "melee"\n',
        ("line 3", "weapons", "printable"),
    ),
    "escape in a value": (TOP + 'player = "\\u001b[31m"\n', ("line 3", "player")),
    "escape in the system": ('name = "Z"\nsystem = "\\u001b[31m"\n', ("line 2", "system")),
    "escape in a team": (TOP + 'team = "\\u001b]0;x\\u0007"\n', ("line 3", "team")),
    "a lone surrogate": ('name = "\\ud800"\nsystem = "3d6"\n', ("TOML", "line 1")),
    "latin-1": ('name = "Zoë"\nsystem = "3d6"\n'.encode("latin-1"), ("UTF-8", "byte 11")),
    "utf-16": (TOP.encode("utf-16"), ("UTF-8", "byte 1")),
    "binary": (bytes(range(256)), ("bad.toml",)),
    "2 MB": (TOP + "# " + "x" * 2_000_000 + "\n", ("2,0", "bytes")),
    "bare carriage returns": (TOP.replace("\n", "\r"), ("TOML", "line 1")),
    "200 skills": (
        TOP + "[skills]\n" + "".join(f's{n} = {{rank=1,ability="might"}}\n' for n in range(200)),
        ("line 3", "skills", "100"),
    ),
}


@pytest.mark.parametrize("what", slow_but(WRONG, *[*WRONG][::3]))
def test_it_is_refused_with_its_place(crisis: Player, sheets: Sheets, what: str) -> None:
    text, says = WRONG[what]
    sheets.write("bad", text)
    for words in ("attack bad drone --dice 9", "init jack --vs bad --open", "character show bad"):
        shown = crisis.refused(4, words, env={"FORCE_COLOR": "1"})
        for word in says:
            assert word in shown.err, word
        assert all(sign.isprintable() or sign in "\n\x1b" for sign in shown.err)
        assert "\x1b[31mred" not in shown.err and "\x1b[31mZ" not in shown.err
        assert max(map(len, shown.err.splitlines())) < 400, "no flood of digits"
    assert crisis.refused(4, "attack bad drone --json").error["code"]
    assert crisis.ok("attack jack drone --dice 1,1,1").status == 0, "the other sheets are as good as before"
    assert crisis("character list").status == 0
    assert crisis("character check").status == 4


@pytest.mark.parametrize(
    ("what", "text"),
    [
        ("a byte order mark", "\ufeff" + JACK),
        ("line ends of Windows", JACK.replace("\n", "\r\n")),
        ("no line end at the end", JACK.rstrip("\n")),
        ("names in every script", JACK.replace('"Jack"', '"Zoë 龍 Ω"')),
        (
            "keys in other spellings",
            JACK.replace("[abilities]", "[Abilities]").replace("melee = 2", "MELEE = 2"),
        ),
        ("ranks in words", JACK.replace("might = 1 ", 'might = "Good" ')),
    ],
)
def test_what_is_odd_but_right_works_and_is_saved_as_it_is(
    crisis: Player, sheets: Sheets, what: str, text: str
) -> None:
    path = sheets.write("jack", text)
    before = path.read_bytes()
    assert crisis.ok("attack drone jack --dice 6,6,6 --save").status == 0
    after = path.read_bytes()
    assert after.startswith(before.rstrip(b"\r\n")) and after != before, (
        "a byte order mark and line ends stay"
    )
    assert (b"\r\n" in after) == (b"\r\n" in before)
    assert sheets.text("jack").lstrip("\ufeff").count("health = ") == 1
    assert crisis.ok("character check jack").status == 0
    crisis.ok("character reset jack")
    assert path.read_bytes().rstrip(b"\r\n") == before.rstrip(b"\r\n")


def test_what_is_no_file_is_passed_over(crisis: Player, sheets: Sheets) -> None:
    """A directory named x.toml, symlinks that go nowhere, in circles, or back up."""
    (sheets.folder / "dir.toml").mkdir()
    os.symlink("loop.toml", sheets.folder / "loop.toml")
    os.symlink("nowhere.toml", sheets.folder / "dangling.toml")
    os.symlink(".", sheets.folder / "again")
    os.mkfifo(sheets.folder / "pipe.toml")
    for name in (
        "dir",
        "loop",
        "dangling",
        "pipe",
        "characters/dir.toml",
        "characters/pipe.toml",
        "./characters/loop.toml",
    ):
        crisis.refused(4, f"character show {name}")
    crisis.ok("attack jack drone --dice 1,1,1")
    crisis.ok("character check")
    crisis.ok("character list")


def test_a_sheet_that_is_a_link_is_written_where_it_is(
    crisis: Player, sheets: Sheets, tmp_path: Path
) -> None:
    real = tmp_path / "elsewhere.toml"
    real.write_text(JACK, "utf-8")
    (sheets.folder / "jack.toml").unlink()
    os.symlink(real, sheets.folder / "jack.toml")
    crisis.ok("attack drone jack --dice 6,6,6 --save")
    assert (sheets.folder / "jack.toml").is_symlink()
    assert "health = " in real.read_text("utf-8")


def test_a_sheet_keeps_its_permissions(crisis: Player, sheets: Sheets) -> None:
    path = sheets.folder / "jack.toml"
    path.chmod(0o640)
    crisis.ok("attack drone jack --dice 6,6,6 --save")
    assert path.stat().st_mode & 0o777 == 0o640


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        TOP + "[" + ".".join(["a"] * 12_000) + "]\n",
        TOP + "".join(f"k{number} = 1\n" for number in range(10_000)),
        TOP + 'x = "' + "\\u001b" * 50_000 + '"\n',
        TOP + "x = [" + "1," * 100_000 + "]\n",
        TOP + "[skills]\n" + "#\n" * 200_000,
    ],
    ids=["one long dotted key", "many keys", "one long string", "one long list", "many comments"],
)
def test_no_sheet_takes_long_to_refuse(crisis: Player, sheets: Sheets, text: str) -> None:
    sheets.write("bad", text)
    start = time.process_time()
    crisis("character check bad")
    assert time.process_time() - start < 2


def test_a_hundred_wrong_things_are_reported_in_the_order_of_the_sheet(
    crisis: Player, sheets: Sheets
) -> None:
    sheets.write("bad", TOP + "".join(f"wrong{number} = {number}\n" for number in range(100)))
    shown = crisis("character check bad")
    lines = [int(line.split("line ")[1].split(",")[0]) for line in shown.lines if "line " in line]
    assert lines == sorted(lines) and len(lines) == 100
