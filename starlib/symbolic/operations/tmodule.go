package operations

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/symbolic"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// Submodule is a module of functions that have names in it.
func Submodule(name, doc string) *value.Module {
	return value.NewLazyModule(name, doc, func() []value.Member {
		return value.Builtins(WithClasses(name, slices.Concat(ElementwiseTable(name), SymbolicRows(name))))
	})
}

// MemberOf is a module as a member of the one that its name says.
func MemberOf(m *value.Module) value.Member {
	name := m.Name()
	return value.Member{Name: name[strings.LastIndexByte(name, '.')+1:], Value: m, Doc: m.Doc()}
}

// TensorTable is the functions of T: every elementwise operation, derived from its row, and the
// others.
var TensorTable = sync.OnceValue(func() []value.Builtin {
	table := ElementwiseTable("T")
	return append(table, SymbolicRows("T")...)
})

// ElementwiseTable is the elementwise operations that have names in a module.
func ElementwiseTable(module string) []value.Builtin {
	var table []value.Builtin
	for e := range op.Rows {
		for _, name := range e.Row().NamesIn(module) {
			table = append(table, elementwise(e, module, name))
		}
	}
	return table
}

// addedFunctions are the tables of the rooms above.
var addedFunctions [][]functions.Function

// AddFunctions gives T the functions of a room above, when the program starts.
func AddFunctions(tables ...[]functions.Function) bool {
	addedFunctions = append(addedFunctions, tables...)
	return true
}

// symbolicFunctions are the rows with a symbolic half: those of np, and those that T alone has.
var symbolicFunctions = sync.OnceValue(func() []functions.Function {
	shared := slices.DeleteFunc(np.Functions(), func(f functions.Function) bool { return !f.Symbolic() })
	return slices.Concat(shared, reducedTable, typedTable, spelledTable, shapedTable, productTable, joinedTable, movedTable, diagonalTable, extraTable,
		slices.Concat(addedFunctions...), barrierTable, linearTable)
})

// SymbolicRows are the functions of a module, "T" or "T.nnet", that are no elementwise operations.
func SymbolicRows(module string) []value.Builtin {
	var rows []value.Builtin
	for _, f := range symbolicFunctions() {
		for _, name := range f.In(module) {
			rows = append(rows, asSeveral(symbolicRow(module, name, &f)))
		}
	}
	return rows
}

func elementwise(e op.Elemwise, module, name string) value.Builtin {
	row := e.Row()
	call, result, _ := strings.Cut(row.Example, " = ")
	_, args, _ := strings.Cut(call, "(")
	b := value.Builtin{Name: name, Doc: row.Doc, Example: module + "." + name + "(" + args + ".eval() # " + result}
	names := strings.Split(row.Args, ", ")
	for i, p := range names {
		param := value.Param{Name: p, Doc: "variable, number or array"}
		if also := peerArgs(e); i < len(also) && !slices.Contains(names, also[i]) {
			param.Also = strings.Split(also[i], "|")
		}
		b.Params = append(b.Params, param)
	}
	many := slices.Contains(variadic, e)
	if many {
		b.Params[1].Default = "None"
		b.Params = append(b.Params, value.Param{Name: "*more", Doc: "further operands"})
		b.Doc += " There may be any number of operands."
	}
	b.Fn = func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		values, err := b.Bind(args, kwargs)
		if err != nil {
			return nil, err
		}
		if many {
			values = spread(values)
		}
		s := symbolic.SessionOf(thread)
		in, at, err := operands(s, thread, b.Name, values)
		if err != nil {
			return nil, err
		}
		if many {
			return fold(s, at, e, in)
		}
		return s.Apply(at, e, in...)
	}
	return b
}

// peerArgs are the keywords of an operation's operands in Theano and PyTensor, where most are a and
// b.
func peerArgs(e op.Elemwise) []string {
	if names, ok := otherArgs[e]; ok {
		return strings.Fields(names)
	}
	return []string{"a", "b"}
}

var otherArgs = map[op.Elemwise]string{op.Second: "a b|value", op.Switch: "cond ift iff", op.Kv: "n", op.Gammaincinv: "k x", op.Gammainccinv: "k x", op.Betaincinv: "a b x"}

// variadic are the operations that are functions of any number of operands in T, as in Theano and
// PyTensor.
var variadic = []op.Elemwise{op.Add, op.Mul, op.Logaddexp}

// spread puts the operands of a variadic function into one list: x, y and what follows.
func spread(values []starlark.Value) []starlark.Value {
	more, _ := values[2].(starlark.Tuple)
	if symbolic.Absent(values[1]) && len(more) == 0 {
		return values[:1]
	}
	return slices.Concat(values[:2], more)
}

// fold applies e to the operands from the left.
func fold(s *symbolic.Session, b *graph.Builder, e op.Elemwise, in []*graph.Variable) (starlark.Value, error) {
	acc := in[0]
	for _, v := range in[1:] {
		next, err := s.Apply(b, e, acc, v)
		if err != nil {
			return nil, err
		}
		acc = next.(symbolic.Symbol).V
	}
	return symbolic.Symbol{S: s, V: acc}, nil
}

// operands turns the arguments of an operation into variables; numbers take the kind of the first
// symbol.
func operands(s *symbolic.Session, thread *starlark.Thread, name string, values []starlark.Value) ([]*graph.Variable, *graph.Builder,
	error) {
	b := s.Builder(thread)
	var like *graph.Variable
	for _, v := range values {
		if x, ok := v.(symbolic.Symbol); ok && !x.V.Type.DType.IsBool() {
			like = x.V
			break
		}
	}
	in := make([]*graph.Variable, len(values))
	for i, v := range values {
		var err error
		if in[i], err = s.Variable(b, v, like); err != nil {
			return nil, nil, fmt.Errorf("%s: operand %d: %w", name, i+1, err)
		}
	}
	s.Agree(b, in)
	return in, b, nil
}
