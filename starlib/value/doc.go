// Package value is what the values of the language are made of, whoever computes with them.
//
//	Builtin     a function with parameters, documentation and example, in one row
//	Module      a named table of values; PartModule, one that stands for a library of which it has a part
//	Methods     the table of methods of a type
//	Host        the session that values live in
//	Slice       bounds of a subscript
//
// Starlark's own hooks (HasBinary, Mapping, ...) leave out what arrays and symbols need. These interfaces are asked instead, by the
// builtins that operators are lowered to and by the functions of numericTable:
//
//	Comparer    < <= > >= == !=, with results that are not True or False
//	Slicer      x[a:b:c] with any bounds
//	Numeric     abs, sum, min, max, pow, round, len and @
//	Formatter   fmt, % and format
//	Strer       str and print, where they differ from repr
//	MimeBundler what a front end shows
//	Documenter  help
package value
