package format

import (
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/parse"
	"go.starlark.net/syntax"
)

// Some of what cells may say parses as standard Starlark, and is refused later or means something else: assert (x), which is a call,
// f(*a, k=1), and slices of lists that are assigned to.

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

// asserts rewrites assert (x), assert (x).all(), "message", assert (x, y) == z and assert [x, y] == z.
func (r *rewriter) asserts(f *syntax.File) {
	if r.bound["assert"] {
		return
	}
	syntax.Walk(f, func(n syntax.Node) bool {
		s, ok := n.(*syntax.ExprStmt)
		if !ok {
			return true
		}
		start := r.offset(syntax.Start(s.X))
		toks := r.toks[r.next(start):]
		if toks[0].Text(r.text) != "assert" || !asserted(s.X, toks[1].Kind) {
			return true
		}
		end := slices.IndexFunc(toks, func(t parse.Token) bool {
			return t.Kind == parse.Newline || t.Kind == parse.Semi || t.Kind == parse.EOF
		})
		for toks[end-1].Kind == parse.Comment {
			end--
		}
		stop := 0
		for _, t := range toks[:end] { // an f-string ends after the tokens in it
			stop = max(stop, int(t.End.Offset))
		}
		operands := r.split(int(toks[1].Start.Offset), stop)
		if len(operands) > 2 {
			r.fail(start, "assert takes a test and a message, got %d parts", len(operands))
		}
		x := parse.Extension{Start: start, End: stop, Operands: operands}
		r.list = append(r.list, rewrite{start, stop, func() string { return assertion(r, x) }})
		return true
	})
}

// asserted says whether a statement that begins with the name assert and a bracket is Python's.
func asserted(x syntax.Expr, bracket parse.Kind) bool {
	first := leftmost(x)
	if bracket == parse.Lbrack {
		_, ok := first.(*syntax.Ident) // what is subscripted
		return ok
	}
	c, ok := first.(*syntax.CallExpr)
	if t, message := x.(*syntax.TupleExpr); message {
		x = t.List[0]
	}
	return ok && (len(c.Args) == 1 || x != first)
}

// leftmost returns the call that an expression begins with, or what else it does.
func leftmost(e syntax.Expr) syntax.Expr {
	switch x := e.(type) {
	case *syntax.CallExpr:
		if _, ok := x.Fn.(*syntax.Ident); !ok {
			return leftmost(x.Fn)
		}
	case *syntax.DotExpr:
		return leftmost(x.X)
	case *syntax.IndexExpr:
		return leftmost(x.X)
	case *syntax.SliceExpr:
		return leftmost(x.X)
	case *syntax.BinaryExpr:
		return leftmost(x.X)
	case *syntax.CondExpr:
		return leftmost(x.True)
	case *syntax.TupleExpr:
		if len(x.List) > 0 && !x.Lparen.IsValid() {
			return leftmost(x.List[0])
		}
	}
	return e
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
