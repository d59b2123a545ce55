"""What a rulebook is written with: the one package that it imports, in six groups.

The rulebook: the value that a system is, and the rows it is made of:
    System, Action, Setup, Cost, Conversion, Pool, Start, Condition, Mark, Unit, CommandOption, Output,
    OutcomeWord, RollWords, RuleChange, Requirement, no_setup, no_effects

The sheet: its fields, their kinds, and what is wrong with one:
    sheet, Section, Field, Whole, Flag, Text, OneOf, ListOf, MapOf, Either, DiceText, Level, Path, Fault,
    wrong, guess, supplies

The scene: what rules read, and what effects change:
    Scene, Fighter, Intent, End, Changes, Number, unable, defeated, distance, target_distance, increments,
    landed, slug

The table: chance and choice:
    RuleTable, Alternative, Amount, amount, parse_amount, sum_of

Before the dice: the lines of a roll, and what refuses an action:
    Modifiers, lines_of, known_word, refuse, has, lacks, within

Shared actions: the turn order, movement, things in hand, readying, what is worth considering:
    initiative_action, as_named, Runner, grouped, settled, tie, move_action, no_farther, draw_action,
    reload_action, in_hand, weapon_in_use, attack_candidates, item_candidates, patients, each,
    ready_action, READIED, is_readied
"""

from ..dice.rule_table import RuleTable
from ..dice.table import Alternative
from ..engine.changes import Changes, Number
from ..engine.command_option import CommandOption
from ..engine.conditions import Condition, defeated, unable
from ..engine.dice_amount import Amount, amount, parse_amount, sum_of
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
    Text,
    Whole,
    guess,
    wrong,
)
from ..engine.rule_change import RuleChange
from ..engine.scene import End, Fighter, Intent, Scene, distance, slug
from ..engine.schema import Field, Section
from ..engine.sheet import Level, sheet
from ..engine.system import (
    READIED,
    Action,
    Conversion,
    Cost,
    Pool,
    Requirement,
    Setup,
    Start,
    System,
    is_readied,
    no_effects,
    no_setup,
    refuse,
)
from ..engine.turn_order import grouped, settled, tie
from ..engine.unit import Unit
from ..engine.wording import Mark, OutcomeWord, Output, RollWords
from .checks import known_word
from .equipment import draw_action, each, in_hand, patients, reload_action, supplies
from .modifiers import Modifiers, lines_of
from .movement import move_action, no_farther
from .reach import increments, target_distance
from .ready_action import ready_action
from .requirements import has, lacks, within
from .turn_order import Runner, as_named, initiative_action
from .weapons import attack_candidates, item_candidates, weapon_in_use

__all__ = [
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
    "Modifiers",
    "Number",
    "OneOf",
    "OutcomeWord",
    "Output",
    "Path",
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
    "in_hand",
    "increments",
    "initiative_action",
    "is_readied",
    "item_candidates",
    "known_word",
    "lacks",
    "landed",
    "lines_of",
    "move_action",
    "no_effects",
    "no_farther",
    "no_setup",
    "parse_amount",
    "patients",
    "ready_action",
    "refuse",
    "reload_action",
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
