package symbolic

import (
	"fmt"
	"maps"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A callInput is an argument of a compiled function's calls.
//
// One that keeps its value between calls, because In(...) gave it an update or the value of a
// shared variable, is no input of the compiled graph, but a shared variable in its place, home: the
// function's own, or the user's. What a call gives for it is assigned to home before the call runs.
type callInput struct {
	inputSpec
	required  bool          // a call has to give it
	at        int           // its place among the inputs of the compiled graph; -1 if it has a home
	otherwise *tensor.Dense // for a call that gives none; nil if it has to, or if there is a home
	next      *tensor.Dense // what f[x] = v assigned, for the next call
	given     *tensor.Dense // what the running call gave for home
	number    *tensor.Dense // where a number goes that a call gives, if the input is a float64 without dimensions; else nil
}

// callInputs makes f.inputs of f.spec, and completes what with their part of what is compiled.
func (f *Function) callInputs(what compile.Spec) (compile.Spec, error) {
	f.Inputs = make([]callInput, len(f.spec.Inputs))
	for i, in := range f.spec.Inputs {
		c := &f.Inputs[i]
		c.inputSpec, c.at = in, -1
		c.accepting = in.accepting.or(f.s, f.spec.downcast)
		c.required = c.value == nil
		var err error
		if c.value != nil && c.home == nil {
			if c.otherwise, err = c.accept(f.s, c.value); err != nil {
				return what, fmt.Errorf("value of %s: %w", graph.Mention(c.V), err)
			}
		}
		if c.sparse != nil {
			c.at = len(what.Inputs)
			for _, p := range c.sparse.X.Parts() {
				what.Inputs, what.AllowDowncast = append(what.Inputs, p), append(what.AllowDowncast, false)
			}
			continue
		}
		if c.update == nil && c.home == nil {
			c.at = len(what.Inputs)
			what.Inputs = append(what.Inputs, c.V)
			what.AllowDowncast = append(what.AllowDowncast, c.downcast == downcastAlways)
			if c.V.Type.Rank() == 0 && c.V.Type.DType == kernels.Float64 && !c.strict && !c.implicit {
				c.number = tensor.New(kernels.Float64)
			}
			continue
		}
		if what, err = c.settle(what, f.spec.Inputs[:i]); err != nil {
			return what, err
		}
		if other, swapped := what.Swap[c.home]; swapped {
			c.home = other
		}
	}
	return what, nil
}

// settle gives the input a home, and puts that into its place.
func (c *callInput) settle(what compile.Spec, before []inputSpec) (compile.Spec, error) {
	if slices.ContainsFunc(before, func(in inputSpec) bool { return in.V == c.V }) {
		return what, fmt.Errorf("%s is listed twice among the inputs", graph.Mention(c.V))
	}
	if c.home == nil {
		first := c.otherwise
		if c.otherwise = nil; first == nil { // each call gives it
			first = tensor.New(c.V.Type.DType, smallest(c.V.Type)...)
		}
		c.home = graph.NewShared(c.keyword(), c.V.Type, first.Copy(), c.V.Origin)
		c.home.SetTag(c.V.Tag())
	}
	if _, given := what.Givens[c.V]; given {
		return what, fmt.Errorf("givens: %s is an input too, whose value would be lost; list a new variable in its place", graph.Mention(c.V))
	}
	if what.Homes = maps.Clone(what.Homes); what.Homes == nil {
		what.Homes = make(map[*graph.Variable]*graph.Variable)
	}
	what.Homes[c.V] = c.home
	if c.update != nil {
		for _, u := range what.Updates {
			if u.Shared == c.home {
				return what, fmt.Errorf("updates: %s is updated twice: as the value of the input %s, and by updates or as that of another input; leave one out", graph.Mention(c.home), graph.Mention(c.V))
			}
		}
		what.Updates = append(slices.Clone(what.Updates), graph.Update{Shared: c.home, Value: c.update})
	}
	return what, nil
}

// smallest are lengths of a value of type t, 0 where they are not known.
func smallest(t graph.Type) []int {
	dims := t.Dims()
	for i, d := range dims {
		dims[i] = max(d, 0)
	}
	return dims
}

// accept is x as a value of the input, of its element type and shape.
func (c *callInput) accept(s *Session, x starlark.Value) (*tensor.Dense, error) {
	a, err := c.accepting.value(s, x, c.V.Type)
	if err != nil {
		return nil, err
	}
	t := c.V.Type
	switch {
	case a.Rank() != t.Rank():
		return nil, tensor.TypeErrorf("got an array of %d dimensions with shape %s, want %d dimensions", a.Rank(), tensor.ShapeString(a.Shape()), t.Rank())
	case !t.AcceptsShape(a.Shape()):
		return nil, tensor.TypeErrorf("got shape %s, want %v", tensor.ShapeString(a.Shape()), t)
	case a.DType() == t.DType:
		return s.Poll().Copy(a), nil
	case c.downcast != downcastAlways && kernels.Promote(a.DType(), t.DType) != t.DType:
		return nil, tensor.TypeErrorf("got dtype %v, want %v, and the conversion may lose precision; convert it with .astype(\"%[2]v\")", a.DType(), t.DType)
	}
	return a.AsType(t.DType), nil
}

// argument is the value of input i for a call that gives x for it, nil if it gives none; nil if
// home has it.
func (c *callInput) argument(f *Function, i int, x starlark.Value) (a *tensor.Dense, err error) {
	switch {
	case x != nil && c.implicit:
		return nil, fmt.Errorf("%s: argument %d (%s): a call cannot give it, since it is implicit: assign f[%s] = v, or leave implicit=True out of In", f.Name(), i+1, f.inputName(i),
			value.Repr(starlark.String(f.inputName(i))))
	case x == nil && c.next != nil:
		return c.next, nil
	case x == nil:
		return c.otherwise, nil
	case c.home != nil:
		a, err = c.accept(f.s, x)
	default:
		a, err = c.accepting.value(f.s, x, c.V.Type)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: argument %d (%s): %w", f.Name(), i+1, f.inputName(i), err)
	}
	return a, nil
}

// current is the value that the input has while no call runs, nil if it has none.
func (c *callInput) current() *tensor.Dense {
	switch {
	case c.home != nil:
		return c.home.Shared.Get()
	case c.next != nil:
		return c.next
	}
	return c.otherwise
}

// assign is f[x] = v.
func (c *callInput) assign(f *Function, i int, x starlark.Value) error {
	if c.home == nil && c.otherwise == nil {
		return fmt.Errorf("%s is an input without a value of its own: give it in the call, or declare theano.In(%[1]s, value=...)", f.inputName(i))
	}
	a, err := c.accept(f.s, x)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", f.inputName(i), err)
	case c.home != nil:
		c.home.Shared.Set(a)
		f.s.Observing.Changed("an assignment changes", f.inputName(i))
	default:
		c.next, f.assigned = a, true
	}
	return nil
}

// Needs reports whether a call has to give arguments.
func (f *Function) Needs() bool {
	return slices.ContainsFunc(f.Inputs, func(in callInput) bool { return in.required })
}

// outputKeys reads output_keys, for n outputs.
func outputKeys(v, outputs starlark.Value, n int) ([]starlark.Value, error) {
	seq, ok := v.(starlark.Iterable)
	if _, isDict := outputs.(*slot.Dict); isDict {
		return nil, fmt.Errorf("output_keys: outputs is a dict, which has keys; pass one of them")
	}
	if !ok {
		return nil, fmt.Errorf("output_keys: got %s, want a list of strings", v.Type())
	}
	keys := []starlark.Value{}
	for e := range starlark.Elements(seq) {
		if _, ok := e.(starlark.String); !ok {
			return nil, fmt.Errorf("output_keys[%d]: got %s, want string", len(keys), e.Type())
		}
		if slices.Contains(keys, e) {
			return nil, fmt.Errorf("output_keys: %s stands there twice", e)
		}
		keys = append(keys, e)
	}
	if len(keys) != n {
		return nil, fmt.Errorf("output_keys: got %d keys for %d outputs, want one for each", len(keys), n)
	}
	return keys, nil
}

// noDefaults reads no_default_updates: which shared variables have none.
func noDefaults(v starlark.Value) (func(*graph.Variable) bool, error) {
	switch v {
	case nil, starlark.None, starlark.False:
		return nil, nil
	case starlark.True:
		return func(*graph.Variable) bool { return true }, nil
	}
	seq, ok := v.(starlark.Iterable)
	if _, one := v.(Symbol); one || !ok {
		return nil, fmt.Errorf("got %s, want True, False or a list of shared variables", v.Type())
	}
	var list []*graph.Variable
	for e := range starlark.Elements(seq) {
		x, ok := e.(Symbol)
		if !ok || x.V.Shared == nil {
			return nil, tensor.TypeErrorf("item %d: got %s, want a shared variable", len(list), DescribeValue(e))
		}
		list = append(list, x.V)
	}
	return func(v *graph.Variable) bool { return slices.Contains(list, v) }, nil
}

// picked is what a call with output_subset returns: the outputs that it asks for, in a dict if all
// are.
func (f *Function) picked(subset []int, out []*tensor.Dense) (starlark.Value, error) {
	d, list := slot.NewDict(len(subset)), []starlark.Value{}
	for _, i := range subset {
		v, err := f.result(i, out)
		if err != nil {
			return nil, err
		}
		if list = append(list, v); f.keys != nil {
			d.SetKey(f.keys[i], v)
		}
	}
	if f.keys != nil {
		return d, nil
	}
	return slot.NewList(list), nil
}

// sparseArgument is the arrays of an input for a call that gives x for it.
func (c *callInput) sparseArgument(f *Function, i int, x starlark.Value) ([]*tensor.Dense, error) {
	parts, err := c.sparse.accept(c.accepting, x)
	if err != nil {
		return nil, fmt.Errorf("%s: argument %d (%s): %w", f.Name(), i+1, f.inputName(i), err)
	}
	return parts, nil
}

// has reports whether x is the input's variable, or one of the parts of its matrix.
func (c *inputSpec) has(x *graph.Variable) bool {
	return c.V == x || c.sparse != nil && slices.Contains(c.sparse.X.Parts(), x)
}

// unusedWhole answers, of inputs that are told one by one to be unused, whether that is now all of
// an input: a matrix has parts that are not.
func unusedWhole(f *Function) func(x *graph.Variable) bool {
	unused := make(map[*SparseVariable]int)
	return func(x *graph.Variable) bool {
		i := slices.IndexFunc(f.Inputs, func(in callInput) bool { return in.has(x) })
		m := f.Inputs[i].sparse
		if m == nil {
			return true
		}
		unused[m]++
		return unused[m] == len(m.X.Parts())
	}
}
