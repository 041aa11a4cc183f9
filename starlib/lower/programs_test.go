package lower_test

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/arignote/arignote/long"
	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

var (
	_            = flag.Int("programs", 200, "how many programs TestPrograms compares with Python")
	programsCut  = flag.Bool("programs-cut", true, "whether a program that differs is cut down, which takes long")
	programsSeed = flag.Uint64("programs-seed", 1, "what their generator begins with")
)

// A python is a process that runs programs, as testdata/programs.py says.
type python struct {
	in  io.Writer
	out *bufio.Reader
}

func startPython(t *testing.T) *python {
	t.Helper()
	const name = "/usr/bin/python3"
	if out, err := exec.Command(name, "-c", "import numpy").CombinedOutput(); err != nil {
		t.Skipf("no Python with NumPy to compare with (Debian's python3-numpy): %v\n%s", err, out)
	}
	cmd := exec.Command(name, "-B", "testdata/programs.py")
	cmd.Env = append(os.Environ(), "PYTHONINTMAXSTRDIGITS=0") // ints of any length are printed
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, &stderr)
		}
	})
	return &python{in, bufio.NewReader(out)}
}

// An outcome is what a program printed, and the error it ended with.
type outcome struct{ out, err string }

func (p *python) run(t *testing.T, program string) outcome {
	t.Helper()
	line, err := json.Marshal(program)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.in.Write(append(line, '\n')); err != nil {
		t.Fatal(err)
	}
	answer, err := p.out.ReadBytes('\n')
	var o outcome
	if err == nil {
		err = json.Unmarshal(answer, &[]any{&o.out, &o.err})
	}
	if err != nil {
		t.Fatalf("python: %v, running\n%s", err, program)
	}
	return o
}

// A file is one of a program.
type file struct{ name, text string }

// filesOf returns the files of a program: what it begins with, then those whose names stand in
// lines of their own.
func filesOf(program string) []file {
	parts := strings.Split("\n"+program, "\n"+fileMark)
	files := []file{{"main.py", parts[0][1:] + "\n"}}
	if len(parts) == 1 {
		files[0].text = program
	}
	for _, part := range parts[1:] {
		name, text, _ := strings.Cut(part, "\n")
		files = append(files, file{name, text + "\n"})
	}
	return files
}

// writeFiles writes files into a new folder.
func writeFiles(files []file) (dir string) {
	dir, err := os.MkdirTemp("", "programs")
	for _, f := range files {
		path := filepath.Join(dir, f.name)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(path), 0o777)
		}
		if err == nil {
			err = os.WriteFile(path, []byte(f.text), 0o666)
		}
	}
	if err != nil {
		panic(err)
	}
	return dir
}

func runHere(program string) outcome {
	var out starlibtest.Printed
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second) // they take milliseconds
	defer cancel()
	options := starlib.Options{}
	files := filesOf(program)
	if len(files) > 1 {
		options.Dir = writeFiles(files[1:])
		defer os.RemoveAll(options.Dir)
	}
	_, _, err := starlib.NewSession(options).Execute(ctx, 1, files[0].text, &out)
	o := outcome{out: out.String()}
	if err != nil {
		o.err = err.(*starlib.Error).Name() + ": " + err.Error()
	}
	return o
}

// limits are the errors of numbers, and of runs, that one of the two languages has a limit of.
var limits = regexp.MustCompile(`^TimeoutError|^` + endless + `|want a result of at most \d+ bits$|4300 digits`)

// differ compares a program's outcomes: what was printed, and whether it failed. The
// errors are each language's own.
func differ(t *testing.T, p *python, program string) (got, want outcome, differs bool) {
	t.Helper()
	got, want = runHere(program), p.run(t, program)
	if limits.MatchString(got.err) || limits.MatchString(want.err) {
		return got, want, false
	}
	internal := strings.HasPrefix(got.err, "InternalError")
	return got, want, got.out != want.out || (got.err == "") != (want.err == "") || internal
}

// cutDown takes lines off a program while its outcomes differ, and not because something
// is not defined now.
func cutDown(t *testing.T, p *python, program string) string {
	t.Helper()
	undefined := strings.HasPrefix(runHere(program).err, "NameError")
	lines := strings.SplitAfter(program, "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		less := slices.Delete(slices.Clone(lines), i, i+1)
		got, want, differs := differ(t, p, strings.Join(less, ""))
		broken := regexp.MustCompile("^(Name|Syntax|Indentation)Error").MatchString(want.err)
		if differs && !broken && strings.HasPrefix(got.err, "NameError") == undefined {
			lines = less
		}
	}
	return strings.Join(lines, "")
}

// TestPrograms runs generated programs here and in Python.
func TestPrograms(t *testing.T) {
	p := startPython(t)
	var has []string
	for _, f := range features {
		got, want, differs := differ(t, p, f.probe)
		switch {
		case want.err != "":
			t.Errorf("%s: Python fails: %s\n%s", f.name, want.err, f.probe)
		case differs && !f.missing:
			t.Errorf("%s:\n%s\ngot  %q %s\nwant %q", f.name, f.probe, got.out, got.err, want.out)
		case !differs && f.missing && !goKernels:
			t.Errorf("%s works now: it is no longer missing", f.name)
		}
		if !differs {
			has = append(has, f.name)
		}
	}
	if t.Failed() {
		return
	}
	first, n := long.Drawn("programs", 2)
	failures, ended := 0, 0
	for i := first; i < first+n; i++ {
		g := &generator{rnd: rand.New(rand.NewPCG(*programsSeed, uint64(i))), has: has}
		program := g.program()
		_, want, differs := differ(t, p, program)
		if want.err != "" {
			ended++
		}
		if !differs {
			continue
		}
		if failures++; failures > 10 {
			continue
		}
		program = cutDown(t, p, program)
		got, want, _ := differ(t, p, program)
		got.out = got.out[:min(len(got.out), 2000)]
		t.Errorf("program %d of seed %d, cut down:\n%s\ngot  %q %s\nwant %q %s", i, *programsSeed, program, got.out, got.err, want.out, want.err)
	}
	t.Logf("%d programs, of which %d end with an error in Python, %d differ", n, ended, failures)
	if ended > n/2 {
		t.Errorf("%d of %d programs end with an error: too many to say much", ended, n)
	}
}

// TestGenerator checks that the programs of a seed are the same ever, and that every rule
// is used.
func TestGenerator(t *testing.T) {
	var all []string
	for _, f := range features {
		all = append(all, f.name)
	}
	used := map[string]bool{}
	for i := range 500 {
		g := &generator{rnd: rand.New(rand.NewPCG(1, uint64(i))), has: all, used: used}
		first := g.program()
		g = &generator{rnd: rand.New(rand.NewPCG(1, uint64(i))), has: all}
		if again := g.program(); again != first {
			t.Fatalf("program %d: got\n%s\nwant\n%s", i, again, first)
		}
	}
	for _, rules := range []map[string][]rule{expressions, statements, definitions} {
		for _, r := range slices.Concat(slices.Collect(maps.Values(rules))...) {
			if !used[r.text] {
				t.Errorf("the rule %q was not used", r.text)
			}
			if r.needs != "" && r.needs != mistakes && !slices.Contains(all, r.needs) {
				t.Errorf("the rule %q needs %q, which is no feature", r.text, r.needs)
			}
		}
	}
}
