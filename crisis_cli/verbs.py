"""The verbs there are: known before anything is loaded that reads a command line."""

VERBS = {
    "roll": "Roll dice.",
    "check": "Roll a skill or an ability.",
    "init": "Roll for the turn order; --open opens a crisis.",
    "attack": "Attack someone.",
    "throw": "Throw a weapon or an object.",
    "heal": "Treat wounds.",
    "act": "Do anything else that the rules list.",
    "next": "End the turn.",
    "status": "Show the open crisis.",
    "map": "Draw the field: who stands where, and how far apart.",
    "undo": "Take back the last action.",
    "redo": "Do again what was taken back.",
    "rewind": "Go back to an entry: take back all that came after it.",
    "log": "Show what has happened.",
    "explain": "Tell why a result is what it is, modifier by modifier.",
    "note": "Write a few words into the journal.",
    "set": "The GM's hand: change a pool, a condition, a position.",
    "join": "Bring fighters into the crisis.",
    "leave": "Take fighters out of the crisis.",
    "save": "Write the sheets now; the crisis stays open.",
    "auto": "Let fighters play themselves, or take them back.",
    "end": "End the crisis and write the sheets.",
    "play": "Play a whole crisis.",
    "odds": "Tell exact odds: of a roll, or of an action.",
    "replay": "Show a crisis again from its journal.",
    "verify": "Check a journal against today's rules, its seed and its seals.",
    "character": "Make, show, list, check, reset or copy sheets.",
    "rules": "Show the rules of a system.",
    "help": "Tell what there is, or how a verb is used.",
    "completion": "Print the completion script of a shell.",
}
"""Every verb with its one line of help; the module of a verb is loaded when it is used."""
MODULES = {verb: f"commands.{verb}" for verb in VERBS} | {"play": "repl.play"}
"""The module below `crisis_cli` that holds the command of each verb."""
