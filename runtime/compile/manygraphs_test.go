package compile_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/arignote/arignote/long"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/debugmode"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/rewrite"
	"github.com/arignote/arignote/runtime/tensor"
)

var (
	_          = flag.Int("graphs", 200, "how many random graphs TestManyGraphs makes")
	firstGraph = flag.Uint64("graphs.first", 0, "the seed of the first random graph of TestManyGraphs")
	onlyMode   = flag.String("graphs.mode", "", "the only mode that TestManyGraphs compares")
	maxReports = flag.Int("graphs.reports", 5, "how many failures TestManyGraphs shrinks and prints")
)

// A variant is a mode that has to compute what the graph says.
type variant struct {
	name string
	mode compile.Mode
}

// manyModes are all optimizers there are, with the kernels that users get, and fast_run with those
// of Go.
var manyModes = func() []variant {
	var list []variant
	for _, name := range compile.OptimizerNames() {
		if name != "o1" && name != "o4" { // other names of fast_compile and fast_run
			list = append(list, variant{name, compile.Mode{Linker: "c|go", Optimizer: name}})
		}
	}
	return append(list, variant{"None, go", compile.Mode{Linker: "go", Optimizer: "None"}}, variant{"fast_run, go", compile.Mode{Linker: "go", Optimizer: "fast_run"}})
}()

// debugged is DebugMode as far as random graphs can bear it: nan is no fault, and the patterns of
// strides are many.
var debugged = func() variant {
	o := debugmode.Default()
	o.Patience, o.CheckFinite, o.Preallocated, o.Ndim = 2, false, debugmode.Patterns, 1
	return variant{"DebugMode", compile.Mode{Linker: "c|go", Optimizer: "fast_run", Debug: &o}}
}()

// A trial is a graph with the values of its inputs and shared variables.
type trial struct {
	fg     *graph.FunctionGraph
	from   map[*graph.Variable]*tensor.Dense
	family family
	keep   bool // KeepAll
}

func (p problem) trial(f family) trial {
	x := trial{fg: &graph.FunctionGraph{Inputs: p.spec.Inputs, Outputs: p.spec.Outputs, Updates: p.spec.Updates}, from: make(map[*graph.Variable]*tensor.Dense), family: f, keep: p.spec.KeepAll}
	for i, v := range p.spec.Inputs {
		x.from[v] = p.args[i]
	}
	for _, v := range x.fg.SharedVariables() {
		x.from[v] = v.Shared.Get()
	}
	return x
}

// A verdict is what is right of a trial: values, or kinds of errors.
type verdict struct {
	*debugmode.Reference
	errors map[string]bool
}

func (x trial) verdict() verdict {
	o := debugmode.Default()
	if ref, err := debugmode.NewReference(o, x.fg.Results(), x.from); err == nil {
		return verdict{Reference: ref}
	}
	// Any of the operations that fail may come first, and lengths may clash with those of what
	// failed.
	v := verdict{errors: make(map[string]bool)}
	known := maps.Clone(x.from)
	for _, node := range x.fg.Toposort() {
		if slices.ContainsFunc(node.Inputs, func(u *graph.Variable) bool { return known[u] == nil && u.Data == nil }) {
			v.errors["lengths"] = true
			continue
		}
		if _, err := compute(node.Outputs[0], known); err != nil {
			v.errors[errorKind(err)] = true
		}
	}
	return v
}

// onlyLengths reports whether nothing fails but for lengths that do not fit.
func (v verdict) onlyLengths() bool { return len(v.errors) == 1 && v.errors["lengths"] }

var numbers = regexp.MustCompile(`[-0-9?]+`)

// errorKind is what kind of mistake an error is about, whichever operation finds it.
func errorKind(err error) string {
	msg := err.Error()
	var e *graph.Error
	if errors.As(err, &e) {
		msg = e.Msg
	}
	for _, k := range [][2]string{{"BUG", "bug"}, {"panic", "bug"}, {"out of bounds", "index"}, {"want at least", "index"}, {"no elements", "no elements"}, {"has length 0", "no elements"},
		{"broadcast", "lengths"}, {"length", "lengths"}, {"shape", "lengths"}} {
		if strings.Contains(msg, k[0]) {
			return k[1]
		}
	}
	return numbers.ReplaceAllString(msg, "N")
}

// may is what the rewrites that were applied may change. Without them all but rounding is kept:
// errors, nan, the sign of a zero, and what overflows.
type may struct {
	values bool // what is nan, inf or 0, since some stabilize or are unstable
	errors bool // of elements, since some that are unstable or unsafe leave out what fails; lengths are checked all the same
}

// add adds what a replacement may change.
func (m *may) add(r rewrite.Replacement) {
	unsafe := r.Rule != nil && slices.Contains(r.Rule.Tags, rewrite.Unsafe)
	m.values = m.values || r.Stabilizes || r.Unstable || r.Rule == nil && r.Pass == "BlasOpt"
	m.errors = m.errors || r.Unstable || unsafe
}

// run compiles and calls a trial in a mode. It returns what is wrong, "" if nothing is, and how the
// function looks.
func (x trial) run(m variant, want verdict) (wrong, after string) {
	var may may
	spec := compile.Spec{Inputs: x.fg.Inputs, Outputs: x.fg.Outputs, Updates: x.fg.Updates, Mode: m.mode, Check: true, KeepAll: x.keep,
		OnRewrite: may.add}
	shared := x.fg.SharedVariables()
	for _, v := range shared {
		v.Shared.Set(x.from[v])
	}
	f, err := compile.Compile(spec)
	if err != nil {
		return want.judge(may, x.family, err), ""
	}
	after = f.Graph.String()
	args, before := make([]*tensor.Dense, len(x.fg.Inputs)), make([]*tensor.Dense, len(x.fg.Inputs))
	for i, v := range x.fg.Inputs {
		args[i], before[i] = x.from[v], x.from[v].Copy()
	}
	call := func() ([]*tensor.Dense, error) {
		results, err := f.Call(context.Background(), args, nil)
		for _, u := range x.fg.Updates {
			results = append(results, u.Shared.Shared.Get())
		}
		for _, v := range shared {
			if now := v.Shared.Get(); now != x.from[v] && !slices.ContainsFunc(x.fg.Updates, func(u graph.Update) bool { return err == nil && u.Shared == v }) {
				err = errors.Join(err, fmt.Errorf("BUG: the shared variable %s has changed", v.Name))
			}
			v.Shared.Set(x.from[v])
		}
		return results, err
	}
	results, err := call()
	if err != nil {
		return want.judge(may, x.family, err), after
	}
	if want.Reference == nil {
		if may.errors && !want.onlyLengths() {
			return "", after
		}
		return fmt.Sprintf("no error, want one of %v", slices.Sorted(maps.Keys(want.errors))), after
	}
	for i := range results {
		if diff := x.differs(may, want, i, results[i]); diff != "" {
			return fmt.Sprintf("result %d: %s", i, diff), after
		}
	}
	// What a call gives is the caller's: the next does not change it, and gives the same.
	kept := make([]*tensor.Dense, len(results))
	for i, a := range results {
		kept[i] = a.Copy()
	}
	again, err := call()
	if err != nil {
		return "the second call: " + err.Error(), after
	}
	for i := range results {
		if !sameBits(results[i], kept[i]) {
			return fmt.Sprintf("result %d: the second call changes that of the first", i), after
		}
		if !sameBits(again[i], kept[i]) {
			return fmt.Sprintf("result %d: the second call gives another", i), after
		}
	}
	for i := range args {
		if !sameBits(args[i], before[i]) {
			return fmt.Sprintf("argument %d was overwritten", i), after
		}
	}
	return "", after
}

// differs compares a result. What rewrites may give numbers for nan and inf in is compared in
// moderate graphs only, where there are none.
func (x trial) differs(m may, want verdict, i int, got *tensor.Dense) string {
	w := want.Value(i)
	if m.values && x.family == special {
		if got.DType() != w.DType() || !slices.Equal(got.Shape(), w.Shape()) && !x.lengthsOfElements() {
			return fmt.Sprintf("got %v %v, want %v %v", got.DType(), got.Shape(), w.DType(), w.Shape())
		}
		return ""
	}
	return want.Differs(i, got, m.values)
}

// aboutLengths are kinds of errors one of which an operation tells where it might tell another: of
// an index beyond an axis, and of a value that does not fit there.
var aboutLengths = map[string]bool{"lengths": true, "index": true, "no elements": true}

func (v verdict) aboutLengths() bool {
	for kind := range v.errors {
		if aboutLengths[kind] {
			return true
		}
	}
	return false
}

// lengthsOfElements reports whether elements decide how long some results are.
func (x trial) lengthsOfElements() bool {
	b := &graph.Builder{}
	for _, node := range x.fg.Toposort() {
		o, ok := node.Op.(op.Measurer)
		for _, v := range node.Outputs {
			for axis := range v.Type.Rank() {
				if ok && v.Type.Dim(axis) == graph.Unknown && o.Length(b, v, axis) == nil {
					return true
				}
			}
		}
	}
	return false
}

// judge says what is wrong with an error, "" if it was to come.
func (v verdict) judge(m may, f family, err error) string {
	kind := errorKind(err)
	switch {
	case v.Reference != nil:
		if kind != "bug" && (m.values && f == special || v.Uncertain()) {
			return ""
		}
		return "an error: " + err.Error()
	case kind == "bug" || !v.errors[kind] && !m.errors && !(aboutLengths[kind] && v.aboutLengths()):
		return fmt.Sprintf("got an error of kind %s, want one of %v: %v", kind, slices.Sorted(maps.Keys(v.errors)), err)
	}
	return ""
}

// sameBits reports whether two arrays have the same elements, bit for bit but that a nan is a nan.
func sameBits(a, b *tensor.Dense) bool {
	if !tensor.Equal(a, b) {
		return false
	}
	if !a.DType().IsFloat() {
		return true
	}
	x, y := a.Floats(), b.Floats()
	for i, f := range x {
		if f == f && math.Signbit(f) != math.Signbit(y[i]) {
			return false
		}
	}
	return true
}

// check runs a trial in all modes and returns what the first that is wrong does.
func (x trial) check(modes []variant) (m variant, wrong, after string) {
	want := x.verdict()
	for _, m := range modes {
		if wrong, after := x.run(m, want); wrong != "" {
			return m, wrong, after
		}
	}
	return variant{}, "", ""
}

// TestManyGraphs compares random graphs as they are written with what every mode makes of them. The
// usual run makes a few hundred; -graphs 100000 makes that many.
func TestManyGraphs(t *testing.T) {
	first, n := long.Drawn("graphs", 2)
	if testing.Short() || long.Race {
		n = min(n, 60)
	}
	modes := manyModes
	if *onlyMode != "" {
		modes = slices.DeleteFunc(append(slices.Clone(modes), debugged), func(m variant) bool { return m.name != *onlyMode })
	}
	var next, nodes atomic.Int64
	var failures sync.Map
	var wait sync.WaitGroup
	counts := make([]atomic.Int64, families)
	for range min(runtime.GOMAXPROCS(0), 2) {
		wait.Go(func() {
			for {
				k := next.Add(1) - 1
				if k >= int64(n) {
					return
				}
				seed := *firstGraph + uint64(first) + uint64(k)
				p, f := manyProblem(seed)
				x := p.trial(f)
				counts[f].Add(1)
				nodes.Add(int64(len(x.fg.Toposort())))
				all := modes
				if (seed%20 == 7 || f == gradient && seed%4 == 0) && *onlyMode == "" {
					all = append(slices.Clone(all), debugged)
				}
				if m, wrong, _ := x.check(all); wrong != "" {
					t.Logf("seed %d, %s: %.300s", seed, m.name, wrong)
					failures.Store(seed, m)
				}
			}
		})
	}
	wait.Wait()
	for f := range families {
		t.Logf("%d graphs that are %v", counts[f].Load(), f)
	}
	t.Logf("%d operations on average", nodes.Load()/int64(max(n, 1)))
	var seeds []uint64
	failures.Range(func(seed, _ any) bool { seeds = append(seeds, seed.(uint64)); return true })
	slices.Sort(seeds)
	for i, seed := range seeds {
		m, _ := failures.Load(seed)
		if i >= *maxReports {
			t.Errorf("seed %d, %s", seed, m.(variant).name)
			continue
		}
		p, f := manyProblem(seed)
		t.Errorf("seed %d, %s", seed, p.trial(f).shrunk(m.(variant)).report(m.(variant)))
	}
}
