package names_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib/names"
)

// reason begins an advice that many rows share.
const reason = "@"

// rows are the names of the table, with what follows them.
func rows(t *testing.T) (list [][2]string) {
	t.Helper()
	table, err := os.ReadFile("names.txt")
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(strings.TrimSuffix(string(table), "\n"), "\n") {
		name, text, spaced := strings.Cut(line, " ")
		if strings.HasPrefix(line, "#") || line == "" {
			continue
		}
		if name == "" || spaced && (text == "" || strings.TrimSpace(text) != text) {
			t.Errorf("line %d is %q, want a name, and one space and a text", i+1, line)
		}
		list = append(list, [2]string{name, text})
	}
	return list
}

// TestTable checks the form that the functions rely on: modules in one piece, sorted, each name
// once, and all reasons there and in use.
func TestTable(t *testing.T) {
	seen, reasons, done := map[string]bool{}, map[string]int{}, map[string]bool{}
	var module, last string
	for _, r := range rows(t) {
		name, text := r[0], r[1]
		if seen[name] {
			t.Errorf("%s is there twice", name)
		}
		seen[name] = true
		if strings.HasPrefix(name, reason) {
			reasons[name] = 0
			continue
		}
		in, own := "", name
		if dot := strings.LastIndexByte(name, '.'); dot >= 0 {
			in, own = name[:dot], name[dot+1:]
		}
		switch {
		case in != module && done[in]:
			t.Errorf("%s is apart from the other names of %s", name, in)
		case in == module && own <= last:
			t.Errorf("%s comes after %s", name, last)
		}
		module, last = in, own
		done[in] = true
		if strings.HasPrefix(text, reason) {
			if _, ok := reasons[text]; !ok {
				t.Errorf("%s: there is no text %s", name, text)
			}
			reasons[text]++
		}
		if strings.HasSuffix(text, ".") {
			t.Errorf("%s: %q ends with a full stop", name, text)
		}
		if !slices.Contains(names.Of(in), own) && in != "" {
			t.Errorf("Of(%q) lacks %s", in, own)
		}
	}
	for name, n := range reasons {
		if n < 2 {
			t.Errorf("%s: %d rows have it, want more: write the text in the row", name, n)
		}
	}
	if len(seen) < 3000 {
		t.Errorf("got %d names, want all of the libraries: more than 3000", len(seen))
	}
}

func TestAdvice(t *testing.T) {
	for _, c := range []struct {
		name, advice string
		known        bool
	}{
		{"T.equal", "use T.eq", true},
		{"T.cmatrix", "T has no complex numbers, np has", true},
		{"T.exp", "", true},
		{"T.ex", "", false},
		{"T.", "", false},
		{"T", "", false},
		{"", "", false},
		{"scan", "use theano.scan", true},
		{"@complex", "", false},
		{"#", "", false},
		{"T.equal use", "", false},
		{"T.equal use T.eq", "", false},
		{"T.exp\nT.exp2", "", false},
	} {
		if advice, known := names.Advice(c.name); advice != c.advice || known != c.known {
			t.Errorf("Advice(%q): got %q %v, want %q %v", c.name, advice, known, c.advice, c.known)
		}
	}
}

func TestOf(t *testing.T) {
	if got := names.Of("T.xlogx"); !slices.Equal(got, []string{"XlogX", "XlogY0", "xlogx", "xlogy0"}) {
		t.Errorf("got %q", got)
	}
	for _, module := range []string{"", "T.exp", "nothing", "T.nnet.nothing", "@complex"} {
		if got := names.Of(module); len(got) > 0 {
			t.Errorf("Of(%q): got %q, want nothing", module, got)
		}
	}
	for name, want := range map[string]bool{"T.nlinalg": true, "T.signal.pool": true, "T.exp": false, "T.nothing": false} {
		if got := names.IsModule(name); got != want {
			t.Errorf("IsModule(%q): got %v, want %v", name, got, want)
		}
	}
}

func TestNotYet(t *testing.T) {
	for advice, want := range map[string]string{
		"":         "T.x is not in Arignote yet",
		"use T.eq": "T.x is not in Arignote yet; use T.eq",
	} {
		if got := names.NotYet("T.x", advice).Error(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
