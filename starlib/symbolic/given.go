package symbolic

import (
	"context"
	"fmt"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// OptionalString reads a string, "" for None.
func OptionalString(what string, v starlark.Value) (string, error) {
	if v == nil || v == starlark.None {
		return "", nil
	}
	text, ok := starlark.AsString(v)
	if !ok {
		return "", fmt.Errorf("%s: got %s, want string", what, v.Type())
	}
	return text, nil
}

// Pairs reads a dict, or a list of pairs.
func Pairs(v starlark.Value) ([]starlark.Tuple, error) {
	switch v := v.(type) {
	case nil, starlark.NoneType:
		return nil, nil
	case *slot.Dict:
		return v.Items(), nil
	case starlark.Indexable:
		var list []starlark.Tuple
		for i := range v.Len() {
			pair, ok := v.Index(i).(starlark.Indexable)
			if !ok || pair.Len() != 2 {
				return nil, fmt.Errorf("item %d: got %s, want a pair", i, v.Index(i).Type())
			}
			list = append(list, starlark.Tuple{pair.Index(0), pair.Index(1)})
		}
		return list, nil
	}
	return nil, fmt.Errorf("got %s, want a list of pairs or a dict", v.Type())
}

// Symbols reads a list of symbolic variables.
func Symbols(what string, v starlark.Value) ([]*graph.Variable, error) {
	seq, ok := v.(starlark.Iterable)
	if _, one := v.(Symbol); !ok || one {
		return nil, fmt.Errorf("%s: got %s, want a list of symbolic variables", what, v.Type())
	}
	if err := value.CheckLen(what, seq); err != nil {
		return nil, err
	}
	var list []*graph.Variable
	it := seq.Iterate()
	defer it.Done()
	var e starlark.Value
	for i := 0; it.Next(&e); i++ {
		x, ok := e.(Symbol)
		if !ok {
			return nil, tensor.TypeErrorf("%s[%d]: got %s, want a symbolic variable", what, i, e.Type())
		}
		list = append(list, x.V)
	}
	return list, nil
}

// Givens reads the argument givens: replacements of variables.
func (s *Session) Givens(b *graph.Builder, v starlark.Value) (map[*graph.Variable]*graph.Variable, error) {
	list, err := Pairs(v)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	givens := make(map[*graph.Variable]*graph.Variable, len(list))
	for i, p := range list {
		if m, ok := p[0].(*SparseVariable); ok {
			to, err := m.replacement(b, p[1])
			if err != nil {
				return nil, fmt.Errorf("item %d: %w", i, err)
			}
			for k, part := range m.X.Parts() {
				givens[part] = to[k]
			}
			continue
		}
		x, ok := p[0].(Symbol)
		if !ok {
			return nil, tensor.TypeErrorf("item %d: got %s, want a symbolic variable", i, p[0].Type())
		}
		if givens[x.V], err = s.Variable(b, p[1], x.V); err != nil {
			return nil, fmt.Errorf("item %d: %w", i, err)
		}
	}
	return givens, nil
}

// Interrupted is why the running cell has to end; nil if it has not.
func (s *Session) Interrupted() error {
	if err := context.Cause(s.Context()); err != nil || !value.Stopped(s) {
		return err
	}
	return tensor.ErrStopped
}

// replacement is the parts of what takes the place of m: a matrix of the same format, whose
// elements m's type holds.
func (m *SparseVariable) replacement(b *graph.Builder, x starlark.Value) ([]*graph.Variable, error) {
	z, err := m.S.sparseOperand(b, x)
	if err != nil {
		return nil, err
	}
	have, want := sparseTypeValue{z.CSC, z.DType()}, sparseTypeValue{m.X.CSC, m.X.DType()}
	switch {
	case z.CSC != m.X.CSC:
		return nil, fmt.Errorf("got %v for %s, want %v: x.T has the other format, and csr_from_dense or csc_from_dense make one", have, m.Mention(), want)
	case kernels.Promote(z.DType(), m.X.DType()) != m.X.DType():
		return nil, fmt.Errorf("got %v for %s, want %v; convert it with sparse.cast(x, \"%v\")", have, m.Mention(), want, m.X.DType())
	}
	if z.DType() != m.X.DType() {
		z.Data = b.Apply(op.Cast(m.X.DType()), z.Data)
	}
	return z.Parts(), nil
}

// OneOrMore reads a variable, or a list of them.
func OneOrMore(what string, v starlark.Value) (list []*graph.Variable, one bool, err error) {
	if x, ok := v.(Symbol); ok {
		return []*graph.Variable{x.V}, true, nil
	}
	list, err = Symbols(what, v)
	if list == nil {
		list = []*graph.Variable{}
	}
	return list, false, err
}

// AsGiven is a list in the form in which another argument was given: one, a tuple or a list.
func AsGiven(list []starlark.Value, one bool, like starlark.Value) starlark.Value {
	if one {
		return list[0]
	}
	if _, ok := like.(starlark.Tuple); ok {
		return starlark.Tuple(list)
	}
	return slot.NewList(list)
}
