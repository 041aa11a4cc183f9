package symbolic

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// How types are written.

// TypeName is how Theano writes a type, TensorType(float64, vector), and PyTensor one whose lengths
// say more.
func TypeName(t graph.Type) string {
	if t.State != graph.NoState {
		return t.State.TheanoType()
	}
	for _, k := range kinds {
		if graph.TypeOf(t.DType, k.dims...) == t {
			return fmt.Sprintf("TensorType(%v, %s)", t.DType, k.name)
		}
	}
	return fmt.Sprintf("TensorType(%v, %s)", t.DType, staticShape(t))
}

// kinds are the shapes of variables that have a name: a static length of 1 broadcasts.
var kinds = []struct {
	name string
	dims []int
}{
	{"scalar", nil},
	{"vector", []int{graph.Unknown}},
	{"row", []int{1, graph.Unknown}},
	{"col", []int{graph.Unknown, 1}},
	{"matrix", open(2)}, {"tensor3", open(3)}, {"tensor4", open(4)}, {"tensor5", open(5)}, {"tensor6", open(6)}, {"tensor7", open(7)},
}

// open is the lengths of a type that knows none.
func open(rank int) []int { return slices.Repeat([]int{graph.Unknown}, rank) }

func broadcastable(t graph.Type) starlark.Value {
	flags := make(starlark.Tuple, t.Rank())
	for axis := range flags {
		flags[axis] = starlark.Bool(t.Broadcasts(axis))
	}
	return flags
}

// staticShape writes the static lengths as a tuple, with None for those that are not known.
func staticShape(t graph.Type) string {
	return strings.ReplaceAll(tensor.ShapeString(t.Dims()), "-1", "None")
}

// staticDims reads the static lengths of a type: one entry for each axis, or an int for a vector.
func staticDims(v starlark.Value) ([]int, error) {
	if n, ok := value.Plain(v).(starlark.Int); ok {
		v = starlark.Tuple{n}
	}
	seq, ok := v.(starlark.Indexable)
	if _, isText := v.(starlark.String); !ok || isText {
		return nil, fmt.Errorf("got %s, want a tuple", v.Type())
	}
	if seq.Len() > tensor.MaxRank {
		return nil, fmt.Errorf("got %d axes, want at most %d", seq.Len(), tensor.MaxRank)
	}
	dims := make([]int, seq.Len())
	for i := range dims {
		switch d := value.Plain(seq.Index(i)).(type) {
		case starlark.NoneType:
			dims[i] = graph.Unknown
		case starlark.Bool:
			dims[i] = graph.Unknown
			if d {
				dims[i] = 1
			}
		case starlark.Int:
			n, err := starlark.AsInt32(d)
			if err != nil || n < 0 {
				return nil, fmt.Errorf("axis %d: got %s, want a length", i, d)
			}
			dims[i] = n
		default:
			return nil, fmt.Errorf("axis %d: got %s, want a length or None", i, d.Type())
		}
	}
	return dims, nil
}
