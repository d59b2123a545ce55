"""Maps in every system: cover found on a map is cover given by hand, and open ground changes nothing."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import JOURNAL_NAME, Player
from maps import drawn

sys.path.append(str(Path(__file__).parents[1] / "ai"))

from bouts import by_doctrine, fought, met, roster

from crisis_cli.dice.distribution import OddsTable
from crisis_cli.dice.generator import Seeded, generator
from crisis_cli.dice.table import Table
from crisis_cli.engine.action_odds import action_odds
from crisis_cli.engine.legal_actions import of
from crisis_cli.engine.perform import perform
from crisis_cli.engine.scene import Intent, Scene
from crisis_cli.engine.system import System
from crisis_cli.engine.validate import prepare
from crisis_cli.errors import Refused
from crisis_cli.play import opening
from crisis_cli.systems import SYSTEMS, load

TRANSCRIPTS = sorted((Path(__file__).parents[1] / "transcripts").glob("*.txt"))
DEAR = ("step", "d6pool")
"""Systems whose opponents decide slowly: their transcripts are played on open ground with -m long."""
LEVELS = [
    *(("3d6", level) for level in ("light", "heavy")),
    *(("step", level) for level in ("light", "heavy")),
    *(("d6pool", level) for level in ("4+", "5+", "6+")),
    *(("2d20", level) for level in (1, 2, 3)),
]


def shooting(name: str, text: str, **legend: Any) -> tuple[Scene, Intent]:
    """A fighter at 0,0 who attacks another at 4,0 from afar on a map, and the attack."""
    system = load(name)
    for sheet in roster(name):
        scene = met(system, [sheet, roster(name)[0]])
        first, second = scene.fighters
        places = {first: (0, 0), second: (4, 0) if system.space.beside else (1, 0)}
        fighters = {
            one: fighter._replace(at=places[one], held=(*fighter.sheet["weapons"],))
            for one, fighter in scene.fighters.items()
        }
        scene = scene._replace(fighters=fighters, open=False)
        for legal in of(system, scene, first):
            if legal.intent.action == "attack" and legal.intent.target == second:
                field = drawn(text, name, None, **legend)
                return scene._replace(field=field), legal.intent
    raise AssertionError(f"nobody in {name} attacks from afar")


@pytest.mark.parametrize(("name", "level"), LEVELS)
def test_cover_found_is_cover_given(name: str, level: str | int) -> None:
    system = load(name)
    text = "...b." if system.space.beside else ".b"
    scene, intent = shooting(name, text, b={"name": "crates", "cover": level})
    given = system.space.cover.read(str(level), (), [])
    by_map = prepare(system, scene, intent)
    by_hand = prepare(system, scene._replace(field=None), intent.plus(cover=given))
    assert by_map.dice == by_hand.dice
    assert by_map.dice != prepare(system, scene._replace(field=None), intent).dice
    bare = scene._replace(field=None)
    assert ways(system, scene, intent) == ways(system, bare, intent.plus(cover=given))
    assert ways(system, scene, intent) != ways(system, bare, intent)


def ways(system: System, scene: Scene, intent: Intent) -> dict[tuple[str, str], Any]:
    """The exact odds of what an attack changes, by fighter and pool."""
    effects = action_odds(system, scene, intent, OddsTable()).effects
    return {(who, pool): dict(law.ways) for who, pools in effects.items() for pool, law in pools.items()}


@pytest.mark.parametrize(
    ("name", "level"), [("3d6", "light"), ("step", "light"), ("d6pool", "5+"), ("2d20", "light")]
)
def test_the_modifier_says_where_the_cover_stands(name: str, level: str) -> None:
    system = load(name)
    text, at = ("...b.", "3,0") if system.space.beside else (".b", "1,0")
    scene, intent = shooting(
        name, text, b={"name": "crates", "cover": system.space.cover.read(level, (), [])}
    )

    def sources(intent: Intent) -> list[str]:
        tables = (Table(Seeded(generator(seed).random)) for seed in range(8))
        entries = [perform(system, scene, intent, table) for table in tables]
        return [one.source for entry in entries for one in entry.modifiers]

    assert f"map: crates at {at}" in sources(intent)
    by_hand = intent.plus(cover=system.space.cover.read(level, (), []))
    assert not any("map:" in one for one in sources(by_hand))


@pytest.mark.parametrize("name", ["3d6", "step"])
def test_penetrable_cover_is_so_on_the_map(name: str) -> None:
    system = load(name)
    scene, intent = shooting(name, "...b.", b={"name": "hedge", "cover": "heavy", "penetrable": True})
    bare = scene._replace(field=None)
    thin = prepare(system, bare, intent.plus(cover="heavy", penetrable=True))
    assert prepare(system, scene, intent).dice == thin.dice


@pytest.mark.parametrize("name", ["3d6", "step", "d6pool", "2d20"])
def test_what_the_player_says_wins_over_the_map(name: str) -> None:
    system = load(name)
    heavy, light = ("heavy", "light") if name != "d6pool" else ("4+", "6+")
    text = "...b." if system.space.beside else ".b"
    scene, intent = shooting(name, text, b={"name": "crates", "cover": heavy})
    bare = scene._replace(field=None)
    for level in ("none", light):
        said = prepare(system, bare, intent.plus(cover=level)).dice
        assert prepare(system, scene, intent.plus(cover=level)).dice == said
        target = scene.fighters[intent.target]._replace(cover={intent.actor: level})
        was_set = scene._replace(fighters={**scene.fighters, intent.target: target})
        assert prepare(system, was_set, intent).dice == said


@pytest.mark.parametrize("name", SYSTEMS)
def test_what_stops_sight_forbids_attacks_from_afar(name: str) -> None:
    system = load(name)
    scene, intent = shooting(name, "..#.." if system.space.beside else "..")
    if not system.space.beside:
        target = scene.fighters[intent.target]._replace(at=(2, 0))
        scene = scene._replace(fighters={**scene.fighters, intent.target: target}, field=drawn(".#.", name))
    with pytest.raises(Refused, match=r"is out of sight: a wall at .* is in the way") as refusal:
        prepare(system, scene, intent)
    assert refusal.value.code == "no_sight"
    forced = prepare(system, scene, intent.plus(force=True))
    assert any("is out of sight" in one for one in forced.forced)


@pytest.mark.slow
@pytest.mark.parametrize("name", SYSTEMS)
def test_open_ground_changes_no_fight(name: str) -> None:
    system = load(name)
    for seed in range(2 if name in ("3d6", "d100") else 1):
        sheets = [roster(name)[(seed + at) % len(roster(name))] for at in range(4)]
        start = met(system, sheets, ("cunning", "reckless"), apart=8 if system.space.beside else 2)
        plain = fought(system, start, seed, by_doctrine(system), rounds=6)
        ground = drawn("\n".join(["." * 40] * 20), name)
        on_map = fought(system, start._replace(field=ground), seed, by_doctrine(system), rounds=6)
        assert on_map.entries == plain.entries


@pytest.mark.slow
@pytest.mark.parametrize(
    "path",
    [
        pytest.param(one, marks=pytest.mark.long if one.stem in DEAR else (), id=one.stem)
        for one in TRANSCRIPTS
    ],
)
def test_every_transcript_reads_the_same_on_open_ground(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = path.read_text("utf-8").splitlines()
    ground = drawn("\n".join(["." * 40] * 20), path.stem).as_data()
    header = opening.header
    monkeypatch.setattr(opening, "header", lambda *about: {**header(*about), "field": ground})
    # Without a map it reads as it stands there: tests/transcripts plays it.
    assert played(lines, tmp_path / "ground") == [line for line in lines if not line.startswith("# ")]
    journals = [*(tmp_path / "ground").glob("crisis*.jsonl")]
    assert all('"field"' in one.read_text("utf-8").splitlines()[0] for one in journals)
    assert journals or not any(" --open" in line for line in lines)


def played(lines: list[str], folder: Path) -> list[str]:
    """What the commands of a transcript print in a folder of their own."""
    folder.mkdir()
    player = Player(folder)
    player.env = {"TERM": "dumb", "HOME": str(folder)}
    shown: list[str] = []
    for line in lines:
        if line.startswith("$ crisis "):
            said = player(*shlex.split(line)[2:])
            shown += [line, *said.lines, *JOURNAL_NAME.sub("", said.err).splitlines()]
    return shown


def test_a_blast_does_not_go_through_walls() -> None:
    system = load("step")
    thrower = next(one for one in roster("step") if "grenade" in one.values["weapons"])
    scene = met(system, [thrower] * 4)
    vera, marked, behind, beside = scene.fighters
    places = {vera: (0, 0), marked: (4, 0), behind: (4, 2), beside: (5, 0)}
    fighters = {
        name: one._replace(at=places[name], held=("grenade",)) for name, one in scene.fighters.items()
    }
    scene = scene._replace(fighters=fighters, open=False)
    intent = Intent("throw", vera, (marked,), {"weapon": "grenade", "react": "none"})

    def away(text: str) -> dict[str, tuple[int, ...]]:
        """How far each is from where the grenade goes off, its mark first."""
        there = scene._replace(field=drawn(text, "step")) if text else scene
        return {one.name: one.away[0] for one in prepare(system, there, intent).dice.targets}

    bare, walled = away(""), away("......\n....#.\n......")
    assert bare == away("......\n......\n......")
    assert bare[behind][0] == 2 and walled[behind][0] > 2, "the wall stands between the mark and this one"
    assert min(walled[behind]) <= 2, "a miss can land on the other side"
    assert (walled[marked], walled[beside][0]) == (bare[marked], 1)
