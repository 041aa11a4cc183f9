package symbolic

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/rewrite"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Rewriter is a rewrite rule as Starlark sees it: one that a cell gives, or one of Arignote's
// own.
type Rewriter struct {
	s     *Session
	name  string
	rules []*rewrite.Rule // its patterns, as they were given
	how   string          // the call that makes it
	text  string          // of a rule as text
	phase string          // or pass, of Arignote's own
	own   bool            // it is Arignote's
	asked bool            // functions of the user's decide where it applies
}

var (
	_ value.Tabled        = (*Rewriter)(nil)
	_ starlark.Comparable = (*Rewriter)(nil)
)

func (r *Rewriter) String() string        { return r.how }
func (r *Rewriter) Type() string          { return "Rewriter" }
func (r *Rewriter) Freeze()               {}
func (r *Rewriter) Truth() starlark.Bool  { return true }
func (r *Rewriter) Hash() (uint32, error) { return starlark.String(r.name).Hash() }
func (r *Rewriter) Table() *value.Methods { return RewriterMethods }
func (r *Rewriter) AttrNames() []string   { return RewriterMethods.Names() }

func (r *Rewriter) Attr(name string) (starlark.Value, error) { return RewriterMethods.Attr(r, name) }

// CompareSameType: rules that say the same are equal.
func (r *Rewriter) CompareSameType(token syntax.Token, y starlark.Value, _ int) (bool, error) {
	other := y.(*Rewriter)
	return equality(token, r == other || r.text != "" && r.name == other.name && r.text == other.text && slices.Equal(r.tags(), other.tags()), "rewrite rules")
}

// registered is the rule as the session has it, if it does.
func (r *Rewriter) registered() (compile.Registered, bool) {
	for _, u := range *r.s.rules() {
		if u.Rewriter == r {
			return u.Registered, true
		}
	}
	return compile.Registered{}, false
}

func (r *Rewriter) tags() []string {
	if u, ok := r.registered(); ok {
		return u.Tags()
	}
	var list []string
	for _, rule := range r.rules {
		for _, tag := range rule.Tags {
			if !slices.Contains(list, tag) {
				list = append(list, tag)
			}
		}
	}
	return list
}

// place is where it runs: the pass, or what it was registered with.
func (r *Rewriter) place() string {
	if u, ok := r.registered(); ok {
		return u.Place()
	}
	return r.phase
}

const rewriterExample = `rewrite_rule("my_log: log(exp(x)) => x", tags=["unstable"])`

// RewriterMethods are the methods and fields of rewrite rules.
var RewriterMethods = value.NewMethods("Rewriter", []value.Builtin{
	{Name: "unregister", Doc: "Takes the rule from the session: functions that are compiled later do without it.",
		Example: rewriterExample + `.unregister() == None # True`,
		Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if err := b.Unpack(args, kwargs); err != nil {
				return nil, err
			}
			r := b.Receiver().(*Rewriter)
			return starlark.None, r.s.unregister(r.name)
		}},
}).With(
	value.FieldOf("name", "Its name, by which modes include and exclude it.", rewriterExample+`.name # "my_log"`,
		func(r *Rewriter) starlark.Value { return starlark.String(r.name) }),
	value.FieldOf("text", "The rule as it was written; empty if it is a function.", rewriterExample+`.text # "log(exp(x)) => x"`,
		func(r *Rewriter) starlark.Value { return starlark.String(r.text) }),
	value.FieldOf("tags", "More names by which it is included and excluded: a list.", rewriterExample+`.tags # ["unstable"]`,
		func(r *Rewriter) starlark.Value { return tagList(r.tags()) }),
	value.FieldOf("place", "Where it runs: its pass, or the argument that it was registered with; empty if it is not registered.",
		rewriterExample+`.place # "phase=canonicalize"`, func(r *Rewriter) starlark.Value { return starlark.String(r.place()) }),
	value.FieldOf("origin", "The file and line where it is written.", rewriterExample+`.origin # "In[1]:1"`,
		func(r *Rewriter) starlark.Value {
			if len(r.rules) == 0 {
				return starlark.String("")
			}
			return starlark.String(r.rules[0].Where)
		}),
)

// A sessionRule is a rule that the session's functions are compiled with.
type sessionRule struct {
	compile.Registered
	*Rewriter
}

// sessionRules are the user's rules, in the order of their registration.
type sessionRules []sessionRule

type rulesKey struct{}

func (s *Session) rules() *sessionRules {
	return s.Local(rulesKey{}, func() any { return new(sessionRules) }).(*sessionRules)
}

// Registered are the rules of the session.
func (s *Session) Registered() []compile.Registered {
	list := make([]compile.Registered, len(*s.rules()))
	for i, r := range *s.rules() {
		list[i] = r.Registered
	}
	return list
}

// placed gives a rule a place; checked first if it is to be.
func (s *Session) placed(r *Rewriter, tags []string, place compile.Placement, check bool) (compile.Registered, error) {
	if r.own {
		return compile.Registered{}, fmt.Errorf("%s is Arignote's own, and registered", r.name)
	}
	placed, err := compile.Register(r.rules, tags, place, s.Registered())
	if err == nil && check && r.text != "" {
		err = s.check(r, placed)
	}
	return placed, err
}

// register puts a rule into the session, in the place of one of its name.
func (s *Session) register(r *Rewriter, placed compile.Registered) {
	rule, rules := sessionRule{placed, r}, s.rules()
	i := slices.IndexFunc(*rules, func(u sessionRule) bool { return u.Registered.Name == placed.Name })
	if i >= 0 {
		(*rules)[i] = rule
		return
	}
	*rules = append(*rules, rule)
}

func (s *Session) unregister(name string) error {
	rules := s.rules()
	i := slices.IndexFunc(*rules, func(u sessionRule) bool { return u.Registered.Name == name })
	if i >= 0 {
		*rules = slices.Delete(slices.Clone(*rules), i, i+1)
		return nil
	}
	var names []string
	for _, u := range *rules {
		names = append(names, u.Registered.Name)
	}
	if compile.CheckTags("excluding", []string{name}) == nil {
		return fmt.Errorf("%s is Arignote's own; Mode().excluding(%q) compiles without it", name, name)
	}
	return fmt.Errorf("no rule %s is registered%s", name, rewrite.Suggest(name, names))
}

// check tries a rule on samples, and refuses what is wrong.
func (s *Session) check(r *Rewriter, placed compile.Registered) error {
	report, err := rewrite.Check(placed.Rules, s.Stop())
	if err != nil {
		return err
	}
	const anyway = "check=False registers it all the same"
	stabilizes := (placed.Rules[0].Stabilizes() || slices.Contains(placed.Tags(), rewrite.Stabilizing)) && report.Loses == nil
	switch {
	case report.Never != nil && !r.asked:
		return fmt.Errorf("%s never applies: no types and shapes of operands were found for %s; %s", r.name, report.Never.Text, anyway)
	case report.Wrong != nil:
		narrow := ""
		if names := report.Wrong.Rule.Variables(); len(names) > 0 {
			narrow = ", or narrow it by a predicate, as in \"if float(" + strings.Join(names, ", ") + ")\""
		}
		return fmt.Errorf("%s is wrong: %v; correct it%s (%s)", r.name, report.Wrong, narrow, anyway)
	case report.Endless != "":
		return fmt.Errorf("%s does not end, since it applies to what it makes: %s; %s", r.name, report.Endless, anyway)
	case report.Unstable != nil && !slices.Contains(placed.Tags(), rewrite.Unstable) && !stabilizes:
		found, instead := report.Unstable, " or, since it gives numbers where there were none, tags=[\"stabilizing\"] or phase=\"stabilize\""
		if report.Loses != nil {
			found, instead = report.Loses, ""
		}
		return fmt.Errorf("%s changes results where nan, infinity, -0.0 or the ends of a type's range are met: %v; if that may be, "+
			`tags=["unstable"] says so%s (%s)`, r.name, found, instead, anyway)
	}
	return nil
}

// textFault shows what is wrong with the text of a rule, and where.
func textFault(text string, err error) error {
	var e *rewrite.TextError
	if !errors.As(err, &e) {
		return err
	}
	before := text[:min(e.At, len(text))]
	first := strings.LastIndexByte(before, '\n') + 1
	whole, _, _ := strings.Cut(text[first:], "\n")
	line, column := []rune(whole), len([]rune(before[first:]))
	for i, c := range line {
		if unicode.IsControl(c) {
			line[i] = ' '
		}
	}
	const around = 60 // characters of a long line that are shown on each side
	from, to := max(column-around, 0), min(column+around, len(line))
	shown, mark := strings.TrimRight(string(line[from:to]), " "), strings.Repeat(" ", column-from)
	if from > 0 {
		shown, mark = "..."+shown, "   "+mark
	}
	if to < len(line) {
		shown += "..."
	}
	return fmt.Errorf("line %d, column %d: %s\n    %s\n    %s^", strings.Count(before, "\n")+1, column+1, e.Msg, shown, mark)
}

// where is the user's line as rules have it: file.star:12.
func (s *Session) where(thread *starlark.Thread) string {
	pos := s.NodeOrigin(thread).Pos()
	if !pos.IsValid() {
		return ""
	}
	return fmt.Sprintf("%s:%d", pos.File, pos.Line)
}

// ruleOfText makes a rule of its text.
func (s *Session) ruleOfText(thread *starlark.Thread, how, text string) (*Rewriter, error) {
	rules, err := rewrite.ParseRule(text, s.where(thread))
	if err != nil {
		return nil, textFault(text, err)
	}
	r := &Rewriter{s: s, name: rules[0].Name, rules: rules, how: how}
	var lines []string
	for _, rule := range rules {
		lines = append(lines, rule.Text)
	}
	r.text = strings.Join(lines, "\n")
	return r, nil
}

// OnRuleError is what happens to errors of users' functions within rules, as the flag on_opt_error
// says; it is told of those of one compilation.
func (s *Session) OnRuleError() func(err error) error {
	told := make(map[string]bool)
	return func(err error) error { return s.ruleError(err, told) }
}

func (s *Session) ruleError(err error, told map[string]bool) error {
	var (
		rule  *rewrite.RuleError
		fault ruleFault
	)
	called := value.TraceOf(err)
	switch policy := s.Config().String("on_opt_error"); {
	case policy == "raise" && called != nil && errors.As(err, &rule) && !errors.As(err, &fault):
		return ruleFault{err, rule}
	case policy == "raise":
		return err
	case policy == "warn":
		text, _, _ := strings.Cut(err.Error(), "\n") // what follows in a panic of ours is Go's
		if called != nil {
			text = err.Error() + "\n" + called.Backtrace()
		}
		if !told[text] { // DebugMode compiles more than once
			told[text] = true
			s.Warn("rewriting: " + text + "; it is left out (config.on_opt_error)")
		}
	}
	return nil
}

// opText is how a rule writes an operation that it may contain.
func opText(v starlark.Value) (name string, arity int, err error) {
	ops, names, err := operations(v)
	if err != nil {
		return "", 0, err
	}
	if len(names) == 1 {
		o, err := op.Lookup(names[0])
		if err != nil {
			return "", 0, err
		}
		ops = []graph.Op{o}
	}
	switch o := ops[0].(type) {
	case op.Elemwise:
		if o == op.Switch {
			return "where", o.Arity(), nil
		}
		return o.Name(), o.Arity(), nil
	case op.Dot:
		return o.Name(), 2, nil
	case op.Softmax:
		return o.Name(), 1, nil
	}
	return "", 0, fmt.Errorf("%s has parameters, which patterns do not; a node_rewriter can look for it", graph.BaseName(ops[0]))
}
