"""What is typed at the prompt, and what becomes of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import JOURNAL_NAME, JOURNAL_OF_NOW, Player, Sheets, Shown, slow_but

from crisis_cli.render.style import Ink

from .conftest import CTRL_C, ENTER, ESCAPE, F1, F5, F8, F10, TAB, Evening

GATE = """
name = "The gate"
system = "3d6"

[party]
sheets = ["jack"]

[[fighter]]
sheet = "drone"

[[event]]
round = 2
odds = 50
text = "Something hums."
add = [{ sheet = "drone", name = "Runner", count = "d2" }]
"""
"""An encounter with an event for which three kinds of dice are rolled."""


def typed(*lines: str) -> str:
    return "".join(line + ENTER for line in lines)


def actions(crisis: Player) -> list[tuple[str, str]]:
    """What stands in the log."""
    return [(one["action"], one["actor"]) for one in crisis.ok("log --json").records]


def test_it_opens_a_crisis_and_stays_open_when_the_player_leaves(crisis: Player, evening: Evening) -> None:
    shown = evening(words="play jack --vs drone --seed 7")
    assert (shown.status, shown.err) == (0, "")
    assert shown.lines[0] == "Turn order"
    assert "crisis play" in shown.lines[-1]
    assert crisis.journal.exists()


def test_a_line_does_what_the_shell_would(crisis: Player, duel: Evening) -> None:
    shown = duel(typed("attack drone --dice 6,6,4"))
    assert "Jack swings the baton at Drone" in shown.out
    assert actions(crisis)[-1] == ("attack", "Jack")


@pytest.mark.parametrize("line", ["crisis attack drone --dice 1,1,2", "  attack   'drone' --dice 1,1,2 "])
def test_the_programs_name_quotes_and_spaces_are_no_matter(crisis: Player, duel: Evening, line: str) -> None:
    assert duel(typed(line)).err == ""
    assert actions(crisis)[-1] == ("attack", "Jack")


def test_an_action_needs_no_act(crisis: Player, duel: Evening) -> None:
    assert duel(typed("drop-prone", "stand_up")).err == ""
    assert [action for action, _ in actions(crisis)[-2:]] == ["drop-prone", "stand-up"]


def test_after_the_player_the_others_act_by_themselves(crisis: Player, duel: Evening) -> None:
    duel(typed("next"))
    done = actions(crisis)
    assert ("attack", "Drone") in done
    assert done[-1] == ("next", "Drone")
    assert crisis.ok("status --json").record["actor"] == "Jack"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("attack 'dro", "quotation"),
        ("talk to drone", "neither an action nor a verb"),
        ("set nobody health 3", "no fighter here is called"),
        ("play jack --vs drone", "prompt already"),
        ("init jack --vs drone --open", "open already"),
        ("attack drone --shots 2", "belongs to"),
        ("attack drone --bogus", "--bogus"),
    ],
)
def test_what_cannot_be_done_is_reported_and_the_prompt_goes_on(
    crisis: Player, duel: Evening, line: str, words: str
) -> None:
    shown = duel(typed(line, "attack drone --dice 1,1,2"))
    assert words in shown.err
    assert actions(crisis)[-1] == ("attack", "Jack")


def test_ctrl_c_gives_up_the_line_and_never_the_crisis(crisis: Player, duel: Evening) -> None:
    shown = duel("attack dro", CTRL_C, typed("attack drone --dice 1,1,2"))
    assert (shown.status, shown.err) == (0, "")
    assert len(actions(crisis)) == 2


def test_several_lines_pasted_are_done_in_order(crisis: Player, duel: Evening) -> None:
    duel("\x1b[200~drop-prone\nstand-up\n\x1b[201~", ENTER)
    assert [action for action, _ in actions(crisis)[-2:]] == ["drop-prone", "stand-up"]


def test_of_several_lines_none_is_done_after_one_that_is_refused(crisis: Player, duel: Evening) -> None:
    shown = duel("\x1b[200~drop-prone\nreload baton\nstand-up\x1b[201~", ENTER)
    assert shown.err
    assert actions(crisis)[-1][0] == "drop-prone"


def test_a_key_does_its_line_and_keeps_what_was_typed(crisis: Player, duel: Evening) -> None:
    duel("drop-pro", F8, typed("ne"))
    names = [action for action, who in actions(crisis) if who == "Jack"]
    assert names == ["next", "drop-prone"]


def test_f10_leaves(duel: Evening) -> None:
    assert duel("attack", F10, leaves=False).status == 0


def test_f1_tells_what_can_be_typed(duel: Evening) -> None:
    assert "Ctrl-D, quit, exit or q leave" in duel(F1).out


def test_after_an_undo_nobody_acts_until_the_player_says_so(crisis: Player, duel: Evening) -> None:
    duel(typed("next", "undo"))
    done = actions(crisis)
    assert done[-1][1] == "Drone"
    duel(typed("undo 2"))
    assert len(actions(crisis)) < len(done)


def test_auto_lets_the_player_rest(crisis: Player, duel: Evening) -> None:
    duel(typed("auto"))
    assert actions(crisis)[1][1] == "Jack"


def test_end_writes_the_sheets_and_leaves(crisis: Player, sheets: Sheets, duel: Evening) -> None:
    shown = duel(typed("attack drone --dice 6,6,4", "end", "y", ""), leaves=False)
    assert shown.status == 0
    assert not crisis.journal.exists()
    assert (crisis.here / JOURNAL_OF_NOW).exists()
    assert sheets.state("drone")["endurance"] < 50


def test_quit_leaves_as_ctrl_d_does(crisis: Player, duel: Evening) -> None:
    assert duel(typed("quit"), leaves=False).status == 0
    assert crisis.journal.exists()


def test_real_dice_are_asked_for_at_the_prompt(crisis: Player, evening: Evening) -> None:
    crisis.ok("init jack --vs drone --open --seed 7 --dice 6,6,6,1,1,1")
    shown = evening(typed("attack drone", "6 4 3"), words="play --real-dice")
    assert "16 against 16" in shown.out.replace("= ", "")
    rolled = crisis.ok("log --json").records[-1]["rolls"][0]
    assert rolled["faces"] == [6, 4, 3]


def test_real_dice_of_an_event_are_asked_for_at_the_prompt(crisis: Player, evening: Evening) -> None:
    folder = crisis.here / "encounters"
    folder.mkdir()
    (folder / "gate.toml").write_text(GATE, "utf-8")
    crisis.ok("init --encounter gate --seed 1")
    crisis.ok("auto drone off")
    dice = ("37", "2", "6 6 6", "5 5 4")
    shown = evening(typed("next", "next", *dice, "undo", "redo"), words="play --real-dice")
    assert "Runner 1 and Runner 2 join the fight" in shown.out and "redone" in shown.out
    (event,) = (one for one in crisis.ok("log --json").records if one["action"] == "event")
    rolled = {one["what"]: one["faces"] for one in event["rolls"]}
    assert (rolled["event"], rolled["count"]) == ([37], [2])
    assert "Runner 2" in crisis.ok("replay").out
    crisis.ok("verify")


def asked(crisis: Player, evening: Evening, words: str, *keys: str) -> tuple[Shown, list[int]]:
    """An evening on which Jack attacks with the dice 6, 4 and 3 if he is asked for them; and what fell."""
    shown = evening(typed("attack drone --by jack --force", *keys), words=words)
    return shown, crisis.ok("log --json").records[-1]["rolls"][0]["faces"]


@pytest.mark.parametrize("option", ["--real-dice", "--mine"])
def test_whose_dice_are_used_holds_when_a_crisis_is_resumed(
    crisis: Player, sheets: Sheets, evening: Evening, option: str
) -> None:
    crisis.ok("init jack --vs drone --open --seed 7 --dice 6,6,6,1,1,1")
    status = crisis.ok("status --json").out
    evening(words=f"play {option}")
    assert crisis.ok("status --json").out == status, "it is no entry, and changes no seed"
    shown, faces = asked(crisis, evening, "play", "6 4 3")
    assert faces == [6, 4, 3] and "play --digital-dice" in shown.out
    crisis.ok("undo")
    assert crisis.ok("attack drone --json").faces != [6, 4, 3], "in the shell the program rolls"
    crisis.ok("undo")
    evening(words="play --digital-dice")
    rolled = crisis.ok("attack drone --dry-run --json").faces
    shown, faces = asked(crisis, evening, "play")
    assert shown.err == "" and faces == rolled[:3] and "--digital-dice" not in shown.out
    assert crisis.ok("verify").status == 0
    record = json.loads(crisis.journal.read_text("utf-8").splitlines()[2])
    assert record["dice"] == option.lstrip("-").removesuffix("-dice")


@pytest.mark.slow
def test_the_dice_of_a_new_crisis_hold_as_well(crisis: Player, evening: Evening) -> None:
    evening(words="play cass --vs mutant --mine --seed 7")
    evening(typed("check agi+athletics --by cass --difficulty 1 --force", "3 4"), words="play")
    last = crisis.ok("log --json").records[-1]
    assert last["action"] == "check" and last["rolls"][0]["faces"] == [3, 4]
    shown = crisis("play --auto --json --rounds 2")
    assert (shown.status, shown.err) == (0, ""), "without a terminal the program rolls"


def test_two_kinds_of_dice_cannot_go_together(fight: Player) -> None:
    for option in ("--real-dice", "--mine"):
        assert option in fight.refused(2, f"play --digital-dice {option}", answers=[]).err


def test_who_stops_in_the_middle_of_the_dice_has_changed_nothing(crisis: Player, evening: Evening) -> None:
    crisis.ok("init jack --vs drone --open --seed 7 --dice 6,6,6,1,1,1")
    log, status = crisis.ok("log --json").out, crisis.ok("status --json").out
    shown = evening(typed("attack drone"), CTRL_C, words="play --real-dice")
    assert "nothing was changed" in shown.err
    assert (crisis.ok("log --json").out, crisis.ok("status --json").out) == (log, status)


def test_reactions_are_asked_in_the_middle(crisis: Player, evening: Evening) -> None:
    crisis.ok("init bruno --vs ines --open --seed 1")
    shown = evening(typed("attack ines", "none"))
    assert shown.status == 0


def test_luck_is_asked_for_in_the_middle(crisis: Player, evening: Evening) -> None:
    crisis.ok("init cass --vs mutant --open --seed 12 --initiator cass")
    shown = evening(typed("attack mutant --location torso --extra-rounds 0 --dice 18,19,3,1,1,1,1,1", "luck"))
    assert shown.status == 0 and "Luck 5 → 4" in shown.out
    (record,) = crisis.ok("log 2 --json").records
    assert [choice["taken"] for choice in record["choices"]] == ["luck"]


def test_after_a_failure_the_prompt_asks_what_to_spend(crisis: Player, evening: Evening) -> None:
    crisis.ok("init tilda --vs bandit --open --seed 5 --dice 5,4,1,1,1,1,1")
    shown = evening(typed("attack bandit --dice 1,1,1,1,1,1,4", "destiny"))
    assert shown.status == 0
    assert actions(crisis)[-1] == ("attack", "Tilda")
    assert crisis.fighter("Tilda")["pools"]["destiny-dice"] == 0


@pytest.mark.slow
def test_a_reaction_that_fails_asks_at_the_prompt_too(crisis: Player, evening: Evening) -> None:
    crisis.ok("init hagen --vs bandit --open --seed 5 --dice 5,5,5,1,1,1,1")
    blow = "attack hagen --by bandit --force --protection 0 --dice 5,1,1,1"
    shown = evening(
        typed(
            "questions all",
            f"{blow},1,1,6,1",
            "dodge",
            "bonus",
            "set hagen actions 0",
            f"{blow},6,1,1",
            "dodge-destiny",
        )
    )
    assert shown.status == 0 and "parry, destiny die" in shown.err
    taken = [choice["taken"] for one in crisis.ok("log --json").records for choice in one.get("choices", ())]
    assert taken[-3:] == ["dodge", "bonus", "dodge-destiny"]
    pools = crisis.fighter("Hagen")["pools"]
    assert (pools["wounds"], pools["bonus-dice"], pools["destiny-dice"]) == (0, 1, 0)


def test_lines_are_remembered_across_evenings(crisis: Player, duel: Evening) -> None:
    data = crisis.here / "data"
    crisis.env["CRISIS_DATA"] = str(data)
    duel(typed("status"))
    assert "status" in (data / "history").read_text(encoding="utf-8")
    shown = duel("\x1b[A", ENTER)
    assert shown.out.count("status") == 1


def test_without_a_place_for_the_history_it_plays_all_the_same(
    crisis: Player, duel: Evening, tmp_path: Path
) -> None:
    (tmp_path / "no-data").write_text("a file", encoding="utf-8")
    assert duel(typed("status")).status == 0


def test_without_a_terminal_it_is_refused(fight: Player) -> None:
    shown = fight.refused(2, "play")
    assert "--auto" in shown.err


def test_what_another_program_writes_meanwhile_is_seen(crisis: Player, duel: Evening) -> None:
    """The journal known from before has only grown: the prompt goes on from there."""
    crisis.ok("act drop-prone")
    shown = duel(typed("stand-up"))
    assert shown.err == ""
    entries = [json.loads(line) for line in crisis.journal.read_text("utf-8").splitlines()[1:]]
    assert [one["entry"] for one in entries] == list(range(1, len(entries) + 1))


def test_a_crisis_that_somebody_else_has_ended_meanwhile_is_reported(
    crisis: Player, duel: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line is not done: without its crisis it would mean something else."""
    from crisis_cli.repl.prompt import Prompt

    read = Prompt.read

    def ended(self: Prompt, mark: str) -> str:
        line = read(self, mark)
        crisis.ok("end --no-save")
        return line

    monkeypatch.setattr(Prompt, "read", ended)
    shown = duel("attack ada drone" + ENTER, leaves=False)
    assert (shown.status, shown.err) == (0, "")
    assert shown.out == "The crisis in crisis.jsonl has been ended or moved by another program.\n"


def test_ones_own_end_is_no_surprise(duel: Evening) -> None:
    assert "meanwhile" not in duel(typed("end --no-save --yes"), leaves=False).out


def test_end_asks_first_and_names_next_as_it_is_typed_here(crisis: Player, duel: Evening) -> None:
    """Newcomers type it for the end of their turn."""
    shown = duel(typed("end", "n", "status"))
    assert "To end the turn: next" in shown.err and "Round 1" in shown.out
    assert crisis.journal.exists()


def test_what_is_pasted_after_the_end_is_said_to_be_left(crisis: Player, duel: Evening) -> None:
    shown = duel(f"{ESCAPE}[200~end --yes\nundo{ESCAPE}[201~" + ENTER, leaves=False)
    assert "crisis undo takes the end back" in shown.out
    assert shown.lines[-1] == "not run: undo"


def test_a_torn_line_is_reported_of_once_for_every_line_typed(crisis: Player, duel: Evening) -> None:
    with crisis.journal.open("ab") as file:
        file.write(b'{"ent')
    shown = duel("status" + ENTER, "note x" + ENTER, "status" + ENTER)
    assert shown.status == 0 and 1 <= shown.err.count("cut short") <= 3
    assert shown.out.count("Endurance") == 4, shown.out


def test_real_dice_at_the_prompt_are_lost_for_nothing_but_said_so(crisis: Player, evening: Evening) -> None:
    """Another terminal acts while the dice are looked for: nothing is thrown again behind the player's back."""
    crisis.ok("init jack --vs drone --open --seed 7 --dice 6,6,6,1,1,1")
    from crisis_cli.repl.prompt import Prompt

    asked: list[str] = []

    def answers(self: Prompt, question: str, *_: object) -> str:
        asked.append(question)
        crisis.ok("note 'from elsewhere'")
        return "6 4 3"

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Prompt, "ask", answers)
        shown = evening("attack drone" + ENTER, words="play --real-dice")
    assert "was written by another crisis in the meantime" in shown.err and len(asked) == 1
    assert crisis.ok("verify").status == 0


@pytest.mark.parametrize(
    "where",
    slow_but(
        ["--file other.jsonl {}", "{} --file other.jsonl", "{} --file=other.jsonl"], "{} --file other.jsonl"
    ),
)
@pytest.mark.parametrize(
    "line", ["end --yes", "end --no-save --yes", "undo", "next", "set jack health 5", "status", "log"]
)
def test_another_file_is_for_one_line(crisis: Player, duel: Evening, where: str, line: str) -> None:
    """The prompt goes on with its own crisis, which is as it was."""
    crisis.ok("--file other.jsonl init jack --vs drone --open --dice 6,6,6,1,1,1")
    crisis.ok("--file other.jsonl act move")
    before = crisis.journal.read_bytes()
    assert JOURNAL_NAME.sub("", duel(typed(where.format(line), "drop-prone")).err) == ""
    assert crisis.journal.read_bytes().startswith(before)
    assert [action for action, _ in actions(crisis)] == ["init", "drop-prone"]
    other = next(crisis.here.glob("other*.jsonl")).read_bytes()
    assert (other.count(b"\n") > 3) == (line not in ("status", "log"))


def test_another_file_that_is_not_there_is_refused_and_the_prompt_goes_on(
    crisis: Player, duel: Evening
) -> None:
    shown = duel(typed("--file none.jsonl status"), typed("next --file=none.jsonl"), typed("drop-prone"))
    assert shown.err.count("none.jsonl") == 2
    assert actions(crisis)[-1] == ("drop-prone", "Jack")
    assert "this is the prompt already" in duel(typed("--file none.jsonl play jack --vs drone")).err


def test_another_file_that_is_only_typed_changes_nothing(crisis: Player, duel: Evening) -> None:
    """Completing a line reads its options: the prompt's own file is still its own."""
    duel("attack --file none.jsonl dr", TAB, CTRL_C, typed("drop-prone"))
    assert actions(crisis)[-1] == ("drop-prone", "Jack")


def test_what_is_longer_than_the_screen_is_shown_page_by_page(duel: Evening) -> None:
    whole = duel("help attack" + ENTER).out
    paged = duel("help attack" + ENTER + ENTER * 20, rows=24)
    assert paged.out.split("Jack ›")[1] == whole.split("Jack ›")[1]
    stopped = duel("help attack" + ENTER + "q" + ENTER, rows=24)
    assert len(stopped.out) < len(whole) and stopped.status == 0


LONG_HELP = "help attack" + ENTER


@pytest.mark.parametrize("key", [" ", ENTER])
def test_a_key_turns_the_page(duel: Evening, key: str) -> None:
    whole = duel(LONG_HELP).out
    assert duel(LONG_HELP + key * 20 + ENTER, rows=24).out.split("Jack ›")[1] == whole.split("Jack ›")[1]


def test_b_goes_back_a_page_and_q_leaves(crisis: Player, duel: Evening) -> None:
    first = duel(LONG_HELP + "q" + ENTER, rows=24).out
    again = duel(LONG_HELP + " b" + ENTER + "q" + ENTER + typed("drop-prone"), rows=24).out
    usage = "Usage: attack"
    assert (first.count(usage), again.count(usage)) == (1, 2)
    assert actions(crisis)[-1] == ("drop-prone", "Jack")


def test_any_other_key_begins_a_line(crisis: Player, duel: Evening) -> None:
    duel(LONG_HELP + typed("drop-prone"), rows=24)
    assert actions(crisis)[-1] == ("drop-prone", "Jack")


def test_the_list_of_actions_folds_what_cannot_be_done(crisis: Player, duel: Evening) -> None:
    listed = duel("?" + ENTER).lines
    cannot = next(at for at, line in enumerate(listed) if "Jack cannot now: " in line)
    can = listed.index("Jack can")
    assert cannot < can < cannot + 5 and "stand-up" in "".join(listed[cannot:can])
    assert "not prone" not in "".join(listed)
    alone = duel("? stand-up" + ENTER)
    assert "not prone" in alone.out and "Jack can\n" not in alone.out and alone.err == ""


def test_the_ranking_ends_with_the_best_and_fits_the_screen(crisis: Player, evening: Evening) -> None:
    crisis.ok("init ada --vs drone:4 --open --dice 6,6,6,1,1,1,2,2,1,2,4,2,1,1,2")
    for number in range(1, 5):
        crisis.ok(f"set drone-{number} health {number}")
    lines = evening("odds" + ENTER, rows=18).lines
    assert any(line.startswith("Best: attack ") for line in lines[-4:])
    assert any("more: odds --top" in line for line in lines)


def test_the_target_may_be_left_out_where_there_is_one(crisis: Player, duel: Evening) -> None:
    assert duel(typed("attack --dice 1,1,2")).err == ""
    assert actions(crisis)[-1] == ("attack", "Jack")


def test_a_missing_target_of_several_is_named(crisis: Player) -> None:
    crisis.ok("init jack --vs drone:2 --open --dice 6,6,6,1,1,1,2,2,1")
    assert "one of drone-1, drone-2" in crisis.refused(2, "attack").err


def test_a_number_takes_that_line_of_the_last_ranking(crisis: Player, evening: Evening) -> None:
    crisis.ok("init ada --vs drone:3 --open --dice 6,6,6,1,1,1,2,2,1,2,4,2")
    crisis.ok("set drone-2 health 1")
    records = [one for one in crisis.ok("odds --json").records if one["success"]]
    second = next(one for one in records[1:] if one["action"] == "attack")
    number = records.index(second) + 1
    shown = evening(typed("odds", f"attack {number} --dice 1,1,1"))
    done = crisis.ok("log --json").records[-1]
    assert shown.err == "" and done["targets"] == second["targets"]
    crisis.ok("undo")
    shell = crisis.ok(f"attack {number} --dice 1,1,1 --json").record
    assert shell["targets"] == second["targets"], "the shell works the ranking out again"
    assert "has no line 90" in evening(typed("odds", "90")).err
    assert "no ranking has been shown" in evening(typed("attack 90")).err


def test_a_is_attack_and_pass_is_next(crisis: Player, duel: Evening) -> None:
    assert duel(typed("a drone --dice 1,1,2", "pass")).err == ""
    assert actions(crisis)[1:3] == [("attack", "Jack"), ("next", "Jack")]
    assert crisis("pass --by jack").status == 0


def test_own_aliases_hold_at_the_prompt_and_in_the_shell(
    crisis: Player, duel: Evening, tmp_path: Path
) -> None:
    crisis.env["CRISIS_CONFIG"] = str(tmp_path / "config")
    (tmp_path / "config").mkdir()
    file = tmp_path / "config" / "config.toml"
    file.write_text(
        '[aliases]\nflat = "drop-prone"\nnext = "end --yes"\npass = "note I wait"\nup = "act stand-up"\n'
    )
    assert duel(typed("flat", "up", "pass")).err == ""
    assert [action for action, _ in actions(crisis)[1:4]] == ["drop-prone", "stand-up", "note"]
    crisis.ok("next")
    assert crisis.journal.exists(), "an alias replaces no verb"
    file.write_text("[aliases]\nflat = 3\n")
    assert "aliases.flat is no command line" in crisis.refused(4, "flat").err
    assert crisis("status").status == 0, "it is read only for words that are no verbs"


def test_f5_goes_back_to_before_ones_own_last_action(crisis: Player, duel: Evening) -> None:
    shown = duel(typed("next"), F5)
    assert actions(crisis) == [("init", None)] and shown.err == ""
    assert crisis.ok("status --json").record["actor"] == "Jack"
    assert "you have not acted yet" in duel(F5).err
    for line in ("act drop-prone", "auto jack on", "auto jack off"):
        crisis.ok(line)
    assert "you have not acted" in crisis.refused(3, "undo --mine").err, "that would undo who plays Jack"


def test_clear_is_no_verb_and_changes_nothing(crisis: Player, duel: Evening) -> None:
    shown = duel(typed("clear", "drop-prone"))
    assert shown.err == "" and actions(crisis)[-1] == ("drop-prone", "Jack")


def test_help_knows_the_actions_of_the_system(duel: Evening, crisis: Player) -> None:
    shown = duel(typed("help move", "help stand-up"))
    assert shown.err == "" and "usage: move toward NAME" in shown.out and "3D6-14" in shown.out
    assert "? stand-up" in shown.out and "2D20-11" not in shown.out
    assert "did you mean" in crisis.refused(2, "help atack").err


def test_a_resumed_fight_says_where_it_stands(crisis: Player, duel: Evening) -> None:
    assert "after entry" not in duel().out
    crisis.ok("act drop-prone")
    assert "Round 1, Jack's turn, after entry 2" in duel().out


def test_hints_lead_to_the_prompt(crisis: Player, sheets: Sheets) -> None:
    assert "crisis play WHO… --vs WHO…" in crisis("play", answers=[]).err
    crisis.ok("init jack --vs drone --open")
    assert "resume it: crisis play" in crisis("play jack --vs drone", answers=[]).err
    crisis.journal.rename(crisis.here / "night.jsonl")
    assert "crisis --file night.jsonl play" in crisis("play", answers=[]).err
    crisis.ok("--file night.jsonl end")
    assert "night" not in crisis("play", answers=[]).err


@pytest.mark.parametrize(
    ("words", "line", "right"),
    [
        ("init jack --vs drone --open --seed 18", "oops", "try: end --discard; list the"),
        ("init jack --vs drone --open --seed 18", "abort!", "try: end --discard"),
        ("init jack --vs drone --open --seed 18", "I give up", "try: leave jack --surrender;"),
        ("init jack --vs drone --open --seed 18", "surrender", "try: leave jack --surrender;"),
        ("init jack --vs drone --open --seed 18", "never surrender", "verb hint: list"),
        ("init jack --vs drone --open --seed 18", "exit now", "try: quit"),
        ("init jack --vs drone --open --seed 18", "Save!", "try: save; list the actions: ?"),
        ("init jack --vs drone --open --seed 18", "end turn", "end the turn: next"),
        ("init jack --vs drone --open --seed 18", "move drone", "Jack has no position"),
        ("init cass --vs ghoul --open --seed 3", "ready attack ghoul --when reach", "help ready"),
    ],
)
def test_a_wrong_line_is_answered_with_the_right_one(
    crisis: Player, evening: Evening, words: str, line: str, right: str
) -> None:
    crisis.ok(words)
    before = len(actions(crisis))
    assert right in " ".join(evening(typed(line)).err.split())
    assert len(actions(crisis)) == before


def test_a_line_typed_where_more_is_asked_is_done(crisis: Player, duel: Evening) -> None:
    shown = duel("help attack" + ENTER + "drop-prone" + ENTER, rows=24)
    assert shown.err == "" and "drop-prone" in shown.out
    assert actions(crisis)[-1] == ("drop-prone", "Jack")


def test_help_on_readying_shows_where_the_action_stands(crisis: Player, evening: Evening) -> None:
    crisis.ok("init cass --vs ghoul --open --seed 3")
    shown = evening(typed("help ready")).out
    assert "ready ACTION" in shown and "--when" in shown and "deed" not in shown


def test_going_back_again_says_again_how_to_go_on(crisis: Player, duel: Evening) -> None:
    """After `redo` the player has the turn, so the next undo into a foe's turn is news."""
    shown = duel(typed("next", "undo", "redo", "undo"))
    assert shown.out.count("To go on: auto --until-mine") == 2


def test_a_line_is_broken_at_the_width_it_has_in_ascii() -> None:
    line = (
        "  Drone 1  Endurance 50 → 43 (9 damage − 2 armour) · Health 25 → 22 (5 critical damage − 2 armour)"
    )
    for width in range(40, 100):
        ink = Ink(encoding="ascii")
        assert all(len(ink.clean(part)) <= width for part in ink.broken(line, width))


@pytest.mark.parametrize(
    "question",
    slow_but(
        [
            "help hide",
            "status",
            "roll 3d6",
            "map",
            "odds",
            "rules 3d6-14",
            "explain 2",
            "verify",
            "character show ada",
            "?",
            "log",
            "attack jack --by drone --dry-run",
            "save",
        ],
        *("status", "odds", "log", "save"),
    ),
)
def test_a_question_after_an_undo_lets_nobody_play_on(crisis: Player, duel: Evening, question: str) -> None:
    duel(typed("next"))
    before = actions(crisis)
    shown = duel(typed("undo", question, "redo"))
    assert actions(crisis) == before and "nothing to redo" not in shown.err


@pytest.mark.parametrize("line", ["auto --until-mine", "auto drone cunning"])
def test_a_line_about_others_after_an_undo_lets_them_play_on(
    crisis: Player, duel: Evening, line: str
) -> None:
    duel(typed("next", "undo", line))
    assert actions(crisis)[-1] == ("next", "Drone")


def test_a_refused_line_after_an_undo_plays_nobody_and_keeps_what_can_be_redone(duel: Evening) -> None:
    shown = duel(typed("next", "undo", "attack drone", "redo"))
    assert "attack costs 2" in shown.err and "redone" in shown.out and "nothing to redo" not in shown.err


def test_a_decided_fight_names_its_end_after_each_line_that_fails(duel: Evening) -> None:
    shown = duel(typed("set jack health 0", "attack drone", "next"))
    assert shown.out.count("The fight is decided. To end the crisis: end") == 2


def test_coming_back_shows_the_title_and_what_wins_first(crisis: Player, evening: Evening) -> None:
    crisis.ok("init --encounter bridge --seed 2")
    shown = evening()
    assert shown.lines[0] == "The toll bridge"
    assert "  You win   when all of you who still stand are at the far bank" in shown.lines
