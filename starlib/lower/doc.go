// Package lower checks a cell or file and rewrites its tree to what the interpreter can run as users mean it.
//
//	Check   finds what is wrong before anything runs, and what later steps need to know
//	Cell    rewrites a cell, whose globals are the session's
//	Module  rewrites a loaded file, whose globals are its own
//
// check.go binds names, infer.go finds out what can only be plain numbers, lower.go rewrites operators, and
// loop.go lets loops of a cell run on variables of their own. The names of the builtins that operators become are in names.go.
package lower
