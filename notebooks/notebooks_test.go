package notebooks

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/arignote/arignote/notebook"
)

var update = flag.Bool("update", false, "write the notebooks anew from the scripts, and run them")

// scripts are the files that have a notebook. Those without cells are what others load.
func scripts(t *testing.T) []string {
	t.Helper()
	var found []string
	for _, pattern := range []string{"*.star", "tutorial/*.star"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			if bytes.HasPrefix(text, []byte("# %%")) {
				found = append(found, f)
			}
		}
	}
	if len(found) < 3 {
		t.Fatalf("scripts: got %v, want more", found)
	}
	return found
}

// copyScripts gives dir the scripts of another directory, which load each other.
func copyScripts(t *testing.T, dir, from string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(from, "*.star"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(f)), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// fromScript is the notebook of a script, without outputs.
func fromScript(t *testing.T, path string) *notebook.Notebook {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	nb, err := notebook.FromScript(string(text))
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	for _, c := range nb.Cells {
		delete(c.Metadata, "title") // shown by the text above the cell
	}
	return nb
}

func read(t *testing.T, path string) (nb *notebook.Notebook, raw []byte) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if nb, err = notebook.Read(raw); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return nb, raw
}

func notebookOf(script string) string { return strings.TrimSuffix(script, ".star") + ".ipynb" }

// TestSameCells: script and notebook have the same cells.
func TestSameCells(t *testing.T) {
	for _, script := range scripts(t) {
		t.Run(script, func(t *testing.T) {
			want := fromScript(t, script)
			if *update {
				write(t, want, notebookOf(script))
			}
			got, raw := read(t, notebookOf(script))
			if got.Minor != want.Minor {
				t.Errorf("nbformat: got 4.%d, want 4.%d", got.Minor, want.Minor)
			}
			if g, w := string(compact(t, got.Metadata["kernelspec"])), string(compact(t, want.Metadata["kernelspec"])); g != w {
				t.Errorf("kernelspec: got %s, want %s", g, w)
			}
			if len(got.Cells) != len(want.Cells) {
				t.Errorf("got %d cells, want %d", len(got.Cells), len(want.Cells))
			}
			for i := range min(len(got.Cells), len(want.Cells)) {
				g, w := got.Cells[i], want.Cells[i]
				if g.Kind != w.Kind || g.ID != w.ID || g.Source != w.Source {
					t.Errorf("cell %d: got %s %s\n%s\nwant %s %s\n%s", i, g.Kind, g.ID, g.Source, w.Kind, w.ID, w.Source)
				}
			}
			if !bytes.HasPrefix(raw, []byte("{\n \"cells\": [")) || !bytes.HasSuffix(raw, []byte("\n}\n")) {
				t.Error("the file is not indented by one space, or does not end with a line feed")
			}
			if t.Failed() {
				t.Log("to write the notebook from the script: go test ./notebooks -update")
			}
		})
	}
}

// write makes the notebook and runs it by nbclient, with a kernel built from this checkout.
func write(t *testing.T, nb *notebook.Notebook, path string) {
	t.Helper()
	dir := t.TempDir()
	program, source := filepath.Join(dir, "arignote"), filepath.Join(dir, "source.ipynb")
	copyScripts(t, dir, filepath.Dir(path))
	if err := os.WriteFile(source, nb.Encode(), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
	defer stop()
	script, err := filepath.Abs("../testdata/frontends/execute.py")
	if err != nil {
		t.Fatal(err)
	}
	for _, argv := range [][]string{
		{"go", "build", "-o", program, ".."},
		{program, "install", "--prefix", dir},
		{"/usr/bin/python3", "-W", "ignore", script, source, filepath.Join(dir, "run.ipynb")},
	} {
		cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
		if argv[0] != "go" {
			cmd.Dir = dir // for the files that cells write
		}
		cmd.Env = append(os.Environ(), "JUPYTER_PATH="+filepath.Join(dir, "share", "jupyter"))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", strings.Join(argv, " "), err, out)
		}
	}
	written, err := os.ReadFile(filepath.Join(dir, "run.ipynb"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, written, 0o666); err != nil {
		t.Fatal(err)
	}
}

// compact is JSON without spaces.
func compact(t *testing.T, raw []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
