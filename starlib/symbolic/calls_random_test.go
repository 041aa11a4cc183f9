package symbolic_test

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/long"
	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

var (
	_        = flag.Int("calls", 300, "how many random programs of functions and shared variables TestCalls compares with a model")
	callSeed = flag.Uint64("calls.seed", 1, "the first program")
)

// TestCalls compares random programs of functions, shared variables, inputs that keep values,
// givens, updates, default updates, streams and copies with a model of what they mean, without
// rewrites, with the default ones, and in float32.
func TestCalls(t *testing.T) {
	what := make(map[string]int)
	first, n := long.Drawn("calls", 3)
	for _, mode := range []string{"config.optimizer = \"None\"\nFX = \"float64\"\n", "FX = \"float64\"\n", "config.floatX = \"float32\"\nFX = \"float32\"\n"} {
		s := starlibtest.NewSession(t)
		failures := 0
		for i := range n {
			if i%200 == 199 { // a session keeps what its cells were
				s = starlib.NewSession(starlib.Options{Dir: t.TempDir()})
			}
			seed := *callSeed + uint64(first+i)
			p := newCallProgram(seed, what)
			var out starlibtest.Printed
			if _, _, err := s.Execute(context.Background(), i+1, mode+p.code.String(), &out); err != nil {
				t.Errorf("seed %d: %s\n%s", seed, strings.Join(err.(*starlib.Error).Traceback(), "\n"), numbered(mode+p.code.String()))
				failures++
			} else if got := out.String(); got != p.want.String() {
				t.Errorf("seed %d: %s\n%s", seed, firstDifference(got, p.want.String()), numbered(mode+p.code.String()))
				failures++
			}
			if failures > 2 {
				t.FailNow()
			}
		}
	}
	if n < 300 {
		return
	}
	for _, kind := range callKinds {
		if what[kind] == 0 {
			t.Errorf("no program has %s", kind)
		}
	}
	t.Log(what)
}

// callKinds are what programs have to have.
var callKinds = []string{"default", "input update", "home", "implicit", "tuple input", "dict input", "givens", "given node", "default_update", "no_default_updates list", "no_default_updates", "updates",
	"borrow", "dict output", "output_keys", "output_subset", "swap", "delete_updates", "copy of a copy", "keyword", "assign state", "assign default", "read state", "set_value", "clone", "eval", "saved", "call shared home",
	"draw", "seed", "state of another", "swap of a stream", "no_default_updates of a stream"}

func numbered(code string) string {
	var b strings.Builder
	for i, line := range strings.Split(code, "\n") {
		fmt.Fprintf(&b, "%4d %s\n", i+1, line)
	}
	return b.String()
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		if i >= len(g) || i >= len(w) || g[i] != w[i] {
			return fmt.Sprintf("line %d of what is printed: got %q, want %q", i+1, g[min(i, len(g)-1)], w[min(i, len(w)-1)])
		}
	}
	return "no difference"
}

// A callProgram is a random program, and what it prints.
type callProgram struct {
	*rand.Rand
	code, want strings.Builder
	world      mWorld
	shared     []*mNode
	inputs     []*mNode
	states     []*mNode // of random numbers
	nodes      []*mNode // all that expressions can be made of
	functions  []*mFunction
	count      int
	what       map[string]int
}

func (p *callProgram) line(format string, args ...any) { fmt.Fprintf(&p.code, format+"\n", args...) }

// chance is true in one of n cases, and then counts what happens.
func (p *callProgram) chance(n int, what string) bool {
	if p.IntN(n) != 0 {
		return false
	}
	if what != "" {
		p.what[what]++
	}
	return true
}

func (p *callProgram) pick(nodes []*mNode) *mNode { return nodes[p.IntN(len(nodes))] }

func (p *callProgram) fresh(prefix string) string {
	p.count++
	return fmt.Sprintf("%s%d", prefix, p.count)
}

// value is a random value for a scalar or a vector.
func (p *callProgram) value(vector bool) []float64 {
	v := make([]float64, 1)
	if vector {
		v = make([]float64, 3)
	}
	for i := range v {
		v[i] = float64(p.IntN(41) - 20)
	}
	return v
}

// literal is a value as an array of the program's type, or as numbers.
func (p *callProgram) literal(v []float64, vector bool) string {
	if p.IntN(2) == 0 {
		return mText(v, vector)
	}
	return fmt.Sprintf("np.array(%s, dtype=FX)", mText(v, vector))
}

func newCallProgram(seed uint64, what map[string]int) *callProgram {
	p := &callProgram{Rand: rand.New(rand.NewPCG(seed, 0)), what: what, world: mWorld{make(map[*mNode][]float64), make(map[*mNode]*mNode)}}
	p.line("def show(v):")
	p.line("    if type(v) == \"list\":")
	p.line("        print([(np.asarray(e).astype(\"float64\") + 0.0).tolist() for e in v])")
	p.line("    elif type(v) == \"dict\":")
	p.line("        print([(k, (np.asarray(e).astype(\"float64\") + 0.0).tolist()) for k, e in v.items()])")
	p.line("    else:")
	p.line("        print(v if v == None else (np.asarray(v).astype(\"float64\") + 0.0).tolist())")
	for i := range 2 + p.IntN(3) {
		n := &mNode{name: fmt.Sprintf("s%d", i), shared: true, vector: p.IntN(2) == 0}
		v := p.value(n.vector)
		p.line("%s = shared(np.array(%s, dtype=FX), name=%q, borrow=%s)", n.name, mText(v, n.vector), n.name, []string{"True", "False"}[p.IntN(2)])
		p.world.values[n] = v
		p.shared = append(p.shared, n)
	}
	for i := range 2 + p.IntN(3) {
		n := &mNode{name: fmt.Sprintf("x%d", i), vector: p.IntN(2) == 0}
		p.line("%s = T.%s(%q)", n.name, map[bool]string{true: "vector", false: "scalar"}[n.vector], n.name)
		p.inputs = append(p.inputs, n)
	}
	p.nodes = slices.Concat(p.shared, p.inputs)
	p.streams()
	for range 2 + p.IntN(6) {
		p.expression()
	}
	for range 1 + p.IntN(3) {
		p.function()
	}
	for range 3 + p.IntN(8) {
		p.step()
	}
	for _, s := range p.shared {
		p.show(s.name+".get_value()", p.world.values[s], s.vector)
	}
	return p
}

// show prints an expression of the program, whose value is v.
func (p *callProgram) show(code string, v []float64, vector bool) {
	p.line("show(%s)", code)
	p.want.WriteString(mText(v, vector) + "\n")
}

// expression makes a variable of others.
func (p *callProgram) expression() *mNode {
	n := &mNode{name: p.fresh("e"), op: []string{"add", "sub", "maximum", "scale", "sum", "add", "sub"}[p.IntN(7)]}
	switch n.op {
	case "scale":
		n.args, n.scale = []*mNode{p.pick(p.nodes)}, float64(p.IntN(5)-2)
	case "sum":
		vectors := slices.DeleteFunc(slices.Clone(p.nodes), func(n *mNode) bool { return !n.vector })
		if len(vectors) == 0 {
			n.op, n.args, n.scale = "scale", []*mNode{p.pick(p.nodes)}, -1
			break
		}
		n.args = []*mNode{p.pick(vectors)}
	default:
		n.args = []*mNode{p.pick(p.nodes), p.pick(p.nodes)}
	}
	for _, a := range n.args {
		n.vector = n.vector || a.vector && n.op != "sum"
	}
	p.line("%s = %s", n.name, n.text())
	c := &mNode{name: p.fresh("e"), op: "clip", args: []*mNode{n}, vector: n.vector}
	p.line("%s = %s", c.name, c.text())
	p.nodes = append(p.nodes, c)
	return c
}

// like picks a variable that can be a value of n; n itself if there is none.
func (p *callProgram) like(n *mNode, from []*mNode) *mNode {
	fit := slices.DeleteFunc(slices.Clone(from), func(m *mNode) bool { return m.vector != n.vector || m.state != n.state })
	if len(fit) == 0 {
		return n
	}
	return p.pick(fit)
}

// function compiles a random function.
func (p *callProgram) function() {
	f := &mFunction{name: p.fresh("f"), givens: make(map[*mNode]*mNode), noDefault: func(*mNode) bool { return false }}
	for range 1 + p.IntN(3) {
		f.outputs = append(f.outputs, p.pick(p.nodes))
	}
	if p.chance(6, "no outputs") {
		f.outputs = nil
	}
	p.giveInputs(f)
	taken := func(s *mNode) bool {
		return slices.ContainsFunc(f.inputs, func(in *mInput) bool { return in.home == s })
	}
	for _, s := range p.shared {
		if !taken(s) && p.chance(3, "updates") {
			f.updates = append(f.updates, mUpdate{s, p.like(s, p.nodes)})
		}
	}
	p.giveGivens(f)
	noDefaults := ""
	switch {
	case p.chance(6, "no_default_updates"):
		f.noDefault, noDefaults = func(*mNode) bool { return true }, ", no_default_updates=True"
	case p.chance(5, "no_default_updates list"):
		s := p.pick(slices.Concat(p.shared, p.states))
		if s.state {
			p.what["no_default_updates of a stream"]++
		}
		f.noDefault, noDefaults = func(n *mNode) bool { return n == s }, ", no_default_updates=["+s.name+"]"
	}
	f.compile(&p.world)
	leaves := f.reads(f.results())
	for _, x := range p.inputs { // what is missing is given by calls
		if leaves[x] && !slices.ContainsFunc(f.inputs, func(in *mInput) bool { return in.v == x }) {
			f.inputs = append(f.inputs, &mInput{v: x, keyword: x.name})
		}
	}
	var updates, givens []string
	for _, u := range f.updates {
		updates = append(updates, fmt.Sprintf("(%s, %s)", u.shared.name, u.value.name))
	}
	for _, k := range p.nodes {
		if g, ok := f.givens[k]; ok {
			givens = append(givens, fmt.Sprintf("%s: %s", k.name, g.name))
		}
	}
	outputs, more := p.outputsText(f)
	p.line("%s = function(%s, %s, updates=[%s], givens={%s}, on_unused_input=\"ignore\", name=%q%s%s)", f.name, p.inputsText(f), outputs, strings.Join(updates, ", "),
		strings.Join(givens, ", "), f.name, noDefaults, more)
	p.functions = append(p.functions, f)
}

// giveInputs gives some variables to the function as inputs, as In says of them.
func (p *callProgram) giveInputs(f *mFunction) {
	homes := slices.Clone(p.shared)
	for _, i := range p.Perm(len(p.inputs))[:p.IntN(len(p.inputs)+1)] {
		x := p.inputs[i]
		in := &mInput{v: x, keyword: x.name}
		f.inputs = append(f.inputs, in)
		switch p.IntN(5) {
		case 0:
		case 1:
			p.what["default"]++
			in.first = p.value(x.vector)
		case 2, 3:
			p.what["input update"]++
			in.first, in.update = p.value(x.vector), p.like(x, p.nodes)
		case 4:
			fit := slices.DeleteFunc(slices.Clone(homes), func(s *mNode) bool { return s.vector != x.vector })
			if len(fit) == 0 {
				continue
			}
			p.what["home"]++
			in.home = p.pick(fit)
			homes = slices.DeleteFunc(homes, func(s *mNode) bool { return s == in.home })
			if in.implicit = true; p.IntN(2) == 0 {
				in.update = p.like(x, p.nodes)
			}
			if p.chance(2, "call shared home") {
				in.implicit = false
			}
			continue
		}
		if in.first != nil && p.chance(8, "implicit") {
			in.implicit = true
		}
		if p.chance(5, "name") {
			in.keyword = "k_" + x.name
		}
	}
}

// giveGivens replaces some leaves and some results of the function. A replacement is made of leaves
// that nothing replaces, or of one that was replaced before.
func (p *callProgram) giveGivens(f *mFunction) {
	free := slices.DeleteFunc(slices.Concat(p.shared, p.inputs), func(n *mNode) bool {
		return slices.ContainsFunc(f.inputs, func(in *mInput) bool { return in.v == n })
	})
	if len(free) < 2 || p.IntN(2) == 0 {
		return
	}
	keys := []*mNode{p.pick(free)}
	if p.chance(2, "given node") {
		keys = append(keys, p.pick(p.nodes[len(p.shared)+len(p.inputs):]))
	}
	var leaves []*mNode // that are not replaced
	for _, n := range slices.Concat(p.shared, p.inputs) {
		if !slices.Contains(keys, n) {
			leaves = append(leaves, n)
		}
	}
	for i, k := range keys {
		from := leaves
		if i > 0 && keys[0] != k {
			from = append(slices.Clone(leaves), keys[0])
		}
		if g := p.like(k, from); g != k {
			p.what["givens"]++
			f.givens[k] = g
		}
	}
}

// inputsText writes the inputs.
func (p *callProgram) inputsText(f *mFunction) string {
	dict := p.chance(4, "dict input")
	var list []string
	for _, in := range f.inputs {
		text := in.v.name
		var args []string
		if in.keyword != in.v.name && !dict {
			args = append(args, fmt.Sprintf("name=%q", in.keyword))
		}
		switch {
		case in.home != nil:
			args = append(args, "value="+in.home.name+[]string{"", ".container"}[p.IntN(2)])
			if !in.implicit {
				args = append(args, "implicit=False")
			}
		case in.first != nil:
			args = append(args, "value="+p.literal(in.first, in.v.vector))
			if in.implicit {
				args = append(args, "implicit=True")
			}
		}
		if in.update != nil {
			args = append(args, "update="+in.update.name)
		}
		switch {
		case args == nil:
		case in.first != nil && !in.implicit && in.keyword == in.v.name && p.chance(4, "tuple input"):
			if text = fmt.Sprintf("(%s, %s)", text, mText(in.first, in.v.vector)); in.update != nil {
				text = fmt.Sprintf("((%s, %s), %s)", in.v.name, in.update.name, mText(in.first, in.v.vector))
			}
		default:
			if p.chance(4, "borrow") {
				args = append(args, []string{"borrow=True", "mutable=True", "borrow=False"}[p.IntN(3)])
			}
			text = fmt.Sprintf("theano.In(%s, %s)", text, strings.Join(args, ", "))
		}
		if dict {
			text = fmt.Sprintf("%q: %s", in.keyword, text)
		}
		list = append(list, text)
	}
	if dict {
		return "{" + strings.Join(list, ", ") + "}"
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// outputsText writes the outputs, and the arguments that belong to them.
func (p *callProgram) outputsText(f *mFunction) (outputs, more string) {
	var list []string
	for _, n := range f.outputs {
		text := n.name
		if p.chance(5, "borrow") {
			text = "theano.Out(" + text + ", borrow=True)"
		}
		list = append(list, text)
	}
	switch n := p.IntN(6); {
	case len(list) == 1 && n < 2:
		f.form = "one"
		return list[0], ""
	case len(list) > 0 && n == 2:
		p.what["dict output"]++
		f.form = "dict"
		for i := range list {
			f.keys = append(f.keys, fmt.Sprintf("o%d", i))
			list[i] = fmt.Sprintf("%q: %s", f.keys[i], list[i])
		}
		return "{" + strings.Join(list, ", ") + "}", ""
	case len(list) > 0 && n == 3:
		p.what["output_keys"]++
		f.form = "dict"
		var keys []string
		for i := range list {
			f.keys = append(f.keys, fmt.Sprintf("o%d", i))
			keys = append(keys, fmt.Sprintf("%q", f.keys[i]))
		}
		more = ", output_keys=[" + strings.Join(keys, ", ") + "]"
	default:
		f.form = "list"
	}
	return "[" + strings.Join(list, ", ") + "]", more
}

// step does something with what there is.
func (p *callProgram) step() {
	switch p.IntN(13) {
	case 12:
		p.reseed()
	case 0:
		s := p.pick(p.shared)
		p.what["set_value"]++
		p.world.values[s] = p.value(s.vector)
		p.line("a = np.array(%s, dtype=FX)", mText(p.world.values[s], s.vector))
		if p.IntN(2) == 0 {
			p.line("%s.set_value(a, borrow=True)", s.name)
		} else {
			p.line("%s.set_value(a)", s.name)
			p.line("a.fill(99)")
			p.line("a = %s.get_value()", s.name)
			if s.vector {
				p.line("a[0] = 77")
			}
		}
	case 1:
		s := p.pick(p.shared)
		if p.chance(4, "") {
			p.world.defaults[s] = nil
			p.line("%s.default_update = None", s.name)
		} else if d := p.like(s, p.madeOfShared()); d != s {
			p.what["default_update"]++
			p.world.defaults[s] = d
			p.line("%s.default_update = %s", s.name, d.name)
		}
	case 2:
		p.function()
	case 3:
		p.copy()
	case 4:
		p.assign()
	case 5:
		p.evaluate()
	case 6:
		if p.chance(2, "saved") {
			p.reload()
		}
	default:
		p.call(p.functions[p.IntN(len(p.functions))])
	}
}

// reload puts all that the program has into a file, and goes on with what comes out of it.
func (p *callProgram) reload() {
	var names []string
	for _, n := range slices.Concat(p.nodes, p.inputs, p.shared) {
		if !slices.Contains(names, n.name) {
			names = append(names, n.name)
		}
	}
	for _, f := range p.functions {
		names = append(names, f.name)
	}
	var items []string
	for _, n := range names {
		items = append(items, fmt.Sprintf("%q: %s", n, n))
	}
	p.line("theano.save(\"all.arignote\", {%s})", strings.Join(items, ", "))
	p.line("kept = theano.load(\"all.arignote\")")
	p.states = nil // those of srng and d0 stay as they are, whatever functions of the file draw
	for _, n := range names {
		p.line("%s = kept[%q]", n, n)
	}
}

// madeOfShared are the variables that no inputs are needed for.
func (p *callProgram) madeOfShared() []*mNode {
	none := &mFunction{}
	return slices.DeleteFunc(slices.Clone(p.nodes), func(n *mNode) bool {
		for leaf := range none.reads([]*mNode{n}) {
			if !leaf.shared {
				return true
			}
		}
		return false
	})
}

// copy makes a copy of a function.
func (p *callProgram) copy() {
	f := p.functions[p.IntN(len(p.functions))]
	swap := make(map[*mNode]*mNode)
	var text []string
	own := p.own(f)
	if len(own) > 0 && p.IntN(2) == 0 {
		from := p.pick(own)
		if to := p.like(from, slices.Concat(p.shared, p.states)); to != from {
			swap[from] = to
			text = append(text, fmt.Sprintf("%s: %s", from.name, to.name))
			if slices.Contains(own, to) && p.IntN(2) == 0 {
				swap[to] = from
				text = append(text, fmt.Sprintf("%s: %s", to.name, from.name))
			}
		}
	}
	del := p.chance(3, "delete_updates")
	g := f.copied(p.fresh("f"), swap, del)
	seen := make(map[*mNode]bool)
	for _, s := range g.targets() {
		if seen[s] {
			return // two updates of one: an error
		}
		seen[s] = true
	}
	for from := range swap {
		if from.state {
			p.what["swap of a stream"]++
		}
	}
	if len(swap) > 0 {
		p.what["swap"]++
	}
	if f.swap != nil {
		p.what["copy of a copy"]++
	}
	p.line("%s = %s.copy(swap={%s}, delete_updates=%s, name=%q)", g.name, f.name, strings.Join(text, ", "), map[bool]string{true: "True", false: "False"}[del], g.name)
	p.functions = append(p.functions, g)
}

// own are the shared variables that a function reads or updates.
func (p *callProgram) own(f *mFunction) []*mNode {
	found := make(map[*mNode]bool)
	for n := range f.reads(f.results()) {
		if n.shared {
			found[f.place(n)] = true
		}
	}
	for _, s := range f.targets() {
		found[s] = true
	}
	return slices.SortedFunc(maps.Keys(found), func(a, b *mNode) int { return strings.Compare(a.name, b.name) })
}

// assign sets or reads the value of an input of a function.
func (p *callProgram) assign() {
	f := p.functions[p.IntN(len(p.functions))]
	for _, in := range f.inputs {
		if in.first == nil && in.home == nil || p.IntN(2) == 0 {
			continue
		}
		key := []string{f.name + "[" + in.v.name + "]", f.name + ".value[" + in.v.name + "]", f.name + ".container[" + in.v.name + "].value"}[p.IntN(3)]
		if p.IntN(2) == 0 {
			p.what["read state"]++
			p.show(key, f.get(&p.world, in), in.v.vector)
			continue
		}
		if in.update == nil && in.home == nil {
			p.what["assign default"]++
		} else {
			p.what["assign state"]++
		}
		v := p.value(in.v.vector)
		f.set(&p.world, in, v)
		p.line("%s = %s", key, p.literal(v, in.v.vector))
	}
}

// evaluate computes an expression, or a clone of it.
func (p *callProgram) evaluate() {
	n := p.pick(p.nodes)
	f := &mFunction{outputs: []*mNode{n}, givens: make(map[*mNode]*mNode), noDefault: func(*mNode) bool { return false }}
	text := n.name
	if p.chance(2, "clone") {
		from := p.pick(slices.Concat(p.shared, p.inputs))
		others := slices.DeleteFunc(slices.Concat(p.shared, p.inputs), func(n *mNode) bool { return n == from })
		if to := p.like(from, others); to != from {
			f.givens[from] = to
			text = fmt.Sprintf("theano.clone(%s, {%s: %s})", text, from.name, to.name)
		}
	}
	// The default updates are not made of what clone has replaced.
	leaves := f.reads(f.outputs)
	defaults := &mFunction{noDefault: f.noDefault}
	for leaf := range leaves {
		if leaf.shared {
			defaults.outputs = append(defaults.outputs, leaf)
		}
	}
	defaults.compile(&p.world)
	f.noDefault = func(*mNode) bool { return true }
	f.compile(&p.world)
	given, dict := make(map[*mInput][]float64), []string{}
	for _, x := range p.inputs {
		if leaves[x] {
			in := &mInput{v: x}
			f.inputs = append(f.inputs, in)
			given[in] = p.value(x.vector)
			dict = append(dict, fmt.Sprintf("%s: %s", x.name, p.literal(given[in], x.vector)))
		}
	}
	p.what["eval"]++
	v := f.call(&p.world, given)
	defaults.call(&p.world, nil)
	p.show(fmt.Sprintf("%s.eval({%s})", text, strings.Join(dict, ", ")), v[0], n.vector)
}

// call calls a function, and prints what it returns.
func (p *callProgram) call(f *mFunction) {
	given := make(map[*mInput][]float64)
	var args []string
	keywords := false
	for _, in := range f.inputs {
		if in.implicit {
			keywords = true
			continue
		}
		if (in.first != nil || in.home != nil) && p.IntN(2) == 0 {
			keywords = true // those behind it are given by name
			continue
		}
		given[in] = p.value(in.v.vector)
		text := p.literal(given[in], in.v.vector)
		if keywords || p.IntN(4) == 0 {
			p.what["keyword"]++
			keywords = true
			text = in.keyword + "=" + text
		}
		args = append(args, text)
	}
	out := f.call(&p.world, given)
	subset := len(f.outputs) > 0 && p.chance(8, "output_subset")
	var list []string
	for i, n := range f.outputs {
		text := mText(out[i], n.vector)
		if f.form == "dict" {
			text = fmt.Sprintf("(\"%s\", %s)", f.keys[i], text)
		}
		list = append(list, text)
	}
	if subset {
		i := p.IntN(len(f.outputs))
		list = list[i : i+1]
		at := fmt.Sprint(i)
		if f.form == "dict" {
			at = fmt.Sprintf("%q", f.keys[i])
		}
		args = append(args, "output_subset=["+at+"]")
	}
	p.line("r = %s(%s)", f.name, strings.Join(args, ", "))
	p.line("show(r)")
	if f.form == "one" && !subset {
		p.want.WriteString(list[0] + "\n")
		if f.outputs[0].vector {
			p.line("r[0] = 55")
		}
		return
	}
	p.want.WriteString("[" + strings.Join(list, ", ") + "]\n")
	for i, n := range f.outputs {
		if n.vector && f.form == "list" && !subset {
			p.line("r[%d].fill(66)", i)
		}
	}
}
