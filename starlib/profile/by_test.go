package profile_test

import (
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// TestProfileTables: by= and lines= choose the tables of a cell's profile, in its text and in its
// panel.
func TestProfileTables(t *testing.T) {
	for _, c := range []struct {
		flags, text        string
		lines, tree, nodes bool // in the panel
	}{
		{"full=True", "Lines Class Ops Apply", true, true, true},
		{"by=op,line", "Lines Ops", true, true, false},
		{"by=class", "Class", false, true, false},
		{"by=apply lines=False", "Apply", false, true, true},
		{"lines=False", "Class Ops Apply", false, true, true},
		{"by=line", "Lines", true, false, false},
	} {
		s := starlib.NewSession(starlib.Options{})
		starlibtest.Run(t, s, 1, "x = T.matrix('x')\nf = function([x], T.tanh(x).sum(axis=0) * 2, name='f')")
		_, out := starlibtest.Run(t, s, 2, "%%profile "+c.flags+"\nf(np.ones((3, 4)))")
		_, html, ok1 := strings.Cut(out.String(), "text/html=")
		html, text, ok2 := strings.Cut(html, "text/plain=")
		if !ok1 || !ok2 {
			t.Fatalf("%s: got no panel and text", c.flags)
		}
		for _, section := range []string{"Lines", "Class", "Ops", "Apply"} {
			want := strings.Contains(" "+c.text+" ", " "+section+" ")
			if got := strings.Contains(text, "\n"+section+"\ntime%"); got != want {
				t.Errorf("%q: %s in the text: got %v, want %v", c.flags, section, got, want)
			}
		}
		_, tree, hasTree := strings.Cut(html, "<b>Class → Op → Apply</b>")
		tree, _, _ = strings.Cut(tree, "<b>Memory</b>")
		if lines, nodes := strings.Contains(html, "<b>Lines</b> · "), strings.Contains(tree, "#0 "); lines != c.lines ||
			hasTree != c.tree || nodes != c.nodes {
			t.Errorf("%q: got lines %v, a tree %v and nodes %v in the panel", c.flags, lines, hasTree, nodes)
		}
	}
	s := starlib.NewSession(starlib.Options{})
	for flags, want := range map[string]string{
		"by=nodes":  `by: got "nodes", want some of class,op,apply,line,shape`,
		"by=region": "by: table region is not in Arignote yet",
	} {
		_, _, err := s.Execute(t.Context(), 1, "%%profile "+flags+"\n1", nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", flags, err, want)
		}
	}
}
