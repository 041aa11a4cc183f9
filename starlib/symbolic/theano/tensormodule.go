package theano

import (
	"slices"
	"sync"

	"github.com/arignote/arignote/starlib/symbolic"
	"github.com/arignote/arignote/starlib/symbolic/graphs"
	"github.com/arignote/arignote/starlib/symbolic/loops"
	_ "github.com/arignote/arignote/starlib/symbolic/nn" // its functions are in T
	"github.com/arignote/arignote/starlib/symbolic/operations"
	"github.com/arignote/arignote/starlib/symbolic/random"
	"github.com/arignote/arignote/starlib/symbolic/userops"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// TensorModule is T for a session: constructors of variables, and functions of them.
func TensorModule(s *symbolic.Session) *value.Module {
	return value.NewLazyModule("T", "Symbolic variables and functions of them. tensor, at and pt are the same module.", func() []value.Member {
		members := slices.Concat(tensorMembers(), []value.Member{
			symbolic.GridMember(s, "mgrid", "T.mgrid[0:2, 0:n]: the coordinates of a grid, whose bounds may be symbolic, as one variable, with an axis for each slice.",
				"T.mgrid[0:2, 0:2].eval() # array([[[0, 0],\n        [1, 1]],\n\n       [[0, 1],\n        [0, 1]]])"),
			symbolic.GridMember(s, "ogrid", "T.ogrid[0:2, 0:n]: the coordinates of a grid, whose bounds may be symbolic, as variables that broadcast to it.",
				"T.ogrid[0:2, 0:3][1].eval() # array([[0, 1, 2]])"),
		})
		return operations.WithMirrors("T", members)
	})
}

// tensorMembers are the members of T that all sessions share.
var tensorMembers = sync.OnceValue(func() []value.Member {
	nnet := value.NewLazyModule("T.nnet", "Functions of neural networks.", func() []value.Member {
		rows := operations.WithClasses("T.nnet", slices.Concat(operations.ElementwiseTable("T.nnet"), operations.SymbolicRows("T.nnet")))
		return append(operations.WithMirrors("T.nnet", value.Builtins(rows)),
			operations.MemberOf(operations.Submodule("T.nnet.bn", "Batch normalization.")), operations.MemberOf(operations.Submodule("T.nnet.conv", "Convolutions, under their older names.")),
			operations.MemberOf(operations.Submodule("T.nnet.abstract_conv", "Convolutions and their gradients.")),
			operations.MemberOf(operations.Submodule("T.nnet.conv3d2d", "Convolutions of movies, under their older names.")),
			operations.MemberOf(operations.Submodule("T.nnet.neighbours", "Windows of images as rows.")))
	})
	signal := value.NewModule("T.signal", "Convolutions of vectors and matrices, and pooling.", append(value.Builtins(operations.SymbolicRows("T.signal")),
		operations.MemberOf(operations.Submodule("T.signal.conv", "Convolutions of matrices.")), operations.MemberOf(operations.Submodule("T.signal.pool", "Pooling.")),
		operations.MemberOf(operations.Submodule("T.signal.downsample", "Pooling, under its older names.")))...)
	table := slices.Concat(operations.WithClasses("T", operations.TensorTable()), symbolic.Pick(operations.DerivativeTable, "Lop", "Rop", "jacobian", "hessian"),
		symbolic.Pick(operations.SymbolicRows("gradient"), "consider_constant"), []value.Builtin{verifyGrad, numericGrad}, operations.SpellingTable)
	return slices.Concat(symbolic.ClassMembers("T"), symbolic.Constructors(), value.Builtins(table), operations.LinalgModules(), random.Modules(), operations.NumbersAndTypes(), []value.Member{
		{Name: "grad", Value: operations.GradBuiltin.Value()},
		operations.MemberOf(symbolic.ClassModule("T.sharedvar")), operations.MemberOf(nnet), operations.MemberOf(operations.Submodule("T.special", "Special functions.")),
		operations.MemberOf(operations.Submodule("T.xlogx", "Products with logarithms that are 0 where the factor is 0.")), operations.MemberOf(signal),
		operations.MemberOf(Modules["T.opt"]), operations.MemberOf(Modules["T.rewriting"]),
		{Name: "newaxis", Value: starlark.None, Doc: "In a subscript, a new axis of length 1.", Example: `T.vector("x")[:, T.newaxis].ndim # 2`},
	})
})

// GradientModule is theano.gradient.
var GradientModule = value.NewModule("gradient", "Differentiation.",
	slices.Concat(value.Builtins(slices.Concat([]value.Builtin{operations.GradBuiltin, verifyGrad, numericGrad}, operations.DerivativeTable, operations.SymbolicRows("gradient"), symbolic.NoGradientTable)),
		symbolic.ClassMembers("gradient"), symbolic.NoGradientMembers)...)

// Table is the functions that theano has, and that are not predeclared.
func Table() []value.Builtin {
	return slices.Concat(symbolic.LinkerTable, symbolic.Pick(operations.DerivativeTable, "Lop", "Rop"), symbolic.InOutTable, symbolic.SymbolicInOut, symbolic.Pick(graphs.GraphTable, "clone"), symbolic.Pick(loops.ScanTable, "map", "reduce", "foldl", "foldr", "scan_checkpoints"), symbolic.Pick(graphs.WrittenTable, "pp", "pprint"), userops.FromGraphTable, userops.OpTable, []value.Builtin{graphs.DprintBuiltin, symbolic.OrderedUpdates})
}

// GofModule is theano.gof, of which the linkers and the queries are here.
var GofModule = func() *value.Module {
	members := append(value.Builtins(append(symbolic.Pick(symbolic.Linkers, "OpWiseCLinker", "PerformLinker", "CLinker", "DualLinker", "VM_Linker"), symbolic.Pick(slices.Concat(symbolic.RewriterTable, graphs.GraphTable), append(gofRewriters, "FunctionGraph")...)...)),
		append(value.Builtins([]value.Builtin{symbolic.QueryBuiltin, userops.OpBuiltin}), symbolic.OptdbMember)...)
	for _, p := range append(symbolic.GofParts, Modules["theano.gof.opt"], Modules["theano.gof.graph"], Modules["theano.gof.fg"]) {
		members = append(members, value.Member{Name: p.Name()[len("theano.gof."):], Value: p, Doc: p.Doc()})
	}
	ops := value.NewModule("theano.gof.op", "Operations that programs make, and test values.", value.Builtins(append([]value.Builtin{userops.OpBuiltin}, symbolic.TestValueTable...))...)
	members = append(members, value.Member{Name: "op", Value: ops, Doc: ops.Doc()})
	members = append(members, symbolic.ClassMembers("theano.gof")...)
	return value.NewModule("theano.gof", "Linkers, queries and rewrite rules under Theano's names.", members...)
}()

// gofRewriters are the functions of RewriterTable that theano.gof has.
var gofRewriters = []string{"local_optimizer", "PatternSub", "OpSub", "OpRemove"}
