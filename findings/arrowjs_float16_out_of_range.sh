#!/usr/bin/env bash
# Arrow's JavaScript makes other numbers of what float16 cannot hold: 70000 is 2.13, 1e-8 is -inf.
#
# Guess: in a vector of Float16, what is too large is inf and what is too small is 0, as in NumPy.
# Seen, apache-arrow 21.2.0: inside of the range values are rounded well. From 65536 on they wrap
# into small numbers, 100000 into 3.05; below half the least subnormal the bits of the exponent run
# over too: 1e-8 is -Infinity and 1e-30 is 4.5e-6. Nothing warns. Float32 beside it behaves.
#
# A column of losses or gradients that overflows once looks healthy afterwards, and one that
# vanishes looks as if it had exploded.
# Needs node 20 and npm; changes nothing outside of a temporary folder.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --cache "$dir/cache" --ignore-scripts --no-audit --no-fund --silent apache-arrow@21.2.0 >/dev/null
cat > probe.mjs <<'JS'
import { Float16, Float32, vectorFromArray } from "apache-arrow";

for (const x of [0.1, 65504, 65536, 70000, 100000, 1e6, 1e-7, 2e-8, 1e-8, 1e-30]) {
	const half = vectorFromArray([x], new Float16()).get(0);
	const single = vectorFromArray([x], new Float32()).get(0);
	console.log(x, "Float16", half, "Float32", single);
}
JS
node probe.mjs | tee seen
diff seen - <<'SEEN' && echo "as it was"
0.1 Float16 0.0999755859375 Float32 0.10000000149011612
65504 Float16 65504 Float32 65504
65536 Float16 2 Float32 65536
70000 Float16 2.134765625 Float32 70000
100000 Float16 3.05078125 Float32 100000
1000000 Float16 3.814453125 Float32 1000000
1e-7 Float16 1.1920928955078125e-7 Float32 1.0000000116860974e-7
2e-8 Float16 0 Float32 1.999999987845058e-8
1e-8 Float16 -Infinity Float32 9.99999993922529e-9
1e-30 Float16 0.000004470348358154297 Float32 1.0000000031710769e-30
SEEN
