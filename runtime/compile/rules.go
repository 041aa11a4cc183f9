package compile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/runtime/history"
	"github.com/arignote/arignote/runtime/rewrite"
)

// User is the tag that all rules of users have.
const User = "user"

// A Registered rule is one that a user gave, with its place among the rewrites.
type Registered struct {
	Name  string
	Rules []*rewrite.Rule // its patterns

	phase         string
	after, before string
}

// A Placement says where a rule of a user's belongs: among the rules of a phase, after them; after
// or before another rule, as which it is tried on the same nodes; or after or before a pass, as a
// pass of its own. The zero Placement is the phase canonicalize.
type Placement struct{ Phase, After, Before string }

// phases are those that rules of users may join.
var phases = []string{"canonicalize", "stabilize", "specialize"}

// Register gives a rule its place. others are registered already; one of the same name is replaced.
func Register(rules []*rewrite.Rule, tags []string, p Placement, others []Registered) (Registered, error) {
	r := Registered{Name: rules[0].Name, after: Canonical(p.After), before: Canonical(p.Before)}
	others = without(others, r.Name)
	own := catalogOf(nil)
	if slices.Contains(own.tags, r.Name) || aliases[r.Name] != "" || slices.Contains(absent, r.Name) || r.Name == User {
		return r, fmt.Errorf("%s is a name of Arignote's own rewrites; give the rule another", r.Name)
	}
	if !rewrite.IsName(r.Name) {
		return r, fmt.Errorf("got rule name %q, want lower-case letters, digits and underscores", r.Name)
	}
	for _, tag := range tags {
		if !rewrite.IsName(tag) {
			return r, fmt.Errorf("tags: got %q, want lower-case letters, digits and underscores", tag)
		}
	}
	given := slices.DeleteFunc([]string{p.Phase, p.After, p.Before}, func(s string) bool { return s == "" })
	if len(given) > 1 {
		return r, fmt.Errorf("want one of phase, after and before, got %s", strings.Join(given, " and "))
	}
	c := catalogOf(others)
	switch {
	case len(given) == 0:
		r.phase = phases[0]
	case p.Phase != "":
		if !slices.Contains(phases, p.Phase) {
			return r, fmt.Errorf("phase: got %q, want %s (after= and before= take any pass or rule)", p.Phase, joined(phases))
		}
		r.phase = p.Phase
	default:
		kind, next := "after", r.after
		if next == "" {
			kind, next = "before", r.before
		}
		at, beside := c.pass(next), c.rule(next)
		last := slices.IndexFunc(c.passes, func(p pass) bool { return p.destroys })
		switch {
		case at > last || at == last && kind == "after":
			return r, fmt.Errorf("%s: from %s on operations overwrite their operands, and no rule may run; want an earlier pass", kind, c.passes[last].name)
		case at >= 0:
			r.phase = r.Name
		case beside != nil:
			r.phase = beside.Group
		default:
			var names []string
			for _, p := range c.passes {
				names = append(names, p.name)
			}
			for _, r := range c.rules {
				names = append(names, r.Name)
			}
			near := rewrite.Suggest(next, names)
			if near == "" {
				near = "; rewrite_rules() lists them"
			}
			return r, fmt.Errorf("%s: there is no pass and no rule %s%s", kind, next, near)
		}
	}
	for _, rule := range rules {
		placed := *rule
		placed.Group = r.phase
		placed.Tags = append(slices.Clone(rule.Tags), User)
		for _, tag := range tags {
			if !slices.Contains(placed.Tags, tag) {
				placed.Tags = append(placed.Tags, tag)
			}
		}
		r.Rules = append(r.Rules, &placed)
	}
	return r, nil
}

// With returns the rules with others, which take the place of those of their names.
func With(rules []Registered, others ...Registered) []Registered {
	rules = slices.Clone(rules)
	for _, r := range others {
		if i := slices.IndexFunc(rules, func(x Registered) bool { return x.Name == r.Name }); i >= 0 {
			rules[i] = r
			continue
		}
		rules = append(rules, r)
	}
	return rules
}

func without(rules []Registered, name string) []Registered {
	return slices.DeleteFunc(slices.Clone(rules), func(r Registered) bool { return r.Name == name })
}

// Place is where the rule runs, in the words of Placement.
func (r Registered) Place() string {
	switch {
	case r.after != "":
		return "after=" + r.after
	case r.before != "":
		return "before=" + r.before
	}
	return "phase=" + r.phase
}

// Tags are those of all its patterns, without the tag user.
func (r Registered) Tags() []string {
	var list []string
	for _, rule := range r.Rules {
		for _, tag := range rule.Tags {
			if tag != User && !slices.Contains(list, tag) {
				list = append(list, tag)
			}
		}
	}
	return list
}

// A catalog is all passes and rules of a compilation: Arignote's own, and those of users.
type catalog struct {
	passes []pass
	rules  []*rewrite.Rule
	tags   []string // all that a query may name, but for aliases
}

func catalogOf(extra []Registered) *catalog {
	c := &catalog{passes: passes, rules: rewrite.Rules(), tags: ownTags()}
	if len(extra) == 0 {
		return c
	}
	c.passes, c.rules, c.tags = slices.Clone(c.passes), slices.Clone(c.rules), append(slices.Clone(c.tags), User)
	for _, r := range extra {
		c.add(r)
		c.tags = append(c.tags, r.Name, r.phase)
		c.tags = append(c.tags, r.Tags()...)
	}
	slices.Sort(c.tags)
	c.tags = slices.Compact(c.tags)
	return c
}

// add puts a rule where it belongs. What it stands beside may be gone: it is then the last of its
// phase.
func (c *catalog) add(r Registered) {
	next, offset := r.after, 1
	if next == "" {
		next, offset = r.before, 0
	}
	if at := c.pass(next); at >= 0 {
		optimizers := slices.DeleteFunc(slices.Clone(all), func(name string) bool { return !slices.Contains(c.passes[at].in, name) })
		c.passes = slices.Insert(c.passes, at+offset, pass{name: r.Name, in: optimizers, phase: r.phase, also: forms, doc: "a rule of the user's"})
	}
	matches := func(x *rewrite.Rule) bool { return x.Name == next }
	if !slices.ContainsFunc(c.rules, matches) {
		matches, offset = func(x *rewrite.Rule) bool { return x.Group == r.phase }, 1
	}
	at := slices.IndexFunc(c.rules, matches)
	for offset == 1 && at >= 0 && at < len(c.rules) && matches(c.rules[at]) {
		at++
	}
	if at < 0 {
		at = len(c.rules)
	}
	c.rules = slices.Insert(c.rules, at, r.Rules...)
}

// pass is the position of a pass, -1 if none is called so.
func (c *catalog) pass(name string) int {
	return slices.IndexFunc(c.passes, func(p pass) bool { return p.name == name })
}

// rule is the first rule of a name, nil if there is none.
func (c *catalog) rule(name string) *rewrite.Rule {
	if i := slices.IndexFunc(c.rules, func(r *rewrite.Rule) bool { return r.Name == name }); i >= 0 {
		return c.rules[i]
	}
	return nil
}

// Canonical is our name for what may have another in Theano.
func Canonical(name string) string {
	if to, ok := aliases[name]; ok {
		return to
	}
	return name
}

// A Rewrite is a line of the list of all rewrites: a pass that does something by itself, or a rule.
type Rewrite struct {
	Pass  string
	Name  string // of the rule, or the pass
	Tags  []string
	Where string // of a rule
	Text  string // of a rule as text; else what the pass does
	User  bool

	rule *rewrite.Rule
}

// Rules is the rule, if the line is of one.
func (r Rewrite) Rules() []*rewrite.Rule {
	if r.rule == nil {
		return nil
	}
	return []*rewrite.Rule{r.rule}
}

// Rewrites lists all, in the order in which they run.
func Rewrites(extra []Registered) []Rewrite {
	c := catalogOf(extra)
	var list []Rewrite
	for _, p := range c.passes {
		if p.fn != nil {
			list = append(list, Rewrite{Pass: p.name, Name: p.name, Tags: p.tags, Text: p.doc})
			continue
		}
		for _, r := range c.rules {
			if r.Group != p.phase {
				continue
			}
			tags := slices.DeleteFunc(slices.Clone(r.Tags), func(tag string) bool { return tag == User })
			list = append(list, Rewrite{Pass: p.name, Name: r.Name, Tags: tags, Where: r.Where, Text: r.Text, User: len(tags) < len(r.Tags), rule: r})
		}
	}
	return list
}

// rules are all of users that take part.
func (s Spec) rules() []Registered { return With(s.Rules, s.Mode.Rules...) }

// warnOfRules tells of passes that rules of users kept from ending.
func (s Spec) warnOfRules(passes []history.Pass) {
	if s.Warn == nil {
		return
	}
	rules := s.rules()
	for _, p := range passes {
		if p.Warning != "" && slices.ContainsFunc(p.Rules, func(r history.Rule) bool {
			return r.Fired > 0 && slices.ContainsFunc(rules, func(u Registered) bool { return u.Name == r.Name })
		}) {
			s.Warn("pass " + p.Name + ": " + p.Warning)
		}
	}
}
