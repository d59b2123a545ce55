"""The recipes of crisis-system(7), each pasted into what `crisis system new` makes and played, with undo and verify."""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Callable, Iterator
from importlib import invalidate_caches
from pathlib import Path
from typing import Any

import pytest
from conftest import Player, Sheets, replace

from crisis_cli import systems
from crisis_cli.dice.scripted import number_of
from crisis_cli.dice.table import Throw
from crisis_cli.engine.changes import Changes
from crisis_cli.engine.scene import Scene
from crisis_cli.engine.system import System
from crisis_cli.errors import BrokenSystem, RulebookMistake, WrongDice
from crisis_cli.manual.markup import sections
from crisis_cli.systems.plugins import Plugin

SHEETS = {
    "ann": 'name = "Ann"\nsystem = "knives"\n',
    "bob": 'name = "Bob"\nsystem = "knives"\nplayer = false\nguard = 3\n',
    "cid": 'name = "Cid"\nsystem = "knives"\nplayer = false\nguard = 3\n',
}
MODULE = "crisis_knives"
Cook = Callable[[str], Player]


def recipes() -> dict[str, str]:
    """The code of each recipe by its title."""
    titled = re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", sections("system")["Recipes"], flags=re.M | re.S)
    return {
        title: textwrap.dedent("\n".join(re.findall(r"^(?:    .*|)$", text, flags=re.M))).strip("\n")
        for title, text in titled
    }


RECIPES = recipes()
BASE = dict.fromkeys(("A re-roll, paid for", "Harm that is soaked"), ("Points to spend",))
"""The recipes that others build on."""


@pytest.fixture
def cook(crisis: Player, sheets: Sheets, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cook]:
    """Pastes a recipe into the package that `crisis system new knives` makes, with three sheets to play it."""
    crisis.ok("system new knives")
    folder = crisis.here / "knives" / MODULE
    rulebook = folder / "__init__.py"
    made = rulebook.read_text("utf-8")
    plugin = Plugin("knives", "crisis-knives", "0.1.0", MODULE, "SYSTEM", str(folder))
    monkeypatch.setattr(systems, "installed", lambda: {"knives": plugin})
    monkeypatch.syspath_prepend(folder.parent)

    def cooked(title: str) -> Player:
        pasted = (RECIPES[part] for part in (*BASE.get(title, ()), title))
        rulebook.write_text("\n\n".join((made, *pasted)), encoding="utf-8")
        sys.modules.pop(MODULE, None)
        invalidate_caches()
        assert crisis.ok("system check knives --no-conformance --cases knives/cases.toml").lines == [
            "knives: loads (crisis-knives 0.1.0)",
            "knives: 3 rules and 2 sheets read",
            "knives: 1 passed in cases.toml",
        ]
        return crisis

    for stem, text in SHEETS.items():
        sheets.write(stem, text)
    yield cooked
    sys.modules.pop(MODULE, None)


def taken_back(crisis: Player, line: str) -> list[str]:
    """What a command shows; the command is undone and redone, and the journal verified."""
    before = crisis.ok("status --json").record
    shown = crisis.ok(line).lines
    after = crisis.ok("status --json").record
    crisis.ok("undo")
    assert crisis.ok("status --json").record == before
    crisis.ok("redo")
    assert crisis.ok("status --json").record == after
    assert "no differences" in crisis.ok("verify").out
    return shown


def test_every_recipe_is_short_and_says_what_it_changes() -> None:
    assert len(RECIPES) >= 10
    for title, code in RECIPES.items():
        assert 1 < len(code.splitlines()) <= 36, title
        assert code.splitlines()[-1].startswith("SYSTEM = SYSTEM._replace("), title


def test_initiative_rolled_every_round(cook: Cook) -> None:
    crisis = cook("Initiative rolled every round")
    assert crisis.ok("init ann bob --open --dice 6,1").lines[-1] == "  Ann's turn."
    crisis.ok("next")
    shown = taken_back(crisis, "next --dice 1,6")
    assert "Turn order: Bob, Ann." in shown and shown[-1] == "Bob's turn."
    crisis.ok("next")
    assert "Turn order: Ann, Bob." in crisis.ok("next --real-dice", answers=["5", "1"]).lines


def test_initiative_drawn_every_round(cook: Cook) -> None:
    crisis = cook("Initiative drawn every round")
    shown = crisis.ok("init", "ann", "bob", "--open", "--dice", "king of hearts,2 of clubs").lines
    assert shown[-1] == "  Ann's turn." and any("[king of hearts]" in line for line in shown)
    crisis.ok("next")
    shown = taken_back(crisis, "next --dice 'queen of clubs,joker'")
    assert "Turn order: Bob, Ann." in shown
    crisis.ok("next")
    assert (
        "'king of moons' is none of the 53 cards left" in crisis.refused(2, "next --dice 'king of moons'").err
    )
    # The joker has shuffled all cards back into the deck; with real cards the player names them.
    shown = crisis("next --real-dice", answers=["king of spades", "knave", "2 of clubs"])
    assert "Turn order: Ann, Bob." in shown.lines and shown.err.startswith("type what you drew")
    assert crisis.prompts[-3].startswith("Ann's initiative: draw one of 53 cards")
    assert "no differences" in crisis.ok("verify").out


def test_sides_that_act_together(cook: Cook) -> None:
    crisis = cook("Sides that act together")
    crisis.ok("init ann --vs bob cid --open --dice 2,5")
    crisis.ok("next --by cid")
    shown = taken_back(crisis, "next")
    assert shown[-1] == "Ann's turn."
    shown = taken_back(crisis, "next --dice 6,5")
    assert shown[-1] == "Ann's turn."


def test_a_re_roll_for_luck(cook: Cook) -> None:
    crisis = cook("A re-roll, paid for")
    crisis.ok("init ann bob --open")
    assert crisis.ok("odds attack ann bob --choose luck --quiet").out == "0.888889\n"
    shown = taken_back(crisis, "attack bob --dice 1,3 --choose luck")
    assert "luck 1 → 0" in "\n".join(shown) and "hit" in shown[0]


def test_harm_that_is_soaked(cook: Cook) -> None:
    crisis = cook("Harm that is soaked")
    crisis.ok("init ann bob --open")
    crisis.ok("next")
    shown = taken_back(crisis, "attack ann --dice 6,5 --choose soak")
    assert "luck 1 → 0" in "\n".join(shown) and "grit" not in "\n".join(shown)
    crisis.ok("next")
    # Bob plays himself, and soaks: half of his hits come to nothing while he has luck.
    shown = taken_back(crisis, "attack bob --dice 6,5")
    assert "luck 1 → 0" in "\n".join(shown) and "grit" not in "\n".join(shown)


def test_morale(cook: Cook) -> None:
    crisis = cook("Morale")
    crisis.ok("init ann --vs bob cid --open")
    crisis.ok("set bob grit 0")
    crisis.ok("next")
    shown = taken_back(crisis, "next --dice 2")
    assert "Cid surrenders" in "\n".join(shown)


def test_several_attackers_as_one(cook: Cook) -> None:
    crisis = cook("Several attackers as one")
    crisis.ok("init ann bob --open")
    crisis.ok("set ann band 3")
    shown = taken_back(crisis, "attack bob --dice 6,3,1")
    assert "grit 3 → 1" in "\n".join(shown)


def test_out_of_turn(cook: Cook) -> None:
    crisis = cook("Actions out of turn")
    crisis.ok("init ann bob --open")
    crisis.ok("act watch")
    crisis.ok("next")
    assert "grit 3 → 2" in "\n".join(taken_back(crisis, "act ann attack bob --dice 6"))
    crisis.refused(3, "act ann attack bob --dice 6")


def test_areas(cook: Cook) -> None:
    crisis = cook("Areas")
    crisis.ok("init ann --vs bob cid --open")
    odds = crisis.ok("odds act ann burst bob cid").out
    assert odds.count("66.67 %") >= 2
    shown = "\n".join(taken_back(crisis, "act burst bob cid --dice 3,2"))
    assert "Bob" in shown and shown.count("grit 3 → 2") == 1


def test_a_deck_that_lasts(cook: Cook) -> None:
    crisis = cook("A deck that lasts")
    crisis.ok("init ann bob --open")
    assert "grit" not in "\n".join(taken_back(crisis, "act draw --dice calm"))
    crisis.refused(2, "act ann draw --dice calm --force")
    crisis.ok("set fate shuffled")
    assert "33.33 %" in crisis.ok("odds act bob draw").out
    crisis.ok("next")
    assert "grit 3 → 2" in "\n".join(taken_back(crisis, "act draw --dice storm"))


def test_rest(cook: Cook) -> None:
    crisis = cook("Rest by nights and by weeks")
    crisis.ok("campaign new Saltmarch ann")
    crisis.here = Path(crisis.here / "saltmarch")
    crisis.ok("init ann --vs ../characters/bob.toml --open")
    crisis.ok("set ann grit 1")
    crisis.ok("end")
    shown = crisis.ok("rest --days 6").out
    assert "nights 5 → 6" in shown and "grit" not in shown
    assert "grit 1 → 2" in crisis.ok("rest").out


def test_hidden_state(cook: Cook) -> None:
    crisis = cook("Hidden state")
    crisis.ok("init ann bob --open")
    assert "doom" not in "\n".join(taken_back(crisis, "attack bob --dice 1"))
    assert "doom" not in crisis.ok("status").out
    crisis.ok("next")
    assert "grit" not in "\n".join(taken_back(crisis, "next"))
    crisis.ok("set doom 2")
    crisis.ok("attack bob --dice 1")
    crisis.ok("next")
    assert "\n".join(taken_back(crisis, "next")).count("grit 3 → 2") == 2


def test_drawn_initiative_in_fights_that_play_themselves(cook: Cook) -> None:
    crisis = cook("Initiative drawn every round")
    crisis.ok("init ann --vs bob cid --open --seed 3")
    assert "win" in crisis.ok("play --auto").out
    (journal,) = crisis.here.glob("crisis-*.jsonl")
    assert "no differences" in crisis.ok(f"verify {journal.name}").out
    assert crisis.ok("simulate ann --vs bob --fights 20 --seed 1").out


def test_copies_of_a_sheet_share_a_card_in_later_rounds_too(cook: Cook) -> None:
    crisis = cook("Initiative drawn every round")
    crisis.ok("init", "ann", "--vs", "bob:3", "--group", "--open", "--dice", "joker,2 of clubs")
    for _ in range(3):
        crisis.ok("next")
    shown = crisis.ok("next", "--dice", "3 of clubs,joker").lines
    assert "Turn order: Bob 1, Bob 2, Bob 3, Ann." in shown
    crisis.ok("undo")
    record = crisis.ok("next", "--dice", "3 of clubs,joker", "--json").record
    assert [roll["cards"] for roll in record["rolls"]] == [["3 of clubs"], ["joker"]]
    assert record["order"][0] == {"who": "Bob 1", "score": 52}


def test_newcomers_draw_from_what_is_left(cook: Cook) -> None:
    crisis = cook("Initiative drawn every round")
    crisis.ok("init", "ann", "bob", "--open", "--dice", "king of hearts,2 of clubs")
    assert "none of the 51 cards left" in crisis.refused(2, "join", "cid", "--dice", "2 of clubs").err
    crisis.ok("join", "cid", "--dice", "ace of clubs")
    assert crisis.ok("next").lines[-1] == "Bob's turn."
    assert "no differences" in crisis.ok("verify").out


def test_what_the_gm_sets_reads_as_it_was_typed(cook: Cook) -> None:
    crisis = cook("Hidden state")
    crisis.ok("init ann bob --open")
    assert crisis.ok("set doom 2").lines == ["GM override: doom is 2 now."]
    assert "doom takes a whole number" in crisis.refused(2, "set doom many").err
    assert "no mark called 'aim'" in crisis.refused(2, "set ann mark:aim 1").err
    crisis.ok("undo")
    assert "no differences" in crisis.ok("verify").out
    crisis = cook("Actions out of turn")
    assert crisis.ok("set ann mark:watching 1").lines == ["GM override: Ann's mark watching is 1 now."]
    assert "watches" in crisis.ok("status").out
    assert "set ann mark:watching 1" in crisis.ok("log --script").out


def test_a_program_names_the_card_that_it_drew() -> None:
    throw = Throw("fate", "Ann")
    throw.cards = ("calm", "storm")
    assert (number_of("Storm", throw), number_of(1, throw)) == (2, 1)
    with pytest.raises(WrongDice, match="none of the 2 cards"):
        number_of("gift", throw)
    with pytest.raises(WrongDice, match="is no number"):
        number_of("gift", Throw("attack", "Ann"))


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"decks": {"fate": ("calm", "Calm")}}, "has a card twice"),
        ({"decks": {"fate": ()}}, "has no cards"),
        ({"decks": {"fate": ("7",)}}, "which is a number"),
        ({"counters": ("order",)}, "counter 'order' needs another name"),
        ({"decks": {"tension": ("calm",)}}, "deck 'tension' needs another name"),
    ],
)
def test_decks_and_counters_are_checked(tiny: System, changes: dict[str, Any], wrong: str) -> None:
    with pytest.raises(BrokenSystem, match=wrong):
        replace(tiny, **changes)


def test_what_is_not_declared_is_a_mistake_of_the_rulebook(tiny: System) -> None:
    changes = Changes(Scene("tiny", {}), declared=tiny)
    with pytest.raises(RulebookMistake, match="'doom' is no counter of the scene"):
        changes.count("doom", 1)
    for change in (changes.deal, changes.shuffle):
        with pytest.raises(RulebookMistake, match="'fate' is no deck"):
            change("fate")
