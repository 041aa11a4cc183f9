package profiler_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/panel"
	"github.com/arignote/arignote/profiler/profilertest"
	"github.com/arignote/arignote/profiler/text"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
)

func TestJSONGolden(t *testing.T) {
	data, err := json.MarshalIndent(profilertest.Seed001(t), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	profilertest.Golden(t, "add.json", string(data)+"\n")
	if !strings.HasPrefix(string(data), "{\n \"version\": 2,") {
		t.Errorf("JSON begins %.40s, want the version first", data)
	}
}

func TestReadJSONErrors(t *testing.T) {
	for _, c := range []struct{ json, want string }{
		{`{`, "unexpected end"},
		{`null`, "version"},
		{`{"version":1}`, "got version 1, want 2"},
		{`{"version":2,"functions":[null]}`, "function 0 is missing"},
		{`{"version":2,"functions":[{"calls":-1}]}`, "negative"},
		{`{"version":2,"functions":[{"nodes":[null]}]}`, "node 0 is missing"},
		{`{"version":2,"functions":[{"nodes":[{"id":5}]}]}`, "node 0 has id 5"},
		{`{"version":2,"functions":[{"variables":1,"nodes":[{"out":[4]}]}]}`, "unknown variable"},
		{`{"version":2,"functions":[{"variables":1,"nodes":[{"out":[0,0]}]}]}`, "another node made"},
		{`{"version":2,"functions":[{"variables":2000000000}]}`, "variables"},
		{`{"version":2,"functions":[{"results":[1]}]}`, "unknown result"},
		{`{"version":2,"functions":[{"variables":1,"nodes":[{"out":[0],"views":[{"out":0,"in":3}]}]}]}`, "alias"},
		{`{"version":2,"functions":[{"variables":1,"nodes":[{"out":[0],"outputs":[{"shape":[-3]}]}]}]}`, "length of -3"},
		{`{"version":2,"functions":[{"variables":1,"nodes":[{"out":[0],"histogram":[[999,1]]}]}]}`, "bucket 999"},
		{`{"version":2,"functions":[{"variables":1,"nodes":[{"out":[0],"min_ns":5}]}]}`, "shortest"},
		{`{"version":2,"functions":[{"variables":1,"nodes":[{"out":[0],"ns":5}]}]}`, "got a time of 5 ns of no calls"},
	} {
		_, err := profiler.ReadJSON(strings.NewReader(c.json))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want one with %q", c.json, err, c.want)
		}
	}
}

// FuzzReadJSON: what is read can be rendered, and reads back.
func FuzzReadJSON(f *testing.F) {
	for _, s := range []*profiler.Stats{profilertest.Seed001(f), profilertest.Seed004(f), profilertest.Training(f, true), profiler.Sum(profilertest.Training(f, true), profilertest.Seed001(f))} {
		data, err := json.Marshal(s)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var s profiler.Stats
		if err := json.Unmarshal(data, &s); err != nil {
			return
		}
		for _, l := range []text.Layout{text.Aesara, text.Theano, text.ProfileMode} {
			if _, err := text.Of(&s, text.Options{Layout: l, Memory: true, Rewrites: true, MinMemorySize: -1}); err != nil {
				t.Fatal(err)
			}
		}
		if page := panel.HTML([]*profiler.Stats{&s}, panel.Options{Rewrites: true}); strings.Contains(page, "NaN") && !strings.Contains(string(data),
			"NaN") {
			t.Errorf("a number is not finite:\n%s", page)
		}
		s.LowestPeak(time.Millisecond)
		s.MemoryLines()
		again, err := json.Marshal(&s)
		if err != nil {
			t.Fatal(err)
		}
		var back profiler.Stats
		if err := json.Unmarshal(again, &back); err != nil {
			t.Fatalf("%v in what was written: %s", err, again)
		}
	})
}

// costly claims an infinite number of flops.
type costly struct{ op.Elemwise }

func (costly) Cost(in, out []graph.Array) graph.Cost { return graph.Once(math.Inf(1), in, out) }

// TestInfiniteFlops: an op that cannot count makes no JSON that cannot be read.
func TestInfiniteFlops(t *testing.T) {
	p := profilertest.Program(t, "func f(x float64[3])\n v1 = exp x\n return v1", "C")
	p.Nodes[0].Apply = &graph.Apply{Op: costly{op.Exp}, Inputs: p.Nodes[0].Apply.Inputs, Outputs: p.Nodes[0].Apply.Outputs}
	s := profiler.NewStats(profiler.Options{Clock: profilertest.Still()})
	profilertest.Play(s.Add(profiler.FunctionInfo{Program: p}), 30, 10)
	profilertest.RoundTrip(t, s)
}

// TestAddToRead: what is added to a profile of another machine is net of this machine's clock.
func TestAddToRead(t *testing.T) {
	s, err := profiler.ReadJSON(strings.NewReader(`{"version":2,"clock_cost_ns":1e6}`))
	if err != nil {
		t.Fatal(err)
	}
	s.Add(profiler.FunctionInfo{Name: "f"})
	if here := profiler.NewStats(profiler.Options{}).ClockCost; s.ClockCost != here {
		t.Errorf("got a clock cost of %g ns, want %g", s.ClockCost, here)
	}
}
