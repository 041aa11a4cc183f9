package np

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/linalg"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// linalgModule is np.linalg.
func linalgModule() starlark.Value {
	return value.NewModule("np.linalg", "Linear algebra. Leading axes make stacks of matrices.",
		value.Builtins(slices.Concat(linalgTable, linalgNormTable))...)
}

func linalgRow(name, doc, example string, fn npFunc, params ...string) value.Builtin {
	return numpyRow("np.linalg.", name, doc, "np.linalg."+example, fn, params...)
}

// A stack is an array of at least two axes: matrices, in the order of the leading axes.
type stack struct {
	lead       []int
	rows, cols int
	dtype      kernels.DType // of results: float32 or float64
	data       []float64
}

// floatType is the type of results for an argument: float32 stays, and all others are float64.
func floatType(d kernels.DType) kernels.DType {
	if d == kernels.Float32 {
		return d
	}
	return kernels.Float64
}

// stack returns argument i as matrices.
func (c *call) stack(i int) (stack, error) {
	d, err := c.array(i)
	if err != nil {
		return stack{}, err
	}
	if d.Rank() < 2 {
		return stack{}, fmt.Errorf("for parameter %s: got shape %s, want a matrix", c.Params[i].Name, tensor.ShapeString(d.Shape()))
	}
	return stackOf(d), nil
}

func stackOf(d *tensor.Dense) stack {
	n := d.Rank() - 2
	return stack{d.Shape()[:n], d.Dim(n), d.Dim(n + 1), floatType(d.DType()), d.Floats()}
}

// squares is stack for matrices that have to be square.
func (c *call) squares(i int) (stack, error) {
	s, err := c.stack(i)
	if err == nil && s.rows != s.cols {
		shape := append(slices.Clone(s.lead), s.rows, s.cols)
		return stack{}, fmt.Errorf("got shape %s, want square matrices", tensor.ShapeString(shape))
	}
	return s, err
}

func (s stack) len() int { return tensor.Size(s.lead) }

func (s stack) at(i int) linalg.Matrix {
	n := s.rows * s.cols
	return linalg.Matrix{Rows: s.rows, Cols: s.cols, Data: s.data[i*n : (i+1)*n]}
}

// each computes with every matrix of s. f returns the elements of its results, which have the given shapes; they come back as
// arrays of the leading axes and these.
func (c *call) each(s stack, f func(i int) ([][]float64, error), shapes ...[]int) ([]*tensor.Dense, error) {
	results := make([]*tensor.Dense, len(shapes))
	for k, shape := range shapes {
		full := slices.Concat(s.lead, shape)
		if err := checkShape(full); err != nil {
			return nil, err
		}
		results[k] = tensor.Empty(kernels.Float64, full...)
	}
	for i := range s.len() {
		if err := c.interrupted(); err != nil {
			return nil, err
		}
		parts, err := f(i)
		if err != nil {
			return nil, err
		}
		for k, part := range parts {
			n := tensor.Size(shapes[k])
			copy(tensor.Elements[float64](results[k])[i*n:(i+1)*n], part)
		}
	}
	for k, z := range results {
		if s.dtype != kernels.Float64 {
			results[k] = z.AsType(s.dtype)
		}
	}
	return results, nil
}

// results returns one array, or a tuple of several, as the value of the call.
func (c *call) results(list []*tensor.Dense, err error) (starlark.Value, error) {
	if err != nil {
		return nil, err
	}
	if len(list) == 1 {
		return c.result(list[0], nil)
	}
	var t starlark.Tuple
	for _, d := range list {
		t = append(t, FromDenseIn(c.session, d))
	}
	return t, nil
}

// toMatrix is a function of square matrices with matrices of the same shape as results.
func toMatrix(f func(linalg.Matrix) (linalg.Matrix, error)) npFunc {
	return func(c *call) (starlark.Value, error) {
		s, err := c.squares(0)
		if err != nil {
			return nil, err
		}
		return c.results(c.each(s, func(i int) ([][]float64, error) {
			z, err := f(s.at(i))
			return [][]float64{z.Data}, err
		}, []int{s.rows, s.rows}))
	}
}

const (
	squareParam    = "a: a square matrix, or a stack of them"
	matrixParam    = "a: a matrix, or a stack of them"
	symmetricParam = "a: a symmetric matrix, or a stack of them, of which one half is read"
	halfParam      = "UPLO=\"L\": the half that is read, L for the lower and U for the upper one"
)

// linalgTable is factorizations, solutions and eigenvalues.
var linalgTable = []value.Builtin{
	linalgRow("inv", "The inverse of a matrix.", "inv([[1, 2], [3, 5]]) # array([[-5.,  2.],\n       [ 3., -1.]])",
		toMatrix(linalg.Inv), squareParam),
	linalgRow("cholesky", "The lower triangular matrix whose product with its transpose is a positive definite matrix.",
		"cholesky([[4, 2], [2, 10]]) # array([[2., 0.],\n       [1., 3.]])", toMatrix(linalg.Cholesky),
		"a: a positive definite matrix, or a stack of them, of which the lower half is read"),
	linalgRow("det", "The determinant of a matrix.", "det([[2, 1], [0, 3]]) # 6.0", func(c *call) (starlark.Value, error) {
		s, err := c.squares(0)
		if err != nil {
			return nil, err
		}
		return c.results(c.each(s, func(i int) ([][]float64, error) {
			z, err := linalg.Det(s.at(i))
			return [][]float64{{z}}, err
		}, []int{}))
	}, squareParam),
	linalgRow("slogdet", "The sign of the determinant, and the logarithm of its absolute value.",
		"slogdet([[1, 0], [0, -1]]) # (-1.0, 0.0)", func(c *call) (starlark.Value, error) {
			s, err := c.squares(0)
			if err != nil {
				return nil, err
			}
			return c.results(c.each(s, func(i int) ([][]float64, error) {
				sign, log, err := linalg.SLogDet(s.at(i))
				return [][]float64{{sign}, {log}}, err
			}, []int{}, []int{}))
		}, squareParam),
	linalgRow("solve", "The solution x of a x = b.", "solve([[3, 1], [1, 2]], [9, 8]) # array([2., 3.])", solve,
		squareParam, "b: a vector, a matrix of columns, or a stack; with one axis less than a, vectors"),
	linalgRow("lstsq", "The x for which |b - a x| is least, the squares of what is left, the rank and the singular values of a.",
		"lstsq([[1, 0], [0, 1], [0, 0]], [2, 3, 4])[1] # array([16.])", lstsq, "a: a matrix", "b: a vector, or a matrix of columns",
		"rcond=-1: singular values below this times the largest count as 0; -1 is the precision of the type, "+
			"and None that times the larger of the lengths of a"),
	linalgRow("pinv", "The Moore-Penrose inverse.", "pinv([[2, 0], [0, 0]]) # array([[0.5, 0. ],\n       [0. , 0. ]])",
		func(c *call) (starlark.Value, error) {
			s, err := c.stack(0)
			if err != nil {
				return nil, err
			}
			rcond, err := c.float(1, 1e-15)
			if err != nil {
				return nil, err
			}
			return c.results(c.each(s, func(i int) ([][]float64, error) {
				z, err := linalg.Pinv(s.at(i), rcond)
				return [][]float64{z.Data}, err
			}, []int{s.cols, s.rows}))
		}, matrixParam, "rcond=1e-15: singular values below this times the largest count as 0"),
	linalgRow("qr", "The factors q, with orthonormal columns, and r, upper triangular, of a matrix.",
		"qr(np.eye(2), mode=\"r\") # array([[1., 0.],\n       [0., 1.]])", qr, matrixParam,
		"mode=\"reduced\": reduced for the least q, complete for a square one, r for r alone"),
	linalgRow("svd", "The factors u, s and vh of a matrix: a is u @ np.diag(s) @ vh, with orthonormal columns of u and rows of vh.",
		"svd([[3, 0], [0, 4]], compute_uv=False) # array([4., 3.])", svd, matrixParam,
		"full_matrices=True: whether u and vh are square", "compute_uv=True: False to compute s alone"),
	linalgRow("eigh", "The eigenvalues of a symmetric matrix, ascending, and its eigenvectors, in columns.",
		"eigh([[2, 0], [0, 1]])[0] # array([1., 2.])", symmetric(linalg.Eigh, 2), symmetricParam, halfParam),
	linalgRow("eigvalsh", "The eigenvalues of a symmetric matrix, ascending.", "eigvalsh([[2, 0], [0, 1]]) # array([1., 2.])",
		symmetric(func(a linalg.Matrix, half linalg.Triangle) (w []float64, v linalg.Matrix, err error) {
			w, err = linalg.Eigvalsh(a, half)
			return w, v, err
		}, 1), symmetricParam, halfParam),
	linalgRow("eig", "The eigenvalues of a matrix, and its eigenvectors, in columns. Where they are complex it fails.",
		"eig([[2, 0], [0, 1]])[0] # array([2., 1.])", general(linalg.Eig, 2), squareParam),
	linalgRow("eigvals", "The eigenvalues of a matrix. Where they are complex it fails.",
		"eigvals([[2, 0], [0, 1]]) # array([2., 1.])",
		general(func(a linalg.Matrix) (w []float64, v linalg.Matrix, err error) {
			w, err = linalg.Eigvals(a)
			return w, v, err
		}, 1), squareParam),
}

// general is a function of square matrices that returns eigenvalues, and eigenvectors if there are two results.
func general(f func(linalg.Matrix) ([]float64, linalg.Matrix, error), results int) npFunc {
	return func(c *call) (starlark.Value, error) {
		s, err := c.squares(0)
		if err != nil {
			return nil, err
		}
		shapes := [][]int{{s.rows}, {s.rows, s.rows}}[:results]
		return c.results(c.each(s, func(i int) ([][]float64, error) {
			w, v, err := f(s.at(i))
			return [][]float64{w, v.Data}[:results], err
		}, shapes...))
	}
}

// symmetric is general for a function that reads one half, argument 1.
func symmetric(f func(linalg.Matrix, linalg.Triangle) ([]float64, linalg.Matrix, error), results int) npFunc {
	return func(c *call) (starlark.Value, error) {
		text, err := c.text(1, "L", "U", "l", "u")
		if err != nil {
			return nil, err
		}
		half := linalg.Lower
		if text == "U" || text == "u" {
			half = linalg.Upper
		}
		return general(func(a linalg.Matrix) ([]float64, linalg.Matrix, error) { return f(a, half) }, results)(c)
	}
}

func solve(c *call) (starlark.Value, error) {
	a, err := c.squares(0)
	if err != nil {
		return nil, err
	}
	y, err := c.array(1)
	if err != nil {
		return nil, err
	}
	shape := y.Shape()
	isVector := y.Rank() == len(a.lead)+1
	if isVector {
		if y, err = y.Reshape(append(slices.Clone(shape), 1)...); err != nil {
			return nil, err
		}
	}
	if y.Rank() < 2 {
		return nil, fmt.Errorf("for parameter b: got shape %s, want a vector or matrix", tensor.ShapeString(shape))
	}
	b := stackOf(y)
	if b.rows != a.rows {
		return nil, fmt.Errorf("for parameter b: got shape %s, want %d rows as a has", tensor.ShapeString(shape), a.rows)
	}
	x, _ := c.array(0)
	if a, b, err = together(x, y); err != nil {
		return nil, err
	}
	z, err := c.each(a, func(i int) ([][]float64, error) {
		z, err := linalg.Solve(a.at(i), b.at(i))
		return [][]float64{z.Data}, err
	}, []int{b.rows, b.cols})
	if err == nil && isVector {
		z[0], err = z[0].Reshape(z[0].Shape()[:z[0].Rank()-1]...)
	}
	return c.results(z, err)
}

// together broadcasts the leading axes of two arrays of matrices.
func together(x, y *tensor.Dense) (a, b stack, err error) {
	dtype := floatType(kernels.Promote(floatType(x.DType()), floatType(y.DType())))
	n, m := x.Rank()-2, y.Rank()-2
	lead, err := broadcastShapes([]*tensor.Dense{tensor.Empty(kernels.Bool, x.Shape()[:n]...),
		tensor.Empty(kernels.Bool, y.Shape()[:m]...)})
	if err != nil {
		return a, b, fmt.Errorf("got shapes %s, want leading axes that broadcast", shapesOf([]*tensor.Dense{x, y}))
	}
	wide := func(d *tensor.Dense) stack {
		d, _ = d.BroadcastTo(slices.Concat(lead, d.Shape()[d.Rank()-2:]))
		s := stackOf(d.Copy())
		s.dtype = dtype
		return s
	}
	for _, d := range []*tensor.Dense{x, y} {
		if err := checkShape(slices.Concat(lead, d.Shape()[d.Rank()-2:])); err != nil {
			return a, b, err
		}
	}
	return wide(x), wide(y), nil
}

// precision is the distance of 1 to the next number of a type.
func precision(d kernels.DType) float64 {
	if d == kernels.Float32 {
		return 0x1p-23
	}
	return 0x1p-52
}

func lstsq(c *call) (starlark.Value, error) {
	a, err := c.stack(0)
	if err != nil {
		return nil, err
	}
	y, err := c.array(1)
	if err != nil {
		return nil, err
	}
	shape := y.Shape()
	switch {
	case len(a.lead) > 0:
		return nil, fmt.Errorf("for parameter a: got %d axes, want a matrix", len(a.lead)+2)
	case y.Rank() < 1 || y.Rank() > 2 || y.Dim(0) != a.rows:
		return nil, fmt.Errorf("for parameter b: got shape %s, want %d rows as a has", tensor.ShapeString(shape), a.rows)
	}
	if y, err = y.Reshape(a.rows, tensor.Size(shape[1:])); err != nil {
		return nil, err
	}
	a.dtype = floatType(kernels.Promote(a.dtype, floatType(y.DType())))
	rcond := precision(a.dtype) * float64(max(a.rows, a.cols))
	if c.v[2] != starlark.None {
		if rcond, err = c.float(2, -1); err != nil {
			return nil, err
		}
		if rcond < 0 {
			rcond = precision(a.dtype)
		}
	}
	z, err := linalg.Lstsq(a.at(0), stackOf(y).at(0), rcond)
	if err != nil {
		return nil, err
	}
	array := func(data []float64, shape ...int) starlark.Value {
		return NewArray(c.session, tensor.From(data, shape...).AsType(a.dtype))
	}
	return starlark.Tuple{array(z.X.Data, append([]int{a.cols}, shape[1:]...)...), array(z.Residuals, len(z.Residuals)),
		starlark.MakeInt(z.Rank), array(z.SingularValues, len(z.SingularValues))}, nil
}

func qr(c *call) (starlark.Value, error) {
	s, err := c.stack(0)
	if err != nil {
		return nil, err
	}
	text, err := c.text(1, "reduced", "complete", "r")
	if err != nil {
		return nil, err
	}
	least := min(s.rows, s.cols)
	mode, shapes := linalg.QRReduced, [][]int{{s.rows, least}, {least, s.cols}}
	switch text {
	case "complete":
		mode, shapes = linalg.QRComplete, [][]int{{s.rows, s.rows}, {s.rows, s.cols}}
	case "r":
		mode, shapes = linalg.QRR, [][]int{{least, s.cols}}
	}
	return c.results(c.each(s, func(i int) ([][]float64, error) {
		q, r := linalg.QR(s.at(i), mode)
		if mode == linalg.QRR {
			return [][]float64{r.Data}, nil
		}
		return [][]float64{q.Data, r.Data}, nil
	}, shapes...))
}

func svd(c *call) (starlark.Value, error) {
	s, err := c.stack(0)
	if err != nil {
		return nil, err
	}
	full, err := c.bool(1, true)
	if err != nil {
		return nil, err
	}
	vectors, err := c.bool(2, true)
	if err != nil {
		return nil, err
	}
	least := min(s.rows, s.cols)
	if !vectors {
		return c.results(c.each(s, func(i int) ([][]float64, error) {
			values, err := linalg.SVDVals(s.at(i))
			return [][]float64{values}, err
		}, []int{least}))
	}
	rows, cols := least, least
	if full {
		rows, cols = s.rows, s.cols
	}
	return c.results(c.each(s, func(i int) ([][]float64, error) {
		u, values, vt, err := linalg.SVD(s.at(i), full)
		return [][]float64{u.Data, values, vt.Data}, err
	}, []int{s.rows, rows}, []int{least}, []int{cols, s.cols}))
}
