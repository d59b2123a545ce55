"""What a rulebook is written with: the only package that it imports.

The rulebook: the System and its parts, the rows of its tables, and NamedTuple for values of your own:
    System, SheetRules, Texts, OutputField, RollText, OutcomeText, Space, Rest, History, RuleChange,
    Action, Says, Opponents, OutOfTurn, ExactOdds, Phase, Setup, Cost, Charge, Reactions, Interrupted,
    Pool, Conversion, Start, Condition, Mark, CommandOption, NamedTuple

The sheet: its fields, the types of their values, and errors in a sheet:
    sheet, Section, Field, Whole, Flag, Text, OneOf, ListOf, MapOf, Either, DiceText, Level, Fault, supplies

The scene: what a setup reads, and what effects change:
    Scene, Fighter, Intent, End, Changes, Number, unable, target_distance, increments, landed, slug

The table: dice and choices:
    RuleTable, Alternative, Amount, Graded

Before the roll: modifiers, and refusals:
    Modifiers, known_word, refuse, has, lacks, within, noticed, out_of_sight, in_crisis

Shared actions: checks, turn order, movement, conditions, drawing and reloading, treatment, readying:
    check_action, initiative_action, Initiative, move_action, condition_action, draw_action, reload_action,
    use_action, in_hand, weapon_in_use, ATTACK_SAYS, heal_action, aid_in_use, ready_action
"""

from ..dice.graded import Graded
from ..dice.rule_table import RuleTable
from ..dice.table import Alternative
from ..engine.changes import Changes, Number
from ..engine.command_option import CommandOption
from ..engine.conditions import Condition, unable
from ..engine.dice_amount import Amount
from ..engine.exact_odds import ExactOdds
from ..engine.geometry import landed
from ..engine.kinds import DiceText, Either, Fault, Flag, ListOf, MapOf, OneOf, Text, Whole
from ..engine.phases import Phase
from ..engine.reactions import Interrupted, Reactions
from ..engine.rule_change import RuleChange
from ..engine.scene import End, Fighter, Intent, Scene, slug
from ..engine.schema import Field, Section
from ..engine.setup import Charge
from ..engine.sheet import Level, sheet
from ..engine.system import (
    Action,
    Conversion,
    Cost,
    Opponents,
    OutOfTurn,
    Pool,
    Says,
    Setup,
    Start,
    System,
    refuse,
)
from ..engine.system_parts import History, Rest, SheetRules, Space, Texts
from ..engine.wording import Mark, OutcomeText, OutputField, RollText
from ..values import NamedTuple
from .checks import check_action, known_word
from .equipment import (
    ATTACK_SAYS,
    draw_action,
    in_hand,
    reload_action,
    supplies,
    use_action,
    weapon_in_use,
)
from .modifiers import Modifiers
from .movement import increments, move_action, target_distance
from .ready_action import ready_action
from .requirements import condition_action, has, in_crisis, lacks, noticed, out_of_sight, within
from .treatment import aid_in_use, heal_action
from .turn_order import Initiative, initiative_action

__all__ = [
    "ATTACK_SAYS",
    "Action",
    "Alternative",
    "Amount",
    "Changes",
    "Charge",
    "CommandOption",
    "Condition",
    "Conversion",
    "Cost",
    "DiceText",
    "Either",
    "End",
    "ExactOdds",
    "Fault",
    "Field",
    "Fighter",
    "Flag",
    "Graded",
    "History",
    "Initiative",
    "Intent",
    "Interrupted",
    "Level",
    "ListOf",
    "MapOf",
    "Mark",
    "Modifiers",
    "NamedTuple",
    "Number",
    "OneOf",
    "Opponents",
    "OutOfTurn",
    "OutcomeText",
    "OutputField",
    "Phase",
    "Pool",
    "Reactions",
    "Rest",
    "RollText",
    "RuleChange",
    "RuleTable",
    "Says",
    "Scene",
    "Section",
    "Setup",
    "SheetRules",
    "Space",
    "Start",
    "System",
    "Text",
    "Texts",
    "Whole",
    "aid_in_use",
    "check_action",
    "condition_action",
    "draw_action",
    "has",
    "heal_action",
    "in_crisis",
    "in_hand",
    "increments",
    "initiative_action",
    "known_word",
    "lacks",
    "landed",
    "move_action",
    "noticed",
    "out_of_sight",
    "ready_action",
    "refuse",
    "reload_action",
    "sheet",
    "slug",
    "supplies",
    "target_distance",
    "unable",
    "use_action",
    "weapon_in_use",
    "within",
]
