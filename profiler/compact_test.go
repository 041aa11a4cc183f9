package profiler_test

import (
	"encoding/json"
	"testing"

	"github.com/arignote/arignote/profiler/profilertest"
)

// TestCompact: what is left out is what did nothing, and the profile itself keeps it.
func TestCompact(t *testing.T) {
	s := profilertest.Training(t, true)
	whole, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	c := s.Compact()
	rules := 0
	for _, p := range c.Functions[0].Rewrites {
		for _, r := range p.Rules {
			if rules++; r.Fired == 0 {
				t.Errorf("%s in %s did not apply and is kept", r.Name, p.Name)
			}
		}
	}
	if rules != 2 {
		t.Errorf("got %d rules that applied, want 2", rules)
	}
	if again, _ := json.Marshal(s); string(again) != string(whole) {
		t.Error("the profile has changed")
	}
	profilertest.RoundTrip(t, c)
}
