"""A rulebook that lacks something or contradicts itself is refused when it is made, in words."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from conftest import Player, replace

from crisis_cli import systems
from crisis_cli.dice.scripted import Scripted
from crisis_cli.dice.table import Table
from crisis_cli.engine.changes import Changes
from crisis_cli.engine.command_option import CommandOption
from crisis_cli.engine.conditions import Condition
from crisis_cli.engine.declared_types import mistyped
from crisis_cli.engine.exact_odds import ExactOdds
from crisis_cli.engine.kinds import MapOf, OneOf, Whole
from crisis_cli.engine.legal_actions import legal
from crisis_cli.engine.perform import perform
from crisis_cli.engine.record import Entry
from crisis_cli.engine.scene import End, Intent, Scene
from crisis_cli.engine.schema import Field, Section
from crisis_cli.engine.starting import starting_fighter
from crisis_cli.engine.system import Conversion, Cost, Opponents, OutOfTurn, Pool, System
from crisis_cli.engine.system_check import GAPS
from crisis_cli.engine.wording import Mark
from crisis_cli.errors import BrokenSystem, RulebookMistake
from crisis_cli.render.text import phrased
from crisis_cli.rules import Initiative, Modifiers, condition_action, initiative_action, move_action


def attack(system: System, **changes: Any) -> dict[str, Any]:
    """The actions with something else on the row of the attack."""
    return {"actions": {**system.actions, "attack": system.actions["attack"]._replace(**changes)}}


def without_state(system: System) -> Section:
    """The sheet without its `[state]`."""
    return Section({key: field for key, field in system.sheet.fields.items() if key != "state"})


WEAPONS = Field(MapOf(Section({"kind": Field(OneOf(("sword", "bow")), "its kind")})), "its weapons")
WRONG: list[tuple[Callable[[System], dict[str, Any]], str]] = [
    (
        lambda tiny: attack(tiny, costs=(Cost("energy"),)),
        "action 'attack' costs 'energy', which is no pool of tiny",
    ),
    (
        lambda tiny: attack(tiny, out=OutOfTurn(costs=(Cost("ammo:bow"),))),
        "action 'attack' costs 'ammo:bow', which is no pool",
    ),
    (
        lambda tiny: attack(tiny, costs=(Cost("go", gear="ap"),)),
        "a cost that its gear may change ('ap'), and no gear",
    ),
    (
        lambda tiny: attack(tiny, targets="two"),
        "action 'attack' has targets 'two', not one of none, one, many",
    ),
    (
        lambda tiny: attack(tiny, window="always"),
        "action 'attack' has window 'always', not one of turn, any, table",
    ),
    (lambda tiny: attack(tiny, gear="weapons"), "takes its gear from 'weapons', which no sheet of tiny has"),
    (
        lambda tiny: attack(tiny, options=("luck",)),
        "action 'attack' takes --luck, which is no option of tiny",
    ),
    (lambda tiny: attack(tiny, rule=None), "action 'attack' has no function as its rule"),
    (lambda tiny: attack(tiny, title=""), "action 'attack' has no title"),
    (
        lambda tiny: {"actions": {"attack": tiny.actions["attack"]}},
        "it has no action 'init', which decides the turn order",
    ),
    (lambda tiny: {"phases": {"noon": tiny.phases["start-round"]}}, "phase 'noon' is not one of start-round"),
    (
        lambda tiny: {"pools": {**tiny.pools, "luck": Pool("luck")}},
        "pool 'luck' lasts after a crisis, and [state]",
    ),
    (lambda tiny: {"pools": {**tiny.pools, "go": Pool("", lasting=False)}}, "pool 'go' has no label"),
    (
        lambda tiny: {"pools": {**tiny.pools, "shot": Pool("shots", gear="bows")}},
        "pool 'shot' belongs to things under 'bows', which no sheet of tiny has",
    ),
    (
        lambda tiny: {"pools": {**tiny.pools, "go": Pool("goes", lasting=False, refill="reload")}},
        "pool 'go' is filled again by 'reload', which is no action of tiny",
    ),
    (
        lambda tiny: {"pools": {**tiny.pools, "go": Pool("goes", lasting=False, made_of=Conversion("time"))}},
        "pool 'go' is made of 'time', which is no pool of tiny",
    ),
    (
        lambda tiny: {"pools": {**tiny.pools, "go": Pool("goes", lasting=False, a_turn="pace")}},
        "pool 'go' gains 'pace' a turn, which is no function of a fighter",
    ),
    (lambda tiny: {"conditions": {}}, "[state] of a sheet holds 'out', which is no condition of tiny"),
    (
        lambda tiny: {"conditions": {**tiny.conditions, "lost": tiny.conditions["out"]}},
        "condition 'lost' lasts after a crisis, and [state] of a sheet cannot hold it",
    ),
    (lambda tiny: {"sheet": without_state(tiny)}, "its sheets have no [state]"),
    (
        lambda tiny: {"marks": {"aim": Mark("a while")}},
        "mark 'aim' lasts 'a while', not one of action, turn, next turn, round, crisis",
    ),
    (
        lambda tiny: {"simultaneous": frozenset({"health"})},
        "simultaneous names 'health', which is no pool of tiny",
    ),
    (
        lambda tiny: {
            "command_options": (CommandOption("rest", "flag", ("heal",), "Rest.", "TINY-1", instead="sleep"),)
        },
        "option --rest stands for 'sleep', which is no action of tiny",
    ),
    (
        lambda tiny: {"command_options": (CommandOption("mode", "choice", ("attack",), "How.", "TINY-1"),)},
        "option --mode is a choice without values",
    ),
    (
        lambda tiny: attack(tiny, options=("mod",)),
        "action 'attack' takes --mod, which every action has: leave it out",
    ),
    (
        lambda tiny: attack(tiny, odds=ExactOdds(part=lambda table, dice, who: None)),
        "a function as its part that does not take 4 arguments: write a function (table, dice, who, lives)",
    ),
    (
        lambda tiny: {
            **attack(tiny, ai=Opponents.attacking("attack", "sord")),
            "sheet": tiny.sheet._replace(fields={**tiny.sheet.fields, "weapons": WEAPONS}),
        },
        "with weapons of the kind 'sord', which no sheet has: write one of sword, bow",
    ),
    (
        lambda tiny: {
            "conditions": {"out": tiny.conditions["out"]._replace(clears=("dazd",))},
        },
        "condition 'out' clears a condition: 'dazd' is no condition of tiny: write one of out",
    ),
    (lambda tiny: {"name": "Tiny One"}, "its name 'Tiny One' is not a word in lower case"),
    (lambda tiny: {"title": ""}, "it has no title"),
]


@pytest.mark.parametrize(("change", "said"), WRONG, ids=[said[:40] for _, said in WRONG])
def test_what_contradicts_itself_is_said(
    tiny: System, change: Callable[[System], dict[str, Any]], said: str
) -> None:
    with pytest.raises(BrokenSystem) as caught:
        replace(tiny, **change(tiny))
    assert said in caught.value.message
    assert caught.value.about["problems"]


def test_a_sentence_may_have_the_gaps_that_screens_fill(tiny: System) -> None:
    scene = Scene("tiny", {})
    entry = Entry(1, Intent("attack", "Ann", ("Bob",)))
    assert set(phrased(entry, scene, tiny)[1]) == GAPS


def test_everything_wrong_is_reported_at_once(tiny: System) -> None:
    with pytest.raises(BrokenSystem) as caught:
        replace(tiny, title="", marks={"aim": Mark("always")})
    assert caught.value.message == "tiny: it has no title (and 1 more)"
    assert "mark 'aim'" in caught.value.hint


@pytest.mark.parametrize("name", systems.SYSTEMS)
def test_all_values_of_shipped_rulebooks_are_of_their_types(name: str) -> None:
    assert [*mistyped(systems.load(name))] == []


NOT_MADE: Any = Whole
"""A class where one of its values is meant."""


@pytest.mark.parametrize(
    "field",
    [
        Field(NOT_MADE, "its edge", "", 3),
        Field(Section({"edge": Field(NOT_MADE, "its edge")}), "its weapon"),
        Field(MapOf(NOT_MADE), "its weapons"),
    ],
)
def test_a_class_is_no_kind_of_value(field: Field) -> None:
    (wrong,) = mistyped(field)
    assert wrong.path[-1] == "kind" and wrong.said == "is the class Whole: write Whole(...)"


def bouts(system: System) -> Scene:
    """Ann and Bob in a crisis, the turn being Ann's."""
    sheets = [system.sheet.read({"name": name, "system": "tiny"}, (), []) for name in ("Ann", "Bob")]
    sides = ("players", "opponents")
    fighters = [starting_fighter(system, one, side=side) for one, side in zip(sheets, sides, strict=True)]
    order = ("Ann", "Bob")
    named = {one.name: one for one in fighters}
    return Scene("tiny", named, open=True, order=order, turn="Ann", round=2)


def test_a_condition_ends_as_declared_wherever_it_begins(tiny: System) -> None:
    def until(scene: Scene, who: str) -> End:
        return "start-turn", scene.round + 1

    dazed = Condition("dazed", "TINY-2", until, lasting=False)
    system = replace(tiny, conditions={**tiny.conditions, "dazed": dazed})
    changes = Changes(bouts(system), declared=system)
    changes.begin("Ann", "dazed")
    changes.begin("Bob", "dazed", until=None)
    assert changes.fighter("Ann").ends == {"dazed": ("start-turn", 3)} and not changes.fighter("Bob").ends
    changes.begin("Bob", "dazed", until=("end-round", 2))
    changes.begin("Ann", "dazed", level=False)
    assert changes.fighter("Bob").ends == {"dazed": ("end-round", 2)} and not changes.fighter("Ann").ends
    row = condition_action("Reel", "TINY-2", (), "{actor} reels", begins="dazed")
    system = replace(system, actions={**system.actions, "reel": row})
    entry = perform(system, bouts(system), Intent("reel", "Ann"), Table(Scripted([])))
    assert ("Ann", "until:dazed", None, ["start-turn", 3]) in [event[:4] for event in entry.events]
    with pytest.raises(RulebookMistake, match="or another of start-round, end-round"):
        changes.begin("Bob", "dazed", until=("turn-start", 3))
    wrong = dazed._replace(until=lambda scene, who: ("turn-start", 3))
    with pytest.raises(RulebookMistake, match="condition 'dazed' lasts until"):
        wrong.end_from(bouts(system), "Bob")


@pytest.mark.parametrize(
    ("candidates", "said"),
    [
        (lambda scene, who: [("attack", who, ("Bob",))], "candidates of 'Strike' are tuple: write Intent"),
        (
            lambda scene, who: [Intent("attack", who, "Bob")],
            r"are Intent\('attack', who, 'Bob'\): write Intent",
        ),
        (
            lambda scene, who: [Intent("atack", who, ("Bob",))],
            "are for 'atack', which is no action of tiny: write 'attack'",
        ),
    ],
)
def test_candidates_that_are_no_intents_are_a_mistake(tiny: System, candidates: Any, said: str) -> None:
    system = replace(tiny, **attack(tiny, title="Strike", ai=Opponents(candidates)))
    with pytest.raises(RulebookMistake, match=said):
        legal(system, bouts(system))


@pytest.mark.parametrize(
    ("place", "score", "said"),
    [
        (("Ann", 1), lambda table, one: 1, "the initiative of Ann is .*write return Initiative"),
        (
            (Initiative("Ann", 1), Modifiers("x", "y")),
            lambda table, one: (1,),
            "the score of Ann is .*a whole number",
        ),
    ],
)
def test_what_decides_the_turn_order_is_a_score(tiny: System, place: Any, score: Any, said: str) -> None:
    row = initiative_action("TINY-1", lambda fighter: place, score, times=0)
    system = replace(tiny, actions={**tiny.actions, "init": row})
    with pytest.raises(RulebookMistake, match=said):
        perform(system, bouts(system), Intent("init", "", ("Ann",)), Table(Scripted([])))


def test_functions_of_row_makers_are_called_with_so_many_arguments() -> None:
    wrong: Any = lambda: 5  # noqa: E731
    for make in (
        lambda: move_action("Go", "TINY-1", wrong, (), ""),
        lambda: initiative_action("TINY-1", wrong, lambda table, one, tied_with=(): 1),
        lambda: initiative_action("TINY-1", lambda fighter: None, lambda table, one: 1),
    ):
        with pytest.raises(BrokenSystem, match="write a function"):
            make()


PAGES = {
    "nothing": (
        lambda: ModuleType("rulebook"),
        "crisis_cli.systems.tiny.rulebook: tiny: its rulebook has no SYSTEM",
    ),
    "another": (
        lambda: _page(SYSTEM=systems.load("3d6")),
        "crisis_cli.systems.tiny: tiny: its rulebook is called '3d6': write name='tiny'",
    ),
}


def _page(**members: Any) -> ModuleType:
    page = ModuleType("rulebook")
    vars(page).update(members)
    return page


@pytest.mark.parametrize("which", tuple(PAGES))
def test_a_page_that_holds_no_such_system_is_refused(
    tiny: System, which: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    make, said = PAGES[which]
    monkeypatch.setitem(sys.modules, "crisis_cli.systems.tiny.rulebook", make())
    with pytest.raises(BrokenSystem) as caught:
        systems.load("tiny")
    assert caught.value.message == said


def test_options_are_those_of_the_light_page(tiny: System, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands read `options.py` alone, so it must say the same."""
    option = CommandOption("rest", "flag", ("heal",), "Rest.", "TINY-1")
    monkeypatch.setitem(
        sys.modules,
        "crisis_cli.systems.tiny.rulebook",
        _page(SYSTEM=replace(tiny, command_options=(option,))),
    )
    with pytest.raises(BrokenSystem, match="command_options are not COMMAND_OPTIONS"):
        systems.load("tiny")


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The rulebook of a system called broken, not written yet."""
    folder = tmp_path / "more" / "broken"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    monkeypatch.setattr(systems, "__path__", [*systems.__path__, str(tmp_path / "more")])
    monkeypatch.setitem(systems.SYSTEMS, "broken", "broken")
    yield folder / "rulebook.py"
    for name in [one for one in sys.modules if one.startswith("crisis_cli.systems.broken")]:
        del sys.modules[name]
    vars(systems).pop("broken", None)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("from nowhere import nothing", "No module named 'nowhere'"),
        (
            "from crisis_cli.engine.system import System\nSYSTEM = System(name='broken')",
            "lacks required keyword arguments: 'title'",
        ),
        ("1 / 0", "ZeroDivisionError"),
    ],
)
def test_a_broken_rulebook_is_one_line(crisis: Player, broken: Path, text: str, said: str) -> None:
    broken.write_text(text)
    shown = crisis("character schema broken")
    assert shown.status == 4 and shown.out == "" and "Traceback" not in shown.err
    assert shown.err.startswith("error: broken cannot be loaded") and said in shown.err
    assert "rulebook.py, line" in shown.err
    assert crisis.ok("character schema 3d6").out, "the others still work"
