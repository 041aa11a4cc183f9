package export

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"path"
	"strconv"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/runtime/files"
)

// DiffFormat is the end of the names of files that WriteDiff writes.
const DiffFormat = ".flame.html"

// WriteDiff writes what changed from some profiles to others as a page with a flame graph; see
// FlameDiff.
func WriteDiff(door *files.Door, path string, before, after []*profiler.Stats, moved map[string]string) error {
	if !strings.HasSuffix(strings.ToLower(path), DiffFormat) {
		return fmt.Errorf("export: %s: got a name of no format of comparisons, want one that ends with %s", path, DiffFormat)
	}
	var b bytes.Buffer
	if err := FlameDiff(&b, before, after, moved); err != nil {
		return fmt.Errorf("export: %s: %w", path, err)
	}
	if err := door.Write(path, b.Bytes()); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return nil
}

// FlameDiff writes a page with a flame graph of the profiles after, whose frames are coloured by
// what changed since those before. Lines are matched by where they were: moved says so of each,
// file:line, as far as it is known; else by their text.
func FlameDiff(w io.Writer, before, after []*profiler.Stats, moved map[string]string) error {
	before, after = profiler.Once(before...), profiler.Once(after...)
	old, now := stacksOf(before), stacksOf(after)
	by := measures(append(append([]profiler.Stack{}, old...), now...))
	d := flameData{Title: printable(titleOf(after)), Was: printable(titleOf(before)), Measures: sizesOf(by)}
	names, kinds := numbered[string]{}, numbered[levelKind]{}
	m := differ{moved: moved, by: by, names: names, kinds: kinds}
	withChance := append(by[:len(by):len(by)], measure{"chance", "", chanceOf})
	d.Root = m.frame(grow(old, withChance), grow(now, withChance))
	d.Names, d.Kinds = names.list(), kinds.list()
	return writeFlame(w, d)
}

// chanceOf is the variance of a stack's time as far as chance decides it: of what was sampled, that
// of a sum of milliseconds; calls of functions were measured.
func chanceOf(x *profiler.Stack) float64 {
	if x.Kind == profiler.CompiledFunctions {
		return 0
	}
	return 1e6 * x.Time
}

// The states of a frame, by measure.
const (
	same   = ""
	slower = "slower" // or more bytes
	faster = "faster"
	fresh  = "new"
	gone   = "gone"
)

type differ struct {
	moved map[string]string
	by    []measure
	names numbered[string]
	kinds numbered[levelKind]
}

// frame is that of what was x and is y; nil of what there was or is not. Behind what every frame
// has it has its values before, and its states.
func (m *differ) frame(x, y *branch) flameFrame {
	shown := y
	if shown == nil {
		shown = x
	}
	valuesOf := func(b *branch) []float64 {
		if b == nil {
			return make([]float64, len(m.by))
		}
		return b.values[:len(m.by)]
	}
	inside := []flameFrame{}
	for _, pair := range m.pairs(x, y) {
		inside = append(inside, m.frame(pair[0], pair[1]))
	}
	states := make([]string, len(m.by))
	for i := range m.by {
		states[i] = m.state(x, y, i)
	}
	return flameFrame{m.names.of(shown.name), m.kinds.of(shown.kind), valuesOf(y), inside, valuesOf(x), states}
}

func (m *differ) state(x, y *branch, i int) string {
	switch {
	case x == nil:
		return fresh
	case y == nil:
		return gone
	}
	margin := 0.0
	if chance := len(m.by); m.by[i].unit == "nanoseconds" {
		margin = max(1.96*math.Sqrt(x.values[chance]+y.values[chance]), profiler.MinChange*max(x.values[i], y.values[i]))
	}
	switch change := y.values[i] - x.values[i]; {
	case change > margin:
		return slower
	case change < -margin:
		return faster
	}
	return same
}

// pairs matches what is in x with what is in y.
func (m *differ) pairs(x, y *branch) (list [][2]*branch) {
	var old, now []*branch
	if x != nil {
		old = x.branches
	}
	if y != nil {
		now = y.branches
	}
	of, taken := make(map[*branch]*branch), make(map[*branch]bool)
	for _, key := range []func(b *branch, after bool) string{m.placeKey, textKey, anyFunctionKey} {
		at := make(map[string][]*branch)
		for _, b := range old {
			if k := key(b, false); k != "" && !taken[b] {
				at[k] = append(at[k], b)
			}
		}
		for _, b := range now {
			k := key(b, true)
			if k == "" || of[b] != nil || len(at[k]) == 0 {
				continue
			}
			of[b], at[k] = at[k][0], at[k][1:]
			taken[of[b]] = true
		}
	}
	for _, b := range now {
		list = append(list, [2]*branch{of[b], b})
	}
	for _, b := range old {
		if !taken[b] {
			list = append(list, [2]*branch{b, nil})
		}
	}
	return list
}

// placeKey has where a line was.
func (m *differ) placeKey(b *branch, after bool) string {
	if b.kind != callLevel && b.kind != lineLevel {
		return ""
	}
	place := path.Base(b.file) + ":" + strconv.Itoa(b.line)
	if after {
		place = m.moved[place]
	}
	if place == "" {
		return ""
	}
	return string(b.kind) + " " + place
}

// textKey has the text of a line, and of a node what it does, without its number.
func textKey(b *branch, _ bool) string {
	name := b.name
	if b.kind == callLevel || b.kind == lineLevel || b.kind == nodeLevel {
		_, name, _ = strings.Cut(name, " ")
	}
	return string(b.kind) + " " + name
}

// anyFunctionKey matches functions that have no name but the place where they were compiled.
func anyFunctionKey(b *branch, _ bool) string {
	if b.kind != functionLevel {
		return ""
	}
	return string(b.kind)
}
