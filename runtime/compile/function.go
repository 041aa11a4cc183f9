package compile

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/debugmode"
	"github.com/arignote/arignote/runtime/exec"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/history"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/rewrite"
	"github.com/arignote/arignote/runtime/tensor"
)

// Spec says what to compile.
type Spec struct {
	// Inputs are in the order of the call's arguments. The argument for one that is computed from
	// other variables replaces that computation.
	Inputs  []*graph.Variable
	Outputs []*graph.Variable
	Updates []graph.Update
	Givens  map[*graph.Variable]*graph.Variable // what to put in the place of variables
	// Retype lets Givens have other types than what they replace; the types of what is made of them
	// follow (rebuild_strict=False).
	Retype bool
	// NoDefault reports whether a shared variable is to stay as it is although it has a default
	// update. nil stands for never.
	NoDefault func(shared *graph.Variable) bool
	// Homes are shared variables of the same types in the place of inputs that keep their values
	// between calls, behind the Givens: what these say of a home is not said of the input.
	Homes map[*graph.Variable]*graph.Variable
	// Swap puts other shared variables of the same types in the place of some, when all else is
	// done.
	Swap map[*graph.Variable]*graph.Variable
	// Narrow, if not nil, has the graph computed in float32 where it is written in float64, its
	// inputs and results too, and gives for each shared variable of float64 that of float32 which
	// takes its place.
	Narrow func(shared *graph.Variable) *graph.Variable
	Name   string
	Mode   Mode
	// OnUnused is called for each input that the results do not need; an error it returns ends the
	// compilation. nil accepts them.
	OnUnused func(position int, v *graph.Variable) error
	// KeepAll gives every intermediate result memory of its own (allow_gc=False), unless the mode's
	// linker decides.
	KeepAll bool
	// AllowDowncast lets arguments for an input lose precision: float64 for a float32 input. nil
	// lets none.
	AllowDowncast []bool
	// Check verifies the graph after every pass.
	Check bool
	// OnRuleError, if not nil, is told of an error of a rewrite, and returns the error that ends
	// the compilation, or nil (on_opt_error).
	OnRuleError func(error) error
	// Kernels, if not nil, run instead of those of the mode's linker, the best first and Go's last.
	Kernels kernels.Sets
	// Rules are those that users registered; those of the mode take the place of others of their
	// names.
	Rules []Registered
	// OnRewrite, if not nil, is told of each replacement (optimizer_verbose).
	OnRewrite func(rewrite.Replacement)
	// Warn, if not nil, is told what DebugMode finds that is no error, and of users' rules that do
	// not settle.
	Warn func(text string)
	// Print, if not nil, is told what Print nodes pass on, once for each in a call: in DebugMode by
	// the run that follows the checks.
	Print func(p op.Print, x *tensor.Dense) error
	// Explain, if not nil, says more of a node that failed: see exec.Options.
	Explain func(f *exec.Failure) string
	// Interrupted, if not nil, is asked now and then while the function is compiled; an error that
	// it returns ends that.
	Interrupted func() error
	Origin      *graph.Origin // of the call of function(), for errors
}

// A Function is a compiled graph. It may be called from several goroutines, which take turns.
type Function struct {
	Name     string
	ID       string               // no other function has it
	Graph    *graph.FunctionGraph // as rewritten
	Program  *exec.Program
	Shared   []*graph.Variable // those that the graph as written reads or updates, in order of first use
	Defaults []graph.Update    // the default updates that it makes, as they were written
	KeepAll  bool              // every intermediate result has memory of its own
	Timing   history.Times
	Rewrites []history.Pass

	mu       sync.Mutex
	values   []*tensor.Dense    // the arguments of the running call
	downcast []bool             // by input; nil is false
	checker  *debugmode.Checker // of DebugMode; nil in other modes
}

// Compile builds, rewrites and links. Its errors point to the user's source where they can.
func Compile(spec Spec) (f *Function, err error) {
	start := time.Now()
	fg, defaults, err := build(spec)
	if err != nil {
		return nil, err
	}
	if spec.Narrow != nil {
		if fg, err = narrow(fg, spec.Narrow); err != nil {
			return nil, err
		}
	}
	if fg, err = markUpdates(fg); err != nil {
		return nil, err
	}
	sets := spec.Kernels
	if sets == nil {
		if sets, err = exec.Sets(spec.Mode.kernels()); err != nil {
			return nil, err
		}
	}
	f = &Function{Name: spec.Name, ID: history.NewID(), KeepAll: spec.Mode.keepAll(spec.KeepAll), downcast: spec.AllowDowncast, values: make([]*tensor.Dense, len(spec.Inputs))}
	f.Shared, f.Defaults = fg.SharedVariables(), defaults
	f.Timing.Grads = gradCalls(fg)
	began := time.Now()
	f.Timing.Build = began.Sub(start)
	debug, err := newDebugging(spec, fg)
	if err != nil {
		return nil, err
	}
	fg, f.Rewrites, err = debug.optimize(fg)
	if err != nil {
		return nil, err
	}
	spec.warnOfRules(f.Rewrites)
	if fg, err = protect(fg); err != nil {
		return nil, err
	}
	runs := exec.Options{Sets: sets, KeepAll: f.KeepAll, Monitor: spec.Mode.Monitor, Print: spec.Print, Explain: spec.Explain, Interrupted: spec.Interrupted}
	if f.checker, err = debug.checker(fg, runs); err != nil {
		return nil, err
	}
	checking := time.Now()
	if err := fg.Check(); err != nil {
		return nil, fmt.Errorf("BUG: the graph is broken after its rewriting: %w", err)
	}
	f.Timing.Validate = time.Since(checking)
	f.Timing.Rewrite = time.Since(began)
	for _, p := range f.Rewrites {
		f.Timing.Validate += p.Check
		f.Timing.Kernels += p.Kernels
	}

	began = time.Now()
	last := began
	f.Program, err = exec.Link(fg, runs, func(*graph.Apply) {
		now := time.Now()
		f.Timing.Thunks = append(f.Timing.Thunks, now.Sub(last))
		last = now
	})
	if err != nil {
		return nil, err
	}
	f.Graph = fg
	f.Timing.Link = time.Since(began)
	f.Timing.Total = time.Since(start)
	return f, nil
}

// gradCalls lists the calls of grad() that made nodes of fg, in the order of their first nodes.
func gradCalls(fg *graph.FunctionGraph) []history.GradCall {
	var calls []history.GradCall
	seen := make(map[*graph.GradCall]bool)
	for _, node := range fg.Toposort() {
		if o := node.Origin(); o != nil && o.Grad != nil && !seen[o.Grad] {
			seen[o.Grad] = true
			calls = append(calls, history.GradCall{Place: o.Grad.Pos.String(), Time: o.Grad.Time, Nodes: o.Grad.Nodes})
		}
	}
	return calls
}

// build makes the graph of spec, finds the default updates that it has, and checks what the user
// may have got wrong.
func build(spec Spec) (fg *graph.FunctionGraph, defaults []graph.Update, err error) {
	fail := func(v *graph.Variable, format string, args ...any) error {
		e := &graph.Error{Pos: spec.Origin.Pos(), Op: "function", Msg: fmt.Sprintf(format, args...)}
		if v.Origin.Pos().IsValid() {
			e.Notes = []graph.Note{{Pos: v.Origin.Pos(), Msg: graph.Describe(v)}}
		}
		if n := len(args); n > 0 {
			e.Cause, _ = args[n-1].(error)
		}
		return e
	}
	refuse := func(v *graph.Variable, format string, args ...any) error { // as fail, a TypeError
		err := fail(v, format, args...)
		err.(*graph.Error).Cause = graph.WrongType
		return err
	}
	listed := make(map[*graph.Variable]bool)
	for i, v := range spec.Inputs {
		switch {
		case v.Shared != nil:
			return nil, nil, refuse(v, "input %d is the shared variable %s: shared variables are always available and are not listed as inputs; to replace its value use givens",
				i, name(v))
		case v.IsConstant():
			return nil, nil, refuse(v, "input %d is a constant", i)
		case listed[v]:
			return nil, nil, fail(v, "input %d (%s) is listed twice", i, name(v))
		}
		listed[v] = true
	}
	updated := make(map[*graph.Container]bool)
	b := &graph.Builder{Origin: spec.Origin.WithRole(graph.RoleUpdate)}
	for _, u := range spec.Updates {
		if u.Shared.Shared == nil {
			return nil, nil, refuse(u.Shared, "updates: %s is not a shared variable", name(u.Shared))
		}
		if updated[u.Shared.Shared] {
			return nil, nil, fail(u.Shared, "updates: %s is updated twice; its last value is one expression", name(u.Shared))
		}
		updated[u.Shared.Shared] = true
	}
	for old := range spec.Givens {
		if listed[old] {
			return nil, nil, fail(old, "givens: %s is an input too, whose value would be lost; list a new variable in its place, "+
				"or put the expression there with theano.clone(outputs, {%[1]s: ...})", name(old))
		}
	}
	inputs := spec.Inputs
	spec = free(spec)
	fg = &graph.FunctionGraph{Name: spec.Name, Inputs: spec.Inputs, Outputs: spec.Outputs, Updates: spec.Updates}
	givens := make(map[*graph.Variable]*graph.Variable, len(spec.Givens))
	for old, v := range spec.Givens {
		if spec.Retype {
			givens[old] = v
			continue
		}
		w, err := fit(b, old.Type, v)
		if err != nil {
			return nil, nil, fail(old, "givens: the replacement of %s: %v", name(old), err)
		}
		if axis, changed := newlyBroadcasts(old.Type, w.Type); changed {
			return nil, nil, fail(old, "givens: the replacement of %s has length 1 on axis %d, along which %s does not broadcast; "+
				"declare %s with T.row, T.col or T.TensorType(dtype, shape)", name(old), axis, name(old), name(old))
		}
		givens[old] = w
	}
	if fg, defaults, err = given(fg, givens, spec); err != nil {
		return nil, nil, &graph.Error{Pos: spec.Origin.Pos(), Op: "function", Msg: "givens: " + err.Error()}
	}
	for i, u := range fg.Updates {
		value, err := fit(b, u.Shared.Type, u.Value)
		if err != nil {
			what := "updates: the new value"
			if i >= len(spec.Updates) {
				what = "the default update"
			}
			return nil, nil, fail(u.Shared, "%s of %s: %v", what, name(u.Shared), err)
		}
		fg.Updates[i].Value = value
	}
	if fg, err = swapped(fg, spec.Swap, fail); err != nil {
		return nil, nil, err
	}
	used, wanted := make(map[*graph.Variable]bool), make(map[*graph.Variable]bool)
	for _, v := range spec.Inputs {
		wanted[v] = true
	}
	for v := range fg.Roots() {
		used[v] = true
		if v.IsInput() && !wanted[v] {
			err := fail(v, "%s is needed to compute the outputs and is not among the inputs; add it to inputs, or replace it with givens", name(v))
			err.(*graph.Error).Cause = graph.MissingInput
			return nil, nil, err
		}
	}
	if spec.OnUnused == nil || !slices.ContainsFunc(spec.Inputs, func(v *graph.Variable) bool { return !used[v] }) {
		return fg, defaults, nil
	}
	for _, v := range written(spec, defaults) {
		used[v] = true
	}
	for i, v := range spec.Inputs {
		if used[v] {
			continue
		}
		if err := spec.OnUnused(i, inputs[i]); err != nil {
			return nil, nil, fail(inputs[i], "%v", err)
		}
	}
	return fg, defaults, nil
}

// free is spec with free variables in the place of inputs that are computed from others, and of
// those that keep their values.
func free(spec Spec) Spec {
	fresh := make(map[*graph.Variable]*graph.Variable)
	replace := func(v *graph.Variable) *graph.Variable {
		if v.Owner == nil {
			return v
		}
		if fresh[v] == nil {
			fresh[v] = graph.NewInput(v.Name, v.Type, v.Origin)
			fresh[v].SetTag(v.Tag())
		}
		return fresh[v]
	}
	inputs, homes := make([]*graph.Variable, len(spec.Inputs)), make(map[*graph.Variable]*graph.Variable)
	for i, v := range spec.Inputs {
		inputs[i] = replace(v)
	}
	for v, home := range spec.Homes {
		homes[replace(v)] = home
	}
	if len(fresh) == 0 {
		return spec
	}
	maps.Copy(fresh, spec.Givens)
	spec.Inputs, spec.Homes, spec.Givens = inputs, homes, fresh
	return spec
}

// written are the inputs of which the user wrote what a function computes, before anything was left
// out.
func written(spec Spec, defaults []graph.Update) []*graph.Variable {
	all := slices.Clone(spec.Outputs)
	for _, u := range slices.Concat(spec.Updates, defaults) {
		all = append(all, u.Value)
	}
	return graph.Inputs(spec.Givens, all...)
}

// given puts replacements into fg, and adds the default updates of the shared variables that are
// read then, and of those that these read. Of variables that share one value one is left, so that
// it is locked once and no update writes over what another still reads.
func given(fg *graph.FunctionGraph, givens map[*graph.Variable]*graph.Variable, spec Spec) (res *graph.FunctionGraph, defaults []graph.Update, err error) {
	updated := make(map[*graph.Container]bool)
	for _, u := range fg.Updates {
		updated[u.Shared.Shared] = true
	}
	replace := (*graph.FunctionGraph).Substitute
	if spec.Retype {
		replace = (*graph.FunctionGraph).Rebuild
	}
	for {
		res, err = replace(fg, givens)
		if err == nil {
			res, err = res.Swap(spec.Homes)
		}
		if err == nil {
			res, err = res.Swap(twins(res))
		}
		if err != nil {
			return nil, nil, err
		}
		var more []graph.Update
		for _, v := range res.SharedVariables() {
			if d := v.Shared.Default; d != nil && !updated[v.Shared] && (spec.NoDefault == nil || !spec.NoDefault(v)) {
				more = append(more, graph.Update{Shared: v, Value: d})
				updated[v.Shared] = true
			}
		}
		if more == nil {
			return res, defaults, nil
		}
		fg = &graph.FunctionGraph{Name: fg.Name, Inputs: fg.Inputs, Outputs: fg.Outputs, Updates: slices.Concat(fg.Updates, more)}
		defaults = append(defaults, more...)
	}
}

// twins are the shared variables whose value an earlier one has too, with that one: clones.
func twins(fg *graph.FunctionGraph) map[*graph.Variable]*graph.Variable {
	first, swap := make(map[*graph.Container]*graph.Variable), make(map[*graph.Variable]*graph.Variable)
	for _, v := range fg.SharedVariables() {
		if w := first[v.Shared]; w != nil && w.Type == v.Type {
			swap[v] = w
		} else {
			first[v.Shared] = v
		}
	}
	return swap
}

// swapped is fg with shared variables in the place of others.
func swapped(fg *graph.FunctionGraph, swap map[*graph.Variable]*graph.Variable, fail func(v *graph.Variable, format string, args ...any) error) (*graph.FunctionGraph, error) {
	if len(swap) == 0 {
		return fg, nil
	}
	for old, v := range swap {
		if old.Type != v.Type {
			return nil, fail(old, "swap: got %v for %s, want %v, the same type", v.Type, name(old), old.Type)
		}
	}
	fg, err := fg.Swap(swap)
	if err != nil {
		return nil, err
	}
	updated := make(map[*graph.Variable]bool)
	for _, u := range fg.Updates {
		if updated[u.Shared] {
			return nil, fail(u.Shared, "swap: %s would be updated twice, for itself and for what it takes the place of; swap another in, or pass delete_updates=True", name(u.Shared))
		}
		updated[u.Shared] = true
	}
	return fg, nil
}

// newlyBroadcasts finds an axis along which a value of type u would broadcast and one of type t
// does not: what was computed with t, a gradient above all, would mean something else.
func newlyBroadcasts(t, u graph.Type) (axis int, ok bool) {
	for axis := range t.Rank() {
		if u.Broadcasts(axis) && !t.Broadcasts(axis) {
			return axis, true
		}
	}
	return 0, false
}

// fit converts v to the element type of t if nothing is lost, and checks that a value of v's type
// is one of t's.
func fit(b *graph.Builder, t graph.Type, v *graph.Variable) (*graph.Variable, error) {
	if v.Type.DType != t.DType && v.Type.Rank() == t.Rank() {
		if kernels.Promote(v.Type.DType, t.DType) != t.DType {
			return nil, tensor.TypeErrorf("got %v, want %v; convert it with T.cast", v.Type, t)
		}
		out, err := b.Make(op.Cast(t.DType), v)
		if err != nil {
			return nil, err
		}
		v = out[0]
	}
	if t.Accepts(v.Type) {
		return v, nil
	}
	// The lengths may still turn out to fit.
	if v.Type.Rank() == t.Rank() && v.Type.DType == t.DType {
		fits := true
		for axis := range t.Rank() {
			fits = fits && (v.Type.Dim(axis) == graph.Unknown && t.Dim(axis) != 1 || t.Dim(axis) == graph.Unknown || t.Dim(axis) == v.Type.Dim(axis))
		}
		if fits {
			out, err := b.Make(op.SpecifyShape{Dims: op.DimsOf(t)}, v)
			if err != nil {
				return nil, err
			}
			return out[0], nil
		}
	}
	if v.Type.Rank() == t.Rank() {
		for axis := range t.Rank() {
			if t.Dim(axis) == 1 && v.Type.Dim(axis) == graph.Unknown {
				return nil, tensor.TypeErrorf("got %v, want %v; T.addbroadcast(x, %d) says that the length of axis %[3]d is 1", v.Type, t, axis)
			}
		}
	}
	return nil, tensor.TypeErrorf("got %v, want %v", v.Type, t)
}

func name(v *graph.Variable) string {
	if v.Name != "" {
		return v.Name
	}
	return "an unnamed variable"
}

// protect copies results that would share memory with an input, a shared variable, a constant or
// another result, so that what the caller gets is the caller's alone.
func protect(fg *graph.FunctionGraph) (*graph.FunctionGraph, error) {
	storage := exec.FindStorage(fg)
	taken := make(map[*graph.Variable]bool)
	own := func(v *graph.Variable) (*graph.Variable, error) {
		if r, ok := storage.Own(v); ok && !taken[r] {
			taken[r] = true
			return v, nil
		}
		node, err := graph.NewApply(op.DeepCopy{}, []*graph.Variable{v}, v.Origin)
		if err != nil {
			return nil, err
		}
		return node.Outputs[0], nil
	}
	res := &graph.FunctionGraph{Name: fg.Name, Inputs: fg.Inputs}
	for _, v := range fg.Outputs {
		w, err := own(v)
		if err != nil {
			return nil, err
		}
		res.Outputs = append(res.Outputs, w)
	}
	for _, u := range fg.Updates {
		if storage.Root(u.Value) == u.Shared && u.InPlace() {
			res.Updates = append(res.Updates, u)
			continue
		}
		w, err := own(u.Value)
		if err != nil {
			return nil, err
		}
		res.Updates = append(res.Updates, graph.Update{Shared: u.Shared, Value: w})
	}
	return res, nil
}

// Call is Run for a caller with a context: when ctx is done, the call ends with context.Cause(ctx).
func (f *Function) Call(ctx context.Context, args []*tensor.Dense, tracer exec.Tracer) ([]*tensor.Dense, error) {
	var stop kernels.Stop
	if ctx.Done() != nil {
		flag := new(uint32)
		defer context.AfterFunc(ctx, func() { atomic.StoreUint32(flag, 1) })()
		if ctx.Err() != nil { // AfterFunc may take its time
			return nil, context.Cause(ctx)
		}
		stop = flag
	}
	out, err := f.Run(stop, args, tracer)
	if errors.Is(err, op.ErrStopped) {
		return nil, context.Cause(ctx)
	}
	return out, err
}

// Run runs the function. The arguments must be as many as the inputs; Run converts them to the
// inputs' element types where nothing is lost. The results are the caller's. When another goroutine
// raises stop, which may be nil, the call ends with op.ErrStopped.
func (f *Function) Run(stop kernels.Stop, args []*tensor.Dense, tracer exec.Tracer) ([]*tensor.Dense, error) {
	if len(args) != len(f.values) {
		return nil, &graph.Error{Op: f.label(), Msg: fmt.Sprintf("got %d arguments, want %d", len(args), len(f.values))}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	defer clear(f.values)
	for i, a := range args {
		t := f.Graph.Inputs[i].Type
		if a.DType() != t.DType || !t.AcceptsShape(a.Shape()) {
			var err error
			if a, err = f.accept(i, a); err != nil {
				return nil, err
			}
		}
		f.values[i] = a
	}
	return f.run(stop, tracer)
}

// Recycle takes back results to which nobody refers any more; nil stands for one that the caller
// keeps. The next run writes its own there, and allocates none.
func (f *Function) Recycle(results []*tensor.Dense) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.Program.Recycle(results)
}

// Private reports whether a call's arguments and results are seen by nobody else, after the call as
// well.
func (f *Function) Private() bool { return f.checker == nil && f.Program.Private() }

// Free gives the memory back that the function keeps for its next call.
func (f *Function) Free() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.Program.Free()
}

// accept converts an argument that is not as the input wants it, or says why it will not do.
func (f *Function) accept(i int, a *tensor.Dense) (*tensor.Dense, error) {
	v := f.Graph.Inputs[i]
	fail := func(format string, args ...any) error {
		cause := tensor.TypeErrorf(format, args...)
		e := &graph.Error{Op: f.label(), Msg: fmt.Sprintf("argument %d (%s): %v", i+1, name(v), cause), Cause: cause}
		if v.Origin.Pos().IsValid() {
			e.Notes = []graph.Note{{Pos: v.Origin.Pos(), Msg: graph.Describe(v)}}
		}
		return e
	}
	t := v.Type
	if a.Rank() != t.Rank() {
		return nil,
			fail("got an array of %d dimensions with shape %s, want %d dimensions", a.Rank(), tensor.ShapeString(a.Shape()),
				t.Rank())
	}
	if !t.AcceptsShape(a.Shape()) {
		return nil, fail("got shape %s, want %v", tensor.ShapeString(a.Shape()), t)
	}
	if a.DType() == t.DType {
		return a, nil
	}
	if kernels.Promote(a.DType(), t.DType) != t.DType && (f.downcast == nil || !f.downcast[i]) {
		return nil,
			fail("got dtype %v, want %v, and the conversion may lose precision; convert it with .astype(\"%v\") or pass allow_input_downcast=True to function()", a.DType(), t.DType, t.DType)
	}
	return a.AsType(t.DType), nil
}

func (f *Function) label() string {
	if f.Name != "" {
		return f.Name
	}
	return "function"
}
