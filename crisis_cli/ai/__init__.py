"""Who chooses when the player does not.

One `deciding.Minds(system, doctrines)` serves a whole crisis and remembers the odds it has worked out; `doctrines`
gives the doctrine of a name (`Shelf.named`, at the desk `desk.doctrines().named`).

- `minds.decide(scene, who, past=()) -> Decision(intent, reason)`: what `who` does next in its turn. `past` are
  the entries so far. The intent is legal, or the house's `next`, `leave` or `yield`; its option `reason` is the
  reason (a mapping: `doctrine`, `key`, numbers), so that the entry keeps it; show/reasons.py has the words.
- commands/alone.py performs decisions the way commands perform theirs, for as long as is wanted: an action, a
  turn, a whole fight (`alone.played`).
"""
