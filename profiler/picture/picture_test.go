package picture_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/picture"
	"github.com/arignote/arignote/profiler/profilertest"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
)

// fused has a fused operation with two outputs that are used, scalar and other constants, an unused
// input and a name that is a result.
const fused = `func net(x float32[?,3], b float32[3], unused int64)
	v1 = dimshuffle{pattern=x 0} b                                            # net.star:2:7
	v2, hidden = composite{code=t0=add(i0,i1);t1=tanh(t0);t2=mul(t1,t1);t3=sub(i2,t2);t3,t1} x v1 float32[1,1](1)  # net.star:3:9
	v3 = mul v2 hidden                                                        # net.star:4:9
	v4 = add v3 float32[1,3](1 2 3)
	return v4, hidden, x`

func parse(t testing.TB, src string) *graph.FunctionGraph {
	t.Helper()
	fg, err := graph.Parse("test.graph", src, op.Lookup)
	if err != nil {
		t.Fatal(err)
	}
	return fg
}

// three are the pictures of the golden files.
func three(t testing.TB) map[string]*picture.Picture {
	t.Helper()
	training := profilertest.Training(t, false).Clone().Functions[0]
	var impl []string
	for _, n := range training.Nodes {
		impl = append(impl, n.Impl)
	}
	all := make(map[string]*picture.Picture)
	for name, c := range map[string]struct {
		src  string
		opts picture.Options
	}{
		"threenodes":    {profilertest.ThreeNodes, picture.Options{}},
		"training":      {profilertest.LogReg, picture.Options{Profile: training, Impl: impl}},
		"training.time": {profilertest.LogReg, picture.Options{Color: picture.ByTime, Profile: training, Impl: impl}},
		"fused":         {fused, picture.Options{}},
	} {
		p, err := picture.New(parse(t, c.src), c.opts)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = p
	}
	return all
}

func svg(t testing.TB, p *picture.Picture) string {
	t.Helper()
	s, err := p.SVG()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestGolden(t *testing.T) {
	for name, p := range three(t) {
		profilertest.Golden(t, name+".svg", svg(t, p))
		profilertest.Golden(t, name+".dot", p.DOT())
		checkSVG(t, name, svg(t, p))
	}
}

// TestGraphviz: Graphviz reads what is written for it.
func TestGraphviz(t *testing.T) {
	for name, p := range three(t) {
		checkDOT(t, name, p.DOT())
	}
	for _, name := range hostile {
		checkDOT(t, name, hostilePicture(t, name).DOT())
	}
}

// checkSVG: the drawing is well-formed and refers to nothing, not even in itself.
func checkSVG(t *testing.T, name, text string) {
	t.Helper()
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Errorf("%s: %v in\n%s", name, err, text)
			return
		}
		start, ok := tok.(xml.StartElement)
		if !ok {
			continue
		}
		if !map[string]bool{"svg": true, "title": true, "rect": true, "text": true, "path": true, "g": true}[start.Name.Local] {
			t.Errorf("%s: got element %s", name, start.Name.Local)
		}
		for _, a := range start.Attr {
			if map[string]bool{"id": true, "class": true, "style": true, "href": true}[a.Name.Local] || strings.Contains(a.Value, "url(") {
				t.Errorf("%s: got attribute %s=%q", name, a.Name.Local, a.Value)
			}
		}
	}
	if !strings.Contains(text, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 `) || strings.Contains(text, "NaN") {
		t.Errorf("%s: got %.200s", name, text)
	}
}

// checkDOT asks Graphviz whether it reads the text, and whether it finds as many nodes and edges as
// were written.
func checkDOT(t *testing.T, name, text string) {
	t.Helper()
	dot, err := exec.LookPath("dot")
	if err != nil {
		t.Skip("Graphviz is not installed: apt-get install graphviz")
	}
	cmd := exec.Command(dot, "-Tplain")
	cmd.Stdin = strings.NewReader(text)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil || stderr.Len() > 0 {
		t.Errorf("%s: dot: %v, %s of\n%s", name, err, &stderr, text)
	}
	for _, c := range []struct{ ours, theirs string }{{`(?m)^\tn\d+ \[`, `(?m)^node `}, {`(?m)^\tn\d+ -> `, `(?m)^edge `}} {
		got, want := len(regexp.MustCompile(c.theirs).FindAll(out, -1)), len(regexp.MustCompile(c.ours).FindAllString(text, -1))
		if got != want {
			t.Errorf("%s: dot has read %d of %d of %s", name, got, want, c.ours)
		}
	}
}

// hostile are names that break what only pastes them.
var hostile = []string{`"><script>alert(1)</script>`, `a\`, `\N\"`, "two\nlines\r\n", "<b>&amp;", "\x00\x01\xff", "'",
	`"]; x [label="`, strings.Repeat("long", 100), strings.Repeat("层", 50), "\u202etfel", "{a|b}", "%s%d", "]]>", "-->"}

func hostilePicture(t testing.TB, name string) *picture.Picture {
	p, err := picture.New(hostileGraph(t, name), picture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func hostileGraph(t testing.TB, name string) *graph.FunctionGraph {
	fg := parse(t, profilertest.LogReg)
	fg.Name, fg.Inputs[0].Name, fg.Outputs[0].Name = name, name, name
	fg.SharedVariables()[0].Name = name
	return fg
}

// TestHostileNames: names of the user's do not break out of where they are written.
func TestHostileNames(t *testing.T) {
	for _, name := range hostile {
		text := svg(t, hostilePicture(t, name))
		checkSVG(t, name, text)
		if strings.Contains(text, "<script") {
			t.Errorf("%q: got a script", name)
		}
		tree, err := picture.Tree(hostileGraph(t, name), picture.TreeOptions{Depth: -1})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := strings.Count(tree, "\n"), 16; got != want {
			t.Errorf("%q: the tree has %d lines, want %d:\n%s", name, got, want, tree)
		}
	}
}

// TestTextFits: no line of text is wider than the box around it, and no box is outside of the
// picture.
func TestTextFits(t *testing.T) {
	rect := regexp.MustCompile(`(?s)<g><title>.*?</title>\n<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)"(.*?)</g>`)
	line := regexp.MustCompile(`font-size="(\d+)" text-anchor="middle" fill="#1c1e21" xml:space="preserve">([^<]*)<`)
	view := regexp.MustCompile(`viewBox="0 0 ([\d.]+) ([\d.]+)"`)
	for name, p := range three(t) {
		text := svg(t, p)
		wide := number(t, view.FindStringSubmatch(text)[1])
		groups := rect.FindAllStringSubmatch(text, -1)
		if len(groups) == 0 {
			t.Fatalf("%s: no boxes in\n%s", name, text)
		}
		for _, g := range groups {
			x, w := number(t, g[1]), number(t, g[2])
			if x < 0 || x+w > wide {
				t.Errorf("%s: a box from %g to %g in a picture that is %g wide", name, x, x+w, wide)
			}
			for _, l := range line.FindAllStringSubmatch(g[3], -1) {
				if need := 0.6 * number(t, l[1]) * float64(len([]rune(l[2]))); need > w {
					t.Errorf("%s: %q needs %g, its box is %g wide", name, l[2], need, w)
				}
			}
		}
	}
}

func number(t *testing.T, s string) (x float64) {
	t.Helper()
	if _, err := fmt.Sscan(s, &x); err != nil {
		t.Fatal(err)
	}
	return x
}

// chain is a graph of n rounds, each with a view, a constant and two operations.
func chain(n int) string {
	var b strings.Builder
	b.WriteString("func deep(x float64[?,?])\n\tv0 = exp x\n")
	for i := range n {
		fmt.Fprintf(&b, "\ta%d = dimshuffle{pattern=1 0} v%[1]d\n\tb%[1]d = mul a%[1]d float64[1,1](2.0)\n", i)
		fmt.Fprintf(&b, "\tv%d = add b%d v%[2]d\n", i+1, i)
	}
	return b.String() + fmt.Sprintf("\treturn v%d\n", n)
}

// TestLarge: an SVG of a large graph says what it leaves out; DOT leaves out nothing.
func TestLarge(t *testing.T) {
	for _, c := range []struct {
		rounds       int
		boxes, nodes int
		left         string
	}{
		{50, 1 + 1 + 4*50 + 1, 203, ""},
		{100, 1 + 1 + 2*100 + 1, 403, "left out: 100\u00a0constants, 100\u00a0views (.dot() has all)"},
		{1000, 0, 4003, "nodes (.dot() has all)"},
	} {
		fg := parse(t, chain(c.rounds))
		p, err := picture.New(fg, picture.Options{})
		if err != nil {
			t.Fatal(err)
		}
		text := svg(t, p)
		checkSVG(t, "large", text)
		if got := strings.Count(text, "<g>"); c.boxes > 0 && got != c.boxes {
			t.Errorf("%d rounds: got %d boxes, want %d", c.rounds, got, c.boxes)
		}
		if strings.Contains(text, "left out") != (c.left != "") || !strings.Contains(text, c.left) {
			t.Errorf("%d rounds: want a note %q", c.rounds, c.left)
		}
		if got := strings.Count(p.DOT(), "shape="); got != c.nodes {
			t.Errorf("%d rounds: DOT has %d nodes, want %d", c.rounds, got, c.nodes)
		}
	}
}

// TestCrowded: in a large graph an arrow over many layers is cut, and what it comes from is named
// where it goes to.
func TestCrowded(t *testing.T) {
	for _, c := range []struct {
		n    int
		want int // of boxes that stand for another, and of boxes named w
	}{{30, 1}, {90, 2}} {
		var b strings.Builder
		b.WriteString("func long(x float64; w float64)\n\tv0 = add x w\n")
		for i := range c.n {
			fmt.Fprintf(&b, "\tv%d = exp v%d\n", i+1, i)
		}
		fmt.Fprintf(&b, "\ty = add v%d v0\n\tz = mul y w\n\treturn z", c.n)
		p, err := picture.New(parse(t, b.String()), picture.Options{})
		if err != nil {
			t.Fatal(err)
		}
		text := svg(t, p)
		checkSVG(t, "crowded", text)
		if got := strings.Count(text, ">#0 Elemwise{add,no_inplace}<"); got != c.want-1 {
			t.Errorf("%d nodes: got %d names of node #0 elsewhere, want %d", c.n, got, c.want-1)
		}
		if got := strings.Count(text, ">w</text>"); got != c.want {
			t.Errorf("%d nodes: got %d boxes of w, want %d", c.n, got, c.want)
		}
	}
}

func TestErrors(t *testing.T) {
	fg := parse(t, profilertest.ThreeNodes)
	other := profilertest.Training(t, false).Clone().Functions[0]
	idle := profiler.NewStats(profiler.Options{Clock: profilertest.Still()})
	idle.Add(profiler.FunctionInfo{Program: profilertest.Program(t, profilertest.ThreeNodes, "C")})
	for _, c := range []struct {
		opts picture.Options
		want string
	}{
		{picture.Options{Profile: other}, "picture: got the profile of a graph of 8 nodes, want one of 3"},
		{picture.Options{Color: picture.ByTime},
			"picture: got no times of nodes to colour by, want the profile of a function that was called"},
		{picture.Options{Color: picture.ByTime, Profile: idle.Clone().Functions[0]},
			"picture: got no times of nodes to colour by, want the profile of a function that was called"},
	} {
		if _, err := picture.New(fg, c.opts); err == nil || err.Error() != c.want {
			t.Errorf("got error %v, want %s", err, c.want)
		}
	}
	if _, err := picture.Tree(fg, picture.TreeOptions{Profile: other}); err == nil {
		t.Error("a tree with the profile of another graph: want an error")
	}
}

// TestKinds: every operation that the classic profile has a class for is coloured as what it is,
// and the colours differ.
func TestKinds(t *testing.T) {
	text := svg(t, three(t)["training"])
	for _, want := range []string{">elementwise<", ">view<", ">product<", ">reduction<", ">input<", ">shared variable<", ">output<",
		">update<", ">constant<", ">runs in Go<"} {
		if !strings.Contains(text, want) {
			t.Errorf("the legend has no %s", want)
		}
	}
	for _, c := range []struct{ src, want string }{
		{"func f(x float64[?])\n\tv1 = softmax x\n\treturn v1", ">softmax<"},
		{"func f(x float64[?])\n\tv1 = argmax{axis=0} x\n\treturn v1", ">reduction<"},
		{"func f(x float64[?])\n\tv1 = shape_i{axis=0} x\n\treturn v1", ">shape<"},
	} {
		p, err := picture.New(parse(t, c.src), picture.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if text := svg(t, p); !strings.Contains(text, c.want) || strings.Contains(text, ">other<") {
			t.Errorf("%s: the legend has no %s", c.src, c.want)
		}
	}
}

// TestScopes: an SVG names the scope of a box, and DOT draws a cluster around what is in one.
func TestScopes(t *testing.T) {
	b := &graph.Builder{Origin: &graph.Origin{Scope: "net/encoder"}}
	x := graph.NewInput("x", graph.AnyShape(kernels.Float64, 1), nil)
	out := b.Apply(op.Tanh, x)
	p, err := picture.New(&graph.FunctionGraph{Inputs: []*graph.Variable{x}, Outputs: []*graph.Variable{out}}, picture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	svg, err := p.SVG()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(svg, ">in net/encoder<") {
		t.Errorf("no scope in\n%s", svg)
	}
	if dot := p.DOT(); !regexp.MustCompile(`(?s)subgraph cluster_\S+ \{\s+label="net".*subgraph cluster_\S+ \{\s+label="encoder".*anh`).MatchString(dot) {
		t.Errorf("no clusters in\n%s", dot)
	}
}
