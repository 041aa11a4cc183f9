#!/usr/bin/env bash
# ONNX Runtime's Sigmoid is 0 from -18 on, and 17 % off at -15.
#
# Guess: exp(-20) = 2e-9 is far from float32's end at 1e-38: Sigmoid is right to some units of the
# last place, and its logarithm finite.
# Seen, onnxruntime-web 1.30.0, the CPU's kernels in WebAssembly: multiples of 2**-25, as if
# subtracted from a half, down to -17.5, and 0 below. Exp and Softplus of the same runtime are
# accurate there.
#
# The logarithm of a confident network's probability is -inf, though its training never saw one.
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
	const x = [-10, -13, -15, -17, -18, -20, -50];
	const tensor = new ort.Tensor("float32", Float32Array.from(x), [x.length]);
	const [sigmoid, exp] = [await apply("Sigmoid", tensor), await apply("Exp", tensor)];
	x.forEach((v, i) => console.log(v, "Sigmoid", sigmoid[i].toExponential(3), "exact", (1 / (1 + Math.exp(-v))).toExponential(3), "Exp", exp[i].toExponential(3)));
})();
JS
node probe.cjs | tee seen
diff seen - <<'SEEN' && echo "as it was"
-10 Sigmoid 4.542e-5 exact 4.540e-5 Exp 4.540e-5
-13 Sigmoid 2.235e-6 exact 2.260e-6 Exp 2.260e-6
-15 Sigmoid 3.576e-7 exact 3.059e-7 Exp 3.059e-7
-17 Sigmoid 2.980e-8 exact 4.140e-8 Exp 4.140e-8
-18 Sigmoid 0.000e+0 exact 1.523e-8 Exp 1.523e-8
-20 Sigmoid 0.000e+0 exact 2.061e-9 Exp 2.061e-9
-50 Sigmoid 0.000e+0 exact 1.929e-22 Exp 1.929e-22
SEEN
