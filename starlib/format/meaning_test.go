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

// run runs a cell and returns what it prints and displays, and at the end "failed" if it fails.
func run(s *starlib.Session, code string) string {
	var out printed
	data, _, err := s.Execute(context.Background(), 1, code, &out)
	if data != nil {
		fmt.Fprintln(&out, data["text/plain"])
	}
	if err != nil {
		out.WriteString("failed")
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
var noPortableForm = regexp.MustCompile(`is asks whether two values are one object|import \* binds names`)

// TestSameMeaning: programs in the extended syntax print and display the same when they are portable, and fail in the same cells.
func TestSameMeaning(t *testing.T) {
	cells := 0
	for _, file := range []string{"../testdata/extended.star", "../testdata/examples/06_extended_syntax.star", "testdata/meaning.star"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for chunk := range strings.SplitSeq(string(text), "\n---\n") {
			o := starlib.Options{Dir: filepath.Dir(file), Predeclared: assertions}
			before, after := starlib.NewSession(o), starlib.NewSession(o)
			for _, cell := range starlib.SplitScript(chunk) {
				code, err := format.Portable("a.star", cell.Code)
				if err != nil {
					if !noPortableForm.MatchString(err.Error()) {
						t.Errorf("%v of\n%s", err, cell.Code)
					}
					code = cell.Code
				}
				cells++
				a, b := run(before, cell.Code), run(after, code)
				if a != b {
					t.Errorf("got %s\nwant %s\nof\n%s\nwhich became\n%s", b, a, cell.Code, code)
				}
				if fails := strings.Contains(cell.Code, "###"); strings.HasSuffix(a, "failed") != fails && !strings.Contains(file, "examples") {
					t.Errorf("got %s, want failure: %t, of\n%s", a, fails, cell.Code)
				}
			}
		}
	}
	if cells < 25 {
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
