package op

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// Dims spells static lengths so that ops that hold them are comparable: "? 3".
type Dims string

// DimsOf lists the static lengths of t.
func DimsOf(t graph.Type) Dims {
	words := make([]string, t.Rank())
	for axis := range words {
		words[axis] = "?"
		if d := t.Dim(axis); d != graph.Unknown {
			words[axis] = strconv.Itoa(d)
		}
	}
	return Dims(strings.Join(words, " "))
}

// SpecifyShape passes its operand on and fails if a length is not as Dims says; the compiler then
// knows it.
type SpecifyShape struct{ Dims Dims }

func (s SpecifyShape) Name() string { return nameOf("specify_shape", s) }

func (s SpecifyShape) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if err := arity(in, 1); err != nil {
		return nil, err
	}
	words, dims := strings.Fields(string(s.Dims)), in[0].Type.Dims()
	if len(words) != len(dims) {
		return nil, fmt.Errorf("got %d dimensions, want %d", len(dims), len(words))
	}
	for axis, w := range words {
		if w == "?" {
			continue
		}
		n, err := strconv.Atoi(w)
		if err != nil || n < 0 {
			return nil, fmt.Errorf("got length %q, want a number or ?", w)
		}
		if dims[axis] != graph.Unknown && dims[axis] != n {
			return nil, fmt.Errorf("axis %d has length %d, want %d", axis, dims[axis], n)
		}
		dims[axis] = n
	}
	return []graph.Type{graph.TypeOf(in[0].Type.DType, dims...)}, nil
}

func (s SpecifyShape) ViewMap() []graph.Alias { return []graph.Alias{{Out: 0, In: 0}} }

func (s SpecifyShape) Link(node *graph.Apply, _ kernels.Sets) (Thunk, string, error) {
	want := node.Outputs[0].Type
	return func(_ *Call, in, out []*tensor.Dense) error {
		if !want.AcceptsShape(in[0].Shape()) {
			return fmt.Errorf("got shape %s, want %v%s", tensor.ShapeString(in[0].Shape()), want, otherAxis(in[0].Shape(), want))
		}
		out[0] = in[0]
		return nil
	}, goImpl, nil
}

// otherAxis says which axis has another length than its type.
func otherAxis(shape []int, want graph.Type) string {
	for axis, n := range shape {
		if d := want.Dim(axis); d != graph.Unknown && d != n {
			return fmt.Sprintf(": axis %d is %d, want %d", axis, n, d)
		}
	}
	return ""
}

func (s SpecifyShape) Cost(in, out []graph.Array) graph.Cost { return graph.Nothing(in, out) }

func (s SpecifyShape) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	return []V{g[0]}
}

func (SpecifyShape) Label() string { return "SpecifyShape" }
func (SpecifyShape) Class() string { return "compile.ops.SpecifyShape" }

func (s SpecifyShape) Length(m Maker, v V, axis int) V { return length(m, v.Owner.Inputs[0], axis) }
func (s SpecifyShape) Traits() Traits                  { return Moves }

var _ = register(SpecifyShape{})

func (s SpecifyShape) Cases() []Case {
	return slices.Concat(cases("any[2,3]", SpecifyShape{"? 3"}, SpecifyShape{"2 3"}, SpecifyShape{"? ?"}), cases("any", SpecifyShape{}))
}

func (s SpecifyShape) Requires(m Maker, node *graph.Apply) []Requirement {
	r := requirements{m: m}
	x, want := node.Inputs[0], node.Outputs[0].Type
	for axis := range want.Rank() {
		if d := want.Dim(axis); d != graph.Unknown {
			r.equal(r.number(d), r.length(x, axis), axis)
		}
	}
	return r.list
}
