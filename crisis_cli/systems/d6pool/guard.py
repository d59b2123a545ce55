"""What stands between hits and the target: which reactions it has, which cover, which protection (POOL-14,
POOL-22, POOL-23, POOL-27, POOL-28)."""

from __future__ import annotations

from ...engine.record import Modifier
from ...engine.scene import Fighter, Intent, Scene
from ...engine.system import refuse
from ...rules.situational import circumstance
from .arms import Weapon, off_handed, shield_of, weapons_held
from .conditions import DEATH, hearts, idle
from .deeds import all_stolen, kept
from .defence import DISARM, KNOCKOUT, REACTIONS, Guard
from .luck import BONUS, DESTINY, POOLS, Hand, luck_of
from .pool import CRITICAL, NEVER, Scale
from .protection import armour_of
from .rolls import dice_for, least_for, reacting, resisting, total
from .sheet import evasion_of, modes_of

HUNKERED = 6
"""POOL-38: the cover of whoever is hunkered."""
RAISED = "raised"
"""The mark of a shield held up: the round from which on it covers (POOL-23)."""


def guard_of(
    scene: Scene, intent: Intent, name: str, weapon: Weapon, mode: str, meant: str, price: int
) -> tuple[Guard, list[Modifier]]:
    """What stands between the hits and the target; Refused where `--react` names what it cannot do.

    `price` is what the attack takes of the attacker's actions.
    """
    target = scene.fighters[intent.target]
    each, force = wounds_per_hit(intent, name, weapon)
    if weapon["piercing"]:
        force.append(Modifier("piercing", name, weapon["piercing"], "POOL-25", f"weapons.{name}"))
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
        resist, more = resisting(scene, target.name, "resist", "resistance")
        guard, found = guard._replace(resist=resist), found + more
    if meant == DISARM:
        resist, more = max(
            (resisting(scene, target.name, "resist", one) for one in ("strength", "deftness")),
            key=lambda pair: pair[0].dice,
        )
        guard, found = guard._replace(resist=resist), found + more
    buys = buying(scene, intent, price)
    able = {one: _unable(scene, intent, target, mode, one, buys) for one in REACTIONS}
    wanted = intent.get("react", "none")
    if able.get(wanted, ("",))[0]:
        refuse(intent, able[wanted][0], able[wanted][1], "let it be: --react none")
    if not able["dodge"][0] or wanted == "dodge":
        dodge, more = _dodge(scene, target)
        guard, found = guard._replace(dodge=dodge), found + more
    if not able["parry"][0]:
        parry, more = _parry(scene, target, _parries_with(scene, intent, target))
        guard, found = guard._replace(parry=parry), found + more
    if not able["shield"][0]:
        guard = guard._replace(shield=shield_of(target))
    if buys:
        guard = guard._replace(buys=buys, left=scene.fighters[intent.actor].pools["actions"] - price)
    return guard, [*force, *(one._replace(against=target.name) for one in found)]


def buying(scene: Scene, intent: Intent, price: int) -> tuple[str, ...]:
    """POOL-15: the dice with which the player may buy the target an action for a reaction, where none is kept.

    A destiny die steals it from the attacker, who must have one left to lose (none left: refused, a reading).
    """
    target, attacker = scene.fighters[intent.target], scene.fighters[intent.actor]
    if not scene.open or kept(scene, target) > 0 or intent.get("react") not in (None, "ask"):
        return ()
    luck = dict(luck_of(scene, target.name))
    now = attacker.name in scene.acting
    can_steal = attacker.pools["actions"] > price if now else not all_stolen(attacker)
    ways = (BONUS, DESTINY) if can_steal and attacker.side != target.side else (BONUS,)
    return tuple(way for way in ways if luck.get(POOLS[way]))


def wounds_per_hit(intent: Intent, name: str, weapon: Weapon) -> tuple[int, list[Modifier]]:
    """POOL-26: the wounds of each hit with a weapon, not below 0, and what they are made of."""
    found = [Modifier("wounds per hit", name, weapon["wounds"], "POOL-26", f"weapons.{name}")]
    found += circumstance(intent, "wounds per hit", "mod_damage")
    return max(0, total(found, "wounds per hit")), found


def _unable(
    scene: Scene, intent: Intent, target: Fighter, mode: str, reaction: str, buys: tuple[str, ...]
) -> tuple[str, str]:
    """Why the target cannot react so, and the rule; two empty words where it can."""
    if target.name in intent.get("unaware", ()):
        return f"{target.name} does not perceive the attack", "POOL-14"
    why, rule = idle(target)
    if why:
        return f"{target.name} is {why}", rule
    if kept(scene, target) < 1 and not buys:
        return f"{target.name} has no action left", "POOL-14"
    if reaction == "shield":
        return ("", "") if shield_of(target) else (f"{target.name} holds no shield", "POOL-23")
    if mode != "melee":
        return f"only a blow can be answered with {reaction}", "POOL-18"
    if reaction == "parry" and target.has("stuck"):
        return f"the weapon of {target.name} is held fast", "POOL-24"
    if reaction == "dodge" and intent.get("behind"):
        return f"{target.name} cannot dodge what comes from behind", "POOL-27"
    if reaction == "parry" and _parries_with(scene, intent, target) is None:
        return f"{target.name} has no melee weapon ready", "POOL-28"
    return "", ""


def _parries_with(scene: Scene, intent: Intent, target: Fighter) -> tuple[str, int] | None:
    """POOL-28: the melee weapon in hand, else what the GM allows; with its dice. A one-off does not ask for it to
    be in hand."""
    weapons = target.sheet["weapons"]
    held = [one for one in weapons_held(target) if "melee" in modes_of(weapons[one])]
    named = intent.get("react_weapon")
    ready = held if scene.open else [one for one in weapons if "melee" in modes_of(weapons[one])]
    if named and named not in ready:
        if named in weapons:
            return None
        return named, 0
    name = named or (held[0] if held else "")
    return (name, weapons[name]["damage_potential"]) if name else None


def _dodge(scene: Scene, target: Fighter) -> tuple[Hand, list[Modifier]]:
    """POOL-27: evasion dice."""
    dice = [Modifier("dodge dice", "evasion", evasion_of(target.sheet), "POOL-2", "evasion")]
    shocked = int(target.conditions.get("shocked", 0))
    dice += [Modifier("dodge dice", "shocked", -shocked, "POOL-38", "condition")] if shocked else []
    found = dice + least_for(target, "dodge", "dodge")
    scale = Scale(total(found, "dodge"), NEVER)
    return reacting(scene, target.name, total(found, "dodge dice"), scale), found


def _parry(scene: Scene, target: Fighter, using: tuple[str, int] | None) -> tuple[Hand, list[Modifier]]:
    """POOL-28: the roll of an attack with the weapon."""
    assert using is not None
    name, potential = using
    found = dice_for(target, "parry", "hand-to-hand")
    found += [Modifier("parry dice", name, potential, "POOL-3", f"weapons.{name}")] if potential else []
    found += least_for(target, "parry", "hand-to-hand") + off_handed("parry", target, name)
    scale = Scale(total(found, "parry"), CRITICAL)
    return reacting(scene, target.name, total(found, "parry dice"), scale), found


def cover_of(scene: Scene, intent: Intent, target: Fighter) -> int:
    """POOL-22: the best of what is said, where the target hides, hunkering, and a shield held up (POOL-23)."""
    said = intent.get("cover") or target.cover.get(intent.actor, "none")
    covers = [int(said[0])] if said != "none" else []
    if target.has("hunkered"):
        covers.append(HUNKERED)
    if target.has("blocking") and scene.round >= target.marks.get(RAISED, 0) and shield_of(target):
        covers.append(shield_of(target))
    return min(covers, default=0)
