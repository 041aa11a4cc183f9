package panel_test

import (
	"strings"
	"testing"
	"time"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/advice"
	"github.com/arignote/arignote/profiler/panel"
	"github.com/arignote/arignote/profiler/text"
	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/runtime/graph"
)

// TestAdviceShown: the text and the panel advise what is advised of the profile as it was measured,
// in which a third of the time of calls is interruptions.
func TestAdviceShown(t *testing.T) {
	line := profiler.Origin{Frames: []graph.Frame{{File: "net.py", Line: 3}}, Role: "forward"}
	f := &profiler.Function{Name: "f", Calls: 100, Runs: 100, CallTime: 150e6, RunTime: 150e6, Variables: 2, Shared: []int{0}, Results: []int{1},
		Names: map[int]string{0: "W"}, Nodes: []*profiler.Node{{Op: "dot", Key: "dot", Class: "tensor.basic.Dot", Text: "dot(W, W)", Impl: "C", Origin: line,
			Calls: 100, Time: 150e6, Min: 1e6, Max: 20e6, Slow: 5, SlowTime: 55e6, In: []int{0, 0}, Out: []int{1}}}}
	s := profiler.NewStats(profiler.Options{Name: "f"})
	s.Functions = []*profiler.Function{f}
	s.SetCell(&profiler.Cell{Name: "In[2]", Wall: 200 * time.Millisecond, Spots: []profiler.Spot{{Kind: profiler.CompiledFunctions, Name: "f", File: "In[2]", Line: 2, Time: 150 * time.Millisecond}}})
	list := advice.Of(s)
	if len(list) != 1 || list[0].Rule.ID != "same-each-call" || list[0].Gain < 0.7*list[0].Of {
		t.Fatalf("got %v, want most of 200 ms by same-each-call", list)
	}
	if steady := advice.Of(s.Steady()); len(steady) != 1 || steady[0].Gain > 0.55*steady[0].Of {
		t.Fatalf("without interruptions: got %v", steady)
	}
	short, err := text.Of(s, text.Options{Layout: text.Arignote, Brief: true})
	if err != nil {
		t.Fatal(err)
	}
	for name, shown := range map[string]string{"text": short, "panel": panel.HTML([]*profiler.Stats{s}, panel.Options{})} {
		if shown = strings.Join(strings.Fields(units.Plain(shown)), " "); !strings.Contains(shown, units.Plain(list[0].Saves())) {
			t.Errorf("the %s does not say that it saves %s:\n%s", name, list[0].Saves(), shown)
		}
	}
}
