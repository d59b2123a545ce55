"""All verbs with a line of help each, readable before click is imported."""

VERBS = {
    "roll": "Roll dice.",
    "check": "Roll a skill or an ability.",
    "init": "Roll for the turn order; --open opens a crisis.",
    "attack": "Attack someone.",
    "throw": "Throw a weapon or an object.",
    "heal": "Treat wounds.",
    "act": "Take any other action of the rules.",
    "next": "End the turn.",
    "status": "Show the open crisis.",
    "map": "Draw the field: positions and distances.",
    "undo": "Undo the last action.",
    "redo": "Redo the last action undone.",
    "rewind": "Go back to an entry of the log; undo all that came after it.",
    "log": "Show the log.",
    "explain": "Explain the last result, modifier by modifier.",
    "note": "Add a note to the journal.",
    "set": "GM override: set a pool, a condition or a position.",
    "join": "Add fighters to the crisis.",
    "leave": "Remove fighters from the crisis.",
    "save": "Save the sheets now; the crisis stays open.",
    "auto": "Let fighters play automatically, or take them back.",
    "end": "End the crisis and save the sheets.",
    "play": "Play a crisis at the prompt, or let it play automatically.",
    "run": "Run the lines of a file, as typed at the prompt.",
    "tables": "Roll on random tables, or list and show them.",
    "odds": "Show exact odds of a roll or an action.",
    "replay": "Show a crisis again from its journal, entry by entry.",
    "verify": "Check a journal against the current rules, its seed and its seals.",
    "character": "Create, show, list, check, reset or copy sheets.",
    "rules": "Show the rules of a system.",
    "help": "Show the list of commands, or help on one.",
    "completion": "Print the completion script for a shell.",
}
"""Every verb with its one line of help; the module of a verb is loaded when it is used."""
MODULES = {verb: f"commands.{verb}" for verb in VERBS} | {"play": "repl.play", "run": "repl.run"}
"""The module below `crisis_cli` that holds the command of each verb."""
