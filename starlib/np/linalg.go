package np

import (
	"github.com/arignote/arignote/kernels/linalg"
	"github.com/arignote/arignote/runtime/array"

	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// linalgRows is the functions of np.linalg.
func linalgRows() []value.Builtin { return rowsOf("np.linalg", Functions()) }

// linalgModule is np.linalg.
func linalgModule() starlark.Value {
	return &value.PartModule{Module: value.NewModule("np.linalg", "Linear algebra. Leading axes make stacks of matrices.",
		value.Builtins(linalgRows())...), Missing: missingLinalg}
}

// missingLinalg are names of numpy.linalg that np.linalg has not.
const missingLinalg = "LinAlgError tensorinv tensorsolve"

type (
	squareArg struct {
		A functions.Operand `arg:"a: a square matrix, or a stack of them"`
	}
	matrixArg struct {
		A functions.Operand `arg:"a: a matrix, or a stack of them"`
	}
	symmetricArgs struct {
		A    functions.Operand `arg:"a: a symmetric matrix, or a stack of them, of which one half is read"`
		Half string            `arg:"UPLO=\"L\": the half that is read, L for the lower and U for the upper one"`
	}
)

// linalgTable is factorizations, solutions and eigenvalues.
var linalgTable = []functions.Function{
	function("np.linalg.inv", "The inverse of a matrix.", "inv([[1, 2], [3, 5]]) # array([[-5.,  2.],\n       [ 3., -1.]])",
		func(e *eval, a *squareArg) starlark.Value { return e.toMatrix(a.A, linalg.Inv) }),
	function("np.linalg.cholesky", "The lower triangular matrix whose product with its transpose is a positive definite matrix.",
		"cholesky([[4, 2], [2, 10]]) # array([[2., 0.],\n       [1., 3.]])", func(e *eval, a *struct {
			A functions.Operand `arg:"a: a positive definite matrix, or a stack of them, of which the lower half is read"`
		}) starlark.Value {
			return e.toMatrix(a.A, linalg.Cholesky)
		}),
	function("np.linalg.det", "The determinant of a matrix.", "det([[2, 1], [0, 3]]) # 6.0",
		func(e *eval, a *squareArg) starlark.Value {
			s := e.squares(a.A)
			return e.each(s, func(i int) ([][]float64, error) {
				z, err := linalg.Det(s.At(i))
				return [][]float64{{z}}, err
			}, []int{})
		}),
	function("np.linalg.slogdet", "The sign of the determinant, and the logarithm of its absolute value.",
		"slogdet([[1, 0], [0, -1]]) # (-1.0, 0.0)", func(e *eval, a *squareArg) starlark.Value {
			s := e.squares(a.A)
			return e.each(s, func(i int) ([][]float64, error) {
				sign, log, err := linalg.SLogDet(s.At(i))
				return [][]float64{{sign}, {log}}, err
			}, []int{}, []int{})
		}),
	function("np.linalg.solve", "The solution x of a x = b.", "solve([[3, 1], [1, 2]], [9, 8]) # array([2., 3.])",
		func(e *eval, a *struct {
			squareArg
			B functions.Operand `arg:"b: a vector, a matrix of columns, or a stack; with one axis less than a, vectors"`
		}) starlark.Value {
			return e.value(e.got(array.Solve(e.interrupted, a.A.D, a.B.D)))
		}),
	function("np.linalg.lstsq",
		"The x for which |b - a x| is least, the squares of what is left, the rank and the singular values of a.",
		"lstsq([[1, 0], [0, 1], [0, 0]], [2, 3, 4])[1] # array([16.])", func(e *eval, a *struct {
			A     functions.Operand `arg:"a: a matrix"`
			B     functions.Operand `arg:"b: a vector, or a matrix of columns"`
			RCond *float64          `arg:"rcond=-1: singular values below this times the largest count as 0; -1 is the precision of the type, and None that times the larger of the lengths of a"`
		}) starlark.Value {
			z, err := array.Lstsq(a.A.D, a.B.D, a.RCond)
			if keep(e, z, err, z); e.failed() {
				return nil
			}
			return starlark.Tuple{NewArray(e.session, z.X), NewArray(e.session, z.Residuals), starlark.MakeInt(z.Rank),
				NewArray(e.session, z.SingularValues)}
		}),
	function("np.linalg.pinv", "The Moore-Penrose inverse.", "pinv([[2, 0], [0, 0]]) # array([[0.5, 0. ],\n       [0. , 0. ]])",
		func(e *eval, a *struct {
			matrixArg
			RCond float64 `arg:"rcond=1e-15: singular values below this times the largest count as 0"`
		}) starlark.Value {
			s := e.matrices(a.A)
			return e.each(s, func(i int) ([][]float64, error) {
				z, err := linalg.Pinv(s.At(i), a.RCond)
				return [][]float64{z.Data}, err
			}, []int{s.Cols, s.Rows})
		}),
	function("np.linalg.qr", "The factors q, with orthonormal columns, and r, upper triangular, of a matrix.",
		"qr(np.eye(2), mode=\"r\") # array([[1., 0.],\n       [0., 1.]])", qr),
	function("np.linalg.svd",
		"The factors u, s and vh of a matrix: a is u @ np.diag(s) @ vh, with orthonormal columns of u and rows of vh.",
		"svd([[3, 0], [0, 4]], compute_uv=False) # array([4., 3.])", svd),
	function("np.linalg.eigh", "The eigenvalues of a symmetric matrix, ascending, and its eigenvectors, in columns.",
		"eigh([[2, 0], [0, 1]])[0] # array([1., 2.])", func(e *eval, a *symmetricArgs) starlark.Value {
			half := e.half(a.Half)
			return e.eigen(a.A, 2, func(a linalg.Matrix) ([]float64, linalg.Matrix, error) { return linalg.Eigh(a, half) })
		}),
	function("np.linalg.eigvalsh", "The eigenvalues of a symmetric matrix, ascending.",
		"eigvalsh([[2, 0], [0, 1]]) # array([1., 2.])", func(e *eval, a *symmetricArgs) starlark.Value {
			half := e.half(a.Half)
			return e.eigen(a.A, 1, func(a linalg.Matrix) (w []float64, v linalg.Matrix, err error) {
				w, err = linalg.Eigvalsh(a, half)
				return w, v, err
			})
		}),
	function("np.linalg.eig", "The eigenvalues of a matrix, and its eigenvectors, in columns. Where they are complex it fails.",
		"eig([[2, 0], [0, 1]])[0] # array([2., 1.])",
		func(e *eval, a *squareArg) starlark.Value { return e.eigen(a.A, 2, linalg.Eig) }),
	function("np.linalg.eigvals", "The eigenvalues of a matrix. Where they are complex it fails.",
		"eigvals([[2, 0], [0, 1]]) # array([2., 1.])", func(e *eval, a *squareArg) starlark.Value {
			return e.eigen(a.A, 1, func(a linalg.Matrix) (w []float64, v linalg.Matrix, err error) {
				w, err = linalg.Eigvals(a)
				return w, v, err
			})
		}),
}

// matrices reads an argument that is a matrix or a stack of them.
func (e *eval) matrices(x functions.Operand) array.Matrices {
	m, err := array.MatricesOf(x.D)
	if err != nil {
		e.failFor(x.Param, "%w", err)
	}
	return m
}

// squares is matrices for those that have to be square.
func (e *eval) squares(x functions.Operand) array.Matrices {
	m := e.matrices(x)
	if err := m.Square(); err != nil {
		e.fail("%w", err)
	}
	return m
}

// each computes with every matrix: see array.Matrices. The value is an array, or a tuple of several.
func (e *eval) each(m array.Matrices, f func(i int) ([][]float64, error), shapes ...[]int) starlark.Value {
	if e.failed() {
		return nil
	}
	list, err := m.Each(e.interrupted, f, shapes...)
	list = keep(e, list, err, nil)
	if len(list) == 1 {
		return e.value(list[0])
	}
	return e.tuple(list...)
}

// toMatrix computes a matrix of the same shape of every square matrix.
func (e *eval) toMatrix(x functions.Operand, f func(linalg.Matrix) (linalg.Matrix, error)) starlark.Value {
	s := e.squares(x)
	return e.each(s, func(i int) ([][]float64, error) {
		z, err := f(s.At(i))
		return [][]float64{z.Data}, err
	}, []int{s.Rows, s.Rows})
}

// eigen computes eigenvalues of square matrices, and eigenvectors if there are two results.
func (e *eval) eigen(x functions.Operand, results int, f func(linalg.Matrix) ([]float64, linalg.Matrix, error)) starlark.Value {
	s := e.squares(x)
	return e.each(s, func(i int) ([][]float64, error) {
		w, v, err := f(s.At(i))
		return [][]float64{w, v.Data}[:results], err
	}, [][]int{{s.Rows}, {s.Rows, s.Rows}}[:results]...)
}

// half is the argument UPLO.
func (e *eval) half(text string) linalg.Triangle {
	if text = e.word("UPLO", text, "L", "U", "l", "u"); text == "U" || text == "u" {
		return linalg.Upper
	}
	return linalg.Lower
}

func qr(e *eval, a *struct {
	matrixArg
	Mode string `arg:"mode=\"reduced\": reduced for the least q, complete for a square one, r for r alone"`
}) starlark.Value {
	s := e.matrices(a.A)
	least := min(s.Rows, s.Cols)
	mode, shapes := linalg.QRReduced, [][]int{{s.Rows, least}, {least, s.Cols}}
	switch e.word("mode", a.Mode, "reduced", "complete", "r") {
	case "complete":
		mode, shapes = linalg.QRComplete, [][]int{{s.Rows, s.Rows}, {s.Rows, s.Cols}}
	case "r":
		mode, shapes = linalg.QRR, [][]int{{least, s.Cols}}
	}
	return e.each(s, func(i int) ([][]float64, error) {
		q, r := linalg.QR(s.At(i), mode)
		if mode == linalg.QRR {
			return [][]float64{r.Data}, nil
		}
		return [][]float64{q.Data, r.Data}, nil
	}, shapes...)
}

func svd(e *eval, a *struct {
	matrixArg
	Full    bool `arg:"full_matrices=True: whether u and vh are square"`
	Vectors bool `arg:"compute_uv=True: False to compute s alone"`
}) starlark.Value {
	s := e.matrices(a.A)
	least := min(s.Rows, s.Cols)
	if !a.Vectors {
		return e.each(s, func(i int) ([][]float64, error) {
			values, err := linalg.SVDVals(s.At(i))
			return [][]float64{values}, err
		}, []int{least})
	}
	rows, cols := least, least
	if a.Full {
		rows, cols = s.Rows, s.Cols
	}
	return e.each(s, func(i int) ([][]float64, error) {
		u, values, vt, err := linalg.SVD(s.At(i), a.Full)
		return [][]float64{u.Data, values, vt.Data}, err
	}, []int{s.Rows, rows}, []int{least}, []int{cols, s.Cols})
}
