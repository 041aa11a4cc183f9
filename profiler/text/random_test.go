package text_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/arignote/arignote/profiler/profilertest"
	"github.com/arignote/arignote/profiler/text"
)

// TestRandom writes profiles of random shape with hostile names in all layouts, and reads them
// back.
func TestRandom(t *testing.T) {
	for seed := range uint64(40) {
		s := profilertest.Random(rand.New(rand.NewPCG(seed, 5)))
		profilertest.RoundTrip(t, s)
		for _, opts := range []text.Options{
			{NApply: 3, NOps: 2, NLines: 4}, {NOps: -1, NApply: -1, NLines: -1, MinMemorySize: -1, Memory: true},
		} {
			for _, l := range []text.Layout{text.Arignote, text.Aesara, text.Theano, text.ProfileMode, text.ProfileMode2011} {
				opts.Layout = l
				t.Run(fmt.Sprintf("%d/%s/%d", seed, l, opts.NApply), func(t *testing.T) {
					profilertest.CheckText(t, s, written(t, s, opts))
				})
			}
		}
	}
}

// TestWidth: our own layout keeps to its width, whatever is asked for, and cuts nothing if there is
// none.
func TestWidth(t *testing.T) {
	for seed := range uint64(30) {
		s := profilertest.Random(rand.New(rand.NewPCG(seed, 6)))
		opts := text.Options{Layout: text.Arignote, Memory: true, Listing: true, Paths: true, Details: seed%2 == 0, Inclusive: seed%3 == 0,
			NApply: -1}
		got := written(t, s, opts)
		if n := profilertest.LongestLine(got); n > 120 {
			t.Errorf("seed %d: got a line of %d characters, want at most 120, in\n%s", seed, n, got)
		}
		opts.LineWidth = -1
		got = written(t, s, opts)
		for _, f := range s.Functions {
			for _, n := range f.Nodes {
				if n.Calls > 0 && !strings.Contains(got, profilertest.Printable(n.Text)) {
					t.Errorf("seed %d: no uncut name %q in\n%s", seed, n.Text, got)
				}
			}
		}
	}
}
