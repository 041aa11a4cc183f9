package page

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/arignote/arignote/notebook"
)

// TestTerminal: text of terminals, with its colours.
func TestTerminal(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"plain <b>&\n\tx", "plain &lt;b&gt;&amp;\n\tx"},
		{"\x1b[1;31mred\x1b[0m not", `<span class="bold fore-1">red</span> not`},
		{"\x1b[31mred\x1b[m not", `<span class="fore-1">red</span> not`},
		{"\x1b[91;102mx\x1b[39my\x1b[49mz", `<span class="fore-9 back-10">x</span><span class="back-10">y</span>z`},
		{"\x1b[38;5;208mx", `<span style="color:#ff8700">x</span>`},
		{"\x1b[38;5;3;48;5;244mx", `<span class="fore-3" style="background:#808080">x</span>`},
		{"\x1b[38;2;1;2;300mx", `<span style="color:#0102ff">x</span>`},
		{"\x1b[7mx\x1b[27m \x1b[4;3;2mu\x1b[24;23;22my", `<span class="inverse-fore inverse-back">x</span> <span class="faint italic underlined">u</span>y`},
		{"\x1b[2K\x1b[1Ax\x1b]0;title\ay\x1b(0z\x00\x07\x7f", "xyz"},
		{"10%\r50%\r100%\nnext\r\n", "100%\nnext\n"},
		{"\x1b[", "["},
		{"\x1b[38;5mx\x1b[99999999999999999999my", "xy"},
	} {
		if got := terminal(tt.text); got != tt.want {
			t.Errorf("%q: got %s, want %s", tt.text, got, tt.want)
		}
	}
}

// TestMarkdown: formulas are text, and all else is markdown.
func TestMarkdown(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"*a* $x_1 * y_2 * z$ b", `<p><em>a</em> <span class="formula">$x_1 * y_2 * z$</span> b</p>`},
		{"$$\n\\frac{a}{b} <_c_\n$$", `<p><span class="formula">$$` + "\n" + `\frac{a}{b} &lt;_c_` + "\n" + `$$</span></p>`},
		{"$5 and *6* $7", "<p>$5 and <em>6</em> $7</p>"},
		{"$1 to $2", "<p>$1 to $2</p>"},
		{"`$x$` and $", "<p><code>$x$</code> and $</p>"},
		{"$a $ b$", "<p>$a $ b$</p>"},
		{"a <b>c</b>", "<p>a <b>c</b></p>"},
		{"| a | *b* |\n|:-:|--:|\n| 1 \\| 2 | $x_1$ | more |\n3", "<table><tr><th align=\"center\">a</th>\n<th align=\"right\"><em>b</em></th>\n</tr>\n" +
			"<tr><td align=\"center\">1 | 2</td>\n<td align=\"right\"><span class=\"formula\">$x_1$</span></td>\n</tr>\n" +
			"<tr><td align=\"center\">3</td>\n<td align=\"right\"></td>\n</tr>\n</table>"},
		{"a | b\n:-|-", "<table><tr><th align=\"left\">a</th>\n<th>b</th>\n</tr>\n</table>"},
		{"a | b\n-", "<h2 id=\"a--b\">a | b</h2>"},
		{"a | b\n--|--|--", "<p>a | b\n--|--|--</p>"},
		{"a\n|x|", "<p>a\n|x|</p>"},
		{"![p](attachment:a.png) ![q](attachment:no.png)", `<p><img src="data:image/png;base64,QQ==" alt="p"> <img src="attachment:no.png" alt="q"></p>`},
	} {
		if got := strings.TrimSpace(markdown(tt.text, map[string]string{"a.png": "data:image/png;base64,QQ=="})); got != tt.want {
			t.Errorf("%q:\ngot  %s\nwant %s", tt.text, got, tt.want)
		}
	}
}

// TestPage: what a page has of each kind of cell and output, and nothing from elsewhere.
func TestPage(t *testing.T) {
	nb := notebook.New()
	q := notebook.Quote
	out := func(data notebook.Object, about notebook.Object) *notebook.Output {
		return &notebook.Output{Type: "display_data", Data: data, Metadata: about}
	}
	nb.Cells = []*notebook.Cell{
		{Kind: notebook.Markdown, ID: "m", Source: "# The *title* #\n![x](attachment:p.png)", Extra: notebook.Object{"attachments": json.RawMessage(`{"p.png": {"image/png": "QUI\n="}}`)}},
		{Kind: notebook.Raw, Source: "<raw>"},
		{Kind: notebook.Raw, Source: "<hr>", Metadata: notebook.Object{"raw_mimetype": q("text/html")}},
		{Kind: notebook.Code, Source: "if a < b:\n    c", Count: "7", Outputs: []*notebook.Output{
			{Type: "stream", Name: "stderr", Text: "warn <\n"},
			{Type: "execute_result", Count: "7", Data: notebook.Object{"text/plain": q("<v>")}},
			{Type: "error", Class: "E", Message: "m"},
			out(notebook.Object{"text/plain": q("no"), "text/html": json.RawMessage(`["<b>h</b>\n", "<i>i</i>"]`)}, nil),
			out(notebook.Object{"text/plain": q("no"), "image/svg+xml": q("<svg/>"), "image/png": q("x")}, nil),
			out(notebook.Object{"image/png": q("QU\nI=")}, notebook.Object{"image/png": json.RawMessage(`{"width": 20, "height": "a\" onload=x"}`)}),
			out(notebook.Object{"text/latex": q("$\\alpha<$"), "text/plain": q("no")}, nil),
			out(notebook.Object{"text/markdown": q("**m**")}, nil),
			out(notebook.Object{"application/x": q("unknown")}, nil),
		}},
		{Kind: notebook.Code},
	}
	got := string(HTML(nb, ""))
	for _, want := range []string{
		"<title>The *title*</title>", `<section class="markdown" id="cell-m">`, `<img src="data:image/png;base64,QUI=" alt="x">`,
		"<pre class=\"\">\n&lt;raw&gt;</pre>", "<section class=\"raw\">\n<hr></section>",
		`<div class="prompt">In&nbsp;[7]:</div>`, "<pre class=\"source\">\nif a &lt; b:\n    c</pre>", "<pre class=\"stderr\">\nwarn &lt;\n</pre>",
		`<div class="prompt">Out&nbsp;[7]:</div>`, "<pre class=\"text\">\n&lt;v&gt;</pre>", "<pre class=\"error\">\nE: m</pre>", "<b>h</b>\n<i>i</i>",
		`<img alt="" src="data:image/svg+xml;base64,PHN2Zy8+">`, `<img alt="" src="data:image/png;base64,QUI=" width="20">`,
		"<pre class=\"text\">\n$\\alpha&lt;$</pre>", "<strong>m</strong>", "prefers-color-scheme: dark",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("got no %q in\n%s", want, got)
		}
	}
	for _, other := range []string{"http", "<script", "@import", "no<", "unknown", "onload"} {
		if _, body, _ := strings.Cut(got, "</style>"); strings.Contains(body, other) {
			t.Errorf("got %q in\n%s", other, body)
		}
	}
	if title := string(HTML(nb, "<name>")); !strings.Contains(title, "<title>&lt;name&gt;</title>") {
		t.Error("the name is not the title")
	}
}

// FuzzTerminal: whatever is printed, its HTML has no control characters, and closes what it opens.
func FuzzTerminal(f *testing.F) {
	f.Add("\x1b[1;38;5;20mx\x1b[0m\ry\x1b]0;z\a<")
	f.Fuzz(func(t *testing.T, text string) {
		got := terminal(text)
		if strings.Count(got, "<span") != strings.Count(got, "</span>") || strings.ContainsFunc(got, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' }) {
			t.Errorf("%q: got %q", text, got)
		}
	})
}

// FuzzMarkdown: whatever a text is, it becomes HTML, and formulas and tables close what they open.
func FuzzMarkdown(f *testing.F) {
	f.Add("a $x$ | b\n--|:-:\n$$\ny$$ | `c|d`\n> $z\n> $")
	f.Fuzz(func(t *testing.T, source string) {
		if strings.Contains(source, "<") {
			return // HTML passes as it is
		}
		got := markdown(source, nil)
		for _, tag := range []string{"span", "table", "tr", "td", "th"} {
			if strings.Count(got, "<"+tag+">")+strings.Count(got, "<"+tag+" ") != strings.Count(got, "</"+tag+">") {
				t.Errorf("%q: got %q", source, got)
			}
		}
	})
}
