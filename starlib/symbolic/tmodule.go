package symbolic

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// TensorModule is T: constructors of variables, and functions of them.
func TensorModule() *value.Module {
	table := append(constructors(), tensorTable()...)
	nnet := submodule("T.nnet", "Functions of neural networks.", submodule("T.nnet.bn", "Batch normalization."))
	special := submodule("T.special", "Special functions.")
	table = append(table, Pick(derivativeTable, "Lop", "Rop", "jacobian", "hessian")...)
	members := append(append(value.Builtins(table), linalgModules()...),
		value.Member{Name: "grad", Value: GradBuiltin.Value()},
		memberOf(nnet), memberOf(special), memberOf(RewritingModules["T.opt"]), memberOf(RewritingModules["T.rewriting"]),
		value.Member{Name: "pi", Value: starlark.Float(math.Pi), Doc: "The ratio of a circle's circumference to its diameter."},
		value.Member{Name: "e", Value: starlark.Float(math.E), Doc: "The base of the natural logarithm."},
		value.Member{Name: "newaxis", Value: starlark.None, Doc: "In a subscript, a new axis of length 1.",
			Example: `T.vector("x")[:, T.newaxis].ndim # 2`})
	return value.NewModule("T", "Symbolic variables and functions of them. tensor, at and pt are the same module.", members...)
}

// submodule is a module of functions that have names in it.
func submodule(name, doc string, within ...*value.Module) *value.Module {
	members := value.Builtins(append(elementwiseTable(name), symbolicRows(name)...))
	for _, m := range within {
		members = append(members, memberOf(m))
	}
	return value.NewModule(name, doc, members...)
}

// memberOf is a module as a member of the one that its name says.
func memberOf(m *value.Module) value.Member {
	name := m.Name()
	return value.Member{Name: name[strings.LastIndexByte(name, '.')+1:], Value: m, Doc: m.Doc()}
}

// Pick takes rows from a table by name.
func Pick(table []value.Builtin, names ...string) []value.Builtin {
	var rows []value.Builtin
	for _, name := range names {
		for _, b := range table {
			if b.Name == name {
				rows = append(rows, b)
			}
		}
	}
	return rows
}

// constructors are T.vector, T.dmatrices, ...: every prefix with every kind, one variable or several.
func constructors() []value.Builtin {
	var table []value.Builtin
	for _, p := range prefixes {
		for _, k := range kinds {
			table = append(table, one(p.letter, p.dtype, k.name, k.dims), several(p.letter, p.dtype, k.name, k.dims))
		}
	}
	return append(table, value.Builtin{Name: "TensorType", Params: []value.Param{
		{Name: "dtype", Doc: "name of the element type"},
		{Name: "shape",
			Doc: "one entry for each axis: a length, or None where it is not known; True and False mean 1 and not known (Theano's broadcastable)"},
	}, Doc: "A type of variables. Call it to make one.", Example: `T.TensorType("float32", (None, 3))("x") # x`,
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := b.Bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			d, err := np.DtypeArg(v[0])
			if err != nil {
				return nil, fmt.Errorf("TensorType: %w", err)
			}
			dims, err := staticDims(v[1])
			if err != nil {
				return nil, fmt.Errorf("TensorType: shape: %w", err)
			}
			return tensorType{SessionOf(thread), graph.TypeOf(d, dims...)}, nil
		}})
}

func staticDims(v starlark.Value) ([]int, error) {
	seq, ok := v.(starlark.Indexable)
	if !ok {
		return nil, fmt.Errorf("got %s, want a tuple", v.Type())
	}
	if seq.Len() > tensor.MaxRank {
		return nil, fmt.Errorf("got %d axes, want at most %d", seq.Len(), tensor.MaxRank)
	}
	dims := make([]int, seq.Len())
	for i := range dims {
		switch d := value.Plain(seq.Index(i)).(type) {
		case starlark.NoneType:
			dims[i] = graph.Unknown
		case starlark.Bool:
			dims[i] = graph.Unknown
			if d {
				dims[i] = 1
			}
		case starlark.Int:
			n, err := starlark.AsInt32(d)
			if err != nil || n < 0 {
				return nil, fmt.Errorf("axis %d: got %s, want a length", i, d)
			}
			dims[i] = n
		default:
			return nil, fmt.Errorf("axis %d: got %s, want a length or None", i, d.Type())
		}
	}
	return dims, nil
}

// article writes "a float64 matrix" or, without a prefix, "a matrix of floatX".
func article(d kernels.DType, kind string) string {
	if d == kernels.Invalid {
		return "A " + kind + " of type floatX"
	}
	return "A " + d.String() + " " + kind
}

func one(letter string, d kernels.DType, kind string, dims []int) value.Builtin {
	b := value.Builtin{Name: letter + kind,
		Params: []value.Param{{Name: "name", Default: "None", Doc: "what it is called in errors and profiles"}},
		Doc:    article(d, kind) + ", as a symbolic variable.", Example: `T.` + letter + kind + `("x") # x`}
	if d == kernels.Invalid {
		b.Params = append(b.Params, value.Param{Name: "dtype", Default: "None", Doc: "name of another element type"})
	}
	b.Fn = func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		v, err := b.Bind(args, kwargs)
		if err != nil {
			return nil, err
		}
		s := SessionOf(thread)
		name := ""
		if v[0] != nil && v[0] != starlark.None {
			var ok bool
			if name, ok = starlark.AsString(v[0]); !ok {
				return nil, fmt.Errorf("%s: for parameter name: got %s, want string", b.Name, v[0].Type())
			}
		}
		d := d
		if d == kernels.Invalid {
			d = s.floatX()
			if v[1] != nil && v[1] != starlark.None {
				if d, err = np.DtypeArg(v[1]); err != nil {
					return nil, fmt.Errorf("%s: %w", b.Name, err)
				}
			}
		}
		return s.leaf(graph.NewInput(name, graph.TypeOf(d, dims...), s.origin(thread)))
	}
	return b
}

// plural is the name of the constructor of several.
func plural(kind string) string {
	if kind == "matrix" {
		return "matrices"
	}
	return kind + "s"
}

func several(letter string, d kernels.DType, kind string, dims []int) value.Builtin {
	make1 := one(letter, d, kind, dims)
	return value.Builtin{Name: letter + plural(kind),
		Params: []value.Param{{Name: "*names", Doc: `a name each, or one string of one-letter names: "xyz"`}},
		Doc:    "Several symbolic variables at once: a list. " + make1.Doc, Example: `T.` + letter + plural(kind) + `("xy") # [x, y]`,
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			var names starlark.Tuple
			if err := b.Unpack(args, kwargs, &names); err != nil {
				return nil, err
			}
			if len(names) == 1 {
				if text, ok := starlark.AsString(names[0]); ok {
					names = names[:0:0]
					for _, r := range text {
						names = append(names, starlark.String(r))
					}
				} else if n, err := starlark.AsInt32(value.Plain(names[0])); err == nil {
					names = make(starlark.Tuple, max(n, 0))
					for i := range names {
						names[i] = starlark.None
					}
				}
			}
			list := make([]starlark.Value, len(names))
			for i, name := range names {
				v, err := make1.Fn(thread, &make1, starlark.Tuple{name}, nil)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", b.Name, err)
				}
				list[i] = v
			}
			return starlark.NewList(list), nil
		}}
}

// tensorTable is the functions of T: every elementwise operation, derived from its row, and the others.
var tensorTable = sync.OnceValue(func() []value.Builtin {
	table := elementwiseTable("T")
	return append(table, symbolicRows("T")...)
})

// elementwiseTable is the elementwise operations that have names in a module.
func elementwiseTable(module string) []value.Builtin {
	var table []value.Builtin
	for e := range op.Rows {
		for _, name := range e.Row().NamesIn(module) {
			table = append(table, elementwise(e, module, name))
		}
	}
	return table
}

// symbolicFunctions are the rows with a symbolic half: those of np, and those that T alone has.
func symbolicFunctions() []functions.Function {
	shared := slices.DeleteFunc(np.Functions(), func(f functions.Function) bool { return !f.Symbolic() })
	return slices.Concat(shared, reducedTable, shapedTable, productTable, joinedTable, movedTable, diagonalTable,
		activationTable, lossTable, normalizationTable, barrierTable, linearTable)
}

// symbolicRows are the functions of a module, "T" or "T.nnet", that are no elementwise operations.
func symbolicRows(module string) []value.Builtin {
	var rows []value.Builtin
	for _, f := range symbolicFunctions() {
		for _, name := range f.In(module) {
			rows = append(rows, symbolicRow(module, name, &f))
		}
	}
	return rows
}

func elementwise(e op.Elemwise, module, name string) value.Builtin {
	row := e.Row()
	call, result, _ := strings.Cut(row.Example, " = ")
	_, args, _ := strings.Cut(call, "(")
	b := value.Builtin{Name: name, Doc: row.Doc, Example: module + "." + name + "(" + args + ".eval() # " + result}
	for _, p := range strings.Split(row.Args, ", ") {
		b.Params = append(b.Params, value.Param{Name: p, Doc: "variable, number or array"})
	}
	b.Fn = func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		values, err := b.Bind(args, kwargs)
		if err != nil {
			return nil, err
		}
		s := SessionOf(thread)
		in, at, err := s.operands(thread, b.Name, values)
		if err != nil {
			return nil, err
		}
		return s.apply(at, e, in...)
	}
	return b
}

// operands turns the arguments of an operation into variables; numbers take the kind of the first symbol.
func (s *Session) operands(thread *starlark.Thread, name string, values []starlark.Value) ([]*graph.Variable, *graph.Builder,
	error) {
	b := s.builder(thread)
	var like *graph.Variable
	for _, v := range values {
		if x, ok := v.(Symbol); ok && !x.v.Type.DType.IsBool() {
			like = x.v
			break
		}
	}
	in := make([]*graph.Variable, len(values))
	for i, v := range values {
		var err error
		if in[i], err = s.variable(b, v, like); err != nil {
			return nil, nil, fmt.Errorf("%s: operand %d: %w", name, i+1, err)
		}
	}
	agree(b, in)
	return in, b, nil
}

// IsConstructor reports whether a member of T makes variables of one type.
func IsConstructor(name string) bool {
	return slices.ContainsFunc(constructors(), func(b value.Builtin) bool { return b.Name == name && name != "TensorType" })
}
