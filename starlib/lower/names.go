package lower

import "go.starlark.net/syntax"

// The names of builtins that trees are rewritten to call. Users cannot write a $.
const (
	Env     = "$env"     // the session's globals, a mapping
	Display = "$display" // $display(e): the value of the cell's last expression
	Chars   = "$text"    // $text[x] is x, of a string its characters: what x[i] is taken from
	Slice   = "$slice"   // $slice(x, a, b, c) is x[a:b:c]
	Run     = "$run"     // $run(f, ...) is f(...) whose value nobody takes
	Percent = "$percent" // $percent(x, y) is x % y
	Format  = "$format"  // $format(text, ...) is text.format(...)
	Each    = "$each"    // $each(x) is x, of a string its characters: what for iterates over
	Attr    = "$attr"    // $attr(x, name) is x.name for a name of which Starlark does not have all methods
	Sliced  = "$sliced"  // $sliced(x) is x, as something that can be assigned to by slices
	Key     = "$key"     // $key[i] is i, of a NumPy scalar the number of Starlark's: what indexes, and what is a key
	Items   = "$items"   // $items[x] is x, a list or tuple with such numbers in place of scalars
	Ints    = "$ints"    // $ints(...): are all arguments ints
	Begin   = "$begin"   // $begin(n): a loop on its own variables begins
	Has     = "$has"     // $has(name): is there such a global
	Magic   = "$magic"   // $magic(i) runs the i-th line magic of the cell
	End     = "$end"     // $end(): the loop has ended; its variables become globals

	def = "$def"
)

// InPlace are the builtins that x op= y becomes, by the operator of x op y.
var InPlace = map[syntax.Token]string{
	syntax.PLUS: "$iadd", syntax.MINUS: "$isub", syntax.STAR: "$imul", syntax.SLASH: "$itruediv", syntax.SLASHSLASH: "$ifloordiv",
	syntax.PERCENT: "$imod", syntax.AMP: "$iand", syntax.PIPE: "$ior", syntax.CIRCUMFLEX: "$ixor", syntax.LTLT: "$ilshift",
	syntax.GTGT: "$irshift", syntax.STARSTAR: "$ipow",
}

// Shift are the builtins that shifts become.
var Shift = map[syntax.Token]string{syntax.LTLT: "$lshift", syntax.GTGT: "$rshift"}

// Compare are the builtins that comparisons become.
var Compare = map[syntax.Token]string{
	syntax.LT: "$lt", syntax.LE: "$le", syntax.GT: "$gt", syntax.GE: "$ge", syntax.EQL: "$eq", syntax.NEQ: "$ne",
}
