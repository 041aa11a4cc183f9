package export_test

import (
	"bytes"
	"encoding/csv"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/export"
	"github.com/arignote/arignote/profiler/profilertest"
)

var plain = regexp.MustCompile(`^[a-z/]*$`)

// TestScopes: a scope has the same time in the rows of scopes, in CSV and in pprof.
func TestScopes(t *testing.T) {
	some := 0
	for seed := range uint64(40) {
		s := profilertest.Random(rand.New(rand.NewPCG(seed, 13)))
		rows := s.Scopes()
		if rows == nil {
			continue
		}
		some++
		want := make(map[string]float64)
		for x := range s.Samples() {
			want[x.Scope] += x.Time
		}
		var sum, own float64
		for _, ns := range want {
			sum += ns
		}
		for _, r := range rows {
			own += r.Own
		}
		if math.Abs(sum-own) > 1e-6*sum {
			t.Errorf("seed %d: the rows have %g ns, want %g", seed, own, sum)
		}
		for format, got := range map[string]map[string]float64{"CSV": csvScopes(t, s), "pprof": pprofScopes(t, s)} {
			for scope, ns := range want {
				if !plain.MatchString(scope) { // formats write others in their ways
					continue
				}
				const rounding = 50
				if math.Abs(got[scope]-ns) > 1e-6*ns+rounding {
					t.Errorf("seed %d: %s has %g ns of %q, want %g", seed, format, got[scope], scope, ns)
				}
			}
		}
	}
	if some < 10 {
		t.Errorf("%d profiles have scopes", some)
	}
}

func csvScopes(t *testing.T, s *profiler.Stats) map[string]float64 {
	t.Helper()
	var b bytes.Buffer
	if err := export.CSV(&b, []*profiler.Stats{s}, export.View()); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]int{}
	for i, name := range rows[0] {
		at[name] = i
	}
	got := make(map[string]float64)
	for _, r := range rows[1:] {
		if r[at["node"]] == "" {
			continue
		}
		ns, err := strconv.ParseFloat(r[at["time_ns"]], 64)
		if err != nil {
			t.Fatal(err)
		}
		got[r[at["scope"]]] += ns
	}
	return got
}

func pprofScopes(t *testing.T, s *profiler.Stats) map[string]float64 {
	t.Helper()
	var b bytes.Buffer
	if err := export.PProf(&b, []*profiler.Stats{s}); err != nil {
		t.Fatal(err)
	}
	p, err := profile.Parse(&b)
	if err != nil {
		t.Fatal(err)
	}
	got := make(map[string]float64)
	for _, x := range p.Sample {
		if x.Label["node"] == nil {
			continue
		}
		scope := ""
		if l := x.Label["scope"]; l != nil {
			scope = l[0]
		}
		got[scope] += float64(x.Value[0])
	}
	return got
}
