package notebooks

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/arignote/arignote/starlib"
)

var update = flag.Bool("update", false, "write the notebooks anew from the scripts, and run them")

// notebook is as much of nbformat 4.5 as these files have. The order of fields is the order in the
// file, sorted as nbformat writes it.
type notebook struct {
	Cells    []cell         `json:"cells"`
	Metadata map[string]any `json:"metadata"`
	Format   int            `json:"nbformat"`
	Minor    int            `json:"nbformat_minor"`
}

type cell struct {
	Type     string         `json:"cell_type"`
	Count    *int           `json:"execution_count,omitempty"`
	ID       string         `json:"id"`
	Metadata map[string]any `json:"metadata"`
	Outputs  []output       `json:"outputs,omitempty"`
	Source   lines          `json:"source"`
}

type output struct {
	Type  string                     `json:"output_type"`
	Name  string                     `json:"name,omitempty"`
	Text  lines                      `json:"text,omitempty"`
	Data  map[string]json.RawMessage `json:"data,omitempty"`
	Error string                     `json:"ename,omitempty"`
}

// lines is text that the format keeps as a list of lines, or as one string.
type lines string

func (l *lines) UnmarshalJSON(b []byte) error {
	var list []string
	if json.Unmarshal(b, &list) == nil {
		*l = lines(strings.Join(list, ""))
		return nil
	}
	return json.Unmarshal(b, (*string)(l))
}

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

// fromScript is the notebook of a script, without outputs. As in other pairs of script and
// notebook, what Python-like tools cannot read is a comment in the script only: the magic of a
// cell, and the text between the code.
func fromScript(t *testing.T, path string) notebook {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	nb := notebook{Format: 4, Minor: 5, Metadata: map[string]any{"kernelspec": map[string]any{
		"name": "arignote", "display_name": "Starlark (Arignote)", "language": "starlark"}}}
	seen := make(map[string]int)
	for _, c := range starlib.SplitScript(string(text)) {
		kind, list := "code", strings.Split(c.Code, "\n")
		if c.Markdown {
			kind = "markdown"
			for i, line := range list {
				list[i] = strings.TrimPrefix(strings.TrimPrefix(line, "#"), " ")
			}
		} else if rest, ok := strings.CutPrefix(list[0], "# %%"); ok {
			list[0] = "%%" + rest
		}
		source := strings.Join(list, "\n")
		// By its text, not its place: a cell that is put in between leaves the others' ids alone.
		h := fnv.New32a()
		h.Write([]byte(kind + source))
		id := fmt.Sprintf("%s-%08x", kind, h.Sum32())
		if seen[id]++; seen[id] > 1 {
			id = fmt.Sprintf("%s-%d", id, seen[id])
		}
		nb.Cells = append(nb.Cells, cell{Type: kind, ID: id, Metadata: map[string]any{}, Source: lines(source)})
	}
	return nb
}

func read(t *testing.T, path string) (nb notebook, raw []byte) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &nb); err != nil {
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
			if got.Format != want.Format || got.Minor != want.Minor {
				t.Errorf("nbformat: got %d.%d, want %d.%d", got.Format, got.Minor, want.Format, want.Minor)
			}
			if g, w := fmt.Sprint(got.Metadata["kernelspec"]), fmt.Sprint(want.Metadata["kernelspec"]); g != w {
				t.Errorf("kernelspec: got %s, want %s", g, w)
			}
			if len(got.Cells) != len(want.Cells) {
				t.Errorf("got %d cells, want %d", len(got.Cells), len(want.Cells))
			}
			for i := range min(len(got.Cells), len(want.Cells)) {
				g, w := got.Cells[i], want.Cells[i]
				if g.Type != w.Type || g.ID != w.ID || g.Source != w.Source {
					t.Errorf("cell %d: got %s %s\n%s\nwant %s %s\n%s", i, g.Type, g.ID, g.Source, w.Type, w.ID, w.Source)
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
func write(t *testing.T, nb notebook, path string) {
	t.Helper()
	dir := t.TempDir()
	program, source := filepath.Join(dir, "arignote"), filepath.Join(dir, "source.ipynb")
	copyScripts(t, dir, filepath.Dir(path))
	encoded, err := json.Marshal(map[string]any{"cells": codeOutputs(nb.Cells), "metadata": nb.Metadata, "nbformat": nb.Format, "nbformat_minor": nb.Minor})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(source, encoded, 0o666); err != nil {
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

// codeOutputs gives code cells the two keys that the format wants there even when they are empty.
func codeOutputs(cells []cell) []map[string]any {
	var list []map[string]any
	for _, c := range cells {
		m := map[string]any{"cell_type": c.Type, "id": c.ID, "metadata": c.Metadata, "source": c.Source}
		if c.Type == "code" {
			m["outputs"], m["execution_count"] = []any{}, nil
		}
		list = append(list, m)
	}
	return list
}
