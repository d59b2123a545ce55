"""What each shipped doctrine does on small scenes made up for it."""

from __future__ import annotations

from typing import Any

import pytest
from bouts import SHELF, begun, by_doctrine, fought, met, roster

from crisis_cli.ai.deciding import AutoPlayer
from crisis_cli.ai.movement import is_move, towards
from crisis_cli.ai.plans.attack import WaitPlan
from crisis_cli.ai.plans.planner import Planner
from crisis_cli.ai.plans.proposals import proposals
from crisis_cli.ai.responding import watch
from crisis_cli.dice.generator import Seeded, generator
from crisis_cli.dice.table import Table, first
from crisis_cli.engine.events import apply_all
from crisis_cli.engine.legal_actions import of
from crisis_cli.engine.perform import perform
from crisis_cli.engine.scene import Intent, Scene
from crisis_cli.engine.starting import settled
from crisis_cli.engine.validate import prepare
from crisis_cli.sheets.fighters import fighter
from crisis_cli.systems import load

SYSTEM = load("3d6")
SHEETS = {sheet.values["name"]: sheet for sheet in roster("3d6")}


def scene(
    *who: tuple[str, str, str, Any], turn: str, doctrine: str, hurt: dict[str, float] | None = None
) -> Scene:
    """Fighters by name, sheet, side and place; whose turn it is, with all it can pay with, and its doctrine."""
    found = {}
    for name, sheet, side, at in who:
        one = fighter(SYSTEM, SHEETS[sheet], name=name, side=side, player=False)
        left = 1 - (hurt or {}).get(name, 0)
        pools = {
            pool: int(value * left) if pool in ("endurance", "health") else value
            for pool, value in one.pools.items()
        }
        pools["ap"] = 6
        one = one._replace(at=at, mind=doctrine if name == turn else "careful", pools=pools)
        found[name] = settled(SYSTEM, one)
    order = tuple(found)
    return Scene(
        SYSTEM.name, found, open=True, order=order, scores=dict.fromkeys(order, 10), round=1, turn=turn
    )


def does(now: Scene, past: Any = ()) -> tuple[Intent, dict[str, Any]]:
    """What the fighter whose turn it is decides, and why; it is allowed."""
    decision = AutoPlayer(SYSTEM, SHELF.named).decide(now, now.turn, past)
    if decision.intent.action in SYSTEM.actions:
        prepare(SYSTEM, now, decision.intent)
    return decision.intent, dict(decision.reason)


def test_the_coward_flees_when_it_is_hurt_and_leaves_where_nobody_can_follow() -> None:
    who = (("Me", "Ada", "a", (0.0, 0.0)), ("Foe", "Drone", "b", (3.0, 0.0)))
    whole, _ = does(scene(*who, turn="Me", doctrine="coward"))
    assert whole.action != "leave"
    intent, reason = does(scene(*who, turn="Me", doctrine="coward", hurt={"Me": 0.6}))
    assert (reason["key"], reason["cause"]) == ("flees", "hurt") and reason["number"] >= 35
    assert intent.options["to"][0] < 0, "away from the foe"
    far = (("Me", "Ada", "a", (0.0, 0.0)), ("Foe", "Drone", "b", (31.0, 0.0)))
    assert does(scene(*far, turn="Me", doctrine="coward", hurt={"Me": 0.6}))[0].action == "leave"
    nowhere = (("Me", "Ada", "a", None), ("Foe", "Drone", "b", None))
    assert does(scene(*nowhere, turn="Me", doctrine="coward", hurt={"Me": 0.6}))[0].action == "leave"


def test_a_fighter_who_flees_rests_when_nothing_is_left_to_run_with() -> None:
    system = load("step")
    vera, brute = (one for one in roster("step") if one.values["name"] in ("Vera", "Brute"))
    now = met(system, [vera, brute], ("coward", "careful"), 4)
    order = tuple(now.fighters)
    coward = now.fighters[order[0]]
    pools = {**coward.pools, "health": coward.pools["health"] // 4, "ap": 0}
    fighters = {**now.fighters, coward.name: coward._replace(pools=pools)}
    tired = now._replace(
        fighters=fighters, order=order, scores=dict.fromkeys(order, 1), round=1, turn=order[0]
    )
    assert any(one.intent.action == "overwatch" for one in of(system, tired, order[0])), "it is free"
    decision = AutoPlayer(system, SHELF.named).decide(tired, order[0])
    assert (decision.intent.action, decision.reason["key"], decision.reason["cause"]) == (
        "next",
        "spent",
        "hurt",
    )


@pytest.mark.parametrize(("ap", "waits"), [(1, None), (2, "overwatch")])
def test_nobody_keeps_watch_who_could_not_pay_an_attack(ap: int, waits: str | None) -> None:
    system = load("step")
    raider = next(one for one in roster("step") if one.values["name"] == "Raider")
    now = begun(system, met(system, [raider, raider], ("cunning", "careful"), 6))
    me, _ = now.fighters
    now = now._replace(fighters={**now.fighters, me: now.fighters[me].with_pools({"ap": ap})})
    ready = watch(system, now, me, list(of(system, now, me)))
    assert (ready and ready.action) == waits


@pytest.mark.parametrize("doctrine", ["careful", "cunning", "reckless"])
def test_a_fighter_who_cannot_harm_its_foe_leaves(doctrine: str) -> None:
    system = load("2d20")
    doc, robot = (one for one in roster("2d20") if one.values["name"] in ("Doc", "Robot"))
    start = met(system, [doc, robot], (doctrine, "careful"), 0)
    name, *_ = start.fighters
    unarmed = start.fighters[name]
    unarmed = unarmed._replace(
        held=(),
        sheet={**unarmed.sheet, "weapons": {}, "items": {}},
        pools={pool: left for pool, left in unarmed.pools.items() if ":" not in pool},
    )
    bout = fought(
        system,
        start._replace(fighters={**start.fighters, name: unarmed}),
        0,
        by_doctrine(system),
        rounds=12,
    )
    last = bout.entries[-1].intent
    assert bout.end.round < 12 and (last.action, last.get("reason")["cause"]) == ("leave", "stalled")


@pytest.mark.parametrize("doctrine", ["careful", "cunning", "guard"])
def test_nobody_wastes_an_action_while_its_plan_has_to_wait(doctrine: str) -> None:
    """The revolver is better hand to hand, but it can be drawn only in the next turn."""
    system = load("2d20")
    cass = next(one for one in roster("2d20") if one.values["name"] == "Cass")
    now = begun(system, met(system, [cass, cass], (doctrine, "careful"), 0))
    me = now.fighters[now.order[0]]
    tired = me._replace(pools={**me.pools, "minor": 0})
    decision = AutoPlayer(system, SHELF.named).decide(
        now._replace(fighters={**now.fighters, me.name: tired}), me.name
    )
    assert decision.reason["plans"][0]["plan"].startswith("next turn: draw revolver")
    assert (decision.intent.action, decision.intent.get("weapon")) == ("attack", "repeater")


def test_nobody_flees_from_a_foe_that_is_nearly_down_too() -> None:
    who = (("Me", "Ada", "a", (0.0, 0.0)), ("Foe", "Ada", "b", (3.0, 0.0)))
    fled = [
        does(scene(*who, turn="Me", doctrine="careful", hurt={"Me": 0.9, "Foe": theirs}))[1]["key"] == "flees"
        for theirs in (0.0, 0.4, 0.8)
    ]
    assert fled == [True, True, False]


@pytest.mark.parametrize(("doctrine", "flees"), [("coward", True), ("careful", False)])
def test_only_the_coward_flees_for_its_wounds_while_its_side_is_ahead(doctrine: str, flees: bool) -> None:
    who = [("Me", "Ada", "a", (0.0, 0.0)), ("Foe", "Ada", "b", (3.0, 0.0))]
    who += [(f"Friend {at}", "Ada", "a", (0.0, float(at))) for at in (1, 2)]
    _, reason = does(scene(*who, turn="Me", doctrine=doctrine, hurt={"Me": 0.9}))
    assert (reason["key"] == "flees") is flees


def test_the_coward_shoots_from_where_it_is_and_does_not_close_in() -> None:
    """The Warden's maul would do more."""
    now = scene(
        ("Me", "Warden", "a", (0.0, 0.0)), ("Foe", "Ada", "b", (12.0, 0.0)), turn="Me", doctrine="coward"
    )
    plans = does(now)[1]["plans"]
    assert any("riveter" in one["plan"] for one in plans)
    assert not any("close in" in one["plan"] for one in plans)


def test_a_foe_that_is_not_noticed_is_left_alone_while_another_is() -> None:
    who = (
        ("Me", "Drone", "a", (0.0, 0.0)),
        ("Near", "Ada", "b", (5.0, 0.0)),
        ("Far", "Jack", "b", (0.0, 12.0)),
    )
    now = scene(*who, turn="Me", doctrine="careful")
    assert does(now)[0].options["to"][0] > 0, "the nearer one, who can be seen"
    hidden = now.fighters["Near"]._replace(conditions={"hidden": True})
    now = now._replace(fighters={**now.fighters, "Near": hidden})
    step = does(now)[0].options["to"]
    assert step[1] > 0 and step[0] == 0, "towards the other one"
    alone = now._replace(fighters={name: one for name, one in now.fighters.items() if name != "Far"})
    assert does(alone._replace(order=("Me", "Near")))[0].action != "leave", "there is nobody else"


def test_nobody_that_has_acted_can_do_nothing() -> None:
    from crisis_cli.engine.record import Entry

    now = scene(
        ("Me", "Drone", "a", (0.0, 0.0)), ("Foe", "Ada", "b", (20.0, 0.0)), turn="Me", doctrine="careful"
    )
    tired = now.fighters["Me"]._replace(pools={**now.fighters["Me"].pools, "ap": 0})
    now = now._replace(fighters={**now.fighters, "Me": tired})
    past = [Entry(1, Intent("next", "Me")), Entry(2, Intent("move", "Me", options={"to": [0, 0]}))]
    evaluator = AutoPlayer(SYSTEM, SHELF.named).evaluator
    said = []
    for done in (past[:1], past):
        evaluator.start_decision(now)
        planner = Planner(evaluator, SHELF.named("careful"), now, "Me", done)
        waits = next(plan for plan in proposals(planner) if isinstance(plan, WaitPlan))
        said.append(waits.cause_of_ending(planner))
    assert said == ["nothing", "spent"]


def test_a_fighter_who_flees_gets_away_in_the_end_even_if_it_is_followed() -> None:
    from crisis_cli.engine.record import Entry

    now = scene(
        ("Me", "Ada", "a", (0.0, 0.0)),
        ("Foe", "Drone", "b", (2.0, 0.0)),
        turn="Me",
        doctrine="coward",
        hurt={"Me": 0.6},
    )
    run, _ = does(now)
    assert run.action != "leave"
    assert does(now, [Entry(at, run) for at in range(1, 9)])[0].action == "leave"


def test_the_coward_breaks_when_its_side_has_fallen_or_is_outnumbered() -> None:
    who = (("Me", "Ada", "a", None), ("Dead", "Ada", "a", None), ("Foe", "Drone", "b", None))
    assert does(scene(*who, turn="Me", doctrine="coward", hurt={"Dead": 1.0}))[1]["cause"] == "fallen"
    many = (("Me", "Ada", "a", None), *((f"Foe {at}", "Drone", "b", None) for at in range(3)))
    assert does(scene(*many, turn="Me", doctrine="coward"))[1]["cause"] == "outnumbered"


def test_the_beast_goes_for_the_nearest_hand_to_hand() -> None:
    who = (
        ("Me", "Drone", "a", (0.0, 0.0)),
        ("Far", "Ada", "b", (20.0, 0.0)),
        ("Near", "Jack", "b", (0.0, 9.0)),
    )
    now = scene(*who, turn="Me", doctrine="beast", hurt={"Far": 0.9})
    intent, reason = does(now)
    assert reason["key"] == "closes-in" and intent.options["to"][1] > 0
    beside = now._replace(fighters={**now.fighters, "Me": now.fighters["Me"]._replace(at=(0.0, 8.0))})
    assert does(beside)[0].target == "Near"


def test_the_reckless_never_takes_cover_nor_treats_a_wound() -> None:
    who = (("Me", "Ada", "a", (0.0, 0.0)), ("Foe", "Ada", "b", (9.0, 0.0)), ("Other", "Ada", "b", (9.0, 2.0)))
    for hurt in (0.0, 0.5, 0.9):
        assert does(scene(*who, turn="Me", doctrine="reckless", hurt={"Me": hurt}))[1]["key"] == "attacks"


@pytest.mark.parametrize("name", ["3d6", "step", "d6pool"])
def test_nobody_goes_where_another_stands(name: str) -> None:
    system = load(name)
    sheet = roster(name)[0]
    start = met(system, [sheet] * 6, ("beast", "beast"), 4)
    order = tuple(start.fighters)
    me, friend = (start.fighters[order[at]] for at in (0, 2))
    # The friend stands just where the way to the foe ends.
    start = start._replace(fighters={**start.fighters, friend.name: friend._replace(at=(3.0, 0.0))})
    now = begun(system, start)
    ways = [one for one in of(system, now, me.name) if is_move(system, now, one)]
    taken = {one.at for one in now.fighters.values()}
    found = [towards(system, now, way.intent, (4.0, 0.0)) for way in ways]
    places = [tuple(one.options["to"]) for one in found if one]
    assert places and not taken & set(places)


def test_the_guard_stays_near_whom_it_protects() -> None:
    who = (
        ("Me", "Drone", "a", (0.0, 0.0)),
        ("Ward", "Ada", "a", (12.0, 0.0)),
        ("Foe", "Drone", "b", (0.0, 14.0)),
    )
    intent, reason = does(scene(*who, turn="Me", doctrine="guard", hurt={"Ward": 0.5}))
    assert reason["key"] in ("stays-with", "closes-in") and intent.options["to"][0] > 2


def test_the_guard_goes_for_the_fighter_nearest_to_its_ward() -> None:
    who = (
        ("Me", "Jack", "a", (0.0, 0.0)),
        ("Ward", "Ada", "a", (0.0, 1.0)),
        ("Mine", "Drone", "b", (0.0, -1.0)),
        ("Its", "Drone", "b", (1.0, 1.0)),
    )
    assert does(scene(*who, turn="Me", doctrine="guard"))[0].target == "Its"


def test_the_careful_treats_a_wound_that_matters() -> None:
    who = (("Me", "Ada", "a", None), ("Foe", "Warden", "b", None))
    keys = {
        does(scene(*who, turn="Me", doctrine="careful", hurt={"Me": hurt}))[1]["key"] for hurt in (0.0, 0.5)
    }
    assert keys == {"draws", "treats"}, "whole, it takes the knife, whose hits are worse for the Warden"


def test_the_cunning_finishes_a_fighter_who_is_nearly_down() -> None:
    who = (("Me", "Ada", "a", None), ("Whole", "Drone", "b", None), ("Weak", "Drone", "b", None))
    now = scene(*who, turn="Me", doctrine="cunning", hurt={"Weak": 0.95})
    intent, reason = does(now)
    assert intent.target == "Weak" and reason["down"] > 20


def test_a_fighter_who_avenges_goes_for_the_one_who_hurt_it(tmp_path: Any) -> None:
    from crisis_cli.ai.doctrine_store import DoctrineStore
    from crisis_cli.engine.events import Event
    from crisis_cli.engine.record import Entry
    from crisis_cli.sheets.store import Folder

    (tmp_path / "spiteful.toml").write_text('about = "never forgets"\naim = "avenge"', encoding="utf-8")
    shelf = DoctrineStore((Folder(str(tmp_path), "here"),))
    who = (("Me", "Ada", "a", None), ("One", "Drone", "b", None), ("Two", "Drone", "b", None))
    now = scene(*who, turn="Me", doctrine="spiteful")
    blow = Entry(1, Intent("attack", "Two", ("Me",)), events=(Event("Me", "endurance", 50, 45),))
    assert AutoPlayer(SYSTEM, shelf.named).decide(now, "Me", (blow,)).intent.target == "Two"
    assert AutoPlayer(SYSTEM, shelf.named).decide(now, "Me").intent.target == "One"


@pytest.mark.parametrize("doctrine", ["careful", "cunning", "guard"])
def test_an_empty_weapon_is_loaded_or_another_drawn(doctrine: str) -> None:
    who = (("Me", "Ada", "a", None), ("Foe", "Drone", "b", None))
    now = scene(*who, turn="Me", doctrine=doctrine)
    me = now.fighters["Me"]
    now = now._replace(fighters={**now.fighters, "Me": me._replace(pools={**me.pools, "ammo:pistol": 0})})
    intent, reason = does(now)
    assert (intent.action, reason["key"]) in (("reload", "reloads"), ("draw", "draws"))


@pytest.mark.parametrize("doctrine", ["careful", "beast", "reckless", "cunning"])
def test_a_fighter_who_lies_gets_up_to_strike(doctrine: str) -> None:
    who = (("Me", "Jack", "a", None), ("Foe", "Drone", "b", None))
    now = scene(*who, turn="Me", doctrine=doctrine)
    lying = now.fighters["Me"]._replace(conditions={"prone": True})
    assert does(now._replace(fighters={**now.fighters, "Me": lying}))[0].action == "stand-up"


def test_nobody_attacks_who_has_surrendered_or_fallen() -> None:
    who = (("Me", "Jack", "a", None), ("Gives up", "Drone", "b", None), ("Foe", "Drone", "b", None))
    now = scene(*who, turn="Me", doctrine="reckless")
    assert does(now)[0].target == "Gives up"
    given_up = now.fighters["Gives up"]._replace(yielded=True)
    assert does(now._replace(fighters={**now.fighters, "Gives up": given_up}))[0].target == "Foe"


def test_surrender_is_an_event_like_others(tmp_path: Any) -> None:
    from crisis_cli.engine.events import revert_all
    from crisis_cli.engine.sides import decided

    who = (("Me", "Jack", "a", None), ("Foe", "Drone", "b", None))
    now = scene(*who, turn="Me", doctrine="careful")
    entry = perform(SYSTEM, now, Intent("yield", "Me", ("Me",)), Table(Seeded(generator(1).random), first))
    after = apply_all(now, entry.events)
    assert after.fighters["Me"].yielded and decided(SYSTEM, after)
    assert revert_all(after, entry.events) == now


@pytest.mark.parametrize(("name", "waits"), [("step", "overwatch"), ("2d20", "ready"), ("d100", "ready")])
def test_the_guard_waits_ready_and_attacks_who_comes(name: str, waits: str) -> None:
    """Where it can attack no one it gets ready, and attacks before the foe that has come does."""
    system = load(name)
    sheet = roster(name)[0]
    now = met(system, [sheet, sheet], ("guard", "reckless"), system.space.beside)
    me, foe = now.fighters
    now = begun(system, now)
    candidates = list(of(system, now, me))
    ready = watch(system, now, me, candidates)
    assert ready is not None and ready.action == waits
    decided = ready.plus(reason={"key": "watches"})
    past = [perform(system, now, decided, Table(Seeded(generator(1).random), first))]
    now = apply_all(now, past[0].events)
    if now.turn == me:
        ended = perform(system, now, Intent("next", me), Table(Seeded(generator(1).random), first))
        now = apply_all(now, ended.events)
    player = AutoPlayer(system, SHELF.named)
    attack = player.decide(now, foe).intent
    move = Intent("move", foe, (), {"to": [9, 9]})
    assert player.respond(now, move, past) is None, "who moves may come nearer"
    attack = attack if attack.targets else Intent("next", foe)
    assert player.respond(now, attack) is None, "one made ready by command is left to the player"
    response = player.respond(now, attack, past)
    assert response is not None and response.actor == me and response.targets == (foe,)
    prepare(system, now, response)
