package op_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/op/optest"
	"github.com/arignote/arignote/runtime/tensor"
)

// TestStack: the stack of an operation on stacks of operands, one of them and all, has the rows
// that the operation computes one by one.
func TestStack(t *testing.T) {
	for _, o := range op.Structurals() {
		if _, ok := o.(op.Stacker); !ok {
			continue
		}
		t.Run(graph.BaseName(o), func(t *testing.T) {
			r, tried := rand.New(rand.NewPCG(5, 6)), 0
			for _, c := range optest.Cases(o) {
				all := make([]bool, len(c.In))
				for i, operand := range c.In {
					one := make([]bool, len(c.In))
					one[i], all[i] = true, operand.Value == nil
					if operand.Value == nil {
						tried += tryStack(t, r, c, one)
					}
				}
				tried += tryStack(t, r, c, all)
			}
			if tried == 0 {
				t.Error("no case was stacked")
			}
		})
	}
	r := rand.New(rand.NewPCG(7, 8))
	f := func(shape ...int) optest.Operand {
		return optest.Operand{Type: graph.TypeOf(kernels.Float64, shape...)}
	}
	for _, e := range []op.Elemwise{op.Add, op.Second, op.Exp, op.Switch} {
		in := []optest.Operand{f(3, 1), f(1, 2), f(1, 1)}[:e.Arity()]
		for i := range in {
			is := make([]bool, len(in))
			is[i] = true
			if tryStackOf(t, r, e, in, is) == 0 {
				t.Errorf("%s was not stacked", e.Name())
			}
		}
	}
}

func tryStack(t *testing.T, r *rand.Rand, c optest.Case, is []bool) int {
	t.Helper()
	return tryStackOf(t, r, c.Op, c.In, is)
}

// tryStackOf compares, for some numbers of rows, and returns 1 if the operation can be stacked so.
func tryStackOf(t *testing.T, r *rand.Rand, o graph.Op, in []optest.Operand, is []bool) int {
	t.Helper()
	for _, n := range []int{3, 1, 0} {
		b := &graph.Builder{}
		s := &op.Stack{Builder: b, Rows: graph.NewInput("rows", graph.TypeOf(kernels.Int64), nil)}
		values := map[*graph.Variable]*tensor.Dense{s.Rows: tensor.IntScalar(kernels.Int64, int64(n))}
		operands, stacks := make([]*graph.Variable, len(in)), make(map[*graph.Variable]*graph.Variable)
		for i, x := range in {
			if x.Value != nil {
				operands[i] = graph.NewConstant(x.Value, nil)
				continue
			}
			dims := x.Type.Dims()
			open := make([]int, len(dims))
			for axis, d := range dims {
				if open[axis] = graph.Unknown; d == 1 {
					open[axis] = 1
				}
			}
			operands[i] = graph.NewInput(fmt.Sprint("x", i), graph.TypeOf(x.Type.DType, open...), nil)
			values[operands[i]] = x.Sample(r, dims...) // of what is a stack, for its lengths
			if !is[i] {
				continue
			}
			stack := graph.NewInput(fmt.Sprint("s", i), graph.TypeOf(x.Type.DType, append([]int{graph.Unknown}, open...)...), nil)
			values[stack] = x.Sample(r, append([]int{n}, dims...)...)
			stacks[operands[i]] = stack
		}
		outs, err := b.Make(o, operands...)
		if err != nil || len(outs) != 1 || len(stacks) == 0 {
			return 0
		}
		node := outs[0].Owner
		args := make([]*graph.Variable, len(node.Inputs))
		s.Is = make([]bool, len(node.Inputs))
		for i, v := range node.Inputs {
			if args[i] = v; stacks[v] != nil {
				args[i], s.Is[i] = stacks[v], true
			} else if v.Owner != nil && v.Data == nil {
				return 0 // Coerce has put a node between
			}
		}
		z := node.Op.(op.Stacker).Stack(s, node, args)
		if z == nil {
			return 0
		}
		got := eval(t, z, values)
		if got.Rank() != node.Outputs[0].Type.Rank()+1 || got.Dim(0) != n {
			t.Fatalf("%s of %v, %v: got shape %v, want %d rows of %v", o.Name(), in, is, got.Shape(), n, node.Outputs[0].Type)
		}
		for k := range n {
			row := make(map[*graph.Variable]*tensor.Dense)
			for v, a := range values {
				row[v] = a
			}
			for v, stack := range stacks {
				if row[v], err = values[stack].Subscript(tensor.Index{At: &k}); err != nil {
					t.Fatal(err)
				}
			}
			at, err := got.Subscript(tensor.Index{At: &k})
			if err != nil {
				t.Fatal(err)
			}
			compare(t, fmt.Sprintf("%s of %v, stacks %v, row %d", o.Name(), in, is, k), []*tensor.Dense{at}, []*tensor.Dense{eval(t, outs[0], row)}, 1e-6)
		}
	}
	return 1
}
