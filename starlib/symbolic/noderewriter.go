package symbolic

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/rewrite"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

// RewriterTable is what makes rewrite rules under the names of Theano and PyTensor. The rules run
// once they are registered.
var RewriterTable = slices.Concat(
	[]value.Builtin{nodeRewriter("node_rewriter"), nodeRewriter("local_optimizer")},
	[]value.Builtin{patternRewriter("PatternNodeRewriter"), patternRewriter("PatternSub")},
	[]value.Builtin{substitution("SubstitutionNodeRewriter"), substitution("OpSub")},
	[]value.Builtin{removal("RemovalNodeRewriter"), removal("OpRemove")},
	[]value.Builtin{walking("in2out"), walking("out2in")},
)

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
		homeOf(name)+`([T.log])(lambda fgraph, node: None, name="my_log").name # "my_log"`,
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
			name, err := OptionalString("name", a.Name)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", maker, err)
			}
			if name = cmp.Or(name, f.Name()); name == "lambda" {
				return nil, fmt.Errorf("%s: a lambda has no name to switch the rule by; give it one: name=\"my_rule\"", maker)
			}
			where := s.where(thread)
			if def, ok := f.(value.Def); ok {
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
	if def, ok := f.(value.Def); ok && def.NumParams() == 1 {
		args = args[1:]
	}
	thread := s.Current()
	v, err := value.Call(thread, f, args, nil)
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
	case *slot.Dict:
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
	w, err := s.Variable(s.Builder(thread), v, old)
	if err != nil {
		return nil, fault("%s", v.Type())
	}
	return w, nil
}

// fgraph is what a user's function learns of the rest of the graph.
func (s *Session) fgraph(c *rewrite.Context) starlark.Value {
	return starlarkstruct.FromStringDict(starlark.String("FunctionGraph"), starlark.StringDict{"clients": clients{s, c}})
}

// clients is fgraph.clients: for each variable, the nodes that read it, each with the position of
// the operand.
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
		return nil, false, tensor.TypeErrorf("clients: got %s, want a symbolic variable", key.Type())
	}
	list := []starlark.Value{}
	for _, client := range m.c.Clients(x.V) {
		node := starlark.Value(starlark.String("output"))
		if client.Node != nil {
			node = Apply{m.s, client.Node}
		}
		list = append(list, starlark.Tuple{node, starlark.MakeInt(client.Index)})
	}
	return slot.NewList(list), true, nil
}
