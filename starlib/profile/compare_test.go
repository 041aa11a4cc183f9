package profile_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// TestCompare: what was slow and was changed is named by its line, in cells and as values.
func TestCompare(t *testing.T) {
	s := starlib.NewSession(starlib.Options{Dir: t.TempDir()})
	starlibtest.Run(t, s, 1, "import numpy as np\na = np.ones((300, 300))\nx = T.dmatrix('x')\nf = function([x], T.exp(x).sum(), name='f')\ng = function([x], T.tanh(T.dot(x, x)).sum(), name='g')")
	starlibtest.Run(t, s, 2, "%%profile show=none save=slow export=slow.anprof\nfor k in range(600):\n    b = np.tanh(a) @ a\nfor k in range(5):\n    f(a)")
	starlibtest.Run(t, s, 3, "%%profile show=none save=fast export=fast.anprof\n# fewer\nfor k in range(60):\n    b = np.tanh(a) @ a\nfor k in range(5):\n    f(a)\nfor k in range(5):\n    g(a)")
	out := new(starlibtest.Recorder)
	if _, _, err := s.Execute(t.Context(), 4, "%profile diff slow fast", out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"In[3], was In[2]:", "faster", "In[2]:3 -> In[3]:4", "b = np.tanh(a) @ a", "\nNodes\n", "new"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	starlibtest.Run(t, s, 5, `p, q = load_profile("slow.anprof"), load_profile("fast.anprof")
d = q - p
line = [r for r in d.changes() if r.table == "lines that ran" and r.name == "b = np.tanh(a) @ a"][0]
g_nodes = [r for r in d.changes() if r.table == "nodes" and r.state == "new"]`)
	for i, check := range []string{
		`line.state == "faster" and line.change < 0 and line.place == "In[3]:4" and line.place_before == "In[2]:3" and line.name_before == None`,
		`len(g_nodes) > 0 and all([r.place == "In[1]:5" and r.place_before == None for r in g_nodes])`,
		`d.change < 0 and d.after == "In[3]" and str(d) == str(q.compare(p)) and (p - q).change == -d.change`,
		`abs(d.to_dict()["wall_ns"]["after"]/1e9 - d.to_dict()["wall_ns"]["before"]/1e9 - d.change) < 1e-6`,
		`d.speedup > 1 and d.lo <= d.speedup <= d.hi and abs((p - q).speedup*d.speedup - 1) < 1e-6`,
		`all([r.state == "same" for r in (p - p).changes()])`,
	} {
		if got, _ := starlibtest.Run(t, s, 6+i, check); got != "True" {
			shown, _ := starlibtest.Run(t, s, 20, "print(d)")
			t.Errorf("%s: got %s\n%s", check, got, shown)
		}
	}
	starlibtest.Run(t, s, 29, "%profile diff slow fast change.flame.html\nd.export(\"values.flame.html\")")
	if got, _ := starlibtest.Run(t, s, 30, `[all([x in open(f).read() for x in ["<title>flame graph In[3], was In[2]</title>", '"was":"In[2]"', '"faster"', '"new"']]) for f in ["change.flame.html", "values.flame.html"]]`); got != "[True, True]" {
		t.Errorf("got %s", got)
	}
	for code, want := range map[string]string{
		"d.export('d.csv')":                      "d.csv: got a name of no format of comparisons, want one that ends with .flame.html",
		"%profile diff slow fast a.flame.html b": "want diff NAME NAME [FILE.flame.html]",
		"p.compare(3)":                           "compare: got int, want the ProfileStats of a run before",
		"p - 3":                                  "ProfileStats",
		"{d: 1}":                                 "unhashable type",
		"%profile diff slow":                     "want diff NAME NAME",
		"%profile diff slow fsat":                "no profile is called fsat (did you mean fast?)",
	} {
		if _, _, err := s.Execute(t.Context(), 30, code, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", code, err, want)
		}
	}
}

// TestDiffOfScript: two cells of one file are told by their lines.
func TestDiffOfScript(t *testing.T) {
	s := glancedSession(t)
	file := filepath.Join(t.TempDir(), "two.py")
	cell := "# %%\n%%profile save=NAME\nfor k in range(6): glanced()\n"
	code := strings.ReplaceAll(cell, "NAME", "a") + strings.ReplaceAll(cell, "NAME", "b") + "# %%\n%profile diff a b\n"
	if err := os.WriteFile(file, []byte(code), 0o600); err != nil {
		t.Fatal(err)
	}
	out := new(bundles)
	if err := s.RunFile(t.Context(), file, out); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); !strings.Contains(text, "two.py:2") || !strings.Contains(text, "two.py:5") {
		t.Errorf("the diff does not tell the cells apart:\n%s", text)
	}
}
