"""First aid (2D20-26, 2D20-27)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ...engine.events import Event, change
from ...engine.record import Modifier
from ...engine.scene import Fighter, Intent, Scene, slug
from ...engine.system import Action, Setup, refuse
from .acts import awake
from .allies import major
from .arms import able, between
from .conditions import OUT_COLD, injuries, is_dying
from .pools import purse
from .rolls import USUAL, Test, after_test, earned, harder, richer, test_of, tested, with_option
from .sheet import rank
from .words import PLACES

ONESELF = 1
"""2D20-26: what treating oneself adds."""
STABLE = 1
"""2D20-27: HP of whoever is stabilised."""


class Care(NamedTuple):
    """All that the dice of first aid need to know, and what it is meant to do."""

    test: Test
    aim: str
    """"heal", "stabilise", or a place whose injury is treated."""
    base: int
    """HP that success gives, before AP."""
    wanted: int
    """AP to be spent, as far as they reach."""
    purse: int


class Treated(NamedTuple):
    """What first aid came to, before the maximum is looked at."""

    success: bool
    total: int
    """Successes."""
    complications: int
    luck: int
    spent: int
    healed: int

    @property
    def word(self) -> str:
        """In one word."""
        return "healed" if self.success else "failure"

    @property
    def counted(self) -> str:
        """What the total is one of."""
        return "successes"


def stake(scene: Scene, intent: Intent) -> Setup:
    """2D20-26, 2D20-27: as hard as the patient has injuries, harder on oneself."""
    fighter = scene.fighters[intent.actor]
    patient = scene.fighters[intent.target or intent.actor]
    able(intent, fighter)
    if intent.get("item"):
        healer, whom = slug(fighter.name), slug(patient.name)
        chem = f"a chem: crisis act {healer} take-chem {whom} --item {intent.get('item')}"
        refuse(intent, "first aid takes no things", "2D20-27", chem, final=True)
    if patient.has("dead"):
        refuse(intent, f"{patient.name} is dead", "2D20-23", final=True)
    if between(scene, fighter.name, patient.name):
        refuse(intent, f"{patient.name} is in another zone", "2D20-27", "go there: crisis act move --to X,Y")
    aim = _aim(intent, patient)
    hard = harder(scene, intent, injuries(patient), "injuries", "2D20-26")
    if patient.name == fighter.name:
        hard.append(Modifier("difficulty", "treating oneself", ONESELF, "2D20-26"))
    test, modifiers, costs = test_of(scene, intent, "heal", ("int", "medicine"), hard)
    wanted = intent.get("ap_spend", 0)
    if wanted < 0 or (wanted and aim in PLACES):
        refuse(intent, "AP give HP back, and nothing else", "2D20-27", "leave --ap-spend out", final=True)
    base = {"heal": rank(fighter.sheet, "medicine"), "stabilise": STABLE}.get(aim, 0)
    care = Care(test, aim, base, max(0, wanted), purse(scene, intent, "major", test.dice - USUAL))
    return Setup(care, tuple(modifiers), costs)


def _aim(intent: Intent, patient: Fighter) -> str:
    """2D20-27: what is asked for, else what the patient needs most; refused where there is no need of it."""
    asked = [one for one in ("treat", "stabilise", "heal_hp") if intent.get(one)]
    if len(asked) > 1:
        refuse(
            intent,
            "first aid does one thing at a time",
            "2D20-27",
            "--heal-hp, --treat PLACE or --stabilise",
            final=True,
        )
    dying = is_dying(patient)
    aim = {"heal_hp": "heal", "treat": intent.get("treat"), "stabilise": "stabilise"}.get(
        asked[0] if asked else ""
    )
    aim = aim or ("stabilise" if dying else "heal")
    if dying and aim != "stabilise":
        refuse(
            intent,
            f"{patient.name} is dying and can only be stabilised",
            "2D20-23",
            "crisis heal WHO --stabilise",
            final=True,
        )
    if aim == "stabilise" and not dying:
        refuse(intent, f"{patient.name} is not dying", "2D20-27", final=True)
    if aim in PLACES and not injuries(patient, aim):
        hurt = ", ".join(place for place in PLACES if injuries(patient, place)) or "nowhere"
        refuse(intent, f"{patient.name} is not injured there", "2D20-27", f"injured: {hurt}", final=True)
    if aim == "heal" and patient.pools["hp"] >= patient.pools["max_hp"] and not patient.has("unconscious"):
        hurt = next((place for place in PLACES if injuries(patient, place)), "")
        way = f"treat an injury: --treat {hurt}" if hurt else ""
        refuse(intent, f"{patient.name} has all the HP there can be", "2D20-27", way)
    return str(aim)


def treat(table: Any, care: Care) -> Treated:
    """2D20-27: the test, and the HP that it is worth."""
    test = table.ask(tested, care.test)
    spent = min(care.wanted, care.purse + earned(care.test, test)) if test.success else 0
    return Treated(
        test.success,
        test.total,
        test.complications,
        test.luck,
        spent,
        care.base + spent if test.success else 0,
    )


def mend(scene: Scene, intent: Intent, care: Care, outcome: Treated) -> Iterator[Event]:
    """2D20-27: HP up to the maximum, an injury gone, or no longer dying but out cold."""
    name = intent.target or intent.actor
    patient = scene.fighters[name]
    yield from after_test(scene, intent, care.test, outcome, "major", outcome.spent)
    if not outcome.success:
        return
    if care.aim in PLACES:
        yield from change(
            scene, name, f"condition:injured-{care.aim}", injuries(patient, care.aim) - 1 or False, "2D20-27"
        )
        return
    hp = min(patient.pools["hp"] + outcome.healed, patient.pools["max_hp"])
    yield from change(scene, name, "hp", hp, "2D20-27")
    if care.aim == "stabilise" and hp:
        end = OUT_COLD if scene.open else None
        yield from change(scene, name, "until:unconscious", end, "2D20-27")
    elif outcome.healed:
        yield from awake(scene, name)


def outputs(scene: Scene, intent: Intent, care: Care, outcome: Treated) -> Mapping[str, Any]:
    """2D20-27: AP that were wanted and not there are told."""
    return {"wanted": care.wanted} if outcome.success and outcome.spent < care.wanted else {}


def _offers(scene: Scene, who: str) -> Iterator[Intent]:
    for one in scene.of_side(scene.fighters[who].side):
        yield Intent("heal", who, (one.name,))
        for place in PLACES:
            if injuries(one, place):
                yield Intent("heal", who, (one.name,), {"treat": place})


def no_offers(scene: Scene, who: str) -> Iterable[Intent]:
    return ()


def _finer(scene: Scene, intent: Intent) -> Iterator[Intent]:
    """2D20-6, 2D20-8, 2D20-27: dice bought, Luck, AP for HP."""
    yield from richer(scene, intent)
    have = purse(scene, intent, "major")
    if have and not intent.get("treat"):
        yield with_option(intent, "ap_spend", have)


HEAL = major(
    Action(
        "Give first aid",
        "2D20-27",
        stake,
        mend,
        treat,
        outputs=outputs,
        candidates=_offers,
        upgrades=_finer,
        targets="patient",
        options=("buy", "luck", "treat", "stabilise", "heal-hp", "ap-spend"),
    )
)
