package notebook_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/arignote/arignote/notebook"
)

// all is a notebook with everything that a file may have.
const all = `{
 "cells": [
  {"cell_type": "markdown", "id": "a-1", "metadata": {}, "source": ["# T\n", "\n", "%% no mark\n", " x \n"],
   "attachments": {"a.png": {"image/png": "iVBORw=="}}},
  {"cell_type": "code", "id": "b", "metadata": {"tags": ["parameters", "x y"], "title": "Load [raw]", "a b": [1, 2.50, null], "é": "ü"},
   "execution_count": 3, "outputs": [
    {"output_type": "stream", "name": "stderr", "text": "one\ntwo\r\nthree"},
    {"output_type": "display_data", "data": {"image/png": "iVBORw==\n", "text/plain": ["a\n", "b"], "application/json": ["a\n", "b"],
      "image/svg+xml": "<svg>\n</svg>"}, "metadata": {"image/png": {"width": 1e400}}},
    {"output_type": "execute_result", "execution_count": 3, "data": {"text/plain": "<&>\u2028"}, "metadata": {}},
    {"output_type": "error", "ename": "E", "evalue": "v", "traceback": ["\u001b[31mE\u001b[0m"], "more": true}],
   "source": "%%time\n\nx = 1\n# %% a mark\n%%time\n\n\n"},
  {"cell_type": "code", "id": "c", "metadata": {}, "execution_count": null, "outputs": [], "source": []},
  {"cell_type": "code", "id": "d", "metadata": {"title": "plain x=1"}, "execution_count": null, "outputs": [], "source": ["# %%time\n", "x"]},
  {"cell_type": "code", "id": "e", "metadata": {"title": "Two words", "lines": 3, "id": 4}, "execution_count": null, "outputs": [], "source": "  "},
  {"cell_type": "raw", "id": "f", "metadata": {"raw_mimetype": "text/latex"}, "source": "\\LaTeX"},
  {"cell_type": "code", "id": "g", "metadata": {}, "execution_count": null, "outputs": [], "source": "x = 1\n%time x\n!ls\n# In[3]:\n\n%%profile\nx", "own": {"z": 1, "a": 2}}
 ],
 "metadata": {"kernelspec": {"name": "python3", "display_name": "P"}, "authors": [{"name": "x"}]},
 "nbformat": 4, "nbformat_minor": 5, "unknown": {"b": 1, "a": [ ]}
}`

func read(t *testing.T, text string) *notebook.Notebook {
	t.Helper()
	nb, err := notebook.Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return nb
}

// plain is a file as a value in which texts are whole, as nbformat has it when it is read.
func plain(t *testing.T, text []byte) any {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	join := func(m map[string]any, key string) {
		if list, ok := m[key].([]any); ok && !strings.HasSuffix(key, "json") {
			m[key] = strings.Join(toTexts(list), "")
		}
	}
	for _, c := range v.(map[string]any)["cells"].([]any) {
		c := c.(map[string]any)
		join(c, "source")
		outputs, _ := c["outputs"].([]any)
		for _, o := range outputs {
			o := o.(map[string]any)
			join(o, "text")
			data, _ := o["data"].(map[string]any)
			for mime := range data {
				join(data, mime)
			}
		}
	}
	return v
}

func toTexts(list []any) []string {
	texts := make([]string, len(list))
	for i, x := range list {
		texts[i] = x.(string)
	}
	return texts
}

// TestKept: a file that is read and written is the same, with all that the format does not name.
func TestKept(t *testing.T) {
	got := read(t, all).Encode()
	if g, w := plain(t, got), plain(t, []byte(all)); !reflect.DeepEqual(g, w) {
		t.Errorf("got\n%s\nwant\n%s", got, all)
	}
	if again := read(t, string(got)).Encode(); !bytes.Equal(again, got) {
		t.Errorf("written twice, got\n%s\nwant\n%s", again, got)
	}
}

// python runs a program of Debian's Python, and skips the test if it has not got a module.
func python(t *testing.T, module, program, stdin string, args ...string) []byte {
	t.Helper()
	const python = "/usr/bin/python3"
	if err := exec.CommandContext(t.Context(), python, "-c", "import "+module).Run(); err != nil {
		t.Skipf("%s has no %s (Debian: apt-get install python3-%s)", python, module, module)
	}
	cmd := exec.CommandContext(t.Context(), python, append([]string{"-W", "ignore", "-c", program}, args...)...)
	cmd.Stdin = strings.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	return out
}

// TestAsNbformat: files have the bytes that nbformat writes.
func TestAsNbformat(t *testing.T) {
	files, err := filepath.Glob("../notebooks/*.ipynb")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	files = append(files, "")
	for _, file := range files {
		text := strings.ReplaceAll(strings.ReplaceAll(all, "1e400", "1"), "2.50", "2.5")
		text = strings.ReplaceAll(text, `\u2028`, " ")
		if file != "" {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			text = string(data)
		}
		want := python(t, "nbformat", "import nbformat, sys; nbformat.write(nbformat.reads(sys.stdin.read(), 4), sys.stdout)", text)
		if got := read(t, text).Encode(); !bytes.Equal(bytes.TrimSpace(got), bytes.TrimSpace(want)) {
			t.Errorf("%s: got\n%s\nwant\n%s", file, got, want)
		}
	}
}

// TestUpgrade: of nbformat 3 is made what nbformat makes of it.
func TestUpgrade(t *testing.T) {
	old, err := os.ReadFile("testdata/worksheets.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	got := read(t, string(old))
	for _, c := range got.Cells {
		c.ID = ""
	}
	got.Minor = 4
	want := python(t, "nbformat", `import json, nbformat, sys
nb = nbformat.reads(sys.stdin.read(), 4)
for c in nb.cells:
    c.pop("id", None)
nb.nbformat_minor = 4
for key in ("orig_nbformat", "orig_nbformat_minor", "signature", "name"):
    nb.pop(key, None); nb.metadata.pop(key, None)
nbformat.write(nb, sys.stdout)`, string(old))
	if g, w := plain(t, got.Encode()), plain(t, want); !reflect.DeepEqual(g, w) {
		t.Errorf("got\n%s\nwant\n%s", got.Encode(), want)
	}
}

// TestRefused: what is no notebook is refused, and the error says what is wrong and where.
func TestRefused(t *testing.T) {
	cell := func(text string) string {
		return `{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [` + text + `]}`
	}
	for _, tt := range []struct{ text, want string }{
		{"", "got an empty file, want JSON"},
		{"# %%\nx = 1\n", `got a file that begins with "# %%", want JSON, which begins with {`},
		{"\xff\xfe{\x00", "got bytes that are no UTF-8, want JSON"},
		{"[1]", "got a list, want an object with cells"},
		{`{"cells": [`, "the JSON ends too early, after 11 bytes in line 1: is the file cut off?"},
		{"{\n \"é\": NaN}", "no JSON in line 2, column 7: invalid character 'N' looking for beginning of value"},
		{`{}`, "nbformat: got nothing, want a whole number: is this a notebook?"},
		{`{"nbformat": "4"}`, "nbformat: got text, want a whole number: is this a notebook?"},
		{`{"nbformat": 5, "nbformat_minor": 1}`, "got nbformat 5.1, want 4: this version of Arignote does not know it"},
		{`{"nbformat": 2, "worksheets": []}`, "got nbformat 2, want 4 or 3: open and save it in Jupyter, which makes 4 of it"},
		{`{"nbformat": 4}`, "cells: got nothing, want a list"},
		{`{"nbformat": 4, "cells": {}}`, "cells: got an object, want a list"},
		{`{"nbformat": 4, "cells": [], "metadata": 1}`, "metadata: got a number, want an object"},
		{cell(`1`), "cells[0]: got a number, want an object"},
		{cell(`{}`), "cells[0].cell_type: got nothing, want text or a list of lines"},
		{cell(`{"cell_type": "heading"}`), `cells[0].cell_type: got "heading", want code, markdown or raw`},
		{cell(`{"cell_type": "raw", "source": [1]}`), "cells[0].source[0]: got a number, want text"},
		{cell(`{"cell_type": "raw", "source": null}`), "cells[0].source: got null, want text or a list of lines"},
		{cell(`{"cell_type": "raw", "source": "", "metadata": []}`), "cells[0].metadata: got a list, want an object"},
		{cell(`{"cell_type": "code", "source": "", "execution_count": "1", "outputs": []}`), "cells[0].execution_count: got text, want a number or null"},
		{cell(`{"cell_type": "code", "source": "", "outputs": [{"output_type": "x"}]}`),
			`cells[0].outputs[0].output_type: got "x", want stream, display_data, execute_result or error`},
		{cell(`{"cell_type": "code", "source": "", "outputs": [{"output_type": "error", "ename": "", "evalue": "", "traceback": [1]}]}`),
			"cells[0].outputs[0].traceback[0]: got a number, want text or a list of lines"},
		{`{"nbformat": 3, "worksheets": [{"cells": [{"cell_type": "heading", "level": "x"}]}]}`, `worksheets[0].cells[0].level: got "x", want 1 to 6`},
	} {
		_, err := notebook.Read([]byte(tt.text))
		if got := fmt.Sprint(err); got != "notebook: "+tt.want {
			t.Errorf("%q: got %s, want %s", tt.text, got, tt.want)
		}
	}
}

// sameScript checks that a notebook comes back from its script, but for its outputs.
func sameScript(t *testing.T, nb *notebook.Notebook) {
	t.Helper()
	for _, c := range nb.Cells {
		c.Outputs, c.Count = nil, ""
	}
	script := nb.ToScript()
	back, err := notebook.FromScript(script)
	if err != nil {
		t.Fatalf("%v of\n%s", err, script)
	}
	if got, want := back.Encode(), nb.Encode(); !bytes.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s\nof\n%s", got, want, script)
	}
	if again := back.ToScript(); again != script {
		t.Errorf("written twice, got\n%s\nwant\n%s", again, script)
	}
}

// TestScript: nothing but outputs is lost by way of a script.
func TestScript(t *testing.T) {
	sameScript(t, read(t, all))
	old := read(t, all)
	old.Minor = 4
	for _, c := range old.Cells {
		c.ID = ""
	}
	sameScript(t, old)
	kept := read(t, all)
	script, err := notebook.FromScript(kept.ToScript())
	if err != nil {
		t.Fatal(err)
	}
	script.KeepOutputs(kept)
	if got, want := script.Encode(), kept.Encode(); !bytes.Equal(got, want) {
		t.Errorf("with outputs kept, got\n%s\nwant\n%s", got, want)
	}
}

// TestRandomScripts is TestScript of notebooks made of what could be mistaken.
func TestRandomScripts(t *testing.T) {
	bits := []string{"", "x", " ", "\n", "\n\n", "# %%", "# %% ", "#%%", "# %%time", "%%time", "#  %%time", "%time x", "# In[1]:", "# ---", "# jupyter: {}",
		"[markdown]", "lines=1", "id=\"a\"", "a=1", "é", "\r", "\t", "#", "# ", "\"\"\"", "=", "\u2028"}
	r := rand.New(rand.NewPCG(1, 2))
	text := func() (s string) {
		for range r.IntN(6) {
			s += bits[r.IntN(len(bits))]
			if r.IntN(2) == 0 {
				s += "\n"
			}
		}
		return s
	}
	for range 3000 {
		nb := notebook.New()
		nb.Minor = 4 + r.IntN(2)
		for i := range r.IntN(5) {
			c := &notebook.Cell{Kind: []notebook.Kind{notebook.Code, notebook.Code, notebook.Markdown, notebook.Raw}[r.IntN(4)],
				Source: text(), Metadata: notebook.Object{}, Extra: notebook.Object{}}
			if nb.Minor == 5 {
				c.ID = fmt.Sprint("id", i)
			}
			for range r.IntN(3) {
				c.Metadata[[]string{"title", "tags", "id", "lines", "a b", text()}[r.IntN(6)]] = notebook.Quote(text())
			}
			if r.IntN(4) == 0 {
				c.Extra["attachments"] = json.RawMessage(`{"` + "a" + `":{}}`)
			}
			nb.Cells = append(nb.Cells, c)
		}
		if sameScript(t, nb); t.Failed() {
			return
		}
	}
}

// TestSplit: the cells of a script as they run.
func TestSplit(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []notebook.ScriptCell
	}{
		{"x = 1\n# %% Title here\n# %%profile top=3\ny = 2\n\n#%% [markdown] T\n# text\n# %%\n\n# %%\nz\n", []notebook.ScriptCell{
			{Code: "x = 1", Line: 1, Kind: notebook.Code},
			{Code: "# %%profile top=3\ny = 2", Line: 3, Title: "Title here", Kind: notebook.Code},
			{Code: "# text", Line: 7, Title: "T", Kind: notebook.Markdown},
			{Code: "z", Line: 11, Kind: notebook.Code},
		}},
		{"# ---\n# jupyter: {}\n# ---\n\n# %% T tags=[\"a\"] lines=2\nx\n# %%\n\n# %% [raw]\n# r\n", []notebook.ScriptCell{
			{Code: "x\n# %%", Line: 6, Title: "T", Kind: notebook.Code},
			{Code: "# r", Line: 10, Kind: notebook.Raw},
		}},
		{"# %% lines=5\nx\n\n# %%\ny\n", []notebook.ScriptCell{ // the number is out of date
			{Code: "x", Line: 2, Kind: notebook.Code}, {Code: "y", Line: 5, Kind: notebook.Code},
		}},
		{"#!/usr/bin/env python\n\n# In[1]:\n\n\nx = 1\n\n\n# In[ ]:\n\n\ny\n", []notebook.ScriptCell{
			{Code: "#!/usr/bin/env python", Line: 1, Kind: notebook.Code},
			{Code: "\n\nx = 1", Line: 4, Kind: notebook.Code},
			{Code: "\n\ny", Line: 10, Kind: notebook.Code},
		}},
		{"x = 1\n\n%%time\nx\n", []notebook.ScriptCell{{Code: "x = 1", Line: 1, Kind: notebook.Code}, {Code: "%%time\nx", Line: 3, Kind: notebook.Code}}},
	} {
		if got := notebook.Split(tt.text); !slices.Equal(got, tt.want) {
			t.Errorf("%q:\ngot  %+v\nwant %+v", tt.text, got, tt.want)
		}
	}
}

// TestStrip: what running leaves is gone, all else is there.
func TestStrip(t *testing.T) {
	nb := read(t, all)
	if !nb.Strip() || nb.Strip() {
		t.Error("want something to strip at first, and nothing then")
	}
	for i, c := range nb.Cells {
		if len(c.Outputs) > 0 || c.Count != "" || c.Source != read(t, all).Cells[i].Source {
			t.Errorf("cell %d: got %+v", i, c)
		}
	}
}

func FuzzNotebook(f *testing.F) {
	f.Add([]byte(all))
	if old, err := os.ReadFile("testdata/worksheets.ipynb"); err == nil {
		f.Add(old)
	}
	f.Add([]byte(`{"nbformat":4,"cells":[]}`))
	f.Add([]byte(`{"nbformat":4,"cells":[{"cell_type":"raw","source":"x"}]}`))
	f.Add([]byte(`{"nbformat":4,"nbformat_minor":5,"cells":[{"cell_type":"code","source":["%%a\n"],"outputs":[{"output_type":"stream","name":"","text":""}]}]}`))
	f.Add([]byte(`{"nbformat":3,"worksheets":[{"cells":[{"cell_type":"code","input":"","outputs":[{"output_type":"pyout","text":[]}]}]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		nb, err := notebook.Read(data)
		if err != nil {
			return
		}
		text := nb.Encode()
		back, err := notebook.Read(text)
		if err != nil {
			t.Fatalf("%v of\n%s", err, text)
		}
		if again := back.Encode(); !bytes.Equal(again, text) {
			t.Fatalf("got\n%s\nwant\n%s", again, text)
		}
		for i, c := range nb.Cells { // a file with two cells of an id is mended when it is read
			if c.ID == "" && nb.Minor >= 5 {
				t.Fatalf("cell %d has no id", i)
			}
		}
		sameScript(t, back)
	})
}

// FuzzScript: whatever a script is, the notebook of it comes back from its script.
func FuzzScript(f *testing.F) {
	for _, text := range []string{"# %% T a=1 lines=2\nx\n\n# %% [raw] id=\"a\" cell={\"attachments\":{}} metadata={\"title\":1}\n# r\n",
		"# ---\n# jupyter: {}\n# nbformat: 4.4\n# notebook: {\"a\":1}\n# ---\n# %%\n", "# In[1]:\n\n\nx\n\n%%time\ny", "x\r\n# %%\r\n", "# %% a[markdown] [markdown] x=\n#  %%t\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return
		}
		nb, err := notebook.FromScript(text)
		if err != nil {
			return
		}
		back, err := notebook.Read(nb.Encode())
		if err != nil {
			t.Fatalf("%v of\n%s", err, nb.Encode())
		}
		sameScript(t, back)
	})
}
