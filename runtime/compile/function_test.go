package compile_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// V is a symbolic variable.
type V = *graph.Variable

var b = &graph.Builder{Origin: at(9)}

// at is a place in a user's file.
func at(line int) *graph.Origin { return graph.At(graph.Pos{File: "net.star", Line: line, Col: 5}) }

func vector(name string) V {
	return graph.NewInput(name, graph.AnyShape(kernels.Float64, 1), at(1))
}

func shared(name string, values ...float64) V {
	return graph.NewShared(name, graph.AnyShape(kernels.Float64, 1), tensor.From(values, len(values)), at(2))
}

func values(values ...float64) *tensor.Dense { return tensor.From(values, len(values)) }

// testModes are those in which every function of these tests is compiled.
var testModes = []compile.Mode{reference, {Linker: "go", Optimizer: "fast_compile"}, {Linker: "c|go", Optimizer: "fast_run"}}

func compiled(t *testing.T, spec compile.Spec) *compile.Function {
	t.Helper()
	if spec.Mode.Linker == "" {
		spec.Mode = reference
	}
	spec.Check = true
	spec.Origin = at(10)
	f, err := compile.Compile(spec)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func call(t *testing.T, f *compile.Function, args ...*tensor.Dense) []*tensor.Dense {
	t.Helper()
	out, err := f.Call(context.Background(), args, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestResultsAreTheCallers: results alias neither arguments, shared variables, constants nor each
// other; whoever overwrites them changes nothing else.
func TestResultsAreTheCallers(t *testing.T) {
	for _, mode := range testModes {
		x, w := vector("x"), shared("w", 5, 6)
		c := b.Constant(values(7, 8))
		y := b.Apply(op.Exp, x)
		back := op.Subtensor{Index: "::-1"}
		f := compiled(t, compile.Spec{Mode: mode, Inputs: []V{x}, Outputs: []V{
			x, x, w, w, c, c, y, y,
			b.Apply(back, x), b.Apply(back, w), b.Apply(back, c), b.Apply(back, y),
			b.Apply(op.NewDimShuffle([]int{tensor.NewAxis, 0}), y),
			b.Apply(op.Identity, x), b.Apply(op.Neg, y), b.Apply(op.Neg, y),
		}})
		arg := values(1, 2)
		var first []string
		for round := range 3 {
			out := call(t, f, arg)
			if got := fmt.Sprint(arg.Floats(), w.Shared.Get().Floats(), c.Data.Floats()); got != "[1 2] [5 6] [7 8]" {
				t.Fatalf("round %d: the argument, the shared variable and the constant became %s", round, got)
			}
			var texts []string
			for _, a := range out {
				texts = append(texts, fmt.Sprint(a.Floats()))
			}
			if round == 0 {
				first = texts
			}
			if !slices.Equal(texts, first) {
				t.Fatalf("round %d: got %v, want %v", round, texts, first)
			}
			for i, a := range out {
				a.Fill(float64(100 + i))
			}
			for i, a := range out {
				if a.Floats()[0] != float64(100+i) || a.Floats()[1] != float64(100+i) {
					t.Errorf("output %d was changed through another: %v", i, a.Floats())
				}
			}
		}
	}
}

// TestUpdatesAreNotOutputs: a result that is also the new value of a shared variable is another
// array.
func TestUpdatesAreNotOutputs(t *testing.T) {
	for _, mode := range testModes {
		x, w, v := vector("x"), shared("w", 0, 0), shared("v", 0, 0)
		sum := b.Apply(op.Add, w, x)
		f := compiled(t,
			compile.Spec{Mode: mode, Inputs: []V{x}, Outputs: []V{sum},
				Updates: []graph.Update{{Shared: w, Value: sum}, {Shared: v, Value: sum}}})
		out := call(t, f, values(1, 2))
		out[0].Fill(99)
		w.Shared.Get().Fill(98)
		if got := v.Shared.Get().Floats(); !slices.Equal(got, []float64{1, 2}) {
			t.Errorf("got %v, want [1 2]", got)
		}
		// An argument that becomes the new value is copied.
		g := compiled(t, compile.Spec{Mode: mode, Inputs: []V{x}, Updates: []graph.Update{{Shared: w, Value: x}}})
		arg := values(3, 4)
		call(t, g, arg)
		arg.Fill(97)
		if got := w.Shared.Get().Floats(); !slices.Equal(got, []float64{3, 4}) {
			t.Errorf("got %v, want [3 4]", got)
		}
	}
}

// TestUpdatesSeeOldValues: all new values are computed from the old ones.
func TestUpdatesSeeOldValues(t *testing.T) {
	for _, mode := range testModes {
		v, w, n := shared("v", 1), shared("w", 10), shared("n", 0)
		f := compiled(t, compile.Spec{Mode: mode, Outputs: []V{v}, Updates: []graph.Update{
			{Shared: v, Value: w}, {Shared: w, Value: v}, {Shared: n, Value: b.Apply(op.Add, n, b.Apply(op.Mul, v, w))},
		}})
		for round, want := range []string{"[1] [10] [1] [10]", "[10] [1] [10] [20]", "[1] [10] [1] [30]"} {
			out := call(t, f)
			got := fmt.Sprint(out[0].Floats(), v.Shared.Get().Floats(), w.Shared.Get().Floats(), n.Shared.Get().Floats())
			if got != want {
				t.Errorf("mode %v, round %d: got %s, want %s", mode, round, got, want)
			}
		}
	}
}

// TestUpdateTypes: the new value is converted where nothing is lost, and must have the shared
// variable's shape.
func TestUpdateTypes(t *testing.T) {
	narrow := graph.NewShared("narrow", graph.AnyShape(kernels.Float32, 1), tensor.New(kernels.Float32, 2), at(2))
	row := graph.NewShared("row", graph.TypeOf(kernels.Float64, 1, 3), tensor.New(kernels.Float64, 1, 3), at(2))
	wide := shared("wide", 1, 2)
	x := vector("x")
	matrix := graph.NewInput("m", graph.AnyShape(kernels.Float64, 2), at(3))
	for _, c := range []struct {
		name    string
		inputs  []V
		updates []graph.Update
		want    string
	}{
		{"precision", []V{x}, []graph.Update{{Shared: narrow, Value: x}},
			"function: updates: the new value of narrow: got float64[?], want float32[?]; convert it with T.cast"},
		{"rank", []V{matrix}, []graph.Update{{Shared: wide, Value: matrix}},
			"function: updates: the new value of wide: got float64[?,?], want float64[?]"},
		{"broadcast", []V{matrix}, []graph.Update{{Shared: row, Value: matrix}},
			"function: updates: the new value of row: got float64[?,?], want float64[1,3]"},
		{"twice", []V{x}, []graph.Update{{Shared: wide, Value: x}, {Shared: wide, Value: x}},
			"function: updates: wide is updated twice"},
		{"not shared", []V{x}, []graph.Update{{Shared: x, Value: x}}, "function: updates: x is not a shared variable"},
	} {
		wantError(t, c.name, compile.Spec{Inputs: c.inputs, Updates: c.updates}, c.want)
	}
	f := compiled(t,
		compile.Spec{Inputs: []V{x}, Updates: []graph.Update{{Shared: wide, Value: b.Apply(op.Cast(kernels.Int8), x)}}})
	call(t, f, values(3.7, -1.2))
	if got := wide.Shared.Get(); got.DType() != kernels.Float64 || !slices.Equal(got.Floats(), []float64{3, -1}) {
		t.Errorf("an int8 update of a float64: got %v %v", got.DType(), got.Floats())
	}
	// Lengths that only the run knows are checked by it, and then nothing changes.
	three := graph.NewShared("three", graph.TypeOf(kernels.Float64, 3), values(1, 2, 3), at(2))
	g := compiled(t, compile.Spec{Inputs: []V{x}, Updates: []graph.Update{{Shared: three, Value: x}}})
	if _, err := g.Call(context.Background(), []*tensor.Dense{values(1, 2)}, nil); err == nil || !strings.Contains(err.Error(),
		"got shape (2,), want float64[3]") {
		t.Errorf("got error %v", err)
	}
	if got := three.Shared.Get().Floats(); !slices.Equal(got, []float64{1, 2, 3}) {
		t.Errorf("after an error: got %v", got)
	}
}

// wantError compiles and compares the error, which is at the call of function.
func wantError(t *testing.T, name string, spec compile.Spec, want string) {
	t.Helper()
	spec.Origin, spec.Mode = at(10), reference
	_, err := compile.Compile(spec)
	var e *graph.Error
	if !errors.As(err, &e) || e.Pos != at(10).Pos() || !strings.HasPrefix(e.Error(), want) {
		t.Errorf("%s: got error %v, want %q", name, err, want)
	}
}

func TestInputErrors(t *testing.T) {
	x, y, w := vector("x"), vector("y"), shared("w", 1)
	sum := b.Apply(op.Add, x, y)
	total := b.Apply(op.Reduce{Kind: op.Sum, Axes: tensor.AxesOf(0)}, sum)
	total.Name = "total"
	for name, c := range map[string]struct {
		inputs []V
		want   string
	}{
		"missing": {[]V{x},
			"function: y is needed to compute the outputs and is not among the inputs; add it to inputs, or replace it with givens\n    net.star:1:5: y is float64[?]"},
		"twice":    {[]V{x, y, x}, "function: input 2 (x) is listed twice"},
		"shared":   {[]V{x, y, w}, "function: input 2 is the shared variable w: shared variables are always available"},
		"constant": {[]V{x, y, b.Number(kernels.Float64, 1)}, "function: input 2 is a constant"},
	} {
		wantError(t, name, compile.Spec{Inputs: c.inputs, Outputs: []V{total}}, c.want)
	}
	// What is computed from others is given instead.
	if got := call(t, compiled(t, compile.Spec{Inputs: []V{sum}, Outputs: []V{total}}), values(1, 2))[0].Item(); got != 3.0 {
		t.Errorf("an input that is computed: got %v, want 3", got)
	}
	z := vector("z")
	var unused []string
	f := compiled(t, compile.Spec{Inputs: []V{x, z, y}, Outputs: []V{total}, OnUnused: func(i int, v V) error {
		unused = append(unused, fmt.Sprint(i, v.Name))
		return nil
	}})
	if !slices.Equal(unused, []string{"1z"}) {
		t.Errorf("got unused inputs %v, want z", unused)
	}
	if got := call(t, f, values(1), values(9, 9, 9), values(2))[0].Item(); got != 3.0 {
		t.Errorf("with an unused argument: got %v, want 3", got)
	}
	wantError(t, "unused",
		compile.Spec{Inputs: []V{x, z, y}, Outputs: []V{total},
			OnUnused: func(int, V) error { return errors.New("z does nothing") }}, "function: z does nothing")
}

// TestDefaultUpdates checks which shared variables take theirs, and that those that these read take
// theirs too.
func TestDefaultUpdates(t *testing.T) {
	for _, c := range []struct {
		name      string
		noDefault func(a, c V) func(V) bool
		explicit  bool
		want      string
	}{
		{"all", nil, false, "[11] [15] [5]"},
		{"explicit", nil, true, "[100] [15] [5]"},
		{"none", func(a, c V) func(V) bool { return func(V) bool { return true } }, false, "[1] [10] [5]"},
		{"not the first", func(a, c V) func(V) bool { return func(v V) bool { return v == a } }, false, "[1] [10] [5]"},
		{"not the second", func(a, c V) func(V) bool { return func(v V) bool { return v == c } }, false, "[11] [10] [5]"},
	} {
		a, second, unread := shared("a", 1), shared("b", 10), shared("c", 5)
		a.Shared.Default = b.Apply(op.Add, a, second)
		second.Shared.Default = b.Apply(op.Add, second, b.Like(a, 5))
		unread.Shared.Default = a
		spec := compile.Spec{Outputs: []V{b.Apply(op.Neg, a)}}
		if c.noDefault != nil {
			spec.NoDefault = c.noDefault(a, second)
		}
		if c.explicit {
			spec.Updates = []graph.Update{{Shared: a, Value: b.Apply(op.Mul, second, b.Like(a, 10))}}
		}
		f := compiled(t, spec)
		call(t, f)
		got := fmt.Sprint(a.Shared.Get().Floats(), second.Shared.Get().Floats(), unread.Shared.Get().Floats())
		if got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
	a := shared("a", 1)
	a.Shared.Default = graph.NewShared("i", graph.AnyShape(kernels.Float64, 2), tensor.New(kernels.Float64, 1, 1), nil)
	wantError(t, "type", compile.Spec{Outputs: []V{a}}, "function: the default update of a: got float64[?,?], want float64[?]")
}

func TestSwap(t *testing.T) {
	a, c, d := shared("a", 1), shared("c", 10), shared("d", 100)
	update := graph.Update{Shared: a, Value: b.Apply(op.Add, a, c)}
	f := compiled(t, compile.Spec{Outputs: []V{a}, Updates: []graph.Update{update}, Swap: map[V]V{a: c, c: a}})
	if got := call(t, f)[0].Floats(); got[0] != 10 || a.Shared.Get().Floats()[0] != 1 || c.Shared.Get().Floats()[0] != 11 {
		t.Errorf("exchanged: got %v, a = %v, c = %v", got, a.Shared.Get().Floats(), c.Shared.Get().Floats())
	}
	call(t, compiled(t, compile.Spec{Updates: []graph.Update{update}, Swap: map[V]V{a: d}}))
	if a.Shared.Get().Floats()[0] != 1 || d.Shared.Get().Floats()[0] != 111 {
		t.Errorf("swapped: a = %v, d = %v", a.Shared.Get().Floats(), d.Shared.Get().Floats())
	}
	m := graph.NewShared("m", graph.AnyShape(kernels.Float64, 2), tensor.New(kernels.Float64, 1, 1), nil)
	wantError(t, "type", compile.Spec{Outputs: []V{a}, Swap: map[V]V{a: m}}, "function: swap: got float64[?,?] for a, want float64[?], the same type")
	both := []graph.Update{update, {Shared: c, Value: a}}
	wantError(t, "twice", compile.Spec{Updates: both, Swap: map[V]V{a: c}}, "function: swap: c would be updated twice")
}

func TestGivens(t *testing.T) {
	x, y, z, w := vector("x"), vector("y"), vector("z"), shared("w", 100, 200)
	double := b.Apply(op.Mul, x, b.Like(x, 2))
	sum := b.Apply(op.Add, double, y)
	for _, mode := range testModes {
		for _, c := range []struct {
			name   string
			givens map[V]V
			inputs []V
			want   string
		}{
			{"an input by a constant", map[V]V{x: b.Constant(values(3, 4))}, []V{y}, "[16 28]"},
			{"an input by a shared variable", map[V]V{x: w}, []V{y}, "[210 420]"},
			{"an input by a computation", map[V]V{x: b.Apply(op.Neg, z)}, []V{z, y}, "[-10 0]"},
			{"a computed variable by an input", map[V]V{double: z}, []V{z, y}, "[20 40]"},
			{"two that are exchanged for one", map[V]V{x: z, y: z}, []V{z}, "[30 60]"},
			{"one by one that is replaced too", map[V]V{x: y, y: z}, []V{z}, "[30 60]"},
			{"by integers", map[V]V{y: b.Constant(tensor.From([]int32{1, 2}, 2))}, []V{x}, "[21 42]"},
		} {
			f := compiled(t, compile.Spec{Mode: mode, Inputs: c.inputs, Outputs: []V{sum}, Givens: c.givens})
			args := []*tensor.Dense{values(10, 20), values(10, 20)}[:len(c.inputs)]
			if c.name == "an input by a computation" {
				args = []*tensor.Dense{values(10, 10), values(10, 20)}
			}
			if got := fmt.Sprint(call(t, f, args...)[0].Floats()); got != c.want {
				t.Errorf("%s: got %s, want %s", c.name, got, c.want)
			}
		}
	}
	matrix := graph.NewInput("m", graph.AnyShape(kernels.Float64, 2), at(3))
	for name, c := range map[string]struct {
		givens map[V]V
		want   string
	}{
		"cycle":  {map[V]V{x: y, y: x}, "function: givens: the replacement of "},
		"itself": {map[V]V{x: b.Apply(op.Neg, x)}, "function: givens: the replacement of x (float64[?]) depends on itself"},
		"rank":   {map[V]V{x: matrix}, "function: givens: the replacement of x: got float64[?,?], want float64[?]"},
		"precision": {map[V]V{b.Apply(op.Cast(kernels.Int8), x): x},
			"function: givens: the replacement of an unnamed variable: got float64[?], want int8[?]; convert it with T.cast"},
		"missing": {map[V]V{x: z}, "function: z is needed to compute the outputs"},
	} {
		inputs := slices.DeleteFunc([]V{x, y}, func(v V) bool { return c.givens[v] != nil })
		wantError(t, name, compile.Spec{Inputs: inputs, Outputs: []V{sum}, Givens: c.givens}, c.want)
	}
	wantError(t, "an input", compile.Spec{Inputs: []V{x, y}, Outputs: []V{sum}, Givens: map[V]V{x: w}}, "function: givens: x is an input too, whose value would be lost")
	// Without types to keep, what is made of a replacement takes its type.
	f := compiled(t, compile.Spec{Inputs: []V{matrix}, Outputs: []V{sum}, Givens: map[V]V{x: matrix, y: matrix}, Retype: true})
	if got := f.Graph.Outputs[0].Type; got != matrix.Type {
		t.Errorf("retyped: got %v, want %v", got, matrix.Type)
	}
	if got := fmt.Sprint(call(t, f, tensor.From([]float64{1, 2}, 1, 2))[0].Floats()); got != "[3 6]" {
		t.Errorf("retyped: got %s", got)
	}
	// Updates are replaced in, too.
	f = compiled(t, compile.Spec{Inputs: []V{y}, Updates: []graph.Update{{Shared: w, Value: sum}}, Givens: map[V]V{x: w}})
	call(t, f, values(1, 2))
	if got := w.Shared.Get().Floats(); !slices.Equal(got, []float64{201, 402}) {
		t.Errorf("update with givens: got %v, want [201 402]", got)
	}
}

func TestArguments(t *testing.T) {
	narrow := graph.NewInput("x", graph.AnyShape(kernels.Float32, 1), at(1))
	row := graph.NewInput("r", graph.TypeOf(kernels.Float64, 1, graph.Unknown), nil)
	spec := compile.Spec{Name: "train", Inputs: []V{narrow, row}, Outputs: []V{b.Apply(op.Neg, narrow), row}}
	f := compiled(t, spec)
	ok := tensor.New(kernels.Float64, 1, 2)
	note := "\n    net.star:1:5: x is float32[?]"
	for _, c := range []struct {
		args []*tensor.Dense
		want string
	}{
		{[]*tensor.Dense{values(1)}, "train: got 1 arguments, want 2"},
		{[]*tensor.Dense{values(1), ok},
			`train: argument 1 (x): got dtype float64, want float32, and the conversion may lose precision; convert it with .astype("float32") or pass allow_input_downcast=True to function()` + note},
		{[]*tensor.Dense{tensor.New(kernels.Int64, 2), ok}, "train: argument 1 (x): got dtype int64, want float32"},
		{[]*tensor.Dense{tensor.New(kernels.Float32, 2, 3), ok},
			"train: argument 1 (x): got an array of 2 dimensions with shape (2, 3), want 1 dimensions" + note},
		{[]*tensor.Dense{tensor.New(kernels.Float32), ok},
			"train: argument 1 (x): got an array of 0 dimensions with shape (), want 1 dimensions" + note},
		{[]*tensor.Dense{tensor.New(kernels.Float32, 2), tensor.New(kernels.Float64, 2, 2)},
			"train: argument 2 (r): got shape (2, 2), want float64[1,?]"},
	} {
		_, err := f.Call(context.Background(), c.args, nil)
		var e *graph.Error
		if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("got error %v, want %q", err, c.want)
		}
	}
	out := call(t, f, tensor.From([]int16{1, -2}, 2), ok.AsType(kernels.Bool)) // nothing is lost
	if out[0].DType() != kernels.Float32 || !slices.Equal(out[0].Floats(), []float64{-1, 2}) || out[1].DType() != kernels.Float64 {
		t.Errorf("got %v %v", out[0].DType(), out[0].Floats())
	}
	spec.AllowDowncast = []bool{true, false}
	if got := call(t, compiled(t, spec), values(1.5), ok)[0]; got.DType() != kernels.Float32 || got.Floats()[0] != -1.5 {
		t.Errorf("downcast: got %v %v", got.DType(), got.Floats())
	}
}

// TestGoroutines: calls from several goroutines take turns; none sees another's values.
func TestGoroutines(t *testing.T) {
	for _, mode := range testModes {
		x, w := vector("x"), shared("n", 0)
		y := b.Apply(op.Mul, b.Apply(op.Exp, b.Apply(op.Log, b.Apply(op.Sqr, x))), b.Like(x, 3))
		f := compiled(t, compile.Spec{Mode: mode, Inputs: []V{x}, Outputs: []V{b.Apply(op.Reduce{Kind: op.Sum, Axes: tensor.AxesOf(0)}, y)},
			Updates: []graph.Update{{Shared: w, Value: b.Apply(op.Add, w, b.Like(w, 1))}}})
		var wg sync.WaitGroup
		for k := range 8 {
			wg.Go(func() {
				for i := range 50 {
					n := float64(1 + k + i%3)
					out, err := f.Call(context.Background(), []*tensor.Dense{values(n, n, n, n)}, nil)
					if err != nil {
						t.Error(err)
					} else if got, want := out[0].Item().(float64), 12*n*n; got < want-1e-6 || got > want+1e-6 {
						t.Errorf("got %v, want %v", got, want)
					}
				}
			})
		}
		wg.Wait()
		if got := w.Shared.Get().Floats()[0]; got != 400 {
			t.Errorf("%v calls were counted, want 400", got)
		}
	}
}

// TestCancel: a call ends with the context's cause, changes nothing, and the function works
// afterwards.
func TestCancel(t *testing.T) {
	x, w := graph.NewInput("x", graph.AnyShape(kernels.Float64, 2), nil), shared("n", 0)
	f := compiled(t,
		compile.Spec{Mode: compile.Mode{Linker: "c|go", Optimizer: "fast_run"}, Inputs: []V{x},
			Outputs: []V{b.Apply(op.Dot{}, x, x)},
			Updates: []graph.Update{{Shared: w, Value: b.Apply(op.Add, w, b.Like(w, 1))}}})
	large, small := tensor.New(kernels.Float64, 4000, 4000), tensor.New(kernels.Float64, 2, 2)
	cause := errors.New("the user pressed stop")
	ctx, cancel := context.WithCancelCause(context.Background())
	time.AfterFunc(20*time.Millisecond, func() { cancel(cause) })
	start := time.Now()
	if _, err := f.Call(ctx, []*tensor.Dense{large}, nil); err != cause {
		t.Fatalf("got error %v after %v, want %v", err, time.Since(start), cause)
	}
	if _, err := f.Call(ctx, []*tensor.Dense{small}, nil); err != cause {
		t.Errorf("with a context that is done: got error %v, want %v", err, cause)
	}
	late, done := context.WithTimeout(context.Background(), time.Millisecond)
	defer done()
	if _, err := f.Call(late, []*tensor.Dense{large}, nil); err != context.DeadlineExceeded {
		t.Errorf("got error %v, want %v", err, context.DeadlineExceeded)
	}
	if got := w.Shared.Get().Floats()[0]; got != 0 {
		t.Errorf("a call that was stopped updated: got %v", got)
	}
	call(t, f, small)
	if got := w.Shared.Get().Floats()[0]; got != 1 {
		t.Errorf("the call afterwards: got %v updates, want 1", got)
	}
}

// TestTiming: what a profile shows of compiling adds up.
func TestTiming(t *testing.T) {
	x := vector("x")
	f := compiled(t,
		compile.Spec{Mode: testModes[2], Inputs: []V{x},
			Outputs: []V{b.Apply(op.Exp, b.Apply(op.Add, x, x)), b.Apply(op.Dot{}, x, x)}})
	sum := time.Duration(0)
	for _, d := range f.Timing.Thunks {
		sum += d
	}
	if n := len(f.Graph.Toposort()); len(f.Timing.Thunks) != n || sum > f.Timing.Link {
		t.Errorf("%d thunks in %v, want %d in at most %v", len(f.Timing.Thunks), sum, n, f.Timing.Link)
	}
	if f.Timing.Validate > f.Timing.Rewrite || f.Timing.Rewrite+f.Timing.Link > f.Timing.Total || f.Timing.Rewrite <= 0 {
		t.Errorf("the parts are larger than the whole: %+v", f.Timing)
	}
}
