"""`crisis attack`, as a player and a script meet it."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import ADA, FRESH_SEED, Player, Sheets

KEYS = [
    "v",
    "action",
    "system",
    "actor",
    "target",
    "targets",
    "seed",
    "success",
    "outcome",
    "rolls",
    "effects",
]


def test_the_worked_example_reads_as_the_rules_tell_it(crisis: Player, sheets: Sheets) -> None:
    """3D6-18, 3D6-25, 3D6-28: Jack's 16 hits; 5 off Endurance, 2 off Health, durability 1."""
    shown = crisis.ok("attack jack drone --dice 6,4,3")
    assert shown.lines == [
        "Jack swings the baton at Drone: [6 4 3] + 3 = 16 against 16 — a hit, 1 critical.",
        "  Drone  ▼ Endurance 50 → 45 (6 weapon + 1 might − 2 armour)"
        " · ▼ Health 25 → 23 (4 critical damage − 2 armour) · armour 3 → 1",
    ]


def test_the_worked_example_as_json_has_the_fixed_keys(crisis: Player, sheets: Sheets) -> None:
    record = crisis.ok("attack jack drone --dice 6,4,3 --json").record
    assert list(record)[: len(KEYS)] == KEYS
    assert (record["v"], record["action"], record["system"]) == (1, "attack", "3d6")
    assert (record["actor"], record["target"], record["targets"]) == ("Jack", "Drone", ["Drone"])
    assert (record["success"], record["outcome"]) == (True, "hit")
    (roll,) = record["rolls"]
    assert (roll["what"], roll["who"], roll["dice"], roll["faces"]) == ("attack", "Jack", "3d6", [6, 4, 3])
    assert (roll["total"], roll["target"], roll["success"]) == (16, 16, True)
    assert [(one["name"], one["value"], one["rule"]) for one in roll["modifiers"]] == [
        ("melee", 2, "3D6-18"),
        ("might", 1, "3D6-18"),
    ]
    parts = [[(one["name"], one["value"]) for one in effect.pop("parts", ())] for effect in record["effects"]]
    assert parts == [
        [("weapon", -6), ("might", -1), ("armour", 2)],
        [("critical damage", -4), ("armour", 2)],
        [("wear", -2)],
    ]
    assert record["effects"] == [
        {"who": "Drone", "what": "endurance", "was": 50, "now": 45, "rule": "3D6-26"},
        {"who": "Drone", "what": "health", "was": 25, "now": 23, "rule": "3D6-28"},
        {"who": "Drone", "what": "durability", "was": 3, "now": 1, "rule": "3D6-28"},
    ]


def test_json_tells_the_seed_that_gives_the_same_dice_again(crisis: Player, sheets: Sheets) -> None:
    first = crisis.ok("attack jack drone --json")
    assert first.record["seed"] == FRESH_SEED
    crisis.seed = 1
    assert crisis.ok(f"attack jack drone --json --seed {FRESH_SEED}").out == first.out


def test_ammunition_is_one_effect_with_its_item(crisis: Player, sheets: Sheets) -> None:
    """3D6-25: one round per attack, hit or miss."""
    effects = crisis.ok("attack ada drone --dice 1,1,1 --json").record["effects"]
    paid = [{"name": "cost", "value": -1, "rule": "3D6-25"}]
    what = {"who": "Ada", "what": "ammo", "item": "pistol", "was": 2, "now": 1, "rule": "3D6-25"}
    assert effects == [what | {"parts": paid}]


@pytest.mark.parametrize(("faces", "word", "status"), [("6,6,6", "hit", 0), ("1,1,1", "miss", 1)])
def test_quiet_is_one_word_and_exit_status_follows_it(
    crisis: Player, sheets: Sheets, faces: str, word: str, status: int
) -> None:
    shown = crisis(f"attack jack drone --dice {faces} --quiet --exit-status")
    assert (shown.status, shown.out, shown.err) == (status, word + "\n", "")
    assert crisis(f"attack jack drone --dice {faces}").status == 0, "without --exit-status a miss is done"


def test_explain_names_every_modifier_with_its_rule_and_they_add_up(crisis: Player, sheets: Sheets) -> None:
    shown = crisis.ok("attack jack drone --dice 6,4,3 --mod 2 --why 'high ground' --cover light --explain")
    report = shown.out
    assert "= 18 against 17" in report
    for words in (("+2", "melee", "3D6-18"), ("+1", "might", "3D6-18"), ("+2", "circumstance", "ALL-6")):
        assert any(all(word in line for word in words) for line in shown.lines), words
    assert any("light cover" in line and "+1" in line and "3D6-21" in line for line in shown.lines)
    assert "high ground" in report, "the reason given is part of the explanation"
    assert any("3D6-24" in line for line in shown.lines), "the damage is explained too"


def test_a_reason_without_a_modifier_is_explained_too(crisis: Player, sheets: Sheets) -> None:
    assert "for old times" in crisis.ok("attack jack drone --dice 1,1,1 --why 'for old times' --explain").out


def test_a_dry_run_says_so_and_changes_nothing(fight: Player) -> None:
    before = fight.files()
    shown = fight.ok("attack drone --dry-run --json")
    assert "dry run" in fight.ok("attack drone --dry-run").out
    assert fight.files() == before
    assert fight.ok("attack drone --json").record["rolls"] == shown.record["rolls"], "it foretells the dice"


def test_a_one_off_writes_nothing(crisis: Player, sheets: Sheets) -> None:
    before = crisis.files()
    crisis.ok("attack jack drone --dice 6,6,6")
    crisis.ok("attack ada drone")
    assert crisis.files() == before


def test_save_patches_the_sheets_and_keeps_every_comment(crisis: Player, sheets: Sheets) -> None:
    jack, drone = sheets.text("jack"), sheets.text("drone")
    crisis.ok("attack jack drone --dice 6,4,3 --save")
    assert sheets.text("jack") == jack, "who is not changed is not written"
    assert sheets.text("drone").startswith(drone.rstrip("\n"))
    assert sheets.state("drone") == {"endurance": 45, "health": 23, "durability": 1}
    crisis.ok("attack jack drone --dice 6,4,3 --save")
    assert sheets.state("drone") == {"endurance": 40, "health": 21, "durability": 0}, "the next finds it so"


def test_save_counts_ammunition_but_never_ap(crisis: Player, sheets: Sheets) -> None:
    crisis.ok("attack ada drone --dice 1,1,1 --save")
    assert sheets.state("ada") == {"ammo": {"pistol": 1}}


def test_ammunition_runs_out_in_one_offs_too(crisis: Player, sheets: Sheets) -> None:
    for _ in range(2):
        crisis.ok("attack ada drone --dice 1,1,1 --save")
    refusal = crisis.refused(3, "attack ada drone --dice 1,1,1 --save --json").error
    assert refusal["rule"] == "3D6-25"
    assert "reload" in refusal["hint"]


def test_copies_are_never_saved(crisis: Player, sheets: Sheets) -> None:
    before = sheets.text("drone")
    crisis("attack jack drone:1 --dice 6,6,6 --save")
    assert sheets.text("drone") == before


def test_save_never_touches_a_shipped_sheet_and_says_what_to_do(crisis: Player) -> None:
    from crisis_cli.sheets.store import shipped

    before = {path: path.read_bytes() for path in Path(shipped()).rglob("*.toml")}
    shown = crisis("attack jack drone --dice 6,6,6 --save")
    assert shown.status == 0
    assert "shipped" in shown.err and "crisis character copy drone" in shown.err.lower()
    assert {path: path.read_bytes() for path in Path(shipped()).rglob("*.toml")} == before
    assert crisis.files() == {}


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        ("attack jack drone --cover total", "3D6-21"),
        ("attack jack drone drone:2", "3D6-18"),
        ("throw jack drone", "3D6-30"),
    ],
)
def test_a_refusal_by_the_rules_comes_before_any_face_is_read(
    crisis: Player, sheets: Sheets, words: str, rule: str
) -> None:
    """ALL-2: even with faces that no die has."""
    assert crisis.refused(3, f"{words} --dice 9,9,9,9 --json").error["rule"] == rule


@pytest.mark.parametrize("words", ["attack jack drone", "attack cass ghoul", "throw doc ghoul"])
def test_a_system_without_reactions_has_no_option_for_them(
    crisis: Player, sheets: Sheets, words: str
) -> None:
    error = crisis.refused(2, f"{words} --react none --json").error
    assert error["code"] == "other_systems_option" and "--react belongs to" in error["message"]


@pytest.mark.parametrize(
    "faces", ["1,1", "", "1,1,7", "0,1,1", "1,1,1,1", "6,6,6,1", "one", "1;1;1", "-1,2,3", "1.5,1,1"]
)
def test_wrong_faces_are_usage_and_say_which_roll(crisis: Player, sheets: Sheets, faces: str) -> None:
    """ALL-2."""
    shown = crisis.refused(2, "attack", "jack", "drone", f"--dice={faces}")
    if faces in ("1,1", "", "1,1,7", "0,1,1"):
        assert "Jack's attack" in shown.err


def test_faces_for_damage_are_asked_for_by_name(crisis: Player, sheets: Sheets) -> None:
    assert "damage" in crisis.refused(2, "attack ada drone --dice 6,6,6").err
    assert crisis.ok("attack ada drone --dice 6,6,6,3 --json").record["damage"] == 7


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("attack jack nobody", "nobody"),
        ("attack nobody jack", "nobody"),
        ("attack jack drnoe", "did you mean drone?"),
        ("attack ../jack.toml drone", "../jack.toml"),
        ("attack jack ''", "''"),
    ],
)
def test_unknown_names_are_status_4(crisis: Player, sheets: Sheets, words: str, says: str) -> None:
    assert says in crisis.refused(4, words).err


@pytest.mark.parametrize(
    "words",
    [
        "attack",
        "attack jack",
        "attack jack drone --weapon halberd",
        "attack jack drone --cover thick",
        "attack jack drone --range far",
        "attack jack drone --range -1",
        "attack jack drone --range 1e3",
        "attack jack drone --enemies 0",
        "attack jack drone --mod much",
        "attack jack drone --react jump",
        "attack jack drone --nonsense",
        "attack jack drone --seed x",
        "attack jack drone --seed -1",
        "attack jack drone --dice 1,1,1 --real-dice",
        "attack jack drone --real-dice",
        "attack jack drone --mine",
        "attack jack drone --json=yes",
        "attack jack drone:0",
        "attack jack drone:many",
    ],
)
def test_words_that_cannot_be_read_are_status_2(crisis: Player, sheets: Sheets, words: str) -> None:
    crisis.refused(2, words)
    error = crisis.refused(2, words + " --json").error
    assert {"code", "message", "hint"} <= set(error)


@pytest.mark.parametrize("option", ["--shots 2", "--luck 1", "--location head", "--aim 1", "--mode semi"])
def test_an_option_of_another_system_is_usage(crisis: Player, sheets: Sheets, option: str) -> None:
    crisis.refused(2, f"attack jack drone {option}")


def test_dashes_and_underscores_are_the_same_in_option_names(crisis: Player, sheets: Sheets) -> None:
    line = "attack jack drone --dice 6,4,3 --mod{}damage 3 --dry{}run --exit{}status"
    assert crisis.ok(line.format(*"---")).out == crisis.ok(line.format(*"___")).out


def test_a_weapon_is_found_however_it_is_spelled(crisis: Player, sheets: Sheets) -> None:
    sheets.write("ada", ADA.replace("[weapons.knife]", '[weapons."Throwing Knife"]'))
    for word in ("throwing-knife", "THROWING_KNIFE", "Throwing Knife"):
        assert "Throwing Knife" in crisis.ok("throw", "ada", "drone", "--weapon", word, "--seed", "1").out


def test_bare_hands_are_everywhere(crisis: Player, sheets: Sheets) -> None:
    """3D6-4: damage 0 and might."""
    assert crisis.ok("attack jack drone --weapon unarmed --dice 5,5,5 --json").record["damage"] == 1


def test_place_puts_fighters_on_the_field_of_a_one_off(crisis: Player, sheets: Sheets) -> None:
    """DESIGN 4; ALL-4, 3D6-23: twelve metres at five an increment cost 4."""
    shown = crisis.ok("attack ada drone --dice 1,1,1 --json --place ada=0,0 drone=12,0")
    assert {"name": "range", "value": -4, "rule": "3D6-23"}.items() <= next(
        one for one in shown.record["rolls"][0]["modifiers"] if one["name"] == "range"
    ).items()
    assert crisis.refused(3, "attack jack drone --json --place jack=0,0 drone=12,0").error["rule"] == "3D6-19"


def test_state_at_puts_fighters_on_the_field(crisis: Player, sheets: Sheets) -> None:
    sheets.write("jack", sheets.text("jack") + "\n[state]\nat = [0, 0]\n")
    sheets.write("drone", sheets.text("drone") + "\n[state]\nat = [9, 0]\n")
    assert crisis.refused(3, "attack jack drone --dice 9 --json").error["rule"] == "3D6-19"


@pytest.mark.parametrize(
    "words", ["attack jack drone --seed 7", "attack ada drone --seed 7 --json --explain"]
)
def test_a_seed_gives_the_same_bytes_in_every_folder(
    crisis: Player, sheets: Sheets, words: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = Player(tmp_path_factory.mktemp("elsewhere"))
    there = Sheets(elsewhere.here / "characters")
    for stem in ("jack", "drone", "ada"):
        there.write(stem, sheets.text(stem))
    elsewhere.now = "1999-12-31T23:59:59Z"
    elsewhere.seed = 5
    assert crisis.ok(words).out == elsewhere.ok(words).out


class TestInACrisis:
    """Who acts (DESIGN 5)."""

    def test_a_fighter_who_has_the_turn_attacks_where_only_targets_are_named(self, fight: Player) -> None:
        assert fight.ok("attack drone --json").record["actor"] == "Jack"

    def test_the_first_name_is_the_actor_where_it_is_its_turn(self, fight: Player) -> None:
        record = fight.ok("attack jack drone --json").record
        assert (record["actor"], record["targets"]) == ("Jack", ["Drone"])

    def test_an_attack_out_of_turn_is_refused_and_not_turned_on_a_friend(self, fight: Player) -> None:
        error = fight.refused(3, "attack drone jack --json").error
        assert error["code"] == "not_their_turn"
        assert "Jack's turn" in error["message"] and "Drone" in error["message"]

    def test_nobody_attacks_himself_without_meaning_to(self, fight: Player) -> None:
        fight.refused(3, "attack jack jack")
        fight.refused(3, "act attack jack")
        fight.refused(3, "act jack attack jack")

    def test_one_may_turn_on_a_friend_by_naming_oneself_first(self, crisis: Player, sheets: Sheets) -> None:
        """DESIGN 5: the first name is the fighter whose turn it is, so it is the actor; what follows are targets."""
        crisis.ok("init jack ada --vs drone --open --dice 6,6,6,3,3,3,1,1,1")
        assert crisis.ok("attack jack ada --json --dice 1,1,1").record["targets"] == ["Ada"]

    def test_force_lets_another_act_and_the_log_says_so(self, fight: Player) -> None:
        record = fight.ok("attack drone jack --force --json --dice 1,1,1").record
        assert (record["actor"], record["targets"]) == ("Drone", ["Jack"])
        assert any("turn" in reason for reason in record["forced"])
        assert "forced" in fight.ok("log 2").out

    def test_by_names_who_acts_out_of_turn(self, fight: Player) -> None:
        error = fight.refused(3, "attack jack --by drone --json").error
        assert error["code"] == "not_their_turn"
        assert "--by" not in error["hint"], "what was just tried is no way on"
        record = fight.ok("attack jack --by drone --force --json").record
        assert (record["actor"], record["targets"]) == ("Drone", ["Jack"])

    def test_an_attack_costs_ap_and_is_refused_without(self, fight: Player) -> None:
        """3D6-11, 3D6-14."""
        effects = fight.ok("attack drone --dice 1,1,1 --json").record["effects"]
        paid = [{"name": "cost", "value": -2, "rule": "3D6-14"}]
        assert effects == [{"who": "Jack", "what": "ap", "was": 4, "now": 2, "rule": "3D6-14", "parts": paid}]
        fight.ok("attack drone --dice 1,1,1")
        shown = fight.refused(3, "attack drone --dice 7")
        assert "0 AP" in shown.err and "costs 2" in shown.err and "crisis next" in shown.err

    def test_force_overrides_the_ap(self, fight: Player) -> None:
        for _ in range(2):
            fight.ok("attack drone --dice 1,1,1")
        record = fight.ok("attack drone --dice 1,1,1 --force --json").record
        assert any("AP" in reason for reason in record["forced"])
        assert fight.fighter("Jack")["pools"]["ap"] == 0

    @pytest.mark.parametrize(
        ("hand", "rule"),
        [
            ("set jack condition:prone on", "3D6-16"),
            ("set jack condition:stunned on", "3D6-17"),
            ("set jack health 0", "3D6-27"),
            ("set drone health 0", "3D6-27"),
            ("set drone cover:jack total", "3D6-21"),
            ("set jack ap 1", "3D6-11"),
            ("set jack held none", ""),
        ],
    )
    def test_each_refusal_names_its_rule_and_changes_nothing(
        self, fight: Player, hand: str, rule: str
    ) -> None:
        fight.ok(hand)
        if not rule:
            assert fight.ok("attack drone --json").record["gear"] == "unarmed"
            return
        error = fight.refused(3, "attack jack drone --dice 9 --json").error
        assert error["rule"] == rule
        assert rule in error["message"]
        assert error["hint"], "and says what would be legal"

    def test_another_weapon_must_be_drawn_first(self, crisis: Player, sheets: Sheets) -> None:
        """README: in a crisis another must be drawn first, a one-off does not ask."""
        crisis.ok("init ada --vs drone --open --dice 6,6,6,1,1,1")
        assert "draw" in crisis.refused(3, "throw drone --weapon knife --dice 9").err
        crisis.ok("act draw knife")
        crisis.ok("throw drone --weapon knife")

    @pytest.mark.parametrize("word", ["Drone 2", "drone 2", "drone-2", "drone2", "DRONE_2", "drone:2"])
    def test_copies_answer_to_every_spelling(self, crisis: Player, sheets: Sheets, word: str) -> None:
        crisis.ok("init jack --vs drone:3 --open --dice 6,6,6,1,1,1,2,2,2,3,3,3")
        assert crisis.ok("attack", word, "--json").record["target"] == "Drone 2"

    def test_a_name_that_several_copies_share_is_reported_to_be_ambiguous(
        self, crisis: Player, sheets: Sheets
    ) -> None:
        crisis.ok("init jack --vs drone:2 --open --dice 6,6,6,1,1,1,2,2,2")
        error = crisis.refused(2, "attack drone --json").error
        assert "Drone 1" in error["message"] and "Drone 2" in error["message"]

    def test_the_same_action_after_an_undo_has_the_same_dice(self, fight: Player) -> None:
        first = fight.ok("attack drone --json")
        fight.ok("undo")
        assert fight.ok("attack drone --json").out == first.out

    def test_the_log_shows_what_the_attack_showed(self, fight: Player) -> None:
        for number, dice in ((2, ""), (3, " --dice 6,4,3")):
            shown = fight.ok(f"attack drone --json{dice}")
            assert fight.ok(f"log {number} --json").record == shown.record

    def test_save_in_a_crisis_is_not_silently_forgotten(self, fight: Player, sheets: Sheets) -> None:
        """--save is for one-offs: in a crisis it is either done or said not to be."""
        shown = fight("attack drone --dice 6,6,6 --save")
        assert sheets.state("drone") or shown.err, "nothing was saved and nothing was said"


def test_what_belongs_to_another_system_is_refused_with_its_name(crisis: Player) -> None:
    """An option (2), a weapon or an opponent (3) of another system."""
    assert "step" in crisis.refused(2, "attack jack drone --spare").err
    assert "d100" in crisis.refused(3, "attack jack drone --weapon rifle").err
    assert "d100" in crisis.refused(3, "attack jack looter").err
