package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// runAll runs all cells of a notebook from Debian's notebook's page, in a real browser, again and
// again: the second cell fails, and none after it may run, though the page sends them one by one to
// a kernel that is quicker. A cell that is run by hand then does.
func (in installed) runAll(t *testing.T) {
	needProgram(t, "jupyter-notebook", "jupyter-notebook")
	needProgram(t, "chromium", "chromium")
	needProgram(t, "chromedriver", "chromium-driver")

	const rounds, count = 12, 8
	var cells []map[string]any
	for k := range count {
		source := "ran = 1"
		if k == 1 {
			source = "fail('here')"
		}
		cells = append(cells, map[string]any{"cell_type": "code", "source": source, "metadata": map[string]any{}, "outputs": []any{}, "execution_count": nil})
	}
	text, err := json.Marshal(map[string]any{"cells": cells, "nbformat": 4, "nbformat_minor": 4,
		"metadata": map[string]any{"kernelspec": map[string]any{"name": "arignote", "display_name": "Starlark (Arignote)", "language": "starlark"}}})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "fails.ipynb"), text, 0o666); err != nil {
		t.Fatal(err)
	}
	w := drive(t)
	w.call("POST", "url", map[string]any{"url": in.serveNotebooks(t, dir) + "/notebooks/fails.ipynb"}, nil)
	w.until(60*time.Second, "return !!(window.Jupyter && Jupyter.notebook && Jupyter.notebook._fully_loaded && Jupyter.notebook.kernel && Jupyter.notebook.kernel.is_connected())")

	// What has a number has run; a cell that waits for its reply is *.
	const numbers = "return JSON.stringify(" + codeCells + ".map(c => c.input_prompt_number || 0).filter(n => n > 0 || n == '*'))"
	const done = "return " + codeCells + ".every(c => c.input_prompt_number != '*')"
	for round := range rounds {
		w.js("Jupyter.notebook.clear_all_output(); " + codeCells + ".forEach(c => c.set_input_prompt(null)); Jupyter.notebook.execute_all_cells(); return 0")
		w.until(30*time.Second, done)
		var ran []int
		if got := w.js(numbers); json.Unmarshal([]byte(got), &ran) != nil || len(ran) != 2 {
			t.Errorf("round %d: the cells with a number have %s, want those of the first two", round, got)
		}
		w.js(codeCells + ".at(-1).execute(); return 0")
		w.until(30*time.Second, done)
		if got := w.js("return " + codeCells + ".at(-1).input_prompt_number > 0"); got != "true" {
			t.Errorf("round %d: a cell that was run by hand afterwards has no number", round)
		}
	}
}
