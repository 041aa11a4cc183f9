package text_test

import (
	"strings"
	"testing"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/panel"
	"github.com/arignote/arignote/profiler/profilertest"
	"github.com/arignote/arignote/profiler/text"
	"github.com/arignote/arignote/runtime/graph"
)

// TestSmallTruths: what our own layout says of single rows.
func TestSmallTruths(t *testing.T) {
	at := func(role string, line int) profiler.Origin {
		return profiler.Origin{Role: role, Frames: []graph.Frame{{File: "net.star", Line: line}}}
	}
	node := func(id int, role string, lines ...int) *profiler.Node {
		n := &profiler.Node{ID: id, Op: "Elemwise{mul}", Key: "mul", Text: "Elemwise{mul}(x)", Impl: "C", Calls: 1, Time: 1000, Min: 1000, Max: 1000,
			Counted: 1, Flops: 10, BytesRead: 1 << 20, BytesWritten: 8, Origin: at(role, lines[0]), Out: []int{id}}
		for _, line := range lines {
			n.Parts = append(n.Parts, profiler.Part{Origin: at("forward", line), Op: "mul", Share: 1 / float64(len(lines))})
		}
		return n
	}
	s := &profiler.Stats{Machine: &profiler.Machine{CPU: "Imaginary", Cores: 1, Threads: 1, Roof: &profiler.Roof{Flops32: 1e9, Flops64: 1e9, Overhead: 1,
		Levels: []profiler.MemoryLevel{{Name: "DRAM", Bandwidth: 1e11}}}}, Functions: []*profiler.Function{{Name: "f", Calls: 1, Runs: 1, CallTime: 4000,
		RunTime: 3500, Variables: 3, FirstCall: 4000, Nodes: []*profiler.Node{node(0, "gradient", 4, 5, 7, 5), node(1, "forward", 10, 11, 12, 13, 14, 15, 16), node(2, "update", 9)}}}}
	got := written(t, s, text.Options{Layout: text.Arignote})
	for _, want := range []string{
		"net.star:4,5,7 grad",    // all lines of a node
		"net.star:10,11+5",       // or how many there are
		"net.star:9 upd",         // of one line, that
		"roof above 100 %: ",     // why
		"a first call is cold",   // of a single one
		"+ loop 500 ns (12.5 %)", // what is measured around the nodes
	} {
		if !strings.Contains(got, want) {
			t.Errorf("want %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "bwd") {
		t.Errorf("want one word for gradient in\n%s", got)
	}
	if h := panel.HTML([]*profiler.Stats{s}, panel.Options{}); !strings.Contains(h, "Roof above 100") {
		t.Error("the panel does not say why a row is above the roof")
	}
	profilertest.CheckText(t, s, got)
}
