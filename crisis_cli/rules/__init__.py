"""What rulebooks share: equipment, distance, readied actions, situational modifiers."""
