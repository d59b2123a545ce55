#!/bin/sh
# Plays a crisis with jq: attacks where the chance to hit is best, else the default. client.sh WHO… --vs WHO… [option…]
set -eu
answers=$(mktemp -u)
mkfifo "$answers"
trap 'rm -f "$answers"' EXIT
$CRISIS play "$@" --protocol < "$answers" | tee "${SAID:-/dev/null}" | jq --unbuffered -c '
    def chance: if .action == "attack" then .odds.success.p // 0 else 0 end;
    select(.type == "request")
    | (if .kind == "act" then .legal | max_by(chance) else null end) as $best
    | if $best and ($best | chance) > 0 then {id, take: $best.n}
      elif .kind == "dice" then {id, faces: [1]}
      else {id, take: "default"} end
' > "$answers"
