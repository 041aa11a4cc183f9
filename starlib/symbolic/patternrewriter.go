package symbolic

import (
	"cmp"
	"fmt"
	"go/token"
	"strings"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/rewrite"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

type patternArgs struct {
	In      starlark.Value `arg:"in_pattern: a tuple of an operation and the patterns of its operands, as (T.log, (T.exp, \"x\")). A string is a variable, a number a constant, and a dict {\"pattern\": p, \"constraint\": f} a pattern whose variable f accepts"`
	Out     starlark.Value `arg:"out_pattern: what takes its place, without dicts"`
	Clients bool           `arg:"allow_multiple_clients=False: also where others read what is computed within the pattern"`
	Name    starlark.Value `arg:"name=None: the name of the rule; made of the operations if not given"`
	Tracks  starlark.Value `arg:"tracks=None: only None: a rule looks for its outermost operation"`
}

func patternRewriter(name string) value.Builtin {
	return value.Function(name, "A rewrite rule of a pattern and a replacement, as tuples. It is the rule that .text shows, and runs once it is registered.",
		homeOf(name)+`((T.log, (T.exp, "x")), "x").text # "log(exp(x)) => x if singleuse()"`,
		func(thread *starlark.Thread, a *patternArgs) (starlark.Value, error) {
			s := SessionOf(thread)
			rule, err := OptionalString("name", a.Name)
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
					ok, err := value.Call(s.Current(), c.f, starlark.Tuple{Symbol{s, v}}, nil)
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
	case *slot.Dict:
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
		homeOf(name)+`(T.log, T.log2).text # "log(x) => log2(x)"`,
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
	return value.Function(name, "A rewrite rule that removes an operation of one operand. It runs once it is registered.", homeOf(name)+`(T.exp).text # "exp(x) => x"`,
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
		called, err = OptionalString("name", name)
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

// walking is in2out or out2in: rules are applied from inputs to outputs until none applies, so that
// both leave a rule as it is.
func walking(name string) value.Builtin {
	return value.Function(name, "The rule itself: rules walk the graph from its inputs to its outputs, until none applies.",
		homeOf(name)+`(rewrite_rule("my_log: log(exp(x)) => x", tags=["unstable"])).name # "my_log"`,
		func(_ *starlark.Thread, a *struct {
			Rewriter starlark.Value `arg:"rewriter: a rule"`
			Name     starlark.Value `arg:"name=None: a name for it"`
		}) (starlark.Value, error) {
			r, ok := a.Rewriter.(*Rewriter)
			if !ok {
				return nil, fmt.Errorf("%s: got %s, want a rewrite rule", name, a.Rewriter.Type())
			}
			called, err := OptionalString("name", a.Name)
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
