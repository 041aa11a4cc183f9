// Package lower checks a cell or file and rewrites its tree to standard syntax that runs as users mean it.
//
//	Python  rewrites classes, try, with and the like to functions and calls
//	Check   finds what is wrong before anything runs, and what later steps need to know
//	Cell    rewrites a cell, whose globals are the session's
//	Module  rewrites a loaded file, whose globals are its own
//
// scope.go finds what binds names and which variables functions share, block.go and rename.go rewrite statements and names for Python;
// check.go binds names, infer.go finds out what can only be plain numbers, and lower.go rewrites operators. The names of the builtins that operators become are in names.go.
package lower
