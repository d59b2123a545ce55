"""Actions in phases: reactions of other fighters between the phases, and choices that cost something."""

from ..engine.phases import Phase
from ..engine.reactions import Interrupted, Reactions
from ..engine.setup import Charge

__all__ = ["Charge", "Interrupted", "Phase", "Reactions"]
