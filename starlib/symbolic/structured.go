package symbolic

import (
	"fmt"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// structured are functions of the stored elements alone: what is not stored stays 0 whatever the
// function makes of 0.
var structured = []struct {
	name string
	op   op.Elemwise
}{{"structured_sigmoid", op.Sigmoid}, {"structured_exp", op.Exp}, {"structured_log", op.Log}, {"structured_abs", op.Abs}, {"structured_sqrt", op.Sqrt}, {"structured_conjugate", op.Abs},
	{"sin", op.Sin}, {"tan", op.Tan}, {"arcsin", op.Arcsin}, {"arctan", op.Arctan}, {"sinh", op.Sinh}, {"arcsinh", op.Arcsinh}, {"tanh", op.Tanh}, {"arctanh", op.Arctanh},
	{"rint", op.Round}, {"sgn", op.Sgn}, {"ceil", op.Ceil}, {"floor", op.Floor}, {"trunc", op.Trunc}, {"log1p", op.Log1p}, {"expm1", op.Expm1},
	{"deg2rad", op.Deg2rad}, {"rad2deg", op.Rad2deg}, {"sqr", op.Sqr}, {"sqrt", op.Sqrt}}

// structuredBy are those with a scalar.
var structuredBy = []struct {
	name, result string
	op           op.Elemwise
}{{"structured_pow", "array([1., 4., 9.])", op.Pow}, {"structured_minimum", "array([1., 2., 2.])", op.Minimum}, {"structured_maximum", "array([2., 2., 3.])", op.Maximum}, {"structured_add", "array([3., 4., 5.])", op.Add}}

func structuredTable() []value.Builtin {
	var table []value.Builtin
	for _, f := range structured {
		if f.name == "structured_conjugate" {
			continue
		}
		doc := "The stored elements' " + f.op.Name() + ". The gradient is structured."
		table = append(table, ofSparse(f.name, doc, "({}).eval().nnz # 3", func(b *graph.Builder, x ASparse) (ASparse, error) { return x.With(b.Apply(f.op, x.Data)), nil }))
	}
	table = append(table, ofSparse("conj", "The matrix itself: there are no complex numbers.", "({}).eval().nnz # 3", func(_ *graph.Builder, x ASparse) (ASparse, error) { return x, nil }),
		ofSparse("conjugate", "The matrix itself: there are no complex numbers.", "({}).eval().nnz # 3", func(_ *graph.Builder, x ASparse) (ASparse, error) { return x, nil }),
		ofSparse("structured_conjugate", "The matrix itself: there are no complex numbers.", "({}).eval().nnz # 3", func(_ *graph.Builder, x ASparse) (ASparse, error) { return x, nil }))
	for _, f := range structuredBy {
		table = append(table, sparseRow(f.name, "The "+f.op.Name()+" of the stored elements and a scalar. The gradient is structured.", "({}, 2).eval().data # "+f.result,
			func(s *Session, b *graph.Builder, a *struct {
				X starlark.Value `arg:"x: a sparse matrix"`
				Y starlark.Value `arg:"y: a scalar"`
			}) (starlark.Value, error) {
				x, err := s.sparseOperand(b, a.X)
				if err != nil {
					return nil, err
				}
				y, err := s.Variable(b, a.Y, x.Data)
				if err != nil {
					return nil, err
				}
				if y.Type.Rank() != 0 {
					return nil, fmt.Errorf("for parameter y: got %v, want a scalar", y.Type)
				}
				return s.buildSparse(func() (ASparse, error) { return x.With(b.Apply(f.op, x.Data, y)), nil })
			}))
	}
	return table
}
