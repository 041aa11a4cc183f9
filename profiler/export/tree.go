package export

import (
	"cmp"
	"slices"
	"strings"

	"github.com/arignote/arignote/profiler"
)

// A branch is the stacks that begin with the same frames.
type branch struct {
	frame
	values   []float64 // of all of its stacks, by measure
	branches []*branch // the dearest first

	at map[frame]*branch
}

// grow merges stacks. The root has no frame.
func grow(stacks []profiler.Stack, by []measure) *branch {
	root := &branch{values: make([]float64, len(by))}
	for i := range stacks {
		b := root
		b.add(&stacks[i], by)
		for _, f := range framesOf(&stacks[i]) {
			b = b.within(f, len(by))
			b.add(&stacks[i], by)
		}
	}
	root.sort()
	return root
}

func (b *branch) add(x *profiler.Stack, by []measure) {
	for i, m := range by {
		b.values[i] += m.of(x)
	}
}

func (b *branch) within(f frame, measures int) *branch {
	in, ok := b.at[f]
	if !ok {
		in = &branch{frame: f, values: make([]float64, measures)}
		if b.at == nil {
			b.at = make(map[frame]*branch)
		}
		b.at[f] = in
		b.branches = append(b.branches, in)
	}
	return in
}

func (b *branch) sort() {
	slices.SortStableFunc(b.branches, func(x, y *branch) int {
		for i := range x.values {
			if d := cmp.Compare(y.values[i], x.values[i]); d != 0 {
				return d
			}
		}
		return strings.Compare(x.name, y.name)
	})
	for _, in := range b.branches {
		in.sort()
	}
}

// own is what the stacks have that end here.
func (b *branch) own(measure int) float64 {
	left := b.values[measure]
	for _, in := range b.branches {
		left -= in.values[measure]
	}
	if left < 1e-9*b.values[measure] { // sums of the same numbers in another order
		return 0
	}
	return left
}
