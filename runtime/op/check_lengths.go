package op

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// CheckLengths passes its first operand on and fails unless the second equals the third or, with
// AtMost, is at most that. It holds what a node that rewriting dropped required of the lengths of
// its operands: the operation Of, along Axis, or -1 where no axis is to blame; with Spread the axis
// would broadcast if its length were known to be 1; with Elements there have to be some. Its place
// is that node's, so that the error is at the user's line.
type CheckLengths struct {
	Of       string
	Axis     int
	AtMost   bool
	Elements bool
	Spread   bool
}

func (c CheckLengths) Name() string { return nameOf("check_lengths", c) }

func (c CheckLengths) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if err := arity(in, 3); err != nil {
		return nil, err
	}
	for i, v := range in[1:] {
		if v.Type != graph.TypeOf(kernels.Int64) {
			return nil, fmt.Errorf("operand %d: got %v, want an int64 scalar", i+1, v.Type)
		}
	}
	return []graph.Type{in[0].Type}, nil
}

func (c CheckLengths) ViewMap() []graph.Alias { return []graph.Alias{{Out: 0, In: 0}} }

func (c CheckLengths) Link(node *graph.Apply, _ kernels.Sets) (Thunk, string, error) {
	return func(_ *Call, in, out []*tensor.Dense) error {
		a, b := in[1].Ints()[0], in[2].Ints()[0]
		if a != b && !(c.AtMost && a < b) {
			return c.fail(node, a, b)
		}
		out[0] = in[0]
		return nil
	}, goImpl, nil
}

// fail is the error that the operation would have given, as far as it can be told without its
// operands.
func (c CheckLengths) fail(node *graph.Apply, a, b int64) error {
	e := &graph.Error{Pos: node.Origin().Pos(), Op: c.Of}
	switch {
	case c.Elements:
		e.Msg = fmt.Sprintf("%s of no elements: axis %d has length %d", c.Of, c.Axis, b)
	case c.AtMost:
		e.Msg = fmt.Sprintf("got length %d on axis %d, want at least %d", b, c.Axis, a)
	case c.Of == "scan" && c.Axis == 0 && !c.Spread && !isLength(node.Inputs[1]):
		e.Msg = fmt.Sprintf("a sequence has %d rows, want one for each of %d steps", b, a)
		if node.Inputs[1].IsConstant() {
			e.Msg = fmt.Sprintf("got %d rows to begin with, or of a sequence, want %d", b, a)
		}
	case c.Axis < 0:
		e.Msg = fmt.Sprintf("shapes do not fit: %d and %d elements", a, b)
	default:
		e.Msg = fmt.Sprintf("shapes do not fit: axis %d is %d and %d", c.Axis, a, b)
	}
	for i, n := range []int64{a, b} {
		v := node.Inputs[1+i]
		if s, ok := v.Op().(ShapeI); ok {
			x := v.Owner.Inputs[0]
			e.Notes = append(e.Notes, graph.Note{Pos: x.Origin.Pos(), Msg: fmt.Sprintf("%s and has length %d on axis %d", graph.Describe(x), n, s.Axis)})
		}
	}
	if c.Spread && (a == 1 || b == 1) {
		e.Notes = append(e.Notes, graph.Note{Msg: broadcastHint(c.Axis)})
	}
	return e
}

// isLength reports whether v is measured, and not given.
func isLength(v V) bool {
	_, ok := v.Op().(ShapeI)
	return ok
}

func (c CheckLengths) Cost(in, out []graph.Array) graph.Cost { return graph.Nothing(in, out) }

func (c CheckLengths) Label() string { return "CheckLengths{" + c.Of + "}" }
func (c CheckLengths) Class() string { return "raise_op.Assert" }

func (c CheckLengths) Length(m Maker, v V, axis int) V { return length(m, v.Owner.Inputs[0], axis) }
func (c CheckLengths) Traits() Traits                  { return Late }

func (c CheckLengths) Requires(m Maker, node *graph.Apply) []Requirement {
	return []Requirement{{A: node.Inputs[1], B: node.Inputs[2], AtMost: c.AtMost, Elements: c.Elements, Spread: c.Spread, Axis: c.Axis}}
}

var _ = register(CheckLengths{})

func (c CheckLengths) Cases() []Case {
	return slices.Concat(
		cases("any[2,3] 4 4", CheckLengths{Of: "add", Axis: 1, Spread: true}, CheckLengths{Of: "add", Axis: 1, AtMost: true}),
		cases("any[2,0] -1 4", CheckLengths{Of: "max", AtMost: true, Elements: true}),
		cases("any 3 3", CheckLengths{Of: "reshape", Axis: -1}),
	)
}
