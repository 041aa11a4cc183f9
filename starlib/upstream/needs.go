package upstream

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
)

// A pattern is a regular expression. It is compiled when a text is first compared with it that has
// one of the texts that it needs: most sessions start without an error, and to look for texts takes
// a fraction of the time.
type pattern struct {
	needs  func() []string // nil where there are none
	regexp func() *regexp.Regexp
}

func compiled(expr string) pattern {
	return pattern{
		sync.OnceValue(func() []string {
			tree, err := syntax.Parse(expr, syntax.Perl)
			if err != nil {
				return nil
			}
			return needs(tree.Simplify())
		}),
		sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) }),
	}
}

// may reports whether the pattern may match a text.
func (p pattern) may(text string) bool {
	list := p.needs()
	for _, need := range list {
		if strings.Contains(text, need) {
			return true
		}
	}
	return list == nil
}

// match returns what the pattern matches of a text, and its groups; nil if it does not match.
func (p pattern) match(text string) []string {
	if !p.may(text) {
		return nil
	}
	return p.regexp().FindStringSubmatch(text)
}

func (p pattern) matches(text string) bool { return p.may(text) && p.regexp().MatchString(text) }

// needs returns texts of which any match of an expression has one, nil if none is known.
func needs(re *syntax.Regexp) (list []string) {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase == 0 {
			return []string{string(re.Rune)}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return needs(re.Sub[0])
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			part := needs(sub)
			if part == nil {
				return nil
			}
			list = append(list, part...)
		}
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if part := needs(sub); shortest(part) > shortest(list) {
				list = part
			}
		}
	}
	return list
}

// shortest is the length of the shortest text of a list, 0 if there is none.
func shortest(list []string) (n int) {
	for i, text := range list {
		if i == 0 || len(text) < n {
			n = len(text)
		}
	}
	return n
}
