#!/usr/bin/env bash
# ONNX Runtime sums ints as floating-point numbers: int64 loses digits, int32 sticks at its end.
#
# Guess: ReduceSum of int64 is exact, and of int32 wraps around, as Add of the runtime does and
# NumPy.
# Seen, onnxruntime-web 1.30.0, the CPU's kernels in WebAssembly: the sum of the one number 2**53 +
# 1 is 2**53, and 2147483647 + 1 is 2147483647. ReduceMax of the same numbers is exact.
#
# Sums of identifiers, hashes or nanoseconds are off in their last digits, and an overflow shows as
# a large total that looks right.
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
	const big = new ort.Tensor("int64", BigInt64Array.of(9007199254740993n, 0n), [2]);
	const small = new ort.Tensor("int32", Int32Array.of(2147483647, 1), [2]);
	for (const op of ["ReduceSum", "ReduceMax"])
		console.log(op, "int64", ...(await apply(op, big)), "int32", ...(await apply(op, small)));
	console.log("one element: ReduceSum", ...(await apply("ReduceSum", new ort.Tensor("int64", BigInt64Array.of(9007199254740993n), [1]))));
})();
JS
node probe.cjs | tee seen
diff seen - <<'SEEN' && echo "as it was"
ReduceSum int64 9007199254740992n int32 2147483647
ReduceMax int64 9007199254740993n int32 2147483647
one element: ReduceSum 9007199254740992n
SEEN
