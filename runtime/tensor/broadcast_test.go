package tensor

import (
	"fmt"
	"testing"

	"github.com/arignote/arignote/kernels"
)

func TestBroadcastShapes(t *testing.T) {
	for _, c := range []struct {
		shapes [][]int
		want   string
	}{
		{nil, "[]"},
		{[][]int{{}, {}}, "[]"},
		{[][]int{{3}, {}}, "[3]"},
		{[][]int{{2, 1}, {3}}, "[2 3]"},
		{[][]int{{1}, {0}}, "[0]"},
		{[][]int{{0}, {3}}, "axis 0: 0 and 3"},
		{[][]int{{2, 3}, {5, 1, 2}}, "axis 2: 3 and 2"},
		{[][]int{{1, 4}, {3, 1}, {3, 4}, {4}}, "[3 4]"},
		// Lengths that are not known yet.
		{[][]int{{-1}, {1}}, "[-1]"},
		{[][]int{{1}, {-1}, {3}}, "[3]"},
		{[][]int{{3}, {-1}}, "[3]"},
		{[][]int{{-1}, {3}, {4}}, "axis 0: 3 and 4"},
	} {
		shape, clash := BroadcastShapes(c.shapes...)
		got := fmt.Sprint(shape)
		if clash != nil {
			got = fmt.Sprintf("axis %d: %d and %d", clash.Axis, clash.A, clash.B)
		}
		if got != c.want {
			t.Errorf("%v: got %s, want %s", c.shapes, got, c.want)
		}
	}
}

func TestCommonShape(t *testing.T) {
	a, b := From([]float64{1, 2}, 2), From([]float64{1, 2, 3}, 3)
	number := Scalar(kernels.Float64, 1)
	for _, c := range []struct {
		in   []*Dense
		want string
	}{
		{[]*Dense{a, number}, "[2]"},
		{[]*Dense{a, b}, "operands could not be broadcast together: shapes (2,) and (3,)"},
		{[]*Dense{a, number, b}, "operands could not be broadcast together: shapes (2,), () and (3,)"},
	} {
		shape, err := CommonShape(c.in...)
		got := fmt.Sprint(shape)
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}
