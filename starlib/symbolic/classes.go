package symbolic

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A variableClass is a class of Theano's variables, for isinstance: variables are made by T.vector,
// shared and the like, and not by it.
type variableClass struct {
	name  string
	types []string // what Type returns of its instances
}

var (
	_ value.Types    = variableClass{}
	_ value.Comparer = variableClass{}
)

func (variableClass) Type() string            { return "type" }
func (variableClass) Freeze()                 {}
func (variableClass) Truth() starlark.Bool    { return true }
func (c variableClass) Name() string          { return c.name }
func (c variableClass) String() string        { return "<class '" + c.name + "'>" }
func (c variableClass) TypeNames() []string   { return c.types }
func (c variableClass) Hash() (uint32, error) { return starlark.String(c.name).Hash() }

// CompareSameType makes classes of the same variables equal.
func (c variableClass) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	other, ok := y.(variableClass)
	same := ok && slices.Equal(c.types, other.types)
	switch op {
	case syntax.EQL:
		return same, nil
	case syntax.NEQ:
		return !same, nil
	}
	return false, fmt.Errorf("classes have no order")
}

// CompareBy makes type(x) == T.TensorVariable the answer of type(x) == "TensorVariable".
func (c variableClass) CompareBy(op syntax.Token, y starlark.Value, _ starlark.Side) (starlark.Value, error) {
	name := value.TypeKey(y)
	if name == "" || op != syntax.EQL && op != syntax.NEQ {
		return nil, nil
	}
	return starlark.Bool((name == c.types[0] && len(c.types) == 1) == (op == syntax.EQL)), nil
}

// makeNode makes a node of an operation of the program, as a room above does.
var makeNode func(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error)

// NodesBy says what theano.Apply(op, inputs, outputs) does, when the program starts.
func NodesBy(apply func(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error)) bool {
	makeNode = apply
	return true
}

// CallInternal refuses: a class makes no variables here. Nodes are made of operations of the
// program.
func (c variableClass) CallInternal(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if c.types[0] == "Apply" {
		return makeNode(thread, args, kwargs)
	}
	return nil, fmt.Errorf("%s is for isinstance(x, %s); T.vector, T.matrix and their like make variables, shared those with a value, functions of T nodes, and function() functions", c.name, c.name)
}

// classOf is a function that makes values of a type, which is their class to isinstance.
func classOf(typ string, b value.Builtin) value.Builtin {
	b.Types = []string{typ}
	return b
}

// sharedTypes and variableTypes are what Type returns of shared variables and of all variables:
// dense, sparse and of states of generators.
var (
	sharedTypes   = []string{sharedType, sparseSharedType, "RandomStateSharedVariable", "RandomGeneratorSharedVariable"}
	variableTypes = append([]string{variableType, constantType, sparseType, sparseConstantType, "RandomStateVariable", "RandomGeneratorVariable"}, sharedTypes...)
)

const (
	variableType = "TensorVariable"
	sharedType   = "TensorSharedVariable"
	constantType = "TensorConstant"
)

// variableClasses are the classes, with the modules that have them.
var variableClasses = []struct {
	name    string
	types   []string
	doc     string
	modules string
}{
	{"TensorVariable", []string{variableType}, "The class of variables that are neither shared nor constant, for isinstance.", "T"},
	{"TensorConstant", []string{constantType}, "The class of constants, for isinstance.", "T"},
	{"Variable", variableTypes, "The class of all variables, for isinstance.", "T theano theano.gof theano.gof.graph theano.graph theano.graph.basic"},
	{"Constant", []string{constantType, sparseConstantType}, "The class of constants, for isinstance.", "T theano theano.gof theano.gof.graph theano.graph theano.graph.basic"},
	{"Apply", []string{"Apply"}, "The class of nodes. Apply(op, inputs, outputs) makes one in make_node of an operation of the program: outputs are new variables, which say the types of the results.", "theano theano.gof theano.gof.graph theano.graph theano.graph.basic"},
	{"Function", []string{"Function"}, "The class of compiled functions, for isinstance.", "theano.compile theano.compile.function_module"},
	{"SharedVariable", sharedTypes, "The class of shared variables, for isinstance.", "theano.compile theano.compile.sharedvalue T.sharedvar"},
	{"TensorSharedVariable", []string{sharedType}, "The class of shared variables, for isinstance.", "T.sharedvar"},
	{"Elemwise", []string{"Elemwise"}, "The class of elementwise operations, for isinstance.", "T"},
	{"DimShuffle", []string{"DimShuffle"}, "The class of operations that reorder, add and drop axes, for isinstance.", "T"},
	{"Dot", []string{"Dot"}, "The class of products of matrices as they are written, for isinstance; compiled they may be others, as Gemv.", "T"},
	{"Subtensor", []string{"Subtensor"}, "The class of operations that take parts, for isinstance.", "T"},
	{"IfElse", []string{"IfElse"}, "The class of operations that choose between branches, for isinstance.", "theano.ifelse"},
	{"ScalarSharedVariable", []string{sharedType}, "The class of shared variables, for isinstance; those of no axes have no class of their own.", "T.sharedvar"},
}

// ClassMembers are the classes of variables that a module has.
func ClassMembers(module string) (members []value.Member) {
	for _, c := range variableClasses {
		if !slices.Contains(strings.Fields(c.modules), module) {
			continue
		}
		x := "T.vector(\"x\")"
		switch c.types[0] {
		case sharedType:
			x = "shared(1.0)"
		case "Apply":
			x = "T.exp(1.0).owner"
		case "Function":
			x = "function([], T.constant(1.0))"
		case constantType:
			x = "T.constant(1.0)"
		case "Elemwise":
			x = "T.exp(1.0).owner.op"
		case "DimShuffle":
			x = "T.matrix(\"x\").T.owner.op"
		case "IfElse":
			x = "ifelse(T.iscalar(\"c\"), T.constant(1.0), T.constant(2.0)).owner.op"
		case "Dot":
			x = "T.dot(T.matrix(), T.matrix()).owner.op"
		case "Subtensor":
			x = "T.vector(\"x\")[0].owner.op"
		}
		full := module + "." + c.name
		members = append(members, value.Member{Name: c.name, Value: variableClass{full, c.types}, Doc: c.doc, Example: "isinstance(" + x + ", " + full + ") # True"})
	}
	for _, e := range errorClasses {
		if slices.Contains(strings.Fields(e.modules), module) {
			class := session.ExceptionClass(string(e.kind))
			members = append(members, value.Member{Name: string(e.kind), Value: class, Doc: class.(value.Documenter).Doc(), Example: "issubclass(" + module + "." + string(e.kind) + ", Exception) # True"})
		}
	}
	return members
}

// errorClasses are the classes of errors that have one of their own, with the modules that have
// them.
var errorClasses = []struct {
	kind    graph.Kind
	modules string
}{
	{graph.MissingInput, "theano.gof theano.gof.fg theano.graph theano.graph.fg"},
	{graph.UnusedInput, "theano.compile theano.compile.function_module"},
	{graph.DisconnectedInput, "gradient"},
}

// ClassModule is a module of nothing but such classes.
func ClassModule(name string) *value.Module {
	return value.NewModule(name, "Classes of variables.", ClassMembers(name)...)
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
