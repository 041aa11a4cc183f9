package profile_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

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
