"""Real dice on the desk: given one by one or by the handful, taken back, too many, too few, in five systems."""

from __future__ import annotations

import random
import re

import pytest
from conftest import Player, Sheets, Shown, slow_but

DIE = re.compile(
    r"(?P<what>.+): throw (?:(?P<more>\d+) more )?(?P<dice>.+?)(?: \(die (?P<nth>\d+)\))?(?:, a d(?P<sides>\d+) now)?: "
)
NEEDED = re.compile(r"(?P<what>[^,]+), (?P<dice>\w+)(?:, the \w+)?(?: [+−] \d+)?: .+ › ")
"""A question whose dice are named with what they must show."""
CHOICE = re.compile(r"(?P<who>.+): (?P<names>.+)\? ")

FIGHTS = {
    "3d6": ("jack ada", "drone:2", ("attack drone1", "check melee --difficulty 12")),
    "step": (
        "vera moss",
        "raider brute",
        ("attack raider --shots 2", "throw raider", "set vera health 3", "heal vera"),
    ),
    "d100": ("ines", "looter:2", ("attack looter1", "check perception --assist 1")),
    "2d20": ("cass doc", "mutant ghoul", ("attack mutant --aim 1", "check agi+athletics")),
    "d6pool": ("hagen tilda", "bandit revenant", ("attack bandit --bonus 1 --reroll", "check perception")),
}
"""Of each system: the two sides, and what is done in the first turn."""


class Hand:
    """A player with dice: throws what the prompt asks for, types it by the handful, and thinks again now and then.

    `shown` is what a reader of the record should find: every face and decision that was not taken back.
    """

    def __init__(self, chance: random.Random, backs: float = 0.2):
        self.chance = chance
        self.backs = backs
        self.report: list[int | str] = []

    def __call__(self, prompt: str) -> str:
        die = DIE.fullmatch(prompt)
        if self.chance.random() < self.backs:
            if self.report:
                self.report.pop()
            return self.chance.choice(["b", "back", " B ", "<"])
        if needed := NEEDED.fullmatch(prompt):
            dice = re.fullmatch(r"(\d*)d(\d+)\w*", needed["dice"])
            assert dice, prompt
            return self.thrown(int(dice[1] or 1), int(dice[2]))
        if die is None:
            return self.decide(prompt)
        sides, parse_plain = (
            int(die["sides"] or die["dice"].rstrip("!").partition("d")[2]),
            re.fullmatch(r"(\d*)d(\d+)", die["dice"].rstrip("!")),
        )
        left = (
            int(die["more"] or parse_plain[1] or 1) - int(die["nth"] or 1) + 1
            if parse_plain and parse_plain[2] == str(sides)
            else 1
        )
        return self.thrown(left, sides)

    def thrown(self, left: int, sides: int) -> str:
        """Some of the dice that are left, thrown and typed."""
        faces = [self.throw(sides) for _ in range(self.chance.randint(1, max(1, left)))]
        self.report += faces
        return self.chance.choice([" ", ",", ", "]).join(map(str, faces))

    def throw(self, sides: int) -> int:
        """A face, the highest and the lowest more often than they should come: they explode, hit, fail."""
        return self.chance.choice([1, sides, self.chance.randint(1, sides)])

    def decide(self, prompt: str) -> str:
        """One of what is offered, by its number, or the usual one by its name."""
        asked = CHOICE.fullmatch(prompt)
        assert asked, prompt
        names = asked["names"].replace(" (later too)", "").removesuffix(" for the rest of the fight")
        words = names.translate(str.maketrans("", "", "[]")).split(", ")
        taken = self.chance.choice([word for word in words if word != "more" and not word.startswith("!")])
        self.report.append(taken)
        return self.chance.choice([taken, taken.upper()])

    @property
    def faces(self) -> list[int]:
        """The faces that hold."""
        return [one for one in self.report if isinstance(one, int)]


@pytest.mark.parametrize("way", slow_but(range(6), 0, 1))
@pytest.mark.parametrize("system", FIGHTS)
def test_however_faces_are_given_the_record_holds_those_that_were_not_taken_back(
    crisis: Player, system: str, way: int
) -> None:
    ours, theirs, doings = FIGHTS[system]
    chance = random.Random(f"{system} {way}")
    hand = Hand(chance)
    shown = crisis(f"init {ours} --vs {theirs} --open --seed 1 --real-dice --json", answers=hand)
    assert shown.status == 0, shown
    assert shown.faces == hand.faces
    for words in doings:
        if words.startswith("set"):
            crisis.ok(words)
            continue
        hand = Hand(chance)
        shown = crisis(f"{words} --by {ours.split()[0]} --force --real-dice --json", answers=hand)
        assert shown.status in (0, 3), shown
        if shown.status == 0:
            assert shown.faces == hand.faces
        else:
            assert not hand.report, "a refusal comes before the first face"
    assert crisis.ok("verify").status == 0


def report(crisis: Player, words: str, *answers: str) -> Shown:
    """An action that comes to its end with exactly these answers."""
    crisis.prompts.clear()
    shown = crisis(f"{words} --json", answers=answers)
    assert shown.status == 0 and len(crisis.prompts) == len(answers), (shown, crisis.prompts)
    return shown


@pytest.fixture
def sworded(crisis: Player) -> Player:
    """Hagen before a bandit: six dice that explode."""
    crisis.ok("init hagen --vs bandit --open --seed 1")
    return crisis


SIX = "attack bandit --by hagen --force --react none --real-dice"


@pytest.mark.parametrize(
    "answers",
    [
        ("6 6 1 1 1 1 6 2 3",),
        ("6 6 1 1 1 1", "6 2 3"),
        ("6 6 1 1 1 1", "6 2", "3"),
        ("6 6 1", "1 1 1 6", "2 3"),
        ("6", "6", "1", "1", "1", "1", "6", "2", "3"),
        ("6 6 1 1 1 1 5", "b", "6 2 3"),
        ("6 6 1 1 1 1", "6 7 3", "6 2 3"),
    ],
)
def test_faces_given_at_once_serve_the_explosions_of_their_throw(
    sworded: Player, answers: tuple[str, ...]
) -> None:
    """Anyone who throws, sees two sixes and throws them on, may enter all of it in one go."""
    assert report(sworded, SIX, *answers).faces == [6, 6, 1, 1, 1, 1, 6, 2, 3]


@pytest.mark.parametrize("many", ["5 1 1 1 1 1 6", "6 1 1 1 1 1 3 2", "1 1 1 1 1 1 1 1"])
def test_what_nothing_explodes_for_is_too_much_and_asked_again_before_anything_is_done(
    sworded: Player, many: str
) -> None:
    shown = report(sworded, SIX, "5", many, "1 1 1 1 1")
    assert shown.faces == [5, 1, 1, 1, 1, 1], "the first answer stays"
    assert "too many: " in shown.err


def test_faces_of_one_throw_never_serve_another(crisis: Player, sheets: Sheets) -> None:
    """A die too many at the attack is no damage: who typed it has miscounted."""
    shown = report(crisis, "attack ada drone --range 3 --real-dice", "6 6 6 6", "6 6 6", "6")
    assert shown.faces == [6, 6, 6, 6] and "one result too many: 6" in shown.err


def test_before_a_decision_nothing_is_left_over(crisis: Player) -> None:
    crisis.ok("init looter --vs ines --open --seed 2")
    crisis.ok("next")
    words = "attack ines --by looter --force --real-dice --react ask --dry-run"
    shown = report(crisis, words, "10", "2 1 8", "2 1", "dodge", "8")
    assert [roll["faces"] for roll in shown.record["rolls"]] == [[10], [2, 1], [8]]


@pytest.mark.parametrize(
    ("expression", "answers", "faces"),
    [
        ("1d6!", ("6 6 2",), [6, 6, 2]),
        ("2d6!+1d8", ("6 1 6 2", "8"), [6, 1, 6, 2, 8]),
        ("3d6r1", ("1 1 4 1 2 3",), [1, 1, 4, 1, 2, 3]),
        ("3d6ro1", ("1 2 3", "1"), [1, 2, 3, 1]),
        ("d100", ("00",), [100]),
        ("d%", ("0",), [100]),
        ("2d10", ("0 9",), [10, 9]),
        ("d20", ("0", "20"), [20]),
        ("2dF", ("1 4", "1 3"), [1, 3]),
        ("4dC", ("7 1 1 1", "1 6 1 1"), [1, 6, 1, 1]),
        ("2d6", ("", "b", "9" * 5000, "²", "٣", "1.5", "-1", "3 4 5", "3", "b", "2 4"), [2, 4]),
    ],
)
def test_real_dice_of_an_expression(
    crisis: Player, expression: str, answers: tuple[str, ...], faces: list[int]
) -> None:
    shown = crisis(f"roll '{expression}' --real-dice --json", answers=answers)
    assert shown.status == 0 and len(crisis.prompts) == len(answers), (shown, crisis.prompts)
    assert [face for roll in shown.record["rolls"] for face in roll["faces"]] == faces


def test_dice_of_several_sizes_may_be_given_at_once(crisis: Player) -> None:
    """A grenade's hour and metres: each face is for its own die."""
    crisis.ok("init tilda --vs bandit --open --seed 1 --place tilda=0,0 bandit=6,0")
    words = "throw bandit --by tilda --force --react none --real-dice --dry-run"

    scatters = iter(["3 9", "3 5"])

    def answer(prompt: str) -> str:
        return next(scatters) if "scatter" in prompt else "1"

    shown = crisis(f"{words} --json", answers=answer)
    assert shown.status == 0, shown
    assert next(roll["faces"] for roll in shown.record["rolls"] if roll["what"] == "scatter") == [3, 5]
    assert "9 is not on a d6" in shown.err


class Restless:
    """Fresh seeds that differ every time."""

    def __init__(self) -> None:
        self.seed = 0

    def __call__(self) -> int:
        self.seed += 1
        return self.seed


def test_taking_ones_own_die_back_does_not_throw_the_others_again(
    crisis: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a one-off every seed is new: what the opponent has thrown must stay all the same."""
    restless, environment = Restless(), crisis.environment
    monkeypatch.setattr(crisis, "environment", lambda **how: environment(**{**how, "fresh_seed": restless}))
    asked = 0
    for seed in range(20):
        restless.seed = seed
        at_once = crisis("attack looter ines --mine --react block --json", answers=["3"])
        restless.seed = seed
        crisis.prompts.clear()
        thought_over = crisis("attack looter ines --mine --react block --json", answers=["9", "b", "3"])
        assert (thought_over.status, thought_over.faces) == (0, at_once.faces)
        asked += len(crisis.prompts)
    assert asked, "else the looter has never hit"


@pytest.mark.parametrize("stop", ["^C", None])
@pytest.mark.parametrize("after", range(4))
def test_who_stops_on_the_way_leaves_nothing_behind(sworded: Player, stop: str | None, after: int) -> None:
    answers = ["6", "6 1 1 1 1", "6", "3 3"][:after] + ([stop] if stop else [])
    shown = sworded.refused(130, SIX, answers=answers)
    assert "nothing was changed" in shown.err


def test_nobody_throws_for_a_try(crisis: Player, sheets: Sheets) -> None:
    """In its last round `play --auto` looks whether the turn to come is one too many: no real die is thrown for it."""
    hand = Hand(random.Random(3), backs=0)
    shown = crisis("play jack --vs drone --auto --rounds 1 --real-dice --json", answers=hand)
    assert shown.status == 0 and shown.faces == hand.faces


@pytest.mark.parametrize(
    ("words", "answers", "prompt"),
    [
        (
            "init jack --vs drone drone:1",
            ["4 4 4", "4 4 4", "4 4 4", "1 1 1", "3 3 3", "2 2 2"],
            "Jack's initiative, tied with Drone and Drone 1: throw 3d6",
        ),
        (
            "init vera --vs raider raider:1",
            ["3", "3", "3", "3", "4"],
            "Raider's initiative, tied with Raider 1: throw d6",
        ),
        ("init cass --vs mutant mutant:1", ["3", "4"], "Mutant's initiative, tied with Mutant 1: throw d20"),
    ],
)
def test_a_tie_in_the_turn_order_is_called_a_tie(
    crisis: Player, sheets: Sheets, words: str, answers: list[str], prompt: str
) -> None:
    shown = crisis(f"{words} --real-dice --json", answers=answers)
    assert shown.status == 0, crisis.prompts
    assert any(one.startswith(prompt) for one in crisis.prompts), crisis.prompts
    tied = [roll for roll in shown.record["rolls"] if "tied_with" in roll]
    assert [roll["who"] for roll in tied] and all(roll["who"] not in roll["tied_with"] for roll in tied)


def test_enter_takes_the_answer_in_brackets(crisis: Player) -> None:
    crisis.ok("init ines --vs looter --open --seed 5")
    shown = crisis("attack ines --dice 15,3,4,2 --json", answers=[""])
    assert shown.status == 0, shown.err
    (choice,) = shown.record["choices"]
    assert choice["taken"] == "block" and "[block]" in crisis.prompts[0]


def test_the_program_rolls_one_of_the_real_dice_if_it_is_asked_to(crisis: Player, sheets: Sheets) -> None:
    shown = crisis("check jack melee --difficulty 12 --real-dice --json", answers=["?", "roll", "4 2"])
    assert shown.status == 0 and shown.faces[1:] == [4, 2] and 1 <= shown.faces[0] <= 6
    assert f"rolled for you: {shown.faces[0]}" in shown.err
    assert "roll lets the program roll" in shown.err


def test_dice_that_go_on_are_counted_in_the_question(crisis: Player) -> None:
    answers = ["6 6 2", "6", "3", "5"]
    shown = crisis("roll 3d6! --real-dice --json", answers=answers)
    assert shown.status == 0
    assert [prompt.partition(": ")[2] for prompt in crisis.prompts] == [
        "throw 3d6!: ",
        "two sixes: throw 2 more d6: ",
        "two sixes: throw 1 more d6: ",
        "a six: throw 1 more d6: ",
    ]
