"""Actions in phases, the reactions of others between them, and choices that cost something on the way."""

from ..engine.phases import Phase
from ..engine.reactions import Interrupted, Reactions
from ..engine.setup import Charge

__all__ = ["Charge", "Interrupted", "Phase", "Reactions"]
