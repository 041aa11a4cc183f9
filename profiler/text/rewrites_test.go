package text_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/profilertest"
	"github.com/arignote/arignote/profiler/text"
	"github.com/arignote/arignote/runtime/history"
)

// rewritten is a profile of one function, compiled with everything that can be told of it and never
// called.
func rewritten() *profiler.Stats {
	s := profiler.NewStats(profiler.Options{Clock: profilertest.Still()})
	s.Add(profiler.FunctionInfo{Name: "train", Compile: history.Times{
		Total: 40 * time.Millisecond, Build: 2 * time.Millisecond, Rewrite: 30 * time.Millisecond, Validate: time.Millisecond,
		Kernels: 5 * time.Millisecond, Link: 8 * time.Millisecond,
		Grads: []history.GradCall{{Place: "net.star:9:5", Time: 10 * time.Millisecond, Nodes: 57}},
	}, Rewrites: []history.Pass{
		{Name: "merge1", Time: 1e6, Before: 100, After: 90, Changes: 10},
		{Name: "canonicalize", Time: 12e6, Kernels: 5e6, Check: 2e6, Before: 90, After: 60, Rounds: 3, Changes: 42,
			Rules: []history.Rule{
				{Name: "constant_folding", Where: "fold.go:16", Tried: 300, Fired: 12, Removed: 12, Time: 6e6},
				{Name: "local_add_zero", Where: "canonicalize.rules:32", Tried: 20, Fired: 30, Removed: 30, Time: 2e6},
				{Name: "local_neg_neg", Where: "canonicalize.rules:50", Tried: 9, Time: 1e5}},
			Declined: []history.Declined{{Code: "rule.singleuse", Rule: "local_neg_sub", Where: "canonicalize.rules:51",
				Node: "neg(sub(...))", Place: "net.star:4:2", Why: "singleuse of h (net.star:3) does not hold: computed for the pattern alone",
				Count: 2}}},
		{Name: "specialize", Time: 11e6, Before: 60, After: 40, Rounds: 25, Changes: 99,
			Warning: "no fixed point after 25 rounds and with 40 nodes: local_back, local_there still apply",
			Rules: []history.Rule{{Name: "local_mul_to_sqr", Where: "specialize.rules:5", Tried: 4, Fired: 2, Made: 2, Removed: 3,
				Time: 3e6}}},
		{Name: "elemwise_fusion", Time: 2e6, Before: 40, After: 20, Changes: 4, Untold: 7, Declined: []history.Declined{
			{Code: "fusion.reduce", Rule: "elemwise_fusion", Node: "exp(x)", Place: "net.star:5:2", Why: "is stored before sum(exp(...))", Count: 1},
			{Code: "fusion.broadcast", Rule: "elemwise_fusion", Node: "exp(b)", Why: "is not fused with mul(x, exp(...))", Count: 2},
			{Code: "fusion.broadcast", Rule: "elemwise_fusion", Node: "tanh(b)", Why: "is not fused with mul(x, tanh(...))", Count: 1}}},
		{Name: "inplace_elemwise", Before: 20, After: 20, Skipped: "excluded by the tag inplace"},
	}})
	return s
}

func TestRewriteDetails(t *testing.T) {
	s := rewritten()
	profilertest.Golden(t, "rewrites.txt", written(t, s, text.Options{Rewrites: true, Details: true}))
	profilertest.RoundTrip(t, s)
	s.Functions[0].FirstCall = 10e6
	got := written(t, s, text.Options{Rewrites: true, Details: true})
	for _, want := range []string{"train: 0.060000s to the first call", "0.010000s  16.7%  the first call"} {
		if !strings.Contains(got, want) {
			t.Errorf("got\n%s\nwant %s", got, want)
		}
	}
}

// The summary fits on a screen whatever there is to tell.
func TestRewriteSummary(t *testing.T) {
	s := rewritten()
	f := s.Functions[0]
	for i := range 30 {
		f.Rewrites = append(f.Rewrites, history.Pass{Name: fmt.Sprintf("p%d", i), Time: 1, Warning: "w",
			Rules:    []history.Rule{{Name: fmt.Sprintf("r%d", i), Time: 1}},
			Declined: []history.Declined{{Code: fmt.Sprintf("c%d", i), Why: "two\nlines", Node: "n", Count: 1}}})
	}
	got := written(t, s, text.Options{Rewrites: true})
	_, summary, _ := strings.Cut(got, "Rewriter Profile\n")
	lines := strings.Split(strings.TrimRight(summary, "\n"), "\n")
	if len(lines)+1 > 15 {
		t.Errorf("got %d lines\n%s", len(lines)+1, summary)
	}
	for _, want := range []string{"canonicalize", "of which 0.005000s running constants", "warning: specialize: no fixed point",
		"3  fusion.broadcast: exp(b)", "reasons of other kinds"} {
		if !strings.Contains(summary, want) {
			t.Errorf("got\n%s\nwant %s", summary, want)
		}
	}
	if before, _, ok := strings.Cut(summary, "specialize"); !ok || !strings.Contains(before, "canonicalize") {
		t.Error("the slowest pass is not the first")
	}
}

// A gradient that two functions have was made once.
func TestTotalCompileTimes(t *testing.T) {
	s := profiler.Sum(rewritten(), rewritten())
	if c := s.Total().Compile; c.Grad() != 10*time.Millisecond || c.Kernels != 10*time.Millisecond || c.Build != 4*time.Millisecond {
		t.Errorf("got %+v", c)
	}
}
