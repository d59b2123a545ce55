"""What a rulebook is written with: the only package that it imports.

The rulebook: the System, the rows of its tables, and NamedTuple for values of your own:
    System, Action, Opponents, Says, OutOfTurn, Setup, Cost, Conversion, Pool, Start, Condition, Mark, Unit,
    CommandOption, Output, OutcomeWord, RollWords, RuleChange, NamedTuple

The sheet: its fields, the types of their values, and errors in a sheet:
    sheet, Section, Field, Whole, Flag, Text, OneOf, ListOf, MapOf, Either, DiceText, Level, Fault, guess,
    supplies

The scene: what a setup reads, and what effects change:
    Scene, Fighter, Intent, End, Changes, Number, unable, distance, target_distance, increments, landed, slug

The table: dice and choices:
    RuleTable, Alternative, Amount

Before the roll: modifiers, and refusals:
    Modifiers, lines_of, known_word, refuse, has, lacks, within, noticed, out_of_sight, in_crisis

Shared actions: checks, turn order, movement, conditions, drawing and reloading, treatment, readying, candidates:
    check_action, initiative_action, as_named, Runner, tie, move_action, condition_action,
    draw_action, reload_action, use_action, in_hand, weapon_in_use, ATTACK_SAYS, heal_action, aid_in_use,
    attack_candidates, item_candidates, patient_candidates, ready_action, READIED

Four modules hold more, for the few rulebooks that need it: `rules.interrupts` (phases and reactions), `rules.exploding`
(dice whose faces are looked at later), `rules.turn_order` and `rules.kinds` (turn orders and value types of your own).
"""

from ..dice.rule_table import RuleTable
from ..dice.table import Alternative
from ..engine.changes import Changes, Number
from ..engine.command_option import CommandOption
from ..engine.conditions import Condition, unable
from ..engine.dice_amount import Amount
from ..engine.geometry import landed
from ..engine.kinds import DiceText, Either, Fault, Flag, ListOf, MapOf, OneOf, Text, Whole, guess
from ..engine.rule_change import RuleChange
from ..engine.scene import End, Fighter, Intent, Scene, distance, slug
from ..engine.schema import Field, Section
from ..engine.sheet import Level, sheet
from ..engine.system import (
    READIED,
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
from ..engine.turn_order import tie
from ..engine.unit import Unit
from ..engine.wording import Mark, OutcomeWord, Output, RollWords
from ..values import NamedTuple
from .checks import check_action, known_word
from .equipment import (
    ATTACK_SAYS,
    attack_candidates,
    draw_action,
    in_hand,
    item_candidates,
    patient_candidates,
    reload_action,
    supplies,
    use_action,
    weapon_in_use,
)
from .modifiers import Modifiers, lines_of
from .movement import increments, move_action, target_distance
from .ready_action import ready_action
from .requirements import condition_action, has, in_crisis, lacks, noticed, out_of_sight, within
from .treatment import aid_in_use, heal_action
from .turn_order import Runner, as_named, initiative_action

__all__ = [
    "Action",
    "CommandOption",
    "Condition",
    "Conversion",
    "Cost",
    "Mark",
    "NamedTuple",
    "Opponents",
    "OutOfTurn",
    "OutcomeWord",
]
__all__ += ["Output", "Pool", "RollWords", "RuleChange", "Says", "Setup", "Start", "System", "Unit"]
__all__ += ["DiceText", "Either", "Fault", "Field", "Flag", "Level", "ListOf", "MapOf", "OneOf", "Section"]
__all__ += ["Text", "Whole", "guess", "sheet", "supplies"]
__all__ += ["Changes", "End", "Fighter", "Intent", "Number", "Scene", "distance", "increments", "landed"]
__all__ += ["slug", "target_distance", "unable"]
__all__ += ["Alternative", "Amount", "RuleTable"]
__all__ += ["Modifiers", "has", "in_crisis", "known_word", "lacks", "lines_of", "noticed", "out_of_sight"]
__all__ += ["refuse", "within"]
__all__ += ["ATTACK_SAYS", "READIED", "Runner", "aid_in_use", "as_named", "attack_candidates", "check_action"]
__all__ += ["condition_action", "draw_action", "heal_action", "in_hand", "initiative_action"]
__all__ += ["item_candidates", "move_action", "patient_candidates", "ready_action", "reload_action"]
__all__ += ["tie", "use_action", "weapon_in_use"]
