package grad_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/exec"
	"github.com/arignote/arignote/runtime/grad"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// V is a symbolic variable.
type V = *graph.Variable

// b stands for the call of grad.
var b = &graph.Builder{Origin: at(9)}

func at(line int) *graph.Origin { return graph.At(graph.Pos{File: "net.star", Line: line, Col: 5}) }

func scalar(name string) V { return graph.NewInput(name, graph.TypeOf(kernels.Float64), at(1)) }

func vector(name string) V {
	return graph.NewInput(name, graph.AnyShape(kernels.Float64, 1), at(2))
}

func sum(v V) V {
	return b.Apply(op.Reduce{Kind: op.Sum, Axes: tensor.AllAxes(v.Type.Rank())}, v)
}

func do(e op.Elemwise, in ...V) V { return b.Apply(e, in...) }

func number(v float64) V { return b.Number(kernels.Float64, v) }

// gradients are those of cost, which must have them.
func gradients(t *testing.T, cost V, wrt []V, opts grad.Options) []V {
	t.Helper()
	g, err := grad.Grad(b, cost, wrt, opts)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range wrt {
		if g[i].Type.DType != v.Type.DType || g[i].Type.Rank() != v.Type.Rank() {
			t.Fatalf("the gradient with respect to %s is %v", graph.Describe(v), g[i].Type)
		}
	}
	return g
}

// eval computes outputs from inputs with the reference kernels.
func eval(t *testing.T, inputs []V, args []*tensor.Dense, outputs ...V) []*tensor.Dense {
	t.Helper()
	fg := &graph.FunctionGraph{Inputs: inputs, Outputs: outputs}
	if err := fg.Check(); err != nil {
		t.Fatal(err)
	}
	p, err := exec.Link(fg, exec.Options{Sets: kernels.Sets{kernels.GoSet}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.Run(args, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// at0 evaluates functions of one scalar.
func at0(t *testing.T, x V, value float64, outputs ...V) []float64 {
	t.Helper()
	var got []float64
	for _, a := range eval(t, []V{x}, []*tensor.Dense{tensor.From([]float64{value})}, outputs...) {
		got = append(got, a.Floats()...)
	}
	return got
}

func TestErrors(t *testing.T) {
	x, y, v := scalar("x"), scalar("y"), vector("v")
	n := graph.NewInput("n", graph.TypeOf(kernels.Int64), at(3))
	row := graph.NewInput("r", graph.TypeOf(kernels.Float64, 1), at(4))
	state := graph.NewInput("g", graph.Type{DType: kernels.Uint32, State: graph.GeneratorState}, at(6))
	cost := do(op.Sqr, x)
	for name, c := range map[string]struct {
		cost V
		wrt  []V
		opts grad.Options
		want string
	}{
		"vector cost": {v, []V{v}, grad.Options{},
			"grad: cost: got float64[?], want a scalar; take its sum or mean\n    net.star:2:5: v is float64[?]"},
		"no cost": {nil, []V{x}, grad.Options{}, "grad: got no cost, want one (or known_grads)"},
		"a subscript": {do(op.Mul, x, b.Apply(op.Subtensor{Index: "i"}, v, n)), []V{x, n}, grad.Options{},
			"grad: the cost does not depend on n (int64); pass disconnected_inputs=\"ignore\" to get zeros\n    net.star:3:5: n is int64"},
		"a state": {cost, []V{state}, grad.Options{}, "grad: wrt[0]: got Generator, want numbers: the state of a generator has no gradient"},
		"disconnected": {cost, []V{x, y}, grad.Options{},
			"grad: the cost does not depend on y (float64); pass disconnected_inputs=\"ignore\" to get zeros\n    net.star:1:5: y is float64"},
		"told disconnected": {cost, []V{y}, grad.Options{Disconnected: func(v V) error { return errors.New("no " + v.Name) }},
			"no y"},
		"rank of a known": {cost, []V{x}, grad.Options{Known: map[V]V{cost: v}},
			"grad: known_grads: got a gradient of type float64[?] for a variable of type float64"},
		"integer known": {nil, []V{x}, grad.Options{Known: map[V]V{x: n}},
			"grad: known_grads: got a gradient of type int64 for a variable of type float64"},
		"longer known": {nil, []V{row}, grad.Options{Known: map[V]V{row: graph.NewInput("two", graph.TypeOf(kernels.Float64, 2), at(5))}},
			"grad: known_grads: got a gradient of type float64[2] for a variable of type float64[1]"},
	} {
		_, err := grad.Grad(b, c.cost, c.wrt, c.opts)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want %q", name, err, c.want)
		}
		var e *graph.Error
		if errors.As(err, &e) && e.Pos != at(9).Pos() {
			t.Errorf("%s: at %v, want the call of grad", name, e.Pos)
		}
	}
}

// TestIgnoredIsZero: what the cost does not depend on has a gradient of zeros, of its shape.
func TestIgnoredIsZero(t *testing.T) {
	x, v := scalar("x"), vector("v")
	var told []string
	g := gradients(t, do(op.Sqr, x), []V{v, x},
		grad.Options{Disconnected: func(v V) error { told = append(told, v.Name); return nil }})
	out := eval(t, []V{x, v}, []*tensor.Dense{tensor.From([]float64{3}), tensor.From([]float64{1, 2}, 2)}, g...)
	if fmt.Sprint(told) != "[v]" || !slices.Equal(out[0].Floats(), []float64{0, 0}) || out[1].Item() != 6.0 {
		t.Errorf("told of %v, got %v and %v", told, out[0].Floats(), out[1].Item())
	}
	// Connected, but flat: zero, and no error. Positions and roundings do not change.
	at := b.Apply(op.Cast(kernels.Float64), b.Apply(op.Argmax{}, v))
	flat := gradients(t, do(op.Add, do(op.Floor, x), at), []V{x, v}, grad.Options{})
	out = eval(t, []V{x, v}, []*tensor.Dense{tensor.From([]float64{3.5}), tensor.From([]float64{1, 2}, 2)}, flat...)
	if out[0].Item() != 0.0 || !slices.Equal(out[1].Floats(), []float64{0, 0}) {
		t.Errorf("flat: got %v and %v", out[0].Item(), out[1].Floats())
	}
}

func TestConsiderConstant(t *testing.T) {
	x := scalar("x")
	square := do(op.Sqr, x)
	cost := do(op.Mul, x, square) // x³, whose derivative is x² + x·2x
	for name, c := range map[string]struct {
		constant []V
		want     float64
	}{
		"nothing":  {nil, 27},
		"x*x":      {[]V{square}, 9},
		"x itself": {[]V{x}, 0},
	} {
		g := gradients(t, cost, []V{x}, grad.Options{Constant: c.constant})
		if got := at0(t, x, 3, g...)[0]; got != c.want {
			t.Errorf("%s held constant: got %v, want %v", name, got, c.want)
		}
	}
	// Where all ways are cut, the variable is disconnected; the constant itself may still be asked
	// for.
	if _, err := grad.Grad(b, do(op.Exp, square), []V{x},
		grad.Options{Constant: []V{square}}); err == nil || !strings.Contains(err.Error(), "does not depend on x") {
		t.Errorf("got error %v", err)
	}
	g := gradients(t, do(op.Mul, x, square), []V{square, x}, grad.Options{})
	if got := at0(t, x, 3, g...); !slices.Equal(got, []float64{3, 27}) {
		t.Errorf("with respect to x*x and x: got %v, want [3 27]", got)
	}
}

func TestKnownGradients(t *testing.T) {
	x := scalar("x")
	y := do(op.Sqr, x)
	cost := do(op.Add, do(op.Exp, y), x)
	for name, c := range map[string]struct {
		cost  V
		known map[V]V
		want  float64
	}{
		"instead of a cost":       {nil, map[V]V{y: number(5)}, 5 * 6},
		"of the cost":             {cost, map[V]V{cost: number(2)}, 2 * (math.Exp(9)*6 + 1)},
		"in the place of exp's":   {cost, map[V]V{y: number(5)}, 5*6 + 1},
		"two":                     {nil, map[V]V{y: number(5), x: number(7)}, 7},
		"two, one below another":  {nil, map[V]V{y: number(5), do(op.Neg, y): number(7)}, 5 * 6},
		"of what does not matter": {cost, map[V]V{scalar("z"): number(1)}, math.Exp(9)*6 + 1},
	} {
		g := gradients(t, c.cost, []V{x}, grad.Options{Known: c.known})
		if got := at0(t, x, 3, g...)[0]; math.Abs(got-c.want) > 1e-9*c.want {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
	// A known gradient that broadcasts, or is of a narrower type, still gives gradients of the
	// variable's shape and type.
	v := vector("v")
	ones := b.Constant(tensor.From([]float32{1}, 1))
	g := gradients(t, nil, []V{v}, grad.Options{Known: map[V]V{do(op.Add, v, v): ones}})
	out := eval(t, []V{v}, []*tensor.Dense{tensor.From([]float64{1, 2, 3}, 3)}, g[0])[0]
	if !slices.Equal(out.Floats(), []float64{2, 2, 2}) {
		t.Errorf("broadcast: got %v, want [2 2 2]", out.Floats())
	}
	g = gradients(t, nil, []V{v}, grad.Options{Known: map[V]V{v: ones}})
	if out := eval(t, []V{v}, []*tensor.Dense{tensor.From([]float64{1, 2, 3}, 3)}, g[0])[0]; !slices.Equal(out.Floats(),
		[]float64{1, 1, 1}) {
		t.Errorf("of wrt itself: got %v, want [1 1 1]", out.Floats())
	}
}

// TestSharedSubexpressions: contributions along all ways add up, once each, and a subexpression is
// differentiated once.
func TestSharedSubexpressions(t *testing.T) {
	x := scalar("x")
	v := x
	const depth = 40
	for range depth {
		v = do(op.Add, v, v) // 2**40 ways
	}
	g := gradients(t, v, []V{x}, grad.Options{})
	if n := len(graph.Toposort(g)); n > 4*depth {
		t.Errorf("the gradient has %d nodes", n)
	}
	if got := at0(t, x, 1, g...)[0]; got != 1<<depth {
		t.Errorf("got %v, want 2**%d", got, depth)
	}
	e := do(op.Exp, x)
	cost := do(op.Mul, do(op.Add, e, x), do(op.Sub, e, x)) // e^2x - x^2
	if got, want := at0(t, x, 0.7, gradients(t, cost, []V{x}, grad.Options{})...)[0],
		2*math.Exp(1.4)-1.4; math.Abs(got-want) > 1e-12 {
		t.Errorf("got %v, want %v", got, want)
	}
	// The same variable twice, and the cost itself.
	twice := gradients(t, cost, []V{x, x, cost}, grad.Options{})
	if twice[0] != twice[1] || at0(t, x, 1, twice[2])[0] != 1 {
		t.Error("a repeated wrt has another gradient, or the cost's is not 1")
	}
}

// TestOrigins: gradient nodes point to the line that they differentiate.
func TestOrigins(t *testing.T) {
	x := scalar("x")
	line := &graph.Builder{Origin: at(7)}
	cost := line.Apply(op.Tanh, line.Apply(op.Sqr, x))
	for _, node := range graph.Toposort(gradients(t, cost, []V{x}, grad.Options{})) {
		if o := node.Origin(); o.Pos().Line != 7 {
			t.Errorf("%s at %v, want line 7", node.Op.Name(), o.Pos())
		}
	}
	roles := map[graph.Role]int{}
	for _, node := range graph.Toposort(gradients(t, cost, []V{x}, grad.Options{})) {
		roles[node.Origin().Role]++
	}
	if roles[graph.RoleForward] != 2 || roles[graph.RoleGradient] == 0 {
		t.Errorf("got roles %v, want 2 forward nodes and gradient ones", roles)
	}
}

// TestLengthsOfOne: a gradient knows of the axes of its variable that have length 1, as the next
// operation may rely on it.
func TestLengthsOfOne(t *testing.T) {
	v := vector("v")
	row := b.Apply(op.NewDimShuffle([]int{tensor.NewAxis, 0}), v)
	g := gradients(t, sum(b.Apply(op.Dot{}, v, row)), []V{v}, grad.Options{})[0]
	if got := eval(t, []V{v}, []*tensor.Dense{tensor.From([]float64{3}, 1)}, g)[0].Floats(); !slices.Equal(got, []float64{6}) {
		t.Errorf("got %v, want [6]", got)
	}
}
