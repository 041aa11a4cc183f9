package format

import (
	"strings"

	"github.com/arignote/arignote/starlib/parse"
	"go.starlark.net/syntax"
)

// Some of what cells may say parses as standard Starlark, and is refused later or means something else: f(*a, k=1), and slices of lists that
// are assigned to.

// offset returns where the token at a position begins.
func (r *rewriter) offset(pos syntax.Position) int {
	if r.offsets == nil {
		r.offsets = map[[2]int32]int{}
		for _, t := range r.toks {
			r.offsets[[2]int32{t.Start.Line, t.Start.Col}] = int(t.Start.Offset)
		}
	}
	return r.offsets[[2]int32{pos.Line, pos.Col}]
}

// split returns what commas outside of brackets separate between two offsets, without comments and white space around it.
func (r *rewriter) split(lo, hi int) [][2]int {
	var parts [][2]int
	depth, fresh := 0, true
	for _, t := range r.between(lo, hi) {
		switch {
		case isOpen(t.Kind):
			depth++
		case isClose(t.Kind):
			depth--
		case depth == 0 && t.Kind == parse.Comma:
			fresh = true
			continue
		case t.Kind == parse.Comment || t.Kind == parse.Newline:
			continue
		}
		if fresh {
			parts = append(parts, [2]int{int(t.Start.Offset), 0})
			fresh = false
		}
		parts[len(parts)-1][1] = max(parts[len(parts)-1][1], int(t.End.Offset)) // an f-string ends after the tokens in it
	}
	return parts
}

// keywords puts keyword arguments that follow *args before it.
func (r *rewriter) keywords(f *syntax.File) {
	syntax.Walk(f, func(n syntax.Node) bool {
		c, ok := n.(*syntax.CallExpr)
		if !ok {
			return true
		}
		star, late := 0, false
		for _, a := range c.Args {
			switch a := a.(type) {
			case *syntax.UnaryExpr:
				if a.Op == syntax.STAR {
					star++
				}
			case *syntax.BinaryExpr:
				late = late || star == 1 && a.Op == syntax.EQ
			}
		}
		if star != 1 || !late {
			return true
		}
		lo, hi := r.offset(c.Lparen)+1, r.offset(c.Rparen)
		if hi == 0 || len(r.split(lo, hi)) != len(c.Args) { // the parser made it of something else
			return true
		}
		r.list = append(r.list, rewrite{lo, hi, func() string {
			var first, last []string
			for i, part := range r.split(lo, hi) {
				b, isBinary := c.Args[i].(*syntax.BinaryExpr)
				if u, ok := c.Args[i].(*syntax.UnaryExpr); ok && (u.Op == syntax.STAR || u.Op == syntax.STARSTAR) {
					last = append(last, r.operand(part))
				} else if isBinary && b.Op == syntax.EQ || len(last) == 0 {
					first = append(first, r.operand(part))
				} else {
					r.fail(part[0], "an argument follows *args: add it to the list")
				}
			}
			return strings.Join(append(first, last...), ", ")
		}})
		return true
	})
}
