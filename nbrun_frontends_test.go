package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/arignote/arignote/notebook"
)

// headlessCases are notebooks, as scripts, that have to show the same with and without a front end.
var headlessCases = []struct{ name, script string }{
	{"values", `
# %%
x = [1, 2.5, "a", None]
x
# %%
None
# %%
1;
# %%
_, Out[1], In[1], len(In)
# %%

# %% tags=["skip-execution"]
print("never")
# %%
np.arange(6).reshape(2, 3)
`},
	{"streams", `
# %%
import sys
print("out", end="")
print(" and more\nümlaut\t\x1b[31mred\x1b[0m")
print("err", file=sys.stderr)
print("out")
# %%
print("", end="")
# %%
print("10%\r20%\r", flush=True)
for i in range(20000): print("line", i)
`},
	{"bundles", `
# %%
from IPython.display import display, HTML, Markdown, Latex, JSON, SVG, Image, Javascript
display(HTML("<b>&</b>\n<i>x</i>"), Markdown("**x**\n\ny"), Latex("$x$"))
display(JSON({"a": [1, None, "b\nc"]}))
display(SVG('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'))
display({"text/plain": "p", "text/html": "<p>"}, raw=True)
# %%
class Rich:
    def _repr_html_(self): return "<b>rich</b>"
    def __repr__(self): return "Rich"
Rich()
# %%
class Bad:
    def _repr_html_(self): return 1 // 0
    def __repr__(self): return "Bad"
Bad()
# %%
import matplotlib.pyplot as plt
plt.plot([1, 2, 3])
plt.show()
`},
	{"updates", `
# %%
from IPython.display import display, HTML, clear_output, update_display
h = display("first", display_id="a")
print("between")
display("again", display_id="a")
# %%
update_display(HTML("<b>new</b>"), display_id="a")
# %%
g = display("one", display_id=True)
g.update("two")
g.update("three")
# %%
update_display("nobody", display_id="nowhere")
`},
	{"cleared", `
# %%
from IPython.display import display, clear_output
print("gone")
clear_output()
print("stays")
# %%
print("gone")
display("gone too", display_id="c")
clear_output(wait=True)
print("stays")
# %%
print("stays")
clear_output(wait=True)
# %%
from IPython.display import update_display
update_display("not seen", display_id="c")
# %%
for i in range(5):
    clear_output(wait=True)
    display(i)
`},
	{"errors", `
# %% tags=["raises-exception"]
print("before")
def f(x):
    return 1 // x
f(0)
# %% tags=["raises-exception"]
x = = 1
# %% tags=["raises-exception"]
undefined_name
# %% tags=["raises-exception"]
class MyError(ValueError): pass
raise MyError("own\nlines")
# %% tags=["raises-exception"]
%nomagic
# %%
"it goes on"
`},
	{"questions", `
# %% tags=["raises-exception"]
input("name? ")
# %%
len?
# %%
%%capture kept
print("hidden")
# %%
kept.stdout
`},
}

// merged has streams as front ends show them: a kernel sends a stream in parts.
func merged(nb *notebook.Notebook) *notebook.Notebook {
	for _, c := range nb.Cells {
		var list []*notebook.Output
		for _, o := range c.Outputs {
			if n := len(list) - 1; n >= 0 && o.Type == "stream" && list[n].Type == "stream" && list[n].Name == o.Name {
				list[n].Text += o.Text
				continue
			}
			list = append(list, o)
		}
		c.Outputs = list
	}
	return nb
}

// headless compares nb run with nbclient, which runs the same notebooks by the kernel, cell by
// cell and to the byte. What nb run writes is valid to nbformat.
func (in installed) headless(t *testing.T) {
	needPython(t, "nbclient", "python3-nbclient")
	dir := t.TempDir()
	args, ours := []string{"testdata/frontends/execute.py"}, []string{"-c", validate}
	file := func(name, ending string) string { return filepath.Join(dir, name+ending) }
	for _, c := range headlessCases {
		nb, err := notebook.FromScript(strings.TrimPrefix(c.script, "\n"))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file(c.name, ".ipynb"), nb.Encode(), 0o666); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), in.program, "nb", "run", file(c.name, ".ipynb"), "-o", file(c.name, "-ours.ipynb"))
		cmd.Env = in.env
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", c.name, err, out)
		}
		args = append(args, file(c.name, ".ipynb"), file(c.name, "-theirs.ipynb"))
		ours = append(ours, file(c.name, "-ours.ipynb"))
	}
	for _, list := range [][]string{ours, args} {
		if stdout, stderr, err := in.python(t, 240*time.Second, list...); err != nil {
			t.Fatalf("%v\n%s%s", err, stdout, stderr)
		}
	}
	for _, c := range headlessCases {
		t.Run(c.name, func(t *testing.T) {
			read := func(ending string) *notebook.Notebook {
				nb, err := readNotebook(file(c.name, ending), nil)
				if err != nil {
					t.Fatal(err)
				}
				return merged(nb)
			}
			got, want := read("-ours.ipynb"), read("-theirs.ipynb")
			if text := notebook.Compare("nbclient", want, "nb run", got, true); text != "" {
				t.Error(text)
			} else if !bytes.Equal(got.Encode(), want.Encode()) {
				t.Error("the notebooks differ in what Compare does not show")
			}
			shows := 0
			for _, c := range got.Cells {
				shows += len(c.Outputs)
			}
			if shows < 2 {
				t.Errorf("got %d outputs, want more", shows)
			}
		})
	}
}

// converted runs the script that nbconvert makes of a notebook: the sources of its cells, one after
// the other.
func (in installed) converted(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	file, script := filepath.Join(dir, "ran.ipynb"), filepath.Join(dir, "ran.star")
	nb, err := notebook.FromScript("# %%\nx = 1\n# %%\n# %%time\ny = x + 1\n\n# %% [markdown]\n# text\n# %%\n%who\nx + y\n")
	if err != nil {
		t.Fatal(err)
	}
	nb.Complete(map[string]any{"name": "starlark", "file_extension": ".star"})
	if err := os.WriteFile(file, nb.Encode(), 0o666); err != nil {
		t.Fatal(err)
	}
	if stdout, stderr, err := in.python(t, 120*time.Second, "-m", "nbconvert", "--to", "script", file); err != nil {
		t.Fatalf("%v\n%s%s", err, stdout, stderr)
	}
	out, err := exec.CommandContext(t.Context(), in.program, "run", script).CombinedOutput()
	text, _ := os.ReadFile(script) // for the message
	if err != nil || !bytes.Contains(text, []byte("\n%%time\n")) || !bytes.Contains(out, []byte("Wall time: ")) || !bytes.HasSuffix(out, []byte("\n3\n")) {
		t.Errorf("%v\n%s\nof\n%s", err, out, text)
	}
}

const validate = `import nbformat, sys
for path in sys.argv[1:]:
    nbformat.validate(nbformat.read(path, as_version=nbformat.NO_CONVERT))
`
