package linalg

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/array"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/object"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// linalgRows is the functions of np.linalg.
func linalgRows() []value.Builtin { return np.RowsOf("np.linalg", np.Functions()) }

// linalgModule is np.linalg.
func linalgModule() starlark.Value {
	failed := value.Member{Name: "LinAlgError", Value: object.ClassNamed("LinAlgError"), Doc: "The class of errors of matrices that are singular, not square or not positive definite.",
		Example: `issubclass(np.linalg.LinAlgError, ValueError) # True`}
	return value.NewModule("np.linalg", "Linear algebra. Leading axes make stacks of matrices.", append(value.Builtins(linalgRows()), failed)...)
}

type (
	squareArg struct {
		A functions.Operand `arg:"a|x: a square matrix, or a stack of them"`
	}
	matrixArg struct {
		A functions.Operand `arg:"a|x: a matrix, or a stack of them"`
	}
	symmetricArgs struct {
		A    functions.Operand `arg:"a|x: a symmetric matrix, or a stack of them, of which one half is read"`
		Half string            `arg:"UPLO=\"L\": the half that is read, L for the lower and U for the upper one"`
	}
	eighArgs struct {
		symmetricArgs
		Lower  bool           `arg:"lower=True: False for the upper half, as UPLO=\"U\""`
		Driver starlark.Value `arg:"driver=None: accepted: there is one way"`
	}
	solveArgs struct {
		squareArg
		B          functions.Operand `arg:"b: a vector, a matrix of columns, or a stack; with one axis less than a, vectors"`
		Assume     string            `arg:"assume_a=\"gen\": what a is known to be: gen for nothing, sym for symmetric, pos for positive definite; then one half is read"`
		Lower      bool              `arg:"lower=False: whether that is the lower half"`
		Transposed bool              `arg:"transposed=False: whether to solve with the transpose of a"`
		BNdim      int               `arg:"b_ndim=0: 1 if b has vectors, 2 if it has matrices; by its axes if not given"`
		np.Unchecked
	}
	pinvArgs struct {
		matrixArg
		RCond     float64 `arg:"rcond=1e-15: singular values below this times the largest count as 0"`
		Hermitian bool    `arg:"hermitian=False: accepted; a symmetric matrix needs no other way"`
	}
	lstsqArgs struct {
		A     functions.Operand `arg:"a|x: a matrix"`
		B     functions.Operand `arg:"b|y: a vector, or a matrix of columns"`
		RCond *float64          `arg:"rcond=-1: singular values below this times the largest count as 0; -1 is the precision of the type, and None that times the larger of the lengths of a"`
	}
	choleskyArgs struct {
		A       functions.Operand `arg:"a|x: a positive definite matrix, or a stack of them, of which one half is read"`
		Lower   bool              `arg:"lower=True: whether that is the lower half, and the factor the lower triangular one; else both are the upper ones"`
		OnError string            `arg:"on_error=\"raise\": where a matrix is not positive definite: raise to fail, nan for a matrix of nan"`
		np.Unchecked
	}
	tensorInvArgs struct {
		A   functions.Operand `arg:"a: an array"`
		Ind int               `arg:"ind=2: how many of the first axes count the rows"`
	}
	tensorSolveArgs struct {
		A    functions.Operand `arg:"a: an array"`
		B    functions.Operand `arg:"b: an array"`
		Axes []int             `arg:"axes=None: axes of a that are moved to its end first"`
	}
	qrArgs struct {
		A    functions.Operand `arg:"a|x|A: a matrix, or a stack of them"`
		Mode string            `arg:"mode=\"reduced\": reduced for the least q, complete for a square one, r for r alone; economic and full are Theano's words for the first two"`
	}
	svdArgs struct {
		matrixArg
		Full    np.Flag `arg:"full_matrices=True: whether u and vh are square"`
		Vectors np.Flag `arg:"compute_uv=True: False to compute s alone"`
	}
)

// ofMatrix makes a row of a function of one matrix: what an operation gives.
func ofMatrix[A any](names, doc, example string, read func(a *A) (o graph.Op, x functions.Operand, err error)) functions.Function {
	return functions.New(names, doc, example, np.Kinds, functions.BuildsParts(func(g *functions.Graph, a *A) ([]functions.V, error) {
		o, x, err := read(a)
		if err != nil {
			return nil, err
		}
		return formula.OfMatrix(g.Builder, o, x.V)
	}))
}

// ofSquare is ofMatrix for an operation without parameters.
func ofSquare(names, doc, example string, o graph.Op) functions.Function {
	return ofMatrix(names, doc, example, func(a *squareArg) (graph.Op, functions.Operand, error) { return o, a.A, nil })
}

// linalgTable is factorizations, solutions and eigenvalues. What Theano has as methods of T.nlinalg
// and T.slinalg, and PyTensor of T.linalg, is T.linalg's too: see package symbolic.
var linalgTable = []functions.Function{
	ofSquare("np.linalg.inv T.nlinalg.inv T.nlinalg.matrix_inverse", "The inverse of a matrix.",
		"inv([[1, 2], [3, 5]]) # array([[-5.,  2.],\n       [ 3., -1.]])", op.Inv{}),
	functions.New("np.linalg.cholesky T.slinalg.cholesky", "The lower triangular matrix whose product with its transpose is a positive definite matrix.",
		"cholesky([[4, 2], [2, 10]]) # array([[2., 0.],\n       [1., 3.]])", np.Kinds, functions.Builds(func(g *functions.Graph, a *choleskyArgs) (functions.V, error) {
			if err := np.OneOf("on_error", a.OnError, "raise", "nan"); err != nil {
				return nil, err
			}
			return formula.Cholesky(g.Builder, a.A.V, a.Lower, a.OnError == "nan")
		})),
	ofSquare("np.linalg.det T.nlinalg.det", "The determinant of a matrix.", "det([[2, 1], [0, 3]]) # 6.0", op.Det{}),
	ofSquare("np.linalg.slogdet T.nlinalg.slogdet", "The sign of the determinant, and the logarithm of its absolute value.",
		"slogdet([[1, 0], [0, -1]])[0] # -1.0", op.SLogDet{}),
	functions.New("np.linalg.solve T.slinalg.solve", "The solution x of a x = b.", "solve([[3, 1], [1, 2]], [9, 8]) # array([2., 3.])", np.Kinds,
		functions.Builds(func(g *functions.Graph, a *solveArgs) (functions.V, error) {
			if err := np.OneOf("assume_a", a.Assume, "gen", "sym", "her", "pos"); err != nil {
				return nil, err
			}
			o, x := op.Solve{Assume: map[string]string{"sym": "sym", "her": "sym", "pos": "pos"}[a.Assume]}, a.A.V
			o.Upper = o.Assume != "" && !a.Lower
			if a.Transposed && o.Assume == "" && x.Type.Rank() >= 2 {
				x = formula.Transposed(g.Builder, x)
			}
			return formula.Solve(g.Builder, o, x, a.B.V, a.BNdim)
		})),
	functions.New("np.linalg.lstsq T.nlinalg.lstsq",
		"The x for which |b - a x| is least, the squares of what is left, the rank and the singular values of a.",
		"lstsq([[1, 0], [0, 1], [0, 0]], [2, 3, 4])[1] # array([16.])", np.Kinds, functions.BuildsParts(lstsq)),
	functions.New("np.linalg.pinv T.nlinalg.pinv", "The Moore-Penrose inverse.", "pinv([[2, 0], [0, 0]]) # array([[0.5, 0. ],\n       [0. , 0. ]])", np.Kinds,
		functions.Builds(func(g *functions.Graph, a *pinvArgs) (functions.V, error) {
			return formula.Pinv(g.Builder, a.A.V, a.RCond)
		})),
	ofMatrix("np.linalg.qr T.nlinalg.qr", "The factors q, with orthonormal columns, and r, upper triangular, of a matrix.",
		"qr([[1, 0], [0, 1]], mode=\"r\") # array([[1., 0.],\n       [0., 1.]])", func(a *qrArgs) (graph.Op, functions.Operand, error) {
			err := np.OneOf("mode", a.Mode, "reduced", "complete", "r", "economic", "full")
			return op.QR{Mode: map[string]string{"complete": "complete", "full": "complete", "r": "r"}[a.Mode]}, a.A, err
		}),
	ofMatrix("np.linalg.svd T.nlinalg.svd",
		"The factors u, s and vh of a matrix: a is u @ np.diag(s) @ vh, with orthonormal columns of u and rows of vh.",
		"svd([[3, 0], [0, 4]], compute_uv=False) # array([4., 3.])", func(a *svdArgs) (graph.Op, functions.Operand, error) {
			return op.SVD{Full: bool(a.Full && a.Vectors), Values: !bool(a.Vectors)}, a.A, nil
		}),
	ofMatrix("np.linalg.eigh T.nlinalg.eigh", "The eigenvalues of a symmetric matrix, ascending, and its eigenvectors, in columns.",
		"eigh([[2, 0], [0, 1]])[0] # array([1., 2.])", func(a *eighArgs) (graph.Op, functions.Operand, error) {
			upper, err := isUpper(a.Half)
			return op.Eigh{Upper: upper || !a.Lower}, a.A, err
		}),
	// T.slinalg.eigvalsh is a row of its own: its second parameter is another matrix.
	ofMatrix("np.linalg.eigvalsh", "The eigenvalues of a symmetric matrix, ascending.",
		"eigvalsh([[2, 0], [0, 1]]) # array([1., 2.])", func(a *symmetricArgs) (graph.Op, functions.Operand, error) {
			upper, err := isUpper(a.Half)
			return op.Eigvalsh{Upper: upper}, a.A, err
		}),
	ofSquare("np.linalg.eig T.nlinalg.eig", "The eigenvalues of a matrix, and its eigenvectors, in columns. Where they are complex it fails.",
		"eig([[2, 0], [0, 1]])[0] # array([2., 1.])", op.Eig{}),
	ofSquare("np.linalg.eigvals T.nlinalg.eigvals", "The eigenvalues of a matrix. Where they are complex it fails.",
		"eigvals([[2, 0], [0, 1]]) # array([2., 1.])", op.Eigvals{}),
	functions.New("np.linalg.tensorinv T.nlinalg.tensorinv", "The inverse of an array as a map from its last axes to the first ones, ind of them.",
		"tensorinv([[2.0, 0], [0, 4]], 1) # array([[0.5 , 0.  ],\n       [0.  , 0.25]])", np.Kinds, functions.Builds(func(g *functions.Graph, a *tensorInvArgs) (functions.V, error) {
			return formula.TensorInv(g.Builder, a.A.V, a.Ind)
		})),
	functions.New("np.linalg.tensorsolve T.nlinalg.tensorsolve", "The x for which the sums of products of a's last axes with all of x's are b.",
		"tensorsolve([[2.0, 0], [0, 4]], [2.0, 4]) # array([1., 1.])", np.Kinds, functions.Builds(func(g *functions.Graph, a *tensorSolveArgs) (functions.V, error) {
			return formula.TensorSolve(g.Builder, a.A.V, a.B.V, a.Axes)
		})),
}

// lstsq builds with the limit that NumPy 1.24 takes for singular values.
func lstsq(g *functions.Graph, a *lstsqArgs) ([]functions.V, error) {
	x, y := a.A.V, a.B.V
	switch {
	case x.Type.Rank() != 2:
		return nil, fmt.Errorf("for parameter a: got %d axes, want a matrix", x.Type.Rank())
	case y.Type.Rank() < 1 || y.Type.Rank() > 2:
		return nil, fmt.Errorf("for parameter b: got %d axes, want a vector or a matrix", y.Type.Rank())
	}
	d := array.FloatType(kernels.Promote(array.FloatType(x.Type.DType), array.FloatType(y.Type.DType)))
	x, y = formula.Cast(g.Builder, x, d), formula.Cast(g.Builder, y, d)
	limit := g.Number(d, array.Precision(d))
	switch {
	case a.RCond == nil:
		n := op.Lengths(g.Builder, x)
		limit = g.Apply(op.Mul, limit, formula.Cast(g.Builder, g.Apply(op.Maximum, n[0], n[1]), d))
	case !(*a.RCond < 0):
		limit = g.Number(d, *a.RCond)
	}
	return g.Make(op.Lstsq{}, x, y, limit)
}

// isUpper reads UPLO.
func isUpper(text string) (bool, error) {
	err := np.OneOf("UPLO", text, "L", "U", "l", "u")
	return text == "U" || text == "u", err
}

// matrices reads an argument that is a matrix or a stack of them.
func matrices(e *np.Eval, x functions.Operand) array.Matrices {
	m, err := array.MatricesOf(x.D)
	if err != nil {
		e.FailFor(x.Param, "%w", err)
	}
	m.Product = np.Product()
	return m
}

// squares is matrices for those that have to be square.
func squares(e *np.Eval, x functions.Operand) array.Matrices {
	m := matrices(e, x)
	if err := m.Square(); err != nil {
		e.Fail("%w", err)
	}
	return m
}

var _ = np.Add(np.Addition{
	Functions: slices.Concat(linalgTable, linalgNormTable, linearTable),
	Members: func() []value.Member {
		return []value.Member{{Name: "linalg", Value: linalgModule(), Doc: "Linear algebra."}}
	},
	Tables: func() map[string][]value.Builtin { return map[string][]value.Builtin{"np.linalg.": linalgRows()} },
})
