package symbolic

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/rewrite"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// An Apply is a node of a graph as Starlark sees it: an operation, what it is applied to, and what
// it gives. It never changes.
type Apply struct {
	S    *Session
	Node *graph.Apply
}

// A UserOp is what op.Foreign.By is of an operation that a program defines: Value is that
// operation.
type UserOp interface{ Value() starlark.Value }

var _ value.Tabled = Apply{}

func (a Apply) String() string        { return profiler.ApplyText(a.Node) }
func (a Apply) Type() string          { return "Apply" }
func (a Apply) Freeze()               {}
func (a Apply) Truth() starlark.Bool  { return true }
func (a Apply) Hash() (uint32, error) { return hashOf(a.Node.Outputs[0]), nil }
func (a Apply) Table() *value.Methods { return ApplyFields }
func (a Apply) AttrNames() []string   { return ApplyFields.Names() }

func (a Apply) Attr(name string) (starlark.Value, error) { return ApplyFields.Attr(a, name) }

// CompareSameType is identity.
func (a Apply) CompareSameType(token syntax.Token, y starlark.Value, _ int) (bool, error) {
	return equality(token, a.Node == y.(Apply).Node, "nodes")
}

const applyExample = `(T.vector("x") * 2).owner`

// ApplyFields are the attributes of nodes.
var ApplyFields = value.NewMethods("Apply", nil).With(
	value.FieldOf("op", "The operation.", applyExample+`.op.name # "mul"`, func(a Apply) starlark.Value {
		if f, ok := a.Node.Op.(op.Foreign); ok {
			if user, ok := f.By.(UserOp); ok {
				return user.Value()
			}
		}
		return opValue{a.Node.Op, a.Node}
	}),
	value.FieldOf("inputs", "The variables that it is applied to: a list.", applyExample+`.inputs[0] # x`,
		func(a Apply) starlark.Value { return SymbolList(a.S, a.Node.Inputs) }),
	value.FieldOf("outputs", "The variables that it gives: a list.", `len(`+applyExample+`.outputs) # 1`,
		func(a Apply) starlark.Value { return SymbolList(a.S, a.Node.Outputs) }),
	value.FieldOf("nin", "The number of its inputs.", applyExample+`.nin # 2`, func(a Apply) starlark.Value { return starlark.MakeInt(len(a.Node.Inputs)) }),
	value.FieldOf("nout", "The number of its outputs.", applyExample+`.nout # 1`, func(a Apply) starlark.Value { return starlark.MakeInt(len(a.Node.Outputs)) }),
	value.FieldOf("origin", "The file, line and column that made it.", `T.exp(1.0).owner.origin # "In[1]:1:6"`,
		func(a Apply) starlark.Value { return starlark.String(a.Node.Origin().Pos().String()) }),
)

func SymbolList(s *Session, vars []*graph.Variable) *slot.List {
	list := make([]starlark.Value, len(vars))
	for i, v := range vars {
		list[i] = Symbol{s, v}
	}
	return slot.NewList(list)
}

// ownerFields are the attributes of a variable that lead through the graph.
var ownerFields = []value.Field{
	value.FieldOf("owner", "The node that computes it, None for inputs, constants and shared variables.", `T.exp(1.0).owner.op == T.exp # True`,
		func(x Symbol) starlark.Value {
			if x.V.Owner == nil {
				return starlark.None
			}
			return Apply{x.S, x.V.Owner}
		}),
	value.FieldOf("index", "Which output of its node it is, None if it has none.", `T.exp(1.0).index # 0`,
		func(x Symbol) starlark.Value {
			if x.V.Owner == nil {
				return starlark.None
			}
			return starlark.MakeInt(x.V.Index)
		}),
}

// An opValue is an operation as Starlark sees it. It equals the function of T that applies it.
type opValue struct {
	op   graph.Op
	node *graph.Apply // where it was met
}

var (
	_ value.Tabled        = opValue{}
	_ value.Comparer      = opValue{}
	_ starlark.Comparable = opValue{}
)

func (o opValue) String() string        { return graph.Label(o.op) }
func (o opValue) Type() string          { return "Op" }
func (o opValue) Freeze()               {}
func (o opValue) Truth() starlark.Bool  { return true }
func (o opValue) Hash() (uint32, error) { return starlark.String(o.op.Name()).Hash() }
func (o opValue) Table() *value.Methods { return OpFields }
func (o opValue) AttrNames() []string   { return OpFields.Names() }

func (o opValue) Attr(name string) (starlark.Value, error) { return OpFields.Attr(o, name) }

// accType is the type that a sum or a product is computed in.
func (o opValue) accType() starlark.Value {
	r, ok := o.op.(op.Reduce)
	if !ok || r.Kind != op.Sum && r.Kind != op.Prod {
		return starlark.None
	}
	return starlark.String(r.Accumulates(o.node.Inputs[0].Type.DType).String())
}

func (o opValue) CompareSameType(token syntax.Token, y starlark.Value, _ int) (bool, error) {
	return equality(token, o.op == y.(opValue).op, "operations")
}

// CompareBy makes node.op == T.log an answer.
func (o opValue) CompareBy(token syntax.Token, y starlark.Value, _ starlark.Side) (starlark.Value, error) {
	if value.AsBuiltin(y) == nil || token != syntax.EQL && token != syntax.NEQ {
		return nil, nil
	}
	ops, names, err := operations(y)
	equal := err == nil && (slices.Contains(ops, o.op) || slices.Contains(names, graph.BaseName(o.op)))
	return starlark.Bool(equal == (token == syntax.EQL)), nil
}

// OpFields are the attributes of operations.
var OpFields = value.NewMethods("Op", nil).With(
	value.FieldOf("name", "Its name without parameters, as rewrite rules write it.", applyExample+`.op.name # "mul"`,
		func(o opValue) starlark.Value { return starlark.String(graph.BaseName(o.op)) }),
	value.FieldOf("acc_dtype", "The type that a sum or a product is computed in; None of other operations.", `T.sum(T.fvector()).owner.op.acc_dtype # "float64"`, opValue.accType),
	value.FieldOf("destroy_map", "The results that overwrite operands: a dict from the number of a result to a list with that of an operand.", applyExample+`.op.destroy_map # {}`,
		func(o opValue) starlark.Value { return aliasMap(graph.Destroys(o.op)) }),
	value.FieldOf("view_map", "The results that are views of operands: a dict from the number of a result to a list with that of an operand.", applyExample+`.op.view_map # {}`,
		func(o opValue) starlark.Value { return aliasMap(graph.Views(o.op)) }),
)

func aliasMap(list []graph.Alias) *slot.Dict {
	d := new(slot.Dict)
	for _, a := range list {
		operands := slot.NewList(nil)
		if known, ok, _ := d.Get(starlark.MakeInt(a.Out)); ok {
			operands = known.(*slot.List)
		}
		operands.Append(starlark.MakeInt(a.In))
		d.SetKey(starlark.MakeInt(a.Out), operands)
	}
	return d
}

// elementwiseOps finds elementwise operations by the names that T and T.nnet have for them.
var elementwiseOps = sync.OnceValue(func() map[string]op.Elemwise {
	m := make(map[string]op.Elemwise)
	for e := range op.Rows {
		for _, name := range strings.Fields(e.Row().Names) {
			if module, name, ok := CutLast(name); ok && strings.HasPrefix(module, "T") {
				m[name] = e
			}
		}
	}
	return m
})

func CutLast(name string) (module, own string, ok bool) {
	i := strings.LastIndexByte(name, '.')
	return name[:max(i, 0)], name[i+1:], i >= 0
}

// operations reads an operation: the function of T that applies it, its name, or the op of a node.
// Those with parameters are found by name.
func operations(v starlark.Value) (ops []graph.Op, names []string, err error) {
	if o, ok := v.(opValue); ok {
		return []graph.Op{o.op}, nil, nil
	}
	name, isText := starlark.AsString(v)
	b := value.AsBuiltin(v)
	if b != nil {
		name = b.Name
	}
	switch e, elementwise := elementwiseOps()[name]; {
	case b == nil && !isText:
		return nil, nil, fmt.Errorf("got %s, want a function of T, as T.log, or the name of an operation", v.Type())
	case elementwise:
		return []graph.Op{e}, nil, nil
	case slices.Contains(op.Names(), name):
		return nil, []string{name}, nil
	case b != nil:
		return nil, nil, fmt.Errorf("%s is no operation, but makes some: debugprint(%[1]s(...)) shows which", "T."+name)
	}
	return nil, nil, fmt.Errorf("there is no operation %s%s", name, rewrite.Suggest(name, op.Names()))
}
