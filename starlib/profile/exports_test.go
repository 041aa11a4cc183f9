package profile_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/arignote/arignote/profiler/export"
	"github.com/arignote/arignote/runtime/files"
	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// TestExportObeys: what a cell says of views, and what an export is told, is what files show.
func TestExportObeys(t *testing.T) {
	dir := t.TempDir()
	s := starlib.NewSession(starlib.Options{Dir: dir})
	starlibtest.Run(t, s, 1, `x = T.matrix('x')
f = function([x], T.tanh(T.dot(x, x)).sum(axis=0) * 2, name='f', profile=True)
f(np.ones((3, 3)))`)
	read := func(file string) string {
		data, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	for _, tt := range []struct {
		code      string
		file      string
		has, lack string
	}{
		{"f.profile.export('all.html')", "all.html", "<b>Classes</b>", " more: "},
		{"f.profile.export('ops.html', by='op')", "ops.html", "<b>Ops</b>", "<b>Classes</b>"},
		{"f.profile.export('top.html', n_apply=1)", "top.html", " more: ", "ZgotmplZ"},
		{"f.profile.export('plain.html', rewrites=False)", "plain.html", "<b>Ops</b>", "<b>Rewrites</b>"},
		{"f.profile.export('all.csv')", "all.csv", "function,inside,", "fraction,"},
		{"f.profile.export('ops.csv', by='op', top=1)", "ops.csv", "fraction,", "function,inside,"},
		{"f.profile.export('own.txt', layout='arignote', lines=False)", "own.txt", "\nOps\n", "\nLines\n"},
		{"%%profile by=op export=cell.html,cell.csv\nf(np.ones((3, 3)))", "cell.html", "<b>Ops</b>", "<b>Classes</b>"},
		{"%profile export last last.csv", "last.csv", "fraction,", "function,inside,"},
		{"%%profile top=1 export=one.html\nf(np.ones((3, 3)))", "one.html", " more: ", "ZgotmplZ"},
		{"%%profile lines=False export=lines.html\nf(np.ones((3, 3)))", "lines.html", "<b>Classes</b>", "<b>Lines</b> · "},
		{"config.profiling.n_apply = 1\nf.profile.export('set.html')", "set.html", " more: ", "ZgotmplZ"},
	} {
		starlibtest.Run(t, s, 2, tt.code)
		if got := read(tt.file); !strings.Contains(got, tt.has) || strings.Contains(got, tt.lack) {
			t.Errorf("%s: want %q and not %q in %d bytes", tt.code, tt.has, tt.lack, len(got))
		}
	}
	for code, want := range map[string]string{
		"f.profile.export('a.html', by='ops')":   `export: by: got "ops", want some of class,op,apply,line,shape`,
		"f.profile.export('a.html', top='many')": `export: top: got "many", want an integer, 0 for the default, or all (-1)`,
		"f.profile.export('a.html', colour=1)":   `export: no view of a profile has "colour", want one of by, lines, top, `,
	} {
		if _, _, err := s.Execute(t.Context(), 3, code, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", code, err, want)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "a.html")); err == nil {
		t.Error("an export that failed left a file")
	}
}

// TestExportsOfCells: cells of pure Starlark and of np have all of their wall time in each format,
// under their own lines; the real go tool pprof shows it.
func TestExportsOfCells(t *testing.T) {
	dir := t.TempDir()
	s := starlib.NewSession(starlib.Options{Dir: dir})
	starlibtest.Run(t, s, 1, "import numpy as np\na = np.ones((500, 500))\ndef product(x):\n    return x @ x")
	for _, tt := range []struct{ name, code, leaf, line string }{
		{"starlark", "def count(n):\n    k = {}\n    for i in range(n):\n        k[i % 7] = str(i)\n    return k\n\ncount(1000000)", "k[i % 7] = str(i)", "In[2]:8 count(1000000)"},
		{"np", "for i in range(30):\n    b = product(a)", "np.matmul", "In[2]:3 b = product(a)"},
	} {
		var written []string
		for _, ext := range []string{"anprof", "pb.gz", "collapsed", "speedscope.json", "trace.json", "csv", "flame.html"} {
			written = append(written, tt.name+"."+ext)
		}
		starlibtest.Run(t, s, 2, "%%profile show=none export="+strings.Join(written, ",")+"\n"+tt.code)
		all, err := export.Read(files.Open(), filepath.Join(dir, written[0]))
		if err != nil {
			t.Fatal(err)
		}
		wall := float64(all[0].Cell.Wall)
		text, err := os.ReadFile(filepath.Join(dir, written[2]))
		if err != nil {
			t.Fatal(err)
		}
		var sum, dearest float64
		for line := range strings.Lines(string(text)) {
			var ns float64
			fmt.Sscan(line[strings.LastIndex(line, " ")+1:], &ns)
			sum += ns
			if strings.HasPrefix(line, tt.line) && strings.Contains(line, tt.leaf) {
				dearest += ns
			}
		}
		if sum < 0.99*wall || sum > 1.01*wall || dearest < wall/2 {
			t.Errorf("%s: stacks have %g ns of %g, %s in %s %g:\n%s", tt.name, sum, wall, tt.leaf, tt.line, dearest, text)
		}
		cmd := exec.Command("go", "tool", "pprof", "-top", "-unit=ms", written[1])
		cmd.Dir = dir
		top, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(top), "(  100%)") {
			t.Errorf("%s: %v\n%s", tt.name, err, top)
		}
	}
	// A cell that was too short to be sampled is its wall time.
	starlibtest.Run(t, s, 3, "%%profile show=none export=short.collapsed\n1 + 1")
	if text, err := os.ReadFile(filepath.Join(dir, "short.collapsed")); err != nil || !strings.HasPrefix(string(text), "the rest ") {
		t.Errorf("a short cell exports %q, %v", text, err)
	}
}
