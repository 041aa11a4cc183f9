package lower_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/arignote/arignote/long"
	"github.com/arignote/arignote/starlib/format"
)

// sameText is what a program printed, whatever the quotes around strings, and which of the two
// errors a variable without a value is: for Python, that hangs on what becomes a function of its
// own.
func sameText(o outcome) string {
	return strings.ReplaceAll(strings.ReplaceAll(o.out, `"`, "'"), "UnboundLocalError", "NameError")
}

// endless is how the error of a program begins that ran too long, or printed too much.
const endless = "TooLong"

// quoted are the names and types that a message of CPython's quotes.
var quoted = regexp.MustCompile(`'([\w.]+)'`)

// sameShape says whether a message tells of the names and types that CPython's does, whatever its
// words.
func sameShape(got, want string) bool {
	got = strings.NewReplacer("string", "str", "builtin_function_or_method", "builtin").Replace(got)
	for _, name := range quoted.FindAllStringSubmatch(want, -1) {
		if !strings.Contains(got, strings.Replace(name[1], "builtin_function_or_method", "builtin", 1)) {
			return false
		}
	}
	return true
}

// differsFrom compares a program's outcomes: what was printed, and the class of the error that it
// ended with, with what its message tells of.
func differsFrom(t *testing.T, p *python, program string) (got, want outcome, differs bool) {
	t.Helper()
	got, want = runHere(program), p.run(t, program)
	if strings.HasPrefix(want.err, endless) || strings.HasPrefix(got.err, "TimeoutError") {
		return got, want, false
	}
	gotClass, _, _ := strings.Cut(got.err, ":")
	wantClass, _, _ := strings.Cut(want.err, ":")
	gotClass, wantClass = strings.Replace(gotClass, "UnboundLocal", "Name", 1), strings.Replace(wantClass, "UnboundLocal", "Name", 1)
	return got, want, sameText(got) != sameText(want) || gotClass != wantClass || !sameShape(got.err, want.err)
}

// cutStatements takes lines off a program while its outcomes differ, and it is one, for half a
// minute.
func cutStatements(t *testing.T, p *python, program string) string {
	t.Helper()
	lines := strings.SplitAfter(program, "\n")
	end := time.Now().Add(30 * time.Second)
	for size := len(lines) / 4; size > 0; size /= 2 {
		for i := 0; i+size <= len(lines) && time.Now().Before(end); {
			less := append(append([]string{}, lines[:i]...), lines[i+size:]...)
			got, want, differs := differsFrom(t, p, strings.Join(less, ""))
			broken := strings.Contains(want.err, "SyntaxError") || strings.Contains(want.err, "IndentationError") ||
				strings.HasPrefix(got.err, "NameError") ||
				strings.HasPrefix(want.err, "NameError") || strings.HasPrefix(got.err, "SyntaxError") || strings.Contains(want.err, "super(): no") ||
				strings.HasPrefix(got.err, "Timeout")
			if differs && !broken {
				lines = less
			} else {
				i += size
			}
		}
	}
	return strings.Join(lines, "")
}

// TestStatements runs generated programs of Python's statements and classes here and in Python.
func TestStatements(t *testing.T) {
	p := startPython(t)
	first, n := long.Drawn("programs", 2)
	failures, ended, long := 0, 0, 0
	for i := first; i < first+n; i++ {
		g := &scribe{Rand: rand.New(rand.NewPCG(*programsSeed, uint64(i)))}
		program := g.program()
		got, want, differs := differsFrom(t, p, program)
		if want.err != "" {
			ended++
		}
		if strings.HasPrefix(want.err, endless) {
			long++
		}
		if !differs {
			if err := sameFormatted(program, got); err != "" {
				t.Errorf("program %d of seed %d: %s", i, *programsSeed, err)
			}
			continue
		}
		if failures++; *programsCut && failures > 5 {
			continue
		}
		if *programsCut {
			program = cutStatements(t, p, program)
		}
		got, want, _ = differsFrom(t, p, program)
		t.Errorf("program %d of seed %d, cut down:\n%s\ngot  %q %s\nwant %q %s", i, *programsSeed, program, got.out, got.err, want.out, want.err)
	}
	t.Logf("%d programs, of which %d end with an error in Python, %d take too long, %d differ", n, ended, long, failures)
	if ended > n*2/3 || long > n/20 {
		t.Errorf("%d of %d programs end with an error: too many to say much", ended, n)
	}
}

// sameFormatted says what is wrong with the formatted program: it must print the same.
func sameFormatted(program string, got outcome) string {
	var formatted strings.Builder
	for i, file := range filesOf(program) {
		text, err := format.Source(file.name, file.text)
		if err != nil {
			if strings.HasPrefix(got.err, "SyntaxError") {
				return ""
			}
			return fmt.Sprintf("the formatter fails: %v:\n%s", err, file.text)
		}
		if i > 0 {
			formatted.WriteString(fileMark + file.name + "\n")
		}
		formatted.WriteString(text)
	}
	again := runHere(formatted.String())
	if strings.HasPrefix(again.err, "TimeoutError") || strings.HasPrefix(got.err, "TimeoutError") || again == got {
		return ""
	}
	return fmt.Sprintf("formatted, it prints something else:\n%s\nformatted:\n%s\ngot  %q %s\nwant %q %s", program, formatted.String(), again.out, again.err, got.out, got.err)
}

// TestFound runs the programs that once differed.
func TestFound(t *testing.T) {
	p := startPython(t)
	files, err := filepath.Glob("testdata/found/*.py")
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got, want, differs := differsFrom(t, p, string(text)); differs {
			t.Errorf("%s:\ngot  %q %s\nwant %q %s", file, got.out, got.err, want.out, want.err)
		} else if err := sameFormatted(string(text), got); err != "" {
			t.Errorf("%s: %s", file, err)
		}
	}
}

// TestAugmented runs generated programs that change values in place here and in Python.
func TestAugmented(t *testing.T) {
	p := startPython(t)
	first, n := long.Drawn("programs", 2)
	failures, ended := 0, 0
	for i := first; i < first+n; i++ {
		g := &mutator{Rand: rand.New(rand.NewPCG(*programsSeed, uint64(i)))}
		program := g.program()
		got, want, differs := differsFrom(t, p, program)
		if want.err != "" {
			ended++
		}
		if !differs {
			continue
		}
		if failures++; *programsCut && failures > 5 {
			continue
		}
		if *programsCut {
			program = cutStatements(t, p, program)
		}
		got, want, _ = differsFrom(t, p, program)
		t.Errorf("program %d of seed %d, cut down:\n%s\ngot  %q %s\nwant %q %s", i, *programsSeed, program, got.out, got.err, want.out, want.err)
	}
	t.Logf("%d programs, of which %d end with an error in Python, %d differ", n, ended, failures)
	if ended > n/3 {
		t.Errorf("%d of %d programs end with an error: too many to say much", ended, n)
	}
}
