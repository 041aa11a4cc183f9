package op

import (
	"fmt"
	"strings"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// An algebra writes the gradients of operations on matrices as on paper. Matrices lie along the
// last two axes.
type algebra struct{ *graph.Builder }

// mul is a product of matrices.
func (b algebra) mul(x, y V, more ...V) V {
	z := b.Apply(Matmul{}, x, y)
	for _, v := range more {
		z = b.Apply(Matmul{}, z, v)
	}
	return z
}

func (b algebra) t(x V) V      { return turned(b.Builder, x) }
func (b algebra) add(x, y V) V { return Add.do(b.Builder, x, y) }
func (b algebra) sub(x, y V) V { return Sub.do(b.Builder, x, y) }
func (b algebra) neg(x V) V    { return Neg.do(b.Builder, x) }

// sum is that of the parts that are there, nil of none.
func (b algebra) sum(parts ...V) V {
	var z V
	for _, p := range parts {
		switch {
		case p == nil:
		case z == nil:
			z = p
		default:
			z = b.add(z, p)
		}
	}
	return z
}

// grid are the numbers of the rows of x, as a column, and of its columns, as a row.
func (b algebra) grid(x V) (rows, columns V) {
	lengths := Lengths(b.Builder, x)
	rank := len(lengths)
	rows = b.Apply(NewDimShuffle([]int{0, tensor.NewAxis}), upTo(b.Builder, lengths[rank-2]))
	return rows, b.Apply(NewDimShuffle([]int{tensor.NewAxis, 0}), upTo(b.Builder, lengths[rank-1]))
}

// part is x where its rows and columns compare so, and 0 elsewhere: Ge for the lower triangle, Lt
// for what is above the diagonal.
func (b algebra) part(compare Elemwise, x V) V {
	rows, columns := b.grid(x)
	return Switch.do(b.Builder, compare.do(b.Builder, rows, columns), x, b.Like(x, 0))
}

// unit is x with ones on the diagonal.
func (b algebra) unit(x V) V {
	rows, columns := b.grid(x)
	return Switch.do(b.Builder, Eq.do(b.Builder, rows, columns), b.Like(x, 1), x)
}

// without is the identity matrix of x's size minus x.
func (b algebra) without(x V) V {
	return b.sub(b.unit(Second.do(b.Builder, x, b.Like(x, 0))), x)
}

// halved is x with half of its diagonal.
func (b algebra) halved(x V) V { return b.sub(x, times(b.Builder, 0.5, b.part(Eq, x))) }

// folded is the gradient with respect to the half of a symmetric matrix that is read, where g is
// that with respect to all of it.
func (b algebra) folded(g V, upper bool) V {
	half := Ge
	if upper {
		half = Le
	}
	return b.part(half, b.sub(b.add(g, b.t(g)), b.part(Eq, g)))
}

// column and row are vectors as matrices with one column or row.
func (b algebra) column(v V) V { return b.inserted(v, v.Type.Rank()) }
func (b algebra) row(v V) V    { return b.inserted(v, v.Type.Rank()-1) }

func (b algebra) inserted(v V, at int) V {
	order := make([]int, 0, v.Type.Rank()+1)
	for axis := range v.Type.Rank() {
		if axis == at {
			order = append(order, tensor.NewAxis)
		}
		order = append(order, axis)
	}
	if at == v.Type.Rank() {
		order = append(order, tensor.NewAxis)
	}
	return b.Apply(NewDimShuffle(order), v)
}

// spread is the matrix with the vector v on its diagonal.
func (b algebra) spread(v V) V {
	return b.part(Eq, b.add(b.column(v), b.row(Second.do(b.Builder, v, b.Like(v, 0)))))
}

// gaps are 1 / (w[j] - w[i]) in row i and column j, and 0 on the diagonal.
func (b algebra) gaps(w V) V {
	d := b.sub(b.row(w), b.column(w))
	return b.sub(Reciprocal.do(b.Builder, b.unit(d)), b.part(Eq, b.unit(d)))
}

func (b algebra) times(x, y V) V { return Mul.do(b.Builder, x, y) }

// columns are those of x from one to another, of which one may be missing.
func (b algebra) columns(x, from, to V) V {
	index, in := ":", []V{x}
	if from != nil {
		index, in = "i:", append(in, from)
	}
	if to != nil {
		index, in = strings.TrimSuffix(index, ":")+":i", append(in, to)
	}
	return b.Apply(Subtensor{wholeBefore(x.Type.Rank()-1) + Subscripts(index)}, in...)
}

// outputs are all results of an operation.
func (b algebra) outputs(o graph.Op, in ...V) []V {
	out, err := b.Make(o, in...)
	if err != nil {
		panic(err)
	}
	return out
}

// refuse ends a gradient that is not determined, or not known.
func (b algebra) refuse(o graph.Op, format string, args ...any) {
	panic(&graph.Error{Pos: b.Origin.Pos(), Op: graph.BaseName(o), Msg: fmt.Sprintf(format, args...)})
}
