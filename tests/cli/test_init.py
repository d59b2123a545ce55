"""`crisis init`, and what a crisis is opened with."""

from __future__ import annotations

import json

import pytest
from conftest import FRESH_SEED, NOW, Player, Sheets


def test_the_order_is_reported_with_its_dice(crisis: Player, sheets: Sheets) -> None:
    """3D6-6."""
    assert crisis.ok("init jack ada --dice 6,6,6,1,1,1").lines == [
        "Turn order",
        "   1. Jack  18   [6 6 6] = 18",
        "   2. Ada  5   [1 1 1] + 2 = 5",
    ]


def test_json_has_the_order(crisis: Player, sheets: Sheets) -> None:
    record = crisis.ok("init jack ada --dice 1,1,1,6,6,6 --json").record
    assert record["order"] == [{"who": "Ada", "score": 20}, {"who": "Jack", "score": 3}]
    assert [roll["what"] for roll in record["rolls"]] == ["initiative", "initiative"]


def test_quiet_is_the_names_in_order(crisis: Player, sheets: Sheets) -> None:
    assert crisis.ok("init jack ada --dice 1,1,1,6,6,6 --quiet").lines == ["Ada", "Jack"]


def test_ties_are_rolled_again_among_those_who_tie(crisis: Player, sheets: Sheets) -> None:
    """3D6-7."""
    record = crisis.ok("init jack drone --dice 3,3,3,3,3,3,1,1,1,6,6,6 --json").record
    assert record["order"] == [{"who": "Drone", "score": 9}, {"who": "Jack", "score": 9}]
    assert crisis.ok("init jack drone --dice 3,3,3,3,3,3 --order drone,jack --quiet").lines == [
        "Drone",
        "Jack",
    ]


def test_a_one_off_writes_nothing(crisis: Player, sheets: Sheets) -> None:
    before = crisis.files()
    crisis.ok("init jack drone:2")
    crisis.ok("init jack --vs drone:2 --dry-run --open")
    assert crisis.files() == before


def test_copies_are_numbered(crisis: Player, sheets: Sheets) -> None:
    assert sorted(crisis.ok("init drone:3 --seed 1 --quiet").lines) == ["Drone 1", "Drone 2", "Drone 3"]


def test_a_group_shares_a_roll(crisis: Player, sheets: Sheets) -> None:
    """STEP-13: the order lists every member, in text and in JSON."""
    record = crisis.ok("init jack drone:2 --group --dice 6,6,6,1,1,1 --json").record
    assert [(one["who"], one["score"]) for one in record["order"]] == [
        ("Jack", 18),
        ("Drone 1", 3),
        ("Drone 2", 3),
    ]
    assert len(record["rolls"]) == 2
    assert crisis.ok("init jack drone:2 --group --dice 6,6,6,1,1,1").lines == [
        "Turn order",
        "   1. Jack  18   [6 6 6] = 18",
        "   2. Drone 1  3   [1 1 1] = 3",
        "   3. Drone 2  3",
    ]
    assert crisis.ok("init jack drone:2 --group --dice 6,6,6,1,1,1 --quiet").lines == [
        "Jack",
        "Drone 1",
        "Drone 2",
    ]


def test_a_group_that_joins_is_listed_whole(fight: Player) -> None:
    """STEP-13."""
    order = fight.ok("join drone:2 --group --dice 1,1,1 --json").record["order"]
    assert [one["score"] for one in order] == [3, 3]
    assert fight.ok("verify").status == 0


class TestOpen:
    """`--open` opens a crisis."""

    def test_the_journal_begins_with_a_header_that_holds_everything(
        self, crisis: Player, sheets: Sheets
    ) -> None:
        crisis.ok("init jack --vs drone --open")
        head, first = map(json.loads, crisis.journal.read_text("utf-8").splitlines())
        assert (head["system"], head["seed"], head["opened"]) == ("3d6", FRESH_SEED, NOW)
        assert [one["name"] for one in head["fighters"]] == ["Jack", "Drone"]
        assert head["fighters"][0]["sheet"]["weapons"]["baton"]["damage"] == 6
        assert head["program"]
        assert (first["entry"], first["intent"]["action"]) == (1, "init")

    def test_round_1_and_the_first_turn_have_begun(self, crisis: Player, sheets: Sheets) -> None:
        """3D6-10: four AP each."""
        shown = crisis.ok("init jack --vs drone --open --dice 1,1,1,6,6,6")
        assert "Round 1 begins." in shown.out and shown.lines[-1].strip() == "Drone's turn."
        status = crisis.ok("status --json").record
        assert (status["round"], status["actor"]) == (1, "Drone")
        assert {one["name"]: one["pools"]["ap"] for one in status["fighters"]} == {"Jack": 4, "Drone": 4}

    @pytest.mark.parametrize(
        ("who", "foe", "rule"), [("bruno", "marshal", "D100-8"), ("hagen", "bandit", "POOL-8")]
    )
    def test_without_an_extra_turn_it_says_what_to_leave_out(
        self, crisis: Player, sheets: Sheets, who: str, foe: str, rule: str
    ) -> None:
        error = crisis.refused(2, f"init {who} --vs {foe} --open --surprise {who} --json").error
        assert (error["code"], error["rule"]) == ("unheeded_option", rule)
        assert error["hint"] == "leave out --surprise"

    def test_the_surprisers_have_round_0_to_themselves(self, crisis: Player, sheets: Sheets) -> None:
        """3D6-9."""
        shown = crisis.ok("init jack --vs drone --open --surprise jack --dice 1,1,1,6,6,6")
        assert "extra turn" in shown.out, "the player sees that this is the extra turn"
        status = crisis.ok("status --json").record
        assert (status["round"], status["actor"]) == (0, "Jack")
        assert {one["name"]: one["pools"]["ap"] for one in status["fighters"]} == {"Jack": 4, "Drone": 0}
        crisis.ok("next")
        status = crisis.ok("status --json").record
        assert (status["round"], status["actor"]) == (1, "Drone")
        assert {one["name"]: one["pools"]["ap"] for one in status["fighters"]} == {"Jack": 6, "Drone": 4}

    def test_vs_decides_sides_whatever_the_sheets_say(self, crisis: Player, sheets: Sheets) -> None:
        crisis.ok("init drone --vs jack ada --open")
        sides = {
            one["name"]: (one["side"], one["player"]) for one in crisis.ok("status --json").record["fighters"]
        }
        assert sides == {
            "Drone": ("players", True),
            "Jack": ("opponents", False),
            "Ada": ("opponents", False),
        }

    @pytest.mark.parametrize(
        "words",
        [
            "init jack --vs ada drone:2 --open --seed 4",
            "init --open --vs ada drone:2 --seed 4 jack",
            "init --open --seed 4 --vs ada drone:2 -- jack",
            "init jack --vs ada --vs drone:2 --open --seed 4",
        ],
    )
    def test_vs_takes_every_bare_word_up_to_the_next_option(
        self, crisis: Player, sheets: Sheets, words: str
    ) -> None:
        crisis.ok(words)
        fighters = crisis.ok("status --json").record["fighters"]
        sides = {one["name"]: one["side"] for one in fighters}
        assert sides == {
            "Jack": "players",
            "Ada": "opponents",
            "Drone 1": "opponents",
            "Drone 2": "opponents",
        }

    def test_without_vs_the_sheets_decide_sides(self, crisis: Player, sheets: Sheets) -> None:
        """ALL-3."""
        sheets.write("ada", sheets.text("ada").replace('system = "3d6"', 'system = "3d6"\nteam = "wardens"'))
        crisis.ok("init jack drone ada --open")
        sides = {one["name"]: one["side"] for one in crisis.ok("status --json").record["fighters"]}
        assert sides == {"Jack": "players", "Drone": "opponents", "Ada": "wardens"}

    def test_apart_puts_the_sides_in_rows(self, crisis: Player, sheets: Sheets) -> None:
        crisis.ok("init jack --vs drone:2 --open --apart 12 --seed 3")
        places = {one["name"]: one["at"] for one in crisis.ok("status --json").record["fighters"]}
        assert places == {"Jack": [0, 0], "Drone 1": [12, 0], "Drone 2": [12, 2]}
        assert "--apart" in crisis.refused(2, "init jack --vs drone --apart 12").err

    def test_without_it_nobody_has_a_position(self, crisis: Player, sheets: Sheets) -> None:
        crisis.ok("init jack --vs drone --open --seed 3")
        assert all(one["at"] is None for one in crisis.ok("status --json").record["fighters"])

    def test_place_takes_every_following_place(self, crisis: Player, sheets: Sheets) -> None:
        crisis.ok("init jack --vs drone:2 --open --place jack=0,0 drone1=3.5,-1 'drone 2=1,1' --seed 3")
        places = {one["name"]: one["at"] for one in crisis.ok("status --json").record["fighters"]}
        assert places == {"Jack": [0, 0], "Drone 1": [3.5, -1], "Drone 2": [1, 1]}

    def test_a_second_crisis_is_refused(self, fight: Player) -> None:
        error = fight.refused(3, "init ada --open --dice 9 --json").error
        assert "crisis end" in error["hint"]

    def test_file_and_environment_say_where(self, crisis: Player, sheets: Sheets) -> None:
        crisis.ok("--file one.jsonl init jack --vs drone --open")
        crisis.ok("init jack --vs drone --open --file two.jsonl")
        crisis.ok("init jack --vs drone --open", env={"CRISIS_FILE": "three.jsonl"})
        assert {"one.jsonl", "two.jsonl", "three.jsonl"} <= set(crisis.files())
        assert "crisis.jsonl" not in crisis.files()

    def test_wrong_dice_open_nothing(self, crisis: Player, sheets: Sheets) -> None:
        crisis.refused(2, "init jack --vs drone --open --dice 1,1,1,6,6")
        crisis.refused(2, "init jack --vs drone --open --dice 1,1,1,6,6,6,6")

    def test_the_same_seed_opens_the_same_bytes_anywhere(
        self, crisis: Player, sheets: Sheets, tmp_path_factory: pytest.TempPathFactory
    ) -> None:
        elsewhere = Player(tmp_path_factory.mktemp("elsewhere"))
        elsewhere.now = "2000-01-01T00:00:00Z"
        for player in (crisis, elsewhere):
            Sheets(player.here / "characters").write("jack", sheets.text("jack"))
            Sheets(player.here / "characters").write("drone", sheets.text("drone"))
        for words in (
            "init jack --vs drone:2 --open --seed 7",
            "next",
            "status",
            "status --json",
            "log --json",
        ):
            assert crisis.ok(words).out == elsewhere.ok(words).out


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("init", 2),
        ("init --vs drone", 2),
        ("init jack --vs", 2),
        ("init jack --vs --open", 2),
        ("init jack --open --place jack", 2),
        ("init jack --open --place jack=here", 2),
        ("init jack --open --place jack=1,2,3", 2),
        ("init jack --open --place jack=nan,1", 2),
        ("init jack --open --place jack=1e300,1", 2),
        ("init jack --open --place nobody=1,1", 4),
        ("init jack --open --surprise nobody", 4),
        ("init jack --surprise jack", 2),
        ("init jack nobody", 4),
        ("init jack jack", 2),
        ("init jack --vs jack", 2),
        ("init drone:20 jack drone:21", 2),
    ],
)
def test_what_cannot_be_done(crisis: Player, sheets: Sheets, words: str, status: int) -> None:
    crisis.refused(status, words)
