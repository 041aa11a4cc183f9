package symbolic

import (
	"cmp"
	"errors"
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/rewrite"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

// RewriterTable is what makes rewrite rules under the names of Theano and PyTensor. The rules run once they are registered.
var RewriterTable = slices.Concat(
	[]value.Builtin{nodeRewriter("node_rewriter"), nodeRewriter("local_optimizer")},
	[]value.Builtin{patternRewriter("PatternNodeRewriter"), patternRewriter("PatternSub")},
	[]value.Builtin{substitution("SubstitutionNodeRewriter"), substitution("OpSub")},
	[]value.Builtin{removal("RemovalNodeRewriter"), removal("OpRemove")},
	[]value.Builtin{walking("in2out"), walking("out2in")},
)

// RegisterTable is Theano's functions that register rules.
var RegisterTable = []value.Builtin{registering("canonicalize"), registering("stabilize"), registering("specialize")}

type nodeRewriterArgs struct {
	Tracks   starlark.Value `arg:"tracks: a list of functions of T, as T.log, or of names of operations, on whose nodes it is called; None for all nodes"`
	Inplace  bool           `arg:"inplace=False: only False: passes decide what is overwritten"`
	Requires starlark.Value `arg:"requirements=None: only None"`
}

// nodeRewriter is node_rewriter, and local_optimizer, as which it began.
func nodeRewriter(name string) value.Builtin {
	return value.Function(name,
		"A function that makes a rewrite rule of a function f(fgraph, node), which is called with each node of these operations while a function is compiled. It "+
			"returns None or False to leave the node, or a list of one variable to take the place of what the node gives: built by the functions of T of node.inputs. "+
			"fgraph.clients[x] is a list of the nodes that read a variable, each with the position of the operand. The rule runs once it is registered, by register_canonicalize and its like, or by Mode.register.",
		name+`([T.log])(lambda fgraph, node: None, name="my_log").name # "my_log"`,
		func(thread *starlark.Thread, a *nodeRewriterArgs) (starlark.Value, error) {
			s := SessionOf(thread)
			ops, names, err := readTracks(a.Tracks)
			switch {
			case err != nil:
			case a.Inplace:
				err = fmt.Errorf("inplace: got True; which operands are overwritten is decided by the pass inplace_elemwise")
			case a.Requires != nil && a.Requires != starlark.None:
				err = fmt.Errorf("requirements: got %s, want None", a.Requires.Type())
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			return s.ruleMaker(name, ops, names), nil
		})
}

func readTracks(v starlark.Value) (ops []graph.Op, names []string, err error) {
	if v == nil || v == starlark.None {
		return nil, nil, nil
	}
	seq, ok := v.(starlark.Iterable)
	if !ok {
		return nil, nil, fmt.Errorf("tracks: got %s, want a list of operations, as [T.log]", v.Type())
	}
	it := seq.Iterate()
	defer it.Done()
	for x := starlark.Value(nil); it.Next(&x); {
		o, n, err := operations(x)
		if err != nil {
			return nil, nil, fmt.Errorf("tracks: %w", err)
		}
		ops, names = append(ops, o...), append(names, n...)
	}
	if len(ops)+len(names) == 0 {
		return nil, nil, fmt.Errorf("tracks: the list is empty; want operations, as [T.log], or None for all nodes")
	}
	return ops, names, nil
}

// ruleMaker is what node_rewriter returns.
func (s *Session) ruleMaker(maker string, ops []graph.Op, names []string) starlark.Value {
	b := value.Function(maker, "A rewrite rule of a function f(fgraph, node).", "",
		func(thread *starlark.Thread, a *struct {
			F    starlark.Value `arg:"f: a function of fgraph and a node, or of a node"`
			Name starlark.Value `arg:"name=None: the name of the rule; that of the function if not given"`
		}) (starlark.Value, error) {
			f, ok := a.F.(starlark.Callable)
			if !ok {
				return nil, fmt.Errorf("%s: got %s, want a function of fgraph and a node", maker, a.F.Type())
			}
			name, err := optionalString("name", a.Name)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", maker, err)
			}
			if name = cmp.Or(name, f.Name()); name == "lambda" {
				return nil, fmt.Errorf("%s: a lambda has no name to switch the rule by; give it one: name=\"my_rule\"", maker)
			}
			where := s.where(thread)
			if def, ok := f.(*starlark.Function); ok {
				where = fmt.Sprintf("%s:%d", def.Position().Filename(), def.Position().Line)
			}
			r := &Rewriter{s: s, name: name, how: maker + "(...)(" + name + ")", asked: true}
			r.rules = []*rewrite.Rule{rewrite.NewRule(name, where, ops, names, func(c *rewrite.Context, node *graph.Apply) (*graph.Variable, error) {
				return s.rewriteNode(c, f, node)
			})}
			return r, nil
		})
	return b.Value()
}

// rewriteNode calls a user's function with a node, and reads what it returns.
func (s *Session) rewriteNode(c *rewrite.Context, f starlark.Callable, node *graph.Apply) (*graph.Variable, error) {
	args := starlark.Tuple{s.fgraph(c), Apply{s, node}}
	if def, ok := f.(*starlark.Function); ok && def.NumParams() == 1 {
		args = args[1:]
	}
	thread := s.Current()
	v, err := starlark.Call(thread, f, args, nil)
	if err != nil {
		return nil, err
	}
	old := node.Outputs[0]
	fault := func(format string, args ...any) error {
		return fmt.Errorf("%s returned "+format+", want None, or a list of one variable to take the place of %s", append(append([]any{f.Name()}, args...), graph.Mention(old))...)
	}
	switch x := v.(type) {
	case starlark.NoneType:
		return nil, nil
	case starlark.Bool:
		if x {
			return nil, fault("True")
		}
		return nil, nil
	case *starlark.Dict:
		w, found, err := x.Get(Symbol{s, old})
		if err != nil || !found || x.Len() != 1 {
			return nil, fault("a dict of other keys than node.outputs[0]")
		}
		v = w
	case Symbol:
	case starlark.Indexable:
		if x.Len() != 1 {
			return nil, fault("%s of %d", v.Type(), x.Len())
		}
		v = x.Index(0)
	}
	w, err := s.variable(s.builder(thread), v, old)
	if err != nil {
		return nil, fault("%s", v.Type())
	}
	return w, nil
}

// fgraph is what a user's function learns of the rest of the graph.
func (s *Session) fgraph(c *rewrite.Context) starlark.Value {
	return starlarkstruct.FromStringDict(starlark.String("FunctionGraph"), starlark.StringDict{"clients": clients{s, c}})
}

// clients is fgraph.clients: for each variable, the nodes that read it, each with the position of the operand.
type clients struct {
	s *Session
	c *rewrite.Context
}

var _ starlark.Mapping = clients{}

func (clients) String() string        { return "<clients of the variables of a graph>" }
func (clients) Type() string          { return "clients" }
func (clients) Freeze()               {}
func (clients) Truth() starlark.Bool  { return true }
func (clients) Hash() (uint32, error) { return 0, errors.New("unhashable type: clients") }

func (m clients) Get(key starlark.Value) (starlark.Value, bool, error) {
	x, ok := key.(Symbol)
	if !ok {
		return nil, false, fmt.Errorf("clients: got %s, want a symbolic variable", key.Type())
	}
	list := []starlark.Value{}
	for _, client := range m.c.Clients(x.v) {
		node := starlark.Value(starlark.String("output"))
		if client.Node != nil {
			node = Apply{m.s, client.Node}
		}
		list = append(list, starlark.Tuple{node, starlark.MakeInt(client.Index)})
	}
	return starlark.NewList(list), true, nil
}

type patternArgs struct {
	In      starlark.Value `arg:"in_pattern: a tuple of an operation and the patterns of its operands, as (T.log, (T.exp, \"x\")). A string is a variable, a number a constant, and a dict {\"pattern\": p, \"constraint\": f} a pattern whose variable f accepts"`
	Out     starlark.Value `arg:"out_pattern: what takes its place, without dicts"`
	Clients bool           `arg:"allow_multiple_clients=False: also where others read what is computed within the pattern"`
	Name    starlark.Value `arg:"name=None: the name of the rule; made of the operations if not given"`
	Tracks  starlark.Value `arg:"tracks=None: only None: a rule looks for its outermost operation"`
}

func patternRewriter(name string) value.Builtin {
	return value.Function(name, "A rewrite rule of a pattern and a replacement, as tuples. It is the rule that .text shows, and runs once it is registered.",
		name+`((T.log, (T.exp, "x")), "x").text # "log(exp(x)) => x if singleuse()"`,
		func(thread *starlark.Thread, a *patternArgs) (starlark.Value, error) {
			s := SessionOf(thread)
			rule, err := optionalString("name", a.Name)
			if err == nil && a.Tracks != nil && a.Tracks != starlark.None {
				err = fmt.Errorf("tracks: got %s, want None: a rule looks for its outermost operation", a.Tracks.Type())
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			w := &patternWriter{}
			left, err := w.pattern(a.In)
			if err != nil {
				return nil, fmt.Errorf("%s: in_pattern: %w", name, err)
			}
			constraints := w.constraints
			w.constraints = nil
			right, err := w.pattern(a.Out)
			if err == nil && w.constraints != nil {
				err = fmt.Errorf("a constraint is of a pattern, not of what takes its place")
			}
			if err != nil {
				return nil, fmt.Errorf("%s: out_pattern: %w", name, err)
			}
			text := left + " => " + right
			if !a.Clients {
				text += " if singleuse()"
			}
			r, err := s.ruleOfText(thread, "", cmp.Or(rule, "pattern_"+strings.Join(w.ops, "_"))+": "+text)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			r.how = fmt.Sprintf("%s(%q)", name, text)
			r.asked = constraints != nil
			for _, c := range constraints {
				r.rules[0].Constrain(c.part, func(v *graph.Variable) (bool, error) {
					ok, err := starlark.Call(s.Current(), c.f, starlark.Tuple{Symbol{s, v}}, nil)
					return err == nil && bool(ok.Truth()), err
				})
			}
			return r, nil
		})
}

// A patternWriter writes patterns in tuples as rules do.
type patternWriter struct {
	ops         []string
	parts       int // of the pattern so far
	constraints []constraint
}

type constraint struct {
	part int
	f    starlark.Callable
}

func (w *patternWriter) pattern(v starlark.Value) (string, error) {
	switch x := v.(type) {
	case *starlark.Dict:
		inner, found, _ := x.Get(starlark.String("pattern"))
		f, constrained, _ := x.Get(starlark.String("constraint"))
		if !found {
			return "", fmt.Errorf(`got a dict without the key "pattern"`)
		}
		if constrained {
			fn, ok := f.(starlark.Callable)
			if !ok {
				return "", fmt.Errorf("constraint: got %s, want a function of a variable", f.Type())
			}
			w.constraints = append(w.constraints, constraint{w.parts, fn})
		}
		return w.pattern(inner)
	case starlark.String:
		w.parts++
		if token.IsKeyword(string(x)) {
			return string(x) + "_", nil
		}
		if !rewrite.IsName(string(x)) {
			return "", fmt.Errorf("got the variable %s, want lower-case letters, digits and underscores", x)
		}
		return string(x), nil
	case starlark.Bool:
		w.parts++
		return strings.ToLower(x.String()), nil
	case starlark.Indexable:
		if x.Len() == 0 {
			return "", fmt.Errorf("got an empty %s, want an operation and the patterns of its operands", v.Type())
		}
		w.parts++
		name, arity, err := opText(x.Index(0))
		if err != nil {
			return "", err
		}
		if x.Len() != arity+1 {
			return "", fmt.Errorf("%s takes %d operands, got %d", name, arity, x.Len()-1)
		}
		w.ops = append(w.ops, name)
		args := make([]string, arity)
		for i := range args {
			if args[i], err = w.pattern(x.Index(i + 1)); err != nil {
				return "", err
			}
		}
		return name + "(" + strings.Join(args, ", ") + ")", nil
	}
	if number := value.NumberOf(v); number != nil {
		if f, ok := starlark.AsFloat(number); ok {
			w.parts++
			return strings.TrimSuffix(fmt.Sprint(f), ".0"), nil
		}
	}
	return "", fmt.Errorf("got %s, want a tuple, the name of a variable or a number", v.Type())
}

type substitutionArgs struct {
	Op1  starlark.Value `arg:"op1: an operation, as T.log"`
	Op2  starlark.Value `arg:"op2: the one to take its place"`
	Name starlark.Value `arg:"name=None: the name of the rule"`
}

func substitution(name string) value.Builtin {
	return value.Function(name, "A rewrite rule that puts an operation in the place of another. It runs once it is registered.",
		name+`(T.log, T.log2).text # "log(x) => log2(x)"`,
		func(thread *starlark.Thread, a *substitutionArgs) (starlark.Value, error) {
			from, n, err := opText(a.Op1)
			to, m, err2 := opText(a.Op2)
			if err = cmp.Or(err, err2); err == nil && n != m {
				err = fmt.Errorf("%s takes %d operands and %s %d", from, n, to, m)
			}
			return SessionOf(thread).simpleRule(thread, name, a.Name, err, from+"_to_"+to, from, n, to)
		})
}

func removal(name string) value.Builtin {
	return value.Function(name, "A rewrite rule that removes an operation of one operand. It runs once it is registered.", name+`(T.exp).text # "exp(x) => x"`,
		func(thread *starlark.Thread, a *struct {
			Op   starlark.Value `arg:"op: an operation of one operand, as T.exp"`
			Name starlark.Value `arg:"name=None: the name of the rule"`
		}) (starlark.Value, error) {
			from, n, err := opText(a.Op)
			if err == nil && n != 1 {
				err = fmt.Errorf("%s takes %d operands, want one", from, n)
			}
			return SessionOf(thread).simpleRule(thread, name, a.Name, err, "remove_"+from, from, n, "")
		})
}

// simpleRule is the rule from(x, y) => to(x, y), or from(x) => x.
func (s *Session) simpleRule(thread *starlark.Thread, maker string, name starlark.Value, err error, standard, from string, arity int, to string) (starlark.Value, error) {
	called := ""
	if err == nil {
		called, err = optionalString("name", name)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", maker, err)
	}
	args := "(" + strings.Join([]string{"x", "y", "z", "w"}[:arity], ", ") + ")"
	if to == "" {
		args, to = "(x)", "x"
	} else {
		to += args
	}
	r, err := s.ruleOfText(thread, "", cmp.Or(called, standard)+": "+from+args+" => "+to)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", maker, err)
	}
	r.how = fmt.Sprintf("%s(%q)", maker, r.text)
	return r, nil
}

// walking is in2out or out2in: rules are applied from inputs to outputs until none applies, so that both leave a rule as it is.
func walking(name string) value.Builtin {
	return value.Function(name, "The rule itself: rules walk the graph from its inputs to its outputs, until none applies.",
		name+`(rewrite_rule("my_log: log(exp(x)) => x", tags=["unstable"])).name # "my_log"`,
		func(_ *starlark.Thread, a *struct {
			Rewriter starlark.Value `arg:"rewriter: a rule"`
			Name     starlark.Value `arg:"name=None: a name for it"`
		}) (starlark.Value, error) {
			r, ok := a.Rewriter.(*Rewriter)
			if !ok {
				return nil, fmt.Errorf("%s: got %s, want a rewrite rule", name, a.Rewriter.Type())
			}
			called, err := optionalString("name", a.Name)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			return r.called(called), nil
		})
}

// called is the rule under another name; itself if that is empty.
func (r *Rewriter) called(name string) *Rewriter {
	if name == "" || name == r.name {
		return r
	}
	renamed := *r
	renamed.name, renamed.rules = name, nil
	for _, rule := range r.rules {
		copied := *rule
		copied.Name = name
		renamed.rules = append(renamed.rules, &copied)
	}
	return &renamed
}

// registering is register_canonicalize, or of another phase.
func registering(phase string) value.Builtin {
	name := "register_" + phase
	return value.Builtin{Name: name, Params: []value.Param{{Name: "rewriter", Doc: "a rule that node_rewriter, PatternNodeRewriter or their like made; or a tag, as where it decorates in Python"},
		{Name: "*tags", Doc: "more names by which it is included and excluded"}, {Name: "name", Default: "None", Doc: "the name of the rule"},
		{Name: "check", Default: "True", Doc: "try a rule as text on samples first, and refuse it if it is wrong"}},
		Doc:     "Registers a rewrite rule in the phase " + phase + ", and returns it: functions that are compiled from now on are rewritten by it.",
		Example: name + `(theano.graph.node_rewriter([T.log])(lambda fgraph, node: None, name="my_log")).place # "phase=` + phase + `"`,
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := b.Bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			s := SessionOf(thread)
			tags, err := readTags(v[1])
			called, err2 := optionalString("name", v[2])
			if err = cmp.Or(err, err2); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			check := v[3] == nil || bool(v[3].Truth())
			finish := func(v starlark.Value, tags []string) (starlark.Value, error) {
				r, ok := v.(*Rewriter)
				if !ok {
					return nil, fmt.Errorf("%s: got %s, want a rewrite rule (node_rewriter makes one of a function)", name, v.Type())
				}
				r = r.called(called)
				placed, err := s.placed(r, tags, compile.Placement{Phase: phase}, check)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", name, err)
				}
				s.register(r, placed)
				return r, nil
			}
			if tag, ok := starlark.AsString(v[0]); ok {
				decorator := value.Builtin{Name: name, Params: []value.Param{{Name: "rewriter"}},
					Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
						w, err := b.Bind(args, kwargs)
						if err != nil {
							return nil, err
						}
						return finish(w[0], append([]string{tag}, tags...))
					}}
				return decorator.Value(), nil
			}
			return finish(v[0], tags)
		}}
}

// readPlaced reads a rule, or Theano's pair of a rule and where it stands: a name of a pass or a rule that it comes after, or the
// position in Theano's list of passes.
func readPlaced(v starlark.Value) (*Rewriter, compile.Placement, error) {
	if r, ok := v.(*Rewriter); ok {
		return r, compile.Placement{}, nil
	}
	if pair, ok := v.(starlark.Indexable); ok && pair.Len() == 2 {
		if r, ok := pair.Index(0).(*Rewriter); ok {
			switch at := pair.Index(1).(type) {
			case starlark.String:
				return r, compile.Placement{After: string(at)}, nil
			default:
				if f, ok := starlark.AsFloat(value.NumberOf(at)); ok {
					return r, placeOf(f), nil
				}
			}
			return r, compile.Placement{}, fmt.Errorf(`got the position %s, want the name of a pass or a rule, or a number as Theano's passes have`, value.Repr(pair.Index(1)))
		}
	}
	return nil, compile.Placement{}, fmt.Errorf("got %s, want a rewrite rule, as rewrite_rule(text, register=False)", v.Type())
}

// positions are those of Theano's passes, and which pass of ours comes next.
var positions = []struct {
	position float64
	before   string
}{{0, "merge1"}, {1, "canonicalize"}, {1.5, "stabilize"}, {2, "specialize"}, {2.01, "merge2"}, {49, "elemwise_fusion"}}

// placeOf is where a position in Theano's list of passes is here.
func placeOf(position float64) compile.Placement {
	for _, p := range positions {
		if position <= p.position {
			return compile.Placement{Before: p.before}
		}
	}
	return compile.Placement{After: "merge3"}
}
