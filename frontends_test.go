package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/arignote/arignote/long"
)

// The front ends of others, run against this kernel: what they accept is the proof that it is a
// Jupyter kernel. They are Debian's, and so is their Python, whatever other python3 the PATH has.
// Where one is missing its test is skipped, by the name of its package.

const python = "/usr/bin/python3"

// installed is a program built from this checkout, with its kernelspec in a prefix of its own.
type installed struct {
	program string
	env     []string // Jupyter finds the kernelspec, and nothing of the user's
}

func build(t *testing.T) installed {
	t.Helper()
	dir := t.TempDir()
	in := installed{program: filepath.Join(dir, "arignote")}
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", in.program, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	in.env = append(os.Environ(), "JUPYTER_PATH="+filepath.Join(dir, "prefix", "share", "jupyter"))
	for _, name := range []string{"JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"} {
		in.env = append(in.env, name+"="+filepath.Join(dir, strings.ToLower(name)))
	}
	out, err := exec.CommandContext(t.Context(), in.program, "install", "--prefix", filepath.Join(dir, "prefix")).CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("installed kernelspec arignote")) {
		t.Fatalf("install: %v\n%s", err, out)
	}
	return in
}

// python runs a program of Python to its end and returns what it printed.
func (in installed) python(t *testing.T, limit time.Duration, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), limit)
	defer stop()
	// Warnings are about Debian's packages among themselves.
	cmd := exec.CommandContext(ctx, python, append([]string{"-W", "ignore"}, args...)...)
	var o, e bytes.Buffer
	cmd.Env, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = in.env, &o, &e, 5*time.Second
	err = cmd.Run()
	if ctx.Err() != nil {
		err = fmt.Errorf("not done after %v: %w", limit, err)
	}
	return o.String(), e.String(), err
}

// needPython skips the test if Python has not got a module.
func needPython(t *testing.T, module, debian string) {
	t.Helper()
	if err := exec.CommandContext(t.Context(), python, "-c", "import "+module).Run(); err != nil {
		t.Skipf("%s has no %s (Debian: apt-get install %s)", python, module, debian)
	}
}

// needProgram skips the test if a program is missing.
func needProgram(t *testing.T, name, debian string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skipf("no %s (Debian: apt-get install %s)", name, debian)
	}
}

const tutorial = "notebooks/profiling_example.ipynb"

func TestFrontEnds(t *testing.T) {
	if testing.Short() {
		t.Skip("front ends take a minute")
	}
	in := build(t)
	t.Run("browser", in.browser)
	t.Run("run all", in.runAll)
	in.env = append(in.env, "ARIGNOTE_FLAGS=profiling.roofline=False") // the others look at no roofs
	t.Run("conformance", in.conformance)
	t.Run("messages", in.messages)
	t.Run("interrupt", in.interrupt)
	t.Run("headless", in.headless)
	t.Run("nbclient", in.nbclient)
	t.Run("nbconvert", in.nbconvert)
}

// conformance runs Jupyter's own suite, and our cases of what it does not look at.
func (in installed) conformance(t *testing.T) {
	needPython(t, "jupyter_kernel_test", "python3-jupyter-kernel-test")
	// The suite waits without limit for some replies, so the limit is ours.
	_, report, err := in.python(t, 240*time.Second, "testdata/frontends/kernel_test_arignote.py")
	if err != nil {
		t.Fatalf("%v\n%s", err, report)
	}
	// A suite that found no cases would pass as well.
	_, tail, _ := strings.Cut(report, "\nRan ")
	var cases int
	if _, err := fmt.Sscanf(tail, "%d tests", &cases); err != nil || cases < 40 || strings.Contains(tail, "skipped") {
		t.Errorf("got %d cases, want 40 or more and none skipped:\n%s", cases, report)
	}
	t.Logf("%d cases", cases)
}

// messages tries every message of the protocol. The table of the documents is of this kernel and
// ipykernel in one run.
func (in installed) messages(t *testing.T) {
	needPython(t, "jupyter_client", "python3-jupyter-client")
	kernels, update := []string{"arignote"}, flag.Lookup("update").Value.String() == "true"
	if update {
		needPython(t, "ipykernel", "python3-ipykernel")
		kernels = append(kernels, "python3")
	}
	stdout, stderr, err := in.python(t, 15*time.Minute, append([]string{"testdata/frontends/messages.py"}, kernels...)...)
	if err != nil {
		t.Fatalf("%v\n%s%s", err, stdout, stderr)
	}
	const notOffered = "not offered"
	type result struct {
		Kernel, Version string
		Rows            [][2]string // what is tried, and why it fails
	}
	var results []result
	for line := range strings.Lines(stdout) {
		var r result
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		results = append(results, r)
	}
	if len(results) != len(kernels) || len(results[0].Rows) < 35 {
		t.Fatalf("got %v, want all rows of %v", results, kernels)
	}
	table := "| "
	for _, r := range results {
		table += "| " + r.Kernel + " " + r.Version + " "
	}
	table += "|\n|---" + strings.Repeat("|---", len(results)) + "|\n"
	for i, row := range results[0].Rows {
		if row[1] != "" && row[1] != notOffered {
			t.Errorf("%s: %s", row[0], row[1])
		}
		table += "| " + row[0]
		for _, r := range results {
			table += " | " + map[string]string{"": "yes", notOffered: "not offered"}[r.Rows[i][1]]
			if why := r.Rows[i][1]; why != "" && why != notOffered {
				table += "no: " + strings.ReplaceAll(why, "|", "/")
			}
		}
		table += " |\n"
	}
	const page, begin, end = "docs/jupyter.md", "<!-- messages -->\n", "<!-- /messages -->"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(text), begin)
	old, after, found := strings.Cut(rest, end)
	if !found {
		t.Fatalf("%s has no place for the table", page)
	}
	if update {
		if err := os.WriteFile(page, []byte(before+begin+table+end+after), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, row := range results[0].Rows {
		if !strings.Contains(old, "| "+row[0]+" |") {
			t.Errorf("%s knows nothing of %q: go test . -run TestFrontEnds/messages -update", page, row[0])
		}
	}
}

// interrupt measures what passes from an interrupt to the reply. Users feel 100 ms: the kernel
// computes for less, however busy the cores. How late the reply is on the clock is printed: 10 to
// 30 ms on a quiet machine.
func (in installed) interrupt(t *testing.T) {
	needPython(t, "jupyter_client", "python3-jupyter-client")
	const rounds, limit = 5, 100.0
	stdout, stderr, err := in.python(t, 240*time.Second, "testdata/frontends/interrupt.py", fmt.Sprint(rounds))
	if err != nil {
		t.Fatalf("%v\n%s%s", err, stdout, stderr)
	}
	var got map[string]struct {
		MS     []float64 `json:"ms"`
		Busy   []float64 `json:"busy"`
		Enames []string  `json:"enames"`
	}
	if err := json.Unmarshal([]byte(stdout), &got); err != nil || len(got) != 2 {
		t.Fatalf("got %s, %v, want the times of two cells", stdout, err)
	}
	median := func(times []float64) float64 { return slices.Sorted(slices.Values(times))[rounds/2] }
	for name, g := range got {
		if want := slices.Repeat([]string{"KeyboardInterrupt"}, rounds); !slices.Equal(g.Enames, want) {
			t.Fatalf("%s: got %v, want %v", name, g.Enames, want)
		}
		t.Logf("%s: %v ms, median %v, in which the kernel computed for %v", name, g.MS, median(g.MS), g.Busy)
		if busy := median(g.Busy); busy == 0 || busy >= limit {
			t.Errorf("%s: after an interrupt the kernel computed for %v ms, want less than %v", name, busy, limit)
		}
	}
}

// shownPage is what the tests look at in a notebook.
type shownPage struct {
	Cells []struct {
		Type    string          `json:"cell_type"`
		ID      string          `json:"id"`
		Source  json.RawMessage `json:"source"`
		Outputs []struct {
			Type string                     `json:"output_type"`
			Name string                     `json:"name"`
			Data map[string]json.RawMessage `json:"data"`
		} `json:"outputs"`
	} `json:"cells"`
}

// structure is a notebook without what differs from run to run: numbers and times.
func structure(t *testing.T, path string) (list []string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var p shownPage
	if err := json.Unmarshal(text, &p); err != nil {
		t.Fatal(err)
	}
	for _, c := range p.Cells {
		line := fmt.Sprintf("%s %s:", c.Type, c.ID)
		for _, o := range c.Outputs {
			types := make([]string, 0, len(o.Data))
			for mime := range o.Data {
				types = append(types, mime)
			}
			slices.Sort(types)
			if shown := fmt.Sprintf(" %s%s%v", o.Type, o.Name, types); o.Type != "stream" || !strings.HasSuffix(line, shown) { // in how many parts a stream comes is a matter of time
				line += shown
			}
			profile := o.Data["application/vnd.arignote.profile+json"] != nil
			if text := string(o.Data["text/html"]); text != "" && profile && !strings.Contains(text, "<table") {
				t.Errorf("%s: cell %s: got HTML of a profile without a table", path, c.ID)
			}
		}
		list = append(list, line)
		if strings.Contains(string(c.Source), "%%profile") && c.Type == "code" &&
			!strings.Contains(line, "display_data[application/vnd.arignote.profile+json text/") {
			t.Errorf("%s: got %s, want a profile", path, line)
		}
	}
	return list
}

// nbclient runs every notebook as tools without a browser do; a cell that fails ends it. The time
// that a reader waits is bounded far above what a notebook takes. They run in a copy of their
// folder, for some write files. Each day has a third: package notebooks runs the programs of all.
func (in installed) nbclient(t *testing.T) {
	needPython(t, "nbclient", "python3-nbclient")
	dir := t.TempDir()
	err := os.CopyFS(dir, os.DirFS("notebooks"))
	notebooks, err2 := filepath.Glob(filepath.Join(dir, "*.ipynb"))
	more, err3 := filepath.Glob(filepath.Join(dir, "tutorial", "*.ipynb"))
	if err := cmp.Or(err, err2, err3); err != nil {
		t.Fatal(err)
	}
	notebooks = append(notebooks, more...)
	if len(notebooks) < 20 {
		t.Fatalf("got the notebooks %v, want more", notebooks)
	}
	for i, notebook := range notebooks {
		if !long.Turn(i, 3) {
			continue
		}
		t.Run(filepath.Base(notebook), func(t *testing.T) {
			result := filepath.Join(t.TempDir(), "executed.ipynb")
			if stdout, stderr, err := in.python(t, 120*time.Second, "testdata/frontends/execute.py", notebook, result); err != nil {
				t.Fatalf("%v\n%s%s", err, stdout, stderr)
			}
			got, want := structure(t, result), structure(t, notebook)
			if !slices.Equal(got, want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

// nbconvert makes a web page of the tutorial; the profile has to be in it as a table.
func (in installed) nbconvert(t *testing.T) {
	needPython(t, "nbconvert", "python3-nbconvert")
	dir := t.TempDir()
	if stdout, stderr, err := in.python(t, 120*time.Second, "-m", "nbconvert", "--to", "html", "--execute",
		"--output-dir", dir, "--output", "page", tutorial); err != nil {
		t.Fatalf("%v\n%s%s", err, stdout, stderr)
	}
	in.converted(t)
	text, err := os.ReadFile(filepath.Join(dir, "page.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"<details", "<table", ">class, op, node</div></th>", ">source</div></th>", "linear-gradient"} {
		if !bytes.Contains(text, []byte(part)) {
			t.Errorf("got no %q in the page", part)
		}
	}
}
