// Package pylib has what programs with tensors use of Python's standard library, under Python's
// names: modules that are imported and not predeclared, and open. They are tables of functions with
// documentation and examples, as those of the rooms below; they stand here and not in package
// library because they reach files, output and arrays: they need the session and np.
//
//	Modules  the modules, by name
//	Types    the tables of what their values have
//	Open     the function open
//
// Files are reached through the session's door (runtime/files), so that the flag sandbox holds.
// Nothing runs code that it reads.
package pylib
