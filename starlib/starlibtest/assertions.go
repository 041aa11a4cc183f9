package starlibtest

import (
	"fmt"
	"strings"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Assertions are what tests predeclare.
var Assertions = starlark.StringDict{
	"eq": (&value.Builtin{Name: "eq", Params: []value.Param{{Name: "got"}, {Name: "want"}}, Fn: assertEq}).Value(),
	"panics": (&value.Builtin{Name: "panics",
		Fn: func(*starlark.Thread, *value.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
			panic("BUG: wires crossed")
		}}).Value(),
	"origin": (&value.Builtin{Name: "origin",
		Fn: func(thread *starlark.Thread, _ *value.Builtin, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			var out []string
			for _, f := range starlib.SessionOf(thread).Origin(thread) {
				out = append(out, fmt.Sprintf("%d:%d:%s", f.Line, f.Col, f.Func))
			}
			return starlark.String(strings.Join(out, " ")), nil
		}}).Value(),
	"symbol": (&value.Builtin{Name: "symbol",
		Fn: func(thread *starlark.Thread, _ *value.Builtin, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			return &symbol{starlib.SessionOf(thread)}, nil
		}}).Value(),
}

func assertEq(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var got, want starlark.Value
	if err := b.Unpack(args, kwargs, &got, &want); err != nil {
		return nil, err
	}
	g, w := value.PlainDeep(got), value.PlainDeep(want) // a NumPy scalar equals the number that it is
	g = named(g, w)
	same, err := starlark.Equal(g, w)
	if err == nil && (!same || g.Type() != w.Type()) {
		err = fmt.Errorf("got %s, want %s", value.Repr(got), value.Repr(want))
	}
	return starlark.None, err
}

// named is got with the names of types where want has text: type(x) equals both.
func named(got, want starlark.Value) starlark.Value {
	switch want := want.(type) {
	case starlark.String:
		if t, ok := got.(value.Types); ok && t.TypeNames()[0] == string(want) || value.TypeKey(got) == string(want) {
			return want
		}
	case starlark.Tuple:
		if t, ok := got.(starlark.Tuple); ok && len(t) == len(want) {
			list := make(starlark.Tuple, len(t))
			for i := range t {
				list[i] = named(t[i], want[i])
			}
			return list
		}
	case *slot.List:
		if l, ok := got.(*slot.List); ok && l != want && l.Len() == want.Len() {
			list := make([]starlark.Value, l.Len())
			for i := range list {
				list[i] = named(l.Index(i), want.Index(i))
			}
			return slot.NewList(list)
		}
	}
	return got
}

// A symbol stands for the tensors that other rooms make: it has no truth, knows where it
// was used, and takes part in slices and numeric functions.
type symbol struct{ s *session.Session }

func (x *symbol) String() string        { return "x" }
func (x *symbol) Type() string          { return "symbol" }
func (x *symbol) Freeze()               {}
func (x *symbol) Hash() (uint32, error) { return 7, nil }
func (x *symbol) Truth() starlark.Bool {
	x.s.CancelTruth("the truth value of a symbol is undefined")
	return true
}
func (x *symbol) Attr(name string) (starlark.Value, error) {
	if name == "where" {
		f := x.s.Origin(nil)
		last := f[len(f)-1]
		return starlark.String(fmt.Sprintf("%d:%d:%s", last.Line, last.Col, last.Func)), nil
	}
	return nil, value.NoAttr("symbol", name, x.AttrNames())
}
func (x *symbol) AttrNames() []string { return []string{"where"} }
func (x *symbol) SliceBy(lo, hi, step starlark.Value) (starlark.Value, error) {
	return starlark.Tuple{lo, hi, step}, nil
}
func (x *symbol) CompareBy(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	if op == syntax.EQL || op == syntax.NEQ {
		return nil, nil // identity
	}
	return starlark.String(fmt.Sprintf("%s %s %s", op, y, starlark.Bool(side == starlark.Left))), nil
}
func (x *symbol) CallNumeric(_ *starlark.Thread, name string, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	return starlark.String(fmt.Sprintf("%s/%d", name, len(args))), nil
}
func (x *symbol) MimeBundle() map[string]any { return map[string]any{"text/html": "<i>x</i>"} }
