package rewrite

import (
	"fmt"
	"strings"

	"github.com/arignote/arignote/runtime/graph"
)

// Load reads a file of rules, one a line; rules/canonicalize.rules has the grammar. Everything that
// can be wrong with a rule before it meets a graph is an error here: "bad.rules:1: unknown op
// softplu (did you mean softplus?)".
func Load(file, group, text string) ([]*Rule, error) {
	var rules []*Rule
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		s := span{line, 0}.trim()
		if s.text == "" {
			continue
		}
		where := fmt.Sprintf("%s:%d", file, i+1)
		r, err := parseRule(s)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", where, err)
		}
		r.Group, r.Where = group, where
		rules = append(rules, r)
	}
	return rules, nil
}

// ParseRule reads a rule in the form of a line of a file of rules. Several lines are several
// patterns of one rule, which have its name. Errors are of type *TextError. where is the place of
// the rule.
func ParseRule(text, where string) ([]*Rule, error) {
	var rules []*Rule
	at := 0
	for _, line := range strings.SplitAfter(text, "\n") {
		body, _, _ := strings.Cut(line, "#")
		if s := (span{body, at}).trim(); s.text != "" {
			r, err := parseRule(s)
			if err != nil {
				return nil, err
			}
			if len(rules) > 0 && rules[0].Name != r.Name {
				return nil, s.fail("got rules called %s and %s, want one name for all lines; register them one by one", rules[0].Name, r.Name)
			}
			r.Where = where
			rules = append(rules, r)
		}
		at += len(line)
	}
	if len(rules) == 0 {
		return nil, span{text, 0}.fail("want name: pattern => replacement")
	}
	return rules, nil
}

// A textRule is a rule as text, checked: see match.go for what is done with it.
type textRule struct {
	pattern     *term
	replacement *term
	conditions  []condition
	vars        int
	names       []string // of the variables, by slot
}

// parseRule reads "name [tags]: pattern => replacement if conditions differs example".
func parseRule(line span) (*Rule, error) {
	head, rest, ok := line.cut(":")
	if !ok || !strings.Contains(rest.text, "=>") {
		return nil, line.fail("want name: pattern => replacement")
	}
	rest, differs, _ := rest.cut(" differs ")
	r := &Rule{Text: strings.TrimSpace(rest.text), Differs: strings.TrimSpace(differs.text)}
	if err := parseHead(head, r); err != nil {
		return nil, err
	}
	t, err := parseText(rest)
	if err != nil {
		return nil, err
	}
	r.text = t
	r.roots, r.needs = []any{t.pattern.op}, t.pattern.needs()
	r.apply = t.apply
	return r, nil
}

// parseText reads "pattern => replacement if conditions".
func parseText(text span) (*textRule, error) {
	left, right, _ := text.cut("=>")
	right, where, conditional := right.cut(" if ")
	reader := &termReader{}
	t := &textRule{}
	var err error
	if t.pattern, err = reader.read(left.trim()); err != nil {
		return nil, err
	}
	if t.pattern.kind != operation {
		return nil, left.trim().fail("the pattern must be an operation")
	}
	reader.frozen = true
	if t.replacement, err = reader.read(right.trim()); err != nil {
		return nil, err
	}
	if conditional {
		if t.conditions, err = readConditions(where.trim(), reader); err != nil {
			return nil, err
		}
	}
	t.vars, t.names = len(reader.vars), reader.vars
	return t, nil
}

// parseHead reads "local_mul_zero" or "local_mul_zero [unstable]".
func parseHead(head span, r *Rule) error {
	name, tags, tagged := head.cut("[")
	name = name.trim()
	r.Name = name.text
	if !IsName(r.Name) {
		return name.fail("got rule name %q, want lower-case letters, digits and underscores", r.Name)
	}
	if !tagged {
		return nil
	}
	tags = tags.trim()
	list, ok := strings.CutSuffix(tags.text, "]")
	if !ok {
		return tags.fail("want ] after the tags")
	}
	for _, tag := range strings.Fields(list) {
		if !IsName(tag) {
			return span{tag, tags.at + strings.Index(tags.text, tag)}.fail("got tag %q, want lower-case letters, digits and underscores", tag)
		}
		r.Tags = append(r.Tags, tag)
	}
	return nil
}

// IsName reports whether s may be the name of a rule or a tag.
func IsName(s string) bool {
	for i, c := range s {
		if (c < 'a' || c > 'z') && c != '_' && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// apply matches the rule at node and builds the replacement, nil if it does not apply.
func (t *textRule) apply(c *Context, node *graph.Apply) *graph.Variable {
	m := c.newMatch(node, t.vars)
	m.node(t.pattern, node, func() bool {
		for i := range t.conditions {
			if v := t.conditions[i].fails(m); v != nil {
				m.failed, m.culprit = &t.conditions[i], v
				return false
			}
		}
		c.origin = absorb(node, m.replaced()...)
		m.result = m.replace(t.replacement)
		return m.result != nil
	})
	if failed, culprit := m.failed, m.culprit; m.result == nil && failed != nil && !kinds[failed.name] {
		c.decline("rule."+failed.name, func() string { return failed.describe(culprit) })
	}
	c.matches = append(c.matches, m)
	return m.result
}
