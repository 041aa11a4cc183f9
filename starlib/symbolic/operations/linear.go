package operations

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/np/numeric"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// The modules of linear algebra are Theano's T.nlinalg and T.slinalg. PyTensor has both in one,
// T.linalg, under the same names.
const (
	nlinalg = "T.nlinalg"
	slinalg = "T.slinalg"
)

// LinalgModules are the members of T that have the functions of matrices.
func LinalgModules() []value.Member {
	return []value.Member{
		MemberOf(Submodule(nlinalg, "Linear algebra, of matrices and stacks of them: what Theano takes from NumPy.")),
		MemberOf(Submodule(slinalg, "Linear algebra, of matrices and stacks of them: what Theano takes from SciPy.")),
		MemberOf(value.NewLazyModule("T.linalg", "Linear algebra, of matrices and stacks of them, under PyTensor's names.",
			func() []value.Member { return value.Builtins(linalgRows()) })),
	}
}

// linalgRows are the functions of both modules, as T.linalg has them.
func linalgRows() []value.Builtin {
	var rows []value.Builtin
	for _, f := range symbolicFunctions() {
		for _, name := range slices.Concat(f.In(nlinalg), f.In(slinalg)) {
			f.Names = append(slices.Clone(f.Names), "T.linalg."+name)
			rows = append(rows, symbolicRow("T.linalg", name, &f))
		}
	}
	return rows
}

type triangularArgs struct {
	A     functions.Operand `arg:"a: a triangular matrix, or a stack of them, of which one half is read"`
	B     functions.Operand `arg:"b: a vector, a matrix of columns, or a stack; with one axis less than a, vectors"`
	Trans starlark.Value    `arg:"trans=0: whether to solve with the transpose of a: 0 or \"N\", 1, 2, \"T\" or \"C\""`
	Lower bool              `arg:"lower=False: whether a is lower triangular"`
	Unit  bool              `arg:"unit_diagonal=False: whether the diagonal of a counts as ones"`
	BNdim int               `arg:"b_ndim=0: 1 if b has vectors, 2 if it has matrices; by its axes if not given"`
	np.Unchecked
}

// matrixAndColumns are the parameters of systems whose kind the name says.
type matrixAndColumns struct {
	A functions.Operand `arg:"A|a: a matrix, or a stack of them"`
	B functions.Operand `arg:"b: a vector, a matrix of columns, or a stack; with one axis less than A, vectors"`
}

// solves makes a row of Theano's for systems of one kind.
func solves(name, doc, example string, o graph.Op) functions.Function {
	return TensorRow(slinalg+"."+name, doc, example, func(g *functions.Graph, a *matrixAndColumns) (*graph.Variable, error) {
		return formula.Solve(g.Builder, o, a.A.V, a.B.V, 0)
	})
}

// linearTable is the linear algebra that T alone has.
var linearTable = []functions.Function{
	TensorRow(slinalg+".solve_triangular", "The solution x of a x = b for a triangular a.",
		"solve_triangular([[2.0, 0], [1, 1]], [4.0, 3], lower=True) # array([2., 1.])", func(g *functions.Graph, a *triangularArgs) (*graph.Variable, error) {
			trans, err := readTrans(a.Trans)
			if err != nil {
				return nil, err
			}
			return formula.Solve(g.Builder, op.SolveTriangular{Upper: !a.Lower, Trans: trans, Unit: a.Unit}, a.A.V, a.B.V, a.BNdim)
		}),
	solves("solve_lower_triangular", "The solution x of A x = b for a lower triangular A, of which the lower half is read.",
		"solve_lower_triangular([[2.0, 0], [1, 1]], [4.0, 3]) # array([2., 1.])", op.SolveTriangular{}),
	solves("solve_upper_triangular", "The solution x of A x = b for an upper triangular A, of which the upper half is read.",
		"solve_upper_triangular([[2.0, 1], [0, 1]], [5.0, 1]) # array([2., 1.])", op.SolveTriangular{Upper: true}),
	solves("solve_symmetric", "The solution x of A x = b for a symmetric A, of which the upper half is read.",
		"solve_symmetric([[2.0, 0], [0, 1]], [4.0, 3]) # array([2., 3.])", op.Solve{Assume: "sym", Upper: true}),
	TensorRow(slinalg+".cho_solve", "The solution x of a x = b for the factor of a that cholesky gives: a pair of the factor and whether it is the lower one.",
		"cho_solve(([[2.0, 0], [1, 3]], True), [4.0, 11]) # array([0.5, 1. ])", choSolve),
	functions.New(slinalg+".lu", "The factors p, l and u of a matrix: a is p @ l @ u, p a permutation, l lower triangular with ones on the diagonal, u upper triangular.",
		"lu([[1.0, 2], [4, 4]])[2] # array([[4., 4.],\n       [0., 1.]])", np.Kinds, functions.BuildsParts(func(g *functions.Graph, a *struct {
			A        functions.Operand `arg:"a: a matrix, or a stack of them"`
			Together bool              `arg:"permute_l=False: whether to give p @ l and u"`
			Indices  bool              `arg:"p_indices=False: whether p is the order of the rows: a is (l @ u)[p]"`
			np.Unchecked
		}) ([]*graph.Variable, error) {
			if a.Together && a.Indices {
				return nil, fmt.Errorf("got permute_l and p_indices, want one of them")
			}
			return formula.LU(g.Builder, a.A.V, a.Together, a.Indices)
		})),
	functions.New(slinalg+".lu_factor", "The factors l, below the diagonal, and u, in one matrix, and with which row each was exchanged.",
		"lu_factor([[1.0, 2], [4, 4]])[1] # array([1, 1], dtype=int32)", np.Kinds, functions.BuildsParts(func(g *functions.Graph, a *struct {
			A functions.Operand `arg:"a: a matrix, or a stack of them"`
			np.Unchecked
		}) ([]*graph.Variable, error) {
			out, err := formula.OfMatrix(g.Builder, op.LUFactor{}, a.A.V)
			if err != nil {
				return nil, err
			}
			return out[:2], nil
		})),
	TensorRow(slinalg+".lu_solve", "The solution x of a x = b for what lu_factor gives of a: a pair of the factors and the pivots.",
		"lu_solve(([[4.0, 4], [0.25, 1]], [1, 1]), [3.0, 8]) # array([1., 1.])", luSolve),
	TensorRow(slinalg+".pivot_to_permutation", "The order of the rows of a square matrix whose pivots lu_factor gives: p for which a is (l @ u)[p], or a[p] is l @ u with inverse.",
		"pivot_to_permutation([1, 1]) # array([1, 0])", func(g *functions.Graph, a *struct {
			P       functions.Operand `arg:"p: pivots"`
			Inverse bool              `arg:"inverse=False: whether to give the order that lu_factor put the rows into"`
		}) (*graph.Variable, error) {
			order := g.Apply(op.PivotPermutation{}, a.P.V)
			if !a.Inverse {
				order = g.Apply(op.ArgSort{Axis: order.Type.Rank() - 1}, order)
			}
			return order, nil
		}),
	TensorRow(slinalg+".eigvalsh", "The eigenvalues w of a symmetric matrix, ascending, or those of a v = w b v for a positive definite b.",
		"eigvalsh([[2.0, 0], [0, 1]]) # array([1., 2.])", func(g *functions.Graph, a *struct {
			A     functions.Operand `arg:"a: a symmetric matrix, or a stack of them, of which one half is read"`
			B     functions.Operand `arg:"b=None: a symmetric and positive definite one; the identity if not given"`
			Lower bool              `arg:"lower=True: whether the lower half is read"`
		}) (*graph.Variable, error) {
			if a.B.V != nil {
				return formula.EigvalshOf(g.Builder, a.A.V, a.B.V, a.Lower)
			}
			out, err := formula.OfMatrix(g.Builder, op.Eigvalsh{Upper: !a.Lower}, a.A.V)
			if err != nil {
				return nil, err
			}
			return out[0], nil
		}),
	TensorRow(slinalg+".expm", "The exponential of a square matrix.", "expm([[0.0, 1], [0, 0]]) # array([[1., 1.],\n       [0., 1.]])",
		func(g *functions.Graph, a *struct {
			A functions.Operand `arg:"A|a: a square matrix, or a stack of them"`
		}) (*graph.Variable, error) {
			out, err := formula.OfMatrix(g.Builder, op.Expm{}, a.A.V)
			if err != nil {
				return nil, err
			}
			return out[0], nil
		}),
	TensorRow(slinalg+".block_diag", "Matrices along the diagonal of one, with zeros elsewhere.",
		"block_diag([[1, 2]], [[3]]) # array([[1, 2, 0],\n       [0, 0, 3]])", func(g *functions.Graph, a *struct {
			List []functions.Operand `arg:"*matrices: matrices, or stacks of them"`
		}) (*graph.Variable, error) {
			return formula.BlockDiag(g.Builder, variablesOf(a.List))
		}),
	TensorRow(nlinalg+".matrix_dot", "The product of matrices, from the left.", "matrix_dot([[1, 2]], [[3], [4]]) # array([[11]])",
		func(g *functions.Graph, a *struct {
			List []functions.Operand `arg:"*args: matrices; the first and the last may be vectors"`
		}) (*graph.Variable, error) {
			return formula.MatrixDot(g.Builder, variablesOf(a.List))
		}),
	TensorRow(nlinalg+".diag", "The matrix with a vector on its diagonal, or a matrix's diagonal.", "diag([[1, 2], [3, 4]]) # array([1, 4])",
		func(g *functions.Graph, a *VariableArg) (*graph.Variable, error) {
			return formula.Diag(g.Builder, a.X.V, 0)
		}),
	TensorRow("T.extract_diag "+nlinalg+".extract_diag", "A diagonal of two axes, as the last axis.", "extract_diag([[1, 2], [3, 4]]) # array([1, 4])",
		func(g *functions.Graph, a *diagonalArgs) (*graph.Variable, error) {
			return formula.Diagonal(g.Builder, a.X.V, a.Offset, a.Axis1, a.Axis2)
		}),
	TensorRow("T.alloc_diag "+nlinalg+".alloc_diag", "The square matrix with a vector on a diagonal, for each vector along the last axis; the matrices lie along two axes.",
		"alloc_diag([1, 2]) # array([[1, 0],\n       [0, 2]])", func(g *functions.Graph, a *diagonalArgs) (*graph.Variable, error) {
			return formula.AllocDiag(g.Builder, a.X.V, a.Offset, a.Axis1, a.Axis2)
		}),
	TensorRow("T.vecdot", "The sums of products of vectors along the last axis. Axes before it broadcast.", "vecdot([[1, 2], [3, 4]], [1, 10]) # array([21, 43])",
		products(formula.VecDot)),
	TensorRow("T.matvec", "The products of matrices in the last two axes with vectors along the last. Axes before those broadcast.",
		"matvec([[1, 2], [3, 4]], [1, 10]) # array([21, 43])", products(formula.MatVec)),
	TensorRow("T.vecmat", "The products of vectors along the last axis with matrices in the last two. Axes before those broadcast.",
		"vecmat([1, 10], [[1, 2], [3, 4]]) # array([31, 42])", products(formula.VecMat)),
	TensorRow("T.batched_tensordot", "tensordot for each place of the first axis, which both have. The other axes keep their numbers, from 1.",
		"batched_tensordot([[1, 2], [3, 4]], [[5, 6], [7, 8]], 1) # array([17, 53])", func(g *functions.Graph, a *struct {
			pairArg
			Axes starlark.Value `arg:"axes=2: how many axes, or a pair of lists of axes of x and of y"`
		}) (*graph.Variable, error) {
			m, n := a.X.V.Type.Rank(), a.Y.V.Type.Rank()
			if a.Axes == nil {
				a.Axes = starlark.MakeInt(2)
			}
			// How many counts the last axes of x and the first ones of y behind the one of the
			// products.
			if k, err := value.Int(a.Axes); err == nil {
				if k < 0 || k > min(m, n)-1 {
					return nil, fmt.Errorf("for parameter axes: got %d, want 0 to %d", k, min(m, n)-1)
				}
				var left, right []int
				for i := range k {
					left, right = append(left, m-k+i), append(right, 1+i)
				}
				return formula.BatchedTensorDot(g.Builder, a.X.V, a.Y.V, left, right)
			}
			left, right, err := numeric.SummedAxes(a.Axes, m, n)
			if err != nil {
				return nil, err
			}
			return formula.BatchedTensorDot(g.Builder, a.X.V, a.Y.V, left, right)
		}),
}

type pairArg struct {
	X functions.Operand `arg:"x|x1: variable, number or array"`
	Y functions.Operand `arg:"y|x2: variable, number or array"`
}

// products is how a row of a product of two variables is built.
func products(build formula.Pairing) func(g *functions.Graph, a *productArgs) (*graph.Variable, error) {
	return func(g *functions.Graph, a *productArgs) (*graph.Variable, error) {
		x, y := a.X.V, a.Y.V
		if a.DType != kernels.Invalid {
			x, y = g.Apply(op.Cast(a.DType), x), g.Apply(op.Cast(a.DType), y)
		}
		return build.Of(g.Builder, x, y)
	}
}

// productArgs are those of vecdot and its like.
type productArgs struct {
	pairArg
	DType kernels.DType `arg:"dtype=None: the type to compute in"`
}

type diagonalArgs struct {
	VariableArg
	Offset int `arg:"offset=0: the diagonal; above the main one if positive"`
	Axis1  int `arg:"axis1=0: the axis of the rows"`
	Axis2  int `arg:"axis2=1: the axis of the columns"`
}

// variablesOf are the variables of a list of operands.
func variablesOf(list []functions.Operand) []*graph.Variable {
	variables := make([]*graph.Variable, len(list))
	for i, x := range list {
		variables[i] = x.V
	}
	return variables
}

// readTrans reads SciPy's words for a transpose.
func readTrans(v starlark.Value) (bool, error) {
	if v == nil {
		return false, nil
	}
	if s, ok := starlark.AsString(v); ok {
		switch s {
		case "N":
			return false, nil
		case "T", "C":
			return true, nil
		}
	} else if n, err := value.Int(v); err == nil && n >= 0 && n <= 2 {
		return n > 0, nil
	} else if b, ok := v.(starlark.Bool); ok {
		return bool(b), nil
	}
	return false, fmt.Errorf("for parameter trans: got %s, want 0, 1, 2, \"N\", \"T\" or \"C\"", value.Repr(v))
}

type choSolveArgs struct {
	Factor []functions.Operand `arg:"c_and_lower: a pair: the factor, or a stack of them, and True if it is the lower one"`
	B      functions.Operand   `arg:"b: a vector, a matrix of columns, or a stack; with one axis less than the factor, vectors"`
	BNdim  int                 `arg:"b_ndim=0: 1 if b has vectors, 2 if it has matrices; by its axes if not given"`
	np.Unchecked
}

func choSolve(g *functions.Graph, a *choSolveArgs) (*graph.Variable, error) {
	if len(a.Factor) != 2 {
		return nil, fmt.Errorf("for parameter c_and_lower: got %d values, want a pair such as (c, True)", len(a.Factor))
	}
	lower, ok := a.Factor[1].Value.(starlark.Bool)
	if n, err := value.Int(a.Factor[1].Value); err == nil {
		lower, ok = n != 0, true
	}
	if !ok {
		return nil, fmt.Errorf("for parameter c_and_lower: got a %s behind the factor, want True or False", a.Factor[1].Value.Type())
	}
	return formula.ChoSolve(g.Builder, a.Factor[0].V, a.B.V, bool(lower), a.BNdim)
}

type luSolveArgs struct {
	Factors []functions.Operand `arg:"lu_and_piv|LU_and_pivots: a pair: the factors and the pivots, or stacks of them"`
	B       functions.Operand   `arg:"b: a vector, a matrix of columns, or a stack; with one axis less than the factors, vectors"`
	Trans   starlark.Value      `arg:"trans=0: whether to solve with the transpose of a: 0 or \"N\", 1, 2, \"T\" or \"C\""`
	BNdim   int                 `arg:"b_ndim=0: 1 if b has vectors, 2 if it has matrices; by its axes if not given"`
	np.Unchecked
}

func luSolve(g *functions.Graph, a *luSolveArgs) (*graph.Variable, error) {
	if len(a.Factors) != 2 {
		return nil, fmt.Errorf("for parameter lu_and_piv: got %d values, want a pair, as lu_factor gives", len(a.Factors))
	}
	if d := a.Factors[1].V.Type.DType; d.IsFloat() {
		return nil, fmt.Errorf("for parameter lu_and_piv: got pivots of type %v, want integers", d)
	}
	trans, err := readTrans(a.Trans)
	if err != nil {
		return nil, err
	}
	return formula.LUSolve(g.Builder, a.Factors[0].V, a.Factors[1].V, a.B.V, trans, a.BNdim)
}
