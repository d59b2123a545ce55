#!/bin/sh
# The odds of an attack over armour 0 to 10 as CSV, in one command.
set -eu
$CRISIS odds attack jack drone --sweep drone.armour.dr=0..10 --csv
