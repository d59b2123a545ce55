"""The verbs, one to a file: read, perform, record, show."""
