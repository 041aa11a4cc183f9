package op

import (
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/arignote/arignote/runtime/graph"
)

// innerKey is what operations with graphs of their own are compared by: how they are written, and by whom, since what looks into them shows the lines.
type innerKey struct {
	text  string
	lines uint64
}

// keyOfInner is the key of an operation of this text with these graphs. It reports false if the text does not say all of them: the operation equals
// no other.
func keyOfInner(text string, graphs ...*graph.FunctionGraph) (key innerKey, ok bool) {
	if slices.ContainsFunc(graphs, (*graph.FunctionGraph).Abbreviated) {
		return key, false
	}
	h := fnv.New64a()
	var add func(o *graph.Origin)
	add = func(o *graph.Origin) {
		if o == nil {
			return
		}
		fmt.Fprint(h, o.Role, o.Frames, len(o.Parts))
		for _, p := range o.Parts {
			add(p.Origin)
		}
	}
	for _, fg := range graphs {
		for _, node := range fg.Toposort() {
			add(node.Origin())
		}
	}
	return innerKey{text, h.Sum64()}, true
}
