#!/usr/bin/env bash
# Vega reads a column of numbered names, "conv 1", "conv 2", as dates: the names are gone.
#
# Guess: parse "auto" finds text in such a column, and dates only where something looks like one.
# Seen, vega-loader 5.1.3 in node 20: a column whose every value is a word, a blank or a hyphen, and
# a number from 1 to 12 or 32 upwards is of type date, because V8's Date.parse reads that. The
# values come out as milliseconds; 2 and 02, or 50 and 1950, are then the same row. One name that is
# no date, or an underscore, and the whole column is text again.
#
# A table of layers or steps draws as a time axis around 2001, with as many layers as fit a year.
# Needs node 20 and npm; changes nothing outside of a temporary folder.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --cache "$dir/cache" --ignore-scripts --no-audit --no-fund --silent vega-loader@5.1.3 >/dev/null
cat > probe.mjs <<'JS'
import { inferType, read } from "vega-loader";

for (const names of [["conv 1", "conv 2"], ["fc-1", "fc-12"], ["step 50", "step 1950"], ["conv 1", "conv 13"], ["conv_1", "conv_2"]])
	console.log(names.join(", "), "is", inferType(names));
for (const row of read("op,ms\nconv 1,3\nconv 2,4\nconv 02,5\n", { type: "csv", parse: "auto" }))
	console.log(JSON.stringify(row));
JS
TZ=UTC node probe.mjs | tee seen
diff seen - <<'SEEN' && echo "as it was"
conv 1, conv 2 is date
fc-1, fc-12 is date
step 50, step 1950 is date
conv 1, conv 13 is string
conv_1, conv_2 is string
{"op":978307200000,"ms":3}
{"op":980985600000,"ms":4}
{"op":980985600000,"ms":5}
SEEN
