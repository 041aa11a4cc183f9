package profilertest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/history"
)

// hostile names have broken layouts: ends of lines, controls, right to left, wide and combined
// characters, what is no UTF-8.
var hostile = []string{"f", "train", "", "a\nApply\n------\n", "tab\tb", "\u202egnorts\u202c", "\x1b[31mred", "שלום", "日本語の関数",
	"e\u0301\u0301",
	"%d%s%", "bad\xff\xfe", strings.Repeat("long", 100), "a\u2028b", "  blanks  ", "100.0%   100.0%", "... 5 more"}

// Printable is what reports make of a name.
func Printable(name string) string { return units.OneLine(name) }

// Random is a profile of up to three functions with nodes of any kind, some of which run functions.
func Random(r *rand.Rand) *profiler.Stats {
	name := func() string { return strings.ToValidUTF8(hostile[r.IntN(len(hostile))], "\uFFFD") }
	s := &profiler.Stats{Name: name(), ClockCost: 10 * r.Float64(), Memory: r.IntN(2) == 0, Sources: map[string]string{},
		Globals: &profiler.Globals{Grad: time.Duration(r.IntN(1e6)), Since: time.Duration(r.IntN(1e9))}}
	var files []string
	for i := range 1 + r.IntN(3) {
		file := fmt.Sprintf("%d%s.star", i, name())
		files = append(files, file)
		if r.IntN(4) > 0 {
			s.Sources[file] = strings.Repeat("x = "+strings.ReplaceAll(name(), "\n", " ")+"\n", 9)
		}
	}
	if r.IntN(2) == 0 {
		s.Machine = &profiler.Machine{CPU: name(), Cores: 2, Threads: 1, Roof: &profiler.Roof{Flops32: 1e11, Flops64: 5e10,
			Overhead: 20,
			Levels:   []profiler.MemoryLevel{{Name: "L1", Size: 1 << 15, Bandwidth: 1e11}, {Name: "DRAM", Bandwidth: 1e10}}}}
		s.Flags = []string{"floatX=float32", name()}
	}
	g := generator{r, name, files, s.Memory, r.IntN(4)}
	for range 1 + r.IntN(3) {
		s.Functions = append(s.Functions, g.function(1+r.Int64N(50), 0))
	}
	for _, f := range s.Functions {
		if g.IntN(2) == 0 {
			g.divide(f)
		}
	}
	return s
}

// divide gives f shapes, which add up to its calls and times.
func (g generator) divide(f *profiler.Function) {
	f.Shapes = make([]profiler.Shapes, 2+g.IntN(7))
	last := len(f.Shapes) - 1
	calls := func(of int64, to func(s *profiler.Shapes) *int64) {
		for k := range f.Shapes {
			n := g.Int64N(of + 1)
			if k == last {
				n = of
			}
			*to(&f.Shapes[k]) = n
			of -= n
		}
	}
	times := func(of float64, to func(s *profiler.Shapes) *float64) {
		for k := range f.Shapes {
			ns := of * g.Float64()
			if k == last {
				ns = of
			}
			*to(&f.Shapes[k]) = ns
			f.Shapes[k].Time += ns
			of -= ns
		}
	}
	calls(f.Calls, func(s *profiler.Shapes) *int64 { return &s.Calls })
	calls(f.Runs, func(s *profiler.Shapes) *int64 { return &s.Runs })
	times(f.CallTime-f.RunTime, func(s *profiler.Shapes) *float64 { return &s.Outside })
	times(f.RunTime-f.ThunkTime(), func(s *profiler.Shapes) *float64 { return &s.Loop })
	for k := range f.Shapes {
		f.Shapes[k].Nodes = make([]profiler.ShapesNode, len(f.Nodes))
		if k < last || g.IntN(2) == 0 {
			f.Shapes[k].Inputs = []profiler.Operand{{DType: "float32", ItemSize: 4, Shape: []int{k, 1 + g.IntN(300)}}}
		}
	}
	for i, n := range f.Nodes {
		calls(n.Calls, func(s *profiler.Shapes) *int64 { return &s.Nodes[i].Calls })
		times(n.Time, func(s *profiler.Shapes) *float64 { return &s.Nodes[i].Time })
	}
}

type generator struct {
	*rand.Rand
	name   func() string
	files  []string
	memory bool
	scopes int // the most that lie in each other
}

// function returns one whose times nest, as measured ones do.
func (g generator) function(calls int64, depth int) *profiler.Function {
	f := &profiler.Function{Name: g.name(), Calls: calls, Runs: calls}
	n := g.IntN(12)
	for i := range n {
		f.Nodes = append(f.Nodes, g.node(i, calls, depth))
	}
	f.Variables = n
	for _, node := range f.Nodes {
		f.RunTime += node.Time
	}
	f.RunTime *= 1 + g.Float64()
	f.CallTime = f.RunTime*(1+g.Float64()) + 100
	f.CallMin, f.CallMax = f.CallTime/float64(2*calls), 2*f.CallTime/float64(calls)
	f.FirstCall = f.CallMax
	f.Failed, f.FailedTime = g.Int64N(2), 100*g.Float64()
	f.Compile = history.Times{Total: time.Duration(1000 + g.IntN(1e9)), Rewrite: 900, Validate: 7, Link: 99}
	return f
}

func (g generator) node(id int, calls int64, depth int) *profiler.Node {
	op := fmt.Sprintf("Op%d", g.IntN(6)) + []string{"", "{a,b}", g.name()}[g.IntN(3)]
	n := &profiler.Node{ID: id, Op: op, Key: op, Class: fmt.Sprintf("class.%d", g.IntN(3)), Text: op + "(x, " + g.name() + ")",
		Impl: []string{"C", "Go"}[g.IntN(2)], Origin: g.origin(), Out: []int{id}}
	if g.IntN(10) == 0 {
		return n // never ran
	}
	n.Calls = calls
	n.Time = float64(calls) * 1000 * g.ExpFloat64()
	n.Min, n.Max = n.Time/float64(2*calls), 2*n.Time/float64(calls)
	if g.IntN(2) == 0 {
		n.Counted, n.Flops, n.BytesRead, n.BytesWritten = calls, 1e6*g.Float64(), 1e6*g.Float64(), 100
	}
	if id > 0 && g.IntN(3) == 0 {
		n.In = []int{id - 1}
		n.Destroys = []profiler.Alias{{}}
	}
	if g.memory {
		n.Outputs = []profiler.Operand{{DType: "float32", ItemSize: 4, Shape: []int{g.IntN(30), 1 + g.IntN(300)}}}
	}
	if parts := g.IntN(4); parts > 1 {
		for range parts {
			n.Parts = append(n.Parts, profiler.Part{Origin: g.origin(), Op: g.name(), Share: 1 / float64(parts)})
		}
	}
	if depth < 2 && g.IntN(6) == 0 {
		inner := g.function(calls*10, depth+1)
		n.Inner = []*profiler.Function{inner}
		if g.IntN(4) > 0 { // else what is inside seems to take longer
			n.Time += inner.CallTime
			n.Max += inner.CallTime
		}
	}
	return n
}

func (g generator) origin() profiler.Origin {
	o := profiler.Origin{Role: profiler.Roles[g.IntN(len(profiler.Roles))]}
	for range g.scopes {
		if g.IntN(3) > 0 {
			o.Scope = graph.JoinScopes(o.Scope, strings.ReplaceAll(g.name(), "/", ""))
		}
	}
	for range g.IntN(4) {
		o.Frames = append(o.Frames, graph.Frame{File: g.files[g.IntN(len(g.files))], Line: 1 + g.IntN(12), Func: g.name()})
	}
	return o
}
