"""What a rulebook is written with: the one package that a rulebook imports."""

from ..dice.rule_table import RuleTable
from ..dice.table import Alternative
from ..engine.changes import Changes, Number
from ..engine.command_option import CommandOption
from ..engine.conditions import Condition, defeated, unable
from ..engine.dice_amount import Amount, amount, one_die, parse_amount, sum_of
from ..engine.geometry import landed
from ..engine.kinds import (
    DiceText,
    Either,
    Fault,
    Flag,
    ListOf,
    MapOf,
    OneOf,
    Path,
    Point,
    Text,
    Whole,
    guess,
    wrong,
)
from ..engine.record import Modifier
from ..engine.rule_change import RuleChange
from ..engine.scene import End, Fighter, Intent, Scene, distance, slug
from ..engine.schema import Field, Section
from ..engine.sheet import Level, sheet
from ..engine.system import (
    Action,
    Conversion,
    Cost,
    Pool,
    Requirement,
    Setup,
    Start,
    System,
    no_effects,
    no_setup,
    nothing,
    refuse,
)
from ..engine.turn_order import grouped, leader_of, settled, tie
from ..engine.unit import METRES, Unit
from ..engine.wording import Mark, OutcomeWord, Output, RollWords
from .checks import known_word
from .equipment import draw_action, each, in_hand, patients, reload_action, supplies
from .modifiers import Modifiers, lines_of
from .movement import move_action, no_farther
from .reach import increments, target_distance
from .ready_action import READIED, is_readied, ready_action, set_off
from .requirements import has, in_crisis, lacks, within
from .turn_order import Runner, as_named, initiative_action
from .weapons import attack_candidates, item_candidates, weapon_in_use

__all__ = [
    "METRES",
    "READIED",
    "Action",
    "Alternative",
    "Amount",
    "Changes",
    "CommandOption",
    "Condition",
    "Conversion",
    "Cost",
    "DiceText",
    "Either",
    "End",
    "Fault",
    "Field",
    "Fighter",
    "Flag",
    "Intent",
    "Level",
    "ListOf",
    "MapOf",
    "Mark",
    "Modifier",
    "Modifiers",
    "Number",
    "OneOf",
    "OutcomeWord",
    "Output",
    "Path",
    "Point",
    "Pool",
    "Requirement",
    "RollWords",
    "RuleChange",
    "RuleTable",
    "Runner",
    "Scene",
    "Section",
    "Setup",
    "Start",
    "System",
    "Text",
    "Unit",
    "Whole",
    "amount",
    "as_named",
    "attack_candidates",
    "defeated",
    "distance",
    "draw_action",
    "each",
    "grouped",
    "guess",
    "has",
    "in_crisis",
    "in_hand",
    "increments",
    "initiative_action",
    "is_readied",
    "item_candidates",
    "known_word",
    "lacks",
    "landed",
    "leader_of",
    "lines_of",
    "move_action",
    "no_effects",
    "no_farther",
    "no_setup",
    "nothing",
    "one_die",
    "parse_amount",
    "patients",
    "ready_action",
    "refuse",
    "reload_action",
    "set_off",
    "settled",
    "sheet",
    "slug",
    "sum_of",
    "supplies",
    "target_distance",
    "tie",
    "unable",
    "weapon_in_use",
    "within",
    "wrong",
]
