"""What the target does about hits: parry, dodge, shield, cover, then protection (POOL-14, POOL-22 to POOL-28,
POOL-31, POOL-33)."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...play.record import Modifier
from ...play.scene import Fighter, Intent, Scene
from ...table.dice import Option
from ..system import Switch, forbid
from .arms import Weapon, shield_of, weapons_held
from .conditions import DEATH, hearts, idle
from .deeds import kept
from .pool import CRITICAL as THRESHOLD
from .pool import NEVER, Critical, Scale, Score, hits, veiled, worse
from .protection import NONE, Armour, Units, armour_of, stopped
from .rolls import Hand, dice_for, least_for, resisting, successes, thrown, total
from .sheet import evasion_of, modes_of

REACTIONS = ("dodge", "parry", "shield")
"""POOL-14."""
SIDES = 6
HUNKERED = 6
"""POOL-38: the cover of whoever is hunkered."""
WOUNDS, KNOCKOUT, DISARM = "wounds", "knockout", "disarm"
"""What the hits are meant to do."""
SWITCHES = (
    Switch("unaware", "names", ("attack", "throw"), "Who does not perceive the attack.", "POOL-14"),
    Switch("react-weapon", "text", ("attack", "throw"), "What the target parries with.", "POOL-28"),
)


class Guard(NamedTuple):
    """All that the dice of the target need to know; what it cannot do is None or 0."""

    who: str
    armour: Armour
    each: int = 1
    """Wounds of each hit (POOL-26)."""
    most: int = 9999
    """Wounds beyond these make no difference."""
    cover: int = 0
    shield: int = 0
    dodge: Hand | None = None
    parry: Hand | None = None
    meant: str = WOUNDS
    resist: Hand | None = None


class Toll(NamedTuple):
    """What an attack comes to for its target."""

    harm: int
    """Wounds; the level of unconsciousness; 1 for a weapon lost."""
    past: bool = False
    """Whether a hit got past parry, dodge and cover (POOL-20)."""
    through: bool = False
    """Whether a hit was left in the end (POOL-3)."""
    used: Units = NONE
    reflected: int = 0
    reaction: str = ""


def answered(table: Any, guard: Guard, score: Score) -> Toll:
    """A rule: hits, after the reaction that the target chooses by what is announced of them (POOL-14)."""
    told = veiled(score)
    options = [Option("none", borne, (guard, told))]
    if guard.dodge is not None:
        options.append(Option("dodge", dodged, (guard, told), 1))
    if guard.parry is not None:
        options.append(Option("parry", parried, (guard, told), 1))
    if guard.shield:
        options.append(Option("shield", shielded, (guard, told), 1))
    taken = table.choose(guard.who, tuple(options))
    toll: Toll = table.ask(taken.rule, guard, score)
    return toll if taken.name == "none" else toll._replace(reaction=taken.name)


def borne(table: Any, guard: Guard, score: Score) -> Toll:
    """A rule: nothing is done about it."""
    return endured(table, guard, guard.cover, score[0], score[1], len(score[1]))


def dodged(table: Any, guard: Guard, score: Score) -> Toll:
    """A rule, POOL-27: evasion, harder by every hit; one success and none of them counts."""
    assert guard.dodge is not None
    harder = guard.dodge._replace(scale=Scale(guard.dodge.scale.least + hits(score)))
    if table.ask(avoided, harder):
        return Toll(0)
    toll: Toll = table.ask(endured, guard, guard.cover, score[0], score[1], len(score[1]))
    return toll


def avoided(table: Any, hand: Hand) -> bool:
    """A rule: whether a dodge succeeds."""
    return hits(thrown(table, "dodge", hand)[0]) > 0


def parried(table: Any, guard: Guard, score: Score) -> Toll:
    """A rule, POOL-28: each success stops a hit; critical ones stop critical hits first, and nothing else does."""
    assert guard.parry is not None
    normal, left = table.ask(turned, guard.parry, score[0], len(score[1]))
    toll: Toll = table.ask(endured, guard, guard.cover, normal, score[1], left)
    return toll


def turned(table: Any, hand: Hand, normal: int, critical: int) -> tuple[int, int]:
    """A rule: the hits, normal and critical, that a parry leaves."""
    stops, critically = thrown(table, "parry", hand)[0]
    stopped_ = min(len(critically), critical)
    return max(0, normal - stops - (len(critically) - stopped_)), critical - stopped_


def shielded(table: Any, guard: Guard, score: Score) -> Toll:
    """A rule, POOL-23: the shield is cover against this one attack; of several the best counts (POOL-22)."""
    cover = min(guard.shield, guard.cover or guard.shield)
    return endured(table, guard, cover, score[0], score[1], len(score[1]))


def endured(
    table: Any, guard: Guard, cover: int, normal: int, critical: tuple[Critical, ...], left: int
) -> Toll:
    """A rule, POOL-22: a cover die for each critical hit, then for each normal one; then protection and wounds.

    Of the critical hits `left` are left, the worst having been stopped (a reading).
    """
    left -= _covered(table, guard.who, cover, left, "critical hits")
    normal -= _covered(table, guard.who, cover, normal, "normal hits")
    if not normal + left:
        return Toll(0)
    if guard.meant == DISARM:
        return Toll(int(_resisted(table, guard) < normal + left), True)
    through = stopped(guard.armour, normal, left)
    remains = through.normal + through.critical
    toll = Toll(0, True, remains > 0, through.used, through.reflected)
    if guard.meant == KNOCKOUT:
        return toll._replace(harm=max(0, remains - _resisted(table, guard)) if remains else 0)
    more = table.ask(worse, critical, through.critical) if through.critical else 0
    return toll._replace(harm=min(guard.most, guard.each * remains + more))


def _resisted(table: Any, guard: Guard) -> int:
    assert guard.resist is not None
    return successes(table, "resist", guard.resist)[0]


def _covered(table: Any, who: str, cover: int, count: int, what: str) -> int:
    """The hits that cover stops: dice that are not thrown on, and count once (POOL-22)."""
    if not cover or not count:
        return 0
    table.label("cover", who, f"{count}d6", part=what)
    found: int = table.times(count, _covers, cover)
    table.reckon(target=cover, successes=found)
    return found


def _covers(table: Any, cover: int) -> int:
    """A rule: one cover die."""
    return int(table.die(SIDES) >= cover)


def guard_of(
    scene: Scene, intent: Intent, weapon: Weapon, mode: str, meant: str
) -> tuple[Guard, list[Modifier]]:
    """What stands between the hits and the target; Refused where `--react` names what it cannot do."""
    target = scene.fighters[intent.target]
    each = max(0, weapon["wounds"] + intent.get("mod_damage", 0))
    left = hearts(target)
    guard = Guard(
        target.name,
        armour_of(target, intent, weapon["piercing"], weapon["demonic"]),
        each,
        left if left > 0 else DEATH,
        cover_of(scene, intent, target),
        meant=meant,
    )
    found: list[Modifier] = []
    if meant == KNOCKOUT:
        resist, found = resisting(target, "resist", "resistance")
        guard = guard._replace(resist=resist)
    if meant == DISARM:
        resist, found = max(
            (resisting(target, "resist", one) for one in ("strength", "deftness")),
            key=lambda pair: pair[0].dice,
        )
        guard = guard._replace(resist=resist)
    able = {one: _unable(scene, intent, target, mode, one) for one in REACTIONS}
    wanted = intent.get("react", "none")
    if able.get(wanted, ("",))[0]:
        forbid(intent, able[wanted][0], able[wanted][1], "let it be: --react none")
    if not able["dodge"][0] or wanted == "dodge":
        dodge, more = _dodge(target)
        guard, found = guard._replace(dodge=dodge), found + more
    if not able["parry"][0]:
        parry, more = _parry(target, _parries_with(intent, target))
        guard, found = guard._replace(parry=parry), found + more
    if not able["shield"][0]:
        guard = guard._replace(shield=shield_of(target))
    return guard, [one._replace(against=target.name) for one in found]


def _unable(scene: Scene, intent: Intent, target: Fighter, mode: str, reaction: str) -> tuple[str, str]:
    """Why the target cannot react so, and the rule; two empty words where it can."""
    if target.name in intent.get("unaware", ()):
        return f"{target.name} does not perceive the attack", "POOL-14"
    why, rule = idle(target)
    if why:
        return f"{target.name} is {why}", rule
    if kept(scene, target) < 1:
        return f"{target.name} has no action left", "POOL-14"
    if reaction == "shield":
        return ("", "") if shield_of(target) else (f"{target.name} holds no shield", "POOL-23")
    if mode != "melee":
        return f"only a blow can be answered with {reaction}", "POOL-18"
    if reaction == "parry" and target.has("stuck"):
        return f"the weapon of {target.name} is held fast", "POOL-24"
    if reaction == "dodge" and intent.get("behind"):
        return f"{target.name} cannot dodge what comes from behind", "POOL-27"
    if reaction == "parry" and _parries_with(intent, target) is None:
        return f"{target.name} has no melee weapon ready", "POOL-28"
    return "", ""


def _parries_with(intent: Intent, target: Fighter) -> tuple[str, int] | None:
    """POOL-28: the melee weapon in hand, else what the GM allows; with its dice."""
    weapons = target.sheet["weapons"]
    held = [one for one in weapons_held(target) if "melee" in modes_of(weapons[one])]
    named = intent.get("react_weapon")
    if named and named not in held:
        if named in weapons:
            return None
        return named, 0
    name = named or (held[0] if held else "")
    return (name, weapons[name]["damage_potential"]) if name else None


def _dodge(target: Fighter) -> tuple[Hand, list[Modifier]]:
    """POOL-27: evasion dice."""
    dice = [Modifier("dodge dice", "evasion", evasion_of(target.sheet), "POOL-2", "evasion")]
    shocked = int(target.conditions.get("shocked", 0))
    dice += [Modifier("dodge dice", "shocked", -shocked, "POOL-38", "condition")] if shocked else []
    found = dice + least_for(target, "dodge", "dodge")
    return Hand(target.name, max(0, total(found, "dodge dice")), Scale(total(found, "dodge"), NEVER)), found


def _parry(target: Fighter, using: tuple[str, int] | None) -> tuple[Hand, list[Modifier]]:
    """POOL-28: the roll of an attack with the weapon."""
    assert using is not None
    name, potential = using
    found = dice_for(target, "parry", "hand-to-hand")
    found += [Modifier("parry dice", name, potential, "POOL-3", f"weapons.{name}")] if potential else []
    found += least_for(target, "parry", "hand-to-hand")
    return Hand(
        target.name, max(0, total(found, "parry dice")), Scale(total(found, "parry"), THRESHOLD)
    ), found


def cover_of(scene: Scene, intent: Intent, target: Fighter) -> int:
    """POOL-22: the best of what is said, where the target hides, hunkering, and a shield held up (POOL-23)."""
    said = intent.get("cover") or target.cover.get(intent.actor, "none")
    covers = [int(said[0])] if said != "none" else []
    if target.has("hunkered"):
        covers.append(HUNKERED)
    if target.has("blocking") and scene.round >= target.marks.get(RAISED, 0) and shield_of(target):
        covers.append(shield_of(target))
    return min(covers, default=0)


RAISED = "raised"
"""The mark of a shield held up: the round from which on it covers (POOL-23)."""
