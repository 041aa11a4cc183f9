package op

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// CheckLabels passes labels on, integers of any shape, and fails unless each is one of n classes, 0
// to n-1. Its operands are the labels and n. An index counts negative positions from the end; a
// label does not.
type CheckLabels struct{}

var _ = register(CheckLabels{})

func (c CheckLabels) Name() string  { return "check_labels" }
func (c CheckLabels) Label() string { return "CheckLabels" }
func (c CheckLabels) Class() string { return "raise_op.CheckLabels" }

func (c CheckLabels) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if err := arity(in, 2); err != nil {
		return nil, err
	}
	if t := in[0].Type; !t.DType.IsInteger() {
		return nil, fmt.Errorf("got labels of type %v, want integers", t)
	}
	if in[1].Type != graph.TypeOf(kernels.Int64) {
		return nil, fmt.Errorf("got a number of classes of type %v, want an int64 scalar", in[1].Type)
	}
	return []graph.Type{in[0].Type}, nil
}

func (c CheckLabels) ViewMap() []graph.Alias { return []graph.Alias{{Out: 0, In: 0}} }

func (c CheckLabels) Link(*graph.Apply, kernels.Sets) (Thunk, string, error) {
	return func(call *Call, in, out []*tensor.Dense) error {
		classes := in[1].Ints()[0]
		if at, label := noLabel(call, in[0], classes); at >= 0 {
			text := fmt.Sprintf("y_i value out of bounds: %s has label %s, want one of the %d classes 0 to %d", rowOf(in[0].Shape(), at), label, classes, classes-1)
			if classes == 0 {
				text = fmt.Sprintf("y_i value out of bounds: %s has label %s, and there are no classes", rowOf(in[0].Shape(), at), label)
			}
			return &Raised{Exc: "ValueError", Msg: text}
		}
		out[0] = in[0]
		return nil
	}, goImpl, nil
}

// noLabel is the first element of an array, in C order, that is none of so many classes, and its
// text; -1 if there is none.
func noLabel(c *Call, a *tensor.Dense, classes int64) (at int, label string) {
	if a.DType() == kernels.Uint64 { // which int64 does not hold
		list := tensor.Elements[uint64](flatten(c, a))
		if at = slices.IndexFunc(list, func(v uint64) bool { return v >= uint64(classes) }); at >= 0 {
			label = fmt.Sprint(list[at])
		}
		return at, label
	}
	if a.DType() != kernels.Int64 {
		a = c.temporary(a.AsType(kernels.Int64))
	}
	list := tensor.Elements[int64](flatten(c, a))
	if at = kernels.BadLabel(list, int(classes)); at >= 0 {
		label = fmt.Sprint(list[at])
	}
	return at, label
}

// rowOf says which element of an array of labels is meant.
func rowOf(shape []int, at int) string {
	switch len(shape) {
	case 0:
		return "the row"
	case 1:
		return fmt.Sprint("row ", at)
	}
	place := make([]string, len(shape))
	for axis := range slices.Backward(place) {
		place[axis], at = fmt.Sprint(at%shape[axis]), at/shape[axis]
	}
	return "row (" + strings.Join(place, ", ") + ")"
}

// Cost compares each label.
func (c CheckLabels) Cost(in, out []graph.Array) graph.Cost {
	cost := graph.Nothing(in, out)
	cost.Flops, cost.Read[0] = in[0].Elements(), in[0].Bytes()
	return cost
}

func (c CheckLabels) Length(m Maker, v V, axis int) V { return length(m, v.Owner.Inputs[0], axis) }

// Grad: labels are integers.
func (c CheckLabels) Grad(*graph.Builder, *graph.Apply, []*graph.Variable) []*graph.Variable {
	return []V{nil, nil}
}

func (c CheckLabels) Traits() Traits { return Moves }

func (c CheckLabels) Cases() []Case {
	return slices.Concat(
		cases("int64[4](3 0 1 3) 4", c), cases("int8[2,3](0 1 2 2 1 0) 3", c), cases("uint64[2](1 0) 2", c), cases("int32[0]() 0", c), cases("uint8(4) 5", c),
	)
}
