package lower

import "go.starlark.net/syntax"

// The names of builtins that trees are rewritten to call, besides those of parse.Names. Users cannot write a $.
// What these names are:
//
//	$display(e): the value of the cell's last expression
//	$text[x] is x, of a string its characters: what x[i] is taken from
//	$slice(x, a, b, c) is x[a:b:c]
//	$at[i] is $text, or if i is a slice what it is taken from: $at[i][x][i] is x[i]
//	$element(x, i) is x[i], which may be a slice
//	$run(f, ...) is f(...) whose value nobody takes
//	$percent(x, y) is x % y
//	$floordiv(x, y) is x // y
//	$format(text, ...) is text.format(...)
//	$each(x) is x, of a string its characters: what for iterates over
//	$live(x) is $each(x), of a list or dict what may be changed by a loop over it
//	$attr.name[x] is x.name for a name of which Starlark does not have all methods
//	$fields[x] is x, of a function what has the attributes that it was given
//	$sliced(x) is x, as something that can be assigned to by slices
//	$key[i] is i, of a NumPy scalar the number of Starlark's: what indexes, and what is a key
//	$items[x] is x, a list or tuple with such numbers in place of scalars
//	$term[x] is x, of a large sequence an operand that asks for the memory of a sum first
//	$factor[x] is x, of a sequence an operand that asks for the memory of a repetition first
//	$slicer lo:hi:step[x] is x[lo:hi:step]; the bounds are part of the name
//	$spread[x] is x, whose elements become arguments if there is memory for them
//	$extend[x] is x, whose elements become those of a list if there is memory for them
//	$times[n] is n, of an int an operand that asks for the memory of a repetition first
//	$magic(i) runs the i-th line magic of the cell
//	$class(name, base, ...) is the mapping of the members of a class that is being made
//	$made(members) is their class
const (
	Display = "$display"
	Chars   = "$text"
	Slice   = "$slice"
	// At is the builtin by which x[i] is taken where i may be a slice, Element where i is no name.
	At      = "$at"
	Element = "$element"
	Run     = "$run"
	Percent = "$percent"
	Floor   = "$floordiv"
	Format  = "$format"
	Each    = "$each"
	// Live is the builtin that takes the place of Each unless a file is portable.
	Live   = "$live"
	Attr   = "$attr"
	Fields = "$fields"
	Sliced = "$sliced"
	Key    = "$key"
	Items  = "$items"
	Term   = "$term"
	Factor = "$factor"
	// Slicer begins the names of the mappings that slice by bounds which do not change.
	Slicer = "$slicer "
	Spread = "$spread"
	Extend = "$extend"
	Times  = "$times"
	Magic  = "$magic"

	Class = "$class"
	Made  = "$made"
)

// InPlace are the builtins that x op= y becomes, by the operator of x op y: $iadd[x][y] is what x is after it, but $ipow(x, y) and $imatmul(x, y) are called.
var InPlace = map[syntax.Token]string{
	syntax.PLUS: "$iadd", syntax.MINUS: "$isub", syntax.STAR: "$imul", syntax.SLASH: "$itruediv", syntax.SLASHSLASH: "$ifloordiv",
	syntax.PERCENT: "$imod", syntax.AMP: "$iand", syntax.PIPE: "$ior", syntax.CIRCUMFLEX: "$ixor", syntax.LTLT: "$ilshift",
	syntax.GTGT: "$irshift", syntax.STARSTAR: "$ipow", MatMul: "$imatmul",
}

// Shift are the builtins that shifts become.
var Shift = map[syntax.Token]string{syntax.LTLT: "$lshift", syntax.GTGT: "$rshift"}

// Compare are the builtins that comparisons become.
var Compare = map[syntax.Token]string{
	syntax.LT: "$lt", syntax.LE: "$le", syntax.GT: "$gt", syntax.GE: "$ge", syntax.EQL: "$eq", syntax.NEQ: "$ne",
}
