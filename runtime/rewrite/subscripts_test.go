package rewrite

import (
	"slices"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// taken are the elements that a subscript takes of a vector; false if it is out of bounds.
func taken(t *testing.T, x *tensor.Dense, word string) (*tensor.Dense, bool) {
	t.Helper()
	v := graph.NewInput("x", graph.TypeOf(kernels.Int64, graph.Unknown), nil)
	node, err := graph.NewApply(op.Subtensor{Index: op.Subscripts(word)}, []*graph.Variable{v}, nil)
	if err != nil {
		t.Fatal(err)
	}
	out, err := evaluate(node.Outputs, map[*graph.Variable]*tensor.Dense{v: x})
	if err != nil {
		return nil, false
	}
	return out[0], true
}

// words are subscripts with every kind of start, stop and step.
func words() []string {
	list := []string{"0", "1", "3", "-1", "-2"}
	for _, start := range []string{"", "0", "1", "4", "-1", "-3"} {
		for _, stop := range []string{"", "0", "2", "5", "-1", "-4"} {
			for _, step := range []string{"", ":1", ":2", ":-1", ":-2"} {
				list = append(list, start+":"+stop+step)
			}
		}
	}
	return list
}

// TestSubscriptsMerge: one subscript takes what two take one after the other, of vectors of any
// length, and fails where they fail if the length is known.
func TestSubscriptsMerge(t *testing.T) {
	known, unknown := 0, 0
	for _, n := range []int{0, 1, 2, 5} {
		all := make([]int64, n)
		for i := range all {
			all[i] = int64(i)
		}
		x := tensor.From(all, n)
		for _, first := range words() {
			part, ok := taken(t, x, first)
			if !ok || part.Rank() == 0 {
				continue
			}
			for _, second := range words() {
				want, fits := taken(t, part, second)
				for _, length := range []int{n, graph.Unknown} {
					s, ok := subscript{word: first}.then(subscript{word: second}, length)
					if !ok {
						continue
					}
					got, defined := taken(t, x, s.word)
					switch {
					case !fits && length == graph.Unknown: // check_lengths sees that the length is asked for
					case fits != defined || fits && !slices.Equal(got.Ints(), want.Ints()):
						t.Fatalf("x[%s][%s] of length %d (known: %v): got x[%s], which is %v, want %v", first, second, n, length == n, s.word, got, want)
					case length == n:
						known++
					default:
						unknown++
					}
				}
			}
		}
	}
	if known < 30000 || unknown < 10000 {
		t.Errorf("only %d pairs of known and %d of unknown lengths were merged", known, unknown)
	}
}

// TestSubscriptsApart: what is said to have nothing in common has nothing in common, and most of
// what has nothing is said to.
func TestSubscriptsApart(t *testing.T) {
	found := 0
	for _, n := range []int{0, 1, 2, 5} {
		all := make([]int64, n)
		for i := range all {
			all[i] = int64(i)
		}
		x := tensor.From(all, n)
		for _, first := range words() {
			for _, second := range words() {
				a, ok := taken(t, x, first)
				b, both := taken(t, x, second)
				if !ok || !both {
					continue
				}
				common := slices.ContainsFunc(a.Ints(), func(i int64) bool { return slices.Contains(b.Ints(), i) })
				for _, length := range []int{n, graph.Unknown} {
					if !(subscript{word: first}).apart(subscript{word: second}, length) {
						continue
					}
					found++
					if common {
						t.Fatalf("x[%s] and x[%s] of length %d (known: %v) have elements in common", first, second, n, length == n)
					}
				}
			}
		}
	}
	if found < 20000 {
		t.Errorf("only %d pairs were found apart", found)
	}
}
