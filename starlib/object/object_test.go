package object_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// oracle prints, as JSON, what each program of a list on stdin prints, and the class and message of
// the error that ends it.
const oracle = `
import contextlib, io, json, sys
out = []
for program in json.load(sys.stdin):
    printed, error = io.StringIO(), ["", ""]
    with contextlib.redirect_stdout(printed):
        try:
            exec(compile(program, "program", "exec"), {"__name__": "__main__"})
        except BaseException as e:
            error = [type(e).__name__, str(e)]
    out.append([printed.getvalue()] + error)
json.dump(out, sys.stdout)
`

// address is that of an object, which differs from run to run.
var address = regexp.MustCompile(` at 0x[0-9a-f]+`)

// plain is a text without what is different on purpose: the quotes around strings, addresses, the
// module of classes.
func plain(text string) string {
	return strings.NewReplacer(`"`, `'`, "__main__.", "").Replace(address.ReplaceAllString(text, ""))
}

// TestObjects: the programs of testdata, cut at lines "# %% title", print what CPython prints, and end with errors of the same class.
func TestObjects(t *testing.T) {
	files, err := filepath.Glob("testdata/*.py")
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	var titles, programs []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.Split("\n"+string(text), "\n# %% ")[1:] {
			title, code, _ := strings.Cut(part, "\n")
			titles, programs = append(titles, strings.TrimSuffix(filepath.Base(file), ".py")+": "+title), append(programs, code)
		}
	}
	for i, want := range python(t, programs) {
		t.Run(titles[i], func(t *testing.T) { compare(t, programs[i], want) })
	}
}

// TestRandomPrograms: random programs about attributes print what CPython prints.
func TestRandomPrograms(t *testing.T) {
	const seed = 1
	var programs []string
	for i := range *count {
		g := &generator{Rand: rand.New(rand.NewPCG(seed, uint64(i)))}
		programs = append(programs, g.program())
	}
	for i, want := range python(t, programs) {
		t.Run(fmt.Sprint(i), func(t *testing.T) { compare(t, programs[i], want) })
	}
}

var count = flag.Int("programs", 40, "how many random programs")

// python is what CPython prints, and the class and message of the error that ends it, for each program.
func python(t *testing.T, programs []string) [][3]string {
	t.Helper()
	asked, err := json.Marshal(programs)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("/usr/bin/python3", "-c", oracle)
	cmd.Stdin, cmd.Stderr = strings.NewReader(string(asked)), os.Stderr
	answer, err := cmd.Output()
	if err != nil {
		t.Skipf("no Python to compare with: %v", err)
	}
	var want [][3]string
	if err := json.Unmarshal(answer, &want); err != nil || len(want) != len(programs) {
		t.Fatalf("%d programs, %d answers: %v", len(programs), len(want), err)
	}
	return want
}

// compare runs a program, which is to do what CPython does.
func compare(t *testing.T, program string, want [3]string) {
	t.Helper()
	var out starlibtest.Printed
	_, _, err := starlib.NewSession(starlib.Options{Dir: t.TempDir()}).Execute(context.Background(), 1, program, &out)
	name, msg := "", ""
	if err != nil {
		name, msg = err.(*starlib.Error).Name(), strings.Join(err.(*starlib.Error).Traceback(), "\n")
	}
	got := strings.Split(plain(out.String()), "\n")
	for j, line := range strings.Split(plain(want[0]), "\n") {
		if j >= len(got) || got[j] != line {
			t.Fatalf("line %d\ngot  %q\nwant %q\n%s", j+1, at(got, j), line, msg)
		}
	}
	if name != want[1] {
		t.Errorf("got error %s, want %s: %s\n%s", name, want[1], want[2], msg)
	}
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "nothing"
}
