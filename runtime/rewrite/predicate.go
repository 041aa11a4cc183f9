package rewrite

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
)

// A predicate is what a rule may ask of the variables it bound. T is the type of the result at the
// pattern's root.
type predicate struct {
	doc   string
	holds func(m *match, v *graph.Variable) bool
}

// kinds are the predicates that belong to a pattern: that x is no constant is nothing to tell a
// user, who wrote no constant.
var kinds = map[string]bool{"length": true, "constant": true, "moderate": true, "slight": true, "masked": true, "float": true, "integer": true, "bool": true}

// predicates are asked as name(x), or name(x, y) for each of several variables.
var predicates = map[string]predicate{
	"constant": {"a constant", func(m *match, v *graph.Variable) bool { return v.IsConstant() }},
	"scalar": {"all axes are known to have length 1, or there is none", func(m *match, v *graph.Variable) bool {
		for axis := range v.Type.Rank() {
			if !v.Type.Broadcasts(axis) {
				return false
			}
		}
		return true
	}},
	"static":  {"all lengths are known", func(m *match, v *graph.Variable) bool { return v.Type.IsStatic() }},
	"float":   {"of a floating point type", func(m *match, v *graph.Variable) bool { return v.Type.DType.IsFloat() }},
	"integer": {"of an integer type or bool", func(m *match, v *graph.Variable) bool { return !v.Type.DType.IsFloat() }},
	"bool":    {"of type bool", func(m *match, v *graph.Variable) bool { return v.Type.DType.IsBool() }},
	"signed": {"of a type with negative numbers", func(m *match, v *graph.Variable) bool {
		return v.Type.DType.IsFloat() || v.Type.DType.IsSigned()
	}},
	"samedtype": {"of T's element type", func(m *match, v *graph.Variable) bool {
		return v.Type.DType == m.root.Outputs[0].Type.DType
	}},
	"covers": {"of T's shape: nothing broadcasts it in the pattern", func(m *match, v *graph.Variable) bool {
		t := m.root.Outputs[0].Type
		return fits(t, v.Type.WithDType(t.DType))
	}},
	"length": {"a number of elements, which is 0 of empty arrays", func(m *match, v *graph.Variable) bool { return m.c.ofLengths(v) }},
	"singleuse": {"computed for the pattern alone; without an argument, all that the pattern matches below its root",
		func(m *match, v *graph.Variable) bool {
			return m.c.uses(v) <= 1
		}},
	"positive": {"provably > 0, up to rounding (or nan)", func(m *match, v *graph.Variable) bool {
		return m.c.sign(v) == op.Positive
	}},
	"nonnegative": {"provably >= 0 and not -0 (or nan)", func(m *match, v *graph.Variable) bool {
		return m.c.sign(v) >= op.Nonnegative
	}},
	"moderate": {"a constant whose elements are 0 or of such a size that products and sums of a few of them do not overflow or underflow",
		func(m *match, v *graph.Variable) bool { return v.IsConstant() && m.c.inspect(v).moderate }},
	"slight": {"a constant whose elements are so near to 1, within 2**32 (float32: 2**10), that a product without it overflows or underflows hardly before",
		func(m *match, v *graph.Variable) bool { return v.IsConstant() && m.c.inspect(v).slight }},
	"masked": {"made by choices between something and 0, or parts put into arrays, one in the other, more than a few deep",
		func(m *match, v *graph.Variable) bool { return m.c.masked(v) }},
	"invertible": {"a constant power of 2 whose reciprocal is exact", func(m *match, v *graph.Variable) bool {
		c, ok := m.c.scalar(v)
		if !ok || !v.Type.DType.IsFloat() {
			return false
		}
		frac, exp := math.Frexp(c)
		return math.Abs(frac) == 0.5 && exp > -100 && exp < 100
	}},
}

// maxMasks bounds how many choices between something and 0, and increments, each the value of the
// one before, a factor is moved into.
const maxMasks = 4

// masked reports whether v is as many of them, one in the other: a factor that went into all of
// them would make the work on a chain of n steps grow as n squared.
func (c *Context) masked(v *graph.Variable) bool {
	for range maxMasks {
		if i, ok := incrementOf(v); ok {
			v = i.y()
			continue
		}
		if v.Op() != graph.Op(op.Switch) {
			return false
		}
		zero := func(u *graph.Variable) bool { value, ok := c.scalar(u); return ok && value == 0 }
		switch in := v.Owner.Inputs; {
		case zero(in[2]):
			v = in[1]
		case zero(in[1]):
			v = in[2]
		default:
			return false
		}
	}
	return true
}

// ofLengths reports whether v, no constant, is computed from lengths alone. What it found of a node
// it keeps.
func (c *Context) ofLengths(v *graph.Variable) bool {
	if v.Owner == nil {
		return false
	}
	if l := c.lengths.Get(v); l != 0 {
		return l == aLength
	}
	is := false
	switch o := v.Owner.Op.(type) {
	case op.ShapeI:
		is = true
	case op.DimShuffle:
		is = c.ofLengths(v.Owner.Inputs[0])
	case op.Elemwise:
		for _, u := range v.Owner.Inputs {
			if u.IsConstant() {
				continue
			}
			if is = o.Arity() < 3 && c.ofLengths(u); !is {
				break
			}
		}
	}
	found := noLength
	if is {
		found = aLength
	}
	c.lengths.Set(v, found)
	return is
}

// lengthly says whether a variable is computed from lengths alone; 0 if that is not known yet.
type lengthly int8

const (
	aLength lengthly = iota + 1
	noLength
)

// A condition is a predicate on some variables, or its contrary.
type condition struct {
	predicate
	name   string
	slots  []int // none: everything matched below the root
	negate bool
}

// fails returns the first variable for which the condition does not hold, nil if it holds.
func (c *condition) fails(m *match) *graph.Variable {
	if c.slots == nil {
		for _, v := range m.inner {
			if c.holds(m, v) == c.negate {
				return v
			}
		}
		return nil
	}
	for _, s := range c.slots {
		if v := m.bound[s]; c.holds(m, v) == c.negate {
			return v
		}
	}
	return nil
}

// describe says of v what the condition asks in vain.
func (c *condition) describe(v *graph.Variable) string {
	name, doc := c.name, c.doc
	if c.negate {
		name, doc = "!"+name, "not "+doc
	}
	doc, _, _ = strings.Cut(doc, ";")
	return fmt.Sprintf("%s of %s does not hold: %s", name, at(v), doc)
}

// readConditions reads predicates joined by &&: "float(x) && !constant(y)".
func readConditions(text span, vars *termReader) ([]condition, error) {
	e, err := parser.ParseExpr(text.text)
	if err != nil {
		return nil, text.syntax(err)
	}
	vars.from = text
	var list []condition
	var read func(e ast.Expr, negate bool) error
	read = func(e ast.Expr, negate bool) error {
		switch e := e.(type) {
		case *ast.BinaryExpr:
			if e.Op == token.LAND && !negate {
				if err := read(e.X, false); err != nil {
					return err
				}
				return read(e.Y, false)
			}
		case *ast.UnaryExpr:
			if e.Op == token.NOT && !negate {
				return read(e.X, true)
			}
		case *ast.CallExpr:
			c, err := readCondition(e, vars)
			if err != nil {
				return err
			}
			c.negate = negate
			list = append(list, c)
			return nil
		}
		return text.failAt(e, "%q: want predicates, each perhaps with !, joined by && only", text.text)
	}
	err = read(e, false)
	return list, err
}

func readCondition(e *ast.CallExpr, vars *termReader) (condition, error) {
	id, ok := e.Fun.(*ast.Ident)
	if !ok {
		return condition{}, vars.from.failAt(e, "want the name of a predicate before (")
	}
	p, ok := predicates[id.Name]
	if !ok {
		names := slices.Sorted(maps.Keys(predicates))
		near := Suggest(id.Name, names)
		if near == "" {
			near = " (want " + strings.Join(names, ", ") + ")"
		}
		return condition{}, vars.from.failAt(e, "unknown predicate %s%s", id.Name, near)
	}
	c := condition{predicate: p, name: id.Name}
	for _, arg := range e.Args {
		t, err := vars.term(arg, 0)
		if err != nil {
			return condition{}, err
		}
		if t.kind != variable {
			return condition{}, vars.from.failAt(arg, "%s: want variables of the pattern", id.Name)
		}
		c.slots = append(c.slots, t.slot)
	}
	if len(c.slots) == 0 && id.Name != "singleuse" {
		return condition{}, vars.from.failAt(e, "%s: want variables of the pattern", id.Name)
	}
	return c, nil
}
