package graphfile_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/graphfile"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/op/optest"
	"github.com/arignote/arignote/runtime/safetensors"
	"github.com/arignote/arignote/runtime/tensor"
)

func never() error { return nil }

// line is the text of any line of the user's files.
func line(file string, n int) (string, bool) {
	return fmt.Sprintf("line %d of %s", n, strings.TrimSuffix(file[strings.LastIndex(file, "/")+1:], " (2)")), true
}

// save writes variables, of which the caller keeps the names.
func save(t testing.TB, vars ...*graph.Variable) []byte {
	t.Helper()
	w := graphfile.NewWriter(op.LookupBy)
	names := []string{}
	for _, v := range vars {
		name, err := w.Variable(v)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	var b bytes.Buffer
	if err := w.Save(&b, names, map[string]string{"by": "me"}, line, never); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func read(data []byte) (*graphfile.File, []*graph.Variable, error) {
	from, err := safetensors.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, nil, err
	}
	f, err := graphfile.Read("net.arignote", from, op.LookupBy, never)
	if err != nil {
		return nil, nil, err
	}
	var names []string
	if err := f.Decode(&names); err != nil {
		return nil, nil, err
	}
	var vars []*graph.Variable
	for _, n := range names {
		v, err := f.Variable(n)
		if err != nil {
			return nil, nil, err
		}
		vars = append(vars, v)
	}
	return f, vars, nil
}

// again reads what was written and writes it once more, which has to give the same bytes.
func again(t *testing.T, data []byte) (*graphfile.File, []*graph.Variable) {
	t.Helper()
	f, vars, err := read(data)
	if err != nil {
		t.Fatal(err)
	}
	if twice := save(t, vars...); !bytes.Equal(twice, data) {
		t.Errorf("written again it is\n%q\nwant\n%q", twice, data)
	}
	return f, vars
}

// TestOps: each operation with each of its cases is the same when it was saved, and so is what it
// makes.
func TestOps(t *testing.T) {
	tried := make(map[string]bool)
	try := func(o graph.Op, in []*graph.Variable) {
		out, err := (&graph.Builder{}).Make(o, in...)
		if err != nil {
			t.Fatalf("%s: %v", o.Name(), err)
		}
		node := out[0].Owner
		if len(graph.Destroys(o)) > 0 {
			return
		}
		tried[graph.BaseName(o)] = true
		_, vars := again(t, save(t, append(slices.Clone(in), node.Outputs...)...))
		got := vars[len(in)].Owner
		if got.Op != o || len(got.Outputs) != len(node.Outputs) {
			t.Errorf("got %s, want %s", got.Op.Name(), o.Name())
		}
		for i, v := range node.Outputs {
			if got.Outputs[i].Type != v.Type || vars[len(in)+i] != got.Outputs[i] {
				t.Errorf("%s: output %d: got %v, want %v", o.Name(), i, got.Outputs[i].Type, v.Type)
			}
		}
		for i, v := range in {
			if node.Inputs[i] == v && got.Inputs[i] != vars[i] || v.IsConstant() && !sameBits(vars[i].Data, v.Data) {
				t.Errorf("%s: operand %d is another", o.Name(), i)
			}
		}
	}
	for _, o := range op.Structurals() {
		for _, c := range optest.Cases(o) {
			var in []*graph.Variable
			for i, x := range c.In {
				if x.Value != nil {
					in = append(in, graph.NewConstant(x.Value, nil))
				} else {
					in = append(in, graph.NewInput(fmt.Sprintf("x%d", i), x.Type, nil))
				}
			}
			try(c.Op, in)
		}
	}
	for e := range op.Rows {
		var in []*graph.Variable
		for i := range e.Arity() {
			in = append(in, graph.NewInput(fmt.Sprintf("x%d", i), graph.TypeOf(kernels.Bool, 2), nil))
		}
		if node, err := graph.NewApply(e, in, nil); err == nil {
			try(node.Op, in)
		}
		for i := range in {
			in[i] = graph.NewInput(fmt.Sprintf("x%d", i), graph.TypeOf(kernels.Float64, graph.Unknown, 3), nil)
		}
		if node, err := graph.NewApply(e, in, nil); err == nil {
			try(node.Op, in)
		}
	}
	for _, name := range op.Names() {
		o, err := op.Lookup(name)
		if err == nil && len(graph.Destroys(o)) == 0 && !tried[name] {
			t.Errorf("%s was not tried", name)
		}
	}
}

func sameBits(a, b *tensor.Dense) bool {
	if a.DType() != b.DType() || tensor.ShapeString(a.Shape()) != tensor.ShapeString(b.Shape()) {
		return false
	}
	var x, y []byte
	for block := range safetensors.Blocks(a) {
		x = append(x, block...)
	}
	for block := range safetensors.Blocks(b) {
		y = append(y, block...)
	}
	return bytes.Equal(x, y)
}

// TestConstants: constants of all types and sizes are the same bits; nan is nan.
func TestConstants(t *testing.T) {
	edge := []float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, math.SmallestNonzeroFloat64, 0.1, -1e-310, 1 << 53}
	var vars []*graph.Variable
	var arrays []*tensor.Dense
	add := func(d *tensor.Dense) {
		arrays = append(arrays, d)
		vars = append(vars, graph.NewConstant(d, nil))
	}
	for _, d := range kernels.DTypes() {
		for _, n := range []int{0, 1, 2, 64, 65, 1000} {
			a := tensor.New(kernels.Float64, n)
			values := tensor.Elements[float64](a)
			for i := range values {
				values[i] = float64(i%200 - 100)
				if d.IsFloat() {
					values[i] = edge[i%len(edge)] * float64(i/len(edge)+1)
				}
			}
			add(a.AsType(d))
		}
		add(tensor.New(d))
		add(tensor.New(d, 2, 0, 3))
	}
	add(tensor.From([]uint64{math.MaxUint64, 1<<63 + 1}, 2))
	add(tensor.From([]int64{math.MinInt64, math.MaxInt64}, 2))
	add(tensor.Scalar(kernels.Float32, 0.1))
	turned := tensor.From([]float64{1, 2, 3, 4, 5, 6}, 2, 3).Transpose()
	add(turned)
	large := tensor.New(kernels.Float64, 30, 20)
	large.Fill(math.Copysign(0, -1))
	add(large.Transpose())
	_, got := again(t, save(t, vars...))
	for i, v := range got {
		if !sameBits(v.Data, arrays[i]) || v.Type != vars[i].Type {
			t.Errorf("constant %d: got %v %v, want %v %v", i, v.Type, v.Data, vars[i].Type, arrays[i])
		}
	}
}

// TestVariables: names, types, origins, what was differentiated, default updates and who shares a
// value are kept.
func TestVariables(t *testing.T) {
	deep := &graph.Origin{Frames: []graph.Frame{{File: "/home/me/net.star", Line: 9, Col: 2, Func: "<toplevel>"}, {File: "/home/me/net.star", Line: 3, Col: 14, Func: "layer"}}}
	cell := graph.At(graph.Pos{File: "In[3]", Line: 1, Col: 5})
	other := graph.At(graph.Pos{File: "/elsewhere/net.star", Line: 4, Col: 1})
	x := graph.NewInput("learning rate", graph.TypeOf(kernels.Float64, graph.Unknown, 1), deep)
	y := graph.NewInput("x", x.Type, cell)
	z := graph.NewInput("x", x.Type, other)
	none := graph.NewInput("", x.Type, nil)
	v1 := graph.NewInput("v1", x.Type, &graph.Origin{Role: graph.RoleUpdate})
	word := graph.NewInput("weak", x.Type, nil)
	odd := graph.NewInput("\xff\"\n# @1", x.Type, nil)
	b := &graph.Builder{Origin: deep}
	half := b.WeakConstant(tensor.Scalar(kernels.Float64, 0.5))
	half.Name = "half"
	root := b.Apply(op.Sqrt, half)
	sum := b.Apply(op.Add, x, y)
	sum.Name = "update"
	sum.Type = graph.TypeOf(kernels.Float64, graph.Unknown, graph.Unknown) // as Remake may leave it
	call := &graph.GradCall{Pos: deep.Pos(), Nodes: 2, Cost: root, Wrt: []*graph.Variable{x, y}, Grads: []*graph.Variable{sum, nil}}
	gradient := &graph.Builder{Origin: &graph.Origin{Frames: deep.Frames, Role: graph.RoleGradient, Grad: call}}
	g := gradient.Apply(op.Neg, sum)
	parts := &graph.Builder{Origin: &graph.Origin{Frames: deep.Frames, Parts: []graph.Part{{Origin: cell, Op: "add", Work: kernels.Costs{3, 2, 1}}, {Op: "mul", Work: kernels.Costs{0.1, 0.1, 0.1}}}}}
	fused := parts.Apply(op.Exp, g)
	w := graph.NewShared("W", graph.AnyShape(kernels.Float32, 2), tensor.From([]float32{1, 2, 3, 4}, 2, 2).Transpose(), deep)
	w.Shared.Strict, w.Shared.Lossy = true, true
	twin := w.CloneRoot()
	w.Shared.Default = b.Apply(op.Neg, w)
	state := graph.NewShared("", graph.StateType(graph.GeneratorState), tensor.New(kernels.Uint32, 10), deep)

	data := save(t, x, y, z, none, v1, word, odd, half, root, sum, fused, twin, w, state, g)
	f, got := again(t, data)
	for i, v := range []*graph.Variable{x, y, z, none, v1, word, odd, half, root, sum, fused, twin, w, state, g} {
		u := got[i]
		if u.Name != v.Name || u.Type != v.Type || u.Weak != v.Weak || u.Op() != v.Op() {
			t.Errorf("%d: got %q %v weak=%v, want %q %v weak=%v", i, u.Name, u.Type, u.Weak, v.Name, v.Type, v.Weak)
		}
		if (u.Origin == nil) != (v.Origin == nil) || u.Origin != nil && u.Origin.Role != v.Origin.Role {
			t.Errorf("%d: got origin %v, want %v", i, u.Origin, v.Origin)
		}
	}
	gx, gy, gz, gsum, gfused, gtwin, gw, gstate, gg := got[0], got[1], got[2], got[9], got[10], got[11], got[12], got[13], got[14]
	if gx.Origin.Frames[1].String() != "net.arignote/net.star:3:14 in layer" || gy.Origin.Pos().File != "net.arignote/In[3]" || gz.Origin.Pos().File != "net.arignote/net.star (2)" {
		t.Errorf("got %v, %v and %v", gx.Origin.Frames, gy.Origin.Frames, gz.Origin.Frames)
	}
	if !gsum.Origin.Made(got[8].Origin) || gsum.Origin.Made(gy.Origin) || gsum.Origin.Made(gg.Origin) {
		t.Error("what one call made is not told from what another did")
	}
	c := gg.Origin.Grad
	if c == nil || c.Cost != got[8] || len(c.Wrt) != 2 || c.Wrt[1] != gy || c.Grads[0] != gsum || c.Grads[1] != nil || c.Nodes != 2 || c.Pos.Line != 3 {
		t.Errorf("got the gradient %+v", c)
	}
	if p := gfused.Origin.Parts; len(p) != 2 || p[0].Work != (kernels.Costs{3, 2, 1}) || p[0].Origin != gy.Origin || p[1].Origin != nil {
		t.Errorf("got parts %v", p)
	}
	if gtwin.Shared != gw.Shared || gtwin == gw || !gw.Shared.Strict || !gw.Shared.Lossy || !sameBits(gw.Shared.Get(), w.Shared.Get()) {
		t.Errorf("got %v", gw.Shared.Get())
	}
	if d := gw.Shared.Default; d == nil || d.Owner.Inputs[0] != gw {
		t.Errorf("got the default update %v", d)
	}
	if gstate.Type != state.Type || len(f.Shared) != 3 {
		t.Errorf("got %v and %d shared variables", gstate.Type, len(f.Shared))
	}
	if text := f.Lines["net.arignote/net.star"][3]; text != "line 3 of net.star" || f.Metadata["by"] != "me" || len(f.Metadata) != 1 {
		t.Errorf("got %q and %v", text, f.Metadata)
	}
}

// TestDeep: a graph of a hundred thousand nodes needs no deep stack.
func TestDeep(t *testing.T) {
	b := &graph.Builder{}
	x := graph.NewInput("x", graph.TypeOf(kernels.Float64), nil)
	v := x
	for range 100_000 {
		v = b.Apply(op.Neg, v)
	}
	_, vars, err := read(save(t, v))
	if err != nil || len(graph.Toposort(vars)) != 100_000 {
		t.Errorf("got %d nodes, %v", len(graph.Toposort(vars)), err)
	}
}

// TestRefused: what a file cannot hold is refused with its line and the way out.
func TestRefused(t *testing.T) {
	b := &graph.Builder{Origin: graph.At(graph.Pos{File: "net.star", Line: 7, Col: 3})}
	x := graph.NewInput("x", graph.TypeOf(kernels.Float64, 3), nil)
	for _, c := range []struct {
		op   graph.Op
		want string
	}{
		{op.Print{Message: "x", By: op.Printer{PrinterFunc: &op.PrinterFunc{Name: "show"}}}, "print: a file cannot hold it: it calls show, a function of the program: without global_fn it prints by itself"},
		{unknown{}, "mystery: a file cannot hold it: unknown op \"mystery\""},
		{disguised{}, "neg: a file cannot hold it: what stands there would be another operation"},
	} {
		_, err := graphfile.NewWriter(op.LookupBy).Variable(b.Apply(op.Exp, b.Apply(c.op, x)))
		e, ok := err.(*graph.Error)
		if !ok || e.Error() != c.want || e.Pos.Line != 7 {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
	inplace, err := op.Lookup("inplace{in=0,op=exp}")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := graphfile.NewWriter(op.LookupBy).Variable(b.Apply(inplace, b.Apply(op.Exp, x))); err == nil || !strings.Contains(err.Error(), "it overwrites its operand") {
		t.Errorf("got %v", err)
	}
	w := graphfile.NewWriter(op.LookupBy)
	if err := w.Save(&bytes.Buffer{}, 1, map[string]string{"arignote.graph": "x"}, line, never); err == nil || !strings.Contains(err.Error(), `metadata: got the key "arignote.graph", want one that does not begin with arignote.`) {
		t.Errorf("got %v", err)
	}
}

type unknown struct{}

func (unknown) Name() string                                     { return "mystery" }
func (unknown) Infer(in []*graph.Variable) ([]graph.Type, error) { return graph.TypesOf(in), nil }

type disguised struct{ unknown }

func (disguised) Name() string { return "neg" }

// changed is a file with another text in its metadata, and the checksum of the new ones unless it
// is what was changed.
func changed(t *testing.T, data []byte, edit func(meta map[string]string)) []byte {
	t.Helper()
	from, err := safetensors.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	meta := from.Metadata()
	before := meta["arignote.checksum"]
	edit(meta)
	var names []string
	var arrays []*tensor.Dense
	for _, a := range from.Arrays() {
		d, err := from.Array(a.Name)
		if err != nil {
			t.Fatal(err)
		}
		names, arrays = append(names, a.Name), append(arrays, d)
	}
	if meta["arignote.checksum"] == before {
		meta["arignote.checksum"] = sum(meta, names, arrays)
	}
	var b bytes.Buffer
	if err := safetensors.Write(&b, names, arrays, meta); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// sum is the checksum by its definition in the documentation of the package.
func sum(meta map[string]string, names []string, arrays []*tensor.Dense) string {
	var all []byte
	var keys []string
	for k := range meta {
		if k != "arignote.checksum" {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	for _, k := range keys {
		all = fmt.Appendf(all, "%q=%q\n", k, meta[k])
	}
	for i, d := range arrays {
		all = fmt.Appendf(all, "%q %v%v\n", names[i], d.DType(), d.Shape())
		for block := range safetensors.Blocks(d) {
			all = append(all, block...)
		}
	}
	return fmt.Sprintf("%08x", crc32.Checksum(all, crc32.MakeTable(crc32.Castagnoli)))
}

// sample has something of everything.
func sample(t testing.TB) []byte {
	b := &graph.Builder{Origin: graph.At(graph.Pos{File: "net.star", Line: 7, Col: 3})}
	x := graph.NewInput("x", graph.TypeOf(kernels.Float64, 3), b.Origin)
	w := graph.NewShared("W", graph.AnyShape(kernels.Float64, 1), tensor.From([]float64{1, 2, 3}, 3), b.Origin)
	big := b.Constant(tensor.New(kernels.Float32, 70))
	two := b.WeakConstant(tensor.Scalar(kernels.Float64, 2))
	y := b.Apply(op.Add, x, b.Apply(op.Neg, w))
	y.Name = "the sum"
	w.Shared.Default = y
	return save(t, y, big, two)
}

// TestBadFiles: each part of a file that is wrong is an error that names it.
func TestBadFiles(t *testing.T) {
	data := sample(t)
	replace := func(key, old, new string) func(map[string]string) {
		return func(meta map[string]string) {
			if !strings.Contains(meta[key], old) {
				t.Errorf("%s has no %q: %s", key, old, meta[key])
			}
			meta[key] = strings.Replace(meta[key], old, new, 1)
		}
	}
	for _, c := range []struct {
		edit func(map[string]string)
		want string
	}{
		{replace("arignote.format", "1", "3"), "got a file of format 3, want at most 2: a later version of Arignote has written it"},
		{replace("arignote.format", "1", "x"), `arignote.format: got "x", want a number from 1 to 2`},
		{replace("arignote.checksum", "", "0"), "the file is damaged: got the checksum "},
		{replace("arignote.graph", "neg W", "mystery W"), `unknown op "mystery"`},
		{replace("arignote.graph", "neg W", "inplace{in=0,op=exp} W"), "overwrites its operand, which no operation of a file may"},
		{replace("arignote.graph", "neg W", "neg Q"), `undefined: "Q"`},
		{replace("arignote.graph", "float64[3] = add", "float64[2] = add"), "add: got float64[3], want float64[2]"},
		{replace("arignote.graph", "@1", "@99"), "want the number of an origin, of which there are "},
		{replace("arignote.graph", "array \"v3\"", "array \"nobody\""), `got the name "nobody" of an array, and there is none`},
		{replace("arignote.graph", "\treturn\n", ""), "want return at the end"},
		{replace("arignote.tables", `"stack":0`, `"stack":5`), "origin 1: got stack 5, role 0 and grad 0, of which there are "},
		{replace("arignote.tables", `"stacks":[[0]`, `"stacks":[[7]`), "stack 0: got the number 7 of a frame, of which there are "},
		{replace("arignote.tables", `"array":"W"`, `"array":"V"`), `shared: W: got the name "V" of an array, and there is none`},
		{replace("arignote.tables", `"name":"W"`, `"name":"x"`), `shared: got "x", want each shared variable once`},
		{replace("arignote.tables", `"shared":[{`, `"shared":[],"old":[{`), `unknown field "old"`},
		{replace("arignote.lines", `"7"`, `"99999999"`), "arignote.lines: got line 99999999, want a number from 1 to 1048576"},
		{replace("arignote.lines", `"7"`, `"x"`), "arignote.lines: "},
		{replace("arignote.values", `[`, `["nobody",`), `got the name "nobody" of a variable, and there is none`},
		{replace("arignote.values", `[`, `7,[`), "arignote.values: "},
	} {
		_, _, err := read(changed(t, data, c.edit))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
	if _, _, err := read(changed(t, data, func(map[string]string) {})); err != nil {
		t.Errorf("an unchanged file: %v", err)
	}
}

// TestDamage: no byte of a file can be another, and none can be missing, without an error.
func TestDamage(t *testing.T) {
	data := sample(t)
	text := int(binary.LittleEndian.Uint64(data)) + 8
	for at := range data {
		for _, bit := range []byte{1, 0x80} {
			bad := slices.Clone(data)
			bad[at] ^= bit
			if _, _, err := read(bad); err == nil && !(at < text && sameHeader(data, bad, text)) {
				t.Errorf("byte %d of %d may be %q instead of %q", at, len(data), bad[at], data[at])
			}
		}
		if _, _, err := read(data[:at]); err == nil {
			t.Errorf("%d of %d bytes are enough", at, len(data))
		}
	}
}

// sameHeader reports whether two headers of n bytes say the same: JSON has several spellings of a
// text.
func sameHeader(a, b []byte, n int) bool {
	var x, y any
	return json.Unmarshal(a[8:n], &x) == nil && json.Unmarshal(b[8:n], &y) == nil && fmt.Sprint(x) == fmt.Sprint(y)
}

// TestStop: reading and writing end when they are told to.
func TestStop(t *testing.T) {
	halt := fmt.Errorf("halt")
	w := graphfile.NewWriter(op.LookupBy)
	w.Array("a", tensor.New(kernels.Float64, 1<<20))
	asked := 0
	stop := func() error {
		if asked++; asked > 3 {
			return halt
		}
		return nil
	}
	if err := w.Save(&bytes.Buffer{}, 1, nil, line, stop); err != halt {
		t.Errorf("got %v", err)
	}
	data := sample(t)
	from, err := safetensors.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := graphfile.Read("x", from, op.LookupBy, func() error { return halt }); err != halt {
		t.Errorf("got %v", err)
	}
}

// FuzzRead: a file that is read without an error can be written, and is the same then.
func FuzzRead(f *testing.F) {
	data := sample(f)
	from, err := safetensors.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		f.Fatal(err)
	}
	meta := from.Metadata()
	f.Add(meta["arignote.graph"], meta["arignote.tables"], meta["arignote.lines"], meta["arignote.values"])
	names := []string{"W", "v3"}
	arrays := []*tensor.Dense{tensor.New(kernels.Float64, 3), tensor.New(kernels.Float32, 70)}
	f.Fuzz(func(t *testing.T, text, tables, lines, values string) {
		meta := map[string]string{"arignote.format": "1", "arignote.graph": text, "arignote.tables": tables, "arignote.lines": lines, "arignote.values": values}
		meta["arignote.checksum"] = sum(meta, names, arrays)
		var b bytes.Buffer
		if safetensors.Write(&b, names, arrays, meta) != nil {
			return
		}
		_, vars, err := read(b.Bytes())
		if err != nil {
			return
		}
		w := graphfile.NewWriter(op.LookupBy)
		for _, v := range vars {
			if _, err := w.Variable(v); err != nil {
				t.Fatalf("%v in what was read", err)
			}
		}
		var again bytes.Buffer
		if err := w.Save(&again, []string{}, nil, line, never); err != nil {
			t.Fatal(err)
		}
		if _, _, err := read(again.Bytes()); err != nil {
			t.Fatalf("%v in what was written of\n%s", err, text)
		}
	})
}
