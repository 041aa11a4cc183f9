package loops

import (
	"fmt"

	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/symbolic"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

type ifElseArgs struct {
	Condition starlark.Value `arg:"condition: a scalar: anything but 0 is true"`
	Then      starlark.Value `arg:"then_branch: what it is if the condition is true: a variable, or a list or tuple of variables"`
	Else      starlark.Value `arg:"else_branch: what it is if the condition is false: as many, of the same types"`
	Name      starlark.Value `arg:"name=None: a name for graphs and profiles"`
}

// IfElseTable is theano.ifelse.
var IfElseTable = []value.Builtin{
	value.Function("ifelse", "One of two branches, chosen when the function runs. Only the branch that is taken is computed, and what only the other one needs is not: "+
		"nor is its gradient. T.switch chooses element by element, and computes both.",
		`ifelse(T.constant(1.0) > 2, T.constant(10.0), T.constant(20.0)).eval() # 20.0`,
		func(thread *starlark.Thread, a *ifElseArgs) (starlark.Value, error) {
			v, err := ifElse(symbolic.SessionOf(thread), thread, a)
			if err != nil {
				return nil, value.Named("", "ifelse", err)
			}
			return v, nil
		}),
}

// branches reads and makes an ifelse.
type branches struct {
	s         *symbolic.Session
	b         *graph.Builder
	then, els []*graph.Variable
	results   []func(parts []*graph.Variable) (v starlark.Value, rest []*graph.Variable)
}

func ifElse(s *symbolic.Session, thread *starlark.Thread, a *ifElseArgs) (starlark.Value, error) {
	c := &branches{s: s, b: s.Builder(thread)}
	o := op.IfElse{}
	if !symbolic.Absent(a.Name) {
		name, ok := starlark.AsString(a.Name)
		if !ok {
			return nil, fmt.Errorf("for parameter name: got %s, want a string", a.Name.Type())
		}
		o.Called = op.Text(name)
	}
	cond, err := s.Variable(c.b, a.Condition, nil)
	switch {
	case err != nil:
		return nil, fmt.Errorf("condition: %w", err)
	case cond.Type.Rank() != 0 || cond.Type.State != graph.NoState:
		return nil, fmt.Errorf("condition: got %s, want a scalar; T.all(c) or T.any(c) make one of its elements, and T.switch chooses element by element", graph.Describe(cond))
	}
	then, els := listed(a.Then), listed(a.Else)
	if then.Len() != els.Len() {
		return nil, fmt.Errorf("then_branch has %s and else_branch %d, want as many", counted(then.Len(), "value"), els.Len())
	}
	if then.Len() == 0 {
		return nil, fmt.Errorf("then_branch and else_branch have no values, want at least one")
	}
	for i := range then.Len() {
		if err := c.add(then.Index(i), els.Index(i)); err != nil {
			if then.Len() > 1 {
				err = fmt.Errorf("value %d: %w", i+1, err)
			}
			return nil, err
		}
	}
	o.N = len(c.then)
	parts, err := c.b.Make(o, append(append([]*graph.Variable{cond}, c.then...), c.els...)...)
	if err != nil {
		return nil, s.Locate(err)
	}
	values := make([]starlark.Value, len(c.results))
	for i, result := range c.results {
		values[i], parts = result(parts)
	}
	switch a.Then.(type) {
	case *slot.List:
		return slot.NewList(values), nil
	case starlark.Tuple:
		return starlark.Tuple(values), nil
	}
	return values[0], nil
}

// listed is a branch as its values.
func listed(v starlark.Value) starlark.Indexable {
	switch v := v.(type) {
	case *slot.List:
		return v
	case starlark.Tuple:
		return v
	}
	return starlark.Tuple{v}
}

func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprint(n, " ", what)
}

// add reads a value of each branch.
func (c *branches) add(then, els starlark.Value) error {
	for _, v := range []starlark.Value{then, els} {
		if _, ok := v.(starlark.Callable); ok {
			return fmt.Errorf("got a %s, want a variable: call it, since nothing is computed before the branch is taken", v.Type())
		}
	}
	x, ok1 := then.(*symbolic.SparseVariable)
	y, ok2 := els.(*symbolic.SparseVariable)
	switch {
	case ok1 && ok2:
		return c.addSparse(x.X, y.X)
	case ok1 || ok2:
		one, other := x, els
		if ok2 {
			one, other = y, then
		}
		return fmt.Errorf("got the sparse matrix %s and %s, want two of a kind; sparse.dense_from_sparse(x) makes a dense one", one.Mention(), value.Repr(other))
	}
	t, e, err := c.pair(then, els)
	if err != nil {
		return err
	}
	if err := fitBranches(t, e); err != nil {
		return err
	}
	c.then, c.els = append(c.then, t), append(c.els, e)
	c.results = append(c.results, func(parts []*graph.Variable) (starlark.Value, []*graph.Variable) {
		return symbolic.Symbol{S: c.s, V: parts[0]}, parts[1:]
	})
	return nil
}

// pair makes variables of a value of each branch. A number takes the type of the variable that it
// meets, and an int that of a float.
func (c *branches) pair(then, els starlark.Value) (t, e *graph.Variable, err error) {
	if typed(then) >= typed(els) {
		t, e, err = c.read(then, "then_branch", els, "else_branch")
	} else {
		e, t, err = c.read(els, "else_branch", then, "then_branch")
	}
	if err != nil {
		return nil, nil, err
	}
	pair := []*graph.Variable{t, e}
	c.s.Agree(c.b, pair)
	return pair[0], pair[1], nil
}

// typed says how much of a type a value has: an int least, a float more, and anything else a type
// of its own.
func typed(v starlark.Value) int {
	switch v.(type) {
	case starlark.Int:
		return 0
	case starlark.Float:
		return 1
	}
	return 2
}

// read makes variables of x and of y, a number of which takes the type of x.
func (c *branches) read(x starlark.Value, whatX string, y starlark.Value, whatY string) (v, w *graph.Variable, err error) {
	if v, err = c.s.Variable(c.b, x, nil); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", whatX, err)
	}
	if w, err = c.s.Variable(c.b, y, v); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", whatY, err)
	}
	return v, w, nil
}

// fitBranches says why two values cannot be one result.
func fitBranches(t, e *graph.Variable) error {
	have := fmt.Sprintf("the branches have different types: %s, and %s", graph.Describe(t), graph.Describe(e))
	switch {
	case t.Type.State != e.Type.State:
		return tensor.TypeErrorf("%s", have)
	case t.Type.Rank() != e.Type.Rank():
		way := "T.reshape, or x.dimshuffle, gives one as many axes as the other"
		if t.Type.Rank() == 0 || e.Type.Rank() == 0 {
			way = "T.full_like(x, number) is an array of one number"
		}
		return tensor.TypeErrorf("%s; %s", have, way)
	case t.Type.DType != e.Type.DType:
		return tensor.TypeErrorf("%s; T.cast(x, %q) converts one", have, t.Type.DType.String())
	}
	return nil
}

func (c *branches) addSparse(x, y formula.Sparse) error {
	if x.CSC != y.CSC || x.DType() != y.DType() {
		return tensor.TypeErrorf("the branches have different types: a sparse matrix in %s of %v, and one in %s of %v; x.astype(dtype) and x.tocsr() or x.tocsc() convert", x.Format(), x.DType(), y.Format(), y.DType())
	}
	c.then, c.els = append(c.then, x.Parts()...), append(c.els, y.Parts()...)
	c.results = append(c.results, func(parts []*graph.Variable) (starlark.Value, []*graph.Variable) {
		return c.s.NewSparse(formula.Sparse{CSC: x.CSC, Data: parts[0], Indices: parts[1], Indptr: parts[2], Minor: parts[3]}), parts[4:]
	})
	return nil
}
