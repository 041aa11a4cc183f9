// Package value is the protocols of the language: by which interfaces the machine, builtins and
// front ends ask values, and the builtins and methods themselves. The values are those of package
// slot, object and np. Begin with builtin.go.
//
//	Builtin     a function with parameters, documentation and example, in one row
//	Module      a named table of values; what only the libraries have whose names it uses is refused by name (package names)
//	Methods     the table of methods of a type
//	Attr        x.name, with the methods that Starlark's own types lack: the tables of methods_*.go
//	Iterable    what can be iterated over: also the characters of a string
//	FormatValue formats, as Python's
//	Host        the session that values live in
//	Def         a function of the program; StackOf is where it is, TraceOf where an error came from
//	Slice       bounds of a subscript
//
// Starlark's own interfaces (HasBinary, Mapping, ...) leave out what arrays and symbols need. These
// are asked instead, by the machine's operators and by the functions of NumericTable:
//
//	Comparer    < <= > >= == !=, with results that are not True or False
//	InPlacer    += and its like
//	Recyclable      what the machine asks of arrays, and Deferred of several operations at once
//	Slicer      x[a:b:c] with any bounds
//	Numeric     abs, sum, min, max, pow, round, len and @
//	Formatter   fmt, % and format
//	Scalar      the number that an array of one element is, for int, float and formats
//	Strer       str and print, where they differ from repr
//	MimeBundler what a front end shows
//	Documenter  help
//
// The order in which files are read; next to none needs one behind it:
//
//	protocols.go instance.go program.go host.go  what values and running programs are asked
//	typed.go length.go poll.go ask.go room.go    numbers, lengths, interrupts and memory
//	builtin.go rows.go arguments.go module.go    functions, their rows, modules
//	attr.go repr.go compare.go equal.go key.go   x.name, text, order and equality
//	iterable.go text.go slice.go operand.go      elements, characters, subscripts, + and *
//	format.go percent.go braces.go               formats
//	methods_*.go case.go                         tables of methods; by type: methods.go
//	numeric.go iterate.go types.go update.go     tables of functions, and x op= y
//	quick_*.go quick.go                          the same for arguments in registers
package value
