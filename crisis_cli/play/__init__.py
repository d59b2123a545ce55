"""What is done with a crisis: opened, played, recorded, undone and ended, for every front end."""
