package symbolic

import (
	"cmp"
	"fmt"

	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// RegisterTable is Theano's functions that register rules.
var RegisterTable = []value.Builtin{registering("canonicalize"), registering("stabilize"), registering("specialize")}

// registering is register_canonicalize, or of another phase.
func registering(phase string) value.Builtin {
	name := "register_" + phase
	return value.Builtin{Name: name, Params: []value.Param{{Name: "rewriter", Doc: "a rule that node_rewriter, PatternNodeRewriter or their like made; or a tag, as where it decorates in Python"},
		{Name: "*tags", Doc: "more names by which it is included and excluded"}, {Name: "name", Default: "None", Doc: "the name of the rule"},
		{Name: "check", Default: "True", Doc: "try a rule as text on samples first, and refuse it if it is wrong"}},
		Doc:     "Registers a rewrite rule in the phase " + phase + ", and returns it: functions that are compiled from now on are rewritten by it.",
		Example: homeOf(name) + `(theano.graph.node_rewriter([T.log])(lambda fgraph, node: None, name="my_log")).place # "phase=` + phase + `"`,
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := b.Bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			s := SessionOf(thread)
			tags, err := readTags(v[1])
			called, err2 := OptionalString("name", v[2])
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

// readPlaced reads a rule, or Theano's pair of a rule and where it stands: a name of a pass or a
// rule that it comes after, or the position in Theano's list of passes.
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

// registerMethod is the method register of modes.
func registerMethod(example string) value.Builtin {
	return value.Builtin{Name: "register", Params: []value.Param{{Name: "*rules", Doc: "rules that rewrite_rule, node_rewriter or their like made, or Theano's pairs (rule, position)"}},
		Doc:     "A mode with rules besides those of the session: functions that are compiled with it alone have them.",
		Example: example + `.register(rewrite_rule("my_log: log(exp(x)) => x", tags=["unstable"], register=False)).linker # "c|go"`,
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			var rules starlark.Tuple
			if err := b.Unpack(args, kwargs, &rules); err != nil {
				return nil, err
			}
			s, m := SessionOf(thread), b.Receiver().(Compiling)
			mode := m.CompileMode()
			for _, v := range rules {
				r, place, err := readPlaced(v)
				if err != nil {
					return nil, fmt.Errorf("register: %w", err)
				}
				placed, ok := r.registered()
				if !ok || place != (compile.Placement{}) {
					if placed, err = s.placed(r, nil, place, false); err != nil {
						return nil, fmt.Errorf("register: %w", err)
					}
				}
				mode = mode.Registering(placed)
			}
			return m.With(mode), nil
		}}
}
