"""Encounters played: what opens, what happens by itself, how it is undone, and how it ends."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import JOURNAL_OF_NOW, Player

HEAD = """\
name = "The yard"
system = "3d6"
open = "It is dark.\\nA dog barks."
won = "Quiet again."
lost = "They drag you off."
reward = ["a key"]

[party]
sheets = ["jack"]
at = [0, 0]

[[fighter]]
sheet = "drone"
at = [5, 0]
"""


def place(player: Player, more: str = "", name: str = "yard", head: str = HEAD) -> Path:
    """Write an encounter into the player's own folder."""
    folder = player.here / "encounters"
    folder.mkdir(exist_ok=True)
    path = folder / f"{name}.toml"
    path.write_text(head + more, encoding="utf-8")
    return path


def opened(player: Player, more: str = "", words: str = "") -> Player:
    """The encounter opened for the shell, Jack first."""
    place(player, more)
    player.ok(f"init --encounter yard {words} --seed 1")
    return player


def events(player: Player) -> list[dict[str, object]]:
    """The entries of events that are in force."""
    return [one for one in player.ok("log --json").records if one["action"] == "event"]


def names(player: Player) -> list[str]:
    """The fighters who are there."""
    return [one["name"] for one in player.ok("status --json").record["fighters"] if not one["gone"]]


@pytest.fixture
def yard(crisis: Player, sheets: object) -> Player:
    """A player with the sheets of Jack, Ada and a drone."""
    return crisis


def test_a_file_opens_with_its_party_its_text_and_its_fighters(yard: Player) -> None:
    place(yard)
    shown = yard.ok("play yard --auto --seed 4 --full").out
    assert shown.startswith(
        "The yard\nIt is dark.\nA dog barks.\n"
        "  You win   when no opponent is left\n  You lose  when all of you are down\nTurn order\n"
    )
    assert ("Quiet again.\n  reward: a key" in shown) != ("They drag you off." in shown)


def test_others_replace_the_party(yard: Player) -> None:
    opened(yard, words="ada")
    assert names(yard) == ["Ada", "Drone"]
    assert yard.ok("status --json").record["fighters"][0]["player"]


def test_a_word_that_is_a_sheet_and_an_encounter_is_refused(yard: Player) -> None:
    place(yard, name="jack")
    refused = yard.refused(2, "play jack --auto")
    assert "is a sheet and an encounter" in refused.err and "--encounter jack" in refused.err
    yard.ok("play --encounter jack --auto")


def test_a_path_is_an_encounter_or_a_sheet_by_what_its_file_holds(yard: Player) -> None:
    place(yard)
    assert yard.ok("play ./encounters/yard.toml --auto --seed 4").out.startswith("The yard")
    assert yard.ok("play ./characters/jack.toml --auto --seed 4").out.startswith("Jack · 3d6\n")


def test_a_word_that_is_neither_sheet_nor_encounter_gets_a_suggestion_of_both(yard: Player) -> None:
    refused = yard.refused(4, "play bridg")
    assert (
        "no sheet and no encounter is called 'bridg'" in refused.err and "did you mean bridge?" in refused.err
    )
    assert "did you mean jack?" in yard.refused(4, "play jakc --auto").err


@pytest.mark.parametrize("line", ["bridge ada --vs drone", "jack --vs bridge", "jack bridge"])
def test_an_encounter_among_fighters_says_how_to_play_it(yard: Player, line: str) -> None:
    refused = yard.refused(2, f"play {line} --auto")
    assert "'bridge' is an encounter" in refused.err and "crisis play bridge WHO…" in refused.err


def test_a_name_that_two_encounters_have_is_ambiguous(yard: Player) -> None:
    place(yard)
    place(yard, name="court")
    refused = yard.refused(2, "play 'the yard' --auto")
    assert "matches two encounters: encounters/court.toml and encounters/yard.toml" in refused.err


def test_opponents_are_those_of_the_file(yard: Player) -> None:
    place(yard)
    assert "cannot go together" in yard.refused(2, "play --encounter yard --vs drone --auto").err


def test_a_party_of_another_system_is_refused(yard: Player) -> None:
    place(yard)
    assert "is for 3d6" in yard.refused(3, "init --encounter yard vera").err


HELP = """
[[event]]
round = 2
text = "Boots."
add = [{ sheet = "drone", name = "Runner", count = 2, at = [[9, 9], [9, 8]] }]
"""


def test_help_comes_with_the_round_and_acts_in_the_next(yard: Player) -> None:
    opened(yard, HELP)
    yard.ok("next")
    shown = yard.ok("next").out
    assert "Boots." in shown and "Runner 1 and Runner 2 join the fight" in shown
    (event,) = events(yard)
    assert event["joined"] == ["Runner 1", "Runner 2"] and event["because"] == 3
    assert len(yard.ok("status --json").record["order"]) == 4
    turns = [yard.ok("next --json").record["turn"] for _ in range(6)]
    assert not {"Runner 1", "Runner 2"} & set(turns[:1]) and {"Runner 1", "Runner 2"} <= set(turns)


GATE = """
[[event]]
reach = "gate"
who = "opponents"
wins = "opponents"

[legend]
G = { place = "gate" }
"#" = { name = "wall", stops = ["move", "sight"] }
"""


def run_for_the_gate(player: Player, gate: str) -> list[dict[str, object]]:
    """The entries of an automatic fight in which the drone wins by reaching a gate on the far side of Jack."""
    head = HEAD.replace("[party]", f'map = """\n{gate}\n"""\n\n[party]')
    place(player, GATE, head=head.replace("at = [0, 0]", "at = [0, 1]").replace("[5, 0]", "[3, 1]"))
    player.ok("play yard --auto --seed 2")
    return player.ok(f"log {JOURNAL_OF_NOW} --json").records


def test_an_opponent_with_an_open_way_to_the_winning_place_goes_there_and_wins(yard: Player) -> None:
    entries = run_for_the_gate(yard, "..........G\n..........G\n..........G")
    drone = [one for one in entries if one["actor"] == "Drone"]
    assert any(one["reason"]["key"] == "heads-for" for one in drone if one.get("reason")), drone
    assert entries[-2]["action"] == "event" and entries[-2]["wins"] == "opponents"


def test_an_opponent_without_a_way_to_the_winning_place_fights(yard: Player) -> None:
    entries = run_for_the_gate(yard, "..........###\n..........#G#\n..........###")
    drone = [one for one in entries if one["actor"] == "Drone"]
    assert any(one["action"] == "attack" for one in drone)
    assert not any(one["action"] == "event" for one in entries)


def test_status_lists_the_events_that_came_up(yard: Player) -> None:
    more = HELP + '[[event]]\nround = 2\nodds = 1\ntext = "A"\n[[event]]\nround = 3\ntext = "B"\n'
    opened(yard, more)
    assert yard.ok("status --json").record["events"] == []
    yard.ok("next")
    yard.ok("next")
    assert yard.ok("status --json").record["events"] == [{"n": 1, "fired": True}, {"n": 2, "fired": False}]
    every = yard.ok("status --json --spoilers").record["events"]
    assert every == [{"n": 1, "fired": True}, {"n": 2, "fired": False}, {"n": 3, "fired": False}]
    yard.ok("undo")
    assert yard.ok("status --json").record["events"] == []


def test_without_an_encounter_there_are_no_events(fight: Player) -> None:
    assert "events" not in fight.ok("status --json --spoilers").record


def test_the_oracle_counts_help_that_has_come_by_an_event(yard: Player) -> None:
    opened(yard, HELP)
    yard.ok("next")
    yard.ok("next")
    shown = yard.ok("oracle reinforcement opponents --explain --dry-run").out
    assert "10 × round 2 − 20 × 2 joined" in shown


def test_how_many_come_is_shown_with_what_is_added_to_the_dice(yard: Player) -> None:
    shown = opened(yard, HELP.replace("count = 2, at = [[9, 9], [9, 8]]", 'count = "d2+1"')).ok("next")
    shown = yard.ok("next")
    come = [one["name"] for one in yard.ok("status --json").record["fighters"]][2:]
    assert f"Runner's count: [{len(come) - 1}] + 1 = {len(come)}\n" in shown.out
    (count,) = [one for one in yard.ok("log --json").records[-1]["rolls"] if one["what"] == "count"]
    assert [part["value"] for part in count["modifiers"]] == [1]
    assert "no differences" in yard.ok("verify").out


def test_a_move_toward_a_closed_door_leads_next_to_it(yard: Player) -> None:
    head = HEAD.replace("[party]", 'map = """\n....+...\n....#...\n"""\n\n[party]')
    legend = """
[legend]
"+" = { name = "door", place = "gate", stops = ["move"] }
"#" = { name = "wall", stops = ["move"] }
"""
    place(yard, legend, head=head.replace("at = [0, 0]", "at = [0, 1]"))
    yard.ok("init --encounter yard --seed 1")
    shown = yard.ok("act jack move toward gate").out
    assert "Jack moves 3 m to 3," in shown and "next to the gate" in shown
    assert "next to the gate already" in yard.refused(3, "act jack move toward gate").err
    yard.ok("set terrain 4,1 open")
    assert "no fighter here is called 'gate'" in yard.refused(4, "act jack move toward gate").err


def test_who_leaves_by_an_event_is_told(yard: Player) -> None:
    fighter = '[[fighter]]\nsheet = "drone"\nname = "Guard"\ncount = 2\nat = [[7, 0], [8, 0]]\n'
    opened(yard, fighter + '[[event]]\ndown = "Drone"\nremove = "Guard"\n')
    assert "\n  Guard 1 and Guard 2 leave\n" in yard.ok("set drone health 0").out
    assert "Guard 1 and Guard 2 leave" in yard.ok("log").out


def test_those_who_come_with_an_event_are_not_those_who_leave_by_it(yard: Player) -> None:
    fighter = '[[fighter]]\nsheet = "drone"\nname = "Guard"\nat = [7, 0]\n'
    add = 'add = [{ sheet = "drone", name = "Guard", at = [7, 5] }]'
    opened(yard, fighter + f'[[event]]\ndown = "Guard"\nremove = "Guard"\n{add}\n')
    yard.ok("set guard health 0")
    there = names(yard)
    assert "Guard" not in there and "Guard 2" in there


def test_what_an_event_puts_on_the_map_is_said(yard: Player) -> None:
    head = HEAD.replace("[party]", 'map = """\n........\n........\n"""\n\n[party]')
    event = (
        '[[event]]\nround = 2\ntext = "It falls."\nterrain = [{ at = [6, 1], to = "wall" }, '
        '{ at = [7, 1], to = "wall" }]\n[legend]\nwall = { stops = ["move"], name = "low wall" }\n'
    )
    place(yard, event, head=head)
    yard.ok("init --encounter yard --seed 1")
    yard.ok("next")
    assert "It falls.\n  low wall at 6,1 and 7,1\n" in yard.ok("next").out


def test_nobody_is_placed_where_nobody_can_stand(yard: Player) -> None:
    head = HEAD.replace("[party]", 'map = """\n....#...\n"""\n\n[party]')
    place(yard, '[legend]\n"#" = { name = "wall", stops = ["move"] }\n', head=head)
    refused = yard.refused(2, "init --encounter yard --place jack=4,0")
    assert "Jack cannot begin there: a wall at 4,0" in refused.err
    yard.ok("init --encounter yard --place jack=3,0")


def test_the_places_of_an_encounter_are_its_own(yard: Player) -> None:
    place(yard)
    refused = yard.refused(2, "init --encounter yard --apart 3")
    assert "--encounter and --apart cannot go together" in refused.err


def test_one_alone_keeps_its_name(yard: Player) -> None:
    more = '[[event]]\nround = 2\nadd = [{ sheet = "drone", name = "Hand", count = 1, at = [9, 9] }]\n'
    fighter = '[[fighter]]\nsheet = "drone"\nname = "Guard"\ncount = 1\nat = [7, 0]\n'
    opened(yard, fighter + more)
    assert names(yard) == ["Jack", "Drone", "Guard"]
    for _ in range(3):
        yard.ok("next")
    assert names(yard)[-1] == "Hand"
    (yard.here / "encounters/yard.toml").unlink()
    assert "no differences" in yard.ok("verify").out


def test_later_fighters_go_on_with_the_numbers_of_those_who_have_their_name(yard: Player) -> None:
    fighter = '[[fighter]]\nsheet = "drone"\nname = "Guard"\ncount = 2\nat = [[7, 0], [8, 0]]\n'
    more = "".join(
        f'[[event]]\nround = {number}\nadd = [{{ sheet = "drone", name = "Guard", at = [{number}, 9] }}]\n'
        for number in (2, 3)
    )
    opened(yard, fighter + more)
    for _ in range(10):
        yard.ok("next")
    assert names(yard)[-4:] == ["Guard 1", "Guard 2", "Guard 3", "Guard 4"]


def test_who_wins_is_said_once(yard: Player) -> None:
    opened(yard, '[[event]]\nround = 2\ntext = "Over."\nwins = "players"\n')
    yard.ok("next")
    shown = yard.ok("next").out
    assert shown.count("The players win.") == 1 and "To end the crisis: crisis end" in shown


def test_an_event_is_undone_and_redone_with_its_cause(yard: Player) -> None:
    opened(yard, HELP)
    yard.ok("next")
    yard.ok("next --json")
    with_help = yard.ok("status --json").out
    assert "2 actions" in yard.refused(3, "undo 3").err
    shown = yard.ok("undo").lines
    assert [line.partition(":")[0] for line in shown] == ["undone 4", "undone 3"]
    assert names(yard) == ["Jack", "Drone"]
    assert len(yard.ok("redo").lines) == 2
    assert yard.ok("status --json").out == with_help
    yard.ok("undo 2")
    yard.ok("redo 2")
    assert yard.ok("status --json").out == with_help
    yard.ok("note here")
    yard.ok("rewind 3")
    assert yard.ok("status --json").out == with_help, "an event stays with its cause"
    yard.ok("rewind 1")
    assert names(yard) == ["Jack", "Drone"]
    yard.ok("redo 2")
    assert yard.ok("status --json").out == with_help


def test_the_journal_needs_no_file(yard: Player) -> None:
    opened(yard, HELP)
    (yard.here / "encounters/yard.toml").unlink()
    yard.ok("next")
    yard.ok("next")
    assert len(events(yard)) == 1
    assert "no differences" in yard.ok("verify").out
    assert "Boots." in yard.ok("replay").out


def test_an_event_happens_once_unless_again(yard: Player) -> None:
    more = """
[[event]]
hurt = "Jack"
below = 100
text = "Once."
[[event]]
hurt = "Jack"
below = 100
again = true
text = "Again."
[[event]]
round = 2
again = true
text = "Each round."
"""
    opened(yard, more)
    whole = yard.ok("status --json").record["fighters"][0]["max"]["health"]
    for health in (20, 19, whole, 20, whole):
        yard.ok(f"set jack health {health}")
    assert [one["text"] for one in events(yard)] == ["Once.", "Again.", "Again."]
    for _ in range(4):
        yard.ok("next")
    assert [one["text"] for one in events(yard)][3:] == ["Each round.", "Each round."]
    assert "no differences" in yard.ok("verify").out


ROUNDS = ("next",) * 8
HEALTH = ("set jack health 1", "set jack health 25", "set jack health 1")
REPEATING = [
    pytest.param(
        [
            'round = 2\nagain = true\ntext = "A"',
            'round = 2\nagain = true\ntext = "B"',
            'round = 3\ntext = "C"',
            'after = 2\nagain = true\ntext = "D"',
        ],
        ROUNDS,
        ["", "AB", "", "ABCD", "", "ABD", "", "ABD"],
        id="rounds, and one that happens once between them",
    ),
    pytest.param(
        ['after = 1\nagain = true\ntext = "A"', 'round = 1\nagain = true\ntext = "B"'],
        ROUNDS,
        ["", "AB", "", "AB", "", "AB", "", "AB"],
        id="the first of the file is due later",
    ),
    pytest.param(
        [
            'hurt = "Jack"\ntext = "A"',
            'hurt = "Jack"\nagain = true\ntext = "B"',
            'hurt = "Jack"\nagain = true\ntext = "C"',
        ],
        HEALTH,
        ["ABC", "", "BC"],
        id="wounds",
    ),
    pytest.param(
        [
            'down = "side:players"\nagain = true\ntext = "A"',
            'down = "Jack"\ntext = "B"',
            'down = "Jack"\nagain = true\ntext = "C"',
        ],
        ("set jack health 0", "set jack health 25", "set jack health 0"),
        ["ABC", "", "AC"],
        id="down",
    ),
    pytest.param(
        ['hurt = "Jack"\nagain = true\ntext = "A"', 'hurt = "Jack"\nround = 2\nagain = true\ntext = "B"'],
        ("set jack health 1", "next", "next", "set jack health 25", "set jack health 1", "next", "next"),
        ["A", "", "B", "", "AB", "", "B"],
        id="wounds in a round: each time, and each round anew",
    ),
]


@pytest.mark.parametrize(("some", "steps", "expected"), REPEATING)
def test_every_repeating_event_that_is_due_happens(
    yard: Player, some: list[str], steps: tuple[str, ...], expected: list[str]
) -> None:
    opened(yard, "".join(f"\n[[event]]\n{one}\n" for one in some))
    at_first = events(yard)
    told, states = [], []
    for step in steps:
        before = len(events(yard))
        yard.ok(step)
        told.append("".join(str(one["text"]) for one in events(yard)[before:]))
        states.append(yard.ok("status --json").out)
    assert told == expected
    assert "no differences" in yard.ok("verify").out
    for number in range(len(steps) - 1, 0, -1):
        yard.ok("undo")
        assert yard.ok("status --json").out == states[number - 1]
    yard.ok("undo")
    assert events(yard) == at_first
    yard.ok(f"redo {len(steps)}")
    assert yard.ok("status --json").out == states[-1]


def test_the_odds_of_every_repeating_event_are_rolled_each_time(yard: Player) -> None:
    one = '\n[[event]]\nround = 2\nagain = true\nodds = 50\ntext = "{}"\n'
    opened(yard, one.format("A") + one.format("B"))
    for _ in range(12):
        yard.ok("next")
    rolled = [found["event"] for found in events(yard)]
    assert rolled == [1, 2] * 6, "two dice at the beginning of each of the rounds 2 to 7"
    assert {found["success"] for found in events(yard)} == {True, False}


@pytest.mark.slow
def test_odds_are_a_die_of_the_log(yard: Player) -> None:
    more = '\n[[event]]\nround = 2\nodds = "{}"\ntext = "They come."\n'
    fell = set()
    for seed in range(12):
        place(yard, more.format("even"))
        yard.ok(f"init --encounter yard --seed {seed}")
        yard.ok("next")
        yard.ok("next")
        (event,) = events(yard)
        (roll,) = event["rolls"]  # type: ignore[misc]
        assert event["success"] == (roll["faces"][0] <= 50) == ("text" in event)
        fell.add(event["success"])
        yard.ok("next")
        assert len(events(yard)) == 1, "what the die denied is over"
        assert "no differences" in yard.ok("verify").out
        yard.ok("end --no-save --yes")
    assert fell == {True, False}


def test_who_is_down_changes_how_the_others_fight(yard: Player) -> None:
    more = """
[[fighter]]
sheet = "drone"
name = "Guard"
count = 2
[[event]]
down = "Drone"
text = "They look at each other."
doctrine = { opponents = "coward" }
conditions = { Guard = ["prone"] }
remove = "Guard 2"
tension = 2
"""
    opened(yard, more)
    yard.ok("set drone health 0")
    status = {one["name"]: one for one in yard.ok("status --json").record["fighters"]}
    assert status["Guard 1"]["doctrine"] == "coward" and status["Jack"]["doctrine"] == "careful"
    assert "prone" in status["Guard 1"]["conditions"] and status["Guard 2"]["gone"]
    assert yard.ok("oracle locked --json").record["tension"]["was"] == 4
    yard.ok("undo 2")
    status = {one["name"]: one for one in yard.ok("status --json").record["fighters"]}
    assert status["Guard 1"]["doctrine"] == "careful" and not status["Guard 2"]["gone"]


def test_the_fight_is_won_by_holding_on(yard: Player) -> None:
    opened(yard, '\n[[event]]\nafter = 2\ntext = "Dawn."\nwins = "players"\n')
    for _ in range(3):
        yard.ok("next")
    assert not yard.ok("status --json").record["decided"]
    shown = yard.ok("next").out
    assert "Dawn." in shown and "The players win.\n  To end the crisis: crisis end" in shown
    record = yard.ok("status --json").record
    assert record["decided"] and record["winner"] == "players" and record["standing"]["opponents"]
    ended = yard.ok("end --no-save --yes").out
    assert "The players win after 2 rounds.\nQuiet again.\n  reward: a key" in ended
    assert yard.ok("undo").status == 0
    yard.ok("undo")
    assert not yard.ok("status --json").record["decided"]


def test_nobody_may_win(yard: Player) -> None:
    opened(yard, '\n[[event]]\nafter = 1\nwins = "nobody"\n')
    yard.ok("next")
    yard.ok("next")
    assert yard.ok("status --json").record["winner"] is None
    assert "A draw after 1 round." in yard.ok("end --no-save --yes").out


def test_without_a_last_stand_the_fight_goes_on_until_an_event_or_the_last_player(yard: Player) -> None:
    timed = '\n[[event]]\nafter = 3\nwins = "players"\n'
    place(yard, timed, head="last_stand = false\n" + HEAD)
    yard.ok("init --encounter yard --seed 1")
    yard.ok("set drone health 0")
    assert not yard.ok("status --json").record["decided"]
    for _ in range(3):
        yard.ok("next")
    assert yard.ok("status --json").record["winner"] == "players"
    yard.ok("undo 3")
    yard.ok("set jack health 0")
    record = yard.ok("status --json").record
    assert record["decided"] and record["winner"] is None


def test_a_second_wave_comes_before_the_fight_is_over(yard: Player) -> None:
    more = '\n[[event]]\ndown = "side:opponents"\nadd = [{ sheet = "drone", name = "Second" }]\n'
    opened(yard, more)
    yard.ok("set drone health 0")
    assert not yard.ok("status --json").record["decided"]
    yard.ok("set second health 0")
    assert yard.ok("status --json").record["winner"] == "players"


def test_at_most_so_many_events_follow_from_one_entry(yard: Player) -> None:
    more = """
[[event]]
down = "side:opponents"
again = true
add = [{ sheet = "drone", conditions = ["dead"], pools = { health = 0 } }]
"""
    opened(yard, more)
    yard.ok("set drone health 0")
    assert 1 <= len(events(yard)) <= 32
    assert "no differences" in yard.ok("verify").out


def test_events_at_the_start_happen_at_the_start(yard: Player) -> None:
    opened(yard, '\n[[event]]\nround = 1\ntext = "Now."\n')
    assert [(one["number"], one["text"]) for one in events(yard)] == [(2, "Now.")]
    assert "nothing to undo" in yard.refused(3, "undo").err


def test_circumstances_count_among_the_modifiers(yard: Player) -> None:
    more = """
[[circumstance]]
name = "rain"
rolls = ["attack"]
value = -2
who = "opponents"
[[circumstance]]
name = "dusk"
rolls = ["attack"]
value = -1
range = 4
[[event]]
round = 2
circumstance = { name = "rain", rolls = ["attack"], value = 0 }
"""
    opened(yard, more)

    def lines(words: str) -> dict[str, int]:
        record = yard.ok(f"{words} --dry-run --force --explain --json").record
        return {one["name"]: one["value"] for one in record["modifiers"] if one["roll"] == "attack"}

    assert lines("attack jack drone").get("dusk") == -1
    yard.ok("set drone at 1,0")
    assert not {"rain", "dusk"} & set(lines("attack jack drone"))
    assert lines("attack jack --by drone")["rain"] == -2
    yard.ok("next")
    yard.ok("next")
    assert "rain" not in lines("attack jack --by drone")


def test_dice_put_those_who_come_and_the_seed_fixes_them(yard: Player) -> None:
    more = '\n[[fighter]]\nsheet = "drone"\nname = "Rat"\ncount = "d6+1"\n'
    counts = set()
    for seed in range(8):
        place(yard, more)
        for _ in range(2):
            yard.ok(f"init --encounter yard --seed {seed}")
            found = len(names(yard))
            yard.ok("end --no-save --yes")
        counts.add(found)
        yard.ok(f"init --encounter yard --seed {seed}")
        assert len(names(yard)) == found
        yard.ok("end --no-save --yes")
    assert counts <= set(range(4, 10)) and len(counts) > 2


def test_the_sides_are_compared_by_exact_odds(crisis: Player) -> None:
    shown = crisis.ok("odds encounter bridge --seed 1").out
    assert "% of a foe a turn" in shown and "The opponents bring down" in shown
    record = crisis.ok("odds encounter bridge --seed 1 --json").record
    assert [one["name"] for one in record["fighters"]][:2] == ["Jack", "Ada"]
    alone = crisis.ok("odds encounter bridge jack --json --seed 1").record["sides"]["players"]
    assert alone["downs"] < record["sides"]["players"]["downs"] and alone["fighters"] == 1


MAYBE_TWO = """
[[event]]
round = 1
odds = 50
add = [{ sheet = "drone", name = "Runner", count = "d2", at = [[9, 0], [10, 0]] }]
"""


def faces_of(prompt: str) -> str:
    """What the player's dice show: help comes, and two of them; all else shows a one for each die."""
    return "37" if "d100" in prompt else "2" if "count" in prompt else "1 1 1" if "3d6" in prompt else "1"


def test_real_dice_of_events_are_asked_for(yard: Player) -> None:
    place(yard, MAYBE_TWO.replace("round = 1", "round = 2"))
    for words in ("init --encounter yard --seed 1", "next", "next"):
        yard.ok(f"{words} --real-dice", answers=faces_of)
    (event,) = events(yard)
    rolls = {one["what"]: one["faces"] for one in event["rolls"]}  # type: ignore[attr-defined]
    assert (rolls["event"], rolls["count"]) == ([37], [2])
    assert names(yard) == ["Jack", "Drone", "Runner 1", "Runner 2"]
    assert any("count" in prompt for prompt in yard.prompts)
    scene = yard.ok("status --json").out
    yard.ok("undo")
    yard.ok("redo")
    assert yard.ok("status --json").out == scene
    yard.ok("verify")


def test_giving_up_at_the_dice_of_an_event_opens_nothing(yard: Player) -> None:
    place(yard, MAYBE_TWO)
    left = yard(
        "init --encounter yard --seed 1 --real-dice",
        answers=lambda prompt: "^C" if "d100" in prompt else faces_of(prompt),
    )
    assert left.status == 130 and not yard.journal.exists()


def test_the_program_rolls_for_events_without_real_dice(yard: Player) -> None:
    opened(yard, MAYBE_TWO)
    assert not yard.prompts and events(yard)


def test_a_move_and_the_goal_tell_one_distance_to_a_place(crisis: Player) -> None:
    crisis.ok("init --encounter bridge --seed 2")
    crisis.ok("next")
    crisis.ok("set jack at 24,4")
    assert "  20 m from the far bank" in crisis.ok("act move toward far-bank").lines
    assert "Jack 20 m" in crisis.ok("goal").out


def test_one_goes_as_near_to_a_taken_place_as_to_a_fighter(yard: Player) -> None:
    head = HEAD.replace("at = [0, 0]", 'at = "this side"').replace("at = [5, 0]", 'at = "that side"')
    head = head.replace("[party]", 'map = """\n#########\n#A.....B#\n#########\n"""\n\n[party]')
    legend = """
[legend]
"#" = { name = "wall", stops = ["move"] }
A = { place = "this side" }
B = { place = "that side" }
"""
    place(yard, legend, head=head)
    yard.ok("init --encounter yard --seed 1")
    yard.ok("act jack move toward drone --force")
    near = yard.fighter("Jack")["at"]
    yard.ok("undo")
    shown = yard.ok("act jack move toward that-side --force").out
    assert "m from that side" in shown and yard.fighter("Jack")["at"] == near
    yard.ok("set jack at 6,1")
    refusal = yard.refused(3, "act jack move toward that-side --force").err
    assert "closer to that side with move: others stand there" in refusal


def test_one_goes_toward_a_place_by_its_name(crisis: Player) -> None:
    crisis.ok("init --encounter garage")
    assert "5 zones from the truck" in crisis.ok("act move toward truck").out
    assert "has moved this turn already" in crisis.refused(3, "act move toward truck").err
    assert "did you mean truck?" in crisis.refused(4, "act sprint toward trukc").err
    assert "no fighter here is called 'xyzzy'" in crisis.refused(4, "act sprint toward xyzzy").err
    crisis.ok("undo")
    crisis.ok("set cass at 5,1")
    assert "at the truck" in crisis.ok("act move toward tru").out
    assert "Cass is at the truck already" in crisis.refused(3, "act sprint toward truck").err
