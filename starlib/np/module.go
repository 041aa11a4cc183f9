package np

import (
	"fmt"
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
	return forgetful(slices.Concat(rowsOf("np", Functions()), ufuncRows(), []value.Builtin{arrayType}, readTable))
})

// Functions are the rows of functions of arrays that np has, and T where they have a symbolic half.
func Functions() []functions.Function {
	return slices.Concat(joinTable, createTable, shapeTable, compareTable, reductionTable, axesTable, splitTable, padTable, gridTable,
		sequenceTable, typesTable, limitsTable, nanTable, quantileTable, statisticsTable, setTable, chooseTable, calculusTable,
		functionalTable, orderTable, arrangeTable, layoutTable, bitsTable, iterateTable,
		linearTable, productsTable, linalgTable, linalgNormTable, polyfitTable, specialTable, fileTable, textTable, printTable, formatFloatTable)
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

// callNumpy calls a function of np.
func callNumpy(thread *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	return byName()[name].CallInternal(thread, args, kwargs)
}

// Module returns the module np. Every session has one of its own, for the state of
// np.random.
func Module() starlark.Value {
	return value.NewLazyModule("np", "Arrays, computed with at once, under NumPy's names.", func() []value.Member {
		return slices.Concat(functionMembers(), gridMembers(), dtypeMembers(), constantMembers(), []value.Member{
			{Name: "newaxis", Value: starlark.None, Doc: "In a subscript, a new axis of length 1.",
				Example: "np.arange(2)[np.newaxis].shape # (1, 2)"},
			{Name: "random", Value: randomModule(), Doc: "Random numbers."},
			{Name: "linalg", Value: linalgModule(), Doc: "Linear algebra."},
		})
	})
}

// ModuleOf is the module of a session, the same whenever it is asked for.
func ModuleOf(s value.Host) starlark.Value {
	return s.Local(moduleKey{}, func() any { return Module() }).(starlark.Value)
}

type moduleKey struct{}

// RandomSource is what draws for a function that takes a random_state: a RandomState or a Generator itself, a RandomState of a seed, or the session's
// np.random for None.
func RandomSource(s value.Host, v starlark.Value) (starlark.HasAttrs, error) {
	if r, ok := v.(*Random); ok {
		return r, nil
	}
	if v == nil || v == starlark.None {
		m, err := ModuleOf(s).(starlark.HasAttrs).Attr("random")
		return m.(starlark.HasAttrs), err
	}
	state, err := SeedOf(v)
	if err != nil {
		return nil, fmt.Errorf("random_state: %w", err)
	}
	return &Random{kind: stateKind, source: state}, nil
}

// Tables returns every function and method with its documentation, by what users write before its name.
func Tables() map[string][]value.Builtin {
	return map[string][]value.Builtin{
		"np.":              table(),
		"ufunc.":           ufuncTable,
		"ndarray.":         methodRows(),
		"np.linalg.":       linalgRows(),
		"np.random.":       slices.Concat(randomKindOfModule.table(newRandomState()), rowsOf("np.random", seedTable)),
		"np.RandomState.":  stateKind.table(nil),
		"np.Generator.":    newKind.table(nil),
		"np.SeedSequence.": seedSequenceTable,
	}
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
	return []*value.Methods{arrayMethods(), ufuncMethods(), dtypeFields, limitsFields["finfo"], limitsFields["iinfo"],
		limitsFields["flags"], randomMethods()[stateKind], randomMethods()[newKind], seedSequenceMethods(), bitGeneratorFields, archiveMethods(), ndIterMethods, settingMethods}
}
