package op

import (
	"encoding/binary"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/arignote/arignote/runtime/graph"
)

// A nesting is an operation with graphs of its own, as it is registered.
type nesting interface {
	graph.Nesting
	// parseBy is parse where read finds the graph for which a text stands.
	parseBy(params string, read func(text string) (*graph.FunctionGraph, error)) (graph.Op, error)
}

// readGraph reads a graph in the plain text form.
func readGraph(text string) (*graph.FunctionGraph, error) { return graph.Parse("graph", text, Lookup) }

// writeGraph writes it.
func writeGraph(fg *graph.FunctionGraph) (string, error) { return fg.String(), nil }

// LookupBy finds an op by what graph.Nesting's NameBy gives, or by its Name if it has no graphs of
// its own. read finds the graph for which a text stands.
func LookupBy(name string, read func(text string) (*graph.FunctionGraph, error)) (graph.Op, error) {
	base, params, _ := strings.Cut(name, "{")
	if n, ok := byBase().byName[base].(nesting); ok {
		return n.parseBy(strings.TrimSuffix(params, "}"), read)
	}
	return Lookup(name)
}

// innerKey is what operations with graphs of their own are compared by: how they are written, and
// by whom, since what looks into them shows the lines.
type innerKey struct {
	text  string
	lines uint64
}

// keyOfInner is the key of an operation of this text with these graphs. It reports false if the
// text does not say all of them: the operation equals no other.
func keyOfInner(text string, graphs ...*graph.FunctionGraph) (key innerKey, ok bool) {
	if slices.ContainsFunc(graphs, (*graph.FunctionGraph).Abbreviated) {
		return key, false
	}
	var h maphash.Hash
	h.SetSeed(seed)
	var add func(o *graph.Origin)
	add = func(o *graph.Origin) {
		if o == nil {
			return
		}
		writeWords(&h, o.Scope)
		writeNumbers(&h, int(o.Role), len(o.Frames), len(o.Parts))
		for _, f := range o.Frames {
			writeWords(&h, f.File, f.Func)
			writeNumbers(&h, f.Line, f.Col)
		}
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

var seed = maphash.MakeSeed()

func writeWords(h *maphash.Hash, words ...string) {
	for _, word := range words {
		writeNumbers(h, len(word))
		h.WriteString(word)
	}
}

func writeNumbers(h *maphash.Hash, numbers ...int) {
	for _, n := range numbers {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], uint64(n))
		h.Write(b[:])
	}
}
