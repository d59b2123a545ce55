#!/bin/sh
# A line for the prompt of a shell or for tmux: the round, whose turn it is, and the pools; nothing without a crisis.
errors=$(mktemp)
trap 'rm -f "$errors"' EXIT
if state=$($CRISIS status --json 2> "$errors"); then
    printf '%s\n' "$state" | jq -r '
        .actor as $who
        | (.fighters[] | select(.name == $who).pools | to_entries | map("\(.key)=\(.value)") | join(" ")) as $pools
        | if .decided then "over: \(.winner)" else "\(.round) \($who) \($pools)" end'
elif [ "$(jq -r .error.code "$errors")" != no_crisis ]; then
    cat "$errors" >&2
    exit 1
fi
