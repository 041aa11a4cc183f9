package rewrite

import (
	"fmt"
	"strings"

	"github.com/arignote/arignote/runtime/graph"
)

// Load reads a file of rules, one a line; rules/canonicalize.rules has the grammar. Everything that can be wrong with
// a rule before it meets a graph is an error here: "bad.rules:1: unknown op softplu (did you mean softplus?)".
func Load(file, group, text string) ([]*Rule, error) {
	var rules []*Rule
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		where := fmt.Sprintf("%s:%d", file, i+1)
		r, err := parseRule(line)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", where, err)
		}
		r.Group, r.Where = group, where
		rules = append(rules, r)
	}
	return rules, nil
}

// A textRule is a rule as text, checked: see match.go for what is done with it.
type textRule struct {
	pattern     *term
	replacement *term
	conditions  []condition
	vars        int
}

// parseRule reads "name [tags]: pattern => replacement if conditions differs example".
func parseRule(line string) (*Rule, error) {
	head, rest, ok := strings.Cut(line, ":")
	if !ok || !strings.Contains(rest, "=>") {
		return nil, fmt.Errorf("want name: pattern => replacement")
	}
	r := &Rule{}
	rest, r.Differs, _ = strings.Cut(rest, " differs ")
	r.Text, r.Differs = strings.TrimSpace(rest), strings.TrimSpace(r.Differs)
	if err := parseHead(head, r); err != nil {
		return nil, err
	}
	t, err := parseText(rest)
	if err != nil {
		return nil, err
	}
	r.roots = []any{t.pattern.op}
	r.apply = t.apply
	return r, nil
}

// parseText reads "pattern => replacement if conditions".
func parseText(text string) (*textRule, error) {
	left, right, _ := strings.Cut(text, "=>")
	right, where, conditional := strings.Cut(right, " if ")
	reader := &termReader{}
	t := &textRule{}
	var err error
	if t.pattern, err = reader.read(strings.TrimSpace(left)); err != nil {
		return nil, err
	}
	if t.pattern.kind != operation {
		return nil, fmt.Errorf("the pattern must be an operation")
	}
	reader.frozen = true
	if t.replacement, err = reader.read(strings.TrimSpace(right)); err != nil {
		return nil, err
	}
	if conditional {
		if t.conditions, err = readConditions(where, reader); err != nil {
			return nil, err
		}
	}
	t.vars = len(reader.vars)
	return t, nil
}

// parseHead reads "local_mul_zero" or "local_mul_zero [unstable]".
func parseHead(head string, r *Rule) error {
	name, tags, tagged := strings.Cut(strings.TrimSpace(head), "[")
	r.Name = strings.TrimSpace(name)
	if !isName(r.Name) {
		return fmt.Errorf("got rule name %q, want lower-case letters, digits and underscores", r.Name)
	}
	if !tagged {
		return nil
	}
	list, ok := strings.CutSuffix(strings.TrimSpace(tags), "]")
	if !ok {
		return fmt.Errorf("want ] after the tags")
	}
	for _, tag := range strings.Fields(list) {
		if !isName(tag) {
			return fmt.Errorf("got tag %q, want lower-case letters, digits and underscores", tag)
		}
		r.Tags = append(r.Tags, tag)
	}
	return nil
}

func isName(s string) bool {
	for i, c := range s {
		if (c < 'a' || c > 'z') && c != '_' && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// apply matches the rule at node and builds the replacement, nil if it does not apply.
func (t *textRule) apply(c *Context, node *graph.Apply) *graph.Variable {
	m := &match{c: c, root: node, bound: make([]*graph.Variable, t.vars)}
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
	if m.result == nil && m.failed != nil && !kinds[m.failed.name] {
		c.decline("rule."+m.failed.name, func() string { return m.failed.describe(m.culprit) })
	}
	return m.result
}
