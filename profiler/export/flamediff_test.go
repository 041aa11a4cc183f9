package export_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/arignote/arignote/profiler/compare"
	"github.com/arignote/arignote/profiler/export"
	"github.com/arignote/arignote/profiler/profilertest"
)

// TestFlameDiff: of frames that moved, changed, came and went the page has the values of both runs,
// and what became of them.
func TestFlameDiff(t *testing.T) {
	before, after := profilertest.Changed()
	c := compare.Compare(before, after)
	var b bytes.Buffer
	if err := export.FlameDiff(&b, before, after, c.Moved()); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	_, rest, _ := strings.Cut(page, `<script id="data" type="application/json">`)
	text, _, ok := strings.Cut(rest, "</script>")
	if !ok {
		t.Fatal("the page has no data")
	}
	var d struct {
		Title, Was string
		Names      []string
		Root       json.RawMessage
	}
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatal(err)
	}
	if d.Title != "In[7]" || d.Was != "In[4]" {
		t.Errorf("it is of %q, was %q", d.Title, d.Was)
	}
	got := map[string]string{}
	var look func(raw json.RawMessage) (now, was float64)
	look = func(raw json.RawMessage) (float64, float64) {
		var f []json.RawMessage
		var name int
		var now, was []float64
		var inside []json.RawMessage
		var states []string
		if err := json.Unmarshal(raw, &f); err != nil || len(f) != 6 {
			t.Fatalf("got a frame %.80s: %v", raw, err)
		}
		for i, v := range []any{&name, nil, &now, &inside, &was, &states} {
			if v != nil {
				if err := json.Unmarshal(f[i], v); err != nil {
					t.Fatal(err)
				}
			}
		}
		var sumNow, sumWas float64
		for _, in := range inside {
			n, w := look(in)
			sumNow, sumWas = sumNow+n, sumWas+w
		}
		if sumNow > now[0]*1.0001 || sumWas > was[0]*1.0001 {
			t.Errorf("%s has %v and had %v, what is in it has %v and had %v", d.Names[name], now[0], was[0], sumNow, sumWas)
		}
		if d.Names[name] != "" {
			got[d.Names[name]] = states[0]
		}
		return now[0], was[0]
	}
	now, was := look(d.Root)
	if time.Duration(now) != after[0].Cell.Wall || time.Duration(was) != before[0].Cell.Wall {
		t.Errorf("all has %v and had %v, want %v and %v", now, was, after[0].Cell.Wall, before[0].Cell.Wall)
	}
	for name, want := range map[string]string{
		"In[7]:2 y = helper(D, 2)": "faster", "np.exp": "faster", "In[7]:6 total = slow(D)": "slower", "np.sort": "slower", "In[7]:4 for k in range(100000): pass": "",
		"In[7]:5 extra(D)": "new", "np.cos": "new", "In[4]:3 junk(D)": "gone", "np.dot": "gone",
	} {
		if state, ok := got[name]; !ok || state != want {
			t.Errorf("%s is %q (%v), want %q", name, state, ok, want)
		}
	}
}
