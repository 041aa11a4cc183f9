package profile_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// TestBefore: a cell that is profiled again, edited or not, says what it was and which line changed
// most, in the text, the panel and the data; another cell does not, and a first one neither.
func TestBefore(t *testing.T) {
	s := starlib.NewSession(starlib.Options{})
	starlibtest.Run(t, s, 1, "import numpy as np\na = np.ones((300, 300))")
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
		loops = 600 // the race detector slows kernels down
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
