package profile_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/arignote/arignote/long"
	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// TestBefore: a cell that is profiled again, edited or not, says what it was and which line changed
// most, in the text, the panel and the data; another cell does not, and a first one neither.
func TestBefore(t *testing.T) {
	if long.Race {
		t.Skip("the race detector slows what is timed")
	}
	s := starlib.NewSession(starlib.Options{})
	starlibtest.Run(t, s, 1, "import numpy as np\na = np.ones((500, 500))")
	run := func(n int, code string) (text, page string, is bool) {
		t.Helper()
		out := new(bundles)
		if _, _, err := s.Execute(context.Background(), n, code, out); err != nil {
			t.Fatal(err)
		}
		all := shownProfiles(t, out)
		if len(all) != 1 {
			t.Fatalf("%s: got %d profiles", code, len(all))
		}
		shown := out.list()[0].data
		return shown["text/plain"].(string), units.Plain(shown["text/html"].(string)), all[0].Cell.Before != nil
	}
	loops := 3000 // so that a fifth of them are sampled on a quick machine too
	if testing.Short() {
		loops = 1500 // the race detector slows kernels down
	}
	slow := fmt.Sprintf("%%%%profile\nn = %d\n", loops) + "for k in range(n):\n    b = np.tanh(a) + k\nc = b.sum()"
	if text, page, is := run(2, slow); is || strings.Contains(text, "\nwas ") || strings.Contains(page, "Was: ") {
		t.Errorf("a first run was before:\n%s", text)
	}
	if text, _, is := run(3, "%%profile\nz = np.sort(np.sin(np.arange(3000000.)))"); is {
		t.Errorf("another cell was before:\n%s", text)
	}
	text, page, is := run(4, fmt.Sprintf("%%%%profile\n# less\nn = %d\n", loops/5)+"for k in range(n):\n    b = np.tanh(a) + k\nc = b.sum()")
	if !is || !strings.Contains(text, " in In[2], -") || !strings.Contains(text, ": In[4]:5 took ") || !strings.Contains(text, " less\n") || !strings.Contains(page, "Was: ") {
		t.Errorf("got\n%s", text)
	}
	if text, _, is = run(5, slow); !is || !strings.Contains(text, " in In[4], +") || !strings.Contains(text, " more\n") {
		t.Errorf("got\n%s", text)
	}
}

// TestBeforeIsTheSameCell: of several cells that are alike, the last of which more than half is the
// same was before; one that failed, or ran another number of times, is no measure, and what fails
// has none.
func TestBeforeIsTheSameCell(t *testing.T) {
	if testing.Short() {
		t.Skip("cells that are long enough to be profiled take long under the race detector")
	}
	s := starlib.NewSession(starlib.Options{})
	starlibtest.Run(t, s, 1, "import numpy as np\na = np.ones((300, 300))\ndef work(n):\n    for i in range(n):\n        b = np.tanh(a)\nwork(10)\ndef fail():\n    work(1000)\n    1 // 0")
	for i, c := range []struct {
		code, before string
		fails        bool
	}{
		{"%%profile\nwork(1500)", "", false},
		{"%%profile\nwork(1500)\nwork(2100)", "In[2]", false},
		{"%%profile\nwork(1500)", "In[2]", false},
		{"%%profile repeat=3\nwork(1500)", "", false},
		{"%%profile\nwork(1500)", "In[4]", false},
		{"%%profile repeat=3\nwork(1500)", "In[5]", false},
		{"%%profile\nfail()", "", true},
		{"%%profile\nfail()", "", true},
		{"%prun work(1500)", "In[6]", false},
		{"%prun work(1501)", "", false},
		{"%prun work(1501)", "In[11]", false},
		{"%%profile\nwork(7)\nwork(7)\nwork(1502)\nwork(1503)", "", false},
		{"%%profile\nwork(7)\nwork(1504)\nwork(1505)\nwork(1506)", "", false},
	} {
		out := new(bundles)
		if _, _, err := s.Execute(context.Background(), i+2, c.code, out); (err != nil) != c.fails {
			t.Fatalf("%s: %v", c.code, err)
		}
		all := shownProfiles(t, out)
		if len(all) != 1 {
			t.Fatalf("%s: got %d profiles", c.code, len(all))
		}
		got := ""
		if b := all[0].Cell.Before; b != nil {
			got = b.Cell
		}
		if got != c.before {
			t.Errorf("In[%d] %q: it was before %q, want %q", i+2, c.code, got, c.before)
		}
	}
}
