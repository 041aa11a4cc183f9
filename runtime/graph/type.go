package graph

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
)

// Unknown is the length of an axis that is known only when the function runs. Such an axis never
// broadcasts.
const Unknown = -1

// Type is what is known of a variable before the function runs: its element type, its number of
// axes and, for each axis, its length or Unknown. Types are comparable.
type Type struct {
	DType kernels.DType
	// State says whose state the elements are, if they are that of a random number generator and no
	// numbers to compute with.
	State StateKind
	rank  int8
	dims  [tensor.MaxRank]int32 // short, for there are many types
}

// TypeOf makes a Type. It panics if there are more than tensor.MaxRank axes.
func TypeOf(dtype kernels.DType, dims ...int) Type {
	t := Type{DType: dtype, rank: int8(len(dims))}
	if len(dims) > tensor.MaxRank {
		panic(&Error{Msg: fmt.Sprintf("got %d axes, want at most %d", len(dims), tensor.MaxRank)})
	}
	for i, d := range dims {
		t.dims[i] = dim(d)
	}
	return t
}

// dim is the length d as a Type has it. One of more than 31 bits counts as one that is known only
// when the function runs.
func dim(d int) int32 {
	if d > math.MaxInt32 {
		return Unknown
	}
	return int32(d)
}

// AnyShape is a Type of the given rank with all lengths unknown.
func AnyShape(dtype kernels.DType, rank int) Type {
	dims := make([]int, rank)
	for i := range dims {
		dims[i] = Unknown
	}
	return TypeOf(dtype, dims...)
}

// TypeOfValue is the most exact Type of an array.
func TypeOfValue(a *tensor.Dense) Type { return TypeOf(a.DType(), a.Shape()...) }

// Rank is the number of axes.
func (t Type) Rank() int { return int(t.rank) }

// Dim is the length of an axis, or what stands for one that is not known.
func (t Type) Dim(axis int) int { return int(t.dims[axis]) }

// Dims returns the lengths; the slice is the caller's.
func (t Type) Dims() []int {
	if t.rank == 0 {
		return nil
	}
	dims := make([]int, t.rank)
	for i := range dims {
		dims[i] = int(t.dims[i])
	}
	return dims
}

// Broadcasts reports whether the axis is known to have length 1.
func (t Type) Broadcasts(axis int) bool { return t.dims[axis] == 1 }

// WithDType returns t with another element type.
func (t Type) WithDType(d kernels.DType) Type {
	t.DType = d
	return t
}

// IsStatic reports whether all lengths are known.
func (t Type) IsStatic() bool {
	for _, d := range t.dims[:t.rank] {
		if d == Unknown {
			return false
		}
	}
	return true
}

// notBroadcasting is t with lengths of 1 unknown where they are unknown in u: whoever computed with
// u relies on it that such an axis does not broadcast.
func (t Type) notBroadcasting(u Type) Type {
	for i := range t.dims[:t.rank] {
		if t.dims[i] == 1 && u.dims[i] == Unknown {
			t.dims[i] = Unknown
		}
	}
	return t
}

// Broadcast is t with the lengths of what an elementwise operation makes of values of t and u,
// which have the same number of axes: an axis of length 1 repeats, and a length that is not known
// gives way to one that is. ok is false if they do not fit.
func (t Type) Broadcast(u Type) (_ Type, ok bool) {
	if t.rank != u.rank {
		return t, false
	}
	for i, n := range u.dims[:t.rank] {
		switch d := &t.dims[i]; {
		case n == 1 || n == *d:
		case *d == 1 || *d == Unknown:
			*d = n
		case n != Unknown:
			return t, false
		}
	}
	return t, true
}

// Accepts reports whether every value of type u is a value of type t: t may know less.
func (t Type) Accepts(u Type) bool {
	if t.DType != u.DType || t.State != u.State || t.rank != u.rank {
		return false
	}
	for i, d := range t.dims[:t.rank] {
		if d != Unknown && d != u.dims[i] {
			return false
		}
	}
	return true
}

// AcceptsShape reports whether an array of this shape fits.
func (t Type) AcceptsShape(shape []int) bool {
	if int(t.rank) != len(shape) {
		return false
	}
	for i, d := range t.dims[:t.rank] {
		if d != Unknown && int(d) != shape[i] {
			return false
		}
	}
	return true
}

// String writes float64, float64[?] or float32[?,3]; of a state, whose it is.
func (t Type) String() string {
	if t.State != NoState {
		return t.State.String()
	}
	if t.rank == 0 {
		return t.DType.String()
	}
	parts := make([]string, t.rank)
	for i, d := range t.dims[:t.rank] {
		if d == Unknown {
			parts[i] = "?"
		} else {
			parts[i] = strconv.Itoa(int(d))
		}
	}
	return t.DType.String() + "[" + strings.Join(parts, ",") + "]"
}

// ParseType reads what String wrote.
func ParseType(s string) (Type, error) {
	for k := range stateKinds {
		if kind := StateKind(k); kind != NoState && s == kind.String() {
			return StateType(kind), nil
		}
	}
	name, rest, found := strings.Cut(s, "[")
	dtype, err := kernels.ParseDType(name)
	if err != nil {
		return Type{}, err
	}
	if !found {
		return TypeOf(dtype), nil
	}
	list, ok := strings.CutSuffix(rest, "]")
	if !ok {
		return Type{}, fmt.Errorf("type %q: want a closing ]", s)
	}
	var dims []int
	for _, p := range strings.Split(list, ",") {
		if p == "?" {
			dims = append(dims, Unknown)
			continue
		}
		n, err := strconv.Atoi(p)
		if err != nil || n < 0 {
			return Type{}, fmt.Errorf("type %q: got length %q, want a number or ?", s, p)
		}
		dims = append(dims, n)
	}
	if len(dims) > tensor.MaxRank {
		return Type{}, fmt.Errorf("type %q: got %d axes, want at most %d", s, len(dims), tensor.MaxRank)
	}
	return TypeOf(dtype, dims...), nil
}
