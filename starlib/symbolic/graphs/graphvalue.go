package graphs

import (
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/picture"
	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/symbolic"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A GraphPicture is a drawing of a graph as Starlark sees it: f.graph().
type GraphPicture struct{ p *picture.Picture }

var (
	_ value.Tabled      = GraphPicture{}
	_ value.MimeBundler = GraphPicture{}
)

func (g GraphPicture) String() string        { return "<GraphPicture " + units.OneLine(g.p.Title()) + ">" }
func (g GraphPicture) Type() string          { return "GraphPicture" }
func (g GraphPicture) Freeze()               {}
func (g GraphPicture) Truth() starlark.Bool  { return true }
func (g GraphPicture) Hash() (uint32, error) { return starlark.String(g.p.Title()).Hash() }

// MimeBundle shows the drawing as an image in a page: front ends drop SVG from notebooks that are
// not trusted, and keep images. A large one can be scrolled.
func (g GraphPicture) MimeBundle() map[string]any {
	svg, err := g.p.SVG()
	if err != nil {
		return map[string]any{"text/plain": g.String() + ": " + err.Error()}
	}
	return map[string]any{
		"text/plain": g.String(),
		"text/html": `<div style="overflow:auto;max-height:800px"><img src="data:image/svg+xml;base64,` +
			base64.StdEncoding.EncodeToString([]byte(svg)) + `" alt="` + html.EscapeString(g.p.Title()) + `" style="max-width:none"></div>`,
	}
}

func (g GraphPicture) Table() *value.Methods { return GraphPictureMethods }
func (g GraphPicture) AttrNames() []string   { return GraphPictureMethods.Names() }
func (g GraphPicture) Attr(name string) (starlark.Value, error) {
	return GraphPictureMethods.Attr(g, name)
}

// graphFormats are what a GraphPicture is saved as, by the extension of the file.
var graphFormats = map[string]func(*picture.Picture) (string, error){
	".svg": (*picture.Picture).SVG,
	".dot": func(p *picture.Picture) (string, error) { return p.DOT(), nil },
	".gv":  func(p *picture.Picture) (string, error) { return p.DOT(), nil },
}

var GraphPictureMethods = value.NewMethods("GraphPicture", []value.Builtin{
	graphText("svg", "The drawing, as SVG.", `function([], T.constant(2.0), name="two").graph().svg()[:4] # "<svg"`, ".svg"),
	graphText("dot", "The graph in the language of Graphviz; nothing is left out.",
		`function([], T.constant(2.0), name="two").graph().dot()[:13] # "digraph \"two\""`, ".dot"),
	{Name: "save", Params: []value.Param{{Name: "path", Doc: "where to: x.svg, x.dot for Graphviz, or x.png and its like, which Graphviz makes if it is installed"}},
		Doc: "Writes the drawing to a file.", Example: `function([], T.constant(2.0), name="two").graph().save("two.svg")`,
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			var path string
			if err := b.Unpack(args, kwargs, &path); err != nil {
				return nil, err
			}
			if err := saveGraph(symbolic.SessionOf(thread), b.Receiver().(GraphPicture), path); err != nil {
				return nil, fmt.Errorf("save: %w", err)
			}
			return starlark.None, nil
		}},
})

// graphText is the row of a method that returns what a file with that extension would hold.
func graphText(name, doc, example, ext string) value.Builtin {
	return value.Builtin{Name: name, Doc: doc, Example: example,
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if err := b.Unpack(args, kwargs); err != nil {
				return nil, err
			}
			poll := value.PollOf(thread)
			text, err := graphFormats[ext](b.Receiver().(GraphPicture).p.Asking(poll.Ask))
			return starlark.String(text), err
		}}
}

// saveGraph writes a picture; a relative path is one of the session's folder.
func saveGraph(s *symbolic.Session, g GraphPicture, path string) error {
	p := g.p.Asking(s.Poll().Ask)
	if slices.Contains(rastered, filepath.Ext(path)) {
		data, err := byGraphviz(s.Context(), p, path)
		if err != nil {
			return err
		}
		return s.Files().Write(s.Path(path), data)
	}
	format, ok := graphFormats[filepath.Ext(path)]
	if !ok {
		return fmt.Errorf("got the file %s, want one that ends in .svg or .dot, or in .png or .pdf if Graphviz is installed", path)
	}
	text, err := format(p)
	if err != nil {
		return err
	}
	return s.Files().Write(s.Path(path), []byte(text))
}

// graphColors are the names of what colours mean; "class" is Theano's word for the kind of an
// operation.
var graphColors = map[string]picture.Color{"op": picture.ByOp, "class": picture.ByOp, "time": picture.ByTime}

var graphParams = []value.Param{
	{Name: "color", Default: `"op"`, Doc: `what colours of operations mean: "op", their kinds, or "time", their shares of the time`},
	{Name: "file", Default: "None", Doc: "path of a file that the drawing is also written to, .svg or .dot"},
}

// functionGraph is f.graph().
var functionGraph = value.Builtin{Name: "graph", Params: graphParams,
	Doc: "A drawing of the compiled graph, which shows itself in a notebook. With color=\"time\" the most expensive operations " +
		"are red; this takes the function's profile or, if it has none, that of the last %%profile cell that called it.",
	Example: `function([], T.constant(2.0), name="two").graph() # <GraphPicture two: ` + "1\u00a0node, 0\u00a0inputs>",
	Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		color, file := "op", ""
		if err := b.Unpack(args, kwargs, &color, &file); err != nil {
			return nil, err
		}
		g, err := drawGraph(symbolic.SessionOf(thread), b.Name, b.Receiver(), color, file, picture.Options{Inner: true})
		if err != nil {
			return nil, err
		}
		return g, nil
	}}

type pydotArgs struct {
	Fct       starlark.Value `arg:"fct: a compiled function, symbolic variables, or a node"`
	Outfile   string         `arg:"outfile=None: path of a file to write, .svg or .dot; or, if Graphviz is installed, .png and its like: else the SVG is written beside it"`
	Compact   bool           `arg:"compact=True: False draws results of operations as boxes of their own"`
	Format    string         `arg:"format=None: \"svg\" or \"dot\", if the file's name does not say it"`
	IDs       bool           `arg:"with_ids=True: whether operations have their places in the order in which they run"`
	Contrast  bool           `arg:"high_contrast=True: False colours the borders of boxes instead of what is in them"`
	Cond      starlark.Value `arg:"cond_highlight=None: the name of an ifelse, or its node: the borders of operations tell which of its branches need them"`
	Codes     *slot.Dict     `arg:"colorCodes=None: a dict from parts of operations' names to colours, as \"red\" or \"#FFAABB\""`
	Most      int            `arg:"max_label_size=70: how many letters labels of a .dot have"`
	Scan      bool           `arg:"scan_graphs=False: also the graphs that nodes run, as a loop its step"`
	Simple    bool           `arg:"var_with_name_simple=False: leave out the types of variables with a name"`
	PrintFile bool           `arg:"print_output_file=True: say where the file is"`
	Return    bool           `arg:"return_image=False: return the text of the SVG, for SVG(...), or with format=\"dot\" that of Graphviz"`
	Color     string         `arg:"color=\"op\": what colours of operations mean: \"op\", their kinds, or \"time\", their shares of the time"`
}

// PydotprintBuiltin is theano.printing.pydotprint().
var PydotprintBuiltin = value.Function("pydotprint", "A drawing of a graph, which shows itself in a notebook: that of a compiled function, or the one that makes symbolic variables.",
	`theano.printing.pydotprint(T.constant(2.0) * 3) # <GraphPicture graph: `+"1\u00a0node, 0\u00a0inputs>",
	func(thread *starlark.Thread, a *pydotArgs) (starlark.Value, error) {
		s := symbolic.SessionOf(thread)
		fail := func(err error) (starlark.Value, error) { return nil, fmt.Errorf("pydotprint: %w", err) }
		if a.Most < 1 {
			return fail(fmt.Errorf("max_label_size: got %d, want an int > 0", a.Most))
		}
		opts := picture.Options{Variables: !a.Compact, Outlines: !a.Contrast, Unnumbered: !a.IDs, Untyped: a.Simple, MostLetters: a.Most, Inner: a.Scan}
		var err error
		if opts.Colors, err = labelColors(a.Codes); err != nil {
			return fail(err)
		}
		if opts.If, err = highlighted(a.Fct, a.Cond); err != nil {
			return fail(err)
		}
		file, err := pictureFile(a.Outfile, a.Format)
		if err != nil {
			return fail(err)
		}
		g, err := drawGraph(s, "pydotprint", a.Fct, a.Color, file, opts)
		if err != nil {
			return nil, err
		}
		if file != "" && file != a.Outfile && filepath.Ext(a.Outfile) != "" {
			s.Warn(fmt.Sprintf("pydotprint: %s is not written, but %s: Graphviz, whose program dot makes a %s, is not installed", a.Outfile, file, strings.TrimPrefix(filepath.Ext(a.Outfile), ".")))
		}
		if file != "" && a.PrintFile {
			s.Print("stdout", "The output file is available at "+file+"\n")
		}
		if !a.Return {
			return g, nil
		}
		text, err := graphFormats[cmp.Or(map[string]string{"dot": ".dot"}[a.Format], ".svg")](g.p.Asking(s.Poll().Ask))
		if err != nil {
			return fail(err)
		}
		return starlark.String(text), nil
	})

// highlighted finds the ifelse that cond_highlight names in what is drawn; nil if there is nothing
// to highlight.
func highlighted(what, cond starlark.Value) (*graph.Apply, error) {
	if symbolic.Absent(cond) {
		return nil, nil
	}
	fg, _, err := graphOf(what)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, node := range fg.RunOrder() {
		o, ok := node.Op.(op.IfElse)
		if !ok {
			continue
		}
		name := string(o.Called)
		if given, ok := starlark.AsString(cond); ok && given == name {
			return node, nil
		}
		if given, ok := cond.(symbolic.Apply); ok && given.Node == node {
			return node, nil
		}
		names = append(names, strconv.Quote(name))
	}
	if len(names) == 0 {
		return nil, errors.New("cond_highlight: there is no ifelse in the graph, whose branches it would highlight")
	}
	return nil, fmt.Errorf("cond_highlight: got %s, want the name of an ifelse in the graph (%s), or its node", value.Repr(cond), strings.Join(names, ", "))
}

// pictureFile is the path of the file to write, "" for none.
func pictureFile(path, format string) (string, error) {
	ext := "." + format
	switch drawn := []string{"", "svg", "dot", "gv"}; {
	case !slices.Contains(drawn, format) && !slices.Contains(rastered, ext):
		return "", fmt.Errorf("format: got %q, want \"svg\" or \"dot\" (Graphviz makes others: dot -Tpng x.dot)", format)
	case path == "":
		return "", nil
	case format == "" || slices.Contains(rastered, ext) && graphviz() == "":
		ext = ".svg"
	}
	switch given := filepath.Ext(path); {
	case graphFormats[given] != nil, slices.Contains(rastered, given) && graphviz() != "":
		return path, nil
	case slices.Contains(rastered, given):
		return strings.TrimSuffix(path, given) + ext, nil
	}
	return path + ext, nil
}

// labelColors reads colorCodes.
func labelColors(d *slot.Dict) (list []picture.LabelColor, err error) {
	if d == nil {
		return nil, nil
	}
	for _, kv := range d.Items() {
		label, isName := starlark.AsString(kv[0])
		color, isColor := starlark.AsString(kv[1])
		plain := strings.IndexFunc(color, func(r rune) bool {
			return r != '#' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
		}) < 0
		if !isName || !isColor || color == "" || !plain {
			return nil, fmt.Errorf("colorCodes: got %s: %s, want a part of an operation's name and a colour, as \"Elemwise\": \"#FFAABB\"", value.Repr(kv[0]), value.Repr(kv[1]))
		}
		list = append(list, picture.LabelColor{Label: label, Color: color})
	}
	return list, nil
}

// drawGraph does what graph and pydotprint do.
func drawGraph(s *symbolic.Session, name string, what starlark.Value, color, file string, opts picture.Options) (g GraphPicture, err error) {
	by, ok := graphColors[color]
	if !ok {
		return g, fmt.Errorf(`%s: color: got %q, want "op" or "time"`, name, color)
	}
	fg, f, err := graphOf(what)
	if err != nil {
		return g, fmt.Errorf("%s: %w", name, err)
	}
	opts.Color = by
	if f != nil {
		opts.Profile = lastProfile(f)
		for _, n := range f.Compiled.Program.Nodes {
			opts.Impl = append(opts.Impl, n.Impl)
		}
	}
	if by == picture.ByTime {
		if err := timed(f, opts.Profile); err != nil {
			return g, fmt.Errorf(`%s: color="time" needs a profile: %w`, name, err)
		}
	}
	p, err := picture.New(fg, opts)
	if err != nil {
		return g, fmt.Errorf("%s: %w", name, err)
	}
	g = GraphPicture{p}
	if file != "" {
		if err := saveGraph(s, g, file); err != nil {
			return g, fmt.Errorf("%s: %w", name, err)
		}
	}
	return g, nil
}

// timed says why there are no times of nodes.
func timed(f *symbolic.Function, p *profiler.Function) error {
	switch {
	case f == nil:
		return errors.New("symbolic variables have none before they are compiled; draw the compiled function")
	case p == nil:
		return errors.New("compile with function(..., profile=True), or call the function in a %%profile cell")
	case p.Runs == 0:
		return fmt.Errorf("that of %s has no times of nodes; call the function first, with profiling.time_thunks on", f.Name())
	}
	return nil
}

// lastProfile is a snapshot of f's profile or, without one, of what the last %%profile cell that
// called it recorded; nil if there is neither.
func lastProfile(f *symbolic.Function) *profiler.Function {
	if len(f.Watch) > 0 {
		return f.Watch[0].Function()
	}
	return f.LastCell.Function()
}

// graphOf is the graph of a compiled function, or that of symbolic variables, of which f is nil.
func graphOf(what starlark.Value) (fg *graph.FunctionGraph, f *symbolic.Function, err error) {
	switch what := what.(type) {
	case *symbolic.Function:
		return what.Compiled.Graph.Named(what.Compiled.Name), what, nil
	case symbolic.MakerValue:
		return graphOf(what.Function)
	case *symbolic.GraphView:
		if what.Function != nil {
			return graphOf(what.Function)
		}
		return what.Graph, nil, nil
	case *symbolic.InputValue:
		return graphOf(symbolic.Symbol{S: what.S, V: what.V})
	case *symbolic.OutputValue:
		return graphOf(what.X)
	case symbolic.Symbol:
		return &graph.FunctionGraph{Name: what.V.Name, Outputs: []*graph.Variable{what.V}}, nil, nil
	case *symbolic.SparseVariable:
		return &graph.FunctionGraph{Name: what.Name, Outputs: what.X.Parts()}, nil, nil
	case symbolic.Apply:
		return &graph.FunctionGraph{Outputs: what.Node.Outputs}, nil, nil
	case starlark.Iterable:
		vs, err := symbolic.Symbols("obj", what)
		return &graph.FunctionGraph{Outputs: vs}, nil, err
	}
	return nil, nil, fmt.Errorf("got %s, want a compiled function or symbolic variables", what.Type())
}
