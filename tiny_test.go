package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tiny goes through every room that a script uses: language, graph, gradient, rewriting, linking,
// kernels, profile.
const tiny = `
x = T.vector("x")
w = shared(np.array([3.0, 2.0]), name = "w")
cost = T.sqr(T.dot(x, w) - 1).sum()
step = function([x], cost, updates = [(w, w - 0.25 * grad(cost, w))], name = "step", profile = True)
print([step([1, 0]) for i in range(3)], w.get_value())
step.profile.summary()
`

// TestTiny is the first test to look at when something is broken.
func TestTiny(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tiny.star")
	if err := os.WriteFile(file, []byte(tiny), 0o666); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	if status := arignote([]string{"run", file}, nil, &stdout, &stderr); status != 0 {
		t.Fatalf("status %d: %s", status, &stderr)
	}
	for _, want := range []string{
		"[4.0, 1.0, 0.25] [1.25 2.  ]\n",
		"Time in 3 calls to Function.__call__: ",
		"<#call> <#apply> <Class name>",
	} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("no %q in\n%s", want, &stdout)
		}
	}
}

// TestExitStatus: 2 for a wrong command line, 1 for a failure of what it asks for.
func TestExitStatus(t *testing.T) {
	for _, c := range []struct {
		args []string
		want int
	}{
		{[]string{"version"}, 0}, {[]string{"rnu"}, 2}, {[]string{"run"}, 2}, {[]string{"run", "--falgs", "x", "y"}, 2},
		{[]string{"run", "nowhere.star"}, 1},
	} {
		var out bytes.Buffer
		if got := arignote(c.args, nil, &out, &out); got != c.want {
			t.Errorf("arignote %s: got status %d, want %d: %s", strings.Join(c.args, " "), got, c.want, &out)
		}
	}
}
