#!/usr/bin/env bash
# ONNX Runtime's Unique loses all values but nan if nan comes first, and nan if it comes later.
#
# Guess: the distinct values, with one nan or with each, as NumPy's unique has it.
# Seen, onnxruntime-web 1.30.0, the CPU's kernels in WebAssembly: where nan comes first all others
# are gone; where it comes later it is gone itself. There is no error.
#
# Counting classes or tokens of a column with a gap gives 1, or misses the gap.
# Needs node 20 and npm; changes nothing outside of a temporary folder.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --cache "$dir/cache" --ignore-scripts --no-audit --no-fund --silent onnxruntime-web@1.30.0 onnx-proto@8.0.1 >/dev/null
cat > probe.cjs <<'JS'
const ort = require("onnxruntime-web");
const { onnx } = require("onnx-proto");
ort.env.wasm.numThreads = 1;

const codes = { float32: 1, int32: 6, int64: 7, float64: 11 };

// apply runs a model of one node, y = op(x).
async function apply(op, x) {
	const value = (name) => ({ name, type: { tensorType: { elemType: codes[x.type] } } });
	const node = { opType: op, input: ["x"], output: ["y"] };
	const graph = { name: "g", node: [node], input: [value("x")], output: [value("y")] };
	const model = onnx.ModelProto.fromObject({ irVersion: 8, opsetImport: [{ domain: "", version: 15 }], graph });
	const session = await ort.InferenceSession.create(onnx.ModelProto.encode(model).finish());
	return Array.from((await session.run({ x })).y.data);
}

(async () => {
	for (const x of [[3, 2, 1, 2], [NaN, 3, 2, 1], [3, NaN, 2, 1], [NaN, NaN], [3, 2, 1, NaN]])
		console.log(x.join(" "), "->", ...(await apply("Unique", new ort.Tensor("float32", Float32Array.from(x), [x.length]))));
})();
JS
node probe.cjs | tee seen
diff seen - <<'SEEN' && echo "as it was"
3 2 1 2 -> 1 2 3
NaN 3 2 1 -> NaN
3 NaN 2 1 -> 1 2 3
NaN NaN -> NaN
3 2 1 NaN -> 1 2 3
SEEN
