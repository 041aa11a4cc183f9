// Package lower checks a cell or file whose names package scope has prepared, and writes what its
// operators and calls mean as calls of builtins, which package compile knows.
//
//	Check   finds what is wrong before anything runs, and what later steps need to know
//	Cell    rewrites a cell
//	Module  rewrites a loaded file
//
// infer.go finds out what can only be plain numbers, update.go writes x op= y, and lower.go rewrites
// operators. The names of the builtins that
// operators become are in names.go.
package lower
