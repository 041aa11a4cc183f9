package symbolic

import (
	"slices"
	"sync"

	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/value"
)

// Submodule is a module of functions that have names in it.
func Submodule(name, doc string) *value.Module {
	return value.NewLazyModule(name, doc, func() []value.Member {
		return value.Builtins(slices.Concat(ElementwiseTable(name), SymbolicRows(name)))
	})
}

// TensorTable is the functions of T: every elementwise operation, derived from its row, and the
// others.
var TensorTable = sync.OnceValue(func() []value.Builtin {
	table := ElementwiseTable("T")
	return append(table, SymbolicRows("T")...)
})

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
			rows = append(rows, symbolicRow(module, name, &f))
		}
	}
	return rows
}
