"""`crisis act`: the actions without a verb of their own (3D6-14)."""

from __future__ import annotations

import re
from importlib import import_module

import pytest
from conftest import Player, Sheets

from crisis_cli.engine.system import System
from crisis_cli.systems import load, names


def test_each_action_costs_its_ap(fight: Player) -> None:
    """3D6-14."""
    for words, left in (("act drop-prone", 3), ("act stand-up", 1), ("act move", 0)):
        fight.ok(words)
        assert fight.fighter("Jack")["pools"]["ap"] == left
    assert fight.refused(3, "act move --json").error["rule"] == "3D6-11"


def test_it_reads_like_a_fight(fight: Player) -> None:
    assert fight.ok("act drop-prone").lines == [
        "Jack drops to the ground. (3 AP left)",
        "  Jack is prone.",
    ]
    assert fight.ok("act jack stand-up").lines[0] == "Jack gets up. (1 AP left)"


def test_json_tells_conditions_as_false_and_true(fight: Player) -> None:
    effects = fight.ok("act hide --cover light --json").record["effects"]
    assert {"who": "Jack", "what": "condition:hidden", "was": False, "now": True, "rule": "3D6-14"} in effects
    paid = [{"name": "cost", "value": -3, "rule": "3D6-14"}]
    assert {"who": "Jack", "what": "ap", "was": 4, "now": 1, "rule": "3D6-14", "parts": paid} in effects


@pytest.mark.parametrize("word", ["drop-prone", "drop_prone", "DROP-PRONE"])
def test_actions_are_found_however_they_are_spelled(fight: Player, word: str) -> None:
    assert fight.ok("act", word, "--json").record["action"] == "drop-prone"


def test_hidden_ends_with_an_attack(fight: Player) -> None:
    fight.ok("act hide --cover light")
    fight.ok("set jack ap 4")
    fight.ok("attack drone")
    assert fight.fighter("Jack")["conditions"] == {}


def test_a_move_goes_where_it_is_sent_and_no_farther(fight: Player) -> None:
    """3D6-14: speed + 5 metres."""
    fight.ok("set jack at 0,0")
    assert fight.ok("act move --to 3,4 --json").record["metres"] == 5
    assert fight.fighter("Jack")["at"] == [3, 4]
    shown = fight.refused(3, "act move --to 9,9")
    assert "5 m" in shown.err
    assert fight.refused(3, "act sneak --to 3,1 --json").error["rule"] == "3D6-14"
    fight.ok("act sneak 3,2")
    assert fight.fighter("Jack")["at"] == [3, 2]


def test_a_place_is_taken_as_it_is_printed(fight: Player) -> None:
    assert "at −2,3." in fight.ok("act move −2,3").out
    assert fight.ok("status --json").record["fighters"][0]["at"] == [-2, 3]


def test_a_weapon_is_drawn_and_the_old_one_put_away(crisis: Player, sheets: Sheets) -> None:
    crisis.ok("init ada --vs drone --open --dice 6,6,6,1,1,1")
    held = [one for one in crisis.ok("act draw knife --json").record["effects"] if one["what"] == "held"]
    assert [(one["was"], one["now"]) for one in held] == [(["pistol"], ["knife"])]


def test_reloading_fills_and_costs_what_the_weapon_says(crisis: Player, sheets: Sheets) -> None:
    crisis.ok("init ada --vs drone --open --dice 6,6,6,1,1,1")
    crisis.ok("attack drone --dice 1,1,1")
    effects = crisis.ok("act reload --json").record["effects"]
    assert {one["what"]: (one["was"], one["now"]) for one in effects} == {"ap": (2, 0), "ammo": (1, 2)}
    assert "full" in crisis.refused(3, "act reload").err


class TestLongActions:
    """3D6-12: a cost above 6 is paid over turns; the flintlock musket of the rules."""

    @pytest.fixture
    def musket(self, crisis: Player, sheets: Sheets) -> Player:
        """Ada with an empty musket that takes 10 AP to load, 3 AP in hand."""
        musket = '[weapons.musket]\nkind = "ranged"\ndamage = 9\ncapacity = 1\nreload = 10\n'
        sheets.write("ada", sheets.text("ada").replace("[weapons.pistol]", musket + "[weapons.pistol]"))
        crisis.ok("init ada --vs drone --open --dice 6,6,6,1,1,1")
        crisis.ok("set ada ammo:musket 0")
        crisis.ok("set ada ap 3")
        return crisis

    def test_the_worked_example(self, musket: Player) -> None:
        for paid, left in ((3, 0), (7, 0), (None, 1)):
            record = musket.ok("act reload musket --json").record
            assert record.get("paid") == paid, record
            assert musket.fighter("Ada")["pools"]["ap"] == left
            musket.ok("next")
            musket.ok("next")
        assert musket.fighter("Ada")["pools"]["ammo:musket"] == 1

    def test_what_is_paid_is_shown_and_survives_a_turn_without(self, musket: Player) -> None:
        assert "3 of 10" in musket.ok("act reload musket").out
        musket.ok("next")
        musket.ok("next")
        musket.ok("next")
        musket.ok("next")
        assert "3 paid" in musket.ok("status").out

    def test_another_action_loses_it_unless_forced(self, musket: Player) -> None:
        musket.ok("act reload musket")
        musket.ok("set ada ap 4")
        shown = musket.ok("act drop-prone")
        assert "reload" in shown.out, "the player sees that what was paid is gone"
        musket.ok("undo")
        musket.ok("act drop-prone --force")
        assert musket.ok("act reload musket --json").record["paid"] == 6


def test_out_of_a_crisis_the_one_who_acts_is_named_first(crisis: Player, sheets: Sheets) -> None:
    assert crisis.ok("act ada draw knife --json").record["actor"] == "Ada"
    assert crisis.ok("act draw knife --by ada --json").record["actor"] == "Ada"
    assert crisis.files().keys() == {f"characters/{stem}.toml" for stem in ("jack", "drone", "ada")}


def test_save_writes_conditions(crisis: Player, sheets: Sheets) -> None:
    crisis.ok("act jack drop-prone --save")
    assert sheets.state("jack") == {"conditions": ["prone"]}
    crisis.ok("act jack stand-up --save")
    assert sheets.state("jack") == {}


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("act", 2),
        ("act jack", 2),
        ("act nobody hide", 4),
        ("act jack stand-up", 3),
        ("act jack hide jack", 2),
        ("act jack draw halberd", 2),
        ("act jack draw baton", 3),
        ("act jack reload", 3),
        ("act jack move --to there", 2),
        ("act jack move --to 1,2,3", 2),
        ("act jack move --to nan,0", 2),
        ("act jack use-item soup", 2),
    ],
)
def test_what_cannot_be_done(crisis: Player, sheets: Sheets, words: str, status: int) -> None:
    crisis.refused(status, words)


@pytest.mark.parametrize(
    "words", ["act jack fly", "act jack end-turn", "act jack init", "act jack set", "act jack end"]
)
def test_an_unknown_action_lists_what_there_is(crisis: Player, sheets: Sheets, words: str) -> None:
    shown = crisis(words)
    assert shown.status in (2, 3)
    assert "stand-up" in shown.err
    assert "init" not in shown.err.split("hint")[-1], "rolling for the order is nothing to act out"


def test_a_name_alone_lists_what_there_is_out_of_a_crisis_too(crisis: Player, sheets: Sheets) -> None:
    assert "stand-up" in crisis.refused(2, "act jack").err


def test_the_prone_the_stunned_and_the_dead(fight: Player) -> None:
    """3D6-16, 3D6-17, 3D6-27, each with what would be legal."""
    for hand, words, rule in (
        ("set jack condition:prone on", "attack drone", "3D6-16"),
        ("set jack condition:stunned on", "act hide", "3D6-17"),
        ("set jack health 0", "act hide", "3D6-27"),
    ):
        fight.ok(hand)
        error = fight.refused(3, f"{words} --json").error
        assert (error["rule"], bool(error["hint"])) == (rule, True)
        fight.ok("undo")


def test_acting_out_of_turn_is_refused(fight: Player) -> None:
    assert fight.refused(3, "act drone hide --json").error["code"] == "not_their_turn"
    assert fight.refused(3, "act hide --by drone --json").error["code"] == "not_their_turn"
    assert fight.ok("act drone hide --force --json").record["forced"]


def test_a_fighter_who_would_do_it_to_itself_may_mean_somebody_else(fight: Player) -> None:
    """DESIGN: out of turn it is `--by WHO`."""
    error = fight.refused(3, "act attack jack --json").error
    assert error["code"] == "not_their_turn"
    assert "Jack cannot be its own target" in error["message"] and "--by WHO" in error["hint"]


@pytest.mark.parametrize(
    ("words", "option"),
    [
        ("act cass defend --treat head", "--treat"),
        ("act cass take-chem --buy 1", "--buy"),
        ("act cass stand-up --prone", "--prone"),
        ("act hagen hunker --bonus 1", "--bonus"),
    ],
)
def test_no_action_does_as_if_an_option_had_not_been_given(crisis: Player, words: str, option: str) -> None:
    """DESIGN: a mistaken option is usage."""
    error = crisis.refused(2, f"{words} --json").error
    assert (
        error["code"] == "unheeded_option"
        and option in error["message"]
        and "actions with it" in error["hint"]
    )


def test_every_action_takes_the_options_that_are_its_own(crisis: Player) -> None:
    """2D20-7, 2D20-12, POOL-12, POOL-24."""
    for words in (
        "act cass move --prone",
        "act cass defend --ap 3 --ap-spend 2 --buy 1",
        "act hagen do --cost 2 --skill perception --bonus 1",
        "act hagen take-hits --hits 2 --protection 1",
    ):
        assert crisis.ok(f"{words} --seed 1 --json").record["action"] == words.split()[2]


@pytest.fixture
def afield(crisis: Player, sheets: Sheets) -> Player:
    """Jack and Ada ten metres from two drones, Jack's turn."""
    crisis.ok(
        "init jack ada --vs drone:2 --open --dice 6,6,6,5,5,5,1,1,1,1,1,2 "
        "--place jack=0,0 ada=0,2 drone1=10,0 drone2=10,2"
    )
    return crisis


def test_a_step_says_how_far_and_where_to_in_one_line(fight: Player) -> None:
    fight.ok("set jack at 0,0")
    assert fight.ok("act move 3,4").lines == ["Jack moves 5 m to 3,4. (3 AP left)"]
    assert "Jack moves 5 m to 3,4." in fight.ok("log").out
    assert fight.ok("set jack at 1,1").lines[-1].strip() == "Jack is at 1,1."


def test_a_turn_of_many_steps_is_as_many_lines(afield: Player) -> None:
    afield.ok("set jack at 40,0")
    afield.ok("set ada at 40,2")
    afield.ok("next")
    for _ in range(2):
        played = afield.ok("auto")
        steps = [line for line in played.lines if " moves " in line]
        said = re.compile(r"\S.* moves \d+ m to −?\d+,−?\d+\.")
        assert all(said.fullmatch(one) for one in steps), steps
        assert " is at " not in played.out
    assert len(steps) > 1


def test_a_move_in_words_goes_where_it_says(afield: Player) -> None:
    dry = afield.ok("act move toward drone-1 --dry-run").lines
    assert dry[-2].endswith(" m from Drone 1") and "a dry run" in dry[-1]
    shown = afield.ok("act move toward drone-1")
    to = afield.fighter("Jack")["at"]
    assert 0 < to[0] < 10 and shown.lines[-1].strip() == f"{round(10 - to[0])} m from Drone 1"
    afield.ok("undo")
    beside = afield.ok("act move beside ada")
    assert beside.lines[-1].strip() == "1 m from Ada" and afield.fighter("Jack")["at"] != [0, 2]
    afield.ok("undo")
    afield.ok("act move away")
    assert afield.fighter("Jack")["at"][0] < 0
    assert afield.ok("verify").status == 0


def test_a_move_in_words_that_leads_nowhere_says_why(afield: Player, crisis: Player) -> None:
    assert "missing name: toward WHO" in afield.refused(2, "act move toward").err
    assert "toward NAME" in afield.refused(2, "act move sideways").err
    assert "is there already" in afield.refused(3, "act move --to 0,0").err
    assert "Ada stands there" in afield.refused(3, "act move --to 0,2").err
    afield.ok("set jack ap 0")
    for way in ("away", "toward ada", "toward drone-1"):
        assert "Jack has 0 AP; move costs 1" in afield.refused(3, f"act move {way}").err
    afield.ok("set drone-1 at none")
    assert "Drone 1 has no position" in afield.refused(3, "act move toward drone-1").err


def test_the_turn_order_is_set_by_hand(afield: Player) -> None:
    shown = afield.ok("set order drone-2,ada --why late")
    assert "Drone 2, Ada, Jack, Drone 1" in shown.out
    afield.ok("next")
    assert afield.ok("status --json").record["actor"] == "Drone 1"
    afield.ok("undo 2")
    afield.ok("next")
    assert afield.ok("status --json").record["actor"] == "Ada"
    assert afield.ok("verify").status == 0
    assert "twice" in afield.refused(2, "set order ada,ada").err


def test_first_aid_is_offered_for_the_hurt_alone(crisis: Player) -> None:
    """POOL-39: boosts for the unhurt may be asked for; they are offered to no one, nor a bandage without its effect."""
    crisis.ok("init hagen tilda --vs bandit --open --seed 5 --dice 5,5,5,1,1,1,1,1,1,1,1,1")

    def offered() -> list[tuple[str, list[str]]]:
        records = crisis.ok("act hagen --list --json").records
        return [(one["act"], one["targets"]) for one in records if one["legal"]]

    assert not {"heal", "use"} & {action for action, _ in offered()}
    assert crisis.ok("act hagen heal --list --json").record["legal"]
    assert crisis.ok("act hagen use --list --json").record["legal"]
    crisis.ok("set tilda wounds 1")
    assert [targets for action, targets in offered() if action == "heal"] == [["Tilda"]]
    crisis.ok("set hagen condition:bleeding 1")
    assert [targets for action, targets in offered() if action == "heal"] == [["Hagen"], ["Tilda"]]


def test_hits_that_nobody_rolled_for_can_be_found_in_the_list(crisis: Player) -> None:
    crisis.ok("init hagen --vs bandit --open --seed 5 --dice 5,5,5,1,1,1,1")
    assert "take-hits" in crisis.ok("act hagen --list").out


def test_hits_that_nobody_rolled_for_are_recorded(crisis: Player) -> None:
    crisis.ok("init hagen --vs bandit --open --seed 7")
    record = crisis.ok("act hagen take-hits --hits 2 --each 3 --json").record
    assert record["action"] == "take-hits"
    assert crisis.ok("verify --json").record["differences"] == []


@pytest.mark.parametrize(
    ("words", "status", "code", "says"),
    [
        ("hide", 3, "no_crisis", "crisis act WHO hide"),
        ("hide jack", 3, "no_crisis", "crisis act WHO hide jack"),
        ("Drop_Prone", 3, "no_crisis", "no crisis is open"),
        ("bogus", 2, "unknown_action", "no action and no sheet is called 'bogus'"),
        ("jakc", 2, "unknown_action", "did you mean jack?"),
        ("jack", 2, "missing_argument", "missing argument: ACTION"),
        ("jack bogus", 2, "unknown_action", "no action called 'bogus'"),
        ("bogus hide", 4, "not_found", "no sheet is called 'bogus'"),
        ("hide --by bogus", 4, "not_found", "no sheet is called 'bogus'"),
    ],
)
def test_without_a_crisis_the_error_says_what_is_missing(
    crisis: Player, sheets: Sheets, words: str, status: int, code: str, says: str
) -> None:
    error = crisis.refused(status, f"act {words} --json").error
    assert error["code"] == code and says in f"{error['message']} {error['hint']}"


def test_a_sheet_that_is_called_like_an_action_is_meant(crisis: Player, sheets: Sheets) -> None:
    sheets.write("hide", sheets.text("jack").replace('name = "Jack"', 'name = "Hide"'))
    assert "Hide: missing argument: ACTION" in crisis.refused(2, "act hide").err
    assert crisis.ok("act hide drop-prone --json").record["actor"] == "Hide"


def test_what_is_put_away_to_draw_something_is_named(crisis: Player) -> None:
    """2D20-11."""
    crisis.ok("init cass --vs ghoul --open --initiator cass --seed 1")
    crisis.ok("set cass held repeater,revolver")
    refusal = crisis.refused(3, "act draw knife --away stimpak --json").error
    assert "in hand: repeater, revolver" in refusal["hint"]
    (held,) = (
        one
        for one in crisis.ok("act draw knife --away rep --json").record["effects"]
        if one["what"] == "held"
    )
    assert (held["was"], held["now"]) == (["repeater", "revolver"], ["knife", "revolver"])
    assert "draw knife --away repeater" in crisis.ok("log --script").out
    crisis.refused(2, "act draw revolver --away wand")


def verbs_of(system: System, action: str) -> list[str]:
    """The verbs that run an action: its own, else `act`, and those that an option turns into it."""
    own = action if action in ("attack", "throw", "heal", "check", "init") else "act"
    return [own, *(verb for one in system.command_options if one.instead == action for verb in one.verbs)]


def typed_options(system: System, verb: str) -> set[str]:
    """The options of a verb, by key, that a system has."""
    parameters = import_module(f"crisis_cli.commands.{verb}").command.params
    return {one.name for one in parameters if system.name in getattr(one, "owners", [system.name])}


@pytest.mark.parametrize("name", names())
def test_every_option_of_an_action_can_be_typed(name: str) -> None:
    """POOL-5, POOL-36: an attack takes a difficulty, and a coup de grâce the options of the attack that it is."""
    system = load(name)
    for action, row in system.actions.items():
        verbs = verbs_of(system, action)
        can_type = set().union(*(typed_options(system, verb) for verb in verbs))
        # `act WHO ready ACTION` names the action without an option.
        missing = {one for one in row.options if one.replace("-", "_") not in can_type} - {"deed"}
        assert not missing, (action, verbs)


@pytest.mark.parametrize(
    ("words", "option", "takes"),
    [
        ("attack vera raider --difficulty hard", "--difficulty", "check"),
        ("heal moss vera --difficulty 3", "--difficulty", "check"),
        ("act jack move --range 3", "--range", "attack"),
        ("act vera kneel --cover light", "--cover", "hide"),
    ],
)
def test_difficulty_range_and_cover_are_refused_where_they_mean_nothing(
    crisis: Player, words: str, option: str, takes: str
) -> None:
    """ALL-7: nothing is ignored that the player has typed."""
    error = crisis.refused(2, f"{words} --json").error
    assert error["code"] == "unheeded_option" and option in error["message"] and takes in error["hint"]


def test_an_attack_can_be_made_difficult(crisis: Player) -> None:
    """POOL-5: difficult is a minimum roll of 6 in place of 5, for attacks, throws and first aid."""
    for words, target in (
        ("attack hagen bandit --difficulty difficult --react none", 6),
        ("throw hagen bandit --difficulty 3 --react none", 8),
        ("heal hagen bandit --difficulty very-easy", 3),
    ):
        assert crisis.ok(f"{words} --seed 1 --json").record["rolls"][0]["target"] == target, words


def test_a_coup_de_grace_is_made_as_any_attack_is(crisis: Player) -> None:
    """POOL-36: with a mode, aimed and massive."""
    dying = "--set bandit.state.conditions.asleep=true --seed 1 --json"
    blow = crisis.ok(f"act hagen coup-de-grace bandit --mode melee --massive 1 --aim 1 --explain {dying}")
    lines = {line["name"]: line["value"] for line in blow.record["modifiers"]}
    assert (lines["massive"], lines["aim"]) == (3, -2)


def test_no_hint_names_first_what_cannot_be_paid(crisis: Player) -> None:
    """2D20-11: nothing is drawn without a Minor action."""
    crisis.ok("init cass doc --vs ghoul --open --seed 1")
    crisis.ok("act cass aim")
    refused = crisis.refused(3, "act cass take-chem doc --item stimpak").err
    assert "draw is not possible now: Cass has 0 Minor actions" in refused and "draw it first" not in refused
    listed = crisis.ok("act cass --list").out
    assert "draw       Cass has 0 Minor actions" in listed and "draw it first" not in listed
