package np

import (
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// table is the functions of np.
var table = sync.OnceValue(func() []value.Builtin {
	return NonRetaining(slices.Concat(RowsOf("np", Functions()), ufuncRows(), []value.Builtin{arrayType}, added.Builtins))
})

// Functions are the rows of functions of arrays that np has, and T where they have a symbolic half.
func Functions() []functions.Function {
	return slices.Concat(reductionTable, typesTable, limitsTable, added.Functions)
}

// An Addition is what a room above gives np when the program starts.
type Addition struct {
	Functions []functions.Function
	Builtins  []value.Builtin                   // functions of np that are rows already
	Methods   []value.Builtin                   // of arrays
	Members   func() []value.Member             // of np that are no functions: modules, np.r_
	Tables    func() map[string][]value.Builtin // as those of Tables
	Types     func() []*value.Methods           // as those of Types
}

var added struct {
	Functions         []functions.Function
	Builtins, Methods []value.Builtin
	Members           []func() []value.Member
	Tables            []func() map[string][]value.Builtin
	Types             []func() []*value.Methods
}

// Add gives np what a room above has, when the program starts.
func Add(a Addition) bool {
	added.Functions = append(added.Functions, a.Functions...)
	added.Builtins, added.Methods = append(added.Builtins, a.Builtins...), append(added.Methods, a.Methods...)
	if a.Members != nil {
		added.Members = append(added.Members, a.Members)
	}
	if a.Tables != nil {
		added.Tables = append(added.Tables, a.Tables)
	}
	if a.Types != nil {
		added.Types = append(added.Types, a.Types)
	}
	return true
}

func addedMembers() (members []value.Member) {
	for _, more := range added.Members {
		members = append(members, more()...)
	}
	return members
}

// byName is table by name.
var byName = sync.OnceValue(func() map[string]starlark.Callable {
	m := map[string]starlark.Callable{}
	for _, mem := range value.Builtins(table()) {
		m[mem.Name] = mem.Value.(starlark.Callable)
	}
	return m
})

// functionMembers are the functions as members of np.
func functionMembers() []value.Member {
	members := value.Builtins(table())
	for i, m := range members {
		if u := ufuncs[m.Name]; u != nil && m.Name != "where" {
			members[i].Value = ufuncValue{m.Value.(value.Callable), u}
		}
	}
	return members
}

// CallFunction calls a function of np.
func CallFunction(thread *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	return byName()[name].CallInternal(thread, args, kwargs)
}

// Module returns the module np. Every session has one of its own, for the state of
// np.random.
func Module() starlark.Value {
	return value.NewLazyModule("np", "Arrays, computed with at once, under NumPy's names.", func() []value.Member {
		return slices.Concat(functionMembers(), dtypeMembers(), constantMembers(), []value.Member{
			{Name: "newaxis", Value: starlark.None, Doc: "In a subscript, a new axis of length 1.",
				Example: "np.arange(2)[np.newaxis].shape # (1, 2)"},
			{Name: "__version__", Value: starlark.String("1.24.2"), Doc: "The version of NumPy whose functions these are.", Example: `np.__version__ # "1.24.2"`},
		}, addedMembers())
	})
}

// ModuleOf is the module of a session, the same whenever it is asked for.
func ModuleOf(s value.Host) starlark.Value {
	return s.Local(moduleKey{}, func() any { return Module() }).(starlark.Value)
}

type moduleKey struct{}

// Tables returns every function and method with its documentation, by what users write before its
// name.
func Tables() map[string][]value.Builtin {
	tables := map[string][]value.Builtin{"np.": table(), "ufunc.": ufuncTable, "ndarray.": methodRows()}
	for _, more := range added.Tables {
		maps.Copy(tables, more())
	}
	return tables
}

// constants are the numbers that np has, under all their names.
var constants = []struct {
	names, doc string
	x          float64
}{
	{"pi", "The circumference of a circle by its diameter.", math.Pi},
	{"e", "The base of natural logarithms.", math.E},
	{"euler_gamma", "Euler's constant: the limit of the harmonic numbers less their logarithms.", 0.577215664901532860606512},
	{"inf Inf Infinity PINF infty", "Positive infinity.", math.Inf(1)},
	{"NINF", "Negative infinity.", math.Inf(-1)},
	{"nan NaN NAN", "Not a number.", math.NaN()},
	{"PZERO", "Zero.", 0},
	{"NZERO", "Negative zero.", math.Copysign(0, -1)},
}

// Constant is a number that np has, as a member of a module.
func Constant(name string) value.Member {
	for _, m := range constantMembers() {
		if m.Name == name {
			return m
		}
	}
	panic("BUG: np has no constant " + name)
}

func constantMembers() []value.Member {
	var members []value.Member
	for _, c := range constants {
		for name := range strings.FieldsSeq(c.names) {
			members = append(members, value.Member{Name: name, Value: starlark.Float(c.x), Doc: c.doc})
		}
	}
	return members
}

// Types returns the attributes of the values that np makes, by type.
func Types() []*value.Methods {
	types := []*value.Methods{arrayMethods(), ufuncMethods(), dtypeFields, limitsFields["finfo"], limitsFields["iinfo"],
		limitsFields["flags"]}
	for _, more := range added.Types {
		types = append(types, more()...)
	}
	return append(types, settingMethods)
}
