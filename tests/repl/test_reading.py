"""What is shown can be read at once: sums add up, costs are named, sentences are whole, hints can be typed."""

from __future__ import annotations

import io
import re
import shlex
from pathlib import Path

import pytest
from conftest import Player
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.history import InMemoryHistory

import crisis_cli
from crisis_cli.cli import run
from crisis_cli.context import context_of
from crisis_cli.engine.scene import Fighter
from crisis_cli.render.board import measures
from crisis_cli.render.dice_lines import counting
from crisis_cli.render.ranking import _together
from crisis_cli.render.reasons import ALL, BRIEF, NONE, waiting
from crisis_cli.render.since import since
from crisis_cli.render.style import Ink
from crisis_cli.render.summary import glance, shortened
from crisis_cli.repl.keys import KEYS, LABELS
from crisis_cli.repl.recall import LegalSuggestions
from crisis_cli.repl.toolbar import toolbar
from crisis_cli.systems import load

from .conftest import ENTER, F8, Evening

SOURCES = Path(crisis_cli.__file__).parent
TYPOGRAPHIC = ("style.py", "mdoc.py", "dice_lines.py", "d100/sheet.py")
"""Pages that may hold a typographic apostrophe: what writes it otherwise, and a text that journals hold."""
FIGHTS = {
    "3d6": ("jack", "drone:2", "drone-1 health 0", "move closer: jack move toward drone-2"),
    "step": ("vera", "raider:2", "raider-1 health -10", "attack raider-2"),
    "d100": ("ines", "looter:2", "looter-1 health 0", "attack looter-2"),
    "2d20": ("cass", "mutant:2", "mutant-1 condition:dead on", "attack mutant-2"),
    "d6pool": ("tilda", "bandit:2", "bandit-1 condition:dead on", "attack bandit-2"),
}
"""A fight in each system, what puts the first foe out of it, and what to type for the second one."""
EVERY = [name if name == "3d6" else pytest.param(name, marks=pytest.mark.slow) for name in FIGHTS]
"""All systems; all but one are left out of the fast lane."""


def typed(*lines: str) -> str:
    return "".join(line + ENTER for line in lines)


@pytest.mark.parametrize("system", EVERY)
def test_an_attack_on_the_fallen_is_answered_with_the_line_for_one_who_stands(
    system: str, evening: Evening
) -> None:
    hero, foes, falls, way = FIGHTS[system]
    foe = foes.partition(":")[0]
    lines = (f"set {falls}", f"attack {foe}-1", f"odds attack {foe}-1")
    shown = evening(typed(*lines), words=f"play {hero} --vs {foes} --seed 4", answers=("",) * 4)
    errors = [" ".join(one.split()) for one in shown.err.split("error: ")[1:]]
    assert len(errors) == 2 and all("already" in one for one in errors)
    assert all(f"still stands: {way}" in one for one in errors)


def test_options_stay_in_the_line_for_one_who_stands(crisis: Player) -> None:
    crisis.ok("init ines --vs looter:2 --open --seed 1")
    crisis.ok("set looter-1 health 0")
    refused = crisis("attack looter-1 --mode auto --json").error
    assert "Looter 2 still stands: crisis attack looter-2 --mode auto" in refused["hint"]


def test_nobody_is_named_where_nobody_stands(crisis: Player) -> None:
    crisis.ok("init ines --vs looter --open --seed 1")
    crisis.ok("set looter health 0")
    assert "still stands" not in crisis("attack looter").err


def test_what_a_pool_cannot_take_is_part_of_the_sum(fight: Player) -> None:
    fight.ok("set drone health 3")
    shown = fight.ok("attack drone --dice 6,6,6")
    taken = next(one for one in fight.ok("log --json").records[-1]["effects"] if one["what"] == "health")
    parts = {one["name"]: one["value"] for one in taken["parts"]}
    assert (taken["was"], taken["now"]) == (3, 0) and parts["limit"] > 0
    whole = sum(value for name, value in parts.items() if name != "limit")
    assert whole + parts["limit"] == -3
    assert f"− {parts['limit']} beyond 0)" in shown.out


def test_healing_that_is_too_much_names_the_highest_value(fight: Player) -> None:
    fight.ok("set jack endurance 59")
    assert "Endurance 59 → 60 (12 heal − 11 beyond 60)" in fight.ok("heal jack --dice 6,6").out


def test_what_an_action_takes_from_a_thing_is_named(crisis: Player) -> None:
    crisis.ok("init ines --vs looter --open --seed 1")
    assert "12 →" not in (shown := crisis.ok("attack looter --mode semi").out)
    assert "2 rifle shots spent, 10 left" in shown


def test_the_number_of_an_entry_stands_before_words(fight: Player) -> None:
    fight.ok("next")
    fight.ok("next")
    shown = fight.ok("log")
    numbered = [line for line in shown.lines if line[:3].strip().isdigit()]
    assert "  3 Round 2 begins." in numbered
    assert all(line[3:].strip() for line in numbered)


@pytest.mark.parametrize(
    ("said", "level", "words"),
    [
        ({"key": "cornered", "cause": "hurt"}, BRIEF, ": it has nowhere to run (badly hurt)"),
        ({"key": "awaits"}, BRIEF, ": it lets them come"),
        ({"key": "nothing"}, BRIEF, ": it can do nothing now"),
        ({"key": "nothing-better"}, BRIEF, ": nothing worth doing"),
        ({"key": "spent"}, BRIEF, ""),
        ({"key": "ran"}, BRIEF, ""),
        ({"key": "watches"}, BRIEF, ", ready to attack those who come"),
        ({"key": "awaits", "doctrine": "beast"}, ALL, ": beast: lets them come"),
        ({"key": "awaits"}, NONE, ""),
        ({"key": "attacks", "chance": 50}, BRIEF, ""),
    ],
)
def test_why_a_fighter_waits_is_one_sentence(said: dict[str, str], level: str, words: str) -> None:
    assert waiting(said, level) == words


def test_screens_have_one_kind_of_apostrophe() -> None:
    found = [
        str(path.relative_to(SOURCES))
        for path in SOURCES.rglob("*")
        if path.suffix in (".py", ".toml", ".md") and "’" in path.read_text(encoding="utf-8")
    ]
    assert [one for one in found if not one.endswith(TYPOGRAPHIC)] == []


def test_what_a_journal_calls_otherwise_is_shown_with_the_same_apostrophe(crisis: Player) -> None:
    shown = crisis.ok("check ines strength --vs looter strength")
    assert "resists Ines's strength" in shown.out and "’" not in shown.out


def asked_at(crisis: Player, width: int, rows: int) -> list[str]:
    """The lines of a terminal of this size when the player of `d6pool` is asked about the first roll."""
    shown: list[str] = []
    out, err = io.StringIO(), io.StringIO()

    def ask(prompt: str) -> str:
        shown.extend([*(out.getvalue() + err.getvalue()).splitlines(), prompt])
        raise KeyboardInterrupt

    environment = crisis.environment(
        ask=ask,
        out=out,
        err=err,
        is_interactive=True,
        is_terminal=True,
        width=width,
        rows=rows,
        env={**crisis.env, "NO_COLOR": "1"},
    )
    assert run(shlex.split("play hagen --vs bandit:3 --seed 1 --questions all"), environment) == 130
    shown.append(err.getvalue().removeprefix("".join(f"{line}\n" for line in shown[:-1])))
    return shown


@pytest.mark.parametrize(("width", "rows"), [(50, 15), (50, 12), (60, 15), (80, 24), (120, 40)])
def test_what_a_question_is_about_stays_on_the_screen(crisis: Player, width: int, rows: int) -> None:
    *lines, _ = asked_at(crisis, width, rows)
    assert len(lines) <= rows and max(map(len, lines)) <= width
    assert lines[0] == "Turn order:" and "Hagen's alert: [3 3] against 5" in "\n".join(lines)
    means = " for the rest of the fight" * (width > 50)
    assert "quick reaction" in "".join(lines) and lines[-1] == f"Hagen: [keep], 2, 3, more, !{means}? "


def test_a_tall_screen_shows_everybody_before_a_question(crisis: Player) -> None:
    lines = asked_at(crisis, 80, 24)
    assert all(any(f" {name} " in line for line in lines) for name in ("Hagen", "Bandit 1", "Bandit 3"))


def test_stopping_at_the_first_question_says_that_nothing_was_begun(crisis: Player) -> None:
    *_, said = asked_at(crisis, 80, 24)
    assert "stopped before the first turn" in said and "no crisis was begun" in said
    assert not crisis.journal.exists()


class Asked:
    """A player of so many answers, and what they saw before each."""

    def __init__(self, *answers: str):
        self.answers = list(answers)

    def __call__(self, question: str, answers: tuple[str, ...] = ()) -> str:
        if not self.answers:
            raise EOFError
        return self.answers.pop(0)


def paged(crisis: Player, lines: list[str], last: int, *answers: str) -> tuple[list[str], list[str]]:
    """What a terminal of eight rows above the prompt shows of some lines, and what is typed ahead."""
    out = io.StringIO()
    context = context_of(crisis.environment(ask=Asked(*answers), out=out, height=8))
    context.output.say(*lines, last=last)
    return out.getvalue().splitlines(), context.output.typed_ahead


LONG = [*(f"line {at}" for at in range(20)), "in short"]


def test_the_summary_of_a_long_list_stands_last_on_each_page(crisis: Player) -> None:
    assert paged(crisis, LONG, 1, "q") == ([*LONG[:6], "in short"], [])
    first_two, _ = paged(crisis, LONG, 1, "", "q")
    assert first_two == [*LONG[:6], "in short", *LONG[6:12], "in short"]
    whole, _ = paged(crisis, LONG, 1, "", "m", "more")
    assert [line for line in whole if line != "in short"] == LONG[:-1] and whole[-1] == "in short"


@pytest.mark.parametrize("answer", ["attack drone", "odds", "x", "quit now"])
def test_a_line_typed_at_a_page_is_kept_for_the_prompt(crisis: Player, answer: str) -> None:
    shown, ahead = paged(crisis, LONG, 0, answer)
    assert shown == LONG[:7] and ahead == [answer]


def test_a_line_typed_at_a_page_is_done(crisis: Player, evening: Evening) -> None:
    keys = typed("odds attack drone-1", "drop-prone")
    shown = evening(keys, words="play jack --vs drone:3 --seed 11", rows=24)
    assert shown.err == "" and "In short: hit 25.93 %" in shown.out
    assert crisis.ok("log --json").records[-1]["action"] == "drop-prone"


def test_a_function_key_at_a_page_does_its_line(crisis: Player, evening: Evening) -> None:
    keys = typed("odds attack drone-1") + F8
    evening(keys, words="play jack --vs drone:3 --seed 11", rows=24)
    assert ("next", "Jack") in [(one["action"], one["actor"]) for one in crisis.ok("log --json").records]


@pytest.mark.parametrize(
    ("fight", "rows"),
    [
        pytest.param(fight, rows, marks=() if fight.startswith("jack") else pytest.mark.slow)
        for fight, tried in {
            "jack --vs drone:3": (15, 18, 24, 30, 40),
            "vera --vs raider:3": (15, 24),
            "ines --vs looter:3": (18, 40),
            "cass --vs mutant:3": (15, 30),
        }.items()
        for rows in tried
    ],
)
def test_a_ranking_fits_the_screen_with_the_best_last(evening: Evening, fight: str, rows: int) -> None:
    shown = evening(typed("odds"), words=f"play {fight} --seed 11", rows=rows, answers=("",))
    said = shown.out.partition("› odds\n")[2].partition("The crisis stays")[0].splitlines()
    assert said[-1].startswith("Best: ") and not any("more lines" in line for line in said)


def test_an_option_stays_beside_its_value() -> None:
    assert Ink().wrapped(_together("attack mutant-1 --luck 1 | mutant-2 | mutant-3"), 23) == [
        "attack mutant-1",
        "--luck 1 | mutant-2 |",
        "mutant-3",
    ]


@pytest.mark.parametrize("length", [3, 5, 7, 10])
@pytest.mark.parametrize(("pool", "taken"), [("wounds", True), ("health", False)])
def test_a_bar_is_full_only_where_nothing_is_lost(
    crisis: Player, pool: str, taken: bool, length: int
) -> None:
    system = load("d6pool" if taken else "3d6")
    high, bars = 10, []
    for value in range(high + 1):
        one = Fighter("One", "players", True, {}, {pool: value}, {pool: (0, high)})
        bars.append(measures(one, system, Ink(), length, spent=False)[pool])
    filled = [bar.count("█") for bar in (reversed(bars) if taken else bars)]
    assert filled[0] == 0 and filled[-1] == length and filled == sorted(filled)
    assert all(0 < each < length for each in filled[1:-1])


@pytest.mark.parametrize(
    ("words", "short"),
    [
        ("incapacitated", "incap."),
        ("unconscious", "uncon."),
        ("suppressed 2", "suppr. 2"),
        ("surrendered", "surren."),
        ("down", "down"),
        ("stunned", "stunned"),
        ("bleeding 1", "bleeding 1"),
    ],
)
def test_shortened_conditions_can_still_be_read(words: str, short: str) -> None:
    assert shortened(words) == short


@pytest.mark.parametrize("width", [40, 50, 60])
def test_a_narrow_line_keeps_who_is_out_of_the_fight(crisis: Player, width: int) -> None:
    crisis.ok("init jack --vs drone:3 --open --seed 11")
    crisis.ok("set drone-1 health 0")
    session = context_of(crisis.environment()).desk.open_session()
    shown = glance(session.scene, session.system, Ink(), width, 6)
    assert any("Drone 1" in line and "dead" in line for line in shown)
    assert all(len(line) <= width for line in shown)


def test_what_has_happened_takes_more_lines_where_there_is_room(crisis: Player, evening: Evening) -> None:
    evening(words="play jack --vs drone:6 --seed 11")
    session = context_of(crisis.environment()).desk.open_session()
    assert session.crisis
    past, ink = session.crisis.done, Ink()
    short, long = (since(past, session.scene, session.system, ink, 50, most=most) for most in (1, 4))
    assert short[-1].endswith("…") and not long[-1].endswith("…")
    assert len(short) <= len(long) <= 4
    assert " are beside Jack" in " ".join(" ".join(long).split())


def test_the_end_names_the_line_that_begins_the_fight_again(crisis: Player) -> None:
    crisis.ok("init jack ada --vs drone:2 --open --seed 3")
    ended = crisis.ok("end --yes", answers=())
    assert "  crisis play jack ada --vs drone:2  " in ended.out.partition("What now?")[2]
    assert crisis("init jack ada --vs drone:2 --open").status == 0


@pytest.mark.parametrize("system", EVERY)
@pytest.mark.parametrize("word", ["block", "dodge", "parry"])
def test_a_reaction_typed_as_a_command_is_answered_with_when_it_is_asked_for(
    system: str, word: str, evening: Evening
) -> None:
    hero, foes, *_ = FIGHTS[system]
    shown = evening(typed(word), words=f"play {hero} --vs {foes} --seed 4", answers=("",) * 4)
    said = " ".join(shown.err.split())
    if word == "block" and "shield-block" in load(system).actions:
        assert "= shield-block" in shown.out.splitlines()
    elif any(row.reactions for row in load(system).actions.values()):
        assert "asked for in an attack that allows it" in said and "next" in said
    elif "defend" in load(system).actions:
        assert "= defend" in shown.out.splitlines()
    else:
        assert f"you do not type {word}" in said and "hint: " in said


def typed_before(*lines: str) -> Buffer:
    """A buffer whose history holds these lines."""
    history = InMemoryHistory()
    for line in lines:
        history.append_string(line)
    return Buffer(history=history)


def suggested(crisis: Player, *history: str) -> list[str]:
    """Those lines of the history that are suggested when their beginning is typed."""
    session = context_of(crisis.environment()).desk.open_session()
    recall = LegalSuggestions(lambda: context_of(crisis.environment()), lambda: session.scene)
    found = []
    for line in history:
        one = recall.get_suggestion(typed_before(line), Document(line[:3]))
        found += [line[:3] + one.text] if one else []
    return found


def test_only_lines_that_mean_something_here_are_suggested_from_the_history(fight: Player) -> None:
    can = (
        "attack drone",
        "drop-prone",
        "heal jack",
        "odds attack drone",
        "odds",
        "set drone health 3",
        "set order jack,drone",
        "status",
        "roll 3d6",
        "help attack",
        "undo 2",
    )
    cannot = (
        "attack raider-1",
        "attack drone --weapon rifle",
        "odds attack raider-1",
        "stand-up",
        "hunker",
        "set raider-1 health 3",
        "auto raider-1 on",
        "note Raider 1 is dead",
        "nonsense",
        'attack "drone',
    )
    assert suggested(fight, *can) == list(can)
    assert suggested(fight, *cannot) == []


def test_the_latest_line_that_fits_is_suggested(fight: Player) -> None:
    session = context_of(fight.environment()).desk.open_session()
    recall = LegalSuggestions(lambda: context_of(fight.environment()), lambda: session.scene)
    buffer = typed_before("attack drone", "attack drone --dice 1,1,1", "attack raider-1")
    found = recall.get_suggestion(buffer, Document("att"))
    assert found is not None and found.text == "ack drone --dice 1,1,1"
    assert recall.get_suggestion(buffer, Document("  ")) is None


@pytest.mark.parametrize("fight", ["jack --vs drone:3", "ines --vs looter:3", "hagen --vs bandit:3"])
def test_the_toolbar_shows_whole_keys_at_every_width(crisis: Player, fight: str) -> None:
    crisis.ok(f"init {fight} --open --seed 3")
    session = context_of(crisis.environment()).desk.open_session()
    labels = {key.upper(): LABELS.get(key, line) for key, line in KEYS.items()} | {
        "F4": "emacs",
        "F10": "quit",
    }
    for width in (50, 60, 80, *range(20, 121)):
        parts = toolbar(session.scene, session.system, Ink(), width, vi=False)
        text = "".join(part[1] for part in parts)
        assert len(text) <= width
        shown = dict(re.findall(r"(F\d+) (\S+)", text.replace("undo --mine", "back")))
        assert shown == {key: labels[key] for key in shown}, width
        assert width < 50 or {"F1", "F2", "F8"} <= {*shown}


@pytest.mark.slow
def test_enter_takes_what_stands_in_brackets(crisis: Player) -> None:
    """At the first question, where the list of options asks, and where a fight is to be ended."""
    crisis.ok("play hagen --vs bandit:3 --seed 1 --auto --no-journal")
    said: list[str] = []

    def enter(prompt: str) -> str:
        said.append(prompt)
        return ""

    assert crisis("init hagen --vs bandit:3 --seed 1 --open", answers=enter).status == 0
    assert said == [], "nothing is spent before the first turn"
    crisis.ok("set hagen wounds 3")
    crisis("heal hagen --dice 1", answers=enter)
    assert said == ["Hagen: [keep] (later too), 2, 3, more, ! for the rest of the fight? "]
    choice = crisis.ok("log --json").records[-1]["choices"][0]
    assert choice["taken"] == "keep"
    assert crisis("end", answers=enter).status == 130 and said[-1].endswith("y/[n]: ")


@pytest.mark.parametrize(
    ("faces", "total", "shown"),
    [
        ([4, 5, 1], 10, "4 5 1"),
        ([1, 6], 1, "1 (6)"),
        ([97, 76], 97, "97 (76)"),
        ([1, 57], 57, "(1) 57"),
        ([6, 6, 2, 3], 14, "6 6 2 (3)"),
        ([3, 3], 11, "3 3"),
        ([], 0, ""),
    ],
)
def test_faces_that_a_total_leaves_out_stand_in_brackets(faces: list[int], total: int, shown: str) -> None:
    assert counting(faces, total) == shown


def test_a_roll_on_the_screen_adds_up(crisis: Player) -> None:
    """STEP-5: the die that is thrown again after a 1 decides only whether it is a critical failure."""
    shown = crisis.ok("attack vera raider --dice 1,6 --range 3").out
    found = re.search(r"\[1 \(6\)\](?: ([+−]) (\d+))? = (−?\d+) against", shown)
    assert found, shown
    bonus = int(f"{found[1]}{found[2]}".replace("−", "-").replace("+", "")) if found[2] else 0
    assert int(found[3].replace("−", "-")) == 1 + bonus


def test_names_and_numbers_are_not_broken_in_what_has_happened(crisis: Player, evening: Evening) -> None:
    evening(words="play jack --vs drone:6 --seed 11")
    session = context_of(crisis.environment()).desk.open_session()
    assert session.crisis
    for width in range(40, 90):
        shown = since(session.crisis.done, session.scene, session.system, Ink(), width, most=4)
        assert not any(re.search(r"(Drone|[+−]\d+)$", line) for line in shown), width
        assert all(len(line) <= width and "\N{NO-BREAK SPACE}" not in line for line in shown)


def test_those_in_the_same_zone_are_not_some_zones_apart(crisis: Player) -> None:
    crisis.ok("init cass doc --vs mutant --open --seed 3 --place cass=0,0 doc=0,0 mutant=1,0")
    session = context_of(crisis.environment()).desk.open_session()
    shown = "\n".join(glance(session.scene, session.system, Ink(), 120, 15))
    assert "same zone" in shown and "1 zone" in shown and "0 zones" not in shown


@pytest.mark.parametrize("width", [40, 50, 60])
def test_what_actions_are_paid_from_is_shorter_as_numbers_than_as_bars(crisis: Player, width: int) -> None:
    crisis.ok("init ines --vs looter:3 --open --seed 1")
    session = context_of(crisis.environment()).desk.open_session()
    head = [line for line in glance(session.scene, session.system, Ink(), width, 9) if "Actions" in line]
    assert head and not any("█" in line for line in head)
