"""Columns stand below each other whatever letters are in them, in every encoding."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import DRONE, JACK, PROGRAM, Player, Sheets, program_env
from wcwidth import wcswidth

from crisis_cli.columns import SIGNS, columns, first_columns, padded
from crisis_cli.render.charts import EIGHTHS
from crisis_cli.render.style import PLAIN, Ink

FAMILY = "👨\u200d👩\u200d👧"
PERSIAN, SINHALA = "می\u200cخواهم", "ක\u0dca\u200dෂ"
WIDTHS = {
    "": 0,
    "Jack": 4,
    "Zoë": 3,
    "Zoe\u0308": 3,
    "竜王": 4,
    "ｱ": 1,
    "한글": 4,
    FAMILY: 2,
    PERSIAN: 7,
    "❤\ufe0f": 2,
    SIGNS: len(SIGNS),
}


@pytest.mark.parametrize(("text", "width"), WIDTHS.items())
def test_a_text_takes_as_many_columns_as_a_terminal_gives_it(text: str, width: int) -> None:
    assert columns(text) == width == wcswidth(text)
    assert padded(text, width + 3) == text + "   "


def test_signs_of_our_own_are_measured_without_tables() -> None:
    assert {*PLAIN, *EIGHTHS.strip()} == {*SIGNS, "’"}, "but for an apostrophe that others write"


def test_a_fight_without_other_letters_loads_none(fight: Player) -> None:
    for words in ("status", "attack drone"):
        done = subprocess.run(
            [sys.executable, "-X", "importtime", *PROGRAM[1:], *words.split()],
            cwd=fight.here,
            env=program_env(fight.here),
            capture_output=True,
            encoding="utf-8",
            check=True,
        )
        assert "→" in done.stdout or words == "status"
        assert "crisis_cli.columns" in done.stderr and "wcwidth" not in done.stderr


@pytest.mark.parametrize("text", [*WIDTHS, f"x{FAMILY}y", "竜王 Zoe\u0308 and more"])
def test_a_beginning_is_as_long_as_fits_and_splits_nothing(text: str) -> None:
    for width in range(columns(text) + 2):
        beginning = first_columns(text, width)
        assert text.startswith(beginning) and columns(beginning) <= width
        rest = text[len(beginning) :]
        assert not rest or columns(text[: len(beginning) + 1]) > width
        assert FAMILY not in text or (FAMILY in beginning) == ("👨" in beginning)


@pytest.mark.parametrize("ink", [Ink(), Ink(True), Ink(encoding="ascii"), Ink(encoding="shift_jis")])
def test_lines_are_broken_and_cut_by_columns(ink: Ink) -> None:
    text = f"竜王 strikes at 竜王竜王竜王竜王竜王竜王 → Zoe\u0308, {FAMILY} and {FAMILY}: 9 − 2 · {PERSIAN}"
    for width in range(12, 90):
        lines = ink.wrapped(text, width)
        assert all(ink.length(line) <= width for line in lines)
        assert "".join("".join(lines).split()) == "".join(ink.carried(text).split())
        assert ink.length(ink.cut(text, width)) <= width
        if width > 24:
            short = "竜王 strikes at Zoe\u0308 → and · then − again at 竜王, as before, and goes on"
            assert all(ink.length(line) <= width for line in ink.broken(short, width))


# Screens: with a name of as many columns each must look alike

SCREENS = (
    "character list",
    "character show hero",
    "init hero --vs drone:2 --open --dice 6,6,6,1,1,1,1,1,2 --place hero=0,0 FOE-1=1,0 FOE-2=2,0",
    "status",
    "odds",
    "odds attack FOE-1",
    "act --list",
    "attack FOE-1 --dice 6,6,5 --cover light",
    "explain",
    "set hero condition:prone on",
    "status",
    "next",
    "next",
    "auto",
    "auto",
    "log",
    "log --recap",
    "odds",
    "oracle target FOE-2",
    "replay",
    "end",
    "odds attack hero drone --sweep drone.armour.dr=0..2",
    "simulate hero --vs drone -n 3 --seed 1",
    "odds encounter yard",
    "odds duel hero drone -n 10 --seed 2",
    "play hero --vs drone --auto --seed 7",
)
YARD = """\
name = "A yard"
system = "3d6"
about = "Two and a robot."
[party]
sheets = ["hero"]
[[fighter]]
sheet = "drone"
"""


def screens(here: Path, name: str, foe: str, **how: object) -> list[str]:
    """What each command prints at a terminal of 80 columns to a player whose fighters have these names."""
    here.mkdir()
    player, own = Player(here), Sheets(here / "characters")
    own.write("hero", JACK.replace('"Jack"', f'"{name}"'))
    own.write("drone", DRONE.replace('"Drone"', f'"{foe}"'))
    (here / "encounters").mkdir()
    (here / "encounters/yard.toml").write_text(YARD, encoding="utf-8")
    shown = []
    for words in SCREENS:
        words = words.replace("FOE", foe.lower().replace(" ", "-"))
        done = player(words, terminal=True, width=80, env={"NO_COLOR": "1"}, **how)
        assert done.status == 0, (words, done)
        shown.append(done.out)
    return shown


@pytest.mark.parametrize(
    ("name", "foe", "encoding"),
    [
        pytest.param("竜王", "鬼", "", marks=pytest.mark.slow),
        pytest.param("Zoe\u0308", "한글 기사", "", marks=pytest.mark.long),
        pytest.param(f"Ül {FAMILY}", PERSIAN, "", marks=pytest.mark.long),
        pytest.param("龍", "Ａ", "ascii", marks=pytest.mark.long),
        pytest.param("竜王", "Zoe\u0308", "latin-1", marks=pytest.mark.long),
    ],
)
def test_every_screen_is_laid_out_alike(name: str, foe: str, encoding: str, tmp_path: Path) -> None:
    ink = Ink(encoding=encoding or "utf-8")
    twins = {
        part: letter + "q" * (ink.length(part) - 1)
        for word, letter in ((name, "X"), (foe, "Z"))
        for part in word.split()
    }
    others = [" ".join(twins[part] for part in word.split()) for word in (name, foe)]
    wide = screens(tmp_path / "wide", name, foe, encoding=encoding)
    narrow = screens(tmp_path / "narrow", *others, encoding=encoding)
    for words, shown, expected in zip(SCREENS, wide, narrow, strict=True):
        for part, twin in twins.items():
            spelled = "|".join(re.escape(ink.carried(case)) for case in (part, part.lower()))
            shown = re.sub(spelled, twin, shown, flags=re.I)
            expected = re.sub(twin, twin, expected, flags=re.I)
        assert shown == expected, words


MAP = """
name = "Yard"
system = "3d6"
about = "A yard."
map = '''
........
..ЖЖ....
A.Ж..B..
'''
[legend]
"Ж" = { name = "柵", stops = ["move", "sight"] }
A = { place = "門" }
B = { place = "小屋" }
[party]
sheets = ["hero"]
at = "門"
[[fighter]]
sheet = "drone"
at = "小屋"
"""


@pytest.mark.parametrize("encoding", ["", "ascii", "koi8-r", "cp437"])
def test_squares_of_a_map_stand_below_each_other(encoding: str, crisis: Player, sheets: Sheets) -> None:
    sheets.write("hero", JACK.replace('"Jack"', '"竜王"'))
    sheets.write("drone", DRONE.replace('"Drone"', '"Éva"'))
    (crisis.here / "encounters").mkdir()
    (crisis.here / "encounters/yard.toml").write_text(MAP, encoding="utf-8")
    crisis.ok("init --encounter yard --seed 3")
    shown = crisis.ok("map", encoding=encoding).lines
    scale = next(line for line in shown if line.split() == list("01234567"))
    columns_of = [scale.index(str(east)) for east in range(8)]
    rows = [line for line in shown if re.match(r"[012]  ", line)]
    assert len(rows) == 3
    for row in rows:
        for at in columns_of:
            before = first_columns(row, at)
            assert columns(before) == at and row[len(before)] != " "
    assert all(columns(line) <= 80 for line in shown)
