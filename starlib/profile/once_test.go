package profile_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/export"
	"github.com/arignote/arignote/profiler/text"
	"github.com/arignote/arignote/runtime/files"
	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// onceCells are notebooks that show calls of f more than once, and how many calls there were.
var onceCells = map[string]struct {
	cells []string
	calls int64
}{
	"the same cell again":            {[]string{"%%profile\nfor i in range(7):\n    f(X)", "%profile last", "%profile last"}, 7},
	"two cells":                      {[]string{"%%profile\nfor i in range(7):\n    f(X)", "%%profile\nfor i in range(5):\n    f(X)"}, 12},
	"two cells, and both again":      {[]string{"%%profile save=one\nf(X)", "%%profile\nf(X)\nf(X)", "%profile show one", "%profile last"}, 3},
	"a profile twice":                {[]string{"p = profile(lambda: f(X), repeat=4)\np", "p"}, 4},
	"a profile before and after":     {[]string{"g = function([x], x*2, name='g', profile=True)\nfor i in range(3):\n    g(X)\ng.profile", "for i in range(4):\n    g(X)\ng.profile"}, 7},
	"a profile and its cell":         {[]string{"g = function([x], x*2, name='g', profile=True)", "%%profile\nfor i in range(6):\n    g(X)", "g.profile"}, 6},
	"a reset between":                {[]string{"g = function([x], x*2, name='g', profile=True)\ng(X)\ng(X)\ng.profile", "g.profile.reset()\ng(X)\ng.profile"}, 3},
	"a sum beside its parts":         {[]string{"p = profile(lambda: f(X), repeat=4)\nq = profile(lambda: f(X), repeat=5)\np", "q", "p.merge(q)", "p.merge(q, p)"}, 9},
	"shown late":                     {[]string{"p = profile(lambda: f(X), repeat=4)", "%%profile\nf(X)\nf(X)", "p"}, 6},
	"an export that is read back":    {[]string{"p = profile(lambda: f(X), repeat=4)\np.save('p.anprof')\nq = load_profile('p.anprof')\nq", "p.merge(q)"}, 4},
	"two functions of one name":      {[]string{"%%profile\ng = function([x], x*2, name='f')\nf(X)\ng(X)", "%profile last"}, 2},
	"a profile inside of a profile":  {[]string{"%%profile\np = profile(lambda: f(X), repeat=4)\nf(X)", "p"}, 5},
	"the flag profile, and the cell": {[]string{"config.profile = True\ng = function([x], x*2, name='g')\nconfig.profile = False", "%%profile\ng(X)\ng(X)", "g.profile"}, 2},
}

// TestOnce: a notebook that shows a profile twice, in whichever way, has its calls once in all that
// is made of it, and the time of compiling too.
func TestOnce(t *testing.T) {
	for name, tt := range onceCells {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			t.Chdir(dir)
			s := starlib.NewSession(starlib.Options{})
			starlibtest.Run(t, s, 1, "x = T.dvector('x')\nf = function([x], T.exp(x)*2, name='f')\nX = np.ones(10)")
			type output struct {
				Data map[string]any `json:"data"`
			}
			type cell struct {
				Outputs []output `json:"outputs"`
			}
			var nb struct {
				Cells []cell `json:"cells"`
			}
			for i, code := range tt.cells {
				out := new(bundles)
				result, _, err := s.Execute(t.Context(), i+2, code, out)
				if err != nil {
					t.Fatal(err)
				}
				var c cell
				for _, b := range out.list() {
					c.Outputs = append(c.Outputs, output{b.data})
				}
				if result != nil {
					c.Outputs = append(c.Outputs, output{result})
				}
				nb.Cells = append(nb.Cells, c)
			}
			data, err := json.Marshal(nb)
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, "nb.ipynb")
			if err := os.WriteFile(path, data, 0o644); err != nil {
				t.Fatal(err)
			}
			all, err := export.Read(files.Open(), path)
			if err != nil {
				t.Fatal(err)
			}
			sum := profiler.Sum(all...)
			if got := sum.Total().Calls; got != tt.calls {
				t.Errorf("got %d calls, want %d", got, tt.calls)
			}
			compiling := make(map[string]int64)
			var want int64
			for _, p := range all {
				for _, f := range p.Functions {
					compiling[f.ID] = int64(f.Compile.Total)
				}
			}
			for _, ns := range compiling {
				want += ns
			}
			if got := int64(sum.Total().Compile.Total); got != want {
				t.Errorf("compiling took %d ns, want %d", got, want)
			}
			var report strings.Builder
			if err := text.WriteAll(&report, all, text.Options{Layout: text.Arignote}); err != nil {
				t.Fatal(err)
			}
			calls := int64(0)
			for line := range strings.Lines(report.String()) {
				if number, ok := strings.CutPrefix(line, "calls     "); ok && !strings.Contains(report.String()[:strings.Index(report.String(), line)], "Sum of the ") {
					n, _ := strconv.ParseInt(strings.Fields(number)[0], 10, 64)
					calls += n
				}
			}
			if calls != tt.calls {
				t.Errorf("the text has %d calls, want %d:\n%s", calls, tt.calls, report.String())
			}
			if err := export.Write(files.Open(), filepath.Join(dir, "out.anprof"), all, export.View()); err != nil {
				t.Fatal(err)
			}
			back, err := export.Read(files.Open(), filepath.Join(dir, "out.anprof"))
			if err != nil || profiler.Sum(back...).Total().Calls != tt.calls {
				t.Errorf("read back: got %v, want %d calls", err, tt.calls)
			}
		})
	}
}
