package graphfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"strconv"
	"strings"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/safetensors"
	"github.com/arignote/arignote/runtime/tensor"
)

// A File is a file that was read.
type File struct {
	Values   json.RawMessage           // what was said by whoever wrote it
	Metadata map[string]string         // the user's
	Lines    map[string]map[int]string // the text of lines, by file and number
	Shared   []*graph.Variable
	vars     map[string]*graph.Variable
	origins  []*graph.Origin
	arrays   map[string]*tensor.Dense
	given    map[string]bool // arrays that somebody has
	graphs   []*graph.FunctionGraph
}

// IsGraphs reports whether a file of arrays is one of graphs.
func IsGraphs(f *safetensors.File) bool {
	_, ok := f.Metadata()[formatKey]
	return ok
}

// Checksum tells files of graphs apart.
func Checksum(f *safetensors.File) string { return f.Metadata()[checksumKey] }

// Own is what users have said in metadata.
func Own(metadata map[string]string) map[string]string {
	own := maps.Clone(metadata)
	maps.DeleteFunc(own, func(key, _ string) bool { return strings.HasPrefix(key, prefix) })
	return own
}

// Read reads a file of graphs. name is what it is called: in Lines and in origins the user's files
// stand behind it and a slash. stop is asked now and then for the error that ends it.
func Read(name string, from *safetensors.File, lookup Lookup, stop func() error) (*File, error) {
	if !strings.HasSuffix(name, Suffix) { // so that it can be told from the user's files
		name += Suffix
	}
	meta := from.Metadata()
	got, err := strconv.Atoi(meta[formatKey])
	switch {
	case err != nil || got < 1:
		return nil, fmt.Errorf("%s: got %q, want a number from 1 to %d", formatKey, meta[formatKey], version)
	case got > version:
		return nil, fmt.Errorf("got a file of format %d, want at most %d: a later version of Arignote has written it, which can read it", got, version)
	}
	f := &File{Values: json.RawMessage(meta[valuesKey]), arrays: make(map[string]*tensor.Dense), given: make(map[string]bool)}
	var names []string
	var arrays []*tensor.Dense
	for _, a := range from.Arrays() {
		if err := stop(); err != nil {
			return nil, err
		}
		d, err := from.Array(a.Name)
		if err != nil {
			return nil, err
		}
		names, arrays = append(names, a.Name), append(arrays, d)
		f.arrays[a.Name] = d
	}
	switch sum, err := checksum(meta, names, arrays, stop); {
	case err != nil:
		return nil, err
	case sum != meta[checksumKey]:
		return nil, fmt.Errorf("the file is damaged: got the checksum %s, want %s", sum, meta[checksumKey])
	}
	f.Metadata = Own(meta)
	var t tables
	if err := decode(meta, tablesKey, &t); err != nil {
		return nil, err
	}
	var lines map[string]map[int]string
	if err := decode(meta, linesKey, &lines); err != nil {
		return nil, err
	}
	if f.Lines, err = prefixed(name, lines); err != nil {
		return nil, err
	}
	grads, err := f.readOrigins(name, &t)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", tablesKey, err)
	}
	f.graphs = make([]*graph.FunctionGraph, len(t.Graphs))
	find := func(op string, vars map[string]*graph.Variable) (graph.Op, error) {
		o, err := lookup(op, func(text string) (*graph.FunctionGraph, error) { return f.readGraph(t.Graphs, text, vars) })
		if err == nil && len(graph.Destroys(o)) > 0 {
			return nil, fmt.Errorf("%s overwrites its operand, which no operation of a file may", op)
		}
		return o, err
	}
	if f.vars, err = graph.ParseExact(graphKey, meta[graphKey], graph.Tables{Lookup: find, Origins: f.origins, Array: f.Array}); err != nil {
		var e *graph.Error
		if errors.As(err, &e) {
			err = fmt.Errorf("%s: %w", e.Pos, err)
		}
		return nil, err
	}
	if err := f.readShared(t.Shared); err != nil {
		return nil, fmt.Errorf("%s: %w", tablesKey, err)
	}
	return f, f.readGrads(grads, t.Grads)
}

// decode reads a part of the metadata.
func decode(meta map[string]string, key string, into any) error {
	d := json.NewDecoder(strings.NewReader(meta[key]))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	return nil
}

// Decode reads Values.
func (f *File) Decode(into any) error {
	d := json.NewDecoder(bytes.NewReader(f.Values))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("%s: %w", valuesKey, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("%s: got more than one value", valuesKey)
	}
	return nil
}

func prefixed(name string, lines map[string]map[int]string) (map[string]map[int]string, error) {
	all := make(map[string]map[int]string, len(lines))
	for file, texts := range lines {
		for n := range texts {
			if n < 1 || n > maxLine {
				return nil, fmt.Errorf("%s: got line %d, want a number from 1 to %d", linesKey, n, maxLine)
			}
		}
		all[name+"/"+file] = texts
	}
	return all, nil
}

// readOrigins makes the origins, whose calls of grad() are completed when the variables are there.
func (f *File) readOrigins(name string, t *tables) (grads []*graph.GradCall, err error) {
	for i := range t.Frames {
		t.Frames[i].File = name + "/" + t.Frames[i].File
	}
	stacks := make([][]graph.Frame, len(t.Stacks))
	for i, numbers := range t.Stacks {
		for _, n := range numbers {
			if n < 0 || n >= len(t.Frames) {
				return nil, fmt.Errorf("stack %d: got the number %d of a frame, of which there are %d", i, n, len(t.Frames))
			}
			stacks[i] = append(stacks[i], t.Frames[n])
		}
	}
	for _, g := range t.Grads {
		g.Frame.File = name + "/" + g.Frame.File
		grads = append(grads, &graph.GradCall{Pos: g.Frame.Pos(), Nodes: g.Nodes})
	}
	for i, r := range t.Origins {
		if r.Stack < -1 || r.Stack >= len(stacks) || r.Grad < 0 || r.Grad > len(grads) || r.Role > graph.RoleUpdate {
			return nil, fmt.Errorf("origin %d: got stack %d, role %d and grad %d, of which there are %d, %d and %d", i, r.Stack, r.Role, r.Grad, len(stacks), graph.RoleUpdate+1, len(grads))
		}
		if r.Scope != "" {
			if err := graph.CheckScope(r.Scope); err != nil {
				return nil, fmt.Errorf("origin %d: scope: %w", i, err)
			}
		}
		o := &graph.Origin{Scope: r.Scope, Role: r.Role}
		if r.Stack >= 0 {
			o.Frames = stacks[r.Stack]
		}
		if r.Grad > 0 {
			o.Grad = grads[r.Grad-1]
		}
		for _, p := range r.Parts {
			if p.Origin < 0 || p.Origin >= i {
				return nil, fmt.Errorf("origin %d: got a part of origin %d, want one that stands before it", i, p.Origin)
			}
			o.Parts = append(o.Parts, graph.Part{Origin: f.origins[p.Origin], Op: p.Op, Work: p.Work})
		}
		if i == 0 {
			o = nil
		}
		f.origins = append(f.origins, o)
	}
	return grads, nil
}

// readGraph makes the graph for which a text stands, of variables that stand before the operation
// that runs it.
func (f *File) readGraph(records []graphRecord, text string, vars map[string]*graph.Variable) (*graph.FunctionGraph, error) {
	number, marked := strings.CutPrefix(text, graphMark)
	i, err := strconv.Atoi(number)
	if !marked || err != nil || i < 0 || i >= len(records) {
		return nil, fmt.Errorf("got %q, want %s and the number of a graph, of which there are %d", text, graphMark, len(records))
	}
	if f.graphs[i] != nil {
		return f.graphs[i], nil
	}
	r := records[i]
	fg, given := &graph.FunctionGraph{Name: r.Name}, make(map[*graph.Variable]bool)
	for _, name := range r.Inputs {
		v := vars[name]
		if v == nil || !v.IsInput() || given[v] {
			return nil, fmt.Errorf("graph %d: got the input %q, want each a free variable, once", i, name)
		}
		given[v], fg.Inputs = true, append(fg.Inputs, v)
	}
	for _, name := range r.Outputs {
		if vars[name] == nil {
			return nil, fmt.Errorf("graph %d: got the output %q, and there is none", i, name)
		}
		fg.Outputs = append(fg.Outputs, vars[name])
	}
	for v := range fg.Roots() {
		if !v.IsConstant() && !given[v] {
			return nil, fmt.Errorf("graph %d: %s is none of its inputs", i, graph.NameOf(v))
		}
	}
	f.graphs[i] = fg
	return fg, nil
}

// readShared gives shared variables their values.
func (f *File) readShared(list []sharedRecord) error {
	ready := make(map[string]bool)
	for _, r := range list {
		v := f.vars[r.Name]
		if v == nil || v.Shared == nil || ready[r.Name] {
			return fmt.Errorf("shared: got %q, want each shared variable once", r.Name)
		}
		ready[r.Name] = true
		f.Shared = append(f.Shared, v)
		if r.Like != "" {
			like := f.vars[r.Like]
			if like == nil || !ready[r.Like] || like.Type != v.Type {
				return fmt.Errorf("shared: %s: got %q for the variable whose value it has, want one of its type that stands before it", r.Name, r.Like)
			}
			v.Shared = like.Shared
			continue
		}
		data, err := f.Array(r.Array)
		switch {
		case err != nil:
			return fmt.Errorf("shared: %s: %w", r.Name, err)
		case data.DType() != v.Type.DType || !v.Type.AcceptsShape(data.Shape()):
			return fmt.Errorf("shared: %s: got a value of type %v, want %v", r.Name, graph.TypeOfValue(data), v.Type)
		}
		v.Shared.Set(data)
		v.Shared.Strict, v.Shared.Lossy = r.Strict, r.Lossy
		if r.Default == "" {
			continue
		}
		if v.Shared.Default = f.vars[r.Default]; v.Shared.Default == nil {
			return fmt.Errorf("shared: %s: got the default update %q, want a variable", r.Name, r.Default)
		}
	}
	for name, v := range f.vars {
		if v.Shared != nil && !ready[name] {
			return fmt.Errorf("shared: %s has no value", name)
		}
	}
	return nil
}

// readGrads says of calls of grad() what they differentiated.
func (f *File) readGrads(grads []*graph.GradCall, records []gradRecord) error {
	for i, r := range records {
		g := grads[i]
		if r.Cost == "" {
			continue
		}
		if len(r.Wrt) != len(r.Grads) {
			return fmt.Errorf("%s: grad %d: got %d gradients for %d variables", tablesKey, i, len(r.Grads), len(r.Wrt))
		}
		var err error
		if g.Cost, err = f.Variable(r.Cost); err != nil {
			return err
		}
		for j := range r.Wrt {
			x, err := f.Variable(r.Wrt[j])
			if err != nil {
				return err
			}
			var d *graph.Variable
			if r.Grads[j] != "" {
				if d, err = f.Variable(r.Grads[j]); err != nil {
					return err
				}
			}
			g.Wrt, g.Grads = append(g.Wrt, x), append(g.Grads, d)
		}
	}
	return nil
}

// Variable finds a variable by the name that it has in the file.
func (f *File) Variable(name string) (*graph.Variable, error) {
	v, ok := f.vars[name]
	if !ok {
		return nil, fmt.Errorf("got the name %q of a variable, and there is none", name)
	}
	return v, nil
}

// Origin finds an origin by its number.
func (f *File) Origin(n int) (*graph.Origin, error) {
	if n < 0 || n >= len(f.origins) {
		return nil, fmt.Errorf("got the number %d of an origin, of which there are %d", n, len(f.origins))
	}
	return f.origins[n], nil
}

// Array finds an array by the name that it has in the file. It is the caller's.
func (f *File) Array(name string) (*tensor.Dense, error) {
	d, ok := f.arrays[name]
	if !ok {
		return nil, fmt.Errorf("got the name %q of an array, and there is none", name)
	}
	if f.given[name] { // no file that was written here has it twice
		return d.Copy(), nil
	}
	f.given[name] = true
	return d, nil
}
