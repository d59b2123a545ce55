#!/bin/sh
# A fight in a loop that ends when it is decided; prints the side that has won.
set -eu
$CRISIS init "$@" --open --quiet > opened.txt
while [ "$($CRISIS status --json | jq .decided)" = false ]; do
    $CRISIS auto --json >> turns.jsonl
done
$CRISIS status --json | jq -r .winner
$CRISIS end --no-save --yes --json > end.json
