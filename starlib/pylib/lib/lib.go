// Package lib has modules of Python's standard library as files in the language: NAME.py, or a
// folder of them with __init__.py. They are in the program, and a session compiles one when it is
// imported for the first time. Those whose names begin with _ are for the others.
//
// They are written from what Python documents, for the language that is here. What needs the
// machine stands in package pylib/inside, as modules in Go that these import.
package lib

import "embed"

// Files are the modules.
//
//go:embed *.py urllib/*.py
var Files embed.FS
