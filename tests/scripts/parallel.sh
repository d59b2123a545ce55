#!/bin/sh
# Many fights at once in one folder, each with a seed and a journal of its own; prints how often each side has won.
set -eu
seq 1 "$1" | xargs -P 4 -I '{}' $CRISIS play marshal --vs looter --auto --quiet --seed '{}' --file 'fight-{}.jsonl' 2> journals.txt |
    awk '{ won[$1]++ } END { for (side in won) print side, won[side] }' | sort
