package graphfile

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/safetensors"
	"github.com/arignote/arignote/runtime/tensor"
)

// version is the last that can be read. Files without operations that run graphs of their own are
// of version 1, which has no others.
const version = 2

// The keys of the metadata.
const (
	prefix      = "arignote."
	formatKey   = prefix + "format"
	graphKey    = prefix + "graph"
	tablesKey   = prefix + "tables"
	linesKey    = prefix + "lines"
	valuesKey   = prefix + "values"
	checksumKey = prefix + "checksum"
)

// Suffix is that of the names of such files. Behind a name that has it, and a slash, stand the
// user's files of which lines are kept.
const Suffix = ".arignote"

// maxLine is the highest number of a line whose text is kept.
const maxLine = 1 << 20

// tables are what the text refers to.
type tables struct {
	Frames  []graph.Frame  `json:"frames"`  // each once
	Stacks  [][]int        `json:"stacks"`  // of frames, by number
	Origins []originRecord `json:"origins"` // number 0 is none
	Grads   []gradRecord   `json:"grads"`
	Shared  []sharedRecord `json:"shared"`
	Graphs  []graphRecord  `json:"graphs,omitempty"` // that operations run
}

// graphRecord is a graph by the names of its variables.
type graphRecord struct {
	Name    string   `json:"name,omitempty"`
	Inputs  []string `json:"inputs"`
	Outputs []string `json:"outputs"`
}

// graphMark stands before the number of a graph where an operation's name has one.
const graphMark = "#"

type originRecord struct {
	Stack int          `json:"stack"` // -1 for none
	Scope string       `json:"scope,omitempty"`
	Role  graph.Role   `json:"role,omitempty"`
	Grad  int          `json:"grad,omitempty"` // number + 1, or 0 for none
	Parts []partRecord `json:"parts,omitempty"`
}

type partRecord struct {
	Origin int        `json:"origin"`
	Op     string     `json:"op"`
	Work   graph.Work `json:"work"`
}

// gradRecord is a call of grad(). How long it took is not part of what it made.
type gradRecord struct {
	Frame graph.Frame `json:"at"`
	Nodes int         `json:"nodes"`
	Cost  string      `json:"cost,omitempty"`
	Wrt   []string    `json:"wrt,omitempty"`
	Grads []string    `json:"grads,omitempty"` // "" for none
}

type sharedRecord struct {
	Name    string `json:"name"`
	Array   string `json:"array,omitempty"`
	Like    string `json:"like,omitempty"` // another, whose value it has
	Strict  bool   `json:"strict,omitempty"`
	Lossy   bool   `json:"lossy,omitempty"`
	Default string `json:"default,omitempty"`
}

// A Writer collects what a file is to hold.
type Writer struct {
	text    *graph.Writer
	lookup  Lookup
	ops     map[graph.Op]bool // those that can be written
	tables  tables
	frames  map[graph.Frame]int
	stacks  map[*graph.Frame]int // by their first frame: what one call made has one stack
	origins map[*graph.Origin]int
	grads   []*graph.GradCall
	shared  []*graph.Variable
	homes   map[*graph.Container]string
	graphs  map[*graph.FunctionGraph]string // what stands for them
	names   []string                        // of arrays
	arrays  []*tensor.Dense
	taken   map[string]bool
}

// A Lookup finds an operation by its name, and read the graph for which a text in it stands.
type Lookup func(name string, read func(text string) (*graph.FunctionGraph, error)) (graph.Op, error)

// NewWriter returns a Writer with nothing to write.
func NewWriter(lookup Lookup) *Writer {
	w := &Writer{lookup: lookup, ops: make(map[graph.Op]bool), frames: make(map[graph.Frame]int), stacks: make(map[*graph.Frame]int),
		origins: make(map[*graph.Origin]int), homes: make(map[*graph.Container]string), graphs: make(map[*graph.FunctionGraph]string), taken: make(map[string]bool)}
	w.tables.Origins = []originRecord{{Stack: -1}}
	w.text = graph.NewWriter(w.Origin, w.Array, w.visit, w.name)
	return w
}

// Variable returns the name that v has in the file, after it has put it there with all that it is
// made of. What a file cannot hold is an error that says where it was made.
func (w *Writer) Variable(v *graph.Variable) (string, error) { return w.text.Variable(v) }

// Array keeps an array, and returns the name that it has in the file: name, if it is free. It must
// not change before the file is written.
func (w *Writer) Array(name string, data *tensor.Dense) string {
	if name == "" || !json.Valid([]byte(strconv.Quote(name))) {
		name = "array"
	}
	free := name
	for i := 2; w.taken[free] || free == "__metadata__"; i++ {
		free = fmt.Sprintf("%s %d", name, i)
	}
	w.taken[free] = true
	w.names, w.arrays = append(w.names, free), append(w.arrays, data)
	return free
}

// visit refuses variables that a file cannot hold, and keeps the values of shared ones.
func (w *Writer) visit(v *graph.Variable) error {
	switch {
	case v.Owner != nil:
		return w.check(v.Owner)
	case v.Shared != nil:
		w.shared = append(w.shared, v)
	}
	return nil
}

// check refuses an operation that cannot be found by its name.
func (w *Writer) check(node *graph.Apply) error {
	if w.ops[node.Op] {
		return nil
	}
	fail := func(why string) error {
		return &graph.Error{Pos: node.Origin().Pos(), Op: graph.BaseName(node.Op), Msg: why}
	}
	if b, ok := node.Op.(graph.Bound); ok {
		if why := b.Bound(); why != "" {
			return fail("a file cannot hold it: " + why)
		}
	}
	if _, nests := node.Op.(graph.Nesting); !nests {
		switch found, err := w.lookup(node.Op.Name(), noGraph); {
		case err != nil:
			return fail("a file cannot hold it: " + err.Error())
		case found != node.Op:
			return fail("a file cannot hold it: what stands there would be another operation")
		}
	}
	if len(graph.Destroys(node.Op)) > 0 {
		return fail("it overwrites its operand, as operations of compiled graphs do: save the function, or the graph that it was compiled of")
	}
	w.ops[node.Op] = true
	return nil
}

func noGraph(text string) (*graph.FunctionGraph, error) {
	return nil, fmt.Errorf("got the graph %q", text)
}

// name is what an operation is called in the file, where numbers stand for the graphs that it runs.
func (w *Writer) name(o graph.Op) (string, error) {
	if n, ok := o.(graph.Nesting); ok {
		return n.NameBy(w.graph)
	}
	return o.Name(), nil
}

// graph puts a graph into the file, and returns what stands for it.
func (w *Writer) graph(fg *graph.FunctionGraph) (string, error) {
	if mark, ok := w.graphs[fg]; ok {
		return mark, nil
	}
	r := graphRecord{Name: fg.Name, Inputs: []string{}}
	for _, list := range []struct {
		to   *[]string
		vars []*graph.Variable
	}{{&r.Inputs, fg.Inputs}, {&r.Outputs, fg.Outputs}} {
		for _, v := range list.vars {
			name, err := w.text.Variable(v)
			if err != nil {
				return "", err
			}
			*list.to = append(*list.to, name)
		}
	}
	mark := graphMark + strconv.Itoa(len(w.tables.Graphs))
	w.graphs[fg], w.tables.Graphs = mark, append(w.tables.Graphs, r)
	return mark, nil
}

// Origin gives the number of an origin.
func (w *Writer) Origin(o *graph.Origin) int {
	if o == nil {
		return 0
	}
	if i, ok := w.origins[o]; ok {
		return i
	}
	r := originRecord{Stack: -1, Scope: o.Scope, Role: o.Role}
	if len(o.Frames) > 0 {
		r.Stack = w.stack(o.Frames)
	}
	if o.Grad != nil {
		i := slices.Index(w.grads, o.Grad)
		if i < 0 {
			i, w.grads = len(w.grads), append(w.grads, o.Grad)
		}
		r.Grad = i + 1
	}
	for _, p := range o.Parts {
		r.Parts = append(r.Parts, partRecord{w.Origin(p.Origin), p.Op, p.Work})
	}
	w.origins[o] = len(w.tables.Origins)
	w.tables.Origins = append(w.tables.Origins, r)
	return w.origins[o]
}

func (w *Writer) stack(frames []graph.Frame) int {
	i, ok := w.stacks[&frames[0]]
	if !ok || len(w.tables.Stacks[i]) != len(frames) {
		i = len(w.tables.Stacks)
		numbers := make([]int, len(frames))
		for j, f := range frames {
			n, ok := w.frames[f]
			if !ok {
				n = len(w.tables.Frames)
				w.frames[f], w.tables.Frames = n, append(w.tables.Frames, f)
			}
			numbers[j] = n
		}
		w.stacks[&frames[0]], w.tables.Stacks = i, append(w.tables.Stacks, numbers)
	}
	return i
}

// settle writes what variables mean beyond the graph: default updates, and what was differentiated.
func (w *Writer) settle() error {
	for s, g := 0, 0; s < len(w.shared) || g < len(w.grads); {
		for ; s < len(w.shared); s++ {
			r, err := w.sharedRecord(w.shared[s])
			if err != nil {
				return err
			}
			w.tables.Shared = append(w.tables.Shared, r)
		}
		for ; g < len(w.grads); g++ {
			w.tables.Grads = append(w.tables.Grads, w.gradRecord(w.grads[g]))
		}
	}
	return nil
}

func (w *Writer) sharedRecord(v *graph.Variable) (r sharedRecord, err error) {
	if r.Name, err = w.text.Variable(v); err != nil {
		return r, err
	}
	if home, ok := w.homes[v.Shared]; ok {
		r.Like = home
		return r, nil
	}
	w.homes[v.Shared] = r.Name
	r.Array, r.Strict, r.Lossy = w.Array(cmp.Or(v.Name, r.Name), v.Shared.Get()), v.Shared.Strict, v.Shared.Lossy
	if d := v.Shared.Default; d != nil {
		r.Default, err = w.text.Variable(d)
	}
	return r, err
}

// gradRecord is what is known of a call of grad(). What was differentiated is left out if a file
// cannot hold it: it serves DebugMode alone.
func (w *Writer) gradRecord(g *graph.GradCall) gradRecord {
	r := gradRecord{Frame: graph.Frame{File: g.Pos.File, Line: g.Pos.Line, Col: g.Pos.Col}, Nodes: g.Nodes}
	bare := r
	if g.Cost == nil {
		return bare
	}
	var err error
	if r.Cost, err = w.text.Variable(g.Cost); err != nil {
		return bare
	}
	for i, x := range g.Wrt {
		name, err := w.text.Variable(x)
		if err != nil {
			return bare
		}
		grad := ""
		if g.Grads[i] != nil {
			if grad, err = w.text.Variable(g.Grads[i]); err != nil {
				return bare
			}
		}
		r.Wrt, r.Grads = append(r.Wrt, name), append(r.Grads, grad)
	}
	return r
}

// Save writes the file. values is what the caller says, as JSON can say it; metadata is text of the
// user's; line finds the text of a line of a file; stop is asked now and then for the error that
// ends it.
func (w *Writer) Save(out io.Writer, values any, metadata map[string]string, line func(file string, n int) (string, bool), stop func() error) error {
	if err := w.settle(); err != nil {
		return err
	}
	meta := map[string]string{formatKey: "1", graphKey: w.text.String()}
	if len(w.tables.Graphs) > 0 {
		meta[formatKey] = strconv.Itoa(version)
	}
	lines := w.rename(line)
	for _, part := range []struct {
		key string
		v   any
	}{{tablesKey, w.tables}, {linesKey, lines}, {valuesKey, values}} {
		text, err := json.Marshal(part.v)
		if err != nil {
			return err
		}
		meta[part.key] = string(text)
	}
	for key, text := range metadata {
		if strings.HasPrefix(key, prefix) {
			return fmt.Errorf("metadata: got the key %q, want one that does not begin with %s", key, prefix)
		}
		meta[key] = text
	}
	sum, err := checksum(meta, w.names, w.arrays, stop)
	if err != nil {
		return err
	}
	meta[checksumKey] = sum
	return safetensors.Write(out, w.names, w.arrays, meta)
}

// rename gives the user's files the names that they have in the file, without the folders that they
// were in, and returns the lines that frames name.
func (w *Writer) rename(line func(file string, n int) (string, bool)) map[string]map[int]string {
	lines := make(map[string]map[int]string)
	short, taken := make(map[string]string), make(map[string]bool)
	name := func(file string) string {
		s, ok := short[file]
		if !ok {
			_, s = cutSaved(file)
			base := s[strings.LastIndexAny(s, `/\`)+1:]
			s = base
			for i := 2; taken[s]; i++ {
				s = fmt.Sprintf("%s (%d)", base, i)
			}
			short[file], taken[s] = s, true
		}
		return s
	}
	keep := func(f graph.Frame) graph.Frame {
		file := name(f.File)
		if text, ok := line(f.File, f.Line); ok && f.Line > 0 && f.Line <= maxLine {
			if lines[file] == nil {
				lines[file] = make(map[int]string)
			}
			lines[file][f.Line] = text
		}
		f.File = file
		return f
	}
	w.tables.Frames = slices.Clone(w.tables.Frames)
	for i, f := range w.tables.Frames {
		w.tables.Frames[i] = keep(f)
	}
	for i, g := range w.tables.Grads {
		w.tables.Grads[i].Frame = keep(g.Frame)
	}
	return lines
}

// cutSaved splits the name of a file of the user's that a file of graphs has brought: what that is
// called, and the user's.
func cutSaved(file string) (saved, user string) {
	if i := strings.LastIndex(file, Suffix+"/"); i >= 0 {
		return file[:i+len(Suffix)], file[i+len(Suffix)+1:]
	}
	return "", file
}

// sortedKeys are the keys of the metadata that the checksum is of.
func sortedKeys(meta map[string]string) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(meta)), func(k string) bool { return k == checksumKey })
}
