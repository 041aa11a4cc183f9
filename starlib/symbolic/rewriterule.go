package symbolic

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// RewriteTable is the functions that give and list rewrite rules.
var RewriteTable = []value.Builtin{
	value.Function("rewrite_rule",
		"A rewrite rule of your own, which functions that are compiled from now on are rewritten by. It is checked on operands of all types, special values and "+
			"empty arrays: one that is wrong is refused with operands that show it, and one that is right but for nan, infinity and -0.0 has to be tagged unstable or stabilizing.\n\n"+
			"The text is name: pattern => replacement, and may end in if and predicates: float(x), integer(x), samedtype(x, y), constant(c), positive(x), nonnegative(x), "+
			"covers(x) (x alone has the shape of the result), singleuse() and others, joined by &&, each perhaps with ! before it. Patterns are operators and calls "+
			"of operations by name. Several lines are several patterns of one rule. A rule of the same name is replaced.",
		`rewrite_rule("my_log: log(exp(x)) => x", tags=["unstable"]).name # "my_log"`,
		func(thread *starlark.Thread, a *rewriteRuleArgs) (starlark.Value, error) {
			r, err := SessionOf(thread).rewriteRule(thread, a)
			if err != nil {
				return nil, fmt.Errorf("rewrite_rule: %w", err)
			}
			return r, nil
		}),
	value.Function("rewrite_rules", "All rewrites in the order in which they run: passes, and the rules that these apply. Those of users have a star.",
		`rewrite_rules("local_log1p")[0].text # "log(1 + x) => log1p(x) if float(x) && samedtype(x)"`,
		func(thread *starlark.Thread, a *struct {
			Tag starlark.Value `arg:"tag=None: only those of this name, tag or pass; \"user\" are those of the session"`
		}) (starlark.Value, error) {
			s := SessionOf(thread)
			tag, err := OptionalString("tag", a.Tag)
			if err == nil && tag != "" && tag != compile.User {
				err = compile.CheckTags("tag", []string{tag}, s.Registered()...)
			}
			if err != nil {
				return nil, fmt.Errorf("rewrite_rules: %w", err)
			}
			return s.rewriteRules(tag), nil
		}),
	value.Function("unregister_rewrite_rule", "Takes a rule from the session: functions that are compiled later do without it.",
		`unregister_rewrite_rule(rewrite_rule("my_log: log(exp(x)) => x", tags=["unstable"])) == None # True`,
		func(thread *starlark.Thread, a *struct {
			Rule starlark.Value `arg:"rule: the rule, or its name"`
		}) (starlark.Value, error) {
			name, ok := starlark.AsString(a.Rule)
			if r, isRule := a.Rule.(*Rewriter); isRule {
				name, ok = r.name, true
			}
			if !ok {
				return nil, fmt.Errorf("unregister_rewrite_rule: got %s, want a rule or its name", a.Rule.Type())
			}
			if err := SessionOf(thread).unregister(name); err != nil {
				return nil, fmt.Errorf("unregister_rewrite_rule: %w", err)
			}
			return starlark.None, nil
		}),
}

type rewriteRuleArgs struct {
	Text     string         `arg:"text: the rule: \"name: pattern => replacement if predicates\""`
	Tags     starlark.Value `arg:"tags=None: a list of more names by which it is included and excluded; \"unstable\" says that results may change where nan, infinity and -0.0 are met, \"stabilizing\" that numbers may take the place of what overflows"`
	Phase    string         `arg:"phase=\"\": \"canonicalize\" (if nothing is said), \"stabilize\" or \"specialize\": it is tried after the other rules of that pass"`
	After    string         `arg:"after=\"\": a rule, after which it is tried, or a pass, after which it is one of its own"`
	Before   string         `arg:"before=\"\": the same, before"`
	Check    bool           `arg:"check=True: try it on samples first, and refuse it if it is wrong"`
	Register bool           `arg:"register=True: False only makes the rule, for Mode.register and register_canonicalize"`
}

func (s *Session) rewriteRule(thread *starlark.Thread, a *rewriteRuleArgs) (*Rewriter, error) {
	r, err := s.ruleOfText(thread, "rewrite_rule("+value.Repr(starlark.String(a.Text))+")", a.Text)
	if err != nil {
		return nil, err
	}
	tags, err := readTags(a.Tags)
	if err != nil {
		return nil, err
	}
	for i := range r.rules { // so that they are the rule's wherever it is registered
		for _, tag := range tags {
			if !slices.Contains(r.rules[i].Tags, tag) {
				r.rules[i].Tags = append(r.rules[i].Tags, tag)
			}
		}
	}
	placed, err := s.placed(r, tags, compile.Placement{Phase: a.Phase, After: a.After, Before: a.Before}, a.Check)
	if err != nil {
		return nil, err
	}
	if a.Register {
		s.register(r, placed)
	}
	return r, nil
}

// readTags reads a list of names, or one with colons.
func readTags(v starlark.Value) ([]string, error) {
	if v == nil || v == starlark.None {
		return nil, nil
	}
	if text, ok := starlark.AsString(v); ok {
		return strings.FieldsFunc(text, func(c rune) bool { return c == ':' }), nil
	}
	seq, ok := v.(starlark.Iterable)
	if !ok {
		return nil, fmt.Errorf("tags: got %s, want a list of strings", v.Type())
	}
	var tags []string
	it := seq.Iterate()
	defer it.Done()
	for x := starlark.Value(nil); it.Next(&x); {
		tag, ok := starlark.AsString(x)
		if !ok {
			return nil, fmt.Errorf("tags: got %s in the list, want strings", x.Type())
		}
		tags = append(tags, tag)
	}
	return tags, nil
}

// A rewriteList is what rewrite_rules returns: it prints as a table.
type rewriteList struct {
	rows  []compile.Rewrite
	rules []*Rewriter
}

var (
	_ starlark.Indexable = rewriteList{}
	_ starlark.Sequence  = rewriteList{}
	_ starlark.HasBinary = rewriteList{}
)

func (l rewriteList) Type() string               { return "Rewrites" }
func (l rewriteList) Freeze()                    {}
func (l rewriteList) Truth() starlark.Bool       { return len(l.rules) > 0 }
func (l rewriteList) Hash() (uint32, error)      { return 0, fmt.Errorf("unhashable type: Rewrites") }
func (l rewriteList) Len() int                   { return len(l.rules) }
func (l rewriteList) Index(i int) starlark.Value { return l.rules[i] }
func (l rewriteList) Iterate() starlark.Iterator {
	return starlark.Tuple(slices.Collect(func(yield func(starlark.Value) bool) {
		for _, r := range l.rules {
			if !yield(r) {
				return
			}
		}
	})).Iterate()
}

// Binary is rule in rules.
func (l rewriteList) Binary(token syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	r, ok := y.(*Rewriter)
	if token != syntax.IN || side != starlark.Right || !ok {
		return nil, nil
	}
	return starlark.Bool(slices.Contains(l.rules, r)), nil
}

// String is one line for each, below its pass.
func (l rewriteList) String() string {
	const widest = 48
	var b strings.Builder
	names := make([]string, len(l.rows))
	width := 0
	for i, r := range l.rows {
		if names[i] = r.Name; len(r.Tags) > 0 {
			names[i] += " [" + strings.Join(r.Tags, " ") + "]"
		}
		width = max(width, min(len(names[i]), widest))
	}
	pass := ""
	for i, r := range l.rows {
		if r.Pass != pass {
			pass = r.Pass
			b.WriteString(pass + "\n")
		}
		mark, text, where := " ", r.Text, ""
		if r.User {
			mark = "*"
		}
		if r.Where != "" {
			where = "(" + r.Where + ")"
		}
		b.WriteString(strings.TrimRight(fmt.Sprintf("%s %-*s  %s  %s", mark, width, names[i], text, where), " ") + "\n")
	}
	if len(l.rows) == 0 {
		return "no rewrites"
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// rewriteRules lists the rewrites that are called tag, all if it is empty.
func (s *Session) rewriteRules(tag string) rewriteList {
	var l rewriteList
	for _, row := range compile.Rewrites(s.Registered()) {
		called := append([]string{row.Name, row.Pass}, row.Tags...)
		if row.User {
			called = append(called, compile.User)
		}
		if tag != "" && !slices.Contains(called, compile.Canonical(tag)) {
			continue
		}
		l.rows = append(l.rows, row)
		rule := &Rewriter{s: s, name: row.Name, how: row.Name, text: row.Text, phase: row.Pass, own: true}
		for _, u := range *s.rules() {
			if u.Registered.Name == row.Name {
				rule = u.Rewriter
			}
		}
		if rule.own {
			rule.rules = row.Rules()
			if row.Where == "" {
				rule.text = ""
			}
		}
		l.rules = append(l.rules, rule)
	}
	return l
}
