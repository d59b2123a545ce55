"""Monsters in the shape of the file of 5e-database; what they are is made up for the tests."""

from __future__ import annotations

from typing import Any

Raw = dict[str, Any]
ABILITIES = ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")


def named(index: str, where: str = "x") -> Raw:
    return {"index": index, "name": index.title(), "url": f"/api/2014/{where}/{index}"}


def damage(*doses: tuple[str, str]) -> list[Raw]:
    return [{"damage_type": named(kind, "damage-types"), "damage_dice": dice} for kind, dice in doses]


def saving(ability: str, value: int, success: str = "none") -> Raw:
    return {"dc_type": named(ability, "ability-scores"), "dc_value": value, "success_type": success}


def attack(name: str, bonus: int, text: str, *doses: tuple[str, str], **more: Any) -> Raw:
    """An attack; its text begins as the file has it."""
    return {"name": name, "desc": text, "attack_bonus": bonus, "damage": damage(*doses), **more}


def monster(name: str, scores: tuple[int, ...], actions: list[Raw], bonus: int = 2, **more: Any) -> Raw:
    """A monster with these six scores."""
    index = "-".join(name.casefold().replace(",", "").split())
    usual = {
        "index": index,
        "name": name,
        "size": "Large",
        "type": "monstrosity",
        "alignment": "unaligned",
        "armor_class": [{"type": "natural", "value": 14}],
        "hit_points": 45,
        "hit_dice": "6d10",
        "hit_points_roll": "6d10+12",
        "speed": {"walk": "30 ft."},
        **dict(zip(ABILITIES, scores, strict=True)),
        "proficiencies": [],
        **{f"damage_{kind}": [] for kind in ("vulnerabilities", "resistances", "immunities")},
        "condition_immunities": [],
        "senses": {"darkvision": "60 ft.", "passive_perception": 12},
        "languages": "",
        "challenge_rating": 3,
        "proficiency_bonus": bonus,
        "xp": 700,
        "special_abilities": [],
        "actions": actions,
        "image": f"/images/{index}.png",
        "url": f"/api/2014/monsters/{index}",
    }
    return {**usual, **more}


def skilled(word: str, value: int) -> Raw:
    return {"value": value, "proficiency": named(word, "proficiencies")}


def plan(*attacks: tuple[str, int]) -> list[Raw]:
    return [{"action_name": name, "count": count, "type": "melee"} for name, count in attacks]


def multiattack(*attacks: tuple[str, int], **more: Any) -> Raw:
    kind = {"multiattack_type": "actions", "desc": "It makes several attacks."}
    return {"name": "Multiattack", **kind, "actions": plan(*attacks), **more}


MUDJAW = monster(
    "Mudjaw",
    (19, 8, 14, 3, 12, 6),
    [
        multiattack(("Bite", 1), ("Tail", 2), ("Roar", 1)),
        attack(
            "Bite",
            6,
            "Melee Weapon Attack: +6 to hit, reach 5 ft., one target.",
            ("piercing", "2d6+4"),
            ("acid", "1d6"),
        ),
        attack(
            "Tail",
            6,
            "Melee Weapon Attack: +6 to hit, reach 15 ft., one target. The target must succeed on a DC 14 Strength "
            "saving throw or be knocked prone.",
            ("bludgeoning", "1d8+4"),
            dc=saving("str", 14),
        ),
        {
            "name": "Roar",
            "desc": "Each creature within 60 feet of it must succeed on a DC 12 Wisdom saving throw or be frightened.",
            "usage": {"type": "per day", "times": 2},
            "dc": saving("wis", 12),
        },
        {
            "name": "Mud Breath (Recharge 5-6)",
            "desc": "It spits mud in a 30-foot cone: a DC 13 Dexterity saving throw, or 21 (6d6) damage.",
            "usage": {"type": "recharge on roll", "dice": "1d6", "min_value": 5},
            "dc": saving("dex", 13, "half"),
            "damage": damage(("bludgeoning", "6d6")),
        },
        {"name": "Burrow Away", "desc": "It is gone."},
    ],
    proficiencies=[
        skilled("saving-throw-con", 4),
        skilled("skill-perception", 5),
        skilled("skill-nature", 1),
    ],
    damage_resistances=["cold", "bludgeoning from nonmagical weapons"],
    damage_immunities=["acid"],
    condition_immunities=[named("prone"), named("charmed")],
    speed={"walk": "20 ft.", "swim": "40 ft."},
    special_abilities=[
        {"name": "Amphibious", "desc": "Breathes."},
        {"name": "Rage (3/Day)", "desc": "Rages."},
    ],
    legendary_actions=[{"name": "Snap", "desc": "It bites."}],
    reactions=[{"name": "Duck", "desc": "It ducks."}],
)
"""Of everything something."""
WARDEN = monster(
    "Warden, Elder Form",
    (14, 16, 12, 13, 18, 10),
    [
        {
            **multiattack(desc="Two or three."),
            "multiattack_type": "action_options",
            "action_options": {
                "choose": 1,
                "from": {
                    "options": [
                        {"option_type": "multiple", "items": plan(("Spear", 2))},
                        *plan(("Longbow", 3)),
                    ]
                },
            },
        },
        attack(
            "Spear",
            5,
            "Melee or Ranged Weapon Attack: +5 to hit, reach 5 ft. or range 20/60 ft.",
            ("piercing", "1d6+2"),
        ),
        attack("Longbow", 6, "Ranged Weapon Attack: +6 to hit, range 150/600 ft.", ("piercing", "1d8+3")),
        attack("Star Touch", 7, "Melee Spell Attack: +7 to hit, reach 5 ft.", ("radiant", "3d8")),
        attack(
            "Grip",
            9,
            "Melee Weapon Attack: +9 to hit, reach 10 ft. The target is grappled (escape DC 13).",
            ("bludgeoning", "1d4+2"),
        ),
    ],
    bonus=3,
    type="humanoid",
)
"""A choice of plans, a weapon for both, a spell attack, an odd bonus, a grip."""
GNAT = monster(
    "Gnat",
    (2, 14, 8, 1, 10, 4),
    [
        attack("Sting", 4, "Melee Weapon Attack: +4 to hit, reach 5 ft.", ("piercing", "1")),
        attack(
            "Sludge",
            4,
            "Ranged Weapon Attack: +4 to hit, range 20 ft.",
            usage={"type": "recharge after rest"},
        ),
        attack(
            "Twin Bite",
            4,
            "Melee Weapon Attack: +4 to hit, reach 5 ft. DC 10 Constitution saving throw or become diseased.",
            ("piercing", "1d4+2"),
            ("piercing", "1d4"),
            ("sonic", "1d4"),
        ),
    ],
    type="beast",
    speed={"fly": "60 ft.", "hover": True},
)
"""Damage without dice, none at all, and more than a sheet has."""
HUSK = monster(
    "Husk",
    (16, 10, 16, 6, 6, 5),
    [
        attack(
            "Fist",
            6,
            "Melee Weapon Attack: +6 to hit, reach 5 ft.",
            damage=[
                *damage(("bludgeoning", "1d8+3")),
                {"choose": 1, "from": {"options": damage(("cold", "1d6"), ("fire", "1d6"))}},
                {**damage(("poison", "2d6"))[0], "dc": saving("con", 12, "half")},
            ],
        ),
        {
            "name": "Breath",
            "desc": "It breathes. Frost. A 30-foot line, DC 13 Dexterity saving throw, 4d6. Sleep. Everyone within "
            "20 feet: a DC 13 Constitution saving throw or fall unconscious.",
            "usage": {"type": "recharge after rest"},
            "options": {
                "choose": 1,
                "from": {
                    "options": [
                        {"name": "Frost", "dc": saving("dex", 13, "half"), "damage": damage(("cold", "4d6"))},
                        {"name": "Sleep", "dc": saving("con", 13)},
                    ]
                },
            },
        },
    ],
    type="undead",
    bonus=3,
    armor_class=[{"type": "armor", "value": 16}, {"type": "spell", "value": 19}],
)
"""A choice of damage, a choice of breaths, several armour classes."""
MONSTERS = [MUDJAW, WARDEN, GNAT, HUSK]
