package profiler_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/profilertest"
)

// TestScopesAddUp: whatever the profile, scopes without those in them add up to the nodes, a scope
// is its own time and that of those directly in it, and the paths of a line add up to the line.
func TestScopesAddUp(t *testing.T) {
	some := 0
	for seed := range uint64(300) {
		s := profilertest.Random(rand.New(rand.NewPCG(seed, 36)))
		near := func(what string, got, want float64) {
			t.Helper()
			if math.Abs(got-want) > 1e-6*max(want, 1) {
				t.Errorf("seed %d: %s: got %g, want %g", seed, what, got, want)
			}
		}
		var nodes, own float64
		for x := range s.Samples() {
			nodes += x.Time
		}
		rows := s.Scopes()
		for i, r := range rows {
			own += r.Own
			inside := r.Own
			for _, in := range rows[i+1:] {
				if in.Depth <= r.Depth {
					break
				}
				if in.Depth == r.Depth+1 {
					inside += in.Time
				}
			}
			near("scope "+r.Title(), r.Time, inside)
		}
		if rows != nil {
			some++
			near("all scopes", own, nodes)
		}
		for _, l := range s.Lines(false) {
			var paths float64
			for _, p := range l.Paths {
				paths += p.Time
			}
			near(fmt.Sprint("paths of line ", l.Line), paths, l.Time)
		}
		data, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var read profiler.Stats
		if err := json.Unmarshal(data, &read); err != nil {
			t.Fatal(err)
		}
		if again := read.Scopes(); !reflect.DeepEqual(fmt.Sprintf("%.6g", titlesOf(again)), fmt.Sprintf("%.6g", titlesOf(rows))) {
			t.Errorf("seed %d: read back: got %v, want %v", seed, titlesOf(again), titlesOf(rows))
		}
	}
	if some < 50 {
		t.Errorf("%d of 300 profiles have scopes", some)
	}
}

func titlesOf(rows []profiler.ScopeRow) (list []any) {
	for _, r := range rows {
		list = append(list, r.Title(), r.Own)
	}
	return list
}
