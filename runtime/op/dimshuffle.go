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

// Pattern lists the axes of a DimShuffle: "1 0" is a transpose, "x 0" makes a vector a row. x is a
// new axis of length 1. It is a string so that ops that hold one are comparable.
type Pattern string

// Axes returns the pattern as a list, with tensor.NewAxis for x.
func (p Pattern) Axes() ([]int, error) {
	return p.appendAxes(make([]int, 0, strings.Count(string(p), " ")+1))
}

func (p Pattern) appendAxes(axes []int) ([]int, error) {
	for w := range strings.FieldsSeq(string(p)) {
		if w == "x" {
			axes = append(axes, tensor.NewAxis)
			continue
		}
		n, err := strconv.Atoi(w)
		if err != nil || n < 0 {
			return nil, fmt.Errorf("got axis %q in the pattern, want x or a number from 0", w)
		}
		axes = append(axes, n)
	}
	return axes, nil
}

// DimShuffle permutes, inserts and drops axes; the result is a view. Axes that the pattern leaves
// out must have length 1.
type DimShuffle struct{ Pattern Pattern }

// NewDimShuffle makes a DimShuffle from a list of axes, with tensor.NewAxis for new ones.
func NewDimShuffle(axes []int) DimShuffle {
	words := make([]string, len(axes))
	for i, a := range axes {
		words[i] = "x"
		if a != tensor.NewAxis {
			words[i] = strconv.Itoa(a)
		}
	}
	return DimShuffle{Pattern(strings.Join(words, " "))}
}

func (d DimShuffle) Name() string { return nameOf("dimshuffle", d) }

func (d DimShuffle) Infer(in []*graph.Variable) ([]graph.Type, error) {
	return listed(d.InferOne(in))
}

// InfersFromTypes: see graph.FromTypes.
func (DimShuffle) InfersFromTypes() {}

// InferOne is Infer without a list.
func (d DimShuffle) InferOne(in []*graph.Variable) (t graph.Type, err error) {
	if err := arity(in, 1); err != nil {
		return t, err
	}
	var few [tensor.MaxRank]int
	axes, err := d.Pattern.appendAxes(few[:0])
	if err != nil {
		return t, err
	}
	x := in[0].Type
	if len(axes) > tensor.MaxRank {
		return t, fmt.Errorf("got %d axes, want at most %d", len(axes), tensor.MaxRank)
	}
	var dims [tensor.MaxRank]int
	var used [tensor.MaxRank]bool
	for i, a := range axes {
		switch {
		case a == tensor.NewAxis:
			dims[i] = 1
		case a >= x.Rank():
			return t, fmt.Errorf("got axis %d, want less than %d", a, x.Rank())
		case used[a]:
			return t, fmt.Errorf("axis %d is listed twice", a)
		default:
			dims[i], used[a] = x.Dim(a), true
		}
	}
	for a, u := range used[:x.Rank()] {
		if !u && !x.Broadcasts(a) {
			return t, fmt.Errorf("cannot drop axis %d: its length is not known to be 1; x[0] takes what is there, and T.specify_shape, T.row, T.col and "+
				"T.TensorType(dtype, shape) say that it is 1", a)
		}
	}
	return graph.TypeOf(x.DType, dims[:len(axes)]...), nil
}

func (d DimShuffle) ViewMap() []graph.Alias { return []graph.Alias{{Out: 0, In: 0}} }

func (d DimShuffle) Link(node *graph.Apply, _ kernels.Sets) (Thunk, string, error) {
	axes, err := d.Pattern.Axes()
	own := new(tensor.View)
	return func(c *Call, in, out []*tensor.Dense) (err error) {
		out[0], err = c.view(own).DimShuffle(in[0], axes)
		return err
	}, goImpl, err
}

func (d DimShuffle) Cost(in, out []graph.Array) graph.Cost { return graph.Nothing(in, out) }

// Grad puts every axis back where it was.
func (d DimShuffle) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	axes, _ := d.Pattern.Axes()
	back := make([]int, node.Inputs[0].Type.Rank())
	for i := range back {
		back[i] = tensor.NewAxis // a dropped axis
	}
	// New axes have length 1 and are dropped by leaving them out.
	for i, a := range axes {
		if a != tensor.NewAxis {
			back[a] = i
		}
	}
	return []V{b.Apply(NewDimShuffle(back), g[0])}
}

// Transpose reverses the axes of v.
func Transpose(b *graph.Builder, v V) V {
	rank := v.Type.Rank()
	axes := make([]int, rank)
	for i := range axes {
		axes[i] = rank - 1 - i
	}
	return b.Apply(NewDimShuffle(axes), v)
}

func (d DimShuffle) Label() string {
	return "InplaceDimShuffle{" + strings.ReplaceAll(string(d.Pattern), " ", ",") + "}"
}
func (d DimShuffle) Class() string { return "tensor.elemwise.DimShuffle" }

func (d DimShuffle) Length(m Maker, v V, axis int) V {
	axes, err := d.Pattern.Axes()
	if err != nil || axes[axis] == tensor.NewAxis {
		return nil // a new axis has length 1, as its type says
	}
	return length(m, v.Owner.Inputs[0], axes[axis])
}

func (d DimShuffle) Traits() Traits { return Moves }

var _ = register(DimShuffle{})

func (d DimShuffle) Cases() []Case {
	return slices.Concat(
		cases("any[2,3]", NewDimShuffle([]int{1, 0}), NewDimShuffle([]int{1, tensor.NewAxis, 0})),
		cases("any[1,3]", NewDimShuffle([]int{1}), NewDimShuffle([]int{tensor.NewAxis, 1, tensor.NewAxis})),
		cases("any[3]", NewDimShuffle([]int{tensor.NewAxis, 0}), NewDimShuffle([]int{0, tensor.NewAxis})),
		cases("any[1,1]", NewDimShuffle(nil)),
		cases("any[2,0,3]", NewDimShuffle([]int{2, 0, 1})),
	)
}
