package notebook_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/arignote/arignote/notebook"
)

// code makes a notebook of cells of code, with ids a, b, c... unless given as id:source.
func code(sources ...string) *notebook.Notebook {
	nb := notebook.New()
	for _, s := range sources {
		id, source, ok := strings.Cut(s, ":")
		if !ok {
			id, source = "", s
		}
		nb.Cells = append(nb.Cells, &notebook.Cell{Kind: notebook.Code, ID: id, Source: source, Metadata: notebook.Object{}})
	}
	return nb
}

// TestCompare: cells are paired by their texts, then by ids, then by what they share.
func TestCompare(t *testing.T) {
	tagged := code("x")
	tagged.Cells[0].Metadata["tags"] = json.RawMessage(`["a"]`)
	ran := code("x")
	ran.Cells[0].Count, ran.Cells[0].Outputs = "1", []*notebook.Output{{Type: "stream", Name: "stdout", Text: "1\n"}}
	ran.Cells[0].Metadata["execution"] = json.RawMessage(`{}`)
	text := code("x")
	text.Cells[0].Kind = notebook.Markdown
	for _, tt := range []struct {
		old, new *notebook.Notebook
		outputs  bool
		want     string
	}{
		{code("x", "y"), code("p:x", "q:y"), true, ""},
		{code("x"), ran, false, ""},
		{code("x"), ran, true, "code cell 1: execution: nothing -> {}\n\ncode cell 1: execution_count: null -> 1\n\ncode cell 1: outputs\n@@ -0,0 +1,2 @@\n+stdout:\n+1\n"},
		{code("x", "y"), code("x", "new", "y"), false, "code cell 2 added\n+new\n"},
		{code("x", "y"), code("y"), false, "code cell 1 removed\n-x\n"},
		{code("p:one", "q:two"), code("p:other", "q:two"), false, "code cell 1\n@@ -1,1 +1,1 @@\n-one\n+other\n"},
		{code("a = 1\nb = 2\nc = 3"), code("new", "a = 1\nb = 3\nc = 3"), false, "code cell 1 added\n+new\n\ncode cell 2 (was 1)\n@@ -1,3 +1,3 @@\n a = 1\n-b = 2\n+b = 3\n c = 3\n"},
		{code("one"), code("zwei"), false, "code cell 1 removed\n-one\n\ncode cell 1 added\n+zwei\n"},
		{code("x"), code("x\n"), false, "code cell 1: differs in the line feed at its end\n"},
		{code("x"), tagged, false, "code cell 1: tags: nothing -> [\"a\"]\n"},
		{code("x"), text, false, "code cell 1 removed\n-x\n\nmarkdown cell 1 added\n+x\n"},
		{code(), code(), false, ""},
	} {
		want := tt.want
		if want != "" {
			want = "--- old\n+++ new\n\n" + want
		}
		if got := notebook.Compare("old", tt.old, "new", tt.new, tt.outputs); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}

// TestParameters: values are typed as papermill types them, by Python's int and float, and Python
// reads their assignments.
func TestParameters(t *testing.T) {
	values := []string{"1", "-3", "+4", "007", "1_000", " 5 ", "1.5", "-0", ".5", "5.", "1e5", "1E-7", "1e400", "-1e400", "123456789012345678901234567890", "1e16", "1e22",
		"nan", "-NaN", "inf", "-Infinity", "+inf", "--inf", "True", "False", "None", "true", "none", "", "text", "1,2", "[1]", `a"b\c`, "tab\tline\nü\x01", "1__0", "_1", "0x10", "1e", "1.2.3", "infinite", "0.1", "1_0.2_5e1_0"}
	var pairs [][2]string
	for _, v := range values {
		p, err := notebook.ParseParameter("x="+v, false)
		if err != nil {
			t.Fatal(err)
		}
		pairs = append(pairs, [2]string{v, p.Code()})
	}
	asked, err := json.Marshal(pairs)
	if err != nil {
		t.Fatal(err)
	}
	const program = `import json, sys
def typed(value):
    named = {"True": True, "False": False, "None": None}
    if value in named:
        return named[value]
    for kind in (int, float):
        try:
            return kind(value)
        except ValueError:
            pass
    return value
for value, code in json.load(sys.stdin):
    names = {}
    exec(code, names)
    got, want = names["x"], typed(value)
    if repr(got) != repr(want) or type(got) is not type(want):
        print(f"{value!r}: got {code}, want {want!r}")
`
	if out := python(t, "json", program, string(asked)); len(out) > 0 {
		t.Errorf("%s", out)
	}
	p, err := notebook.ParseParameter("x=1", true)
	if err != nil || p.Code() != `x = "1"` {
		t.Errorf("as text: got %s, %v", p.Code(), err)
	}
	list, err := notebook.ParametersOf([]byte(`{"b": {"k": [1, 2.5, null, true, "é"]}, "a": false}`))
	if got, want := fmt.Sprint(list[0].Code(), "; ", list[1].Code(), err), `a = False; b = {"k": [1, 2.5, None, True, "é"]}<nil>`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, bad := range []string{"x", "=1", "1=2", "a b=1", "a.b=1"} {
		if _, err := notebook.ParseParameter(bad, false); err == nil {
			t.Errorf("%q: got no error", bad)
		}
	}
	for _, bad := range []string{"", "[1]", "{", `{"a b": 1}`} {
		if _, err := notebook.ParametersOf([]byte(bad)); err == nil {
			t.Errorf("%q: got no error", bad)
		}
	}
}

// TestInject: the cell stands behind the one that is tagged, or in the place of one of before.
func TestInject(t *testing.T) {
	nb := code("first", "tagged:lr = 1\nn: int = 2\nrate == 3", "last")
	nb.Cells[1].Metadata["tags"] = json.RawMessage(`["parameters"]`)
	params := func(args ...string) (list []notebook.Parameter) {
		for _, arg := range args {
			p, err := notebook.ParseParameter(arg, false)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, p)
		}
		return list
	}
	unknown, tagged := nb.Inject(params("lr=0.5", "n=3", "rate=4"))
	if fmt.Sprint(unknown, tagged) != "[rate] true" {
		t.Errorf("got %v, %v, want rate alone", unknown, tagged)
	}
	nb.Inject(params("lr=2"))
	if c := nb.Cells[2]; len(nb.Cells) != 4 || c.Source != "# Parameters\nlr = 2" || !c.HasTag("injected-parameters") || c.ID != "injected-parameters" {
		t.Errorf("got %d cells, and %+v", len(nb.Cells), c)
	}
	nb = code("x")
	if _, tagged := nb.Inject(params("a=1")); tagged || nb.Cells[0].Source != "# Parameters\na = 1" {
		t.Errorf("without a tag: got %+v", nb.Cells[0])
	}
}
