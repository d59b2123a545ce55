"""Goals of encounters: in words, as a fight stands, and that an event comes up exactly when its goal is met."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from cli.test_protocol import default, played, scripted
from conftest import Player
from encounters.test_play import place
from protocol.test_mcp import Model

import crisis_cli
from crisis_cli.ai.goals import is_inside
from crisis_cli.engine.encounter import Encounter, Trigger
from crisis_cli.engine.encounter_events import Threshold
from crisis_cli.engine.events import apply_all
from crisis_cli.engine.goals import goals, open_goals
from crisis_cli.engine.life import share_left
from crisis_cli.engine.record import EVENT
from crisis_cli.engine.scene import Fighter, Scene
from crisis_cli.engine.system import System
from crisis_cli.play.fight import Fight
from crisis_cli.render.goals import Cast, goal_text, goals_block, progress, short_goal
from crisis_cli.render.since import since
from crisis_cli.render.style import Ink
from crisis_cli.render.summary import glance
from crisis_cli.repl.toolbar import toolbar
from crisis_cli.sheets import journal_file
from crisis_cli.systems import load

SHIPPED = sorted(path.stem for path in (Path(crisis_cli.__file__).parent / "encounters").glob("*.toml"))
CAST = Cast("players", ("players", "opponents"), ("Ada", "Drone 1", "Drone 2"))
SAMPLE, ALL = 20, 200


@pytest.mark.parametrize(
    ("wins", "event", "text", "short"),
    [
        ("players", {"after": 5}, "when round 5 is over", "hold 0/5"),
        ("players", {"round": 2}, "when round 2 begins", "hold until round 2"),
        ("opponents", {"after": 1}, "when round 1 is over", "0/1 rounds"),
        (
            "players",
            {"reach": "truck", "everyone": True},
            "when all of you who still stand are at the truck",
            "truck 0/1",
        ),
        ("players", {"reach": "truck", "many": 2}, "when 2 of you are at the truck", "truck 0/2"),
        (
            "opponents",
            {"reach": "store room", "who": "opponents", "many": 3},
            "as soon as 3 of the opponents are at the store room",
            "store room 0/3",
        ),
        (
            "opponents",
            {"reach": "gate", "who": "opponents", "everyone": True},
            "when all of them who still stand are at the gate",
            "gate 0/1",
        ),
        ("players", {"reach": "gate", "who": "Ada"}, "when Ada is at the gate", "gate 0/1"),
        ("players", {"down": "Warden"}, "when Warden is down", "defeat Warden"),
        ("players", {"down": "Drone"}, "when every Drone is down", "defeat Drone"),
        ("players", {"down": "side:opponents"}, "when no opponent is left", "all of them"),
        (
            "players",
            {"down": "side:opponents", "left": 1},
            "when only one of them is left",
            "all but 1 of them",
        ),
        ("opponents", {"down": "side:players"}, "when all of you are down", "keep 1 up"),
        ("opponents", {"down": "side:players", "left": 2}, "when only 2 of you are left", "keep 3 up"),
        ("players", {"hurt": "Warden", "below": 30}, "when Warden has under 30 % left", "Warden under 30 %"),
        (
            "players",
            {"after": 2, "down": "Warden", "chance": 75},
            "when round 2 is over and Warden is down (likely, 75 %)",
            "hold 0/2",
        ),
        ("players", {"after": 2, "chance": 40}, "when round 2 is over (40 %)", "hold 0/2"),
        (
            "players",
            {"round": 2, "reach": "gate"},
            "when round 2 has begun and one of you is at the gate",
            "hold until round 2",
        ),
    ],
)
def test_a_goal_in_words(wins: str, event: dict[str, Any], text: str, short: str) -> None:
    encounter = Encounter("", triggers=(Trigger(1, wins=wins, **event),), last_stand=False)
    goal = next(one for one in goals(encounter, CAST.sides, CAST.own) if one.event)
    count = Threshold(next(iter(event)), 0, event.get("many") or event.get("after", 1))
    goal = goal._replace(counts=(count,))
    assert (goal_text(goal, CAST), short_goal(goal, CAST)) == (text, short)


def test_own_goals_stand_first_and_a_last_stand_that_decides_nothing_more_is_left_out() -> None:
    events = (
        Trigger(1, down="side:players", left=1, wins="opponents"),
        Trigger(2, after=9, wins="nobody"),
        Trigger(3, after=4, wins="players"),
        Trigger(4, after=3, wins="players", secret=True),
    )
    encounter = Encounter("", triggers=events)
    assert goals_block(encounter, CAST, Ink()) == [
        "  You win   when round 4 is over, or no opponent is left",
        "  You lose  when only one of you is left",
        "  A draw    when round 9 is over",
    ]
    assert [one.number for one in goals(encounter, CAST.sides, "players", True)] == [3, 4, None, 1, 2]
    assert [one.number for one in goals(encounter._replace(last_stand=False), CAST.sides, "players")] == [
        3,
        1,
        2,
    ]


def has_come_about(system: System, scene: Scene, event: Trigger) -> bool:
    """Whether all that an event waits for is so, as crisis-encounter(5) says it."""

    def meant(word: str) -> list[Fighter]:
        named = [one for one in scene.fighters.values() if one.side == word.removeprefix("side:")]
        return named or [one for name, one in scene.fighters.items() if name.startswith(word)]

    def up(word: str) -> list[Fighter]:
        return [one for one in meant(word) if not (one.gone or one.yielded or system.fallen(one))]

    if event.down and (not meant(event.down) or len(up(event.down)) > event.left):
        return False
    if event.hurt and not any(share_left(system, one) < event.below / 100 for one in meant(event.hurt)):
        return False
    if event.reach:
        assert scene.field is not None
        cells = scene.field.cells_of(event.reach)
        there = [one for one in up(event.who) if one.at is not None and is_inside(scene, one.at, cells)]
        if len(there) < (max(1, len(up(event.who))) if event.everyone else event.many):
            return False
    return scene.round >= (event.round or 0) and (event.after is None or scene.round > event.after)


def check_whole_fight(fight: Fight) -> int:
    """Every event that makes a side the winner came up when its goal was met, and not later; how many did."""
    system, record = load(fight.system), fight.session.crisis
    assert record is not None
    scene, ends, done = record.start, 0, record.done
    for at, entry in enumerate(done):
        waiting = [one for one in open_goals(system, scene, "players", True) if one.event]
        ready = [one for one in waiting if one.is_met]
        assert ready == [one for one in waiting if one.event and has_come_about(system, scene, one.event)]
        before, scene = scene, apply_all(scene, entry.events)
        if entry.intent.action == EVENT and entry.outcome.get("wins"):
            assert entry.intent.get("event") in [one.number for one in ready]
            ends += 1
        is_settled = at + 1 == len(done) or done[at + 1].intent.action != EVENT
        if is_settled and not scene.over:
            late = [one for one in open_goals(system, scene, "players", True) if one.event and one.is_met]
            assert not [one for one in late if one.event and not one.event.again], (at, before.round)
        shown = [one.event for one in progress(system, scene)]
        secret = [one.number for one in (scene.encounter.triggers if scene.encounter else ()) if one.secret]
        assert not {*shown} & {*secret}
    return ends


@pytest.mark.parametrize(
    "name", [name if name == "bus" else pytest.param(name, marks=pytest.mark.long) for name in SHIPPED]
)
def test_events_of_shipped_encounters_come_up_when_their_goal_is_met(tmp_path: Path, name: str) -> None:
    library = crisis_cli.Library(str(tmp_path))
    for seed in range(1 if name == "bus" else 3):
        fight = library.begin(encounter=name, seed=seed, plays="none")
        fight.play_on()
        assert fight.decided and check_whole_fight(fight) <= 1


SIDES = {
    "d100": ("ines", "bruno", "looter"),
    "3d6": ("jack", "ada", "drone"),
    "2d20": ("cass", "doc", "ghoul"),
}


WHENS = {
    "after": [f"after = {number}" for number in (1, 2, 3, 4)],
    "round": [f"round = {number}" for number in (2, 3, 4)],
    "down": ['down = "Foe"', 'down = "side:players"\nleft = 1', 'down = "Foe 2"'],
    "hurt": ['hurt = "Foe"', 'hurt = "Foe 1"\nbelow = 30'],
    "reach": [
        'reach = "far side"\nall = true',
        'reach = "far side"\ncount = 2',
        'reach = "near"\nwho = "opponents"\ncount = 2',
        'reach = "near"\nwho = "Foe 3"',
    ],
}
"""By its key, what an event may wait for."""


def generated(generator: random.Random) -> str:
    """An encounter with one to four events that make a side the winner."""
    system = generator.choice([*SIDES])
    first, second, foe = SIDES[system]
    lines = [f'system = "{system}"', f"last_stand = {generator.choice(['true', 'false'])}"]
    lines += ['map = """', "aa..bbb", "aa..bbb", "aa..bbb", '"""', "[legend]"]
    lines += ['a = { place = "near" }', 'b = { place = "far side" }', "[party]"]
    lines += [f'sheets = ["{first}", "{second}"]', 'at = "near"', "[[fighter]]", f'sheet = "{foe}"']
    lines += ['name = "Foe"', "count = 3", 'at = "far side"']
    for _ in range(generator.randint(1, 4)):
        keys = generator.sample([*WHENS], generator.choice([1, 1, 2]))
        lines += ["[[event]]", *(generator.choice(WHENS[key]) for key in keys)]
        lines.append('wins = "' + generator.choice(["players", "opponents", "nobody"]) + '"')
        lines += ["secret = true"] * (generator.random() < 0.25)
        lines += ['odds = "even"'] * (generator.random() < 0.15)
        lines += ["again = true"] * (generator.random() < 0.15)
    return "\n".join(lines) + "\n"


def fought(fight: Fight, generator: random.Random) -> None:
    """Play a fight by turns that end, with positions and wounds as a GM sets them."""
    for _ in range(40):
        if fight.decided:
            return
        one = generator.choice([*fight.scene.fighters.values()])
        chance = generator.random()
        try:
            if chance < 0.5:
                fight.next()
            elif chance < 0.8:
                fight.set(one.name, "at", f"{generator.randint(0, 6)},{generator.randint(0, 2)}")
            elif chance < 0.9:
                fight.set(one.name, "yielded", "on")
            else:
                pool = "hp" if "hp" in one.pools else "health"
                fight.set(one.name, pool, generator.randint(0, max(1, one.pools[pool])))
        except crisis_cli.Refused:
            continue


@pytest.mark.parametrize("count", [SAMPLE, pytest.param(ALL, marks=pytest.mark.long)])
def test_events_come_up_exactly_when_their_goal_is_met(tmp_path: Path, count: int) -> None:
    folder = tmp_path / "encounters"
    folder.mkdir()
    library, generator, made, ends = crisis_cli.Library(str(tmp_path)), random.Random(7), 0, 0
    while made < count:
        name = f"made{generator.getrandbits(40)}"
        (folder / f"{name}.toml").write_text(generated(generator), "utf-8")
        try:
            fight = library.begin(encounter=name, seed=made, plays="all")
        except crisis_cli.FileError:
            # Some are refused, as their events would happen at once or never.
            continue
        fought(fight, generator)
        ends += check_whole_fight(fight)
        made += 1
    assert ends > count / 3


# Secret goals

YARD = '''\
system = "d100"
about = "A yard."
map = """
aa....#.
......#c
aa....bb
"""
[legend]
"#" = { name = "wall", stops = ["move", "sight"] }
a = { place = "near" }
b = { place = "gate" }
c = { place = "shed" }
[party]
sheets = ["ines", "bruno"]
at = "near"
[[fighter]]
sheet = "looter"
count = 2
at = "gate"
[[event]]
after = 9
wins = "players"
'''
SURPRISES = (
    'reach = "shed"\nwho = "players"\ncount = 2\n',
    'reach = "near"\nwho = "opponents"\ncount = 2\n',
    'down = "Looter 2"\nround = 7\n',
    'after = 6\nhurt = "Ines"\nbelow = 99\n',
)


def told(folder: Path, effect: str) -> list[str]:
    """All that a fight prints in which four events with an effect wait."""
    folder.mkdir()
    player = Player(folder)
    place(player, "".join(f"[[event]]\n{when}{effect}\n" for when in SURPRISES), head=YARD)
    lines = ["encounter show yard --map", "encounter list", "odds encounter yard --seed 1"]
    lines += ["init --encounter yard --seed 3", *["auto --reasons all", "goal"] * 3, "goal", "status", "map"]
    lines += ["odds", "act --list", "explain", "log", "replay", "log --markdown", "log --recap"]
    texts = [player.ok(line).out for line in lines]
    jsons = (
        "goal",
        "status",
        "odds",
        "log",
        "replay",
        "explain",
        "encounter show yard",
        "odds encounter yard",
    )
    texts += [player.ok(f"{line} --json").out for line in jsons]
    texts.append(json.dumps([goal.to_dict() for goal in crisis_cli.Library(str(folder)).resume().goals]))
    (folder / "crisis.jsonl").unlink()
    line = "play yard --protocol --hide --seed 3 --rounds 3"
    _, client, _ = played(player, line, default)
    (folder / "crisis.jsonl").unlink(missing_ok=True)
    model = Model(player)
    answers = [model.ok("begin", encounter="yard", players=[], opponents=[]), model.ok("status")]
    return [*texts, *map(json.dumps, client.said), *map(json.dumps, answers)]


def test_secret_goals_are_told_nowhere(tmp_path: Path) -> None:
    """A fight with secret goals prints what it prints where the same events say something and win nothing."""
    secret = told(tmp_path / "secret", 'wins = "players"\nsecret = true')
    harmless = told(tmp_path / "harmless", 'text = "Dawn."')
    assert secret == harmless
    assert "You win   when round 9 is over" in secret[0] and not any("secret" in one for one in secret)


def test_what_only_secret_goals_bring_is_told_nowhere(crisis: Player) -> None:
    door = 'zzdoor = { name = "zzshutter", stops = ["sight"] }\nd = { place = "door" }\n'
    event = 'down = "Looter 2"\nwins = "nobody"\nsecret = true\nterrain = [{ at = [4, 1], to = "zzdoor" }]\n'
    event += 'add = [{ sheet = "looter", name = "zzwalker", at = "near", side = "zzside" }]\n'
    place(crisis, f"[[event]]\n{event}", head=YARD.replace("[party]", f"{door}[party]"))
    lines = ["encounter show yard --json", "simulate --encounter yard -n 3 --seed 1 --jobs 1"]
    lines += ["init --encounter yard --seed 3", "status --json", "map --json"]
    lines += ["simulate --from-crisis -n 3 --seed 1 --jobs 1"]
    told = [crisis.ok(line).out for line in lines] + [crisis.refused(2, "set terrain 4,1 nope").err]
    assert not [one for one in told if "zz" in one]
    crisis.ok("set terrain 4,1 zzshutter")
    assert "zzshutter" in crisis.ok("status --json").out


def test_a_secret_goal_is_told_to_those_who_ask_and_when_it_is_met(crisis: Player) -> None:
    place(crisis, '[[event]]\nreach = "shed"\nwins = "nobody"\nsecret = true\n', head=YARD)
    crisis.ok("init --encounter yard --seed 3")
    events = [one["event"] for one in crisis.ok("status --json --spoilers").record["goals"]]
    assert events == [1, None, None, 2]
    shown = crisis.ok("encounter show yard --json --spoilers").record["goals"]
    assert [one["event"] for one in shown] == events
    assert "The encounter ends without a winner." in crisis.ok("set ines at 7,1").out
    assert crisis.ok("goal").out == "A draw after 1 round.\n"


# Plans


def test_plans_know_what_ends_the_fight(crisis: Player) -> None:
    """Nothing is better than the step that wins, and in the last round nothing is planned for a next turn."""
    place(
        crisis, '[[event]]\nreach = "gate"\nall = true\nwins = "players"\n', head=YARD.replace("= 9", "= 1")
    )
    crisis.ok("init --encounter yard --seed 3")
    while crisis.ok("status --json").record["actor"] != "Ines":
        crisis.ok("next")
    for who, at in (("looter-1", "4,2"), ("looter-2", "5,2"), ("bruno", "7,0"), ("ines", "4,1")):
        crisis.ok(f"set {who} at {at}")
    assert crisis.ok("odds").lines[1].split(maxsplit=1)[1] == "go to gate"
    crisis.ok("set bruno at 0,0")
    crisis.ok("attack ines looter-1")
    assert [line.split(maxsplit=1)[1] for line in crisis.ok("odds").lines[1:3]] == ["go to gate", "wait"]


# Screens


@pytest.fixture
def clinic(crisis: Player) -> Player:
    """The clinic in its third round, with a looter in the store room."""
    crisis.ok("init --encounter clinic --seed 3")
    for line in ("set ines health 12", "set looter-2 health 5"):
        crisis.ok(line)
    crisis.ok("leave looter-3 looter-4 looter-5")
    while crisis.ok("status --json").record["round"] < 3:
        crisis.ok("next")
    crisis.ok("leave climber-1 climber-2")
    while crisis.ok("status --json").record["actor"] != "Ines":
        crisis.ok("next")
    assert "store room: 1 of 3 opponents" in crisis.ok("set looter-1 at 2,8").out
    crisis.ok("set looter-2 at 10,6")
    for looter in ("looter-1", "looter-2"):
        crisis.ok(f"set {looter} small-actions 0")
    return crisis


GOAL = """\
Night at the clinic
Keep the looters out of the store room until the shutters are down.
  You win   when round 5 is over                         2 of 5 rounds done
            or when no opponent is left                  2 left
  You lose  as soon as 3 of the opponents are at the store room
                                          1 there · Looter 2 4 m, 1 turn
            or when all of you are down                  2 stand
"""


BOARD = """\
Round 3 · Ines and Bruno's turn · then Looter 1, Looter 2
  Hold 2 of 5 rounds · store room 1 of 3
▸ + Ines      Health ██████░ 12/14  Actions ●  Small Actions ●●  rifle
▸ + Bruno     Health ███████ 18/18  Actions ●  Small Actions ●●  4 m · crowbar
  × Looter 1  Health ███████ 9/9    2 m · at the store room · machete
  × Looter 2  Health ████░░░ 5/9    6 m · 4 m to the store room · machete
"""


def test_the_verb_and_its_other_names_show_how_goals_stand(clinic: Player) -> None:
    before = clinic.files()
    shown = [clinic.ok(verb).out for verb in ("goal", "goals", "objective", "win")]
    assert shown == [GOAL] * 4 and clinic.files() == before


def test_the_board_and_the_toolbar_show_how_goals_stand(clinic: Player) -> None:
    crisis = journal_file.read(str(clinic.here / "crisis.jsonl"), "").crisis
    scene, system, ink = crisis.scene, load("d100"), Ink()
    lines = glance(scene, system, ink, 80, 24)
    assert lines == BOARD.splitlines()
    assert lines[1] == clinic.ok("status").lines[2]
    bars = {
        wide: "".join(text for _, text, *_ in toolbar(scene, system, ink, wide, False)) for wide in (80, 69)
    }
    assert bars == {
        80: " Round 3 · Ines · Actions ● · hold 2/5 · store room 1/3  F1 help  F2 odds",
        69: " Round 3 · Ines · Actions ●  F1 help  F2 odds  F5 back  F8 next",
    }
    assert scene.encounter is not None
    held = next(one.number for one in scene.encounter.triggers if one.after and one.wins)
    won = scene._replace(fired=(held,))
    assert toolbar(won, system, ink, 80, False)[0][1].startswith(" Round 2 ")
    assert glance(won, system, ink, 80, 24)[0].startswith("Round 2 ")


def test_all_whose_coming_loses_the_fight_are_named(crisis: Player) -> None:
    crisis.ok("init --encounter station --seed 3")
    lost = next(goal for goal in crisis.ok("goal --json").record["goals"] if goal["side"] == "opponents")
    assert len(lost["who"]) == lost["needs"] == 4 and lost["who"][-1]["name"] == "Pale ghoul"


def test_without_an_encounter_the_last_stand_wins(crisis: Player, sheets: object) -> None:
    assert "no crisis is open" in crisis.refused(3, "goal").err
    crisis.ok("init jack --vs drone --open --seed 1")
    assert crisis.ok("win").out == "Win: no opponent is left.\n"
    (won, lost) = crisis.ok("goal --json").record["goals"]
    assert won == {
        "side": "players",
        "event": None,
        "text": "when no opponent is left",
        "now": 0,
        "needs": 1,
        "met": False,
        "who": [],
    }
    assert lost["side"] == "opponents" and crisis.ok("status --json").record["goals"] == [won, lost]
    assert [one.to_dict() for one in crisis_cli.Library(str(crisis.here)).resume().goals] == [won, lost]
    crisis.ok("set drone yielded on")
    assert crisis.ok("goal").out == "The players win after 1 round.\n"
    assert crisis.ok("goal --json").record["goals"][0]["met"]


def test_goals_say_what_dice_have_refused_and_leave_out_what_cannot_be_met(crisis: Player) -> None:
    event = 'after = 1\nodds = 1\nagain = true\nwins = "players"\n[[event]]\nwins = "players"\n'
    third = '[[fighter]]\nsheet = "looter"\nname = "Third"\nside = "thirds"\nat = [4, 0]\n'
    third += '[[event]]\ndown = "side:opponents"\nwins = "players"\n'
    place(
        crisis, f'{third}[[event]]\n{event}reach = "shed"\nwho = "Ines"\n', head=YARD.replace("= 9", "= 99")
    )
    crisis.ok("init --encounter yard --seed 3")
    while crisis.ok("status --json").record["round"] < 3:
        crisis.ok("next")
    goals = {goal["text"]: goal for goal in crisis.ok("goal --json").record["goals"]}
    assert "when nobody else is left" in goals and goals["when round 1 is over (1 %)"]["met"] is False
    shown = crisis.ok("goal").out
    assert "(1 %)                the dice said no" in shown and "when Ines is at the shed" in shown
    crisis.ok("leave ines")
    assert "Ines" not in crisis.ok("goal").out


def test_what_has_happened_names_goals_that_have_come_nearer(crisis: Player) -> None:
    goal = '[[event]]\nreach = "near"\nwho = "opponents"\ncount = 2\nround = 5\nwins = "opponents"\n'
    yard = YARD.replace('at = "near"', 'at = "shed"').replace('at = "gate"', "at = [[3, 0], [3, 2]]")
    place(crisis, goal, head=yard.replace('"ines", "bruno"', '"ines"'))
    crisis.ok("init --encounter yard --seed 3")
    told = crisis.ok("auto --until-mine").out
    record = journal_file.read(str(crisis.here / "crisis.jsonl"), "").crisis
    news = since(record.done, record.scene, load("d100"), Ink(), 80, most=3)
    assert "  near: 2 of 2 opponents" in told and "near: 2 of 2 opponents" in news[0]


def test_a_fall_far_from_the_place_brings_its_goal_no_nearer(crisis: Player) -> None:
    place(crisis, '[[event]]\nreach = "shed"\nall = true\nwins = "players"\n', head=YARD)
    crisis.ok("init --encounter yard --seed 3")
    assert "shed" not in crisis.ok("set bruno health 0").out
    assert "  shed: 1 of 1 of you" in crisis.ok("set ines at 7,1").out


def test_what_is_hidden_of_foes_is_not_in_goals_either(crisis: Player) -> None:
    place(crisis, '[[event]]\nhurt = "Looter"\nbelow = 30\nwins = "players"\n', head=YARD)
    seen = []
    for hide in ("", "--hide"):
        _, client, _ = played(crisis, f"play yard --protocol --seed 3 --odds none {hide}", scripted())
        goals = client.of("request")[0]["state"]["goals"]
        seen.append([goal["now"] for goal in goals if goal["event"] == 2])
        (crisis.here / "crisis.jsonl").unlink()
    assert seen == [[0], [None]]
