package format_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/format"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// printed keeps what cells print.
type printed struct {
	strings.Builder
	starlib.Output
}

func (p *printed) Stream(name, text string) { p.WriteString(text) }
func (p *printed) Display(data, metadata map[string]any, id string, update bool) {
	fmt.Fprintln(p, data["text/plain"])
}

// run runs a cell and returns what it prints and displays, and at the end "failed" and why if it fails.
func run(s *starlib.Session, code string) string {
	var out printed
	data, _, err := s.Execute(context.Background(), 1, code, &out)
	if data != nil {
		fmt.Fprintln(&out, data["text/plain"])
	}
	if err != nil {
		fmt.Fprintf(&out, "failed: %s", reworded.Replace(place.ReplaceAllString(err.Error(), "")))
	}
	return out.String()
}

var assertions = starlark.StringDict{"eq": starlark.NewBuiltin("eq", func(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple,
	_ []starlark.Tuple) (starlark.Value, error) {
	if ok, err := starlark.Equal(value.PlainDeep(args[0]), value.PlainDeep(args[1])); !ok || err != nil {
		return nil, errors.New("got " + args[0].String() + ", want " + args[1].String())
	}
	return starlark.None, nil
})}

// noPortableForm is what cells of extended.star have that cannot be rewritten.
var noPortableForm = regexp.MustCompile(`standard Starlark has no |` +
	`is asks whether two values are one object|import \* binds names|of which standard Starlark assigns no slices|is evaluated once, but|there is no module \S+ to import|load is a statement of standard|has a theano of its own|may be an array, which \*\*= changes`)

// varying is what cells have whose output is another each time.
var varying = regexp.MustCompile(`profile|random|time\.|\bp\.`)

// failed is what run returns of a cell that fails.
var failed = regexp.MustCompile(`(?m)^failed: |failed: [^\n]*$`)

// place is a folder of the test, a checksum of a file with places, a line in an error or a warning, or a call in the backtrace of a node: those of portable text are others.
var place = regexp.MustCompile(`/TestSameMeaning\d+/\d+|checksum \w+, want \w+|(In\[1\]|a\.star):\d+(:\d+)?:? ?|  File "In\[1\]", line \d+, in <toplevel>(\n {8}[^\n]*)?`)

// otherwise are errors that portable text finds in other words, or when a function is called, and what tells the line that it stands on.
var otherwise = regexp.MustCompile(`too few values to unpack|iterable for the slice of a list|is not in Arignote yet|attribute \.nodse`)

// reworded are the names of functions that stand before messages in portable text.
var reworded = strings.NewReplacer("fail: ", "", "fmt: ", "", "list: got", "*: got")

// own are the files whose cells need nothing that other tests declare.
var own = regexp.MustCompile(`extended|meaning`)

// TestSameMeaning: programs in the extended syntax print and display the same when they are portable, and fail with the same errors.
func TestSameMeaning(t *testing.T) {
	cells := 0
	var files []string // testdata/meaning.star and those of the other rooms
	for _, pattern := range []string{"../*/testdata/*.star", "../testdata/*.star", "../testdata/examples/*.star"} {
		more, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, more...)
	}
	copies := map[string][2]string{} // of folders, since programs write files: for each session its own
	for _, file := range files {
		dir := filepath.Dir(file)
		if _, ok := copies[dir]; !ok {
			copies[dir] = [2]string{t.TempDir(), t.TempDir()}
			for _, c := range copies[dir] {
				if err := os.CopyFS(c, os.DirFS(dir)); err != nil {
					t.Fatal(err)
				}
			}
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for chunk := range strings.SplitSeq(string(text), "\n---\n") {
			before := starlib.NewSession(starlib.Options{Dir: copies[dir][0], Predeclared: assertions})
			after := starlib.NewSession(starlib.Options{Dir: copies[dir][1], Predeclared: assertions})
			for _, cell := range starlib.SplitScript(chunk) {
				code, err := format.Portable("a.star", cell.Code)
				if err != nil {
					code = cell.Code
				}
				cells++
				a, b := run(before, cell.Code), run(after, code)
				if err != nil && !noPortableForm.MatchString(err.Error()) && !failed.MatchString(a) {
					t.Errorf("%v of\n%s", err, cell.Code)
				}
				same := place.ReplaceAllString(a, "") == place.ReplaceAllString(b, "")
				if varying.MatchString(cell.Code) {
					_, why, _ := strings.Cut(a, "failed: ")
					_, got, _ := strings.Cut(b, "failed: ")
					same = why == got
				}
				if !same && !otherwise.MatchString(a) {
					t.Errorf("got %s\nwant %s\nof\n%s\nwhich became\n%s", b, a, cell.Code, code)
				}
				if fails := strings.Contains(cell.Code, "###"); failed.MatchString(a) != fails && own.MatchString(file) {
					t.Errorf("got %s, want failure: %t, of\n%s", a, fails, cell.Code)
				}
			}
		}
	}
	if cells < 300 {
		t.Errorf("only %d cells were compared", cells)
	}
}

// TestPredeclared: imports that are taken out bind what is predeclared.
func TestPredeclared(t *testing.T) {
	s := starlib.NewSession(starlib.Options{})
	for _, text := range []string{"import numpy as np", "import numpy", "import theano.tensor as T", "from theano import tensor",
		"import aesara.tensor as at", "import pytensor.tensor as pt", "import theano", "import aesara", "import pytensor", "import math",
		"import json", "import time", "from theano import function", "from aesara import shared", "from pytensor import grad",
		"from theano import gradient", "from theano import config"} {
		if out, err := format.Portable("a.star", text); err != nil || out != head {
			t.Errorf("%s: got %q, %v", text, out, err)
		}
		words := strings.Fields(text)
		name := words[len(words)-1]
		if got := run(s, "_before = "+name+"\ndef f():\n    "+text+"\n    return "+name+"\nprint(f() == _before)"); got != "True\n" {
			t.Errorf("%s binds another object than the predeclared %s: %s", text, name, got)
		}
	}
}
