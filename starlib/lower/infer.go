package lower

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/arignote/arignote/starlib/parse"
	"github.com/arignote/arignote/starlib/scope"
	"go.starlark.net/syntax"
)

// Subscripts of what may be text count characters, where upstream's counts bytes: see value.Texts.
//
// Comparisons and % become calls, of which package compile makes instructions, since arrays and symbols answer them with values that
// Starlark's own operators cannot give, and NaN is compared as in Python. Where both operands can only be ints, or text, the operators
// stay what they are; so do % and += of floats.
//
// What a variable can be is inferred from all assignments to it, whatever their order. At top level the values that exist already
// are known too: while a cell runs nobody but the cell assigns to globals. In functions globals and parameters can be anything, but a
// builtin that nobody has redefined is taken for what it is. Where a later cell redefines it to return arrays (len, say), the
// functions of earlier ones still compare its results as numbers.

// A Kind is a set of what a value can be.
type Kind uint8

const (
	Whole  Kind = 1 << iota // an int
	Real                    // a float, which may be NaN: Starlark's comparisons take that for a number
	ASCII                   // text in ASCII, a bool or None
	Wide                    // other text, whose bytes are not its characters
	Holder                  // a list, tuple, dict or set
	Other

	Number = Whole | Real
	Text   = ASCII | Wide
	Plain  = Number | Text  // operators are Starlark's
	Simple = Plain | Holder // methods run no code of the user's
	Any    = Simple | Other
)

// within reports whether all that k can be is in most.
func (k Kind) within(most Kind) bool { return k&^most == 0 }

// comparesPlainly reports whether Starlark's comparison of x and y is what is meant.
func comparesPlainly(x, y Kind) bool {
	return (x | y).within(Plain) && (x&Real == 0 || y&Number == 0) && (y&Real == 0 || x&Number == 0)
}

// arithmetic reports whether x op y, a sum or product, can only be one of numbers or of what computes itself: it makes no sequence.
func arithmetic(op syntax.Token, x, y Kind) bool {
	if op == syntax.PLUS {
		return x.within(Number) || y.within(Number)
	}
	return x.within(Number) && y.within(Number) || x.within(Real) || y.within(Real)
}

type inference struct {
	scope    Scope
	kinds    map[any]Kind    // by the *syntax.Ident that binds a local variable, or the name of a global one
	assigned map[string]bool // global variables
	rules    []rule
	plain    map[position]bool // operators

	steady map[position]bool // names in targets of augmented assignments that no expression gives another value: see update.go

	found map[occurrence]Kind // of operations, as long as kinds are what they are
}

// An occurrence is an expression evaluated inside depth functions.
type occurrence struct {
	e     syntax.Expr
	depth int
}

// A rule is that a variable can be what an expression can be.
type rule struct {
	variable any
	kind     func() Kind
}

// maxPasses is how often assignments are gone through. A chain of variables that needs more is not worth the time.
const maxPasses = 10

// infer finds the kinds of the variables of f, a resolved tree, and its operators with plain operands.
func infer(f *syntax.File, scope Scope) *inference {
	in := &inference{scope: scope, kinds: map[any]Kind{}, assigned: map[string]bool{}, plain: map[position]bool{},
		steady: map[position]bool{}}
	in.stmts(f.Stmts, 0)
	in.solve(in.rules)
	for _, s := range f.Stmts {
		in.visit(s, 0)
	}
	return in
}

// solve finds the least kinds that obey rules.
func (in *inference) solve(rules []rule) {
	changed := true
	for pass := 0; changed; pass++ {
		changed = false
		for _, r := range rules {
			k := r.kind()
			if pass == maxPasses {
				k = Any
			}
			if all := in.kinds[r.variable] | k; all != in.kinds[r.variable] {
				in.kinds[r.variable] = all
				in.found = nil
				changed = true
			}
		}
	}
}

// key names the variable of an identifier, nil if it is none.
func key(id *syntax.Ident) any {
	b, _ := id.Binding.(*scope.Binding)
	if b == nil {
		return nil
	}
	switch b.Kind {
	case scope.Local, scope.Cell, scope.Free:
		return b.First
	case scope.Member:
		return nil
	}
	return id.Name
}

func (in *inference) let(id *syntax.Ident, kind func() Kind) {
	k := key(id)
	if k == nil {
		return
	}
	if name, ok := k.(string); ok {
		in.assigned[name] = true
	}
	in.kinds[k] = 0
	in.rules = append(in.rules, rule{k, kind})
}

func always(k Kind) func() Kind { return func() Kind { return k } }

// assign notes that target takes the value of e.
func (in *inference) assign(target, e syntax.Expr, depth int) {
	switch t := target.(type) {
	case *syntax.ParenExpr:
		in.assign(t.X, e, depth)
	case *syntax.Ident:
		in.let(t, func() Kind { return in.kind(e, depth) })
	case *syntax.TupleExpr, *syntax.ListExpr:
		to, from := elements(target), elements(e)
		for i, x := range to {
			if len(from) == len(to) {
				in.assign(x, from[i], depth)
			} else {
				in.assignKind(x, always(Any))
			}
		}
	}
}

// elements are those of a tuple or list display.
func elements(e syntax.Expr) []syntax.Expr {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		return elements(e.X)
	case *syntax.TupleExpr:
		return e.List
	case *syntax.ListExpr:
		return e.List
	}
	return nil
}

func (in *inference) assignKind(target syntax.Expr, kind func() Kind) {
	scope.Targets(target, func(id *syntax.Ident) { in.let(id, kind) })
}

// loopVars notes what the variables of a for clause take from the elements of x.
func (in *inference) loopVars(vars, x syntax.Expr, depth int) {
	if id, ok := vars.(*syntax.Ident); ok && len(elements(x)) > 0 {
		for _, e := range elements(x) {
			in.assign(id, e, depth)
		}
		return
	}
	counts := func(builtin string) func() Kind {
		return func() Kind {
			if call, ok := x.(*syntax.CallExpr); ok && in.isStandard(call.Fn, builtin) {
				return Whole
			}
			return Any
		}
	}
	if pair := elements(vars); len(pair) == 2 {
		in.assignKind(pair[0], counts("enumerate"))
		in.assignKind(pair[1], always(Any))
		return
	}
	in.assignKind(vars, counts("range"))
}

func (in *inference) stmts(list []syntax.Stmt, depth int) {
	for _, stmt := range list {
		switch s := stmt.(type) {
		case *syntax.AssignStmt:
			if s.Op == syntax.EQ {
				in.assign(s.LHS, s.RHS, depth)
			} else if id, ok := s.LHS.(*syntax.Ident); ok {
				op := s.Op - syntax.PLUS_EQ + syntax.PLUS
				in.let(id, func() Kind { return in.binary(op, in.kind(id, depth), in.kind(s.RHS, depth)) })
			}
		case *syntax.ForStmt:
			in.loopVars(s.Vars, s.X, depth)
			in.stmts(s.Body, depth)
		case *syntax.WhileStmt:
			in.stmts(s.Body, depth)
		case *syntax.IfStmt:
			inner := depth + classDepth(s)
			if isClass(s) {
				in.let(s.Cond.(*syntax.CallExpr).Args[0].(*syntax.Ident), always(Any))
			}
			in.stmts(s.True, inner)
			in.stmts(s.False, inner)
		case *syntax.DefStmt:
			in.let(s.Name, always(Any))
			in.params(s.Params, depth)
			in.stmts(s.Body, depth+1)
		case *syntax.LoadStmt:
			for _, id := range s.To {
				in.let(id, always(Any))
			}
		}
		in.clauses(stmt, depth)
	}
}

// clauses notes the variables of comprehensions and lambdas in the expressions of a statement.
func (in *inference) clauses(n syntax.Node, depth int) {
	syntax.Walk(n, func(m syntax.Node) bool {
		switch m := m.(type) {
		case *syntax.ForClause:
			in.loopVars(m.Vars, m.X, depth)
		case *syntax.LambdaExpr:
			in.params(m.Params, depth)
			in.clauses(m.Body, depth+1)
			return false
		case *syntax.CallExpr:
			if args := parse.MarkArgs(m, parse.MarkWalrus); args != nil {
				in.let(args[0].(*syntax.Ident), always(Any))
			}
		case syntax.Stmt:
			return syntax.Node(m) == n && !isDef(m)
		}
		return true
	})
}

// params notes parameters, and the variables in their defaults, which are evaluated outside the function.
func (in *inference) params(params []syntax.Expr, depth int) {
	for _, p := range params {
		if b, ok := p.(*syntax.BinaryExpr); ok {
			in.clauses(b.Y, depth)
		}
		if id := parameter(p); id != nil {
			in.let(id, always(Any))
		}
	}
}

// parameter returns the name of a parameter, nil of a lone *.
func parameter(p syntax.Expr) *syntax.Ident {
	switch x := p.(type) {
	case *syntax.BinaryExpr:
		p = x.X
	case *syntax.UnaryExpr:
		p = x.X
	}
	id, _ := p.(*syntax.Ident)
	return id
}

// isStandard reports whether e is the name of a builtin that nobody has redefined.
func (in *inference) isStandard(e syntax.Expr, name string) bool {
	id, ok := e.(*syntax.Ident)
	return ok && id.Name == name && key(id) == any(name) && !in.assigned[name] && in.scope.Standard(name)
}

// results are the kinds that builtins return whatever they are given.
var results = map[string]Kind{
	"len": Whole, "int": Whole, "float": Real, "ord": Whole, "hash": Whole,
	"str": Text, "repr": Text, "type": Text, "chr": Text, "bool": Text, "fmt": Text, "isinstance": Text, "hasattr": Text,
	parse.NameFString: Text, parse.NameField: Text, parse.NameIs: Text,
	parse.NameSet: Holder, parse.NameConcat: Holder, parse.NameTuple: Holder,
	"bin": Text, "callable": Text, "format": Text, "hex": Text, "oct": Text,
	"list": Holder, "dict": Holder, "tuple": Holder, "set": Holder, "range": Holder, "enumerate": Holder, "zip": Holder,
}

// mathResults are the kinds of what functions of math return that are not numbers.
var mathResults = map[string]Kind{
	"isclose": Text, "isfinite": Text, "isinf": Text, "isnan": Text, "frexp": Holder, "modf": Holder,
	"prod": Any, // of arrays
}

// kind returns what e can be, evaluated inside depth functions. What it finds of an operation is kept: every operation asks for its
// operands, and the first operand of the last of a thousand additions is the other 999.
func (in *inference) kind(e syntax.Expr, depth int) Kind {
	switch e.(type) {
	case *syntax.UnaryExpr, *syntax.CondExpr, *syntax.BinaryExpr, *syntax.IndexExpr, *syntax.SliceExpr, *syntax.CallExpr:
		at := occurrence{e, depth}
		k, ok := in.found[at]
		if !ok {
			k = in.findKind(e, depth)
			if in.found == nil {
				in.found = map[occurrence]Kind{}
			}
			in.found[at] = k
		}
		return k
	}
	return in.findKind(e, depth)
}

func (in *inference) findKind(e syntax.Expr, depth int) Kind {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		return in.kind(e.X, depth)
	case *syntax.Literal:
		switch e.Token {
		case syntax.INT:
			return Whole
		case syntax.FLOAT:
			return Real
		}
		s, _ := e.Value.(string)
		return TextKind(s)
	case *syntax.Ident:
		return in.identKind(e, depth)
	case *syntax.UnaryExpr:
		if e.Op == syntax.NOT {
			return Text
		}
		if e.X != nil && in.kind(e.X, depth).within(Number) {
			return in.kind(e.X, depth)
		}
	case *syntax.CondExpr:
		return in.kind(e.True, depth) | in.kind(e.False, depth)
	case *syntax.BinaryExpr:
		return in.binary(e.Op, in.kind(e.X, depth), in.kind(e.Y, depth))
	case *syntax.ListExpr, *syntax.TupleExpr, *syntax.DictExpr, *syntax.Comprehension:
		return Holder
	case *syntax.IndexExpr:
		if k := in.kind(e.X, depth); k.within(Text) {
			return k | Whole // of bytes
		}
	case *syntax.SliceExpr:
		if k := in.kind(e.X, depth); k.within(Text | Holder) {
			return k
		}
	case *syntax.CallExpr:
		return in.callKind(e, depth)
	}
	return Any
}

func (in *inference) identKind(id *syntax.Ident, depth int) Kind {
	if scope.IsConstant(id.Name) {
		return Text
	}
	switch k := key(id).(type) {
	case *syntax.Ident:
		if kind, ok := in.kinds[k]; ok {
			return kind
		}
	case string:
		switch {
		case depth > 0:
			return Any
		case !in.assigned[k]:
			return in.scope.Kind(k)
		case in.scope.Has(k):
			return in.scope.Kind(k) | in.kinds[k]
		}
		return in.kinds[k]
	}
	return Any
}

func (in *inference) callKind(e *syntax.CallExpr, depth int) Kind {
	if dot, ok := e.Fn.(*syntax.DotExpr); ok && in.isStandard(dot.X, "math") {
		if k, ok := mathResults[dot.Name.Name]; ok {
			return k
		}
		return Number
	}
	id, ok := e.Fn.(*syntax.Ident)
	if !ok || id.Name[0] != '$' && !in.isStandard(e.Fn, id.Name) {
		return Any
	}
	if k, ok := results[id.Name]; ok {
		return k
	}
	switch id.Name {
	case "abs", "min", "max", "round", "pow", parse.NamePow:
		for _, a := range e.Args {
			if !in.kind(a, depth).within(Number) {
				return Any
			}
		}
		return Number
	}
	return Any
}

// binary returns the kind of x op y.
func (in *inference) binary(op syntax.Token, x, y Kind) Kind {
	both := x | y
	if both&ASCII != 0 && op != syntax.AND && op != syntax.OR { // a bool is an int
		both |= Whole
		x, y = x|Whole, y|Whole
	}
	number := x&y&Whole | both&Real // what numbers among them give
	switch op {
	case syntax.IN, syntax.NOT_IN:
		return Text
	case syntax.AND, syntax.OR:
		return both
	case syntax.LT, syntax.LE, syntax.GT, syntax.GE, syntax.EQL, syntax.NEQ:
		if both.within(Plain) {
			return Text
		}
	case syntax.PLUS, syntax.STAR:
		if both.within(Simple) {
			return number | both&(Text|Holder)
		}
	case syntax.SLASH:
		if both.within(Number) {
			return Real
		}
	case syntax.MINUS, syntax.SLASHSLASH, syntax.PERCENT:
		if both.within(Number) {
			return number
		}
	case syntax.AMP, syntax.PIPE, syntax.CIRCUMFLEX, syntax.LTLT, syntax.GTGT:
		if both.within(Whole) {
			return Whole
		}
	}
	return Any
}

// visit notes the operators with plain operands.
func (in *inference) visit(n syntax.Node, depth int) {
	syntax.Walk(n, func(m syntax.Node) bool {
		switch m := m.(type) {
		case *syntax.DefStmt:
			for _, p := range m.Params {
				in.visit(p, depth)
			}
			for _, s := range m.Body {
				in.visit(s, depth+1)
			}
			return false
		case *syntax.LambdaExpr:
			for _, p := range m.Params {
				in.visit(p, depth)
			}
			in.visit(m.Body, depth+1)
			return false
		case *syntax.IfStmt:
			if isClass(m) {
				in.visit(m.Cond, depth)
				for _, s := range m.True {
					in.visit(s, depth+1)
				}
				return false
			}
		case *syntax.BinaryExpr:
			switch x, y := in.kind(m.X, depth), in.kind(m.Y, depth); {
			case Compare[m.Op] != "":
				in.note(m.OpPos, comparesPlainly(x, y))
			case m.Op == syntax.IN, m.Op == syntax.NOT_IN:
				in.note(m.OpPos, x.within(Text) && !asksType(m.X))
			case m.Op == syntax.PLUS, m.Op == syntax.STAR:
				in.note(m.OpPos, arithmetic(m.Op, x, y))
			case m.Op == syntax.PERCENT, m.Op == syntax.SLASHSLASH:
				in.note(m.OpPos, (x | y).within(Whole)) // of floats they are Python's
			case Shift[m.Op] != "":
				in.note(m.OpPos, (x|y).within(Number) && shiftsPlainly(m.Y))
			}
		case *syntax.IndexExpr:
			// Text has no other indexes than ints.
			mayBeInt := in.kind(m.Y, depth)&(Whole|Other) != 0 && !severalElements(m.Y)
			in.note(m.Lbrack, !mayBeInt || in.kind(m.X, depth).within(Number|ASCII|Holder))
			in.note(m.Rbrack, in.plainKey(m.Y, depth))
		case *syntax.DictEntry:
			in.note(m.Colon, in.plainKey(m.Key, depth))
		case *syntax.ExprStmt:
			if a, ok := augmentedOf(m); ok {
				in.noteSteady(a.target)
			}
		case *syntax.CallExpr:
			if dot, ok := m.Fn.(*syntax.DotExpr); ok && takesKey(dot, m.Args) {
				in.note(dot.NamePos, in.plainKey(m.Args[0], depth))
			}
		case *syntax.AssignStmt:
			if a, ok := augmentedOf(m); ok {
				in.noteSteady(a.target)
			}
			if m.Op == syntax.PLUS_EQ || m.Op == syntax.STAR_EQ {
				in.note(syntax.Start(m.LHS), arithmetic(m.Op-syntax.PLUS_EQ+syntax.PLUS, in.kind(m.LHS, depth), in.kind(m.RHS, depth)))
			}
			if id, ok := m.LHS.(*syntax.Ident); ok && m.Op != syntax.EQ {
				plainly := updatesPlainly(m.Op, in.kind(id, depth), in.kind(m.RHS, depth))
				in.note(m.OpPos, plainly && (Shift[m.Op-syntax.PLUS_EQ+syntax.PLUS] == "" || shiftsPlainly(m.RHS)))
			}
		}
		return true
	})
}

// updatesPlainly reports whether x op= y may stay what it is: of numbers and text, and of a list that gets the elements of another container. Sets change in place,
// a list gets the characters of text, and is repeated.
func updatesPlainly(op syntax.Token, x, y Kind) bool {
	switch op {
	case syntax.PERCENT_EQ, syntax.SLASHSLASH_EQ:
		return (x | y).within(Whole)
	case syntax.PLUS_EQ:
		return x.within(Plain) || x.within(Holder) && y.within(Holder)
	}
	return x.within(Plain)
}

// shiftsPlainly reports whether a shift by y may stay one: Starlark's are by up to 511 bits.
func shiftsPlainly(y syntax.Expr) bool {
	n, ok := parse.Unparen(y).(*syntax.Literal)
	if !ok {
		return false
	}
	by, ok := n.Value.(int64)
	return ok && by < 512
}

// asksType reports whether e is type(x), whose text may be looked for among types.
func asksType(e syntax.Expr) bool {
	c, ok := parse.Unparen(e).(*syntax.CallExpr)
	return ok && isCall(c, "type")
}

// plainKey reports whether an index or a key can be no NumPy scalar, or none that matters: arrays, the only ones that have subscripts
// for several elements, take scalars.
func (in *inference) plainKey(e syntax.Expr, depth int) bool {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		return in.plainKey(e.X, depth)
	case *syntax.TupleExpr:
		return severalElements(e) || !slices.ContainsFunc(e.List, func(x syntax.Expr) bool { return !in.plainKey(x, depth) })
	}
	return severalElements(e) || in.kind(e, depth).within(Plain)
}

// isKeyword reports whether an argument has a name, or is *args or **kwargs.
func isKeyword(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.BinaryExpr:
		return e.Op == syntax.EQ
	case *syntax.UnaryExpr:
		return e.Op == syntax.STAR || e.Op == syntax.STARSTAR
	}
	return false
}

// severalElements reports whether a subscript can only be one for several elements: it has slices, comparisons or lists.
func severalElements(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		return severalElements(e.X)
	case *syntax.TupleExpr:
		return slices.ContainsFunc(e.List, severalElements)
	case *syntax.CallExpr:
		return isCall(e, parse.NameBounds)
	case *syntax.BinaryExpr:
		return Compare[e.Op] != ""
	case *syntax.ListExpr:
		return true
	}
	return false
}

// TextKind is the kind of a string.
func TextKind(s string) Kind {
	if strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0 {
		return Wide
	}
	return ASCII
}

// note notes whether the operator at a position is plain. If several are made of one that the user wrote, all must be.
func (in *inference) note(pos syntax.Position, plain bool) {
	before, ok := in.plain[at(pos)]
	in.plain[at(pos)] = plain && (before || !ok)
}
