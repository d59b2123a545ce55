"""The manual pages, made from the verbs, the schemas, the rulebooks, the docstrings of `rules/` and the prose in
`text/`.

`python -m crisis_cli.manual man/` writes all pages anew. A test holds the committed pages to what this
makes, so run it after a change to help, options, sheets, rules, docstrings of `rules/` or prose.
"""
