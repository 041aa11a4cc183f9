package saving_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// mlp is a network with a hidden layer, dropout, momentum, a rate that decays and a penalty.
const mlp = `
from theano.tensor.shared_randomstreams import RandomStreams

rng, srng = np.random.RandomState(7), RandomStreams(11)
X, Y = rng.randn(40, 6).astype("float32"), rng.randint(3, size=40).astype("int32")
x, y, rate = T.fmatrix("x"), T.ivector("y"), T.fscalar("rate")

def layer(v, n_in, n_out, activation, name):
    W = shared((rng.randn(n_in, n_out) * 0.1).astype("float32"), name="W_" + name)
    b = shared(np.zeros(n_out, dtype="float32"), name="b_" + name)
    return activation(T.dot(v, W) + b), [W, b]

hidden, first = layer(x, 6, 8, T.tanh, "hidden")
dropped = hidden * T.cast(srng.binomial(size=(8,), p=0.5), "float32")
p_dropped, second = layer(dropped, 8, 3, T.nnet.softmax, "out")
p = T.nnet.softmax(T.dot(hidden, second[0]) * 0.5 + second[1])
cost = -T.mean(T.log(p_dropped)[T.arange(y.shape[0]), y]) + 1e-3 * (first[0] ** 2).sum()
updates = []
for w in first + second:
    v = shared(w.get_value() * 0, name="v_" + w.name)
    step = 0.9 * v - rate * T.grad(cost, w)
    updates += [(v, step), (w, w + step)]
train = function([x, y, theano.In(rate, value=np.float32(0.1), update=rate * np.float32(0.99))], cost, updates=updates, name="train")
predict = function([x], {"p": p, "class": T.argmax(p, axis=1)}, name="predict")
`

const training = mlp + `
for epoch in range(5):
    train(X, Y)
theano.save("mlp.arignote", {"train": train, "predict": predict, "weights": first + second, "X": X, "Y": Y})
theano.save("weights.safetensors", first + second)
`

// using is what either process does; what is printed are all bits of what it gets.
const using = `
def bits(a):
    return [int(b) for b in np.atleast_1d(np.array(a)).ravel().view("uint32")]

before = predict(X)
print(bits(before["p"]), before["class"].tolist())
costs = [train(X, Y) for i in range(3)]
print(bits(costs), train["rate"])
print([bits(w.get_value()) for w in first + second])
after = predict(X)
print(bits(after["p"]))
`

const loaded = `
m = theano.load("mlp.arignote")
train, predict, X, Y, first, second = m["train"], m["predict"], m["X"], m["Y"], m["weights"][:2], m["weights"][2:]
`

// child runs a cell in a new process and directory, and returns what it printed.
func child(t *testing.T, dir, code string) string {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run", "^TestChild$")
	cmd.Env = append(os.Environ(), "ARIGNOTE_TEST_CELL="+code)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text, _, _ := strings.Cut(string(out), "END OF CELL")
	return text
}

// TestChild is what child starts.
func TestChild(t *testing.T) {
	code := os.Getenv("ARIGNOTE_TEST_CELL")
	if code == "" {
		return // it is no test by itself
	}
	file := "mlp.star"
	if err := os.WriteFile(file, []byte(code), 0o666); err != nil {
		t.Fatal(err)
	}
	out := &starlibtest.Printed{}
	if err := starlib.NewSession(starlib.Options{Dir: "."}).RunFile(t.Context(), file, out); err != nil {
		t.Fatal(err)
	}
	os.Stdout.WriteString(out.String() + "END OF CELL")
	os.Remove(file)
}

// TestMLP: functions of a network that were saved in the middle of its training go on in another
// process, which has not the source, to the same bits; its profile and its errors show the lines.
func TestMLP(t *testing.T) {
	here, there := t.TempDir(), t.TempDir()
	want := child(t, here, training+using)
	data, err := os.ReadFile(filepath.Join(here, "mlp.arignote"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(there, "mlp.arignote"), data, 0o666); err != nil {
		t.Fatal(err)
	}
	if got := child(t, there, loaded+using); got != want || len(want) < 1000 {
		t.Errorf("loaded it gives\n%s\nwant\n%s", got, want)
	}
	// Its rows of lines are those of the program that was saved.
	profile := child(t, there, loaded+`
p = profile(lambda: train(X, Y), repeat=3)
p.summary(layout="arignote", line_width=200)
`)
	for _, want := range []string{"mlp.arignote/mlp.star:11 layer ", "return activation(T.dot(v, W) + b), [W, b]"} {
		if !strings.Contains(profile, want) {
			t.Errorf("no %q in the profile\n%s", want, profile)
		}
	}
	s := starlib.NewSession(starlib.Options{Dir: there})
	starlibtest.Run(t, s, 1, loaded)
	e := starlibtest.Fails(t, s, 2, `predict(np.ones((2, 5), dtype="float32"))`)
	for _, want := range []string{"shapes (2, 5) and (6, 8) do not fit", "mlp.arignote/mlp.star:11:", "the operation was written here: return activation(T.dot(v, W) + b), [W, b]"} {
		if !strings.Contains(e.Error(), want) {
			t.Errorf("no %q in the error\n%v", want, e)
		}
	}
	starlibtest.Run(t, s, 3, `config.exception_verbosity = "high"`)
	if e := starlibtest.Fails(t, s, 4, `predict(np.ones((2, 5), dtype="float32"))`); !strings.Contains(e.Error(), "    hidden, first = layer(x, 6, 8, T.tanh, \"hidden\")\n") {
		t.Errorf("no calls in\n%v", e)
	}
	// Two processes write the same bytes.
	child(t, there, training)
	if again, err := os.ReadFile(filepath.Join(there, "mlp.arignote")); err != nil || !bytes.Equal(again, data) {
		t.Errorf("another process writes another file: %v", err)
	}
	readers(t, here)
}

// weights reads both files as safetensors, without this project.
const weights = `
import json, struct
import numpy as np
types = dict(F64="<f8", F32="<f4", I64="<i8", I32="<i4", U32="<u4", BOOL="?")
def load(name):
    raw = open(name, "rb").read()
    n, = struct.unpack("<Q", raw[:8])
    head = json.loads(raw[8:8 + n])
    meta = head.pop("__metadata__", {})
    ends = sorted(e["data_offsets"] for e in head.values())
    assert [e[0] for e in ends] == [0] + [e[1] for e in ends][:-1] and ends[-1][1] == len(raw) - 8 - n
    return meta, {k: np.frombuffer(raw[8 + n:][slice(*e["data_offsets"])], types[e["dtype"]]).reshape(e["shape"]) for k, e in head.items()}
_, plain = load("weights.safetensors")
meta, full = load("mlp.arignote")
assert meta["arignote.format"] == "1" and meta["arignote.graph"].startswith("func(x float32[?,?] @")
assert sorted(plain) == ["W_hidden", "W_out", "b_hidden", "b_out"]
for k in plain:
    assert plain[k].tobytes() == full[k].tobytes() and plain[k].shape == full[k].shape, k
assert full["v_W_out"].shape == (8, 3) and full["X"].shape == (40, 6)
try:
    from safetensors.numpy import load_file
    assert load_file("mlp.arignote")["W_out"].tobytes() == plain["W_out"].tobytes()
except ImportError:
    pass
`

func readers(t *testing.T, dir string) {
	if exec.Command("/usr/bin/python3", "-c", "import numpy").Run() != nil {
		t.Skip("no /usr/bin/python3 with numpy")
	}
	python := exec.Command("/usr/bin/python3", "-W", "ignore", "-c", weights)
	python.Dir = dir
	if out, err := python.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
